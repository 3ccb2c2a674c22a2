//! Lines of a text that match, in order, each once and with its number.

use std::ops::{ControlFlow, Range};

use crate::document::Document;
use crate::line_matcher::{LineMatcher, line_around};

/// A matching line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMatch {
    /// Its number, counted from 1.
    pub line: usize,
    /// Byte range in the text, without the newline.
    pub span: Range<usize>,
    /// Byte ranges of the matches, relative to the line.
    pub places: Vec<Range<usize>>,
}

/// Returns the first lines that one of the matchers matches, up to a limit, with the matches in
/// them.
pub(crate) fn lines_of(
    texts: &[&LineMatcher],
    symbols: &[&LineMatcher],
    document: &Document<'_>,
    most: usize,
) -> Vec<LineMatch> {
    let text = document.text;
    let mut found: Vec<(Range<usize>, Vec<Range<usize>>)> = Vec::new();
    for matcher in texts {
        let mut taken = 0;
        matcher.lines(text, |line| {
            // One matcher may find all of the first lines.
            taken += 1;
            if taken > most {
                return ControlFlow::Break(());
            }
            let places = matcher.spans(&text[line.clone()]);
            found.push((line, places));
            ControlFlow::Continue(())
        });
    }
    for matcher in symbols {
        let named = document.symbols.iter();
        let named = named.filter(|symbol| matcher.is_match(symbol.name.as_bytes()));
        for symbol in named {
            let line = line_around(text, symbol.name_span.start);
            let start = symbol.name_span.start - line.start;
            let place = start..start + symbol.name_span.len();
            found.push((line, vec![place]));
        }
    }
    if texts.len() + symbols.len() > 1 || !symbols.is_empty() {
        join(&mut found);
    }
    found.truncate(most);
    numbered(text, found)
}

/// Sorts the lines of several matchers and merges duplicates.
fn join(found: &mut Vec<(Range<usize>, Vec<Range<usize>>)>) {
    found.sort_by_key(|(line, _)| line.start);
    found.dedup_by(|(line, places), (kept, all)| {
        let is_same = line.start == kept.start;
        if is_same {
            all.append(places);
        }
        is_same
    });
    for (_, places) in found {
        places.sort_by_key(|place| (place.start, place.end));
        places.dedup_by(|next, kept| {
            let overlaps = next.start < kept.end;
            if overlaps {
                kept.end = kept.end.max(next.end);
            }
            overlaps
        });
    }
}

fn numbered(text: &[u8], found: Vec<(Range<usize>, Vec<Range<usize>>)>) -> Vec<LineMatch> {
    let (mut line, mut at) = (1, 0);
    let mut one = |(span, places): (Range<usize>, Vec<Range<usize>>)| {
        line += memchr::memchr_iter(b'\n', &text[at..span.start]).count();
        at = span.start;
        let end = match text[span.clone()].ends_with(b"\n") {
            true => span.end - 1,
            false => span.end,
        };
        LineMatch {
            line,
            span: span.start..end,
            places,
        }
    };
    found.into_iter().map(&mut one).collect()
}
