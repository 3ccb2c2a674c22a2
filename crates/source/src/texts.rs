//! Sources of texts in memory, and sources with unsaved edits over their files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use loom_base::{InvalidRepoPath, RepoPath};

use crate::history::relative_to;
use crate::root::{Root, Scope};
use crate::source::Source;
use crate::text_files::TextFiles;
use crate::tree::Tree;

/// A directory in which no file can exist, so that the path of a text is never a path on disk.
const NOWHERE: &str = if cfg!(windows) {
    r"\\.\NUL\texts"
} else {
    "/dev/null/texts"
};

/// A text and its path.
#[derive(Clone, Debug)]
pub struct NamedText {
    /// The path, with `/` between its components.
    pub path: String,
    /// The text.
    pub text: String,
}

/// Error: the texts cannot be a source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextsError {
    /// A path is invalid.
    #[error("invalid path of a text")]
    Path(#[from] InvalidRepoPath),
    /// A text has no path.
    #[error("a text has no path")]
    NoPath,
    /// Two texts have the same path, or the path of one is a directory of the other.
    #[error("two texts are at {path}")]
    Twice {
        /// The path.
        path: RepoPath,
    },
}

/// Unsaved edits of the files of a source, by their paths in the source.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    files: TextFiles,
}

impl Edits {
    /// Returns true if the list has no edit.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Replaces the file at `path` by a text.
    pub fn edit(&mut self, path: RepoPath, text: &str) {
        self.files.put(path, text);
    }

    /// Removes the file or directory at `path`.
    pub fn remove(&mut self, path: RepoPath) {
        self.files.remove(path);
    }

    /// Drops the edits of `path` and of everything below it.
    pub fn forget(&mut self, path: &RepoPath) {
        self.files.forget(path);
    }
}

impl Source {
    /// Creates a source of texts. Ignore files among the texts apply, as in a directory.
    ///
    /// # Errors
    /// If a path is invalid, or two texts have the same path.
    pub fn of_texts(
        name: &str,
        texts: impl IntoIterator<Item = NamedText>,
    ) -> Result<Self, TextsError> {
        let mut paths = BTreeSet::new();
        let mut files = TextFiles::default();
        for NamedText { path, text } in texts {
            let path = RepoPath::new(&path)?;
            if path.is_root() {
                return Err(TextsError::NoPath);
            }
            files.add(path.clone(), &text);
            if !paths.insert(path.clone()) {
                return Err(TextsError::Twice { path });
            }
        }
        // A file has no files below it. In sorted order, a path below another one follows it
        // directly.
        let nested = paths
            .iter()
            .zip(paths.iter().skip(1))
            .find(|(path, next)| next.starts_with(path));
        if let Some((path, _)) = nested {
            return Err(TextsError::Twice { path: path.clone() });
        }
        let mut root = Root::without_scopes(PathBuf::from(NOWHERE));
        root.label = PathBuf::from(name);
        root.scopes.push(Scope::whole());
        Ok(Self::of(vec![(root, Tree::Texts(files))]))
    }

    /// Returns the same trees with `edits` over their files. Replaces earlier edits.
    #[must_use]
    pub fn with_edits(&self, edits: &Edits) -> Self {
        let mut divided: BTreeMap<usize, TextFiles> = BTreeMap::new();
        for (path, text) in edits.files.iter() {
            if let Some((tree, below)) = self.locate(path) {
                divided.entry(tree).or_default().insert(below, text);
            }
        }
        self.map_trees(|number, tree| {
            let edits = divided.remove(&number).unwrap_or_default();
            Tree::edited(tree, edits)
        })
    }

    /// Returns true if a path is below the root of a tree.
    pub fn contains(&self, path: &RepoPath) -> bool {
        self.locate(path).is_some()
    }

