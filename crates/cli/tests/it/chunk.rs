//! `chunk` through the real binary: every chunk fits its limit.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use loom_testkit::{Run, Sandbox};
use serde_json::Value;

use crate::packed::{BINARY, loom};

fn chunks(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    let out = loom(sandbox, &[&["chunk"], args].concat()).ok();
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Joins chunks to their files.
fn files(chunks: &[Value]) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for chunk in chunks {
        let text = chunk["text"].as_str().unwrap();
        let overlap = usize::try_from(chunk["overlap_bytes"].as_u64().unwrap()).unwrap();
        let file = files.entry(chunk["path"].as_str().unwrap().to_owned());
        file.or_default().push_str(&text[overlap..]);
    }
    files
}

fn piped(sandbox: &Sandbox, args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut command = sandbox.command(BINARY);
    command.args(args).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_ref())
        .unwrap();
    Run::from(child.wait_with_output().unwrap())
}

fn rust(functions: usize) -> String {
    let function = |at: usize| {
        format!(
            "/// Number {at}.\nfn f{at}(a: u32) -> u32 {{\n    let b = a + {at};\n    b * 2\n}}\n\n"
        )
    };
    (0..functions).map(function).collect()
}

#[test]
fn every_field_is_there() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "src/a.rs",
        format!("struct S;\n\nimpl S {{\n{}}}\n", rust(30)),
    );
    let found = chunks(&sandbox, &["--tokens", "200", "--overlap", "20"]);
    assert!(found.len() > 3);
    let second = &found[1];
    assert_eq!(second["format_version"], 1);
    assert_eq!(second["path"], "src/a.rs");
    assert_eq!(
        (&second["index"], &second["count"]),
        (&1.into(), &found.len().into())
    );
    assert_eq!(second["type"], "code");
    assert_eq!(second["language"], "rust");
    assert_eq!(second["context"], "impl S\n");
    assert!(second["symbols"][0].as_str().unwrap().starts_with("S::f"));
    assert!(second["tokens"].as_u64().unwrap() <= 200);
    assert!(second["overlap_bytes"].as_u64().unwrap() > 0);
    assert_eq!(second["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(second["id"].as_str().unwrap().len(), 32);
    let text = sandbox.read("src/a.rs");
    let span = |key: &str| usize::try_from(second[key].as_u64().unwrap()).unwrap();
    assert_eq!(second["text"], text[span("start_byte")..span("end_byte")]);
    assert_eq!(
        text[..span("start_byte")].matches('\n').count() + 1,
        span("start_line")
    );
    assert_eq!(files(&found)["src/a.rs"], text);
}

#[test]
fn secrets_do_not_leave() {
    let sandbox = Sandbox::new();
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    sandbox.write("a.py", format!("token = \"{secret}\"\nprint(token)\n"));
    sandbox.write("b.py", "print(1)\n");
    let run = loom(&sandbox, &["chunk"]);
    let out = run.ok();
    assert!(!out.contains(secret) && out.contains("[REDACTED:"));
    assert!(out.contains("1 secret redacted") && run.stderr.contains("1 secret found"));
    let failed = loom(&sandbox, &["chunk", "--secrets", "fail"]);
    assert_eq!((failed.code, failed.text().as_str()), (1, ""));
    assert!(
        loom(&sandbox, &["chunk", "--secrets", "off"])
            .ok()
            .contains(secret)
    );
    let piped = piped(&sandbox, &["chunk", "-"], sandbox.read("a.py"));
    assert!(!piped.ok().contains(secret));
}

#[test]
fn standard_input_logs_and_conversations() {
    let sandbox = Sandbox::new();
    let record = |at: usize| format!("2026-01-02 03:04:{at:02} WARN something\n    at a.b\n");
    let log: String = (0..60).map(record).collect();
    let run = piped(&sandbox, &["chunk", "-", "-t", "200"], &log);
    let found: Vec<Value> = run
        .ok()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(found.len() > 3);
    assert_eq!(files(&found)["-"], log);
    assert_eq!(found[0]["type"], "log");
    assert_eq!(found[0]["severity"]["highest"], "warning");
    let records: u64 = found
        .iter()
        .map(|chunk| chunk["severity"]["counts"]["warning"].as_u64().unwrap())
        .sum();
    assert!(records >= 60);
    sandbox.write(
        "chat.jsonl",
        "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"assistant\",\"content\":\"b\"}\n",
    );
    let found = chunks(&sandbox, &["chat.jsonl"]);
    assert_eq!(found[0]["type"], "conversation");
    assert_eq!(found[0]["roles"].to_string(), "[\"user\",\"assistant\"]");
    assert_eq!(found[0]["records"], 2);
}

#[test]
fn forms_of_the_answer() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.rs", rust(2))
        .write("b.md", "# B\n\nwords\n");
    let json: Value = serde_json::from_str(&loom(&sandbox, &["chunk", "-f", "json"]).ok()).unwrap();
    assert_eq!(json["format_version"], 1);
    assert_eq!(json["chunks"].as_array().unwrap().len(), 2);
    assert_eq!(json["chunks"][0], chunks(&sandbox, &[])[0]);
    let text = loom(&sandbox, &["chunk", "-f", "text"]).ok();
    assert!(text.starts_with("==> a.rs:1-12 code ") && text.contains("# B\n\nwords\n"));
    let nothing = loom(&sandbox, &["chunk", "-f", "json", "--include", "*.zig"]).ok();
    assert_eq!(nothing, "{\"format_version\":1,\"chunks\":[]}\n");
    let run = loom(&sandbox, &["chunk", "-o", "out.jsonl"]);
    assert_eq!(run.ok(), "");
    assert_eq!(sandbox.read("out.jsonl").lines().count(), 2);
    assert!(run.stderr.contains("2 chunks of 2 files"));
    // The output of an earlier run is not split into chunks.
    loom(&sandbox, &["chunk", "-o", "out.jsonl"]).ok();
    assert_eq!(sandbox.read("out.jsonl").lines().count(), 2);
}

