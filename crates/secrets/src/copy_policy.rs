//! Decides whether copies of a finding may be replaced where nothing beside them says
//! what they are. A common word that is somebody's password stays elsewhere.

use crate::finding::{Confidence, Finding};
use crate::random::Makeup;

/// The shortest value whose copies are replaced, unless its finding is certain.
const SHORTEST: usize = 8;

/// The most digits that a dictionary word may have.
const COUNTER: usize = 2;

impl Finding {
    /// Says whether other places with the same value may be replaced too: the finding
    /// has high confidence, or the value has at least 8 characters of at least two
    /// classes. A dictionary word with at most two digits is never replaced elsewhere.
    pub fn allows_copies(&self, text: &str) -> bool {
        let value = &text.as_bytes()[self.span.clone()];
        has_content(value)
            && !is_word(value)
            && (self.confidence == Confidence::High || self.is_unique(value))
    }

    fn is_unique(&self, value: &[u8]) -> bool {
        let makeup = Makeup::of(value);
        let counts = [makeup.lower, makeup.upper, makeup.digits, makeup.other];
        let classes = counts.iter().filter(|count| **count > 0).count();
        self.confidence == Confidence::Medium && value.len() >= SHORTEST && classes >= 2
    }
}

/// The letters and digits that a value needs: punctuation and indentation alone are code.
const CONTENT: usize = 6;

/// Says whether a value is one line with enough letters and digits. Keys of several lines
/// are found by their format wherever they are.
fn has_content(value: &[u8]) -> bool {
    let content = value
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    !value.contains(&b'\n') && content.count() >= CONTENT
}

/// Tells whether letters that follow each other as in words, and at most two digits, are
/// the whole value.
fn is_word(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_plain = value.iter().all(u8::is_ascii_alphanumeric);
    is_plain && digits <= COUNTER && !Makeup::of(value).is_no_word()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_need_a_value_of_its_own() {
        for (value, confidence, expected) in [
            ("hunter2secret99", Confidence::Medium, true),
            ("Tr0ub4dor&3", Confidence::Medium, true),
            ("blue-tram", Confidence::Medium, true),
            ("hunter2", Confidence::Medium, false),
            ("internationalization", Confidence::Medium, false),
            ("Password12", Confidence::Medium, false),
            ("Password12", Confidence::High, false),
            ("a8f5f167", Confidence::Low, false),
            ("qzxvkj", Confidence::High, true),
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
