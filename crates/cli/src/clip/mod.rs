//! Puts a finished text on the clipboard: through the programs that each platform
//! has for it, and over ssh through the user's own terminal, which alone reaches
//! the clipboard that the user sees.
//!
//! Programs, not a library: on X11 and Wayland the contents live only as long as
//! the process that offers them, and these programs stay behind for that.

mod osc52;
mod programs;

use std::env;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

pub(crate) use osc52::SAFE_TEXT;

/// How a text came to the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Copied {
    /// A program took it.
    Program(&'static str),
    /// The terminal was asked to take it; it does not say whether it did.
    Terminal {
        /// Whether it is more than every terminal takes.
        is_long: bool,
    },
}

/// A text that did not come to the clipboard.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClipboardError {
    /// No program for it was found.
    #[error("no program that reaches the clipboard was found in PATH")]
    NoProgram,
    /// The programs that were found failed.
    #[error("the clipboard was not reached: {}", .0.join("; "))]
    Failed(Vec<String>),
    /// There is no terminal to send it through.
    #[error("no terminal to send the clipboard through")]
    NoTerminal(#[source] io::Error),
    /// The text could not be read or sent.
    #[error("cannot copy")]
    Io(#[from] io::Error),
}

impl ClipboardError {
    /// What to do about it.
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

/// A text on its way to the clipboard. It lies in a file, whatever its size, and is
/// copied when it is complete: the clipboard gets all of it or nothing.
#[derive(Debug)]
pub(crate) struct Clip {
    file: File,
}

impl Clip {
    /// An empty one, to be written to. Its file has no name and goes with it.
    ///
    /// # Errors
    /// When no temporary file can be made.
    pub(crate) fn new() -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        Ok(Self { file })
    }

    /// The contents of a finished file.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        Ok(Self { file })
    }

    /// Copies it. No program below one of the `untrusted` folders is run.
    ///
    /// # Errors
    /// When no way to the clipboard works.
    pub(crate) fn copy(&mut self, untrusted: &[PathBuf]) -> Result<Copied, ClipboardError> {
        copy(&mut self.file, untrusted)
    }

    /// Writes it to `out` too.
    ///
    /// # Errors
    /// When it cannot be read again or written.
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

/// Copies what `text` holds.
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

/// Whether the user sits at another machine.
fn is_remote() -> bool {
    is_set("SSH_TTY") || is_set("SSH_CONNECTION")
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}
