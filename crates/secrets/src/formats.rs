//! The formats of providers: `data/formats.txt` read once, and found where their
//! first characters stand, or where a run of characters stands near their name.
//! Leaves to others what has no provider.

mod pattern;

use std::ops::Range;
use std::sync::LazyLock;

use crate::checks::Check;
use crate::finding::Vote;
use crate::place::{Place, Purpose, Syntax};
use crate::runs::{LongRuns, is_token_byte};
use crate::value::{Nature, nature};
use pattern::{Begin, Pattern};

/// Runs shorter than this hold no token of a known format.
pub(crate) const SHORTEST: usize = 16;

/// How far before a run its token may begin: `https://hooks.slack.com/services/`.
const BEFORE: usize = 96;

/// How far before a value the name of its provider may stand.
const NEAR: usize = 100;

/// The longest token that a format may describe.
pub(crate) const LONGEST: usize = 2048;

/// One rule of the data.
struct Rule {
    id: &'static str,
    is_public: bool,
    check: Option<Check>,
    patterns: Vec<Pattern>,
}

pub(crate) struct Formats {
    rules: Vec<Rule>,
    /// The patterns that need no name beside them: the rule, and the pattern in it.
    tokens: Begins<(u16, u8)>,
    /// The names beside which other rules apply.
    names: Begins<(&'static str, u16)>,
}

static FORMATS: LazyLock<Formats> =
    LazyLock::new(|| Formats::read(include_str!(concat!(env!("OUT_DIR"), "/formats.txt"))));

impl Formats {
    pub(crate) fn get() -> &'static Self {
        &FORMATS
    }

    /// How many formats are known.
    pub(crate) fn len(&self) -> usize {
        self.rules.len()
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
    pub(crate) fn find(&self, bytes: &[u8], place: Place, votes: &mut Vec<Vote>) {
        let mut done = 0;
        for run in LongRuns::new(bytes, SHORTEST) {
            let known = votes.len();
            let mut at = begin_of_text(bytes, run.start, done);
            done = run.end;
            while at < run.end {
                let begin = begin_at(bytes, at);
                if self.tokens.may_have(begin)
                    && is_word_start(bytes, at)
                    && let Some(vote) = self.token_at(bytes, at, begin, place)
                {
                    at = vote.span.end;
                    votes.push(vote);
                    continue;
                }
                at += 1;
            }
            if votes.len() == known && place.syntax != Syntax::Digests && run.len() <= 512 {
                votes.extend(self.near_in(bytes, run, place));
            }
        }
    }

    /// The token of any format that begins at `at` and reaches farthest.
    fn token_at(&self, bytes: &[u8], at: usize, begin: Begin, place: Place) -> Option<Vote> {
        let rest = &bytes[at..bytes.len().min(at + LONGEST)];
        let mut best: Option<Vote> = None;
        for &(rule, pattern) in self.tokens.of(begin) {
            let rule = &self.rules[usize::from(rule)];
            let Some(span) = rule.patterns[usize::from(pattern)].find(rest) else {
                continue;
            };
            let vote = rule.vote(bytes, at + span.start..at + span.end, place);
            let Some(vote) = vote else { continue };
            let worth = |vote: &Vote| (vote.span.end, vote.points);
            if best.as_ref().is_none_or(|best| worth(best) < worth(&vote)) {
                best = Some(vote);
            }
        }
        best
    }

    /// What a provider's name makes of a part of a run: `name-key-0a1b…`.
    fn near_in(&self, bytes: &[u8], run: Range<usize>, place: Place) -> Option<Vote> {
        let last = match bytes[run.clone()].iter().rposition(u8::is_ascii_digit) {
            Some(digit) => run.start + digit,
            None if is_no_identifier(&bytes[run.clone()]) => run.start,
            None => return None,
        };
        // Some have other signs between their parts: `123456:AAF…`, `v1.0.…`.
        let before = bytes[run.start.saturating_sub(64)..run.start].iter().rev();
        let is_part = |byte: &&u8| is_token_byte(**byte) || b".:~|%=".contains(byte);
        let first = run.start - before.take_while(is_part).count();
        let is_start = |at: &usize| *at == first || !bytes[at - 1].is_ascii_alphanumeric();
        let starts = (first..=last).filter(is_start);
        self.near(bytes, first, starts.take(16), place)
    }

    /// A value at `start` that has a shape which a provider named before it uses.
    pub(crate) fn near_value(&self, bytes: &[u8], start: usize, place: Place) -> Option<Vote> {
        self.near(bytes, start, [start].into_iter(), place)
    }

    /// The vote of the longest name before one of `starts`.
    fn near(
        &self,
        bytes: &[u8],
        at: usize,
        starts: impl Iterator<Item = usize> + Clone,
        place: Place,
    ) -> Option<Vote> {
        let last = starts.clone().last()?;
        let from = at - window_before(bytes, at).len();
        let mut best: Option<((i32, usize, usize), Vote)> = None;
        for at in from..last {
            let begin = folded(begin_at(bytes, at));
            if !self.names.may_have(begin) || !is_name_start(bytes, at) {
                continue;
            }
            for &(name, rule) in self.names.of(begin) {
                let word = at..at + name.len();
                if word.end > last || !is_name(bytes, &word, name) {
                    continue;
                }
                let rule = &self.rules[usize::from(rule)];
                for start in starts.clone().filter(|start| *start >= word.end) {
                    let Some(vote) = rule.near(bytes, word.clone(), start, place) else {
                        continue;
                    };
                    let worth = (vote.points, vote.span.len(), name.len());
                    if best.as_ref().is_none_or(|(best, _)| *best < worth) {
                        best = Some((worth, vote));
                    }
                }
            }
        }
        best.map(|(_, vote)| vote)
    }
}

/// Things by the three bytes that they begin with.
struct Begins<T> {
    /// A bit for each hash of three bytes: most texts are done with after one look.
    bits: Vec<u64>,
    list: Vec<(Begin, T)>,
}

impl<T> Begins<T> {
    fn new() -> Self {
        Self {
            bits: vec![0; 1024],
            list: Vec::with_capacity(1500),
        }
    }