    /// Returns the number of the tree that contains a path, and the path in that tree.
    fn locate(&self, path: &RepoPath) -> Option<(usize, RepoPath)> {
        let trees = self.trees().iter().enumerate();
        let mut found = trees.filter_map(|(number, (root, _))| {
            let below = relative_to(path, &root.prefix)?;
            (!below.is_root()).then_some((number, below))
        });
        found.next()
    }
}

#[cfg(test)]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;
    use crate::{Reason, ScanOptions, decode};

    fn texts(files: &[(&str, &str)]) -> Result<Source, TextsError> {
        let texts = files.iter().map(|(path, text)| NamedText {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        });
        Source::of_texts("memory", texts)
    }

    fn contents(source: &Source) -> Vec<String> {
        let scan = source.scan(&ScanOptions::default());
        let read = scan.files.iter().map(|file| {
            let reading = source.read(file, 1 << 20).unwrap();
            let text = decode(reading.bytes).unwrap().text;
            format!("{}: {text}", file.path)
        });
        read.collect()
    }

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    #[test]
    fn texts_follow_the_rules_of_a_directory() {
        let source = texts(&[
            ("src/main.py", "one"),
            (".gitignore", "*.log\n"),
            ("a.log", "two"),
        ])
        .unwrap();
        assert_eq!(
            contents(&source),
            [".gitignore: *.log\n", "src/main.py: one"]
        );
        assert_eq!(source.name(), "memory");
        let file = &source.scan(&ScanOptions::default()).files[1];
        assert!(matches!(
            source.read(file, 2),
            Err(Reason::TooLarge { size: 3, limit: 2 })
        ));
        assert!(source.place(file).is_none() && file.stamp().is_none());
        assert!(source.folder().is_none() && source.outer_work_trees().is_empty());
    }

    #[test]
    fn paths_of_texts_are_those_of_files() {
        for files in [
            &[("", "")][..],
            &[("../a", "")],
            &[("/a", "")],
            &[("a", ""), ("a", "")],
            &[("a", ""), ("a/b", "")],
        ] {
            assert!(texts(files).is_err(), "{files:?}");
        }
    }

    #[test]
    fn edits_change_the_files_of_a_directory_and_nothing_on_disk() {
        let sandbox = Sandbox::new();
        sandbox
            .write("a.py", "one")
            .write("b.py", "two")
            .write(".gitignore", "*.log\n")
            .commit_all();
        let source = Source::open(&[sandbox.work()]).unwrap();
        let mut edits = Edits::default();
        edits.edit(path("a.py"), "new");
        edits.remove(path("b.py"));
        edits.edit(path("sub/c.py"), "added");
        edits.edit(path("d.log"), "ignored");
        let edited = source.with_edits(&edits);
        assert_eq!(
            contents(&edited),
            [".gitignore: *.log\n", "a.py: new", "sub/c.py: added"]
        );
        let files = edited.scan(&ScanOptions::default()).files;
        assert!(edited.stamps(&files)[1].is_none());
        assert!(edited.stamps(&files)[0].is_some());
        assert!(files[1].text_hash().is_some());
        edits.forget(&path("a.py"));
        edits.edit(path(".gitignore"), "");
        let edited = edited.with_edits(&edits);
        assert_eq!(contents(&edited)[1..3], ["a.py: one", "d.log: ignored"]);
        assert_eq!(contents(&source).len(), 3);
        assert_eq!(sandbox.read("a.py"), "one");
    }

    #[test]
    fn edits_change_the_files_of_a_commit() {
        let sandbox = Sandbox::new();
        sandbox
            .write("a.py", "one")
            .write("b.py", "two")
            .commit_all();
        let source = Source::open_revision(&[sandbox.work()], "HEAD").unwrap();
        let mut edits = Edits::default();
        edits.edit(path("a.py"), "new");
        let edited = source.with_edits(&edits);
        assert_eq!(contents(&edited), ["a.py: new", "b.py: two"]);
        assert_eq!(edited.revisions().len(), 1);
    }
}
