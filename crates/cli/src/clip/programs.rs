//! The programs that copy their standard input to the clipboard: candidates for this machine, their
//! paths, and their arguments.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::is_set;

/// Clipboard program that was found.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    path: PathBuf,
    known: &'static ClipboardCommand,
}

/// Clipboard program that may be installed.
#[derive(Debug)]
struct ClipboardCommand {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Environment variable that the program needs.
    needs: Option<&'static str>,
    encoding: Encoding,
}

/// Encoding of a program's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// UTF-16 with a byte order mark; `clip.exe` reads all other input in the code page of the
    /// console.
    Utf16,
}

static KNOWN: &[ClipboardCommand] = &[
    known("pbcopy", &[], None),
    known("wl-copy", &[], Some("WAYLAND_DISPLAY")),
    known("xclip", &["-selection", "clipboard"], Some("DISPLAY")),
    known("xsel", &["--clipboard", "--input"], Some("DISPLAY")),
    ClipboardCommand {
        encoding: Encoding::Utf16,
        ..known("clip.exe", &[], None)
    },
];

/// `-w` passes the buffer on to the terminal around tmux.
static TMUX: ClipboardCommand = known("tmux", &["load-buffer", "-w", "-"], Some("TMUX"));

const fn known(
    name: &'static str,
    arguments: &'static [&'static str],
    needs: Option<&'static str>,
) -> ClipboardCommand {
    ClipboardCommand {
        name,
        arguments,
        needs,
        encoding: Encoding::Utf8,
    }
}

/// Finds all programs that may work, the most likely first.
pub(super) fn find(untrusted: &[PathBuf]) -> Vec<Program> {
    let found = KNOWN.iter().filter_map(|known| locate(known, untrusted));
    found.collect()
}

/// Finds the user's tmux, if we run inside it.
pub(super) fn tmux(untrusted: &[PathBuf]) -> Option<Program> {
    locate(&TMUX, untrusted)
}

fn locate(known: &'static ClipboardCommand, untrusted: &[PathBuf]) -> Option<Program> {
    if known.needs.is_some_and(|variable| !is_set(variable)) {
        return None;
    }
    let folders = env::var_os("PATH")?;
    let mut paths = env::split_paths(&folders).map(|folder| folder.join(known.name));
    let path = paths.find(|path| is_trusted(path, untrusted))?;
    Some(Program {
        name: known.name,
        path,
        known,
    })
}

/// Returns whether a program has a full path in PATH, outside of repositories: a `.` in PATH must
/// not let a repository provide its own `xclip`.
fn is_trusted(path: &Path, untrusted: &[PathBuf]) -> bool {
    let Ok(real) = fs::canonicalize(path) else {
        return false;
    };
    let within = |folder: &PathBuf| real.starts_with(folder) || path.starts_with(folder);
    path.is_absolute() && real.is_file() && !untrusted.iter().any(within)
}

impl Program {
    /// Runs the program with the rest of `text` as input. Returns a message with its name if it
    /// fails.
    pub(super) fn copy(&self, text: &mut File) -> Result<(), String> {
        self.run(text)
            .map_err(|error| format!("{}: {error}", self.name))
    }

    fn run(&self, text: &mut File) -> io::Result<()> {
        let input = match self.known.encoding {
            Encoding::Utf8 => text.try_clone()?,
            Encoding::Utf16 => in_utf16(text)?,
        };
        // Some of these programs keep running, and would keep a pipe open.
        let mut complaint = tempfile::tempfile()?;
        let status = Command::new(&self.path)
            .args(self.known.arguments)
            .stdin(Stdio::from(input))
            .stdout(Stdio::null())
            .stderr(Stdio::from(complaint.try_clone()?))
            .status()?;
        if status.success() {
            return Ok(());
        }
        let mut words = String::new();
        complaint.rewind()?;
        // Its output only explains the failure; without it, the status is enough.
        let _ = complaint.take(500).read_to_string(&mut words);
        let words = words.trim();
        Err(io::Error::other(match words.is_empty() {
            true => status.to_string(),
            false => words.to_owned(),
        }))
    }
}

fn in_utf16(text: &mut File) -> io::Result<File> {
    let mut out = BufWriter::new(tempfile::tempfile()?);
    out.write_all(&[0xff, 0xfe])?;
    let mut reader = BufReader::new(text);
    let mut line = Vec::new();
    while io::BufRead::read_until(&mut reader, b'\n', &mut line)? > 0 {
        let units: Vec<u16> = String::from_utf8_lossy(&line).encode_utf16().collect();
        for unit in units {
            out.write_all(&unit.to_le_bytes())?;
        }
        line.clear();
    }
    let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_for_windows() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all("é\n\u{1f600}".as_bytes()).unwrap();
        file.rewind().unwrap();
        let mut bytes = Vec::new();
        in_utf16(&mut file)
            .unwrap()
            .read_to_end(&mut bytes)
            .unwrap();
        assert_eq!(bytes, [0xff, 0xfe, 0xe9, 0, 10, 0, 0x3d, 0xd8, 0, 0xde]);
    }

    #[test]
    fn no_program_of_a_repository_is_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let program = root.join("xclip");
        fs::write(&program, "").unwrap();
        assert!(is_trusted(&program, &[]));
        assert!(!is_trusted(&program, std::slice::from_ref(&root)));
        assert!(!is_trusted(Path::new("xclip"), &[]));
        assert!(!is_trusted(&root.join("xsel"), &[]));
    }
}
