//! Every program in `examples/` runs, and prints the right result for a small shop.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use loom_testkit::{ProviderServer, Sandbox};

/// A secret in the settings of the shop.
pub(crate) const SECRET: &str = "vK8#pq2Zr!x9";

/// Creates a repository with two revisions.
pub(crate) fn shop() -> Sandbox {
    let sandbox = Sandbox::new();
    let tax = "\"\"\"Tax of the shop.\"\"\"\n\n\ndef rate(country):\n    \"\"\"Returns the tax rate of a country.\"\"\"\n    return 0.2 if country == \"fr\" else 0.1\n";
    sandbox
        .write("shop/__init__.py", "")
        .write("shop/tax.py", tax)
        .write("lib/__init__.py", "")
        .write(
            "lib/money.py",
            "def euros(cents):\n    return cents / 100\n",
        )
        .write("README.md", "# A shop\n\nIt sells baskets.\n")
        .write(
            "config.env",
            format!("HOST=shop.example\nDB_PASSWORD={SECRET}\n"),
        )
        .write(".gitignore", "target/\n")
        .write("target/debug/app", "built\n")
        .commit_all()
        .git(&["tag", "v1.0"]);
    let basket = "from shop.tax import rate\n\n\ndef total(items, country):\n    \"\"\"Returns the total of a basket.\"\"\"\n    return sum(items) * (1 + rate(country))\n";
    sandbox.write("shop/basket.py", basket).commit_all();
    sandbox
}

/// Returns the built program: examples are built with the tests.
fn program(sandbox: &Sandbox, name: &str) -> Command {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path: PathBuf = path.join("examples").join(file);
    assert!(path.exists(), "{} is not built", path.display());
    sandbox.command(path)
}

#[track_caller]
fn output(name: &str, parts: &[&str]) -> String {
    let sandbox = shop();
    let output = program(&sandbox, name).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {stderr}");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in parts {
        assert!(
            text.contains(part),
            "{name} does not print {part:?}:\n{text}"
        );
    }
    assert!(!text.contains(SECRET), "{name} prints a secret:\n{text}");
    text
}

#[test]
fn pack_prints_the_files_and_their_tokens() {
    let text = output(
        "pack",
        &["def total(items, country):", "[REDACTED:password:1]"],
    );
    assert!(text.trim_end().ends_with(" tokens"));
}

#[test]
fn pack_to_file_writes_the_file_and_shows_progress() {
    let sandbox = shop();
    let output = program(&sandbox, "pack_to_file").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "8 files packed\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("files"), "{stderr}");
    assert!(sandbox.read("repo.xml").contains("def rate(country)"));
}

#[test]
fn pack_stream_prints_every_file() {
    let text = output("pack_stream", &["8 files\n", "shop/tax.py: ", " skipped\n"]);
    assert_eq!(text.lines().count(), 10, "{text}");
}

#[test]
fn context_selects_the_basket_with_reasons() {
    output(
        "context",
        &["shop/basket.py:", " tokens: ", "def total(items, country):"],
    );
}

#[test]
fn map_shows_symbols() {
    output("map", &["shop/basket.py", "rate"]);
}

#[test]
fn live_search_sees_every_save_before_a_query() {
    let sandbox = shop();
    let mut child = program(&sandbox, "live_search")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut queries = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    writeln!(queries, "total").unwrap();
    assert_eq!(next(), "shop/basket.py:4: def total(items, country):");
    assert!(next().starts_with("shop/basket.py:5:"));
    sandbox.write("shop/later.py", "def refund():\n    pass\n");
    writeln!(queries, "refund").unwrap();
    assert_eq!(next(), "shop/later.py:1: def refund():");
    writeln!(queries, "/(/").unwrap();
    assert!(next().starts_with("error: "));
    drop(queries);
    assert!(child.wait().unwrap().success());
}

#[test]
fn ranked_search_finds_the_tax_rate() {
    let text = output("ranked_search", &["shop/tax.py:"]);
    assert!(text.lines().count() >= 2, "{text}");
}

#[test]
fn navigate_finds_callers_and_a_definition() {
    output(
        "navigate",
        &["shop/basket.py:6 ", "function rate", "resolved by syntax"],
    );
}

#[test]
fn symbols_lists_functions_and_an_outline() {
    let text = output("symbols", &["shop/tax.py:4 def rate(country)"]);
    assert_eq!(text.matches("shop/basket.py:4 ").count(), 2, "{text}");
}

#[test]
fn working_set_lists_the_files_of_a_transcript() {
    output("working_set", &["- shop/basket.py (read)\n", "1 files, "]);
}

#[test]
fn read_redacts_and_compresses() {
    output(
        "read",
        &[
            "HOST=shop.example\n",
            "[REDACTED:password:1]",
            "3 of 6 lines",
            "def total",
        ],
    );
}

#[test]
fn chunks_have_lines_and_tokens() {
    output("chunks", &["shop/tax.py:1-6 ", " tokens"]);
}

#[test]
fn tokens_are_counted_for_a_text_and_for_models() {
    output("tokens", &["tokens (", "claude-sonnet", "gpt-5: "]);
}

#[test]
fn models_have_limits_and_hints() {
    output(
        "models",
        &[
            "claude-sonnet",
            "for a million tokens",
            "did you mean sonnet",
        ],
    );
}

#[test]
fn scan_reports_the_secret_and_redacts_its_copy() {
    output(
        "scan",
        &[
            "config.env:2: password",
            "\"startLine\": 2",
            "deploy with [REDACTED:",
        ],
    );
}

