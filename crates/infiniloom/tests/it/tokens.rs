//! `tokens` counts files for one model or several, and agrees with the library.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use infiniloom::{count, model};
use loom_testkit::Sandbox;
use serde_json::Value;

use crate::packed::{BINARY, loom};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "src/main.rs",
        "fn main() { println!(\"hello\"); }\n".repeat(40),
    );
    sandbox.write("src/lib.rs", "pub fn one() -> usize { 1 }\n");
    sandbox.write("README.md", "# A title\n\nSome words in a sentence.\n");
    sandbox
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    let out = loom(sandbox, &[&["tokens", "--format", "json"], args].concat()).ok();
    serde_json::from_str(&out).unwrap()
}

#[test]
fn totals_are_those_of_the_files() {
    let sandbox = sandbox();
    let answer = json(&sandbox, &[]);
    let files = answer["files"].as_array().unwrap();
    let paths: Vec<_> = files
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["README.md", "src/lib.rs", "src/main.rs"]);
    let mut sum = 0;
    for file in files {
        let text = fs::read_to_string(sandbox.path(file["path"].as_str().unwrap())).unwrap();
        let counted = count(&text, model("gpt-5").unwrap()).likely();
        assert_eq!(file["tokens"], counted);
        sum += counted;
    }
    assert_eq!(answer["total_tokens"], sum);
    assert_eq!(answer["models"][0]["model"], "gpt-5");
    assert_eq!(answer["models"][0]["total_tokens_upper"], sum);
}

#[test]
fn models_side_by_side() {
    let sandbox = sandbox();
    let answer = json(&sandbox, &["-m", "gpt-4o,sonnet, qwen", "--cost"]);
    let models = answer["models"].as_array().unwrap();
    let names: Vec<_> = models
        .iter()
        .map(|model| model["model"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["gpt-4o", "claude-sonnet-5", "qwen3-max"]);
    assert_eq!(
        [&models[0]["estimated"], &models[1]["estimated"]],
        [false, true]
    );
    assert!(models[1]["total_tokens_upper"].as_u64() > models[1]["total_tokens"].as_u64());
    assert!(models[0]["cost"].as_f64().unwrap() > 0.0);
    for file in answer["files"].as_array().unwrap() {
        assert_eq!(file["by_model"].as_array().unwrap().len(), 3);
    }
    let text = loom(&sandbox, &["tokens", "-m", "gpt-4o,sonnet"]).ok();
    assert!(
        text.contains('~') && text.contains("claude-sonnet-5"),
        "{text}"
    );
}

#[test]
fn a_tree_with_bars() {
    let text = loom(&sandbox(), &["tokens", "--tree"]).ok();
    let main = text.lines().find(|line| line.ends_with("main.rs")).unwrap();
    assert!(main.contains('█') && main.contains('%'), "{text}");
    assert!(text.lines().any(|line| line.ends_with("src/")), "{text}");
}

#[test]
fn standard_input_is_a_file() {
    let sandbox = sandbox();
    let mut command = sandbox.command(BINARY);
    command.args(["tokens", "-", "--format", "json"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"hello world")
        .unwrap();
    let out = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(answer["total_tokens"], 2);
    assert_eq!(answer["files"][0]["path"], "-");
}

#[test]
fn a_page_is_written_whole() {
    let sandbox = sandbox();
    loom(&sandbox, &["tokens", "--html", "../tokens.html"]).ok();
    let page = fs::read_to_string(sandbox.path("../tokens.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("main.rs"));
}

#[test]
fn the_page_of_the_run_before_is_not_counted() {
    let sandbox = sandbox();
    let first = json(&sandbox, &["--html", "tokens.html"]);
    let second = json(&sandbox, &["--html", "tokens.html"]);
    assert_eq!(first["total_tokens"], second["total_tokens"]);
}

#[test]
fn a_dash_is_standard_input_alone() {
    let sandbox = sandbox();
    sandbox.write("-", "words\n");
    for (args, part) in [
        (&["tokens", "-", "src"][..], "together with paths"),
        (&["tokens", "--html", "-"], "needs the name of a file"),
        (
            &["tokens", "-", "--html", "page.html"],
            "standard input is one text",
        ),
    ] {
        let run = loom(&sandbox, args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains(part), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn what_is_left_out_is_said() {
    let sandbox = sandbox();
    sandbox.write("picture.bin", b"\0\x01\x02");
    let run = loom(&sandbox, &["tokens", "picture.bin"]);
    assert!(run.stderr.contains("left out: 1 binary"), "{}", run.stderr);
    assert!(loom(&sandbox, &["tokens", "src"]).stderr.is_empty());
}

#[test]
fn an_unknown_model_is_taken_with_care() {
    let sandbox = sandbox();
    let out = loom(&sandbox, &["tokens", "-m", "sonet", "--format", "json"]);
    assert!(
        out.stderr.contains("did you mean sonnet?"),
        "{}",
        out.stderr
    );
    let answer: Value = serde_json::from_str(&out.ok()).unwrap();
    assert_eq!(answer["models"][0]["window"], 8192);
    assert_eq!(answer["models"][0]["estimated"], true);
}

#[test]
fn models_are_listed_and_described() {
    let sandbox = sandbox();
    let list = loom(&sandbox, &["models"]).ok();
    assert!(list.lines().count() > 250);
    let one = loom(&sandbox, &["models", "anthropic/claude-sonnet-4.5"]).ok();
    for part in [
        "claude-sonnet-4-5 (anthropic)",
        "129,200",
        "$3 in, $15 out",
        "4 break points",
        "source",
    ] {
        assert!(one.contains(part), "{part}: {one}");
    }
    let json = loom(&sandbox, &["models", "gpt-5", "--format", "json"]).ok();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json[0]["window"], &json[0]["input"]),
        (&400_000.into(), &272_000.into())
    );
    let unknown = loom(&sandbox, &["models", "gtp-5"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("did you mean gpt-5?"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn users_describe_models_of_their_own() {
    let sandbox = sandbox();
    let settings = "[[models]]\nname = \"house\"\nlike = \"gpt-4o\"\nwindow = 9000\n";
    sandbox.write("../own.toml", settings);
    let out = loom(&sandbox, &["models", "house", "--config", "../own.toml"]).ok();
    assert!(out.contains("9,000"), "{out}");
    // The repository's own file may not.
    sandbox.write("infiniloom.toml", settings);
    let refused = loom(&sandbox, &["tokens"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .stderr
            .contains("`models` may not be set by a repository's file"),
        "{}",
        refused.stderr
    );
}
