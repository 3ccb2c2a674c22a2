//! Copies a finished text to the clipboard: with a program of the platform, or over ssh through the
//! user's own terminal, because only that terminal can reach the user's clipboard.
//!
//! These are programs, not a library: on X11 and Wayland the contents live only as long as the
//! process that offers them, and these programs keep running for that.

mod osc52;
mod programs;

use std::env;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

pub(crate) use osc52::SAFE_TEXT;

/// Destination of a copied text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Copied {
    /// The program that received it.
    Program(&'static str),
    /// The terminal, which does not confirm that it copied the text.
    Terminal {
        /// Whether the text is longer than every terminal accepts.
        is_long: bool,
    },
}

/// Reason why a text was not copied.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClipboardError {
    /// No clipboard program was found.
    #[error("no program that reaches the clipboard was found in PATH")]
    NoProgram,
    /// The programs that were found failed.
    #[error("the clipboard was not reached: {}", .0.join("; "))]
    Failed(Vec<String>),
    /// The terminal could not be opened.
    #[error("no terminal to send the clipboard through")]
    NoTerminal(#[source] io::Error),
    /// The text could not be read or sent.
    #[error("cannot copy")]
    Io(#[from] io::Error),
}

impl ClipboardError {
    /// Returns the remedy.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::NoTerminal(_) => "run it with a terminal (`ssh -t`), or write to a file with -o",
            _ if cfg!(target_os = "macos") => "pbcopy is part of macOS: look at PATH",
            _ if cfg!(windows) => "clip.exe is part of Windows: look at PATH",
            Self::NoProgram => {
                "install wl-clipboard (Wayland), xclip or xsel (X11), or use -o FILE"
            }
            _ => "look at WAYLAND_DISPLAY and DISPLAY, or write to a file with -o",
        }
    }
}

/// Text for the clipboard. It is collected in a file and copied when it is complete, so that the
/// clipboard gets all of it or nothing.
#[derive(Debug)]
pub(crate) struct Clip {
    file: File,
}

impl Clip {
    /// Creates an empty text. Its file has no name, and is deleted with the value.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be created.
    pub(crate) fn new() -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        Ok(Self { file })
    }

    /// Opens the contents of a finished file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        Ok(Self { file })
    }

    /// Copies the text. Programs in one of the `untrusted` directories are not run.
    ///
    /// # Errors
    /// Returns an error if every way to the clipboard fails.
    pub(crate) fn copy(&mut self, untrusted: &[PathBuf]) -> Result<Copied, ClipboardError> {
        copy(&mut self.file, untrusted)
    }

    /// Writes the text to `out`, too.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read again or written.
    pub(crate) fn write_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.rewind()?;
        io::copy(&mut self.file, out)?;
        out.flush()
    }
}

impl Write for Clip {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Copies the contents of `text`.
fn copy(text: &mut File, untrusted: &[PathBuf]) -> Result<Copied, ClipboardError> {
    text.rewind()?;
    if is_remote() {
        return match programs::tmux(untrusted) {
            Some(tmux) if tmux.copy(text).is_ok() => Ok(Copied::Program(tmux.name)),
            _ => osc52::copy(text),
        };
    }
    let found = programs::find(untrusted);
    let mut failures = Vec::new();
    for program in &found {
        text.rewind()?;
        match program.copy(text) {
            Ok(()) => return Ok(Copied::Program(program.name)),
            Err(failure) => failures.push(failure),
        }
    }
    match failures.is_empty() {
        true => Err(ClipboardError::NoProgram),
        false => Err(ClipboardError::Failed(failures)),
    }
}

/// Returns whether the user works on another machine.
fn is_remote() -> bool {
    is_set("SSH_TTY") || is_set("SSH_CONNECTION")
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}
