//! The lines of a text that matchers find, in order, each once and with its number.

use std::ops::{ControlFlow, Range};

use crate::document::Document;
use crate::line_matcher::{LineMatcher, line_around};

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMatch {
    /// Its number, counted from 1.
    pub line: usize,
    /// Its bytes in the text, without the line end.
    pub span: Range<usize>,
    /// What matches in it, in bytes of the line.
    pub places: Vec<Range<usize>>,
}

/// The lines that one of the matchers takes, with what matches in them; the first so many.
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
            // Of several, each may have all of the first.
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

/// Orders lines that several matchers found, each once.
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
