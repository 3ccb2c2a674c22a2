//! Formats of providers: parses `data/formats.txt` once, and matches tokens by their prefix, or
//! runs of characters near the provider's name. Other engines handle values without a provider.

mod begins;
mod nearby;
mod pattern;

use std::ops::Range;
use std::sync::LazyLock;

use crate::checks::Check;
use crate::digests::{is_digest, is_in_base64};
use crate::finding::Vote;
use crate::place::{Purpose, Role, Syntax, TextContext};
use crate::runs::{LongRuns, is_token_byte};
use crate::value::{ValueClass, nature};
use begins::{Begin, Begins, begin_at, folded};
use nearby::{
    Nearby, is_commit, names_client, names_id, says_secret, stands_beside, window_before,
};
use pattern::{Match, Pattern};

/// Shorter runs contain no token of a known format.
pub(crate) const SHORTEST: usize = 16;

/// Maximum distance from the start of a token to its run: `https://hooks.slack.com/services/`.
const BEFORE: usize = 96;

/// Maximum length of a token that a format may describe.
pub(crate) const LONGEST: usize = 2048;

/// Maximum points for a token that deviates from its format.
const UNSURE: i32 = 25;

/// One rule of the data.
struct Rule {
    id: &'static str,
    is_public: bool,
    check: Option<Check>,
    patterns: Vec<Pattern>,
}

pub(crate) struct Formats {
    rules: Vec<Rule>,
    /// Rules without a provider's name: the rule, and the pattern in it.
    tokens: Begins<(u16, u8)>,
    /// Names of providers, with the rules for values near them.
    names: Begins<(&'static str, u16)>,
}

static FORMATS: LazyLock<Formats> =
    LazyLock::new(|| Formats::read(include_str!(concat!(env!("OUT_DIR"), "/formats.txt"))));

impl Formats {
    pub(crate) fn get() -> &'static Self {
        &FORMATS
    }

    fn read(text: &'static str) -> Self {
        let mut formats = Self {
            rules: Vec::with_capacity(1200),
            tokens: Begins::new(),
            names: Begins::new(),
        };
        for block in blocks(text) {
            formats.add(block);
        }
        formats.tokens.sort();
        formats.names.sort();
        formats
    }

    fn add(&mut self, block: &'static str) {
        let mut lines = block.lines();
        let number = self.rules.len() as u16;
        let mut rule = Rule {
            id: lines.next().unwrap_or_default(),
            is_public: false,
            check: None,
            patterns: Vec::new(),
        };
        let mut near = "";
        for line in lines {
            let (field, value) = line.trim_start().split_once(' ').unwrap_or((line, ""));
            let value = value.trim_start();
            match field {
                "match" => rule.patterns.push(Pattern::new(value)),
                "kind" => rule.is_public = value == "id",
                "check" => rule.check = Check::named(value),
                "near" => near = value,
                _ => {}
            }
        }
        for name in near.split_whitespace() {
            if let Some(begin) = name.as_bytes().first_chunk() {
                self.names.add(folded(*begin), (name, number));
            }
        }
        if near.is_empty() {
            for (at, pattern) in rule.patterns.iter().enumerate() {
                for begin in pattern.begins() {
                    self.tokens.add(begin, (number, at as u8));
                }
            }
        }
        self.rules.push(rule);
    }

    /// Votes for every token of a known format.
    pub(crate) fn find(&self, bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
        let mut nearby = Nearby::default();
        let mut done = 0;
        for run in LongRuns::new(bytes, SHORTEST) {
            let known = votes.len();
            let mut at = begin_of_text(bytes, run.start, done);
            done = run.end;
            while at < run.end {
                let begin = begin_at(bytes, at);
                if self.tokens.may_have(begin)
                    && is_word_start(bytes, at)
                    && !is_in_base64(bytes, at)
                    && let Some(vote) = self.token_at(bytes, at, begin, place)
                {
                    at = vote.span.end;
                    votes.push(vote);
                    continue;
                }
                at = next_word(bytes, at, &run);
            }
            if votes.len() == known && place.syntax != Syntax::Digests && run.len() <= LONGEST {
                votes.extend(self.near_in(bytes, run, place, &mut nearby));
            }
        }
    }

