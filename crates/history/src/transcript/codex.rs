//! Transcripts of Codex: each line is an item of a response, in an envelope.

use serde_json::Value;

use super::{FileUse, patch, shell};

/// Returns the files that a record uses; `None` if the record is of another agent.
pub(super) fn file_uses(record: &Value) -> Option<Vec<FileUse>> {
    let payload = record.get("payload")?;
    if record["type"] != "response_item" {
        return Some(Vec::new());
    }
    let name = payload["name"].as_str().unwrap_or_default();
    Some(match payload["type"].as_str() {
        Some("function_call") => of_arguments(name, payload["arguments"].as_str()),
        Some("custom_tool_call") => of_text(name, payload["input"].as_str().unwrap_or_default()),
        _ => Vec::new(),
    })
}

/// Arguments are JSON in a string.
fn of_arguments(name: &str, arguments: Option<&str>) -> Vec<FileUse> {
    let Ok(input) = serde_json::from_str::<Value>(arguments.unwrap_or_default()) else {
        return Vec::new();
    };
    let text = |key: &str| input[key].as_str().unwrap_or_default();
    match name {
        "exec_command" => of_command(text("cmd")),
        "apply_patch" => patch::file_uses(text("input")),
        "view_image" => Vec::new(),
        _ if input["path"].is_string() && name.ends_with("read") => {
            vec![FileUse::read(text("path"))]
        }
        _ => Vec::new(),
    }
}

/// A patch, or a program in JavaScript whose strings are commands and patches.
fn of_text(name: &str, input: &str) -> Vec<FileUse> {
    match name {
        "apply_patch" => patch::file_uses(input),
        "exec" => strings(input)
            .iter()
            .flat_map(|text| of_command(text))
            .collect(),
        _ => Vec::new(),
    }
}

fn of_command(command: &str) -> Vec<FileUse> {
    match command.contains("*** Begin Patch") {
        true => patch::file_uses(command),
        false => shell::file_uses(command),
    }
}

/// Returns the strings of a program in JavaScript, without their quotes. An escaped newline is one.
fn strings(program: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(char, String)> = None;
    let mut letters = program.chars();
    while let Some(letter) = letters.next() {
        match &mut open {
            None if matches!(letter, '"' | '\'' | '`') => open = Some((letter, String::new())),
            None => {}
            Some((_, text)) if letter == '\\' => match letters.next() {
                Some('n') => text.push('\n'),
                Some(escaped) => text.push(escaped),
                None => {}
            },
            Some((quote, text)) if *quote == letter => {
                found.push(std::mem::take(text));
                open = None;
            }
            Some((_, text)) => text.push(letter),
        }
    }
    found
}
