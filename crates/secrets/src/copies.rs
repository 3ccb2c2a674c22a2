//! Secrets found in some texts, to be found in other texts without a name next to them. They live
//! as long as a run or a snapshot, and are never printed.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::finding::{Confidence, Finding};
use crate::identifiers::Identifiers;
use crate::literal_set::LiteralSet;
use crate::secret_memory::{self, SecretMemory};
use crate::spellings::{around_part, encoded_parts, spellings};

/// Maximum number of former secrets that are stored in full, at about 1 KiB each. More of them are
/// stored as hashes.
const MOST_FORMER: usize = 4096;

/// Secrets of other texts.
#[derive(Clone, Default)]
pub struct Copies {
    secrets: Vec<Secret>,
    positions: HashMap<Arc<str>, usize>,
    literals: OnceLock<Arc<LiteralSet>>,
    /// Hashes of former secrets beyond the limit.
    memories: Vec<Arc<SecretMemory>>,
}

#[derive(Clone)]
struct Secret {
    /// Shared: a server stores it in each snapshot for as long as it runs.
    text: Arc<str>,
    kind: &'static str,
    confidence: Confidence,
    /// True if no file of the current snapshot contains it.
    is_former: bool,
    /// True for a part of base64 of any text with the secret.
    is_part: bool,
}

impl fmt::Debug for Copies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Copies({})", self.secrets.len())
    }
}

impl Copies {
    /// Adds the findings in `text` with a distinctive value. Copies of a password that is a common
    /// word stay in other texts.
    pub fn add(&mut self, text: &str, findings: &[Finding]) {
        let identifiers = Identifiers::of(text.as_bytes());
        for finding in findings {
            let secret = &text[finding.span.clone()];
            if finding.allows_copies_in(text, &identifiers) {
                let whole = spellings(secret).into_iter().map(|text| (text, false));
                let parts = encoded_parts(secret).into_iter().map(|text| (text, true));
                for (text, is_part) in whole.chain(parts) {
                    self.insert(Secret {
                        text: text.into(),
                        kind: finding.kind,
                        confidence: finding.confidence,
                        is_former: false,
                        is_part,
                    });
                }
            }
        }
    }

    /// Adds all secrets of `other`.
    pub fn extend(&mut self, other: &Self) {
        other
            .secrets
            .iter()
            .for_each(|secret| self.insert(secret.clone()));
        self.share_memories(other);
    }

    /// Adds the secrets of an earlier snapshot of the same files: a value that was a secret stays
    /// one. Memory is bounded: up to 4,096 secrets that no file contains any more are stored in
    /// full, and the others as keyed hashes that still find copies, except within base64 of a longer
    /// text.
    pub fn remember(&mut self, earlier: &Self) {
        self.remember_within(earlier, MOST_FORMER);
    }

    fn remember_within(&mut self, earlier: &Self, most_former: usize) {
        self.share_memories(earlier);
        for secret in &earlier.secrets {
            if !self.positions.contains_key(&secret.text) {
                self.insert(Secret {
                    is_former: true,
                    ..secret.clone()
                });
            }
        }
        let is_kept =
            |secret: &Secret| !secret.is_former || secret.text.len() < secret_memory::SHORTEST;
        if self
            .secrets
            .iter()
            .filter(|secret| !is_kept(secret))
            .count()
            <= most_former
        {
            return;
        }
        let mut memory = self
            .memories
            .pop()
            .map_or_else(SecretMemory::new, Arc::unwrap_or_clone);
        let (kept, former): (Vec<_>, Vec<_>) = std::mem::take(&mut self.secrets)
            .into_iter()
            .partition(is_kept);
        let whole = former.iter().filter(|secret| !secret.is_part);
        whole.for_each(|secret| memory.add(&secret.text));
        self.memories.push(Arc::new(memory));
        self.positions.clear();
        kept.into_iter().for_each(|secret| self.insert(secret));
        self.literals = OnceLock::new();
    }

    fn share_memories(&mut self, other: &Self) {
        for memory in &other.memories {
            if !self.memories.iter().any(|known| Arc::ptr_eq(known, memory)) {
                self.memories.push(Arc::clone(memory));
            }
        }
    }

    fn insert(&mut self, secret: Secret) {
        match self.positions.get(&secret.text) {
            // The finding with the highest confidence names the secret, regardless of the order of
            // reading.
            Some(at) => {
                let known = &mut self.secrets[*at];
                let rank = |one: &Secret| (one.confidence, std::cmp::Reverse(one.kind));
                let is_part = known.is_part || secret.is_part;
                let is_former = known.is_former && secret.is_former;
                if rank(&secret) > rank(known) {
                    *known = secret;
                }
                known.is_former = is_former;
                known.is_part = is_part;
            }
            None => {
                self.positions
                    .insert(Arc::clone(&secret.text), self.secrets.len());
                self.secrets.push(secret);
                self.literals = OnceLock::new();
            }
        }
    }

