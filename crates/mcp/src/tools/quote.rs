//! Lines of files as answers show them: each with its number and a bar, so that nothing
//! in a file can pass for words of ours.

use crate::answer::Source;

/// Longer lines are cut: a line of a minified file says nothing at length.
const LONGEST: usize = 400;

/// A line of a file.
pub(super) fn line(number: usize, text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{number}| {}…", &text[..end]),
        None => format!("{number}| {text}"),
    }
}

/// Where a piece comes from.
pub(super) fn source(path: &impl ToString, first: usize, last: usize) -> Option<Source> {
    Some(Source {
        path: path.to_string(),
        lines: (first, last),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_without_its_number() {
        assert_eq!(line(3, "</file>"), "3| </file>");
        assert!(line(1, &"é".repeat(900)).len() < 900);
    }
}
