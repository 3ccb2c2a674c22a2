//! `tokens` counts files for one model or several, and agrees with the library.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use loom_models::{count, resolve as model};
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
fn estimates_show_what_they_are() {
    let sandbox = sandbox();
    let text = loom(&sandbox, &["tokens", "-m", "sonnet", "--cost"]).ok();
    let lines: Vec<&str> = text.lines().collect();
    let answer = json(&sandbox, &["-m", "sonnet"]);
    let model = &answer["models"][0];
    let band = format!(
        "({} to {})  up to",
        model["total_tokens_lower"], model["total_tokens_upper"]
    );
    assert!(
        lines[0].contains(&band) && lines[0].contains("~$"),
        "{text}"
    );
    assert!(lines[1].trim_start().starts_with('~'), "{text}");
    assert!(
        lines[1].ends_with("src/main.rs"),
        "one model, no headings: {text}"
    );
    for file in answer["files"].as_array().unwrap() {
        let [low, high] = [0, 1].map(|at| file["bands"][0][at].as_u64().unwrap());
        let tokens = file["tokens"].as_u64().unwrap();
        assert!(low <= tokens && tokens < high, "{file}");
    }
    let tree = loom(&sandbox, &["tokens", "-m", "sonnet", "--tree"]).ok();
    let figures = tree.lines().map(str::trim_start).skip(1);
    assert!(figures.clone().all(|line| line.starts_with('~')), "{tree}");
    let exact = loom(&sandbox, &["tokens", "--tree", "--cost"]).ok();
    assert!(!exact.contains('~') && !exact.contains("up to"), "{exact}");
    assert!(json(&sandbox, &[])["files"][0]["bands"].is_null());
}

#[test]
fn columns_and_pages_say_whose_figures_they_are() {
    let sandbox = sandbox();
    let several = ["tokens", "-m", "gpt-4o", "-m", "sonnet,gpt-4o"];
    let run = loom(&sandbox, &several);
    let text = run.ok();
    let lines: Vec<&str> = text.lines().collect();
    // A model that is named twice is shown once.
    assert_eq!(lines.len(), 2 + 1 + 3, "{text}");
    let headings: Vec<&str> = lines[2].split_whitespace().collect();
    assert_eq!(
        headings,
        [
            "gpt-4o",
            "claude-sonnet-5",
            "share",
            "for",
            "gpt-4o",
            "file"
        ]
    );
    let figures: Vec<&str> = lines[3].split_whitespace().collect();
    assert!(!figures[0].starts_with('~') && figures[1].starts_with('~'));
    let end = |line: &str, part: &str| line.find(part).unwrap() + part.len();
    assert_eq!(end(lines[2], "sonnet-5"), end(lines[3], figures[1]));
    let tree = loom(&sandbox, &[&several[..], &["--tree"]].concat()).ok();
    assert_eq!(tree.lines().nth(2), Some("for gpt-4o:"), "{tree}");
    let page = loom(&sandbox, &[&several[..], &["--html", "../p.html"]].concat());
    assert!(
        page.stderr.contains("shows the tokens for gpt-4o"),
        "{}",
        page.stderr
    );
    let page = fs::read_to_string(sandbox.path("../p.html")).unwrap();
    assert!(page.contains("\"model\":\"gpt-4o\""));
}

