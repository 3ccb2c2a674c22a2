//! Joins the engines: each votes on places of the text, votes on one place become
//! one finding, and what the user allows is dropped.

use crate::allow::Allow;
use crate::finding::{Confidence, Finding, Vote};
use crate::formats::Formats;
use crate::place::Place;
use crate::{key_blocks, links, named};

/// Scans texts.
///
/// ```
/// use loom_secrets::{Place, Scanner};
///
/// let text = "password = \"vK8#pq2Zr!\"\n";
/// let findings = Scanner::new().scan(text, Place::of("app.py"));
/// assert_eq!(findings[0].kind, "password");
/// assert_eq!(&text[findings[0].span.clone()], "vK8#pq2Zr!");
/// ```
#[derive(Clone, Debug)]
pub struct Scanner {
    least: Confidence,
    allow: Allow,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    /// Reports what is most likely a secret.
    pub fn new() -> Self {
        Self {
            least: Confidence::Medium,
            allow: Allow::default(),
        }
    }

    /// Reports findings of at least this confidence.
    #[must_use]
    pub fn at_least(mut self, least: Confidence) -> Self {
        self.least = least;
        self
    }

    /// Does not report what `allow` names.
    #[must_use]
    pub fn allowing(mut self, allow: Allow) -> Self {
        self.allow = allow;
        self
    }

    /// Everything in `text` that is taken for a secret, in order; none overlap.
    pub fn scan(&self, text: &str, place: Place) -> Vec<Finding> {
        let bytes = text.as_bytes();
        let mut votes = Vec::new();
        Formats::get().find(bytes, place, &mut votes);
        named::find(bytes, place, &mut votes);
        links::find(bytes, place, &mut votes);
        key_blocks::find(bytes, &mut votes);
        let mut findings = joined(votes);
        findings.retain(|finding| {
            finding.confidence >= self.least && !self.allow.allows(text, finding)
        });
        for finding in &mut findings {
            // A cut inside a character would make the text unusable.
            while !text.is_char_boundary(finding.span.start) {
                finding.span.start -= 1;
            }
            while !text.is_char_boundary(finding.span.end) {
                finding.span.end += 1;
            }
        }
        findings
    }
}

/// One finding for each place: votes that overlap become one.
fn joined(mut votes: Vec<Vote>) -> Vec<Finding> {
    votes.retain(|vote| Confidence::of(vote.points).is_some() && !vote.span.is_empty());
    votes.sort_by_key(|vote| (vote.span.start, vote.span.end));
    let mut findings = Vec::new();
    let mut group: Vec<Vote> = Vec::new();
    let mut end = 0;
    for vote in votes {
        if vote.span.start >= end && !group.is_empty() {
            findings.extend(finding(std::mem::take(&mut group)));
        }
        end = end.max(vote.span.end);
        group.push(vote);
    }
    findings.extend(finding(group));
    findings
}

fn finding(mut group: Vec<Vote>) -> Option<Finding> {
    group.sort_by_key(|vote| std::cmp::Reverse(vote.points));
    let first = group.first()?;
    let mut points = first.points;
    let mut span = first.span.clone();
    let mut reasons = vec![first.reason];
    for vote in &group[1..] {
        if Confidence::of(vote.points) >= Some(Confidence::Medium) {
            span = span.start.min(vote.span.start)..span.end.max(vote.span.end);
        }
        if !reasons.contains(&vote.reason) {
            reasons.push(vote.reason);
            points += 8;
        }
    }
    Some(Finding {
        span,
        kind: first.kind,
        confidence: Confidence::of(points)?,
        reasons,
    })
}
