//! What is known and allowed: a remark on the line, or a finding of a baseline.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::finding::Finding;

/// A finding in a baseline: of a path, a kind and a secret. So short that of any list
/// of guesses many have the same one: it confirms none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u16);

impl Fingerprint {
    /// The fingerprint of a finding in the text of `path`.
    pub fn of(path: &str, text: &str, finding: &Finding) -> Self {
        let secret = &text[finding.span.clone()];
        let whole = format!("{path}\0{}\0{secret}", finding.kind);
        let hash = blake3::hash(whole.as_bytes());
        let [a, b, ..] = *hash.as_bytes();
        Self(u16::from_be_bytes([a, b]))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04x}", self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u16::from_str_radix(text, 16).map(Self)
    }
}

/// What is not reported.
#[derive(Clone, Debug)]
pub struct Allow {
    remarks: bool,
    known: HashSet<Fingerprint>,
}

impl Default for Allow {
    /// What remarks allow.
    fn default() -> Self {
        Self {
            remarks: true,
            known: HashSet::new(),
        }
    }
}

/// Remarks by which people allow a line: ours, and those of other scanners.
const REMARKS: &[&[u8]] = &[
    b"infiniloom:allow",
    b"gitleaks:allow",
    b"pragma: allowlist secret",
    b"kingfisher:ignore",
    b"betterleaks:allow",
];

/// How far a remark reaches on its line: one in a file of one line allows little.
const REACH: usize = 1000;

impl Allow {
    /// Nothing at all.
    pub fn nothing() -> Self {
        Self {
            remarks: false,
            known: HashSet::new(),
        }
    }

    /// Also what a baseline names.
    #[must_use]
    pub fn with_known(mut self, known: impl IntoIterator<Item = Fingerprint>) -> Self {
        self.known.extend(known);
        self
    }

    /// The lines that a remark allows, in order.
    pub(crate) fn lines(&self, text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let mut lines = Vec::new();
        for remark in REMARKS.iter().filter(|_| self.remarks) {
            for at in memchr::memmem::find_iter(bytes, remark) {
                let (from, to) = (at.saturating_sub(REACH), bytes.len().min(at + REACH));
                let start =
                    memchr::memrchr(b'\n', &bytes[from..at]).map_or(from, |end| from + end + 1);
                let end = memchr::memchr(b'\n', &bytes[at..to]).map_or(to, |end| at + end);
                lines.push(start..end);
            }
        }
        lines.sort_by_key(|line| line.start);
        lines
    }

    /// Whether a baseline names the finding.
    pub fn is_known(&self, path: &str, text: &str, finding: &Finding) -> bool {
        !self.known.is_empty() && self.known.contains(&Fingerprint::of(path, text, finding))
    }
}
