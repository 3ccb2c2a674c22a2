//! A secret that was found, as reports and messages tell of it.

use loom_base::RepoPath;
use loom_secrets::{Confidence, Finding, Fingerprint};
use loom_wire::SecretInfo;

/// A secret that was found: where, what and why, never itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSecret {
    /// The file, or what else it stood in, as people see it.
    pub path: String,
    /// The same as it is.
    pub file: RepoPath,
    /// Its first line, counted from 1.
    pub line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The character of the line where it begins, counted from 1.
    pub column: usize,
    /// The character behind it on its last line.
    pub end_column: usize,
    /// What it is taken for.
    pub kind: &'static str,
    /// How sure that is.
    pub confidence: Confidence,
    /// Why, in words.
    pub reasons: Vec<&'static str>,
    /// By which a baseline knows it.
    pub fingerprint: Fingerprint,
    /// What stands in its place; `None` where it was left.
    pub placeholder: Option<String>,
    /// The commit that brought it in, where history was scanned.
    pub commit: Option<String>,
}

impl FoundSecret {
    /// All findings in the text of `path`, in one pass over it.
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
    /// The same for programs.
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
