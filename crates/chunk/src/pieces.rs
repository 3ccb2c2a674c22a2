//! What fits into a chunk, and how something that does not fit is taken apart: at its
//! lines, then at its words, then between characters.

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

/// The most bytes for each token that are tried at once between characters.
const BYTES_PER_TOKEN: usize = 8;

/// A text that is being cut.
pub(crate) struct Pieces<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: &'a LineStarts,
    pub(crate) outline: &'a Outline,
    pub(crate) options: &'a ChunkOptions,
    pub(crate) measure: &'a dyn Measure,
    /// Where messages or records lie, where there are any.
    pub(crate) records: Option<Vec<Range<usize>>>,
    /// What stands before chunks, by the innermost entry that they lie in.
    pub(crate) contexts: RefCell<HashMap<usize, Rc<str>>>,
}

impl Pieces<'_> {
    /// The parts of the text that each chunk alone has.
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

    /// Whether a part has room in a chunk, beside what stands before it and what repeats
    /// the chunk before.
    pub(crate) fn fits(&self, part: Range<usize>) -> bool {
        self.tokens(part).is_some()
    }

    /// Gives the tokens of a part with what stands before it, where it has room.
    fn tokens(&self, part: Range<usize>) -> Option<usize> {
        let context = self.context(part.start);
        let room = self.options.room();
        self.measure.within(&context, part, room)
    }

    /// Joins pieces while they have room in a chunk.
    pub(crate) fn joined(&self, pieced: Pieced) -> Vec<Range<usize>> {
        pieced.joined(self.options.room(), |part| self.tokens(part))
    }

    /// Whether something that is one has room in a chunk: rather than cut it, less is
    /// repeated.
    pub(crate) fn fits_whole(&self, part: Range<usize>) -> bool {
        let context = self.context(part.start);
        let limit = self.options.tokens();
        self.measure.within(&context, part, limit).is_some()
    }

    /// What stands before a chunk that starts at a byte: the lines of what it lies in,
    /// those around it as far as they take a quarter of the room.
    pub(crate) fn context(&self, at: usize) -> Rc<str> {
        let around = match self.options.strategy() {
            Strategy::Fixed => None,
            _ => self.outline.around(at),
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

    /// The place of the seam before a unit: by what it is called, so that only a new name
    /// moves it, or by its first words.
    pub(crate) fn order_of(&self, unit: &Unit) -> Order {
        let entry = unit.entry.and_then(|at| self.outline.entries().get(at));
        match entry {
            Some(entry) => Order::named(&entry.heading, self.text, unit.range.start),
            None => Order::behind(self.text, unit.range.start),
        }
    }

    /// A part in pieces that end at lines.
    pub(crate) fn lines(
        &self,
        part: Range<usize>,
        strength: impl Fn(&str, &str) -> Strength,
    ) -> Vec<Range<usize>> {
        let mut pieced = Pieced::default();
        let mut before = "";
        for line in self.lines.within(part) {
            let words = &self.text[line.clone()];
            let order = Order::behind(self.text, line.start);
            let seam = (strength(before, words), order);
            before = words;
            match self.fits(line.clone()) {
                true => pieced.push(Some(seam), [line]),
                false => pieced.push(Some(seam), self.words(line)),
            }
        }
        self.joined(pieced)
    }

    /// A part in pieces that end behind words.
    fn words(&self, part: Range<usize>) -> Vec<Range<usize>> {
        let mut pieced = Pieced::default();
        let mut seam = 0;
        let mut start = part.start;
        let mut last = ' ';
        for (at, letter) in self.text[part.clone()].char_indices() {
            let at = part.start + at;
            if letter.is_alphanumeric() && !last.is_alphanumeric() && start < at {
                self.push_word(&mut pieced, seam, start..at);
                seam = strength_behind(last);
                start = at;
            }
            last = letter;
        }
        self.push_word(&mut pieced, seam, start..part.end);
        self.joined(pieced)
    }

    fn push_word(&self, pieced: &mut Pieced, seam: Strength, word: Range<usize>) {
        let seam = Some((seam, Order::behind(self.text, word.start)));
        match self.fits(word.clone()) {
            true => pieced.push(seam, [word]),
            false => pieced.push(seam, self.characters(word)),
        }
    }

    /// A part in pieces as long as they can be.
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

    /// The end of what fits from `start` on, at least one character.
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

/// How strongly a sign at the end of a word parts it from the next.
fn strength_behind(sign: char) -> Strength {
    match sign {
        ';' | '}' | '.' | '\n' => 2,
        ',' | ')' | '>' | ' ' | '\t' => 1,
        _ => 0,
    }
}
