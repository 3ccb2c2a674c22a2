//! Redacts text that arrives in fragments. Emits text as soon as it cannot be part of a secret, and
//! withholds the rest: the last word, and the text after a name for a secret until its value ends.

use crate::allow::Allow;
use crate::finding::{Confidence, Finding};
use crate::place::TextContext;
use crate::redact::{Numbers, Replaced, redact};
use crate::scanner::Scanner;
use crate::triggers::{Hit, Trigger, triggers};
use crate::{calls, columns, der_keys, formats, jwk, key_blocks, logins, named};

/// Maximum text before a finding that influences it.
const CONTEXT: usize = 4096;

/// Maximum distance from the end of a start that may continue.
const FARTHEST: usize = 3 * CONTEXT;

/// More than the length of the longest trigger: `:aad3b435b51404eeaad3b435b51404ee:`.
const LONGEST_TRIGGER: usize = 40;

/// Redacts a stream of text.
///
/// The result does not depend on how the text is split.
///
/// ```
/// use loom_secrets::Sanitizer;
///
/// let mut sanitizer = Sanitizer::new();
/// let mut out = sanitizer.push("my pass");
/// out += &sanitizer.push("word = \"vK8#pq");
/// out += &sanitizer.push("2Zr!\"\nbye");
/// out += &sanitizer.finish();
/// assert_eq!(out, "my password = \"[REDACTED:password:1]\"\nbye");
/// ```
#[derive(Debug)]
pub struct Sanitizer {
    scanner: Scanner,
    numbers: Numbers,
    /// The last emitted original text, and the withheld text.
    text: String,
    /// Number of emitted bytes in it.
    given: usize,
    found: usize,
}

impl Default for Sanitizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Sanitizer {
    /// Creates a sanitizer that redacts probable secrets. Ignores remarks in the text, because the
    /// author of a stream is not its reader.
    pub fn new() -> Self {
        Self::at_least(Confidence::Medium)
    }

    /// Creates a sanitizer with a minimum confidence.
    pub fn at_least(least: Confidence) -> Self {
        Self {
            scanner: Scanner::new().at_least(least).allowing(Allow::nothing()),
            numbers: Numbers::default(),
            text: String::new(),
            given: 0,
            found: 0,
        }
    }

    /// Adds a fragment. Returns the text that is safe to emit.
    pub fn push(&mut self, fragment: &str) -> String {
        self.text.push_str(fragment);
        let safe = self.safe();
        self.give(safe, false)
    }

    /// Ends the text and returns the rest.
    pub fn finish(&mut self) -> String {
        self.give(self.text.len(), true)
    }

    /// Returns the number of withheld bytes.
    pub fn held(&self) -> usize {
        self.text.len() - self.given
    }

    /// Returns the number of redacted secrets.
    pub fn found(&self) -> usize {
        self.found
    }

    /// Returns the end of the text whose findings cannot change any more.
    fn safe(&self) -> usize {
        let bytes = self.text.as_bytes();
        let held = &bytes[self.given..];
        let word = held.iter().rposition(u8::is_ascii_whitespace);
        let word = word.filter(|at| held.len() - at < 4 * formats::LONGEST);
        let mut safe = match word {
            Some(at) => self.given + at + 1,
            // An endless word: no token is that long.
            None if held.len() > 4 * formats::LONGEST => bytes.len() - 2 * formats::LONGEST,
            None => self.given,
        };
        safe = safe.min(named::first_open(bytes, self.given));
        safe = safe.min(first_open(bytes, self.given));
        let blocks = [key_blocks::open_block(bytes), der_keys::open_key(bytes)];
        safe = blocks.into_iter().flatten().fold(safe, usize::min);
        // White space may end a value that is still compared with the following text.
        while safe > self.given && bytes[safe - 1].is_ascii_whitespace() {
            safe -= 1;
        }
        while safe > self.given && !self.text.is_char_boundary(safe) {
            safe -= 1;
        }
        safe.max(self.given)
    }

    fn give(&mut self, mut safe: usize, is_end: bool) -> String {
        if safe <= self.given {
            return String::new();
        }
        let findings = self.scanner.scan(&self.text, TextContext::default());
        let mut findings: Vec<Finding> = findings
            .into_iter()
            .filter(|finding| finding.span.start >= self.given)
            .collect();
        // A finding that crosses the end is withheld as a whole.
        if let Some(across) = findings
            .iter()
            .find(|finding| finding.span.end > safe && finding.span.start < safe)
        {
            safe = across.span.start;
        }
        findings.retain(|finding| finding.span.end <= safe);
        self.found += findings.len();
        let mut plan = Replaced::plan(&self.text, &findings, &mut self.numbers);
        for one in &mut plan {
            one.from = one.from.start - self.given..one.from.end - self.given;
        }
        let out = redact(&self.text[self.given..safe], &plan);
        self.given = safe;
        if !is_end {
            self.forget();
        }
        out
    }

    /// Drops text that no finding depends on any more, up to the end of a line or word.
    fn forget(&mut self) {
        let Some(far) = self.given.checked_sub(2 * CONTEXT) else {
            return;
        };
        let bytes = self.text.as_bytes();
        let from = self.given - CONTEXT;
        let cut = bytes[far..from].iter().rposition(|byte| *byte == b'\n');
        let mut cut = cut.map_or(from, |at| far + at + 1);
        while !self.text.is_char_boundary(cut) {
            cut += 1;
        }
        self.text.drain(..cut);
        self.given -= cut;
    }
}

/// Returns the first position at or after `from` that starts something which may continue after the
/// end of the text.
fn first_open(bytes: &[u8], from: usize) -> usize {
    // The first of several words of a trigger may have been emitted before the next one arrived.
    let near = from.saturating_sub(LONGEST_TRIGGER);
    let far = bytes.len().saturating_sub(FARTHEST).max(near);
    let hits = triggers(&bytes[far..]).into_iter().map(|hit| Hit {
        start: far + hit.start,
        end: far + hit.end,
        ..hit
    });
    let is_open = |hit: &Hit| match hit.trigger {
        Trigger::SecretArgument(_) => hit.start + calls::REACH > bytes.len(),
        Trigger::Login(_) => hit.start + logins::REACH > bytes.len(),
        Trigger::Insert => columns::is_open(bytes, hit),
        Trigger::Member => jwk::is_open(bytes, hit),
        Trigger::KeyType | Trigger::Mark(_) => false,
    };
    let mut open = hits.filter(is_open);
    open.next().map_or(bytes.len(), |hit| hit.start.max(from))
}
