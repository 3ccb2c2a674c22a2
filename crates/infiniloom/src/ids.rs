//! The ids that results give pieces of code: `FILE:FIRST-LAST`, `FILE:LINE` and `FILE`.

use std::ops::RangeInclusive;

use loom_host::{Searcher, Target};

/// The lines of a file that an id names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileLines {
    pub(crate) path: String,
    pub(crate) lines: RangeInclusive<usize>,
}

/// Returns the lines that `typed` names if it is an id. An existing path is never split into a path
/// and lines, and a location is not an id.
pub(crate) fn definitions_at(
    searcher: &Searcher,
    typed: &str,
    target: &Target,
) -> Option<FileLines> {
    if matches!(target, Target::Place { .. }) {
        return None;
    }
    let is_file = |path: &str| {
        let path = path.trim_start_matches("./");
        searcher.paths().any(|known| known.display() == path)
    };
    let whole = |path: &str| FileLines {
        path: path.to_owned(),
        lines: 1..=usize::MAX,
    };
    match divided(typed) {
        Some(id) if !is_file(typed) => Some(id),
        _ if typed.contains(['.', '/']) && is_file(typed) => Some(whole(typed)),
        _ => None,
    }
}

fn divided(typed: &str) -> Option<FileLines> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
    let (path, last) = typed.trim().rsplit_once(':')?;
    let (first, last) = match last.split_once('-') {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(last)?, number(last)?),
    };
    (!path.is_empty() && first <= last).then(|| FileLines {
        path: path.to_owned(),
        lines: first..=last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_divided_into_path_and_lines() {
        let lines = |typed: &str| divided(typed).map(|id| (id.path, id.lines));
        assert_eq!(lines("src/a.rs:3-9"), Some(("src/a.rs".to_owned(), 3..=9)));
        assert_eq!(lines("src/a.rs:3"), Some(("src/a.rs".to_owned(), 3..=3)));
        assert_eq!(lines("C:\\a.rs:3-4"), Some(("C:\\a.rs".to_owned(), 3..=4)));
        for name in ["src/a.rs", "A::B", "Parser.parse", "a:9-3", "a:0", ":3", ""] {
            assert_eq!(lines(name), None, "{name}");
        }
    }
}
