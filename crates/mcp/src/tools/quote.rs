//! Lines of files as answers show them: each with its number and a bar, so that nothing
//! in a file can pass for words of ours.

use infiniloom::{Level, Read, Snapshot};

use super::Call;
use crate::answer::{Quoted, Source};
use crate::one_line::one_line;

/// Longer lines are cut: a line of a minified file says nothing at length.
const LONGEST: usize = 400;
/// What was asked for by its number is shown longer.
const LONGEST_ASKED: usize = 20_000;
/// So much of a long line is shown before what it is shown for.
const BEFORE: usize = 150;

/// Returns the lines at which symbols of a file begin, in the order of the file. A file without a
/// parsed structure has none.
pub(super) fn symbols(call: &Call<'_>, snapshot: &Snapshot, path: &str) -> Vec<(usize, String)> {
    let read = Read::path(path).compress(Level::Extreme);
    let Ok(info) = read.run_with(snapshot, &call.control()) else {
        return Vec::new();
    };
    let is_outline = info.lines.len() < info.total_lines;
    let lines = info.lines.into_iter().filter(|_| is_outline);
    lines.map(|line| (line.line, line.text)).collect()
}

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
    use crate::tools::numbers::Numbers;

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
    fn line_without_a_number_begins_with_two_blanks() {
        let text = |numbers: Numbers, number, is_symbol| {
            numbers.apply(line(number, "a| b"), number, is_symbol).text
        };
        assert_eq!(text(Numbers::Every, 7, false), "7| a| b");
        assert_eq!(text(Numbers::Some, 7, false), "  a| b");
        assert_eq!(text(Numbers::Some, 7, true), "7| a| b");
        assert_eq!(text(Numbers::Some, 70, false), "70| a| b");
        assert_eq!(text(Numbers::None, 70, true), "  a| b");
        for name in Numbers::NAMES {
            assert_eq!(
                format!("{:?}", Numbers::from_name(name)).to_lowercase(),
                *name
            );
        }
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
