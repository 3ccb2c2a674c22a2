//! `search`: matches, their output, and equal results with and without an index.

use loom_testkit::{Run, Sandbox};
use serde_json::Value;

use crate::packed::loom;

/// Returns a password, which is split so that this file contains no secret.
fn password() -> String {
    ["Zx81", "qT!9pLw", "7vB2"].concat()
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "src/a.rs",
        "fn alpha() {\n    beta(1);\n}\n\nfn beta(x: u8) {}\n",
    );
    sandbox.write(
        "src/b.py",
        "def alpha():\n    return 'Beta'\n# gamma delta\n",
    );
    sandbox.write("tests/a.rs", "fn test_alpha() { alpha() }\n");
    sandbox.write("notes.txt", "alpha\r\nnaïve BETA\r\n");
    sandbox
}

fn search(sandbox: &Sandbox, args: &[&str]) -> Run {
    loom(sandbox, &[&["search"], args].concat())
}

/// Checks the lines of a result, with and without an index.
#[track_caller]
fn check(sandbox: &Sandbox, args: &[&str], expected: &str) {
    for usage in ["off", "update", "auto"] {
        let run = search(sandbox, &[args, &["--index", usage]].concat());
        assert_eq!(run.text(), expected, "{usage} {args:?} {}", run.stderr);
        assert_eq!(run.code, i32::from(expected.is_empty()), "{}", run.stderr);
    }
}

#[test]
fn words_phrases_and_expressions() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["alpha"],
        "notes.txt:1:alpha\nsrc/a.rs:1:fn alpha() {\nsrc/b.py:1:def alpha():\ntests/a.rs:1:fn test_alpha() { alpha() }\n",
    );
    check(
        &sandbox,
        &["-w", "beta", "-i"],
        "notes.txt:2:naïve BETA\nsrc/a.rs:2:    beta(1);\nsrc/a.rs:5:fn beta(x: u8) {}\nsrc/b.py:2:    return 'Beta'\n",
    );
    check(
        &sandbox,
        &["alpha gamma"],
        "src/b.py:1:def alpha():\nsrc/b.py:3:# gamma delta\n",
    );
    check(&sandbox, &["\"gamma delta\""], "src/b.py:3:# gamma delta\n");
    check(
        &sandbox,
        &["--regex", "^fn b\\w+\\("],
        "src/a.rs:5:fn beta(x: u8) {}\n",
    );
    check(
        &sandbox,
        &["-F", "(x: u8)"],
        "src/a.rs:5:fn beta(x: u8) {}\n",
    );
    check(&sandbox, &["-F", "(x: u9)"], "");
}

#[test]
fn forms_of_the_answer() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["alpha", "-l"],
        "notes.txt\nsrc/a.rs\nsrc/b.py\ntests/a.rs\n",
    );
    check(
        &sandbox,
        &["alpha", "-c"],
        "notes.txt:1\nsrc/a.rs:1\nsrc/b.py:1\ntests/a.rs:1\n",
    );
    check(
        &sandbox,
        &["beta", "-C1", "--limit", "1"],
        "src/a.rs-1-fn alpha() {\nsrc/a.rs:2:    beta(1);\nsrc/a.rs-3-}\n",
    );
    check(
        &sandbox,
        &["u8", "--column"],
        "src/a.rs:5:12:fn beta(x: u8) {}\n",
    );
    let below = search(&sandbox, &["u8", "src"]);
    assert_eq!(below.ok(), "src/a.rs:5:fn beta(x: u8) {}\n");
    let painted = search(&sandbox, &["u8", "--color", "always"]).ok();
    assert!(painted.contains("\x1b[1;31mu8\x1b[0m") && painted.contains("\x1b]8;;file://"));
    let json: Value =
        serde_json::from_str(&search(&sandbox, &["beta", "--format", "json"]).ok()).unwrap();
    let first = &json["matches"][0];
    assert_eq!(
        (&first["path"], &first["line"], &first["column"]),
        (&"src/a.rs".into(), &2.into(), &5.into())
    );
    assert_eq!(
        (&first["symbol"], &first["text"]),
        (&"alpha".into(), &"    beta(1);".into())
    );
    assert_eq!(json["summary"]["lines"], 2);
    let none: Value =
        serde_json::from_str(&search(&sandbox, &["zzz", "--format", "json"]).text()).unwrap();
    assert_eq!(none["matches"].as_array().unwrap().len(), 0);
}

