//! Joins the engines: each votes on spans of the text, votes on one span become one finding, and
//! allowed findings are dropped.

use std::ops::Range;

use crate::allow::Allow;
use crate::copies::{Copies, without_overlap};
use crate::finding::{Confidence, Finding, Vote};
use crate::formats::Formats;
use crate::place::{Syntax, TextContext};
use crate::redact::{Numbers, Origins, Replaced, redact};
use crate::triggers::{Trigger, triggers};
use crate::{
    calls, columns, der_keys, documents, dsn, jwk, key_blocks, kubernetes, links, logins, marks,
    named, signed, tables, value_files,
};

/// Scans texts.
///
/// ```
/// use loom_secrets::{Scanner, TextContext};
///
/// let text = "password = \"vK8#pq2Zr!\"\n";
/// let findings = Scanner::new().scan(text, TextContext::new("app.py"));
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
    /// Creates a scanner that reports probable secrets.
    pub fn new() -> Self {
        Self {
            least: Confidence::Medium,
            allow: Allow::default(),
        }
    }

    /// Returns the minimum confidence of reported findings.
    pub fn least(&self) -> Confidence {
        self.least
    }

    /// Sets the minimum confidence of reported findings.
    #[must_use]
    pub fn at_least(mut self, least: Confidence) -> Self {
        self.least = least;
        self
    }

    /// Sets the findings that are not reported.
    #[must_use]
    pub fn allowing(mut self, allow: Allow) -> Self {
        self.allow = allow;
        self
    }

    /// Finds the secrets in `text`, the contents of `path`, except those of a baseline. Redacting
    /// the findings leaves no further finding.
    pub fn scan_file(&self, path: &str, text: &str) -> Vec<Finding> {
        let place = TextContext::new(path);
        let mut findings = self.scan(text, place);
        if findings.is_empty() {
            return findings;
        }
        add_copies(text, &mut findings);
        self.settle(text, place, &mut findings);
        findings.retain(|finding| !self.allow.is_known(path, text, finding));
        findings
    }

    /// Adds copies of other texts' secrets to `findings` in the text of `path`, except the allowed
    /// ones.
    #[must_use]
    pub fn with_copies(
        &self,
        path: &str,
        text: &str,
        mut findings: Vec<Finding>,
        copies: &Copies,
    ) -> Vec<Finding> {
        let mut more = copies.find(text);
        self.drop_allowed(text, &mut more);
        more.retain(|copy| {
            let at = findings.partition_point(|one| one.span.end <= copy.span.start);
            let is_within =
                |one: &Finding| one.span.start <= copy.span.start && copy.span.end <= one.span.end;
            !findings.get(at).is_some_and(is_within) && !self.allow.is_known(path, text, copy)
        });
        if more.is_empty() {
            return findings;
        }
        findings.append(&mut more);
        findings = without_overlap(findings);
        self.settle(text, TextContext::new(path), &mut findings);
        findings.retain(|finding| !self.allow.is_known(path, text, finding));
        findings
    }

    /// Drops findings on lines with a remark that allows them.
    fn drop_allowed(&self, text: &str, findings: &mut Vec<Finding>) {
        if findings.is_empty() {
            return;
        }
        let allowed = self.allow.lines(text);
        let is_allowed = |finding: &Finding| {
            let at = allowed.partition_point(|line| line.end <= finding.span.start);
            let line = allowed.get(at);
            line.is_some_and(|line| line.start < finding.span.end)
        };
        findings.retain(|finding| !is_allowed(finding));
    }

    /// Adds findings that appear only after redaction: the text after a placeholder may look like
    /// its value.
    fn settle(&self, text: &str, place: TextContext, findings: &mut Vec<Finding>) {
        for _ in 0..4 {
            let plan = Replaced::plan(text, findings, &mut Numbers::default());
            let more = self.scan(&redact(text, &plan), place);
            if more.is_empty() {
                return;
            }
            let origins = Origins::of(text, &plan);
            for mut finding in more {
                finding.span = origins.span(&finding.span);
                findings.push(finding);
            }
            *findings = without_overlap(std::mem::take(findings));
        }
    }

    /// Finds the secrets in `text`, in order and without overlaps.
    pub fn scan(&self, text: &str, place: TextContext) -> Vec<Finding> {
        let bytes = text.as_bytes();
        let mut votes = Vec::new();
        Formats::get().find(bytes, place, &mut votes);
        named::find(bytes, place, &mut votes);
        links::find(bytes, place, &mut votes);
        find_triggered(bytes, place, &mut votes);
        columns::find(bytes, place, &mut votes);
        tables::find(bytes, place, &mut votes);
        kubernetes::find(bytes, place, &mut votes);
        documents::find(bytes, place, &mut votes);
        value_files::find(bytes, place, &mut votes);
        signed::find(bytes, place, &mut votes);
        marks::find(bytes, &mut votes);
        dsn::find(bytes, place, &mut votes);
        der_keys::find(bytes, &mut votes);
        key_blocks::find(bytes, &mut votes);
        let replaced = placeholders(bytes);
        if !replaced.is_empty() {
            let is_inside = |vote: &Vote| {
                let at = replaced.partition_point(|one| one.start <= vote.span.start);
                let before = at.checked_sub(1).map(|at| &replaced[at]);
                before.is_some_and(|one| vote.span.start < one.end)
            };
            votes.retain(|vote| !is_inside(vote));
        }
        let mut findings = joined(votes);
        findings.retain(|finding| finding.confidence >= self.least);
        self.drop_allowed(text, &mut findings);
        for finding in &mut findings {
            // A span that splits a character would make the text invalid.
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

/// Runs the engines that start at trigger words.
fn find_triggered(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    let hits = triggers(bytes);
    let mut rows_end = 0;
    for hit in &hits {
        match hit.trigger {
            Trigger::SecretArgument(number) => calls::find(bytes, number, hit.end, place, votes),
            Trigger::Login(number) => {
                logins::find(bytes, number, &(hit.start..hit.end), place, votes);
            }
            // Rows without a limit are read once.
            Trigger::Insert if hit.start >= rows_end || place.syntax == Syntax::Prose => {
                rows_end = columns::find_rows(bytes, hit, place, votes);
            }
            Trigger::Mark(mark) => signed::find_marked(bytes, hit, mark, place, votes),
            _ => {}
        }
    }
    jwk::find(bytes, &hits, votes);
}

/// Returns the ranges of `[REDACTED:kind:number]`: no part of them is a secret.
fn placeholders(bytes: &[u8]) -> Vec<Range<usize>> {
    let starts = memchr::memmem::find_iter(bytes, b"[REDACTED:");
    let whole = starts.filter_map(|start| {
        let rest = &bytes[start + 10..bytes.len().min(start + 90)];
        let end = memchr::memchr(b']', rest)?;
        let is_part =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-:".contains(byte);
        rest[..end]
            .iter()
            .all(is_part)
            .then_some(start..start + 10 + end + 1)
    });
    whole.collect()
}

/// Adds the other occurrences of secrets found in the text.
fn add_copies(text: &str, findings: &mut Vec<Finding>) {
    let mut known = Copies::default();
    known.add(text, findings);
    let is_other = |copy: &Finding| {
        let at = findings.partition_point(|one| one.span.end <= copy.span.start);
        findings
            .get(at)
            .is_none_or(|one| copy.span.end <= one.span.start || copy.span != one.span)
    };
    let mut copies = known.find(text);
    copies.retain(is_other);
    for copy in &mut copies {
        copy.reasons = vec!["the same as a secret found elsewhere in the text"];
    }
    findings.append(&mut copies);
    *findings = without_overlap(std::mem::take(findings));
}

/// Joins overlapping votes to one finding each.
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
