//! A part of a file, cut between lines: the part that fits a budget or a size, or one part of a
//! split file.

use std::ops::Range;

use loom_models::Tokenizer;

use crate::file::count_lines;
use crate::{FileMeta, Note};

/// Describes the part of `text` in `range`. `file` describes the whole file or a part of it.
pub fn excerpt(file: &FileMeta, text: &str, range: Range<usize>, tokenizer: Tokenizer) -> FileMeta {
    let before = memchr::memchr_iter(b'\n', &text.as_bytes()[..range.start]).count();
    let part = &text[range];
    let lines = count_lines(part);
    let counted = tokenizer.count(part);
    let first = file.first_line + before;
    let total = file.whole_lines();
    let mut notes: Vec<_> = file
        .notes
        .iter()
        .filter(|note| !note.is_lines())
        .cloned()
        .collect();
    notes.push(Note::Lines {
        first,
        last: (first + lines).saturating_sub(1).max(first),
        total,
    });
    FileMeta {
        lines,
        bytes: part.len(),
        tokens: counted.likely(),
        lower: counted.lower(),
        upper: counted.upper(),
        first_line: first,
        notes,
        ..file.clone()
    }
}

/// Returns the end of the longest prefix of `text` that consists of whole lines and satisfies
/// `fits`; `None` if not even the first line fits. If a prefix satisfies `fits`, so must every
/// shorter one.
pub fn longest_start(text: &str, mut fits: impl FnMut(&str) -> bool) -> Option<usize> {
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes())
        .map(|at| at + 1)
        .collect();
    let mut low = 0;
    let mut high = ends.len();
    // Doubles the step from below: files with even lines need few steps, and the tested prefixes
    // stay small.
    let mut step = 64;
    while low < high {
        let middle = (low + step).min(high) - 1;
        if fits(&text[..ends[middle]]) {
            low = middle + 1;
            step *= 2;
        } else {
            high = middle;
            step = (high - low).div_ceil(2).max(1);
        }
    }
    (low > 0).then(|| ends[low - 1])
}

/// Returns the end of the longest prefix of the first line that satisfies `fits`; `None` if not
/// even one character fits.
pub fn longest_line_start(text: &str, mut fits: impl FnMut(&str) -> bool) -> Option<usize> {
    let line = text.find('\n').map_or(text, |end| &text[..end]);
    let (mut low, mut high) = (0, line.len());
    while low < high {
        let middle = line.ceil_char_boundary(low + (high - low).div_ceil(2));
        match fits(&line[..middle]) {
            true => low = middle,
            false => high = line.floor_char_boundary(middle - 1),
        }
    }
    (low > 0).then_some(low)
}

/// Returns the end of the first part of `text`: as many whole lines as fit, otherwise as much of
/// the first line, otherwise one character. Never empty for a non-empty text.
pub fn lines_within(text: &str, mut fits: impl FnMut(&str) -> bool) -> usize {
    if fits(text) {
        return text.len();
    }
    longest_start(text, &mut fits)
        .or_else(|| longest_line_start(text, &mut fits))
        .unwrap_or_else(|| text.chars().next().map_or(0, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use loom_base::{ContentHash, RepoPath};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_longest_start_is_found(lines in prop::collection::vec("[ab]{0,4}", 0..300), most in 0usize..900) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let found = longest_start(&text, |start| start.len() <= most);
            let ends = text.char_indices().filter(|(_, c)| *c == '\n').map(|(at, _)| at + 1);
            prop_assert_eq!(found, ends.take_while(|&end| end <= most).last());
        }
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let text = "ééééé\nx";
        assert_eq!(longest_line_start(text, |start| start.len() <= 5), Some(4));
        assert_eq!(longest_line_start(text, |start| start.len() <= 1), None);
        assert_eq!(lines_within(text, |start| start.len() <= 1), 2);
        assert_eq!(lines_within(text, |start| start.len() <= 11), 11);
        assert_eq!(lines_within(text, |_| true), 12);
    }

    #[test]
    fn a_part_knows_its_lines() {
        let text = "one\ntwo\nthree\nfour";
        let hash = ContentHash::from_bytes([0; 32]);
        let vocabulary = loom_models::Vocabulary::O200kBase.into();
        let file = crate::describe(RepoPath::new("a").unwrap(), text, hash, vocabulary);
        let rest = excerpt(&file, text, 4..text.len(), vocabulary);
        assert_eq!((rest.first_line, rest.lines, rest.bytes), (2, 3, 14));
        assert_eq!(rest.note().unwrap(), "lines 2 to 4 of 4");
        let last = excerpt(&rest, &text[4..], 10..14, vocabulary);
        assert_eq!(last.note().unwrap(), "lines 4 to 4 of 4");
    }
}
