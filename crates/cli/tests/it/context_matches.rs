//! `infiniloom context` reports the matching words of a query, and queries without a match.

use loom_testkit::Sandbox;
use serde_json::Value;

use crate::context::{answer, sandbox, tokens_of};
use crate::packed::loom;

/// Without a match, the output is the beginning of the map instead of unrelated code.
#[test]
fn query_that_nothing_matches_says_so_and_exits_with_1() {
    let sandbox = sandbox();
    for query in [
        "asdfgh qwerty zzz",
        "xkcdvbn",
        "\u{4ef7}\u{683c}",
        "what is the of and",
    ] {
        let run = loom(&sandbox, &["context", query]);
        let text = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.code, 1, "{query}: {text}");
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("nothing matches the query in 64 files"));
        assert!(text.contains("Key symbols:"), "{text}");
        assert!(tokens_of(&sandbox, &text) <= 520, "{text}");
        let run = loom(&sandbox, &["context", query, "--format", "json"]);
        assert_eq!(run.code, 1);
        let told: Value = serde_json::from_slice(&run.stdout).unwrap();
        for key in ["pieces", "hits", "files", "summaries"] {
            assert_eq!(told[key], Value::Array(Vec::new()), "{key}");
        }
        assert_eq!(told["context"], text);
        assert_eq!(told["query_words_found"], 0);
        assert_eq!(told["tokens"], tokens_of(&sandbox, &text));
    }
}

#[test]
fn summary_says_how_many_query_words_were_found() {
    let sandbox = sandbox();
    let run = loom(&sandbox, &["context", "retry the asdfgh of the client"]);
    assert!(
        run.stderr.contains("\n2 of 3 query words found"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("elevance"));
    let told = answer(&sandbox, "retry the asdfgh of the client", &[]);
    assert_eq!(
        (&told["query_words"], &told["query_words_found"]),
        (&3.into(), &2.into())
    );
    assert_eq!(told.get("average_relevance"), None);
}

/// Adds random words: made-up values in tests, data and a lock file.
fn sandbox_with_junk() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write(
        "tests/test_login.py",
        "def test_login(client):\n    client.login(user=\"joe\", name=\"qwerty\")\n",
    );
    sandbox.write(
        "tests/test_address.py",
        "def test_address():\n    assert not is_address(\"1::zzz\")\n",
    );
    sandbox.write("src/retro.py", "LIMIT = 1\n");
    sandbox.write("data/words.json", "[\"asdfgh\", \"hunter\", \"plugh\"]\n");
    sandbox.write("data/words.txt", "asdfgh\nletmein\nplugh\n");
    sandbox.write("flake.lock", "{\"narHash\": \"xyzzy+frob/Q==\"}\n");
    sandbox
}

/// Words that only tests and data contain do not match, nor does one part of a long name.
#[test]
fn words_of_tests_and_data_are_no_match() {
    let sandbox = sandbox_with_junk();
    for query in [
        "asdfgh qwerty zzz",
        "why is zzz not plugh",
        "xyzzy_wait_frobnicate",
        "retrozap frobnicate",
    ] {
        let run = loom(&sandbox, &["context", query, "--format", "json"]);
        let told: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(told["pieces"], Value::Array(Vec::new()), "{query}");
        assert_eq!(told["query_words_found"], 0, "{query}");
        assert_eq!(run.code, 1, "{query}");
    }
}

/// One word that names or describes something is enough, even among unknown words. So are several
/// words if one test or document contains all of them.
#[test]
fn one_good_word_is_a_match() {
    let sandbox = sandbox_with_junk();
    sandbox.write(
        "docs/usage.txt",
        "To ship an order, hand the parcel to the courier and note its number.\n",
    );
    for (query, path) in [
        ("asdfgh qwerty retry", "src/http/client.py"),
        ("zzz seconds", "src/http/backoff.py"),
        ("qwerty", "tests/test_login.py"),
        ("joe qwerty", "tests/test_login.py"),
        ("asdfgh test_address", "tests/test_address.py"),
        ("plugh courier", "docs/usage.txt"),
        ("qwerty shop", "README.md"),
        ("xyzzy_retry_request", "src/http/client.py"),
    ] {
        let told = answer(&sandbox, query, &[]);
        let files = told["files"].as_array().unwrap();
        assert!(files.contains(&path.into()), "{query}: {files:?}");
        assert_ne!(told["pieces"], Value::Array(Vec::new()), "{query}");
    }
}

/// A model that reads the text must see that little of the query was found.
#[test]
fn weak_match_is_told_in_every_format() {
    let sandbox = sandbox();
    let weak = "retry asdfgh qwerty plugh xkcdvbn";
    let told = "1 of 5 query words was found; the match is weak";
    for format in ["xml", "markdown", "plain", "compact", "yaml"] {
        let run = loom(&sandbox, &["context", weak, "--format", format]);
        let text = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(text.matches(told).count(), 1, "{format}: {text}");
        assert!(run.stderr.contains(told), "{}", run.stderr);
        let good = loom(
            &sandbox,
            &["context", "retry the client", "--format", format],
        );
        assert!(!good.ok().contains("match is weak"), "{format}");
    }
    let info = answer(&sandbox, weak, &[]);
    assert!(info["context"].as_str().unwrap().contains(told));
    let notices = info["notices"].as_array().unwrap();
    assert!(notices.iter().any(|one| one["code"] == "weak_match"));
    // A path is precise, whatever the other words are.
    let path = "asdfgh qwerty plugh in src/http/client.py";
    let info = answer(&sandbox, path, &[]);
    assert!(!info["context"].as_str().unwrap().contains("weak"));
}
