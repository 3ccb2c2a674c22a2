//! The change of one file in git's format, which `git apply` reads.

use std::fmt::Write;

use loom_base::RepoPath;

use super::lines::similarity;
use super::unified::push_hunks;

/// Mode of a file in git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
    /// A plain file.
    Plain,
    /// An executable file.
    Executable,
    /// A symbolic link; its contents are the target.
    Link,
    /// A submodule; its contents are the commit.
    Submodule,
}

impl FileMode {
    /// Returns git's six-digit mode.
    pub fn digits(self) -> &'static str {
        match self {
            Self::Plain => "100644",
            Self::Executable => "100755",
            Self::Link => "120000",
            Self::Submodule => "160000",
        }
    }

    /// Returns true if a change between the two changes the mode, not the kind.
    fn is_like(self, other: Self) -> bool {
        let is_file = |mode| matches!(mode, Self::Plain | Self::Executable);
        self == other || is_file(self) && is_file(other)
    }
}

/// Contents of a file before or after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// Its text.
    Text(&'a str),
    /// Binary contents.
    Binary,
}

/// A file before or after a change.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its path in the repository.
    pub path: &'a RepoPath,
    /// Mode of the file.
    pub mode: FileMode,
    /// Its contents.
    pub body: Body<'a>,
}

/// The change of one file. Two sides with different paths are a rename.
#[derive(Clone, Copy, Debug)]
pub struct Patch<'a> {
    old: Option<Side<'a>>,
    new: Option<Side<'a>>,
}

impl<'a> Patch<'a> {
    /// Creates the change of a new file.
    pub fn added(new: Side<'a>) -> Self {
        Self {
            old: None,
            new: Some(new),
        }
    }

    /// Creates the change of a deleted file.
    pub fn deleted(old: Side<'a>) -> Self {
        Self {
            old: Some(old),
            new: None,
        }
    }

    /// Creates the change of a modified or renamed file.
    pub fn changed(old: Side<'a>, new: Side<'a>) -> Self {
        Self {
            old: Some(old),
            new: Some(new),
        }
    }

    /// Appends the patch.
    pub fn push(&self, out: &mut String) {
        match (self.old, self.new) {
            // In git, a file that becomes a link is deleted and added.
            (Some(old), Some(new)) if !old.mode.is_like(new.mode) => {
                Self::deleted(old).push(out);
                Self::added(new).push(out);
            }
            (Some(old), Some(new)) => changed(&old, &new, out),
            (Some(old), None) => {
                header(&old, &old, out);
                line(out, "deleted file mode ", old.mode.digits());
                contents(Some(&old), None, out);
            }
            (None, Some(new)) => {
                header(&new, &new, out);
                line(out, "new file mode ", new.mode.digits());
                contents(None, Some(&new), out);
            }
            (None, None) => {}
        }
    }
}

fn changed(old: &Side<'_>, new: &Side<'_>, out: &mut String) {
    header(old, new, out);
    if old.mode != new.mode {
        line(out, "old mode ", old.mode.digits());
        line(out, "new mode ", new.mode.digits());
    }
    if old.path != new.path {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "similarity index {}%", alike(old, new));
        line(out, "rename from ", &old.path.in_patch());
        line(out, "rename to ", &new.path.in_patch());
    }
    contents(Some(old), Some(new), out);
}

fn alike(old: &Side<'_>, new: &Side<'_>) -> usize {
    match (old.body, new.body) {
        (Body::Text(old), Body::Text(new)) => similarity(old, new),
        _ => 100,
    }
}

fn header(old: &Side<'_>, new: &Side<'_>, out: &mut String) {
    let _ = writeln!(
        out,
        "diff --git {} {}",
        below("a", old.path),
        below("b", new.path)
    );
}

fn contents<'a>(old: Option<&Side<'a>>, new: Option<&Side<'a>>, out: &mut String) {
    let name = |side: Option<&Side<'_>>, folder| match side {
        Some(side) => below(folder, side.path),
        None => "/dev/null".to_owned(),
    };
    let (from, to) = (name(old, "a"), name(new, "b"));
    let text = |side: Option<&Side<'a>>| match side.map(|side| side.body) {
        None => Some(""),
        Some(Body::Text(text)) => Some(text),
        Some(Body::Binary) => None,
    };
    let (Some(old), Some(new)) = (text(old), text(new)) else {
        let _ = writeln!(out, "Binary files {from} and {to} differ");
        return;
    };
    if old != new {
        let _ = writeln!(out, "--- {}\n+++ {}", ended(&from), ended(&to));
        push_hunks(old, new, out);
    }
}

/// Adds a tab after a name with a space, which older patch tools require.
fn ended(name: &str) -> String {
    let tab = if name.contains(' ') && !name.starts_with('"') {
        "\t"
    } else {
        ""
    };
    format!("{name}{tab}")
}

fn below(folder: &str, path: &RepoPath) -> String {
    let folder = RepoPath::new(folder).unwrap_or_else(|_| RepoPath::root());
    folder.join(path).in_patch().into_owned()
}

fn line(out: &mut String, key: &str, value: &str) {
    out.extend([key, value, "\n"]);
}
