//! The summary of a folder, told by what is in it.

use std::collections::BTreeMap;

use loom_base::RepoPath;

/// Names that are told of a folder.
const NAMES: usize = 6;

/// What a folder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderSummary {
    /// Its files, with those of the folders in it.
    pub files: usize,
    /// What is in it by size, the largest first: folders end with `/`.
    pub names: Vec<String>,
}

impl FolderSummary {
    /// Of the folder with this path, which is empty for the root; `files` are all files
    /// with their lines.
    pub fn of<'a>(folder: &str, files: impl Iterator<Item = (&'a RepoPath, usize)>) -> Self {
        let mut summary = Self::default();
        let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
        let before = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        for (path, lines) in files {
            let shown = path.display();
            let Some(rest) = shown.strip_prefix(&before) else {
                continue;
            };
            let name = match rest.split_once('/') {
                Some((name, _)) => format!("{name}/"),
                None => rest.to_owned(),
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

    /// On one line.
    pub fn line(&self) -> String {
        let files = if self.files == 1 { "file" } else { "files" };
        format!("{} {files}, most in {}", self.files, self.names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_told_by_its_largest() {
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
}
