//! Paths of files to write, and a check of their text that they stay inside a repository. Only the
//! caller that opens the file sees symbolic links.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{InvalidValue, Shape, Value};
use crate::quote::quoted;

/// Directory that a relative path starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// Working directory, for flags, variables and the user's file.
    WorkingDirectory,
    /// Root of the repository, for the repository's file.
    Repository,
}

/// Directories that relative paths start from.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// Working directory of the program.
    pub working_directory: &'a Path,
    /// Root of the repository.
    pub repository: &'a Path,
}

/// File to write.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutputPath {
    path: PathBuf,
    anchor: Anchor,
}

impl OutputPath {
    /// Creates a path as a user writes it.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            anchor: Anchor::WorkingDirectory,
        }
    }

    /// Returns the path as written.
    pub fn as_written(&self) -> &Path {
        &self.path
    }

    /// Returns the directory that a relative path starts from. If it is the repository, the
    /// repository named the file: do not follow a symbolic link out of it.
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// Returns the path to open.
    pub fn located(&self, places: Places<'_>) -> PathBuf {
        match self.anchor {
            Anchor::WorkingDirectory => places.working_directory.join(&self.path),
            Anchor::Repository => places.repository.join(&self.path),
        }
    }
}

impl Value for OutputPath {
    const SHAPE: Shape = Shape::Path;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        Self::from_os(OsStr::new(text))
    }

    fn from_os(text: &OsStr) -> Result<Self, InvalidValue> {
        let lossy = text.to_string_lossy();
        match lossy.is_empty() || lossy.contains('\0') {
            true => Err(InvalidValue::new("a path", quoted(&lossy))),
            false => Ok(Self::new(text)),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        match value.as_str() {
            Some(text) => Self::from_text(text),
            None => Err(InvalidValue::toml("a path", value)),
        }
    }

    fn show(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    fn to_toml(&self) -> toml_edit::Value {
        self.show().into()
    }

    fn schema() -> serde_json::Value {
        json!({ "type": "string" })
    }

    fn in_repository(self) -> Self {
        let anchor = Anchor::Repository;
        Self { anchor, ..self }
    }

    fn leaves_repository(&self) -> bool {
        !stays_inside(&self.path.to_string_lossy())
    }
}

/// Returns whether a path is below the directory that it starts from, and not one of git's own
/// files: a written `.git/hooks/pre-commit` is a program that runs later. The rules of every
/// platform apply on every platform, so that a file is valid for all readers or for none.
fn stays_inside(path: &str) -> bool {
    let mut named = false;
    for component in path.split(['/', '\\']) {
        if component == ".." || component.contains(':') || is_git_folder(component) {
            return false;
        }
        named |= !matches!(component, "" | ".");
    }
    named && !path.starts_with(['/', '\\', '~'])
}

/// Returns whether a file system may treat the name as `.git`: macOS and Windows ignore case,
/// Windows drops trailing dots and spaces and has `git~1` as a short name, HFS+ drops invisible
/// characters.
fn is_git_folder(component: &str) -> bool {
    let visible = component.chars().filter(|c| !is_invisible(*c));
    let folded = visible.collect::<String>().to_lowercase();
    folded.trim_end_matches(['.', ' ']) == ".git" || folded.starts_with("git~")
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_outside_the_repository_are_recognised() {
        let inside = |path: &str| assert!(stays_inside(path), "{path}");
        let outside = |path: &str| assert!(!stays_inside(path), "{path}");
        for path in [
            "pack.xml",
            "./out/pack.xml",
            "a//b",
            "..a/b..",
            ".github/x",
            "gitx",
        ] {
            inside(path);
        }
        for path in [
            "/etc/x",
            "../x",
            "a/../../x",
            "a/..",
            ".",
            "./",
            "\\x",
            "C:\\x",
            "C:x",
        ] {
            outside(path);
        }
        for path in [
            "~/x",
            "a\\..\\x",
            "a/b:stream",
            "\\\\host\\share\\x",
            "//host/x",
        ] {
            outside(path);
        }
        for path in [
            ".git/x",
            "a/.GIT/x",
            ".git. /x",
            ".g\u{200c}it/x",
            "GIT~1/x",
            ".git",
        ] {
            outside(path);
        }
    }

    #[test]
    fn relative_path_starts_at_the_directory_of_its_author() {
        let places = Places {
            working_directory: Path::new("/home/me"),
            repository: Path::new("/src/project"),
        };
        let path = OutputPath::new("out.xml");
        assert_eq!(path.located(places), Path::new("/home/me/out.xml"));
        let path = path.in_repository();
        assert_eq!(path.located(places), Path::new("/src/project/out.xml"));
    }
}
