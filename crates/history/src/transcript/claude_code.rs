//! Transcripts of Claude Code: each line is a message with content blocks.

use serde_json::Value;

use super::{FileUse, shell};

/// Returns the files that a record uses; `None` if the record is of another agent.
pub(super) fn file_uses(record: &Value) -> Option<Vec<FileUse>> {
    let is_message = matches!(record["type"].as_str(), Some("assistant" | "user"));
    let message = record.get("message").filter(|_| is_message)?;
    // A sub-agent has its own context.
    if record["isSidechain"] == true {
        return Some(Vec::new());
    }
    let blocks = message["content"].as_array();
    let calls = blocks.into_iter().flatten();
    let calls = calls.filter(|block| block["type"] == "tool_use");
    Some(calls.flat_map(of_call).collect())
}

fn of_call(block: &Value) -> Vec<FileUse> {
    let name = block["name"].as_str().unwrap_or_default();
    let input = &block["input"];
    let path = ["file_path", "notebook_path", "path"]
        .iter()
        .find_map(|key| input[*key].as_str());
    match (name, path) {
        ("Read", Some(path)) => vec![FileUse {
            lines: lines(input),
            ..FileUse::read(path)
        }],
        ("Edit" | "Write" | "NotebookEdit", Some(path)) => vec![FileUse {
            text: new_text(input),
            ..FileUse::edit(path)
        }],
        ("MultiEdit", Some(path)) => edits(path, input),
        ("Bash", _) => shell::file_uses(input["command"].as_str().unwrap_or_default()),
        // The server of any name has a tool `read`.
        (name, Some(path)) if name.starts_with("mcp__") && name.ends_with("__read") => {
            vec![FileUse::read(path)]
        }
        _ => Vec::new(),
    }
}

/// The lines of a read that begins at `offset`, from 1.
fn lines(input: &Value) -> Option<(usize, usize)> {
    let number = |key: &str| usize::try_from(input[key].as_u64()?).ok();
    let count = number("limit").filter(|count| *count > 0)?;
    let first = number("offset").unwrap_or(1).max(1);
    Some((first, first.saturating_add(count - 1)))
}

fn new_text(input: &Value) -> Option<String> {
    input["new_string"].as_str().map(str::to_owned)
}

fn edits(path: &str, input: &Value) -> Vec<FileUse> {
    let edits = input["edits"].as_array();
    let texts = edits.into_iter().flatten().map(new_text);
    texts
        .map(|text| FileUse {
            text,
            ..FileUse::edit(path)
        })
        .collect()
}
