//! Redaction: replaces each secret by `[REDACTED:kind:number]`, equal secrets by the same number,
//! and keeps the number of lines.

use std::collections::HashMap;
use std::ops::Range;

use blake3::Hash;

use crate::finding::Finding;

/// Numbers the distinct secrets of each kind from 1, in the order of discovery. Stores hashes, not
/// secrets.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    known: HashMap<(&'static str, Hash), u32>,
    last: HashMap<&'static str, u32>,
}

impl Numbers {
    /// Returns the number of a secret of this kind.
    pub fn number(&mut self, kind: &'static str, secret: &str) -> u32 {
        let hash = blake3::hash(secret.as_bytes());
        let last = self.last.entry(kind).or_default();
        *self.known.entry((kind, hash)).or_insert_with(|| {
            *last += 1;
            *last
        })
    }

    /// Returns the number of distinct secrets so far.
    pub fn different(&self) -> usize {
        self.known.len()
    }
}

/// A replaced span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Byte range in the original text.
    pub from: Range<usize>,
    /// Placeholder, without the newlines that are kept.
    pub label: String,
}

impl Replaced {
    /// Computes the replacement of each finding in `text`.
    pub fn plan(text: &str, findings: &[Finding], numbers: &mut Numbers) -> Vec<Self> {
        let replaced = findings.iter().map(|finding| {
            let number = numbers.number(finding.kind, &text[finding.span.clone()]);
            Self {
                from: finding.span.clone(),
                label: format!("[REDACTED:{}:{number}]", finding.kind),
            }
        });
        replaced.collect()
    }
}

/// Replaces every span and keeps the number of lines. The spans must be in order and within the
/// text; others are skipped.
pub fn redact(text: &str, replaced: &[Replaced]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for one in replaced {
        let (Some(before), Some(secret)) =
            (text.get(at..one.from.start), text.get(one.from.clone()))
        else {
            continue;
        };
        out.push_str(before);
        out.push_str(&one.label);
        out.extend(line_ends(secret));
        at = one.from.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Returns true if the byte at `at` is in a placeholder `[REDACTED:kind:number]`, whose words are
/// ours.
pub(crate) fn is_in_placeholder(bytes: &[u8], at: usize) -> bool {
    let is_part = |byte: &&u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b':')
    };
    let before = &bytes[at.saturating_sub(64)..at];
    let own = before.iter().rev().take_while(is_part).count();
    before[..before.len() - own].ends_with(b"[REDACTED") && own > 0
}

/// Maps positions of a redacted text to the original.
pub(crate) struct Origins {
    /// Each replaced span: in the redacted text, and in the original.
    places: Vec<(Range<usize>, Range<usize>)>,
}

impl Origins {
    pub(crate) fn of(text: &str, replaced: &[Replaced]) -> Self {
        let (mut old, mut new) = (0, 0);
        let place = |one: &Replaced| {
            let start = new + one.from.start - old;
            let kept: usize = line_ends(&text[one.from.clone()]).map(str::len).sum();
            let end = start + one.label.len() + kept;
            (old, new) = (one.from.end, end);
            (start..end, one.from.clone())
        };
        Self {
            places: replaced.iter().map(place).collect(),
        }
    }

    /// Returns the original range of `span` in the redacted text. A replaced span counts as a
    /// whole.
    pub(crate) fn span(&self, span: &Range<usize>) -> Range<usize> {
        let at = |position: usize| self.places.partition_point(|(new, _)| new.end <= position);
        let shifted = |index: usize, position: usize| match index.checked_sub(1) {
            Some(before) => {
                let (new, old) = &self.places[before];
                old.end + position - new.end
            }
            None => position,
        };
        let first = at(span.start);
        let start = match self.places.get(first) {
            Some((new, old)) if new.start <= span.start => old.start,
            _ => shifted(first, span.start),
        };
        let last = at(span.end.saturating_sub(1));
        let end = match self.places.get(last) {
            Some((new, old)) if new.start < span.end => old.end,
            _ => shifted(last, span.end),
        };
        start..end
    }
}

fn line_ends(secret: &str) -> impl Iterator<Item = &str> {
    let ends = memchr::memchr_iter(b'\n', secret.as_bytes());
    ends.map(|at| match secret[..at].ends_with('\r') {
        true => "\r\n",
        false => "\n",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scanner, TextContext};

    #[test]
    fn the_same_secret_has_the_same_number() {
        let text = "password: \"vK8#pq2Zr!\"\nother_password: \"Zx81!mmQ\"\nagain_password: \"vK8#pq2Zr!\"\n";
        let findings = Scanner::new().scan(text, TextContext::new("a.yaml"));
        let plan = Replaced::plan(text, &findings, &mut Numbers::default());
        assert_eq!(
            redact(text, &plan),
            "password: \"[REDACTED:password:1]\"\nother_password: \"[REDACTED:password:2]\"\n\
             again_password: \"[REDACTED:password:1]\"\n"
        );
    }

    #[test]
    fn redacted_spans_map_to_the_original() {
        let text = "0123456789\nabc";
        let plan = [(2..4, "XXXX"), (9..12, "Y")].map(|(from, label): (_, &str)| Replaced {
            from,
            label: label.to_owned(),
        });
        assert_eq!(redact(text, &plan), "01XXXX45678Y\nbc");
        let origins = Origins::of(text, &plan);
        for (span, expected) in [
            (0..1, 0..1),
            (6..8, 4..6),
            (3..4, 2..4),
            (1..7, 1..5),
            (13..14, 12..13),
        ] {
            assert_eq!(origins.span(&span), expected, "{span:?}");
        }
    }

    #[test]
    fn redaction_keeps_the_number_of_lines() {
        let plan = [Replaced {
            from: 2..7,
            label: "X".to_owned(),
        }];
        assert_eq!(redact("a\nb\r\nc\nd\n", &plan), "a\nX\r\n\nd\n");
    }
}
