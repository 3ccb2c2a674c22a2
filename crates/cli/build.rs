//! Writes the built commit, if there is one, to a file for the version.
//!
//! It is a file, not a variable: `cargo run` passes the variables of a build script on to the
//! program, which reads settings from its environment.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    // Git knows the paths, which differ in a linked worktree. Watching a missing path would rerun
    // this script, and rebuild the command, every time.
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists());
        if let Some(path) = path {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "--short=10", "HEAD"]);
    let date = git(&["log", "-1", "--format=%cs"]);
    let build = match (commit, date) {
        (Some(commit), Some(date)) => format!(" ({commit} {date})"),
        _ => String::new(),
    };
    let folder = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    fs::write(folder.join("commit"), build)
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
