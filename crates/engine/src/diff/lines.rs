//! Lines in which two texts differ.

use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, InternedInput, TokenSource};

/// A replacement of the old lines `before` by the new lines `after`. One of the ranges may be
/// empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) before: std::ops::Range<usize>,
    pub(super) after: std::ops::Range<usize>,
}

/// Number of lines that a change adds and removes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// Lines that only the new text has.
    pub added: usize,
    /// Lines that only the old text has.
    pub removed: usize,
}

/// Lines of a text with their newlines.
struct Lines<'a>(&'a str);

impl<'a> TokenSource for Lines<'a> {
    type Token = &'a str;
    type Tokenizer = std::str::SplitInclusive<'a, char>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.split_inclusive('\n')
    }

    fn estimate_tokens(&self) -> u32 {
        u32::try_from(self.0.len() / 32 + 1).unwrap_or(u32::MAX)
    }
}

/// Lines without their line endings, so that texts that differ only in them are equal.
struct BareLines<'a>(&'a str);

impl<'a> TokenSource for BareLines<'a> {
    type Token = &'a str;
    type Tokenizer = std::iter::Map<std::str::SplitInclusive<'a, char>, fn(&'a str) -> &'a str>;

    fn tokenize(&self) -> Self::Tokenizer {
        let bare: fn(&'a str) -> &'a str = |line| line.trim_end_matches(['\n', '\r']);
        self.0.split_inclusive('\n').map(bare)
    }

    fn estimate_tokens(&self) -> u32 {
        Lines(self.0).estimate_tokens()
    }
}

/// Returns the hunks that turn `old` into `new`, in order.
pub(super) fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    of_input(&InternedInput::new(Lines(old), Lines(new)))
}

/// Returns the hunks, ignoring line endings.
pub(super) fn bare_hunks(old: &str, new: &str) -> Vec<Hunk> {
    of_input(&InternedInput::new(BareLines(old), BareLines(new)))
}

fn of_input(input: &InternedInput<&str>) -> Vec<Hunk> {
    let mut diff = Diff::compute(Algorithm::Histogram, input);
    diff.postprocess_lines(input);
    let range = |range: std::ops::Range<u32>| range.start as usize..range.end as usize;
    diff.hunks()
        .map(|hunk| Hunk {
            before: range(hunk.before),
            after: range(hunk.after),
        })
        .collect()
}

/// Counts the lines that the change from `old` to `new` adds and removes.
pub fn count_changes(old: &[u8], new: &[u8]) -> LineCounts {
    let input = InternedInput::new(byte_lines(old), byte_lines(new));
    // The algorithm with which git counts.
    let diff = Diff::compute(Algorithm::Myers, &input);
    LineCounts {
        added: diff.count_additions() as usize,
        removed: diff.count_removals() as usize,
    }
}

/// Returns the share of the larger text that both have in common, in percent of bytes.
pub fn similarity(old: &str, new: &str) -> usize {
    let largest = old.len().max(new.len());
    if largest == 0 {
        return 100;
    }
    let hunks = hunks(old, new);
    let lengths: Vec<usize> = old.split_inclusive('\n').map(str::len).collect();
    let gone = |hunk: &Hunk| lengths[hunk.before.clone()].iter().sum::<usize>();
    let common = old.len() - hunks.iter().map(gone).sum::<usize>();
    common * 100 / largest
}
