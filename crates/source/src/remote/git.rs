//! Runs the user's git with the user's credentials. Disables everything else that could run a
//! program or leave the directory: hooks, templates, filters, submodules, and unusual transports.
//! Ignores the repository of the current directory.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::FetchObserver;

/// Interval between checks for cancellation.
const TICK: Duration = Duration::from_millis(50);

/// Time for git to clean up after itself.
const GRACE: Duration = Duration::from_millis(400);

/// Maximum bytes of git's messages that are kept.
const KEPT: usize = 64 << 10;

/// More names of branches and tags than any repository has.
const LONGEST_ANSWER: u64 = 256 << 20;

/// Settings that override the user's files.
const SETTINGS: [&str; 11] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "init.templateDir=",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "transfer.bundleURI=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    "protocol.version=2",
];

/// Variables that would lead git to another repository.
const LEADING: [&str; 11] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_TEMPLATE_DIR",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
];

/// Git, ready to run in one directory.
pub(super) struct Git<'a> {
    pub(super) program: PathBuf,
    pub(super) folder: &'a Path,
    pub(super) watch: &'a dyn FetchObserver,
}

/// Result of a git command.
pub(super) struct Answer {
    pub(super) status: ExitStatus,
    pub(super) output: Vec<u8>,
    /// Its messages, without progress.
    pub(super) words: String,
}

/// Reason why git returned no result.
pub(super) enum NoAnswer {
    Cancelled,
    Io(io::Error),
}

impl From<io::Error> for NoAnswer {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Finds the user's git. Skips relative entries of `PATH`: a repository could have put a program
/// there.
pub(super) fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    let places = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    places
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

impl Git<'_> {
    /// Runs one command and waits for its end.
    pub(super) fn run(&self, args: &[&str]) -> Result<Answer, NoAnswer> {
        let mut child = self.command(args).spawn()?;
        let output = child.stdout.take();
        let output = thread::spawn(move || {
            let mut bytes = Vec::new();
            // If reading fails, the result lacks the rest.
            let _ = output.map(|out| out.take(LONGEST_ANSWER).read_to_end(&mut bytes));
            bytes
        });
        let (sender, words) = channel();
        let errors = child.stderr.take();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            let mut errors = errors;
            while let Some(Ok(length @ 1..)) = errors.as_mut().map(|e| e.read(&mut buffer)) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let (status, words) = self.wait(&mut child, &words)?;
        Ok(Answer {
            status,
            output: output.join().unwrap_or_default(),
            words,
        })
    }

    /// Builds a git command for the copy's directory, without variables that would lead it
    /// elsewhere.
    fn bare_command(&self) -> Command {
        let mut command = Command::new(&self.program);
        for name in LEADING {
            command.env_remove(name);
        }
        command
            .current_dir(self.folder)
            .env("GIT_CEILING_DIRECTORIES", self.folder);
        command
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bare_command();
        command
            .env("GIT_ALLOW_PROTOCOL", "http:https:ssh:git:file")
            .env("GIT_LFS_SKIP_SMUDGE", "1")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C")
            .env("LANGUAGE", "")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if !self.watch.is_interactive() {
            self.ask_nobody(&mut command);
        }
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(args);
        command
    }

    /// Disables prompts, which would block for ever without a terminal. Credential helpers and
    /// `GIT_ASKPASS` still work.
    fn ask_nobody(&self, command: &mut Command) {
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GCM_INTERACTIVE", "never")
            .env_remove("SSH_ASKPASS");
        if std::env::var_os("GIT_SSH").is_none() {
            let ssh = self.ssh_command();
            command.env("GIT_SSH_COMMAND", format!("{ssh} -o BatchMode=yes"));
        }
    }

    /// Returns the user's ssh command for git.
    fn ssh_command(&self) -> String {
        if let Ok(command) = std::env::var("GIT_SSH_COMMAND") {
            return command;
        }
        let mut command = self.bare_command();
        command
            .args(["config", "--get", "core.sshCommand"])
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        let answer = command
            .output()
            .ok()
            .filter(|answer| answer.status.success());
        let answer = answer.and_then(|answer| String::from_utf8(answer.stdout).ok());
        let named = answer.map(|answer| answer.trim().to_owned());
        named
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| "ssh".to_owned())
    }

    fn wait(
        &self,
        child: &mut Child,
        words: &Receiver<Vec<u8>>,
    ) -> Result<(ExitStatus, String), NoAnswer> {
        let mut stderr = StderrParser::default();
        loop {
            match words.recv_timeout(TICK) {
                Ok(bytes) => stderr.add(&bytes, self.watch),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(TICK / 10),
            }
            if self.watch.is_cancelled() {
                stop(child);
                return Err(NoAnswer::Cancelled);
            }
            if let Some(status) = child.try_wait()? {
                // A program that git started may keep the pipe open for ever.
                while let Ok(bytes) = words.recv_timeout(TICK) {
                    stderr.add(&bytes, self.watch);
                }
                return Ok((status, stderr.finish()));
            }
        }
    }
}

/// Parses git's standard error: lines, and progress that ends with a carriage return. Lines of ssh
/// end with both.
#[derive(Default)]
struct StderrParser {
    lines: String,
    open: Vec<u8>,
    returned: bool,
}

impl StderrParser {
    fn add(&mut self, bytes: &[u8], watch: &dyn FetchObserver) {
        for &byte in bytes {
            if self.returned && byte != b'\n' {
                watch.progress(String::from_utf8_lossy(&self.open).trim());
                self.open.clear();
            }
            self.returned = byte == b'\r';
            match byte {
                b'\r' => {}
                b'\n' => self.end_line(),
                byte if self.open.len() < KEPT => self.open.push(byte),
                _ => {}
            }
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.open);
        if self.lines.len() + line.len() < KEPT {
            self.lines.push_str(&line);
            self.lines.push('\n');
        }
        self.open.clear();
    }

    fn finish(mut self) -> String {
        self.end_line();
        self.lines
    }
}

/// Asks git to stop, so that it ends the programs that it started, and kills it if it does not.
fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id())
        && let Some(id) = rustix::process::Pid::from_raw(id)
    {
        // Git may have exited already.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        let prompt = Instant::now();
        while prompt.elapsed() < GRACE {
            if matches!(child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(TICK / 10);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}
