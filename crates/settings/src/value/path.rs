//! Paths that are written to, and whether they stay inside a repository as far
//! as their text tells. Symbolic links are seen only by whoever opens the file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Shape, Unfit, Value};
use crate::quote::quoted;

/// What a relative path is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// Where the program was started: flags, variables, the user's file.
    WorkingDirectory,
    /// The root of the repository: the repository's file.
    Repository,
}

/// The folders that relative paths start from.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// Where the program was started.
    pub working_directory: &'a Path,
    /// The root of the repository.
    pub repository: &'a Path,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutputPath {
    path: PathBuf,
    anchor: Anchor,
}

impl OutputPath {
    /// A path as a user writes it.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            anchor: Anchor::WorkingDirectory,
        }
    }

    /// The path as written.
    pub fn as_written(&self) -> &Path {
        &self.path
    }

    /// What a relative path is relative to. Where it is the repository, the file
    /// named is a repository's wish: refuse to follow a symbolic link out.
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// The path to open.
    pub fn located(&self, places: Places<'_>) -> PathBuf {
        match self.anchor {
            Anchor::WorkingDirectory => places.working_directory.join(&self.path),
            Anchor::Repository => places.repository.join(&self.path),
        }
    }
}

impl Value for OutputPath {
    const SHAPE: Shape = Shape::Path;

    fn from_text(text: &str) -> Result<Self, Unfit> {
        Self::from_os(OsStr::new(text))
    }

    fn from_os(text: &OsStr) -> Result<Self, Unfit> {
        let shown = text.to_string_lossy();
        match shown.is_empty() || shown.contains('\0') {
            true => Err(Unfit::new("a path", quoted(&shown))),
            false => Ok(Self::new(text)),
        }
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, Unfit> {
        match value.as_str() {
            Some(text) => Self::from_text(text),
            None => Err(Unfit::toml("a path", value)),
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

/// Whether a path names something below the folder that it is relative to, and
/// not git's own files there: a written `.git/hooks/pre-commit` is a program that
/// runs later. The rules of every platform hold on every platform, so that a file
/// that is fine for one reader is fine for all.
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

/// Whether some file system takes the name for `.git`: capitals do not matter on
/// macOS and Windows, Windows drops dots and spaces at the end and has `git~1` as
/// a short name, HFS+ drops invisible characters.
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
    fn inside_and_outside() {
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
    fn relative_to_the_one_who_wrote_it() {
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
