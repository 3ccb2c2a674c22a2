//! Allowed findings: those on a line with a remark, and those of a baseline.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::finding::Finding;

/// Identifies a finding in a baseline: a hash of its path, kind and secret. It is so short that
/// many entries of any list of guesses share it, so it confirms none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u16);

impl Fingerprint {
    /// Computes the fingerprint of a finding in the text of `path`.
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

/// Findings that a scan does not report.
#[derive(Clone, Debug)]
pub struct Allow {
    remarks: bool,
    known: HashSet<Fingerprint>,
}

impl Default for Allow {
    /// Allows the findings on lines with a remark.
    fn default() -> Self {
        Self {
            remarks: true,
            known: HashSet::new(),
        }
    }
}

/// Remarks that allow a line: ours, and those of other scanners.
const REMARKS: &[&[u8]] = &[
    b"infiniloom:allow",
    b"gitleaks:allow",
    b"pragma: allowlist secret",
    b"kingfisher:ignore",
    b"betterleaks:allow",
];

/// Maximum distance of a remark from the finding: in a file of one line, a remark must not allow
/// everything.
const REACH: usize = 1000;

impl Allow {
    /// Allows no finding.
    pub fn nothing() -> Self {
        Self {
            remarks: false,
            known: HashSet::new(),
        }
    }

    /// Allows the findings of a baseline, too.
    #[must_use]
    pub fn with_known(mut self, known: impl IntoIterator<Item = Fingerprint>) -> Self {
        self.known.extend(known);
        self
    }

    /// Returns the line ranges that remarks allow, in order.
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

    /// Returns true if the baseline contains the finding.
    pub fn is_known(&self, path: &str, text: &str, finding: &Finding) -> bool {
        !self.known.is_empty() && self.known.contains(&Fingerprint::of(path, text, finding))
    }
}
