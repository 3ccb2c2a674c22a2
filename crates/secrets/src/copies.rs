//! Secrets that were found in one text, to be found in others where nothing beside
//! them says what they are. Lives as long as a run, and is never shown.

use std::collections::HashSet;
use std::fmt;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::finding::{Confidence, Finding};

/// Longer ones are keys, which are found wherever they stand.
const LONGEST: usize = 512;

/// The most that are kept: more than any tree of people has.
const MOST: usize = 20_000;

/// Secrets of a run.
#[derive(Default)]
pub struct Copies {
    secrets: Vec<(String, &'static str, Confidence)>,
    known: HashSet<String>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl fmt::Debug for Copies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Copies({})", self.secrets.len())
    }
}

impl Copies {
    /// Adds the findings in `text` whose copies may be replaced.
    pub fn add(&mut self, text: &str, findings: &[Finding]) {
        for finding in findings {
            let secret = &text[finding.span.clone()];
            let is_short = secret.len() <= LONGEST;
            if is_short && finding.allows_copies(text) && self.secrets.len() < MOST {
                let is_new = self.known.insert(secret.to_owned());
                if is_new {
                    let entry = (secret.to_owned(), finding.kind, finding.confidence);
                    self.secrets.push(entry);
                    self.automaton = OnceLock::new();
                }
            }
        }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Where they stand in `text`, in order; none overlap.
    pub fn find(&self, text: &str) -> Vec<Finding> {
        if self.is_empty() {
            return Vec::new();
        }
        let build = || {
            let secrets = self.secrets.iter().map(|(secret, ..)| secret);
            let mut builder = AhoCorasick::builder();
            let builder = builder.match_kind(MatchKind::LeftmostLongest);
            builder.build(secrets).ok()
        };
        let Some(automaton) = self.automaton.get_or_init(build) else {
            return Vec::new();
        };
        let finding = |found: aho_corasick::Match| {
            let (_, kind, confidence) = self.secrets[found.pattern().as_usize()];
            Finding {
                span: found.range(),
                kind,
                confidence,
                reasons: vec!["the same as a secret found in another text"],
            }
        };
        automaton.find_iter(text).map(finding).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Place, Scanner};

    #[test]
    fn what_stands_for_itself_is_found_elsewhere() {
        let text = "password = \"vK8#pq2Zr!xQ\"\nother_password = \"vK8#pq2\"\n\
                    admin_password = \"internationalization\"\n";
        let findings = Scanner::new().scan(text, Place::of("a.py"));
        assert_eq!(findings.len(), 3);
        let mut copies = Copies::default();
        assert!(copies.find("nothing").is_empty());
        copies.add(text, &findings);
        copies.add(text, &findings);
        let other = "see vK8#pq2Zr!xQ, vK8#pq2 and internationalization";
        let found = copies.find(other);
        assert_eq!(found.len(), 1);
        assert_eq!(&other[found[0].span.clone()], "vK8#pq2Zr!xQ");
        assert_eq!(format!("{copies:?}"), "Copies(1)");
    }
}
