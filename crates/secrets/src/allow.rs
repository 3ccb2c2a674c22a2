//! What is known and allowed: a remark on the line.

use crate::finding::Finding;

/// What is not reported.
#[derive(Clone, Debug, Default)]
pub struct Allow {
    _private: (),
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
    /// Whether a finding is allowed by a remark on its first or last line.
    pub(crate) fn allows(&self, text: &str, finding: &Finding) -> bool {
        let bytes = text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[..finding.span.start]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[finding.span.end..]);
        let end = end.map_or(bytes.len(), |at| finding.span.end + at);
        let lines = &bytes[start..end];
        REMARKS.iter().any(|remark| memchr::memmem::find(lines, remark).is_some())
    }
}
