//! Scores a file for an exact query: higher if the match is a name that the file defines, a whole
//! word, or the name of the file. This is the order of `--sort score`.

use std::ops::Range;

use super::place::{is_aside, is_no_code};
use crate::found_lines::LineMatch;
use crate::words::squeezed;

/// A name that a text defines.
#[derive(Clone, Debug, PartialEq)]
pub struct DefinedName {
    /// Byte range of the name.
    pub span: Range<usize>,
    /// Value of its definition from 0 to 1, by its kind and visibility.
    pub worth: f64,
}

/// Points for a match that is a whole defined name, for one that is a part of it, and for a whole
/// word elsewhere. A definition counts more than any number of uses, which `MORE_LINES` adds.
const NAME: f64 = 4.0;
const PART_OF_NAME: f64 = 1.5;
const WHOLE_WORD: f64 = 1.0;
/// Points for a match that is the name of the file, or in it.
const FILE_NAME: f64 = 2.0;
const IN_FILE_NAME: f64 = 0.7;
/// Points for every doubling of the number of matching lines.
const MORE_LINES: f64 = 0.2;
/// Factor for tests, examples and the like, and for documents and data. They repeat the names of
/// the code that a search usually looks for.
const ASIDE: f64 = 0.5;
const NO_CODE: f64 = 0.6;
/// Maximum number of lines per file that are examined: more add nothing.
const LOOKED_AT: usize = 1000;

/// Scores a file; `names` are sorted by position.
pub fn fit(path: &str, text: &[u8], lines: &[LineMatch], names: &[DefinedName]) -> f64 {
    let of_line = |line: &LineMatch| of_line(text, line, names);
    let looked_at = lines.iter().take(LOOKED_AT);
    let best = looked_at.clone().map(of_line).fold(0.0, f64::max);
    let file = looked_at.map(|line| of_file_name(path, text, line));
    let more = MORE_LINES * ((1 + lines.len()) as f64).log2();
    let sum = 1.0 + best + file.fold(0.0, f64::max) + more;
    let aside = if is_aside(path) { ASIDE } else { 1.0 };
    sum * aside * if is_no_code(path) { NO_CODE } else { 1.0 }
}

fn of_line(text: &[u8], line: &LineMatch, names: &[DefinedName]) -> f64 {
    let of_place = |place: &Range<usize>| {
        let place = line.span.start + place.start..line.span.start + place.end;
        let first = names.partition_point(|name| name.span.end <= place.start);
        let names = names[first..]
            .iter()
            .take_while(|name| name.span.start < place.end);
        let of_name = |name: &DefinedName| {
            let is_all = place.start <= name.span.start && name.span.end <= place.end;
            name.worth * if is_all { NAME } else { PART_OF_NAME }
        };
        let word = if is_word(text, &place) {
            WHOLE_WORD
        } else {
            0.0
        };
        word + names.map(of_name).fold(0.0, f64::max)
    };
    line.places.iter().map(of_place).fold(0.0, f64::max)
}

/// Returns true if no letter, digit or `_` adjoins the range.
fn is_word(text: &[u8], place: &Range<usize>) -> bool {
    let is_part = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let before = place.start.checked_sub(1).and_then(|at| text.get(at));
    !before.is_some_and(is_part) && !text.get(place.end).is_some_and(is_part)
}

fn of_file_name(path: &str, text: &[u8], line: &LineMatch) -> f64 {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = squeezed(name.split('.').next().unwrap_or(name));
    let of_place = |place: &Range<usize>| {
        let span = line.span.start + place.start..line.span.start + place.end;
        let found = String::from_utf8_lossy(text.get(span).unwrap_or_default());
        let found = squeezed(&found);
        match () {
            () if found.len() < 3 => 0.0,
            () if found == stem => FILE_NAME,
            () if stem.contains(&found) => IN_FILE_NAME,
            () => 0.0,
        }
    };
    line.places.iter().map(of_place).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Program, Query, QueryOptions};

    fn score(path: &str, text: &str, query: &str, names: &[&str]) -> f64 {
        let query = Query::parse(query, &QueryOptions::default()).unwrap();
        let document = Document::new(path.as_bytes(), None, text.as_bytes());
        let found = Program::new(&query)
            .unwrap()
            .run(&document, usize::MAX)
            .unwrap();
        let of = |name: &&str| {
            let start = text.find(name).unwrap();
            DefinedName {
                span: start..start + name.len(),
                worth: 1.0,
            }
        };
        let names: Vec<_> = names.iter().map(of).collect();
        fit(path, text.as_bytes(), &found.lines, &names)
    }

    /// The first of two has the higher score.
    #[test]
    fn better_match_has_a_higher_score() {
        let plain = |text: &str| score("src/a.rs", text, "parse", &[]);
        let defined = score("src/a.rs", "fn parse() {}", "parse", &["parse"]);
        let within = score("src/a.rs", "fn parse_all() {}", "parse", &["parse_all"]);
        assert!(defined > within && within > plain("x.parse_all()"));
        assert!(plain("x.parse()") > plain("x.parsed()"));
        assert!(plain("parse\nparse\nparse") > plain("parse"));
        assert!(score("src/parse.rs", "parse", "parse", &[]) > plain("parse"));
        assert!(plain("parse") > score("tests/a.rs", "parse", "parse", &[]));
        assert!(plain("parse") > score("a.md", "parse", "parse", &[]));
    }
}
