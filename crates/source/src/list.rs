//! A list of paths from another program: only these files are read. Links are not followed and
//! paths outside the repository are not read, because the author of the repository may control the
//! names.

use std::path::Path;

use crate::entry::EntryKind;
use crate::native;
use crate::revision::{self, lexical};
use crate::root::{self, OpenError, Root, Scope};
use crate::source::Source;
use crate::tree::Tree;

/// Maximum number of paths that a warning names.
const NAMED: usize = 5;

/// Separator of the paths in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// NUL if the list contains one, otherwise a newline.
    Detect,
    /// NUL.
    Nul,
}

/// Splits a list into paths, without empty ones. Removes a carriage return at the end of a line.
pub fn split_list(list: &[u8], separator: Separator) -> Vec<Vec<u8>> {
    let is_nul = separator == Separator::Nul || memchr::memchr(0, list).is_some();
    let end = if is_nul { 0 } else { b'\n' };
    let paths = list.split(|&byte| byte == end);
    let paths = paths.map(|path| match path.strip_suffix(b"\r") {
        Some(path) if !is_nul => path,
        _ => path,
    });
    let paths = paths.filter(|path| !path.is_empty());
    paths.map(<[u8]>::to_vec).collect()
}

impl Source {
    /// Opens the paths of a list, relative to a directory, in the repository or tree of that
    /// directory; with a revision, in that commit. Skips missing paths with a reason, and paths
    /// elsewhere with a warning.
    ///
    /// # Errors
    /// If the directory cannot be opened, or the commit does not exist.
    pub fn open_list(
        folder: &Path,
        list: &[Vec<u8>],
        revision: Option<&str>,
    ) -> Result<Self, OpenError> {
        let folder = folder.canonicalize().map_err(|_| OpenError::NotFound {
            path: folder.to_owned(),
        })?;
        let (mut root, tree) = match revision {
            Some(revision) => revision::open_whole(&folder, revision)?,
            None => {
                let top = root::git_top(&folder).unwrap_or(&folder);
                let root = Root::without_scopes(top.to_owned());
                let tree = Tree::open_folder(top)?;
                (root, tree)
            }
        };
        root.scopes.clear();
        let (mut outside, mut gits_own) = (Vec::new(), Vec::new());
        for path in list {
            let full = lexical(&folder.join(native::path(path)));
            match native::repo_path(&root.dir, &full) {
                // Git's own files are not part of the repository.
                Some(path) if path.components().any(|part| part == b".git") => {
                    gits_own.push(path.as_bytes().to_vec());
                }
                Some(path) => add(&mut root, &tree, path),
                None => outside.push(path.clone()),
            }
        }
        if root.scopes.is_empty() {
            let first = list
                .first()
                .map(|path| String::from_utf8_lossy(path).into_owned());
            return Err(OpenError::NothingListed {
                count: list.len(),
                first: first.unwrap_or_default(),
            });
        }
        root.tidy();
        let warnings = [
            not_packed("outside the repository", &outside),
            not_packed("git's own", &gits_own),
        ];
        let warnings: Vec<_> = warnings.into_iter().flatten().collect();
        let warning = (!warnings.is_empty()).then(|| warnings.join("; "));
        Ok(Self::of_list(root, tree, warning))
    }
}

fn add(root: &mut Root, tree: &Tree, path: loom_base::RepoPath) {
    let object = tree.commit().and_then(|commit| commit.find(&path));
    let object = object.map(|(_, id)| id);
    match tree.kind(&path) {
        Some(EntryKind::File) => root.scopes.push(Scope {
            path,
            is_dir: false,
            object,
        }),
        Some(EntryKind::Folder) => root.scopes.push(Scope {
            path,
            is_dir: true,
            object: None,
        }),
        _ => root.unread.push(path),
    }
}

fn not_packed(why: &str, paths: &[Vec<u8>]) -> Option<String> {
    let named = paths.iter().take(NAMED);
    let named: Vec<_> = named.map(|path| String::from_utf8_lossy(path)).collect();
    let more = match paths.len().checked_sub(NAMED) {
        Some(more @ 1..) => format!(" and {more} more"),
        _ => String::new(),
    };
    let warning = || format!("{why}, not packed: {}{more}", named.join(", "));
    (!paths.is_empty()).then(warning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        for (list, separator, expected) in [
            ("a\nb\n", Separator::Detect, "a|b"),
            ("a\r\nb c\r\n", Separator::Detect, "a|b c"),
            ("a\0b\nc\0", Separator::Detect, "a|b\nc"),
            ("a\nb", Separator::Nul, "a\nb"),
            ("a\r\0", Separator::Detect, "a\r"),
            ("\n\n", Separator::Detect, ""),
            ("", Separator::Detect, ""),
        ] {
            let paths = split_list(list.as_bytes(), separator);
            assert_eq!(paths.join(&b'|'), expected.as_bytes(), "{list:?}");
        }
    }
}
