//! Decides whether a skipped directory may contain a match of a pattern, so that the walk enters it
//! only then.

use globset::GlobMatcher;
use loom_base::RepoPath;

/// The directories that may lead to matches of one pattern.
#[derive(Clone, Debug)]
pub(crate) struct DescentFilter {
    /// Matchers for the names of the directories one, two, three levels down.
    levels: Vec<GlobMatcher>,
    /// True if everything below the last level may match.
    is_open: bool,
    /// True if the pattern starts with a literal name.
    pub(crate) is_named: bool,
}

impl DescentFilter {
    /// Compiles the filter for `glob`, a pattern relative to the root.
    pub(crate) fn new<E>(
        glob: &str,
        build: impl Fn(&str) -> Result<GlobMatcher, E>,
    ) -> Result<Self, E> {
        let parts = parts(glob);
        let open = parts.iter().position(|part| part.contains("**"));
        let length = open.unwrap_or(parts.len().saturating_sub(1));
        let levels = parts[..length].iter().map(|part| build(part));
        Ok(Self {
            levels: levels.collect::<Result<_, _>>()?,
            is_open: open.is_some(),
            is_named: !glob
                .split('/')
                .next()
                .is_some_and(|part| part.contains(['*', '?'])),
        })
    }

    /// Returns true if a path in the directory may match.
    pub(crate) fn may_match_in(&self, folder: &RepoPath) -> bool {
        let mut levels = self.levels.iter();
        for part in folder.components() {
            let Ok(name) = RepoPath::new(part) else {
                return false;
            };
            match levels.next() {
                Some(level) if level.is_match(crate::native::relative(&name)) => {}
                Some(_) => return false,
                None => return self.is_open,
            }
        }
        true
    }
}

/// Splits a pattern at slashes. A component with a slash inside braces may match several
/// components, so it and the rest become `**`.
fn parts(glob: &str) -> Vec<&str> {
    let is_whole = |part: &&str| part.matches('{').count() == part.matches('}').count();
    let parts: Vec<_> = glob.split('/').collect();
    match parts.iter().position(|part| !is_whole(part)) {
        None => parts,
        Some(at) => [&parts[..at], &["**"]].concat(),
    }
}

#[cfg(test)]
mod tests {
    use globset::GlobBuilder;

    use super::*;

    fn leads(glob: &str, folder: &str) -> bool {
        let build = |glob: &str| {
            let glob = GlobBuilder::new(glob).literal_separator(true).build();
            glob.map(|glob| glob.compile_matcher())
        };
        let filter = DescentFilter::new(glob, build).unwrap();
        filter.may_match_in(&RepoPath::new(folder).unwrap())
    }

    #[test]
    fn only_directories_with_possible_matches_are_entered() {
        for (glob, folder, expected) in [
            ("vendor/a.go", "vendor", true),
            ("vendor/a.go", "vendor/x", false),
            ("vendor/*.go", "vendor/x", false),
            ("vendor/**", "vendor/x/y", true),
            ("a/**/*.js", "a/x/y", true),
            ("a/**/*.js", "b", false),
            ("{a,b}/*/c", "b", true),
            ("{a,b}/*/c", "b/x", true),
            ("{a,b}/*/c", "c", false),
            ("{a/b,c}/d", "a", true),
            ("**/x", "any/folder", true),
        ] {
            assert_eq!(leads(glob, folder), expected, "{glob} through {folder}");
        }
    }
}