    /// Returns the longest token of any format that starts at `at`.
    fn token_at(&self, bytes: &[u8], at: usize, begin: Begin, place: TextContext) -> Option<Vote> {
        let rest = &bytes[at..bytes.len().min(at + LONGEST)];
        let mut best: Option<Vote> = None;
        for &(rule, pattern) in self.tokens.of(begin) {
            let rule = &self.rules[usize::from(rule)];
            let Some(found) = rule.patterns[usize::from(pattern)].find(rest) else {
                continue;
            };
            let Some(vote) = rule.vote(bytes, at, &found, place) else {
                continue;
            };
            let worth = |vote: &Vote| (vote.points > UNSURE, vote.span.end, vote.points);
            if best.as_ref().is_none_or(|best| worth(best) < worth(&vote)) {
                best = Some(vote);
            }
        }
        best
    }

    /// Votes on a part of a run because of a provider's name in it: `name-key-0a1b…`.
    fn near_in(
        &self,
        bytes: &[u8],
        run: Range<usize>,
        place: TextContext,
        nearby: &mut Nearby,
    ) -> Option<Vote> {
        let last = run.start + last_of_value(&bytes[run.clone()])?;
        // Some tokens have other characters between their parts: `123456:AAF…`, `v1.0.…`.
        let before = bytes[run.start.saturating_sub(64)..run.start].iter().rev();
        let is_part = |byte: &&u8| is_token_byte(**byte) || b".:~|%=".contains(byte);
        let first = run.start - before.take_while(is_part).count();
        nearby.look(self, bytes, window_before(bytes, first), last);
        let is_start = |at: &usize| *at == first || !bytes[at - 1].is_ascii_alphanumeric();
        let starts = (first..=last).filter(is_start);
        self.near(bytes, nearby, &starts.take(16), place)
    }

    /// Votes on a value at `start` that has a format of a provider named before it.
    pub(crate) fn near_value(
        &self,
        bytes: &[u8],
        start: usize,
        place: TextContext,
    ) -> Option<Vote> {
        let mut nearby = Nearby::default();
        nearby.look(self, bytes, window_before(bytes, start), start);
        self.near(bytes, &nearby, &[start].into_iter(), place)
    }

    /// Returns the best vote of the names before one of `starts`; on a tie, of the longest name.
    fn near(
        &self,
        bytes: &[u8],
        nearby: &Nearby,
        starts: &(impl Iterator<Item = usize> + Clone),
        place: TextContext,
    ) -> Option<Vote> {
        let mut best: Option<((i32, usize, usize), Vote)> = None;
        for (name, rule) in &nearby.names {
            let rule = &self.rules[usize::from(*rule)];
            for start in starts.clone().filter(|start| *start >= name.end) {
                let Some(vote) = rule.near(bytes, name.clone(), start, place) else {
                    continue;
                };
                let worth = (vote.points, vote.span.len(), name.len());
                if best.as_ref().is_none_or(|(best, _)| *best < worth) {
                    best = Some((worth, vote));
                }
            }
        }
        best.map(|(_, vote)| vote)
    }
}

/// Returns the start of the text around a run, without spaces and quotes.
fn begin_of_text(bytes: &[u8], run: usize, done: usize) -> usize {
    let from = run.saturating_sub(BEFORE).max(done);
    let is_outside = |byte: &u8| *byte <= b' ' || b"\"'`<>".contains(byte);
    let outside = bytes[from..run].iter().rposition(is_outside);
    outside.map_or(from, |at| from + at + 1)
}

/// Returns the last position in a run at which a value without a prefix may start. The value has
/// three digits, or one digit in a part longer than `sha256`, or ends in more letters of one case
/// than words have.
fn last_of_value(run: &[u8]) -> Option<usize> {
    let mut parts = run.split(|byte| !byte.is_ascii_alphanumeric());
    let is_value = match run.iter().filter(|byte| byte.is_ascii_digit()).count() {
        0 => {
            let part = parts.next_back()?;
            let (small, capital) = (u8::is_ascii_lowercase, u8::is_ascii_uppercase);
            let is_one_case = part.iter().all(small) || part.iter().all(capital);
            return (part.len() >= 20 && is_one_case).then(|| run.len() - part.len());
        }
        1 | 2 => parts.any(|part| part.len() >= 7 && part.iter().any(u8::is_ascii_digit)),
        _ => true,
    };
    let last = run.iter().rposition(u8::is_ascii_digit);
    last.filter(|_| is_value)
}

