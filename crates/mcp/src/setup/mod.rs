//! Changes of a client's files. They are planned first, so that they can be shown, and then made
//! completely or not at all. A copy of a file stays next to it.

mod addition;
mod installation;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use infiniloom::write_atomically;
use loom_settings::ForeignError;

use crate::clients::SERVER_NAME;

pub use addition::Addition;
pub use installation::{InstallPart, Installation};

/// Maximum size of a configuration file.
const LARGEST: u64 = 64 << 20;

/// Suffix of the copy of a file.
const COPY: &str = ".before-infiniloom";

/// Suffix of the mark next to a file that the installation created.
const MADE: &str = ".made-by-infiniloom";

/// Maximum number of copies of a file.
const MOST_COPIES: usize = 1000;

/// Text of the mark.
const MARK: &str =
    "`infiniloom mcp install` made the file beside this one; `uninstall` takes both away.\n";

/// A planned change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// Contents before the change; `None` if the file does not exist.
    pub old: Option<String>,
    /// Contents after the change; `None` if the file is removed.
    pub new: Option<String>,
    copy: Copy,
}

/// Change of the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Copy {
    Write(PathBuf),
    /// Writes a mark, because there was no file to copy.
    Mark(PathBuf),
    Keep,
    Remove(PathBuf),
}

/// Reasons why a configuration is not changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// It is not what it should be; nothing was written.
    #[error("{}: {source}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// Where, and what.
        source: ForeignError,
    },
    /// The entry starts something else.
    #[error("{}: the entry `infiniloom` starts `{words}`, which no installation wrote; take it out by hand", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// The command of the entry.
        words: String,
    },
    /// The client has no file for the server in this scope.
    #[error("{client} has no configuration for a {scope}")]
    NoFile {
        /// The client.
        client: &'static str,
        /// The scope.
        scope: &'static str,
    },
    /// The client has no such part, or its file is unknown.
    #[error("infiniloom cannot add {part} to {client}")]
    NoPart {
        /// The client.
        client: &'static str,
        /// The part.
        part: &'static str,
    },
    /// Another program wrote the file since the plan.
    #[error("{} changed meanwhile", .0.display())]
    Changed(PathBuf),
}

/// Plans to add these to a file. Returns `None` if the file has them already.
///
/// # Errors
/// If the file cannot be read.
pub fn plan_add(path: &Path, additions: &[Addition]) -> Result<Option<Change>, SetupError> {
    let old = read(path)?;
    let text = old.as_deref().unwrap_or("");
    let wrong = |source| SetupError::Text {
        path: path.to_owned(),
        source,
    };
    let mut new = text.to_owned();
    let mut was_there = false;
    for addition in additions {
        was_there |= addition.is_in(text).map_err(wrong)?;
        new = addition.put(&new).map_err(wrong)?;
    }
    if old.as_ref() == Some(&new) {
        return Ok(None);
    }
    // A copy tells what was there before the installation, not before its last change.
    let copy = match &old {
        None => Copy::Mark(named_after(path, MADE)),
        Some(_) if was_there && (last_copy(path).is_some() || is_made(path)) => Copy::Keep,
        Some(_) => Copy::Write(free_copy(path)),
    };
    Ok(Some(Change {
        path: path.to_owned(),
        old,
        new: Some(new),
        copy,
    }))
}

/// Returns true if an entry starts this program's server, from any directory.
fn is_ours(words: &[String]) -> bool {
    let program = words.first().map(Path::new).and_then(Path::file_stem);
    let is_named = program.is_some_and(|name| name.to_string_lossy().starts_with("infiniloom"));
    is_named && words.get(1).is_some_and(|word| word == "mcp")
}

/// Plans to remove these from a file. Returns `None` if the file has none of them.
///
/// # Errors
/// If the file cannot be read, or its entry starts another program.
pub fn plan_remove(path: &Path, additions: &[Addition]) -> Result<Option<Change>, SetupError> {
    let Some(text) = read(path)? else {
        return Ok(None);
    };
    let wrong = |source| SetupError::Text {
        path: path.to_owned(),
        source,
    };
    let mut there = Vec::new();
    for addition in additions {
        if addition.is_in(&text).map_err(wrong)? {
            there.push(addition);
        }
        if let Addition::Server { client, .. } = addition
            && let Some(words) = client.command_in(&text).map_err(wrong)?
            && !is_ours(&words)
        {
            return Err(SetupError::NotOurs {
                path: path.to_owned(),
                words: words.join(" "),
            });
        }
    }
    if there.is_empty() {
        return Ok(None);
    }
    let is_made = is_made(path);
    // Where the installation made the file, copies are of files that were there before.
    let copied = last_copy(path).filter(|_| !is_made);
    let before = copied.as_deref().map(read).transpose()?.flatten();
    let taken = |before: Option<&str>| {
        let mut left = text.clone();
        for addition in there.iter().rev() {
            left = addition.take(&left, before).map_err(wrong)?;
        }
        Ok(left)
    };
    // A file goes only where it is known that the installation made it.
    let new = match is_made && taken(Some(""))?.is_empty() {
        true => None,
        false => Some(taken(before.as_deref())?),
    };
    let copy = match copied.filter(|_| before.is_some() && before == new) {
        Some(copied) => Copy::Remove(copied),
        None if is_made => Copy::Remove(named_after(path, MADE)),
        None => Copy::Keep,
    };
    Ok(Some(Change {
        path: path.to_owned(),
        old: Some(text),
        new,
        copy,
    }))
}

