//! Tests of transcripts, with shortened lines of the agents.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn claude(name: &str, input: &Value) -> String {
    let block = json!({"type": "tool_use", "id": "t1", "name": name, "input": input});
    json!({"type": "assistant", "uuid": "u1", "message": {"role": "assistant", "content": [block]}})
        .to_string()
}

fn codex(payload: &Value) -> String {
    json!({"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload})
        .to_string()
}

fn codex_command(command: &str) -> String {
    let arguments = json!({"cmd": command}).to_string();
    codex(
        &json!({"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": "c"}),
    )
}

/// `read PATH FIRST-LAST "TEXT"` for each use.
fn displayed(text: &str) -> Vec<String> {
    let line = |one: FileUse| {
        let access = match one.access {
            FileAccess::Read => "read",
            FileAccess::Edit => "edit",
        };
        let lines = one.lines.map(|(first, last)| format!(" {first}-{last}"));
        let text = one.text.map(|text| format!(" {text:?}"));
        format!(
            "{access} {}{}{}",
            one.path,
            lines.unwrap_or_default(),
            text.unwrap_or_default()
        )
    };
    Transcript::read(text).files.into_iter().map(line).collect()
}

#[test]
fn tools_of_claude_code_name_their_files() {
    let lines = [
        json!({"type": "mode", "mode": "default"}).to_string(),
        claude("Read", &json!({"file_path": "/w/a.rs"})),
        claude(
            "Read",
            &json!({"file_path": "/w/a.rs", "offset": 40, "limit": 20}),
        ),
        claude(
            "Edit",
            &json!({"file_path": "/w/b.rs", "old_string": "x", "new_string": "y\nz"}),
        ),
        claude("Write", &json!({"file_path": "/w/c.rs", "content": "c"})),
        claude(
            "MultiEdit",
            &json!({"file_path": "/w/d.rs", "edits": [{"new_string": "1"}, {"new_string": "2"}]}),
        ),
        claude(
            "NotebookEdit",
            &json!({"notebook_path": "/w/n.ipynb", "new_source": "n"}),
        ),
        claude(
            "Bash",
            &json!({"command": "cd /w && sed -n '3,9p' src/e.rs | head -2"}),
        ),
        claude("mcp__infiniloom__read", &json!({"path": "src/f.rs"})),
        claude("Grep", &json!({"pattern": "x", "path": "/w"})),
    ];
    assert_eq!(
        displayed(&lines.join("\n")),
        [
            "read /w/a.rs",
            "read /w/a.rs 40-59",
            "edit /w/b.rs \"y\\nz\"",
            "edit /w/c.rs",
            "edit /w/d.rs \"1\"",
            "edit /w/d.rs \"2\"",
            "edit /w/n.ipynb",
            "read src/e.rs 3-9",
            "read src/f.rs",
        ]
    );
}

#[test]
fn files_of_a_sub_agent_do_not_count() {
    let line = claude("Read", &json!({"file_path": "/w/a.rs"}));
    let line = line.replacen("{", "{\"isSidechain\":true,", 1);
    assert_eq!(displayed(&line), [""; 0]);
    assert_eq!(Transcript::read(&line).agent, Some(Agent::ClaudeCode));
}

#[test]
fn tools_of_codex_name_their_files() {
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@ fn f\n-old\n+new\n+er\n context\n+more\n*** Add File: b.md\n+hello\n*** Delete File: c.rs\n*** End Patch";
    let program =
        "const r = await tools.exec_command({cmd: \"sed -n '1,5p' src/d.rs\"}); text(r.output)";
    let lines = [
        json!({"type": "session_meta", "payload": {"id": "u", "cwd": "/w"}}).to_string(),
        codex_command("cat -n src/x.rs && ls src/y.rs"),
        codex(&json!({"type": "custom_tool_call", "name": "apply_patch", "input": patch})),
        codex(&json!({"type": "custom_tool_call", "name": "exec", "input": program})),
        codex_command(&format!("apply_patch <<'EOF'\n{patch}\nEOF")),
    ];
    let text = lines.join("\n");
    assert_eq!(Transcript::read(&text).agent, Some(Agent::Codex));
    assert_eq!(
        displayed(&text),
        [
            "read src/x.rs",
            "edit src/a.rs \"new\\ner\\n\"",
            "edit b.md \"hello\\n\"",
            "read src/d.rs 1-5",
            "edit src/a.rs \"new\\ner\\n\"",
            "edit b.md \"hello\\n\"",
        ]
    );
}

#[test]
fn incomplete_and_foreign_lines_are_skipped() {
    let line = claude("Read", &json!({"file_path": "/w/a.rs"}));
    let text = format!("{}\n[1]\n\"x\"\n{{}}\n{line}\n{}", &line[5..], &line[..40]);
    assert_eq!(displayed(&text), ["read /w/a.rs"]);
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}", command in "\\PC{0,80}") {
        Transcript::read(&text);
        Transcript::read(&codex_command(&command));
        Transcript::read(&claude("Bash", &json!({ "command": command })));
    }
}
