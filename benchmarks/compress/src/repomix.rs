//! `repomix --compress` on a tree: the tokens of each file it packed, by path.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use loom_tokens::Vocabulary;
use serde_json::Value;

/// Its version.
pub(crate) fn version(program: &Path) -> Option<String> {
    let done = command(program)?.arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

/// The program, with an interpreter that lies beside it.
fn command(program: &Path) -> Option<Command> {
    let mut command = Command::new(program);
    if let Some(folder) = program.parent() {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders = vec![folder.to_owned()];
        // The interpreter may lie beside the tool's own folder.
        for place in folder.ancestors().skip(1).take(2) {
            let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
            folders.extend(entries.map(|entry| entry.path().join("bin")));
        }
        folders.extend(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).ok()?);
    }
    Some(command)
}

/// Runs it, or says nothing where it is not there or fails.
pub(crate) fn tokens(program: &Path, tree: &Path) -> Option<HashMap<String, usize>> {
    let out = std::env::temp_dir().join(format!("repomix-{}.json", std::process::id()));
    let status = command(program)?
        .arg(tree)
        .args([
            "--compress",
            "--style",
            "json",
            "--no-security-check",
            "--quiet",
            "-o",
        ])
        .arg(&out)
        .status();
    let text = std::fs::read_to_string(&out).ok();
    let _ = std::fs::remove_file(&out);
    status.ok().filter(std::process::ExitStatus::success)?;
    let value: Value = serde_json::from_str(&text?).ok()?;
    let files = value.get("files")?.as_object()?;
    let count = |text: &Value| Vocabulary::O200kBase.count(text.as_str().unwrap_or_default());
    Some(
        files
            .iter()
            .map(|(path, text)| (path.clone(), count(text)))
            .collect(),
    )
}
