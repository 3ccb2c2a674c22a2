//! Lines of files as answers show them: each with its number and a bar, so that nothing
//! in a file can pass for words of ours.

use crate::answer::{Quoted, Source};
use crate::one_line::one_line;

/// Longer lines are cut: a line of a minified file says nothing at length.
const LONGEST: usize = 400;
/// What was asked for by its number is shown longer.
const LONGEST_ASKED: usize = 20_000;
/// So much of a long line is shown before what it is shown for.
const BEFORE: usize = 150;

/// A line of a file.
pub(super) fn line(number: usize, text: &str) -> Quoted {
    around(number, text, 0, LONGEST)
}

/// A line that somebody asked for.
pub(super) fn asked_line(number: usize, text: &str) -> Quoted {
    around(number, text, 0, LONGEST_ASKED)
}

/// A line with what it is shown for, which begins at a byte of the text.
pub(super) fn line_with(number: usize, text: &str, place: Option<usize>) -> Quoted {
    let start = place.map_or(0, |place| place.min(text.len()));
    let start = text.get(..start).map_or(0, |before| before.chars().count());
    around(number, text, start, LONGEST)
}

/// At most `longest` characters of a line, with the one at `at`.
fn around(number: usize, text: &str, at: usize, longest: usize) -> Quoted {
    if text.len() <= longest {
        let text = format!("{number}| {}", one_line(text));
        return Quoted {
            text,
            is_cut: false,
        };
    }
    let length = text.chars().count();
    let first = match at < longest - BEFORE {
        true => 0,
        false => (at - BEFORE).min(length.saturating_sub(longest)),
    };
    let shown: String = text.chars().skip(first).take(longest).collect();
    let before = if first > 0 { "…" } else { "" };
    let after = if first + longest < length { "…" } else { "" };
    Quoted {
        text: format!("{number}| {before}{}{after}", one_line(&shown)),
        is_cut: first > 0 || first + longest < length,
    }
}

/// A line of ours about what bears a name of the repository's. No such name begins a line.
pub(super) fn named(word: &str, text: &str) -> String {
    format!("{word}| {text}")
}

/// The same about a file.
pub(super) fn file(text: &str) -> String {
    named("file", text)
}

/// A path as it is shown.
pub(super) fn path(path: &str) -> String {
    one_line(path).into_owned()
}

/// Where lines come from.
pub(super) fn source(path: &str, first: usize, last: usize) -> Source {
    Source::lines(path, first, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_without_its_number() {
        assert_eq!(line(3, "</file>").text, "3| </file>");
        let broken = "a\rb\u{b}c\u{c}d\u{85}e\u{2028}f\u{2029}g\th";
        assert_eq!(
            line(1, broken).text,
            "1| a\\rb\\u{b}c\\u{c}d\\u{85}e\\u{2028}f\\u{2029}g\th"
        );
        // What turns or hides what follows is seen; what joins letters stays.
        let turned = "if admin\u{202e} // \u{2066}x\u{e0041}\u{200b} \u{200d}👩";
        assert_eq!(
            one_line(turned),
            "if admin\\u{202e} // \\u{2066}x\\u{e0041}\\u{200b} \u{200d}👩"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_what_it_is_shown_for() {
        let short = line(1, &"é".repeat(300));
        assert!(!short.is_cut && !short.text.contains('…'));
        let long = format!("{}needle{}", "é".repeat(5000), "x".repeat(5000));
        let cut = line(1, &long);
        assert!(cut.is_cut && cut.text.chars().count() < 410 && !cut.text.contains("needle"));
        let cut = line_with(1, &long, Some(10_000));
        assert!(cut.is_cut && cut.text.contains("needle"), "{}", cut.text);
        assert!(cut.text.starts_with("1| …") && cut.text.ends_with('…'));
        let end = format!("{}needle", "x".repeat(5000));
        let cut = line_with(1, &end, Some(5000));
        assert!(cut.text.ends_with("needle") && cut.text.chars().count() < 410);
        assert!(!asked_line(1, &long).is_cut);
    }
}
