//! The summary of a directory, or of the whole project: its own introduction, and its contents.

use std::collections::BTreeMap;

use loom_base::RepoPath;

use super::file::{introduction, sentence};
use crate::map::about_readme;

/// Names of introductory files without extension, the best first.
const INTRODUCTIONS: &[&str] = &[
    "readme",
    "__init__",
    "mod",
    "lib",
    "doc",
    "package-info",
    "index",
    "main",
];
/// Number of names in a summary.
const NAMES: usize = 6;

/// Contents of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderSummary {
    /// Number of files, including those in subdirectories.
    pub files: usize,
    /// Names of its entries, the largest first; directories end with `/`.
    pub names: Vec<String>,
    /// Index among all files of its introductory file.
    pub introduced_by: Option<usize>,
    /// The introduction.
    pub about: Option<String>,
}

impl FolderSummary {
    /// Summarises the directory with this path, which is empty for the root; `files` are all files
    /// with their lines.
    pub fn of<'a>(folder: &str, files: impl Iterator<Item = (&'a RepoPath, usize)>) -> Self {
        let mut summary = Self::default();
        let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
        let before = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let mut best = (INTRODUCTIONS.len(), 0);
        for (number, (path, lines)) in files.enumerate() {
            let shown = path.display();
            let Some(rest) = shown.strip_prefix(&before) else {
                continue;
            };
            let name = match rest.split_once('/') {
                Some((name, _)) => format!("{name}/"),
                None => {
                    let stem = rest.split('.').next().unwrap_or(rest).to_lowercase();
                    let place = INTRODUCTIONS.iter().position(|one| *one == stem);
                    // Prefers `README.md` to `README.ja.md`.
                    let place = place.map(|place| (place, rest.matches('.').count()));
                    if let Some(place) = place.filter(|place| *place < best) {
                        best = place;
                        summary.introduced_by = Some(number);
                    }
                    rest.to_owned()
                }
            };
            summary.files += 1;
            *sizes.entry(name).or_default() += lines;
        }
        let mut names: Vec<(String, usize)> = sizes.into_iter().collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        summary.names = names
            .into_iter()
            .take(NAMES)
            .map(|(name, _)| name)
            .collect();
        summary
    }

    /// Adds the introduction of the introductory file, if it has one.
    #[must_use]
    pub fn introduced(self, path: &RepoPath, text: &str) -> Self {
        let name = path.display();
        let name = name.rsplit('/').next().unwrap_or_default();
        let is_readme = name.to_lowercase().starts_with("readme");
        let words = match is_readme {
            true => about_readme(text).map(|words| sentence(&words)),
            false => introduction(text),
        };
        let about = words.map(|words| format!("{words} ({name})"));
        Self { about, ..self }
    }

    /// Formats the summary on one line.
    pub fn line(&self) -> String {
        let files = if self.files == 1 { "file" } else { "files" };
        let held = format!("{} {files}, most in {}", self.files, self.names.join(", "));
        match &self.about {
            Some(about) => format!("{about}; {held}"),
            None => held,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directory_summary_names_its_largest_entries() {
        let paths: Vec<(RepoPath, usize)> = [
            ("a/b/c.py", 5),
            ("a/b/d.py", 9),
            ("a/e.py", 10),
            ("f.py", 90),
        ]
        .map(|(path, lines)| (RepoPath::new(path).unwrap(), lines))
        .to_vec();
        let files = || paths.iter().map(|(path, lines)| (path, *lines));
        assert_eq!(
            FolderSummary::of("a", files()).line(),
            "3 files, most in b/, e.py"
        );
        assert_eq!(FolderSummary::of("", files()).names, ["f.py", "a/"]);
        assert_eq!(FolderSummary::of("a/b", files()).files, 2);
    }

    #[test]
    fn directory_summary_has_the_introduction() {
        let paths: Vec<(RepoPath, usize)> =
            [("a/__init__.py", 5), ("a/README.md", 9), ("b/mod.rs", 4)]
                .map(|(path, lines)| (RepoPath::new(path).unwrap(), lines))
                .to_vec();
        let files = || paths.iter().map(|(path, lines)| (path, *lines));
        let of = |folder: &str, text: &str| {
            let summary = FolderSummary::of(folder, files());
            let by = &paths[summary.introduced_by.unwrap()].0;
            summary.introduced(by, text).line()
        };
        assert_eq!(
            of("a", "# A\n\nKeeps the sessions of all users.\n"),
            "Keeps the sessions of all users (README.md); 2 files, most in README.md, __init__.py"
        );
        assert_eq!(
            of("b", "//! Reads what users wrote. Then more.\nmod c;\n"),
            "Reads what users wrote (mod.rs); 1 file, most in mod.rs"
        );
        assert_eq!(of("b", "mod c;\n"), "1 file, most in mod.rs");
        assert_eq!(FolderSummary::of("", files()).introduced_by, None);
    }
}