/// Returns the next possible start of a word after `at`. Looks for escapes only before a run and at
/// the start of it: their characters are not part of a run.
fn next_word(bytes: &[u8], at: usize, run: &Range<usize>) -> usize {
    if at < run.start + 2 {
        return at + 1;
    }
    let rest = bytes[at..run.end].iter();
    let length = rest.take_while(|byte| byte.is_ascii_alphanumeric()).count();
    at + length + 1
}

/// Returns true if a word starts at `at`; an escape or a percent code before it is not a word.
fn is_word_start(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| bytes[at]) else {
        return true;
    };
    if !before.is_ascii_alphanumeric() {
        return true;
    }
    let earlier = |back: usize| at.checked_sub(back).map(|at| bytes[at]);
    matches!(before, b'n' | b'r' | b't') && earlier(2) == Some(b'\\')
        || before.is_ascii_hexdigit() && earlier(3) == Some(b'%')
}

fn blocks(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut from = 0;
        loop {
            let end = rest[from..].find('\n').map(|at| from + at + 1)?;
            if end == rest.len() || !rest[end..].starts_with(' ') {
                let (block, after) = rest.split_at(end);
                rest = after;
                return Some(block);
            }
            from = end;
        }
    })
}

impl Rule {
    /// Votes for a token at `at`.
    fn vote(&self, bytes: &[u8], at: usize, found: &Match, place: TextContext) -> Option<Vote> {
        let span = at + found.secret.start..at + found.secret.end;
        let token = &bytes[span.clone()];
        let is_jwt = self.check == Some(Check::Jwt);
        let (mut points, mut reason) = match self.check.map(|check| check.passes(token)) {
            _ if !found.is_exact => (UNSURE, "begins as a provider's tokens do, but is longer"),
            Some(true) if is_jwt => (
                92,
                "a JSON Web Token: its header and claims decode; no key is known to check \
                 its signature",
            ),
            Some(false) if is_jwt => (UNSURE, "begins as a JSON Web Token, but does not decode"),
            Some(true) => (
                97,
                "the format of a provider's tokens, with a right checksum",
            ),
            Some(false) => (
                UNSURE,
                "the format of a provider's tokens, with a wrong checksum",
            ),
            None => (88, "the format of a provider's tokens"),
        };
        if is_one_character(token) {
            return None;
        }
        if is_made_of_one_piece(token) || nature(token) == ValueClass::Placeholder {
            points = points.min(30);
            reason = "the format of a provider's tokens, but an example";
        }
        if self.is_public {
            points = points.min(30);
            reason = "identifies an account, and is no secret by itself";
        }
        if !matches!(
            place.purpose,
            Purpose::Plain | Purpose::Keeper | Purpose::Strings
        ) {
            points -= 8;
        }
        let kind = self.id;
        Some(Vote {
            span,
            kind,
            points,
            reason,
        })
    }

    /// Votes on a value at `start` with a provider's name at `word`.
    fn near(
        &self,
        bytes: &[u8],
        word: Range<usize>,
        start: usize,
        place: TextContext,
    ) -> Option<Vote> {
        let rest = &bytes[start..bytes.len().min(start + LONGEST)];
        let found = self
            .patterns
            .iter()
            .filter_map(|pattern| pattern.find(rest));
        let found = found.max_by_key(|found| (found.is_exact, found.secret.len()))?;
        let span = start + found.secret.start..start + found.secret.end;
        let is_commit = || is_commit(&bytes[span.clone()], &bytes[word.start..start]);
        if is_digest(bytes, &span) || place.role == Role::Text && is_commit() {
            return None;
        }
        let between = &bytes[word.end..start];
        if !self.is_public && (names_client(between) || names_id(between)) {
            return None;
        }
        let is_beside = stands_beside(between);
        let mut points = match nature(&bytes[span.clone()]) {
            _ if !(found.is_exact || is_beside && says_secret(between)) => return None,
            ValueClass::Drawn => 62,
            ValueClass::Uuid => 45,
            ValueClass::Address | ValueClass::Word if self.is_public => UNSURE,
            _ if !is_beside => return None,
            ValueClass::MadeUp | ValueClass::Placeholder => 30,
            ValueClass::Number => 22,
            ValueClass::Name if bytes[span.clone()].iter().any(u8::is_ascii_digit) => 22,
            _ => return None,
        };
        if !found.is_exact {
            points = points.min(UNSURE);
        }
        if !says_secret(&bytes[word.start..start]) {
            if between.len() > 6 && between.iter().any(u8::is_ascii_alphanumeric) {
                return None;
            }
            points = (points - 5).min(45);
        }
        if self.is_public {
            points = points.min(UNSURE);
        }
        if !matches!(
            place.purpose,
            Purpose::Plain | Purpose::Keeper | Purpose::Strings
        ) {
            points -= 10;
        }
        Some(Vote {
            span,
            kind: self.id,
            points,
            reason: "the shape that a provider named beside it uses",
        })
    }
}

