//! An isolated environment: a home directory, a working directory, files, git, and commands that
//! see nothing else of the machine.

#![expect(clippy::panic, reason = "a fixture that cannot be made fails its test")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A temporary directory with a home and a working directory.
#[derive(Debug)]
pub struct Sandbox {
    dir: TempDir,
    root: PathBuf,
}

/// Result of a command.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit code; -1 if a signal ended the command.
    pub code: i32,
    /// The standard output.
    pub stdout: Vec<u8>,
    /// The standard error as text.
    pub stderr: String,
}

impl Run {
    /// Returns the standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Returns the standard output as text. Panics if the command failed.
    #[track_caller]
    pub fn ok(&self) -> String {
        assert_eq!(self.code, 0, "stderr: {}", self.stderr);
        self.text()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Sandbox {
    /// Creates an empty sandbox.
    pub fn new() -> Self {
        let dir = must(tempfile::tempdir());
        let root = must(dir.path().canonicalize());
        must(fs::create_dir_all(root.join("home")));
        must(fs::create_dir_all(root.join("work")));
        Self { dir, root }
    }

    /// Returns the working directory.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Returns the home directory.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Returns a path below the working directory; `../home` is next to it.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.work().join(path)
    }

    /// Writes a file below the working directory.
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        if let Some(folder) = path.parent() {
            must(fs::create_dir_all(folder));
        }
        must(fs::write(path, bytes));
        self
    }

    /// Reads a file below the working directory.
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        must(fs::read_to_string(self.path(path)))
    }

    /// Runs git in the working directory.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> &Self {
        self.git_in("", args)
    }

    /// Runs git in a directory below the working directory.
    #[track_caller]
    pub fn git_in(&self, folder: &str, args: &[&str]) -> &Self {
        let mut command = self.command("git");
        command
            .current_dir(self.path(folder))
            .args(["-c", "protocol.file.allow=always"])
            .args(args);
        let output = must(command.output());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {stderr}");
        self
    }

    /// Makes the working directory a repository and commits everything in it.
    #[track_caller]
    pub fn commit_all(&self) -> &Self {
        self.git(&["init", "-q", "-b", "main"])
            .git(&["add", "-A"])
            .git(&["commit", "-qm", "all"])
    }

    /// Builds a command that starts in the working directory and sees only this sandbox.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.work())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            .env("TMPDIR", &self.root)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "Test")
            .env("GIT_AUTHOR_EMAIL", "test@example.com")
            .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
            .env("GIT_COMMITTER_NAME", "Test")
            .env("GIT_COMMITTER_EMAIL", "test@example.com")
            .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
            .stdin(Stdio::null());
        if self.clock().exists() {
            command.env("LD_PRELOAD", self.clock());
        }
        command
    }

    /// Returns the path of the library that sets the clock of commands ahead, once a test has built
    /// it.
    pub(crate) fn clock(&self) -> PathBuf {
        self.root.join("later.so")
    }

    /// Runs a program and waits for its end.
    pub fn run(&self, program: impl AsRef<OsStr>, args: &[impl AsRef<OsStr>]) -> Run {
        must(self.command(program).args(args).output()).into()
    }

    /// Keeps the directory after the test, for inspection.
    pub fn keep(mut self) -> PathBuf {
        self.dir.disable_cleanup(true);
        self.root.clone()
    }
}

#[track_caller]
fn must<T, E: std::fmt::Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
