//! The nested units of a text: each is the sum of its inner units, so that no text is lost between
//! them.

use std::ops::Range;

use crate::outline::{Outline, Role};

/// Range of a text that should stay together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Byte range.
    pub(crate) range: Range<usize>,
    /// Inner units, without gaps; empty if only its lines are known.
    pub(crate) inner: Vec<Unit>,
    /// Role; `None` for text between symbols.
    pub(crate) role: Option<Role>,
    /// Index in the outline, if it has one.
    pub(crate) entry: Option<usize>,
}

/// Maximum nesting; deeper entries are cut by lines.
const DEEPEST: usize = 64;

impl Unit {
    /// Creates a unit of which only the lines are known.
    pub(crate) fn plain(range: Range<usize>) -> Self {
        Self {
            range,
            inner: Vec::new(),
            role: None,
            entry: None,
        }
    }

    /// Creates a unit from ordered, disjoint `ranges` and the text between them.
    pub(crate) fn of_ranges(
        whole: Range<usize>,
        ranges: impl Iterator<Item = Range<usize>>,
    ) -> Self {
        let mut inner = Vec::new();
        let mut at = whole.start;
        for range in ranges {
            if range.start < at || range.end > whole.end || range.is_empty() {
                continue;
            }
            if at < range.start {
                inner.push(Self::plain(at..range.start));
            }
            at = range.end;
            inner.push(Self::plain(range));
        }
        if at < whole.end && !inner.is_empty() {
            inner.push(Self::plain(at..whole.end));
        }
        Self {
            range: whole,
            inner,
            role: None,
            entry: None,
        }
    }

    /// Creates a unit of a whole text from the entries of an outline.
    pub(crate) fn of_outline(outline: &Outline, length: usize) -> Self {
        let mut at = 0;
        let inner = nested(outline, &mut at, None, 0..length, 0);
        Self {
            range: 0..length,
            inner,
            role: None,
            entry: None,
        }
    }

    /// Returns whether it contains a unit with its own chunk.
    pub(crate) fn holds(&self, is_alone: &impl Fn(Role) -> bool) -> bool {
        let one = |unit: &Self| unit.role.is_some_and(is_alone) || unit.holds(is_alone);
        self.inner.iter().any(one)
    }
}

/// Returns the units of the entries from `at` that are inside `parent`.
fn nested(
    outline: &Outline,
    at: &mut usize,
    parent: Option<usize>,
    whole: Range<usize>,
    depth: usize,
) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut end = whole.start;
    while let Some(entry) = outline.entries().get(*at) {
        if !outline.is_within(*at, parent) {
            break;
        }
        let number = *at;
        *at += 1;
        let range = entry.range.start.max(end)..entry.range.end.min(whole.end);
        let is_too_deep = depth >= DEEPEST;
        if range.is_empty() || is_too_deep {
            // Entries inside it are cut by lines, too.
            while outline.entries().len() > *at && outline.is_within(*at, Some(number)) {
                *at += 1;
            }
            continue;
        }
        let inner = nested(outline, at, Some(number), range.clone(), depth + 1);
        if end < range.start {
            units.push(Unit::plain(end..range.start));
        }
        end = range.end;
        units.push(Unit {
            range,
            inner,
            role: Some(entry.role),
            entry: Some(number),
        });
    }
    if end < whole.end && !units.is_empty() {
        units.push(Unit::plain(end..whole.end));
    }
    units
}
