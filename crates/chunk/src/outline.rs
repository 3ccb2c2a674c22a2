//! What a text is divided into by those who wrote it: symbols or sections, with the line
//! that says what each is.

use std::ops::Range;

/// What an entry is, as far as cutting is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Something that is run.
    Function,
    /// A section of a document.
    Section,
    /// A type, a constant, a key.
    Other,
}

/// A symbol or section.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its lines, with the documentation before it.
    pub(crate) range: Range<usize>,
    /// Where its heading ends: what starts behind it lies in it.
    pub(crate) head: usize,
    /// What it is called in the list of symbols, and where its name stands; nothing for
    /// what is too small to be told.
    pub(crate) name: Option<(String, usize)>,
    /// The line that says what it is.
    pub(crate) heading: String,
    pub(crate) role: Role,
    /// The entry around it, which comes before it.
    pub(crate) parent: Option<usize>,
}

/// The entries of a text, ordered by their starts.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    entries: Vec<Entry>,
    /// What is told by name, ordered by where the names stand.
    names: Vec<(usize, String)>,
}

impl Outline {
    pub(crate) fn new(mut entries: Vec<Entry>) -> Self {
        let named = entries.iter_mut().filter_map(|entry| entry.name.take());
        let mut names: Vec<_> = named.map(|(name, at)| (at, name)).collect();
        names.sort();
        Self { entries, names }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether an entry lies in another one, or in none, directly or not.
    pub(crate) fn is_within(&self, at: usize, parent: Option<usize>) -> bool {
        let Some(parent) = parent else { return true };
        self.ancestors(self.parent(at)).any(|one| one == parent)
    }

    /// The innermost entry that something which starts at a byte lies in.
    pub(crate) fn around(&self, at: usize) -> Option<usize> {
        let last = self.entries.partition_point(|entry| entry.head < at);
        self.ancestors(last.checked_sub(1))
            .find(|one| self.holds(*one, at))
    }

    /// The lines that say what an entry is and what it lies in, innermost first.
    pub(crate) fn headings(&self, innermost: usize, at: usize) -> impl Iterator<Item = &str> {
        let around = self.ancestors(Some(innermost));
        let around = around.filter(move |one| self.holds(*one, at));
        around.filter_map(|one| self.entries.get(one).map(|entry| entry.heading.as_str()))
    }

    fn holds(&self, number: usize, at: usize) -> bool {
        let entry = self.entries.get(number);
        entry.is_some_and(|entry| entry.head < at && at < entry.range.end)
    }

    /// What is defined in a part.
    pub(crate) fn names(&self, part: &Range<usize>) -> Vec<String> {
        let first = self.names.partition_point(|(at, _)| *at < part.start);
        let named = self.names.iter().skip(first);
        let named = named.take_while(|(at, _)| *at < part.end);
        named.map(|(_, name)| name.clone()).collect()
    }

    fn parent(&self, at: usize) -> Option<usize> {
        self.entries.get(at).and_then(|entry| entry.parent)
    }

    /// An entry and those around it. Parents come before, so that this ends.
    fn ancestors(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(from, |at| self.parent(*at).filter(|parent| parent < at))
    }
}