    /// Returns true without secrets.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty() && self.memories.is_empty()
    }

    /// Returns the number of secrets that are stored in full.
    pub fn len(&self) -> usize {
        self.secrets.len()
    }

    /// Computes a digest of the set that does not depend on the order.
    pub fn digest(&self) -> [u8; 32] {
        let mut secrets: Vec<&str> = self.positions.keys().map(|text| &**text).collect();
        secrets.sort_unstable();
        let mut hasher = blake3::Hasher::new();
        for secret in secrets {
            hasher.update(&(secret.len() as u64).to_le_bytes());
            hasher.update(secret.as_bytes());
        }
        for memory in &self.memories {
            for part in memory.state() {
                hasher.update(&part.to_le_bytes());
            }
        }
        *hasher.finalize().as_bytes()
    }

    /// Finds the secrets in `text`, in order and without overlaps.
    pub fn find(&self, text: &str) -> Vec<Finding> {
        let mut found = self.find_in_full(text);
        for memory in &self.memories {
            let spans = memory.find(text, |span| is_whole(text.as_bytes(), span));
            found.extend(spans.into_iter().map(|span| Finding {
                span,
                kind: "secret",
                confidence: Confidence::Medium,
                reasons: vec!["the same as a secret that a file had before"],
            }));
        }
        if self.memories.is_empty() {
            return found;
        }
        without_overlap(found)
    }

    /// Finds the secrets that are stored in full.
    fn find_in_full(&self, text: &str) -> Vec<Finding> {
        if self.secrets.is_empty() {
            return Vec::new();
        }
        let literals = self.literals.get_or_init(|| {
            let secrets = self.secrets.iter().map(|secret| Arc::clone(&secret.text));
            LiteralSet::new(secrets).into()
        });
        let bytes = text.as_bytes();
        let found = literals.find_accepted(bytes, |found| {
            self.secrets[found.literal].is_part || is_whole(bytes, &found.span)
        });
        let has_parts = found
            .iter()
            .any(|found| self.secrets[found.literal].is_part);
        let finding = found.into_iter().map(|found| {
            let secret = &self.secrets[found.literal];
            let span = match secret.is_part {
                true => around_part(bytes, &found.span),
                false => found.span,
            };
            Finding {
                span,
                kind: secret.kind,
                confidence: secret.confidence,
                reasons: vec!["the same as a secret found in another text"],
            }
        });
        match has_parts {
            true => without_overlap(finding.collect()),
            false => finding.collect(),
        }
    }
}

/// Joins overlapping findings; the first one supplies the name.
pub(crate) fn without_overlap(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| finding.span.start);
    let mut out: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        match out.last_mut() {
            Some(last) if finding.span.start < last.span.end => {
                last.span.end = last.span.end.max(finding.span.end);
            }
            _ => out.push(finding),
        }
    }
    out
}

/// Returns true if a copy neither starts nor ends inside a longer word. Escapes and percent codes
/// before it are not part of a word.
fn is_whole(bytes: &[u8], span: &Range<usize>) -> bool {
    let is_part = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_alphanumeric)
    };
    let first = is_part(Some(span.start));
    let last = is_part(span.end.checked_sub(1));
    let begins_inside =
        first && is_part(span.start.checked_sub(1)) && !is_escaped(bytes, span.start);
    let ends_inside = last && is_part(Some(span.end));
    !begins_inside && !ends_inside
}

