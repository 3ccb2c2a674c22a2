//! The outline of a text: its symbols or sections, each with a heading line.

use std::ops::Range;

/// Role of an entry for cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Executable code.
    Function,
    /// Section of a document.
    Section,
    /// Type, constant or key.
    Other,
}

/// Symbol or section.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Byte range of its lines, including the documentation before it.
    pub(crate) range: Range<usize>,
    /// End of its heading: text that starts after it is inside the entry.
    pub(crate) head: usize,
    /// Qualified name and its position; `None` for symbols that are too small for the list of
    /// names.
    pub(crate) name: Option<(String, usize)>,
    /// Heading: the line that declares it.
    pub(crate) heading: String,
    pub(crate) role: Role,
    /// Index of the enclosing entry, which comes before it.
    pub(crate) parent: Option<usize>,
}

/// Entries of a text, ordered by their starts.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    entries: Vec<Entry>,
    /// Names of the entries, ordered by position.
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

    /// Returns whether an entry is inside `parent`, directly or not. `None` contains all entries.
    pub(crate) fn is_within(&self, at: usize, parent: Option<usize>) -> bool {
        let Some(parent) = parent else { return true };
        self.ancestors(self.parent(at)).any(|one| one == parent)
    }

    /// Returns the innermost entry that contains text starting at a byte.
    pub(crate) fn innermost(&self, at: usize) -> Option<usize> {
        let last = self.entries.partition_point(|entry| entry.head < at);
        self.ancestors(last.checked_sub(1))
            .find(|one| self.contains(*one, at))
    }

    /// Returns the headings of an entry and of the entries around it, innermost first.
    pub(crate) fn headings(&self, innermost: usize, at: usize) -> impl Iterator<Item = &str> {
        let around = self.ancestors(Some(innermost));
        let around = around.filter(move |one| self.contains(*one, at));
        around.filter_map(|one| self.entries.get(one).map(|entry| entry.heading.as_str()))
    }

    fn contains(&self, number: usize, at: usize) -> bool {
        let entry = self.entries.get(number);
        entry.is_some_and(|entry| entry.head < at && at < entry.range.end)
    }

    /// Returns the names that are defined in a range.
    pub(crate) fn names(&self, part: &Range<usize>) -> Vec<String> {
        let first = self.names.partition_point(|(at, _)| *at < part.start);
        let named = self.names.iter().skip(first);
        let named = named.take_while(|(at, _)| *at < part.end);
        named.map(|(_, name)| name.clone()).collect()
    }

    fn parent(&self, at: usize) -> Option<usize> {
        self.entries.get(at).and_then(|entry| entry.parent)
    }

    /// Returns an entry and its ancestors. Parents have smaller indices, so the iteration ends.
    fn ancestors(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(from, |at| self.parent(*at).filter(|parent| parent < at))
    }
}
