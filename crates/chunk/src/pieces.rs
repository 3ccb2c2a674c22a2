//! Checks whether a range fits into a chunk, and splits a range that does not: between lines, then
//! between words, then between characters.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use loom_base::Measure;

use crate::join::{Order, Pieced};
use crate::line_starts::{LineStarts, Strength};
use crate::options::{ChunkOptions, Strategy};
use crate::outline::Outline;
use crate::unit::Unit;
use crate::{fixed, semantic, symbol};

/// Maximum number of bytes per token in the first try between characters.
const BYTES_PER_TOKEN: usize = 8;

/// Text that is being cut.
pub(crate) struct Pieces<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: &'a LineStarts,
    pub(crate) outline: &'a Outline,
    pub(crate) options: &'a ChunkOptions,
    pub(crate) measure: &'a dyn Measure,
    /// Ranges of messages or records, if there are any.
    pub(crate) records: Option<Vec<Range<usize>>>,
    /// Contexts of chunks, by their innermost entry.
    pub(crate) contexts: RefCell<HashMap<usize, Rc<str>>>,
}

impl Pieces<'_> {
    /// Returns the ranges that the chunks cover without overlaps.
    pub(crate) fn all(&self) -> Vec<Range<usize>> {
        let whole = 0..self.text.len();
        if let Some(records) = &self.records {
            let unit = Unit::of_ranges(whole, records.iter().cloned());
            return semantic::pieces(self, &unit);
        }
        match self.options.strategy() {
            Strategy::Fixed => fixed::pieces(self),
            Strategy::Semantic => {
                semantic::pieces(self, &Unit::of_outline(self.outline, whole.end))
            }
            Strategy::Symbol => symbol::pieces(self, &Unit::of_outline(self.outline, whole.end)),
        }
    }

    /// Returns whether a range fits into a chunk, together with its context and overlap.
    pub(crate) fn fits(&self, part: Range<usize>) -> bool {
        self.tokens(part).is_some()
    }

    /// Counts the tokens of a range with its context. Returns `None` if they do not fit.
    fn tokens(&self, part: Range<usize>) -> Option<usize> {
        let context = self.context(part.start);
        let room = self.options.room();
        self.measure.within(&context, part, room)
    }

    /// Joins pieces while they fit into a chunk.
    pub(crate) fn joined(&self, pieced: Pieced) -> Vec<Range<usize>> {
        pieced.joined(self.options.room(), |part| self.tokens(part))
    }

    /// Returns whether a single unit fits into a chunk without overlap: a shorter overlap is better
    /// than a cut.
    pub(crate) fn fits_whole(&self, part: Range<usize>) -> bool {
        let context = self.context(part.start);
        let limit = self.options.tokens();
        self.measure.within(&context, part, limit).is_some()
    }

    /// Returns the context of a chunk that starts at a byte: the headings of the enclosing entries,
    /// innermost first, up to a quarter of the chunk.
    pub(crate) fn context(&self, at: usize) -> Rc<str> {
        let around = match self.options.strategy() {
            Strategy::Fixed => None,
            _ => self.outline.innermost(at),
        };
        let Some(innermost) = around else {
            return Rc::from("");
        };
        if let Some(known) = self.contexts.borrow().get(&innermost) {
            return Rc::clone(known);
        }
        let mut context = String::new();
        for heading in self.outline.headings(innermost, at) {
            let longer = format!("{heading}\n{context}");
            let quarter = self.options.room() / 4;
            if self.measure.within(&longer, 0..0, quarter).is_none() {
                break;
            }
            context = longer;
        }
        let context: Rc<str> = context.into();
        let mut contexts = self.contexts.borrow_mut();
        contexts.insert(innermost, Rc::clone(&context));
        context
    }

    /// Returns the order of the seam before a unit: by its heading, so that only a new name moves
    /// it, or by its first words.
    pub(crate) fn order_of(&self, unit: &Unit) -> Order {
        let entry = unit.entry.and_then(|at| self.outline.entries().get(at));
        match entry {
            Some(entry) => Order::named(&entry.heading, self.text, unit.range.start),
            None => Order::after(self.text, unit.range.start),
        }
    }

    /// Splits a range into pieces that end at lines.
    pub(crate) fn lines(
        &self,
        part: Range<usize>,
        strength: impl Fn(&str, &str) -> Strength,
    ) -> Vec<Range<usize>> {
        let (mut joined, mut pieced) = (Vec::new(), Pieced::default());
        let mut before = "";
        for line in self.lines.within(part) {
            let words = &self.text[line.clone()];
            let order = Order::after(self.text, line.start);
            let seam = (strength(before, words), order);
            before = words;
            match self.fits(line.clone()) {
                true => pieced.push(Some(seam), [line]),
                false => pieced.push(Some(seam), self.words(line)),
            }
            self.join_front(&mut pieced, &mut joined);
        }
        joined.extend(self.joined(pieced));
        joined
    }

    /// Splits a range into pieces that end after words.
    fn words(&self, part: Range<usize>) -> Vec<Range<usize>> {
        let (mut joined, mut pieced) = (Vec::new(), Pieced::default());
        let mut seam = 0;
        let mut start = part.start;
        let mut last = ' ';
        for (at, letter) in self.text[part.clone()].char_indices() {
            let at = part.start + at;
            if letter.is_alphanumeric() && !last.is_alphanumeric() && start < at {
                self.push_word(&mut pieced, seam, start..at);
                seam = strength_behind(last);
                start = at;
                self.join_front(&mut pieced, &mut joined);
            }
            last = letter;
        }
        self.push_word(&mut pieced, seam, start..part.end);
        joined.extend(self.joined(pieced));
        joined
    }

    /// Joins the front of the pieces if there are many, so that their memory is bounded.
    fn join_front(&self, pieced: &mut Pieced, joined: &mut Vec<Range<usize>>) {
        // A part has room for at least two chunks of the longest kind: a word is a token or more.
        let most = self.options.room().saturating_mul(4).max(Pieced::MOST);
        if pieced.len() >= most {
            joined.extend(self.joined(pieced.take_front()));
        }
    }

    fn push_word(&self, pieced: &mut Pieced, seam: Strength, word: Range<usize>) {
        let seam = Some((seam, Order::after(self.text, word.start)));
        match self.fits(word.clone()) {
            true => pieced.push(seam, [word]),
            false => pieced.push(seam, self.characters(word)),
        }
    }

    /// Splits a range into pieces of maximum length.
    fn characters(&self, part: Range<usize>) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut start = part.start;
        while start < part.end {
            let end = self.longest(start, part.end);
            pieces.push(start..end);
            start = end;
        }
        pieces
    }

    /// Returns the end of the longest range from `start` that fits, at least one character.
    fn longest(&self, start: usize, end: usize) -> usize {
        let most = self.options.room().saturating_mul(BYTES_PER_TOKEN);
        let next = |at: usize| {
            let letter = self.text[at..].chars().next();
            at + letter.map_or(1, char::len_utf8)
        };
        let mut fitting = next(start);
        let mut over = end.min(start.saturating_add(most)) + 1;
        loop {
            let middle = self.text.floor_char_boundary(fitting.midpoint(over));
            let middle = middle.max(next(fitting));
            if middle >= over || middle > end {
                return fitting;
            }
            match self.fits(start..middle) {
                true => fitting = middle,
                false => over = middle,
            }
        }
    }
}

/// Returns how strongly a character at the end of a word separates it from the next one.
fn strength_behind(sign: char) -> Strength {
    match sign {
        ';' | '}' | '.' | '\n' => 2,
        ',' | ')' | '>' | ' ' | '\t' => 1,
        _ => 0,
    }
}