#[test]
fn a_wrong_query_says_where() {
    let sandbox = sandbox();
    for (query, place) in [
        (&["a )"][..], "  a )\n    ^"),
        (&["lang:klingon x"], "  lang:klingon x\n       ^^^^^^^"),
        (&["--regex", "a(b"], "  a(b\n   ^"),
        (&[""], "the query is empty"),
    ] {
        let run = search(&sandbox, query);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(place), "{}", run.stderr);
    }
}

/// Every odd query gets a result or an error.
#[test]
fn odd_queries() {
    let sandbox = sandbox();
    let long = "a".repeat(100_000);
    let nested = format!("{}a{}", "(".repeat(3000), ")".repeat(3000));
    for (query, code) in [
        (&["-F", &long][..], 1),
        (&["--regex", &long], 1),
        (&["--regex", &nested], 2),
        (&["--regex", "(a{1000}){1000}"], 2),
        (&["--regex", "(a*)*(b|a?)*$"], 0),
        (&["--regex", "(?-u)\\xff"], 1),
        (&["--regex", "a\\nb"], 2),
        (&["--regex", ""], 0),
        (&["-F", ""], 0),
        (&["\u{fffd}"], 1),
    ] {
        let run = search(&sandbox, query);
        assert_eq!(run.code, code, "{}", run.stderr);
    }
}

/// Returns the files of the index.
fn index_files(sandbox: &Sandbox) -> Vec<std::path::PathBuf> {
    let entries = |folder: std::path::PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let all = entries(sandbox.path("../home/.cache/infiniloom"));
    let folders = all.into_iter().filter(|path| path.is_dir());
    folders.flat_map(entries).collect()
}

#[test]
fn secrets_are_found_but_not_shown_and_not_kept() {
    let sandbox = sandbox();
    let password = password();
    sandbox.write("app.env", format!("DB_PASSWORD={password}\nother=1\n"));
    let found = search(&sandbox, &["-F", &password, "--index", "update"]).ok();
    assert_eq!(found, "app.env:1:DB_PASSWORD=[REDACTED:password]\n");
    let plain = search(&sandbox, &["-F", &password, "--secrets", "off"]).ok();
    assert!(plain.contains(&password));
}

#[test]
fn the_cache_is_cleaned_of_it() {
    let sandbox = sandbox();
    loom(&sandbox, &["index"]).ok();
    assert!(!index_files(&sandbox).is_empty());
    loom(&sandbox, &["cache", "clean"]).ok();
    assert!(index_files(&sandbox).is_empty());
    search(&sandbox, &["alpha", "--no-cache"]).ok();
    assert!(index_files(&sandbox).is_empty());
}

#[test]
fn several_processes_at_once() {
    let sandbox = sandbox();
    for number in 0..60 {
        sandbox.write(
            format!("many/{number}.txt"),
            format!("line {number}\nneedle\n"),
        );
    }
    std::thread::scope(|scope| {
        let one = || search(&sandbox, &["needle", "-c", "--index", "update"]).ok();
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        for run in runs {
            assert_eq!(run.join().unwrap().lines().count(), 60);
        }
    });
}

#[test]
fn questions_are_answered_by_rank() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "src/http/cookies.py",
        "def parse_cookie(text):\n    \"\"\"Parse one.\"\"\"\n    return text.split(';')\n",
    );
    sandbox.write("src/other.py", "def other():\n    return 1 # cookie\n");
    sandbox.write(
        "tests/test_cookies.py",
        "def test_parse_cookie():\n    pass\n",
    );
    for flags in [
        &["--rank", "bm25"][..],
        &["--rank=tfidf"],
        &["--rank", "code_aware"],
        &["--ask", "--rank", "bm25"],
    ] {
        let asked = [flags, &["how are cookies parsed", "--format", "json"]].concat();
        let run = search(&sandbox, &asked);
        let json: Value = serde_json::from_str(&run.ok()).unwrap();
        assert!(json["hits"].as_array().unwrap().len() >= 2, "{flags:?}");
    }
    let text = search(&sandbox, &["how are cookies parsed", "--ask"]).ok();
    assert!(
        text.starts_with("src/http/cookies.py:1-3  parse_cookie\n"),
        "{text}"
    );
    assert_eq!(search(&sandbox, &["--ask", "xyzzy"]).code, 1);
}