#[test]
fn a_name_that_only_begins_with_a_known_one_is_said() {
    let sandbox = sandbox();
    for (typed, model, matched, said) in [
        ("gpt-4o-tiny", "gpt-4o", "part", "taken as gpt-4o\n"),
        ("gpt-4o-2024-08-06", "gpt-4o", "version", ""),
        ("o1-mini", "o1-mini", "name", ""),
        ("hf:Qwen/Qwen3-8B", "qwen3-8b", "name", ""),
        (
            "qwen3-400b",
            "qwen3-400b",
            "none",
            "tokens are counted as for qwen3-235b-a22b",
        ),
    ] {
        let run = loom(&sandbox, &["tokens", "-m", typed, "-f", "json"]);
        let answer: Value = serde_json::from_str(&run.ok()).unwrap();
        let found = &answer["models"][0];
        assert_eq!(
            [&found["asked"], &found["model"], &found["matched"]],
            [typed, model, matched]
        );
        assert!(run.stderr.contains(said), "{typed}: {}", run.stderr);
        assert_eq!(
            said.is_empty(),
            run.stderr.is_empty(),
            "{typed}: {}",
            run.stderr
        );
    }
    let run = loom(&sandbox, &["models", "gpt-4o-tiny", "-f", "json"]);
    assert!(run.stderr.contains("taken as gpt-4o"), "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.ok()).unwrap();
    assert_eq!(
        [&found[0]["asked"], &found[0]["matched"]],
        ["gpt-4o-tiny", "part"]
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
fn unknown_model_is_an_error_with_a_suggestion() {
    let sandbox = sandbox();
    let check = |args: &[&str]| {
        let out = loom(&sandbox, args);
        assert_eq!(out.code, 2, "{args:?}: {}", out.stderr);
        assert!(out.stdout.is_empty(), "{args:?}");
        for part in ["unknown model \"sonet\"", "did you mean sonnet?"] {
            assert!(out.stderr.contains(part), "{args:?}: {}", out.stderr);
        }
    };
    check(&["tokens", "-m", "sonet"]);
    check(&["tokens", "-m", "gpt-5,sonet"]);
    check(&["pack", "-m", "sonet"]);
    let out = loom(&sandbox, &["tokens", "-m", "banana"]);
    assert_eq!(out.code, 2, "{}", out.stderr);
    assert!(
        out.stderr.contains("`infiniloom models` lists"),
        "{}",
        out.stderr
    );
    sandbox.write("infiniloom.toml", "[model]\nname = \"sonet\"\n");
    check(&["search", "main"]);
}

#[test]
fn names_of_models_in_a_repository_are_bounded() {
    let sandbox = sandbox();
    let names: Vec<String> = (0..20_000).map(|at| format!("m{at}")).collect();
    for (name, expected) in [
        (names.join(","), "names 20000 models; expected at most 64"),
        ("x".repeat(1_000_000), "unknown model"),
    ] {
        sandbox.write("infiniloom.toml", format!("[model]\nname = \"{name}\"\n"));
        let out = loom(&sandbox, &["tokens"]);
        assert_eq!(out.code, 2, "{}", out.stderr);
        assert!(out.stderr.contains(expected), "{}", out.stderr);
        assert!(out.stderr.len() < 2_000, "{} bytes", out.stderr.len());
    }
}

#[test]
fn models_are_listed_and_described() {
    let sandbox = sandbox();
    let list = loom(&sandbox, &["models"]).ok();
    assert!(list.lines().count() > 250);
    let (models, vocabularies) = list.split_once("\n\nVOCABULARIES").unwrap();
    assert!(vocabularies.contains("o200k_base") && !vocabularies.contains("gpt-5"));
    assert!(!models.lines().any(|line| line.starts_with("o200k_base")));
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
    assert!(
        out.contains("your settings") && !out.contains("litellm"),
        "{out}"
    );
    sandbox.write("../long.toml", format!("{settings}output = 9001\n"));
    let long = loom(&sandbox, &["models", "--config", "../long.toml"]);
    assert_eq!(long.code, 2);
    let said = "has output = 9001; expected at most its window, 9000";
    assert!(long.stderr.contains(said), "{}", long.stderr);
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

#[test]
fn depth_limits_the_levels_of_the_tree() {
    let sandbox = sandbox();
    let lines = |depth: &str| {
        let text = loom(&sandbox, &["tokens", "--tree", "--depth", depth]).ok();
        text.lines().count() - 1
    };
    assert_eq!((lines("1"), lines("2"), lines("9")), (2, 4, 4));
    let wrong = loom(&sandbox, &["tokens", "--depth", "1"]);
    assert!(wrong.stderr.contains("--tree"), "{}", wrong.stderr);
}
