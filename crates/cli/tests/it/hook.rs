//! `infiniloom hook start` as coding agents run it: JSON on standard input, and an output that
//! reaches the model. The agent continues after every failure.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use loom_testkit::{Run, Sandbox};
use serde_json::{Value, json};

use crate::packed::BINARY;

/// Split, so that this file contains no secret.
const SECRET: &str = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");

fn shop() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("CLAUDE.md", "Root rules.\n")
        .write("AGENTS.md", "Root rules.\n")
        .write(
            "app/CLAUDE.md",
            format!("Use tabs.\nThe token is {SECRET}.\n"),
        )
        .write("app/AGENTS.md", "Run the linter.\n")
        .write(
            ".claude/rules/sql.md",
            "---\npaths: app/*.sql\n---\nNo joins.\n",
        )
        .write(
            ".claude/rules/web.md",
            "---\npaths: web/**\n---\nNo scripts.\n",
        )
        .write(
            "app/main.py",
            "import db\n\ndef run():\n    return db.all()\n",
        )
        .write("app/all.sql", "select 1;\n")
        .write("README.md", "A shop.\n");
    sandbox
}

fn claude(name: &str, input: &Value) -> String {
    let block = json!({"type": "tool_use", "id": "t", "name": name, "input": input});
    json!({"type": "assistant", "message": {"role": "assistant", "content": [block]}}).to_string()
}

/// Runs the hook of a session with this transcript.
fn hook(sandbox: &Sandbox, source: &str, transcript: &str, args: &[&str]) -> Run {
    sandbox.write("../transcript.jsonl", transcript);
    let input = json!({
        "session_id": "s",
        "transcript_path": sandbox.path("../transcript.jsonl"),
        "cwd": sandbox.work(),
        "hook_event_name": "SessionStart",
        "source": source,
    });
    run(
        sandbox,
        &input.to_string(),
        &[&["hook", "start"], args].concat(),
    )
}

fn run(sandbox: &Sandbox, input: &str, args: &[&str]) -> Run {
    sandbox.write("../input.json", input);
    let file = fs::File::open(sandbox.path("../input.json")).unwrap();
    let mut command = sandbox.command(Path::new(BINARY));
    let output = command.args(args).stdin(Stdio::from(file)).output();
    Run::from(output.unwrap())
}

fn transcript(sandbox: &Sandbox) -> String {
    let path = |path: &str| sandbox.path(path);
    [
        claude("Read", &json!({"file_path": path("README.md")})),
        claude("Read", &json!({"file_path": path("app/all.sql"), "offset": 1, "limit": 5})),
        claude("Read", &json!({"file_path": path("gone.py")})),
        claude("Read", &json!({"file_path": "/etc/hostname"})),
        claude(
            "Edit",
            &json!({"file_path": path("app/main.py"), "old_string": "x", "new_string": "def run():\n    return db.all()"}),
        ),
    ]
    .join("\n")
}

#[test]
fn compacted_conversation_gets_its_files_and_instructions() {
    let sandbox = shop();
    let run = hook(&sandbox, "compact", &transcript(&sandbox), &[]);
    assert_eq!(run.stderr, "");
    insta::assert_snapshot!(run.ok(), @r"
    Files of this conversation before the compaction, latest first:
    - app/main.py (edited, lines 3-4)
    - app/all.sql (read, lines 1-1)
    - README.md (read)

    Instructions in app/CLAUDE.md:
    Use tabs.
    The token is [REDACTED:github-token:1].

    Instructions in .claude/rules/sql.md:
    ---
    paths: app/*.sql
    ---
    No joins.
    ");
}

#[test]
fn codex_gets_its_own_instruction_files() {
    let sandbox = shop();
    let arguments = json!({"cmd": "sed -n '1,2p' app/main.py"}).to_string();
    let payload = json!({"type": "function_call", "name": "exec_command", "arguments": arguments});
    let line = json!({"type": "response_item", "payload": payload}).to_string();
    insta::assert_snapshot!(hook(&sandbox, "compact", &line, &[]).ok(), @r"
    Files of this conversation before the compaction, latest first:
    - app/main.py (read, lines 1-2)

    Instructions in app/AGENTS.md:
    Run the linter.
    ");
}

#[test]
fn output_keeps_its_budget() {
    let sandbox = shop();
    let long: String = (0..2000)
        .map(|line| format!("Rule number {line}.\n"))
        .collect();
    sandbox.write("app/CLAUDE.md", &long);
    let transcript = transcript(&sandbox);
    let usual = hook(&sandbox, "compact", &transcript, &[]).ok();
    assert!(usual.contains("Rule number 9.\n"), "{usual}");
    assert!(
        usual.contains("[truncated; read the file for the rest]"),
        "{usual}"
    );
    let small = hook(&sandbox, "compact", &transcript, &["--budget", "40"]).ok();
    assert!(
        small.contains("app/main.py") && !small.contains("Rule"),
        "{small}"
    );
    // Even with a large budget, the output stays below the limit of clients.
    let large = hook(&sandbox, "compact", &transcript, &["--budget", "100000"]).ok();
    assert!((9_000..=9_900).contains(&large.len()), "{}", large.len());
}

#[test]
fn nothing_is_printed_if_there_is_nothing_to_say_or_something_fails() {
    let sandbox = shop();
    let all = transcript(&sandbox);
    let silent = |run: Run| {
        assert_eq!((run.code, run.text().as_str()), (0, ""), "{}", run.stderr);
    };
    for source in ["startup", "resume", "clear"] {
        silent(hook(&sandbox, source, &all, &[]));
    }
    silent(hook(&sandbox, "compact", "", &[]));
    silent(hook(
        &sandbox,
        "compact",
        &claude("Read", &json!({"file_path": "/etc/hostname"})),
        &[],
    ));
    silent(hook(&sandbox, "compact", &all, &["--timeout", "0"]));
    // The hook ends although the client never closes its input.
    let mut command = sandbox.command(Path::new(BINARY));
    let command = command.args(["hook", "start", "--timeout", "0"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    assert!(child.wait().unwrap().success());
    drop(input);
    for input in ["", "{", "[]", "{\"source\":\"compact\"}"] {
        silent(run(&sandbox, input, &["hook", "start"]));
    }
    let missing = json!({"source": "compact", "cwd": "/nowhere", "transcript_path": sandbox.path("../transcript.jsonl")});
    silent(run(&sandbox, &missing.to_string(), &["hook", "start"]));
}
