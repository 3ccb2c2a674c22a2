//! A finding with its position, for reports and messages.

use loom_base::RepoPath;
use loom_secrets::{Confidence, Finding, Fingerprint};
use loom_wire::SecretInfo;

/// Location, kind and reasons of a secret, but never the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSecret {
    /// Path of the file as displayed, or the name of another text.
    pub path: String,
    /// Path of the file.
    pub file: RepoPath,
    /// Its first line, counted from 1.
    pub line: usize,
    /// Its last line.
    pub end_line: usize,
    /// Column of its start in characters, from 1.
    pub column: usize,
    /// Column after its end on its last line.
    pub end_column: usize,
    /// Kind of secret.
    pub kind: &'static str,
    /// Confidence of the detection.
    pub confidence: Confidence,
    /// Reasons in words.
    pub reasons: Vec<&'static str>,
    /// Fingerprint, by which a baseline identifies it.
    pub fingerprint: Fingerprint,
    /// Placeholder in the output; `None` if it was not redacted.
    pub placeholder: Option<String>,
    /// Commit that added it, if history was scanned.
    pub commit: Option<String>,
}

impl FoundSecret {
    /// Locates all findings in the text of `file`, in one pass over it.
    pub fn all(file: &RepoPath, text: &str, findings: &[Finding]) -> Vec<Self> {
        let path = file.display();
        let (mut line, mut column, mut at) = (1, 1, 0);
        let one = |finding: &Finding| {
            let before = &text[at..finding.span.start];
            line += count_lines(before);
            column = match before.rfind('\n') {
                Some(end) => 1 + before[end + 1..].chars().count(),
                None => column + before.chars().count(),
            };
            at = finding.span.start;
            let secret = &text[finding.span.clone()];
            let end_column = match secret.rfind('\n') {
                Some(end) => 1 + secret[end + 1..].chars().count(),
                None => column + secret.chars().count(),
            };
            Self {
                path: path.to_string(),
                file: file.clone(),
                line,
                end_line: line + count_lines(secret),
                column,
                end_column,
                kind: finding.kind,
                confidence: finding.confidence,
                reasons: finding.reasons.clone(),
                fingerprint: Fingerprint::of(&path, text, finding),
                placeholder: None,
                commit: None,
            }
        };
        findings.iter().map(one).collect()
    }
}

impl FoundSecret {
    /// Converts the finding for programs.
    pub fn to_wire(&self) -> SecretInfo {
        SecretInfo {
            path: self.path.clone(),
            line: self.line,
            end_line: self.end_line,
            column: self.column,
            end_column: self.end_column,
            kind: self.kind.to_owned(),
            confidence: self.confidence.name().to_owned(),
            reasons: self.reasons.iter().map(ToString::to_string).collect(),
            placeholder: self.placeholder.clone(),
            commit: self.commit.clone(),
        }
    }
}

fn count_lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}