    fn add(&mut self, begin: Begin, thing: T) {
        let bit = Self::bit(begin);
        self.bits[bit / 64] |= 1 << (bit % 64);
        self.list.push((begin, thing));
    }

    /// To be called after the last `add`.
    fn sort(&mut self) {
        self.list.sort_by_key(|(begin, _)| *begin);
    }

    fn bit([a, b, c]: Begin) -> usize {
        let number = u32::from_be_bytes([0, a, b, c]);
        (number.wrapping_mul(0x9e37_79b1) >> 16) as usize
    }

    fn may_have(&self, begin: Begin) -> bool {
        let bit = Self::bit(begin);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn of(&self, begin: Begin) -> impl Iterator<Item = &T> {
        let from = self.list.partition_point(|(other, _)| *other < begin);
        let same = self.list[from..].iter().take_while(move |(other, _)| *other == begin);
        same.map(|(_, thing)| thing)
    }
}

/// The three bytes at `at`; zeros behind the end.
fn begin_at(bytes: &[u8], at: usize) -> Begin {
    match bytes.get(at..at + 3) {
        Some(&[a, b, c]) => [a, b, c],
        _ => [0; 3],
    }
}

/// The same for small letters and capitals.
fn folded(begin: Begin) -> Begin {
    begin.map(|byte| byte | 0x20)
}

/// Where the text without space or quotes begins in which a run stands.
fn begin_of_text(bytes: &[u8], run: usize, done: usize) -> usize {
    let from = run.saturating_sub(BEFORE).max(done);
    let is_outside = |byte: &u8| *byte <= b' ' || b"\"'`<>".contains(byte);
    let outside = bytes[from..run].iter().rposition(is_outside);
    outside.map_or(from, |at| from + at + 1)
}

/// Letters of one case, more than words have.
fn is_no_identifier(run: &[u8]) -> bool {
    run.len() >= 20
        && (run.iter().all(u8::is_ascii_lowercase) || run.iter().all(u8::is_ascii_uppercase))
}

/// The line before `at` and the line above it, as far as they are near.
fn window_before(bytes: &[u8], at: usize) -> &[u8] {
    let window = &bytes[at.saturating_sub(NEAR)..at];
    let mut ends = memchr::memrchr_iter(b'\n', window);
    let above = ends.nth(1).map_or(0, |end| end + 1);
    &window[above..]
}

/// Whether a word begins at `at`; an escape or a percent code before it is no word.
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

/// The same, or a capital begins a word of a name.
fn is_name_start(bytes: &[u8], at: usize) -> bool {
    is_word_start(bytes, at) || bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase()
}

/// Whether `name` stands at `word` and not as the begin of another word: what goes
/// on in the same case behind a short name must be a word for secrets: `flytoken`.
fn is_name(bytes: &[u8], word: &Range<usize>, name: &str) -> bool {
    let Some(found) = bytes.get(word.clone()) else {
        return false;
    };
    if !found.eq_ignore_ascii_case(name.as_bytes()) {
        return false;
    }
    let rest = &bytes[word.end..];
    let (Some(last), Some(next)) = (found.last(), rest.first()) else {
        return true;
    };
    let goes_on = last.is_ascii_lowercase() && next.is_ascii_lowercase()
        || last.is_ascii_uppercase() && next.is_ascii_alphabetic();
    let begins_with = |word: &&str| {
        let begin = rest.get(..word.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()))
    };
    !goes_on || name.len() > 5 || FOR_SECRETS.iter().any(|word| begins_with(word))
}

/// Words of which one stands between a provider's name and a secret.
const FOR_SECRETS: &[&str] = &[
    "key", "token", "secret", "pass", "auth", "api", "cred", "pwd", "access", "private", "pat", "client",
];

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
    fn vote(&self, bytes: &[u8], span: Range<usize>, place: Place) -> Option<Vote> {
        let token = &bytes[span.clone()];
        let mut points = 88;
        let mut reason = "the format of a provider's tokens";
        match self.check.map(|check| check.passes(token)) {
            Some(true) => {
                points = 97;
                reason = "the format of a provider's tokens, with a right checksum";
            }
            Some(false) => {
                points = 25;
                reason = "the format of a provider's tokens, with a wrong checksum";
            }
            None => {}
        }
        if is_one_character(token) {
            return None;
        }
        if is_made_of_one_piece(token) || nature(token) == Nature::Placeholder {
            points = 30;
            reason = "the format of a provider's tokens, but an example";
        }
        if self.is_public {
            points = points.min(30);
            reason = "identifies an account, and is no secret by itself";
        }
        if !matches!(place.purpose, Purpose::Plain | Purpose::Keeper) {
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

    /// Votes for a value at `start` with a provider's name at `word`.
    fn near(&self, bytes: &[u8], word: Range<usize>, start: usize, place: Place) -> Option<Vote> {
        let rest = &bytes[start..bytes.len().min(start + LONGEST)];
        let found = self.patterns.iter().find_map(|pattern| pattern.find(rest))?;
        let span = start + found.start..start + found.end;
        let mut points = match nature(&bytes[span.clone()]) {
            Nature::Drawn => 62,
            Nature::Uuid => 45,
            Nature::MadeUp | Nature::Placeholder => 30,
            Nature::Number => 22,
            Nature::Address | Nature::Word if self.is_public => 25,
            _ => return None,
        };
        let between = &bytes[word.end..start];
        if !says_secret(&bytes[word.start..start]) {
            if between.iter().any(u8::is_ascii_alphanumeric) {
                return None;
            }
            points = (points - 5).min(45);
        }
        if self.is_public {
            points = points.min(25);
        }
        if place.purpose != Purpose::Plain && place.purpose != Purpose::Keeper {
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

fn says_secret(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    FOR_SECRETS.iter().any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some())
}

/// `ACaaaaaaaaaaaaaaaa`: stands for a token in documentation.
fn is_one_character(token: &[u8]) -> bool {
    let tail = &token[token.len().saturating_sub(12)..];
    tail.windows(2).all(|two| two[0] == two[1])
}

/// Nothing but a few characters again and again behind the prefix.
fn is_made_of_one_piece(token: &[u8]) -> bool {
    let tail = &token[token.len().saturating_sub(16)..];
    let mut seen = [false; 256];
    tail.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count() <= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every rule of the data finds its own examples and leaves the others.
    #[test]
    fn the_data_holds() {
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
            let number = formats.rules.iter().position(|other| other.id == rule.id).unwrap();
            let is_begun = formats.tokens.list.iter().any(|(_, (rule, _))| usize::from(*rule) == number);
            let is_named = formats.names.list.iter().any(|(_, (_, rule))| usize::from(*rule) == number);
            if !(is_begun || is_named) || rule.patterns.is_empty() {
                wrong.push(format!("{} is never tried", rule.id));
            }
        }
        assert!(formats.len() > 100 && examples >= 2 * formats.len());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    fn votes(formats: &Formats, text: &str) -> Vec<Vote> {
        let mut votes = Vec::new();
        formats.find(text.as_bytes(), Place::default(), &mut votes);
        crate::named::find(text.as_bytes(), Place::default(), &mut votes);
        votes
    }

    /// Whether a rule votes. Where two rules describe the same place, one of them
    /// speaks: then it is enough that the other describes it as well.
    fn finds(formats: &Formats, id: &str, text: &str, points: i32) -> bool {
        let rule = formats.rules.iter().find(|rule| rule.id == id).unwrap();
        let mut votes = votes(formats, text);
        votes.retain(|vote| vote.points >= points);
        let describes = |vote: &Vote| {
            let span = &vote.span;
            let is_format = formats.rules.iter().any(|rule| rule.id == vote.kind);
            let same = |pattern: &Pattern| pattern.find(&text.as_bytes()[span.start..]) == Some(0..span.len());
            is_format && points == 20 && rule.patterns.iter().any(same)
        };
        votes.iter().any(|vote| vote.kind == id || describes(vote))
    }
}
