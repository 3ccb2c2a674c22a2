//! The ids that answers give, as somebody says them again: `path`, `path:12`,
//! `path:12:5` or `path:3-9`.

use std::sync::Arc;

use infiniloom::wire::NavigationInfo;

use crate::answer::Answer;
use crate::one_line::one_line;

/// The paths of a snapshot.
pub(super) struct Paths<'r> {
    pub(super) files: Arc<[String]>,
    /// The way from the top of the repository to the root, with its last slash.
    pub(super) prefix: &'r str,
}

impl Paths<'_> {
    /// A path and its lines. A path that is one as a whole is not divided.
    pub(super) fn parse<'t>(&self, typed: &'t str) -> (&'t str, Option<(usize, usize)>) {
        match divided(typed) {
            Some((path, lines)) if !self.is_file(typed) => (path, Some(lines)),
            _ => (typed, None),
        }
    }

    /// The path of a file as it has to be asked for: names with characters that are written
    /// out in answers are found by what was written, and those of a root within a repository
    /// also from that root on.
    pub(super) fn known(&self, typed: &str) -> String {
        if self.is_file(typed) {
            return typed.to_owned();
        }
        let inner = format!("{}{}", self.prefix, typed.trim_start_matches("./"));
        let is_it = |path: &&String| {
            let shown = one_line(path);
            shown == typed || shown == inner
        };
        let found = self.files.iter().find(is_it);
        found.map_or_else(|| typed.to_owned(), Clone::clone)
    }

    /// An id or a path as the files have it, for who takes both.
    pub(super) fn known_id(&self, typed: &str) -> String {
        match self.parse(typed) {
            (path, Some(_)) => format!("{}{}", self.known(path), &typed[path.len()..]),
            (path, None) => self.known(path),
        }
    }

    /// Whether there is a file or folder at a path.
    pub(super) fn has(&self, path: &str) -> bool {
        let is_in = |file: &String| {
            let rest = file.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || path.is_empty())
        };
        self.files.iter().any(is_in)
    }

    pub(super) fn is_file(&self, typed: &str) -> bool {
        let wanted = typed.trim_start_matches("./");
        self.files.iter().any(|path| path == wanted)
    }
}

fn divided(typed: &str) -> Option<(&str, (usize, usize))> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
    let (path, last) = typed.trim().rsplit_once(':')?;
    if let Some((first, last)) = last.split_once('-') {
        let (first, last) = (number(first)?, number(last)?);
        return (!path.is_empty() && first <= last).then_some((path, (first, last)));
    }
    let last = number(last)?;
    match path.rsplit_once(':') {
        Some((path, line)) if number(line).is_some() && !path.is_empty() => {
            number(line).map(|line| (path, (line, line)))
        }
        _ => (!path.is_empty()).then_some((path, (last, last))),
    }
}

/// Adds the reason that there was no time for all files.
pub(super) fn hasty(answer: Answer, is_hasty: bool) -> Answer {
    match is_hasty {
        true => answer.partial(
            "so many files have this name that only some were searched, code near its definitions first",
            "a qualified name or FILE:LINE:COL finds all of one definition, `search` with `paths` all \
             lines of a directory",
        ),
        false => answer,
    }
}

/// Whether there was no time for all of a result.
pub(super) fn is_hasty(found: &NavigationInfo) -> bool {
    found
        .notices
        .iter()
        .any(|notice| notice.code == "time_limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_divided() {
        assert_eq!(divided("src/a.rs:3-9"), Some(("src/a.rs", (3, 9))));
        assert_eq!(divided("src/a.rs:3"), Some(("src/a.rs", (3, 3))));
        assert_eq!(divided("src/a.rs:3:5"), Some(("src/a.rs", (3, 3))));
        assert_eq!(divided("C:\\a.rs:3-4"), Some(("C:\\a.rs", (3, 4))));
        for name in ["src/a.rs", "A::B", "Parser.parse", "a:9-3", "a:0", ":3", ""] {
            assert_eq!(divided(name), None, "{name}");
        }
    }
}