/// Matches `ACaaaaaaaaaaaaaaaa`, a placeholder in documentation.
fn is_one_character(token: &[u8]) -> bool {
    let tail = &token[token.len().saturating_sub(12)..];
    tail.windows(2).all(|two| two[0] == two[1])
}

/// Returns true if only a few characters repeat after the prefix.
fn is_made_of_one_piece(token: &[u8]) -> bool {
    let tail = &token[token.len().saturating_sub(16)..];
    let mut seen = [false; 256];
    tail.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count() <= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every rule matches its own examples and no others.
    #[test]
    fn every_rule_matches_its_examples_only() {
        let all = include_str!("../data/formats.txt");
        let formats = Formats::get();
        let (mut id, mut wrong, mut examples) = ("", Vec::new(), 0);
        for line in all.lines().filter(|line| !line.starts_with('#')) {
            let Some(field) = line.strip_prefix("  ") else {
                id = line.trim();
                continue;
            };
            let (name, value) = field.split_once(' ').unwrap_or((field, ""));
            let value = value.trim();
            let text = value.replace('¦', "").replace("\\n", "\n");
            let is_wrong = match name {
                "match" => !Pattern::new(value).is_sound(),
                "near" => value.split_whitespace().any(|name| name.len() < 3),
                "+" => !finds(formats, id, &text, 20),
                "-" => finds(formats, id, &text, 26),
                _ => false,
            };
            examples += usize::from(matches!(name, "+" | "-"));
            if is_wrong {
                wrong.push(format!("{id} {field} {:?}", votes(formats, &text)));
            }
        }
        for rule in &formats.rules {
            let number = formats
                .rules
                .iter()
                .position(|other| other.id == rule.id)
                .unwrap();
            let is_begun = formats
                .tokens
                .list
                .iter()
                .any(|(_, (rule, _))| usize::from(*rule) == number);
            let is_named = formats
                .names
                .list
                .iter()
                .any(|(_, (_, rule))| usize::from(*rule) == number);
            if !(is_begun || is_named) || rule.patterns.is_empty() {
                wrong.push(format!("{} is never tried", rule.id));
            }
        }
        assert!(formats.rules.len() > 100 && examples >= 2 * formats.rules.len());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    fn votes(formats: &Formats, text: &str) -> Vec<Vote> {
        let mut votes = Vec::new();
        formats.find(text.as_bytes(), TextContext::default(), &mut votes);
        crate::named::find(text.as_bytes(), TextContext::default(), &mut votes);
        votes
    }

    /// Returns true if a rule votes. If two rules match the same span, one of them votes; then it
    /// suffices that the other one matches as well.
    fn finds(formats: &Formats, id: &str, text: &str, points: i32) -> bool {
        let rule = formats.rules.iter().find(|rule| rule.id == id).unwrap();
        let mut votes = votes(formats, text);
        votes.retain(|vote| vote.points >= points);
        let describes = |vote: &Vote| {
            let span = &vote.span;
            let is_format = formats.rules.iter().any(|rule| rule.id == vote.kind);
            let same = |pattern: &Pattern| {
                let found = pattern.find(&text.as_bytes()[span.start..]);
                found.is_some_and(|found| found.is_exact && found.secret == (0..span.len()))
            };
            is_format && points == 20 && rule.patterns.iter().any(same)
        };
        votes.iter().any(|vote| vote.kind == id || describes(vote))
    }
}
