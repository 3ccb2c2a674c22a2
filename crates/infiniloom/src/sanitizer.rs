//! Redacts one text that arrives in fragments.

use std::sync::Arc;

use loom_host::IndexUse;

use crate::choices::Confidence;
use crate::layers::SearchLayer;
use crate::session::Choices;
use crate::{Control, Result, Snapshot};

/// A redactor for a text that arrives in fragments. The result does not depend on the positions of
/// the splits.
///
/// ```
/// use infiniloom::Sanitizer;
///
/// let mut sanitizer = Sanitizer::new();
/// let safe = sanitizer.push("my password = \"vK8#pq2Zr!\"\nbye") + &sanitizer.finish();
/// assert_eq!(safe, "my password = \"[REDACTED:password:1]\"\nbye");
/// ```
#[derive(Debug)]
pub struct Sanitizer {
    sanitizer: loom_host::Sanitizer,
    /// The files whose secrets are redacted, too.
    known: Option<Arc<SearchLayer>>,
    /// The start of a line. It is held back until the line is complete, because it may contain a
    /// part of a known secret.
    line: String,
    /// The first bytes of an incomplete character.
    bytes: Vec<u8>,
}

impl Sanitizer {
    /// Creates a sanitizer that redacts likely secrets.
    pub fn new() -> Self {
        Self::with_confidence(Confidence::Medium)
    }

    /// Creates a sanitizer that redacts findings of at least this confidence.
    pub fn with_confidence(least: Confidence) -> Self {
        let level = loom_host::Confidence::ALL.into_iter();
        let mut level = level.filter(|level| level.name() == least.name());
        let level = level.next().unwrap_or(loom_host::Confidence::Medium);
        Self {
            sanitizer: loom_host::Sanitizer::at_least(level),
            known: None,
            line: String::new(),
            bytes: Vec::new(),
        }
    }

    /// Creates a sanitizer that also redacts copies of the secrets in the files of a snapshot. Text
    /// then leaves line by line.
    ///
    /// # Errors
    /// If the known secrets of the snapshot cannot be read.
    pub fn for_snapshot(snapshot: &Snapshot) -> Result<Self> {
        Self::for_snapshot_with(snapshot, &Control::new())
    }

    /// Creates a sanitizer for a snapshot, under the control of the caller.
    ///
    /// # Errors
    /// If the known secrets of the snapshot cannot be read, or the run is cancelled.
    pub fn for_snapshot_with(snapshot: &Snapshot, control: &Control) -> Result<Self> {
        control.run(|| {
            let session = snapshot.session(&Choices::default(), control)?;
            Ok(Self {
                known: Some(snapshot.lines(&session, IndexUse::Auto)?),
                ..Self::new()
            })
        })
    }

    /// Returns the number of secrets redacted so far.
    pub fn found(&self) -> usize {
        self.sanitizer.found()
    }

    /// Adds the next fragment. Returns the text that can no longer be part of a secret.
    pub fn push(&mut self, fragment: &str) -> String {
        let Some(known) = &self.known else {
            return self.sanitizer.push(fragment);
        };
        self.line.push_str(fragment);
        let Some(end) = self.line.rfind('\n') else {
            return String::new();
        };
        let rest = self.line.split_off(end + 1);
        let lines = std::mem::replace(&mut self.line, rest);
        let lines = known.redact_known(&lines).unwrap_or(lines);
        self.sanitizer.push(&lines)
    }

    /// Adds a fragment of bytes, which may end within a character. Bytes that are not UTF-8 become
    /// U+FFFD.
    pub fn push_bytes(&mut self, fragment: &[u8]) -> String {
        self.bytes.extend_from_slice(fragment);
        let mut text = String::with_capacity(self.bytes.len());
        loop {
            match std::str::from_utf8(&self.bytes) {
                Ok(rest) => {
                    text.push_str(rest);
                    self.bytes.clear();
                    return self.push(&text);
                }
                Err(error) => {
                    let (valid, rest) = self.bytes.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(valid));
                    let Some(broken) = error.error_len() else {
                        self.bytes = rest.to_vec();
                        return self.push(&text);
                    };
                    text.push('\u{fffd}');
                    self.bytes = rest[broken..].to_vec();
                }
            }
        }
    }

    /// Ends the text and returns the rest.
    pub fn finish(&mut self) -> String {
        let bytes = std::mem::take(&mut self.bytes);
        let start = self.push(&String::from_utf8_lossy(&bytes));
        start + &self.finish_text()
    }

    fn finish_text(&mut self) -> String {
        let line = std::mem::take(&mut self.line);
        let line = match &self.known {
            Some(known) => known.redact_known(&line).unwrap_or(line),
            None => line,
        };
        self.sanitizer.push(&line) + &self.sanitizer.finish()
    }
}

impl Default for Sanitizer {
    fn default() -> Self {
        Self::new()
    }
}