#[test]
fn patterns_from_a_file() {
    let sandbox = sandbox();
    sandbox.write("patterns.list", "^fn b\\w+\r\ngamma\n");
    let expected = "src/a.rs:5:fn beta(x: u8) {}\nsrc/b.py:3:# gamma delta\n";
    check(&sandbox, &["-f", "patterns.list", "src"], expected);
    sandbox.write("patterns.list", "(x: u8)\n'Beta'");
    let expected = "src/a.rs:5:fn beta(x: u8) {}\nsrc/b.py:2:    return 'Beta'\n";
    check(
        &sandbox,
        &["-F", "--file", "patterns.list", "src"],
        expected,
    );
    sandbox.write("patterns.list", "");
    check(&sandbox, &["-f", "patterns.list", "src"], "");

    sandbox.write("patterns.list", "alpha\nbeta(\n");
    let run = search(&sandbox, &["-f", "patterns.list"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("line 2: unclosed group"),
        "{}",
        run.stderr
    );
    let run = search(&sandbox, &["-f", "json", "alpha"]);
    assert!(run.stderr.contains("--format json"), "{}", run.stderr);
    sandbox.write("patterns.list", [b"alpha\n\xff\n".as_slice()].concat());
    let run = search(&sandbox, &["-f", "patterns.list"]);
    assert!(run.stderr.contains("line 2 is not UTF-8"), "{}", run.stderr);
}

/// A pattern of a megabyte gets a quick result or error.
#[test]
fn patterns_of_a_megabyte() {
    let sandbox = sandbox();
    let list: String = (0..100_000)
        .map(|number| format!("w{number:06}\n"))
        .collect();
    sandbox.write("patterns.list", format!("{list}gamma\n"));
    let found = "src/b.py:3:# gamma delta\n";
    check(&sandbox, &["-F", "-f", "patterns.list", "src"], found);
    check(&sandbox, &["-f", "patterns.list", "src"], found);
    sandbox.write("patterns.list", "(\\w+|x)".repeat(130_000));
    let run = search(&sandbox, &["-f", "patterns.list", "src"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("asks for too much"), "{}", run.stderr);
    sandbox.write("patterns.list", "x".repeat(2 << 20));
    let run = search(&sandbox, &["-f", "patterns.list", "src"]);
    assert!(run.stderr.contains("at most 1 MiB"), "{}", run.stderr);
}

#[test]
fn a_line_end_in_a_pattern() {
    let sandbox = sandbox();
    for args in [&["-F", "alpha\nbeta"][..], &["--regex", "alpha\\nbeta"]] {
        let run = search(&sandbox, args);
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains("cannot contain a newline"),
            "{}",
            run.stderr
        );
        assert!(run.stderr.contains("-f FILE"), "{}", run.stderr);
    }
}

#[test]
fn what_fits_best_comes_first() {
    let sandbox = sandbox();
    sandbox.write(
        "a/uses.rs",
        "fn main() { widget() }\nfn more() { widget() }\n",
    );
    sandbox.write("b/defines.rs", "pub fn widget() {}\n");
    sandbox.write("c/tests/widget.rs", "fn test_widget() { widget() }\n");
    let paths = |args: &[&str]| search(&sandbox, &[args, &["widget", "-l"]].concat()).ok();
    assert_eq!(
        paths(&["--sort", "score"]),
        "b/defines.rs\na/uses.rs\nc/tests/widget.rs\n"
    );
    assert_eq!(
        paths(&["--sort", "path"]),
        "a/uses.rs\nb/defines.rs\nc/tests/widget.rs\n"
    );
    let run = search(&sandbox, &["widget", "--sort=score", "--format=json"]);
    let json: Value = serde_json::from_str(&run.ok()).unwrap();
    let score = |at: usize| json["matches"][at]["score"].as_f64().unwrap();
    assert!(score(0) > score(1));
    let run = search(&sandbox, &["widget", "--sort=score", "--limit=1"]);
    assert_eq!(run.ok(), "b/defines.rs:1:pub fn widget() {}\n");
}

/// Flags for lines are an error with a question, and not ignored.
#[test]
fn questions_take_no_flags_of_lines() {
    let sandbox = sandbox();
    for flags in [
        &["-i"][..],
        &["-C", "2"],
        &["--lang", "rust"],
        &["-l"],
        &["-f", "x"],
    ] {
        let run = search(&sandbox, &[&["--ask", "alpha"], flags].concat());
        assert_eq!(run.code, 2, "{flags:?}");
    }
}