impl Change {
    /// Makes the change. A link stays a link, and the mode of the file stays.
    ///
    /// # Errors
    /// If the file changed since the plan, or cannot be written.
    pub fn make(&self) -> Result<(), SetupError> {
        if read(&self.path)? != self.old {
            return Err(SetupError::Changed(self.path.clone()));
        }
        let failed = |source| SetupError::File {
            path: self.path.clone(),
            source,
        };
        if let Copy::Write(copy) = &self.copy {
            self.write_copy(copy).map_err(failed)?;
            // What an earlier installation made is another file.
            let _ = fs::remove_file(named_after(&self.path, MADE));
        }
        match &self.new {
            Some(text) => {
                if let Some(folder) = self.path.parent() {
                    fs::create_dir_all(folder).map_err(failed)?;
                }
                write_atomically(&self.path, text).map_err(failed)?;
            }
            None => fs::remove_file(&self.path).map_err(failed)?,
        }
        if let Copy::Mark(mark) = &self.copy {
            fs::write(mark, MARK).map_err(failed)?;
        }
        if let Copy::Remove(copy) = &self.copy {
            fs::remove_file(copy).map_err(failed)?;
        }
        if let (None, Some(folder)) = (&self.new, self.path.parent())
            && folder.ends_with(SERVER_NAME)
        {
            // A directory of our own; another file in it keeps it.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// Returns the path of the copy that the change writes.
    pub fn copy(&self) -> Option<PathBuf> {
        match &self.copy {
            Copy::Write(copy) => Some(copy.clone()),
            Copy::Keep => last_copy(&self.path),
            Copy::Remove(_) | Copy::Mark(_) => None,
        }
    }

    /// Writes the copy with the mode of the file from its first byte, because it may have secrets.
    fn write_copy(&self, copy: &Path) -> io::Result<()> {
        let part = named_after(copy, ".part");
        fs::copy(&self.path, &part)?;
        // What somebody put there meanwhile stays.
        let linked = fs::hard_link(&part, copy);
        let written = match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !copy.exists() => {
                // A disk without such links.
                return fs::rename(&part, copy);
            }
            other => other,
        };
        fs::remove_file(&part)?;
        written
    }
}

/// Returns the paths of copies, in the order in which they are written.
fn copies(path: &Path) -> impl Iterator<Item = PathBuf> {
    let copy = |at: usize| match at {
        1 => named_after(path, COPY),
        at => named_after(path, &format!("{COPY}-{at}")),
    };
    (1..=MOST_COPIES).map(copy)
}

/// Returns true if a mark shows that the installation created the file.
fn is_made(path: &Path) -> bool {
    let mark = named_after(path, MADE);
    fs::read(mark).is_ok_and(|text| text == MARK.as_bytes())
}

/// Returns the path of the next copy.
fn free_copy(path: &Path) -> PathBuf {
    let is_free = |copy: &PathBuf| copy.symlink_metadata().is_err();
    let free = copies(path).find(is_free);
    free.unwrap_or_else(|| named_after(path, COPY))
}

/// Returns the path of the newest copy.
fn last_copy(path: &Path) -> Option<PathBuf> {
    let written = copies(path).take_while(|copy| copy.symlink_metadata().is_ok());
    written.last()
}

fn named_after(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Reads a file; `None` if it does not exist.
fn read(path: &Path) -> Result<Option<String>, SetupError> {
    let failed = |source| SetupError::File {
        path: path.to_owned(),
        source,
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return dangling(path),
        Err(error) => return Err(failed(error)),
        Ok(meta) if !meta.is_file() => {
            return Err(failed(io::Error::other("expected a file")));
        }
        Ok(meta) if meta.len() > LARGEST => {
            return Err(failed(io::Error::other("larger than 64 MiB")));
        }
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(failed)?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter();
        let line = line.filter(|byte| **byte == b'\n').count() + 1;
        failed(io::Error::other(format!("line {line}: expected UTF-8")))
    })
}

/// A link to nothing is not overwritten: it would become a file.
fn dangling(path: &Path) -> Result<Option<String>, SetupError> {
    match path.is_symlink() {
        false => Ok(None),
        true => Err(SetupError::File {
            path: path.to_owned(),
            source: io::Error::other("a link that leads nowhere"),
        }),
    }
}
