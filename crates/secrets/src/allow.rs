//! What is known and allowed: a remark on the line, or a finding of a baseline.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use crate::finding::Finding;

/// A finding in a baseline: of a path, a kind and a secret. Short enough that many
/// secrets share one, so that it gives none away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u32);

impl Fingerprint {
    /// The fingerprint of a finding in the text of `path`.
    pub fn of(path: &str, text: &str, finding: &Finding) -> Self {
        let secret = &text[finding.span.clone()];
        let whole = format!("{path}\0{}\0{secret}", finding.kind);
        let hash = blake3::hash(whole.as_bytes());
        let [a, b, c, d, ..] = *hash.as_bytes();
        Self(u32::from_be_bytes([a, b, c, d]))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u32::from_str_radix(text, 16).map(Self)
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

    /// Whether a finding is allowed by a remark on one of its lines.
    pub(crate) fn by_remark(&self, text: &str, finding: &Finding) -> bool {
        self.remarks && {
            let bytes = text.as_bytes();
            let start = memchr::memrchr(b'\n', &bytes[..finding.span.start]);
            let start = start.map_or(0, |at| at + 1);
            let end = memchr::memchr(b'\n', &bytes[finding.span.end..]);
            let end = end.map_or(bytes.len(), |at| finding.span.end + at);
            let lines = &bytes[start..end];
            let has = |remark: &&&[u8]| memchr::memmem::find(lines, remark).is_some();
            REMARKS.iter().find(has).is_some()
        }
    }

    /// Whether a baseline names the finding.
    pub fn is_known(&self, path: &str, text: &str, finding: &Finding) -> bool {
        !self.known.is_empty() && self.known.contains(&Fingerprint::of(path, text, finding))
    }
}