#[test]
fn index_watch_reports_a_new_file() {
    let sandbox = shop();
    let mut child = program(&sandbox, "index_watch")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert!(first.starts_with("8 files, "), "{first}");
    sandbox.write("shop/later.py", "def refund():\n    pass\n");
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "shop/later.py: 1 added\n");
    assert!(child.wait().unwrap().success());
}

#[test]
fn compress_elides_the_body() {
    let text = output("compress", &["def total(items):", "Sums the items."]);
    assert!(text.matches("return subtotal").count() < 10, "{text}");
}

#[test]
fn roots_and_revisions_are_told_apart() {
    output("roots", &["shop/tax.py", "v1.0: 0 references", "HEAD: "]);
}

#[test]
fn why_shows_settings_and_the_rule() {
    output(
        "why",
        &[
            "pack.format = xml (built in)",
            "target/debug/app: left out by ",
        ],
    );
}

#[test]
fn async_caller_gets_the_context() {
    output("async_caller", &["def total(items, country):"]);
}

#[cfg(not(feature = "http"))]
#[test]
fn without_connections_nothing_is_sent() {
    let (sandbox, server) = (large_shop(), ProviderServer::start(KEY, str::len));
    let run = |name: &str| {
        let output = with_provider(&sandbox, name, &server)
            .arg("--send")
            .output();
        let output = output.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text + &String::from_utf8(output.stderr).unwrap()
    };
    let refused = run("calibrate");
    assert!(refused.starts_with("feature_missing: "), "{refused}");
    let refused = run("exact_tokens");
    assert!(refused.contains("feature_missing"), "{refused}");
    assert!(server.texts().is_empty());
    let root = infiniloom::Root::url("https://example.invalid/a/b");
    let error = infiniloom::Infiniloom::new().open(root).unwrap_err();
    assert_eq!(error.kind(), infiniloom::ErrorKind::Unavailable);
    assert_eq!(error.code(), "feature_missing");
}

/// Returns the command for a program that calls a server, which counts like a provider.
fn with_provider(sandbox: &Sandbox, name: &str, server: &ProviderServer) -> Command {
    let mut command = program(sandbox, name);
    command
        .env("ANTHROPIC_BASE_URL", server.url())
        .env("ANTHROPIC_API_KEY", KEY);
    command
}

const KEY: &str = "sk-test-0123456789";

fn large_shop() -> Sandbox {
    let sandbox = shop();
    let tax = sandbox.read("shop/tax.py");
    sandbox.write("shop/taxes.py", tax.repeat(60)).commit_all();
    sandbox
}

#[cfg(feature = "http")]
#[test]
fn calibrate_sends_samples_only_if_it_may() {
    let (sandbox, server) = (
        large_shop(),
        ProviderServer::start(KEY, |text| text.len() / 3),
    );
    let run = |arguments: &[&str]| {
        let output = with_provider(&sandbox, "calibrate", &server)
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let refused = run(&[]);
    assert!(refused.contains(" bytes for 127.0.0.1:"), "{refused}");
    assert!(refused.ends_with("cancelled: cancelled\n"), "{refused}");
    assert!(server.texts().is_empty());
    let found = run(&["--send"]);
    assert!(found.contains("estimates times "), "{found}");
    let sent = server.texts().concat();
    assert!(!sent.is_empty() && !sent.contains(SECRET), "{sent}");
}

#[cfg(feature = "http")]
#[test]
fn exact_tokens_are_those_of_the_provider() {
    let (sandbox, server) = (shop(), ProviderServer::start(KEY, str::len));
    let output = with_provider(&sandbox, "exact_tokens", &server)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let text = String::from_utf8(output.stdout).unwrap();
    let sent = server.texts();
    let sizes: Vec<usize> = sent.iter().map(String::len).collect();
    assert_eq!(sizes.len(), 3, "{text}");
    for (subject, size) in ["files", "text", "pack"].iter().zip(&sizes) {
        assert!(
            text.contains(&format!("sending a {subject} of {size} bytes\n")),
            "{text}"
        );
        assert!(
            text.contains(&format!("{subject}: {size} tokens\n")),
            "{text}"
        );
    }
    assert!(!sent.concat().contains(SECRET));
}

#[test]
fn cache_is_measured_checked_pruned_and_removed() {
    let text = output("cache", &["8 files, ", "\n0 wrong values\n"]);
    assert!(text.ends_with("\n0 contents left\n"), "{text}");
}

#[test]
fn settings_are_listed_with_their_files() {
    output(
        "settings",
        &[
            "pack.format = \"markdown\"  # ",
            "repository: ",
            "infiniloom.toml is already there",
            "did you mean pack.format?",
        ],
    );
}

#[test]
fn texts_are_a_repository_without_files() {
    output(
        "texts",
        &[
            "shop/tax.py:1: def rate():",
            "[REDACTED:password:1]",
            "2 files",
        ],
    );
}

#[test]
fn unsaved_edit_is_found_and_nothing_is_written() {
    output(
        "unsaved",
        &["shop/tax.py:1: def refund():", "after the save: 0 lines"],
    );
}

#[test]
fn call_is_a_query_in_json() {
    output(
        "call",
        &[
            "{\"query\":\"pack\",\"settings\":[",
            "unknown field `bugdet`",
            " tokens",
        ],
    );
}

/// An example without a test would break unnoticed.
#[test]
fn every_example_has_a_test() {
    let source = include_str!("examples.rs");
    let directory = format!("{}/examples", env!("CARGO_MANIFEST_DIR"));
    let names: BTreeSet<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert!(names.len() >= 19, "{names:?}");
    for name in names {
        assert!(source.contains(&format!("\"{name}\"")), "{name}");
    }
}
