//! Decides whether copies of a finding may be redacted without a name next to them. Copies of a
//! common word that is a password stay.

use crate::finding::{Confidence, Finding};
use crate::identifiers::Identifiers;
use crate::names::NameClass;
use crate::random::CharStats;
use crate::vocabulary::is_vocabulary;

/// Minimum length of a value whose copies are redacted, unless its finding is certain.
const SHORTEST: usize = 8;

/// Maximum number of digits in a dictionary word.
const COUNTER: usize = 2;

impl Finding {
    /// Returns true if copies of the value may be redacted: the finding has high confidence, or the
    /// value has at least 8 characters of at least two classes (letters, digits, others; letters of
    /// both cases that form no word count as two). Excludes words with at most two digits, and
    /// values that `text` uses as identifiers or file names.
    pub fn allows_copies(&self, text: &str) -> bool {
        self.allows_copies_in(text, &Identifiers::of(text.as_bytes()))
    }

    /// Decides like [`Finding::allows_copies`], with the identifiers of `text`.
    pub(crate) fn allows_copies_in(&self, text: &str, identifiers: &Identifiers<'_>) -> bool {
        let value = &text.as_bytes()[self.span.clone()];
        let is_certain = self.confidence == Confidence::High;
        has_content(value)
            && !is_word(value)
            && (is_certain || self.is_unique(value) && !identifiers.has_name(value))
    }

    fn is_unique(&self, value: &[u8]) -> bool {
        let letters = value
            .iter()
            .any(|byte| byte.is_ascii_alphabetic() || *byte >= 128);
        let digits = value.iter().any(u8::is_ascii_digit);
        let others = value.iter().enumerate().any(|(at, _)| is_other(value, at));
        // Capitals inside letters that form no word; `accessToken` has none.
        let mixed = value.iter().any(u8::is_ascii_uppercase)
            && value.iter().any(u8::is_ascii_lowercase)
            && CharStats::of(value).is_no_word();
        let classes = [letters, digits, others, mixed];
        let classes = classes.iter().filter(|has| **has).count();
        self.confidence == Confidence::Medium
            && self.kind != NameClass::Salt.kind()
            && length(value) >= SHORTEST
            && classes >= 2
            && !is_path_of_words_and_counters(value)
    }
}

/// Returns true for a character that does not separate words.
fn is_other(value: &[u8], at: usize) -> bool {
    let byte = value[at];
    let is_word = |at: Option<usize>| {
        at.and_then(|at| value.get(at))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 128)
    };
    let is_separator =
        b"_-./: ".contains(&byte) && is_word(at.checked_sub(1)) && is_word(Some(at + 1));
    !byte.is_ascii_alphanumeric() && byte < 128 && !is_separator
}

/// Matches `write:pets`, `utf-16le`, `0002_auto`: words and at most two digits.
fn is_path_of_words_and_counters(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    // A phrase of several words, or letters of other languages, cannot be a name in a program.
    let is_phrase = value.iter().any(|byte| *byte == b' ' || *byte >= 128);
    digits <= COUNTER && !is_phrase && is_vocabulary(value)
}

/// Minimum number of letters and digits in a value: punctuation and indentation without them are
/// code.
const CONTENT: usize = 6;

/// Returns true if a value is one line with enough letters and digits. Multi-line keys are found by
/// their format everywhere.
fn has_content(value: &[u8]) -> bool {
    let content = value
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let codes = value.len() - length(value);
    !value.contains(&b'\n') && content.count() >= CONTENT + codes
}

/// Returns the number of characters of a value; `%3A` counts as one.
fn length(value: &[u8]) -> usize {
    let is_code = |three: &[u8]| three[0] == b'%' && three[1..].iter().all(u8::is_ascii_hexdigit);
    let codes = value.windows(3).filter(|three| is_code(three)).count();
    value.len() - 2 * codes
}

/// Returns true if the whole value consists of word-like letters and at most two digits.
fn is_word(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_plain = value.iter().all(u8::is_ascii_alphanumeric);
    let mut runs = value
        .split(u8::is_ascii_digit)
        .filter(|run| !run.is_empty());
    let is_long = runs.all(|run| run.len() >= 3);
    is_plain && digits <= COUNTER && is_long && !CharStats::of(value).is_no_word()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_need_a_value_of_its_own() {
        for (value, confidence, expected) in [
            ("hunter2secret99", Confidence::Medium, true),
            ("Tr0ub4dor&3", Confidence::Medium, true),
            ("blue-tram", Confidence::Medium, false),
            ("write:pets", Confidence::Medium, false),
            ("utf-16le", Confidence::Medium, false),
            ("blue-tram!", Confidence::Medium, true),
            ("accessToken", Confidence::Medium, false),
            ("api_base", Confidence::Medium, false),
            ("hunter2", Confidence::Medium, false),
            ("WAISLmmSDiSVfNnmJekSnFZo", Confidence::Medium, true),
            ("internationalization", Confidence::Medium, false),
            ("Password12", Confidence::Medium, false),
            ("Password12", Confidence::High, false),
            ("a8f5f167", Confidence::Low, false),
            ("qzxvkj", Confidence::High, true),
            ("blue Moon 42 rises", Confidence::Medium, true),
            ("blue moon rises", Confidence::Medium, false),
            ("pässwörd€77", Confidence::Medium, true),
        ] {
            let finding = Finding {
                span: 0..value.len(),
                kind: "password",
                confidence,
                reasons: Vec::new(),
            };
            assert_eq!(finding.allows_copies(value), expected, "{value}");
        }
    }
}