/// Matches `\n`, `%3D` or `\u0026` that ends at `at`.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let earlier = |back: usize| at.checked_sub(back).map(|at| bytes[at]);
    matches!(earlier(1), Some(b'n' | b'r' | b't')) && earlier(2) == Some(b'\\')
        || earlier(3) == Some(b'%')
        || earlier(4) == Some(b'\\') && earlier(3) == Some(b'x')
        || earlier(6) == Some(b'\\') && earlier(5) == Some(b'u')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scanner, TextContext};

    #[test]
    fn distinct_secrets_are_found_in_other_texts() {
        let text = "password = \"vK8#pq2Zr!xQ\"\nother_password = \"vK8#pq2\"\n\
                    admin_password = \"internationalization\"\n";
        let findings = Scanner::new().scan(text, TextContext::new("a.py"));
        assert_eq!(findings.len(), 3);
        let mut copies = Copies::default();
        assert!(copies.find("nothing").is_empty());
        copies.add(text, &findings);
        copies.add(text, &findings);
        let other = "see vK8#pq2Zr!xQ, vK8#pq2 and internationalization";
        let found = copies.find(other);
        assert_eq!(found.len(), 1);
        assert_eq!(&other[found[0].span.clone()], "vK8#pq2Zr!xQ");
        assert_eq!(format!("{copies:?}"), format!("Copies({})", copies.len()));
    }

    fn with_password(number: usize) -> Copies {
        let text = format!("DB_PASSWORD=vK{number}pq2-{:x}\n", number * 7919);
        let findings = Scanner::new().scan(&text, TextContext::new(".env"));
        let mut copies = Copies::default();
        copies.add(&text, &findings);
        assert!(!copies.is_empty(), "{text}");
        copies
    }

    /// A server redacts a secret that a file once had, however many followed.
    #[test]
    fn former_secrets_are_found_in_bounded_memory() {
        const MOST: usize = 100;
        let mut state = with_password(0);
        for number in 1..5_000 {
            let mut next = with_password(number);
            next.remember_within(&state, MOST);
            state = next;
            assert!(state.len() <= MOST + 8, "{state:?}");
        }
        assert_eq!(state.memories.len(), 1);
        let mut run = Copies::default();
        run.extend(&state);
        run.extend(&state);
        assert_eq!(run.memories.len(), 1);
        for number in 0..5_000 {
            let secret = format!("vK{number}pq2-{:x}", number * 7919);
            let text = format!("# handshake uses {secret}, twice");
            let found = run.find(&text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(&text[found[0].span.clone()], secret);
        }
        assert!(run.find("# handshake uses vK5001pq2-0, twice").is_empty());
        assert_ne!(run.digest(), with_password(4_999).digest());
    }

    #[test]
    fn a_secret_that_returns_is_kept_in_full() {
        let first = with_password(1);
        let mut second = with_password(2);
        second.remember_within(&first, 100);
        let mut third = with_password(1);
        third.remember_within(&second, 0);
        let text = "vK1pq2-1eef and vK2pq2-3dde";
        assert_eq!(third.find(text).len(), 2);
        assert_eq!(third.find(text)[0].kind, "password");
        assert_eq!(third.len(), first.len());
    }

    #[test]
    fn a_copy_is_a_whole_word() {
        let text = "password = \"vK8pq2ZrxQ\"\n";
        let findings = Scanner::new().scan(text, TextContext::new("a.py"));
        let mut copies = Copies::default();
        copies.add(text, &findings);
        for (other, expected) in [
            ("x vK8pq2ZrxQ.", 1),
            ("a\\nvK8pq2ZrxQ", 1),
            ("?a=%3DvK8pq2ZrxQ&b", 1),
            ("backup_vK8pq2ZrxQ.sql", 1),
            ("avK8pq2ZrxQ", 0),
            ("vK8pq2ZrxQs", 0),
        ] {
            assert_eq!(copies.find(other).len(), expected, "{other}");
        }
    }

    #[test]
    fn a_value_that_its_text_uses_as_a_name_is_not_replaced_elsewhere() {
        for (text, is_name) in [
            ("token: vK8pq2ZrxQ\n", false),
            ("token: vK8pq2ZrxQ\nint vK8pq2ZrxQ = f(vK8pq2ZrxQ);\n", true),
        ] {
            let start = text.find("vK8").unwrap();
            let finding = Finding {
                span: start..start + 10,
                kind: "token",
                confidence: Confidence::Medium,
                reasons: Vec::new(),
            };
            let mut copies = Copies::default();
            copies.add(text, &[finding]);
            assert_eq!(copies.is_empty(), is_name, "{text}");
        }
    }

    #[test]
    fn a_longer_secret_hides_no_shorter_one() {
        let text = "A_PASSWORD=hunter2secret99\nB_PASSWORD=hunter2secret99-prod\n";
        let findings = Scanner::new().scan(text, TextContext::new(".env"));
        let mut copies = Copies::default();
        copies.add(text, &findings);
        let other = "uses hunter2secret99-prod2 here";
        let found = copies.find(other);
        assert_eq!(found.len(), 1);
        assert_eq!(&other[found[0].span.clone()], "hunter2secret99");
    }

    #[test]
    fn escaped_copies_are_found() {
        let text = "PASSWORD='pa\\ss/W0rd&9\"x'\n";
        let secret = "pa\\ss/W0rd&9\"x";
        let start = text.find(secret).unwrap();
        let finding = Finding {
            span: start..start + secret.len(),
            kind: "password",
            confidence: Confidence::Medium,
            reasons: Vec::new(),
        };
        let mut copies = Copies::default();
        copies.add(text, &[finding]);
        for copy in [
            r#"pa\ss/W0rd&9"x"#,
            r#"pa\\ss/W0rd&9\"x"#,
            r#"pa\\ss\/W0rd&9\"x"#,
            r#"pa\\ss/W0rd\u00269\"x"#,
            r#"pa\ss/W0rd&amp;9&quot;x"#,
            r#"pa\ss/W0rd&#38;9&#34;x"#,
            "pa%5Css%2FW0rd%269%22x",
            r#"pa\\ss/W0rd\&9\"x"#,
            "cGFcc3MvVzByZCY5Ing=",
        ] {
            let found = copies.find(copy);
            assert_eq!(found.len(), 1, "{copy}");
            assert_eq!(found[0].span, 0..copy.len(), "{copy}");
        }
    }

    #[test]
    fn a_copy_is_named_after_its_surest_finding_in_any_order() {
        let secret = "vK8#pq2Zr!xQ";
        let finding = |kind, confidence| Finding {
            span: 0..secret.len(),
            kind,
            confidence,
            reasons: Vec::new(),
        };
        let both = [
            finding("password", Confidence::High),
            finding("token", Confidence::Medium),
        ];
        for order in [[0, 1], [1, 0]] {
            let mut copies = Copies::default();
            for at in order {
                copies.add(secret, std::slice::from_ref(&both[at]));
            }
            assert_eq!(copies.find(secret)[0].kind, "password");
        }
    }
}
