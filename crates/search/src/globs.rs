//! Globs with the semantics of `rg -g`: relative to the working directory, the last match decides,
//! and everything in an excluded directory is excluded.

use globset::{GlobBuilder, GlobMatcher};

use crate::query_error::QueryError;

/// Longer globs match no file names.
pub(crate) const LONGEST: usize = 4096;
/// Deeper nested braces make expressions that do not compile.
pub(crate) const MOST_BRACES: usize = 32;

/// Globs that select files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Globs {
    /// In the order given; `!` before a glob excludes its matches.
    pub list: Vec<String>,
    /// Directory that the globs are relative to, from the root: `a/b/`, or empty.
    pub here: String,
    /// The root, from a directory above it: `a/b/`, or empty.
    pub top: String,
}

impl Globs {
    /// Returns the length of all globs in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.list.iter().map(String::len).sum()
    }

    pub(crate) fn compiled(&self) -> Result<GlobList, QueryError> {
        let globs = self.list.iter().map(|text| Glob::new(text));
        let globs = globs.collect::<Result<Vec<_>, _>>()?;
        Ok(GlobList {
            takes_others: globs.iter().all(|one| one.leaves_out),
            globs,
            here: self.here.clone(),
            top: self.top.clone(),
        })
    }
}

/// Compiled globs.
#[derive(Clone, Debug)]
pub(crate) struct GlobList {
    globs: Vec<Glob>,
    /// True if files that match none of them are included.
    takes_others: bool,
    here: String,
    top: String,
}

#[derive(Clone, Debug)]
struct Glob {
    matcher: GlobMatcher,
    leaves_out: bool,
    is_of_folders: bool,
}

impl GlobList {
    /// Returns true if the file at a path, relative to the root, is included.
    pub(crate) fn is_match(&self, path: &[u8]) -> bool {
        let path = String::from_utf8_lossy(path);
        let path = match path.strip_prefix(&self.here) {
            Some(inside) => format!("{}{inside}", self.top),
            None => format!("../{path}"),
        };
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        if folders.any(|folder| self.last(folder, true).is_some_and(|one| one.leaves_out)) {
            return false;
        }
        let last = self.last(&path, false);
        last.map_or(self.takes_others, |one| !one.leaves_out)
    }

    /// Returns the last glob that matches.
    fn last(&self, path: &str, is_folder: bool) -> Option<&Glob> {
        let mut globs = self.globs.iter().rev();
        globs.find(|one| (is_folder || !one.is_of_folders) && one.matcher.is_match(path))
    }
}

impl Glob {
    fn new(text: &str) -> Result<Self, QueryError> {
        let failed = |message: String| QueryError::new(0..text.len(), message).within(text);
        if text.len() > LONGEST {
            return Err(failed(format!("a glob has at most {LONGEST} bytes")));
        }
        if text.matches('{').count() > MOST_BRACES {
            return Err(failed(format!("a glob has at most {MOST_BRACES} braces")));
        }
        let bare = text.strip_prefix('!').unwrap_or(text);
        let inner = bare.strip_prefix('/').unwrap_or(bare);
        let is_from_here = inner.len() < bare.len();
        let name = inner.strip_suffix('/').unwrap_or(inner);
        let mut glob = match is_from_here || name.contains('/') {
            true => name.to_owned(),
            false => format!("**/{name}"),
        };
        // `dir/**` matches everything in a directory, but not the directory.
        if glob.ends_with("/**") {
            glob.push_str("/*");
        }
        let mut builder = GlobBuilder::new(&glob);
        builder.literal_separator(true).backslash_escape(true);
        let built = builder.build();
        let built = built.map_err(|error| failed(error.kind().to_string()))?;
        Ok(Self {
            matcher: built.compile_matcher(),
            leaves_out: bare.len() < text.len(),
            is_of_folders: name.len() < inner.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 5] = ["a.rs", "b.py", "src/a.rs", "src/deep/a.rs", "src/deep/b.py"];

    #[track_caller]
    fn check(globs: &[&str], (here, top): (&str, &str), expected: &[&str]) {
        let globs = Globs {
            list: globs.iter().map(|one| (*one).to_owned()).collect(),
            here: here.to_owned(),
            top: top.to_owned(),
        };
        let list = globs.compiled().unwrap();
        let taken = PATHS.iter().filter(|path| list.is_match(path.as_bytes()));
        assert_eq!(taken.copied().collect::<Vec<_>>(), expected, "{globs:?}");
    }

    #[test]
    fn last_matching_glob_decides() {
        let at_top = ("", "");
        check(&[], at_top, &PATHS);
        check(&["*.py"], at_top, &["b.py", "src/deep/b.py"]);
        check(&["!*.rs"], at_top, &["b.py", "src/deep/b.py"]);
        check(&["*.py", "!b.py"], at_top, &[]);
        check(&["!b.py", "*.py"], at_top, &["b.py", "src/deep/b.py"]);
        check(&["*.rs", "!/a.rs"], at_top, &["src/a.rs", "src/deep/a.rs"]);
    }

    #[test]
    fn globs_match_directories() {
        let at_top = ("", "");
        check(&["src/*.rs"], at_top, &["src/a.rs"]);
        check(&["src/**"], at_top, &PATHS[2..]);
        // Including a directory by name does not include the files in it.
        check(&["src"], at_top, &[]);
        check(&["!src"], at_top, &PATHS[..2]);
        check(&["!deep/"], at_top, &PATHS[..3]);
        check(&["!src", "src/a.rs"], at_top, &[]);
        check(&["!a.rs/"], at_top, &PATHS);
    }

    #[test]
    fn globs_are_relative_to_the_working_directory() {
        check(&["deep/*.rs"], ("", ""), &[]);
        check(&["deep/*.rs"], ("src/", ""), &["src/deep/a.rs"]);
        check(&["/a.rs"], ("src/", ""), &["src/a.rs"]);
        check(&["*.py"], ("src/", ""), &["b.py", "src/deep/b.py"]);
        check(&["tree/src/*"], ("", "tree/"), &["src/a.rs"]);
    }

    #[test]
    fn invalid_globs_are_rejected() {
        let told = |text: &str| Glob::new(text).unwrap_err().to_string();
        assert!(told("a[").contains("unclosed"), "{}", told("a["));
        assert!(told(&"a".repeat(LONGEST + 1)).contains("at most 4096"));
        let nested = format!("{}a{}", "{a,".repeat(200), "}".repeat(200));
        assert!(told(&nested).contains("at most 32 braces"));
    }
}