#[test]
fn settings_may_choose() {
    let sandbox = Sandbox::new();
    sandbox.write("a.rs", rust(40));
    sandbox.write(
        "infiniloom.toml",
        "[chunk]\ntokens = 100\noverlap = 0\nstrategy = \"fixed\"\n",
    );
    let found = chunks(&sandbox, &["a.rs"]);
    assert!(found.len() > 3 && found.iter().all(|chunk| chunk["overlap_bytes"] == 0));
}

/// An unusual name is quoted, and a JSON field reports that.
#[test]
fn odd_names_are_quoted_and_told() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a\nb.rs", rust(2))
        .write("plain \u{e4}.rs", rust(2));
    let found = chunks(&sandbox, &[]);
    let told: Vec<_> = found
        .iter()
        .map(|chunk| (chunk["path"].as_str().unwrap(), &chunk["path_quoted"]))
        .collect();
    assert_eq!(
        told,
        [
            ("\"a\\nb.rs\"", &Value::Bool(true)),
            ("plain \u{e4}.rs", &Value::Null)
        ]
    );
}

#[test]
fn what_cannot_be_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("a.rs", rust(2));
    let check = |args: &[&str], words: &str| {
        let run = loom(&sandbox, &[&["chunk"], args].concat());
        assert_eq!(run.code, 2, "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
        assert_eq!(run.text(), "");
    };
    check(&["--tokens", "0"], "expected a number of tokens");
    check(
        &["--tokens", "9"],
        "flag --tokens: chunks of 9 tokens; expected at least 16",
    );
    check(
        &["--tokens", "100", "--overlap", "100"],
        "flag --overlap: an overlap of 100 tokens in chunks of 100; expected at most 84",
    );
    check(
        &["--tokens", "100", "--overlap", "100"],
        "with --tokens 100, --overlap takes 0 to 84",
    );
    check(&["--tokens", "9"], "without --tokens, a chunk has at most");
    check(&["nowhere"], "no such file or directory: nowhere");
    check(
        &["-", "a.rs"],
        "standard input cannot be cut together with paths",
    );
    check(&["--strategy", "magic"], "semantic");
}
