//! The formats of providers: `data/formats.txt` read once, and found where their
//! first characters stand, or where a run of characters stands near their name.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::{Regex, RegexBuilder};

use crate::checks::Check;
use crate::finding::Vote;
use crate::place::{Place, Purpose, Syntax};
use crate::runs::{LongRuns, is_token_byte};
use crate::value::{Nature, nature};

/// Runs shorter than this hold no token of a known format.
pub(crate) const SHORTEST: usize = 16;

/// How far before a run its token may begin: `https://hooks.slack.com/services/`.
const BEFORE: usize = 64;

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

struct Pattern {
    source: &'static str,
    /// The literal that it begins with, in lower case where case does not matter.
    prefix: Vec<u8>,
    folds: bool,
    regex: OnceLock<Option<Regex>>,
}

/// Where a pattern stands: the rule, and the pattern in it.
type Place2 = (u16, u8);

pub(crate) struct Formats {
    rules: Vec<Rule>,
    /// Whether a pattern begins with these two bytes.
    begins: Vec<u64>,
    by_begin: HashMap<[u8; 2], Vec<Place2>>,
    /// The words near which other rules apply.
    words: Option<AhoCorasick>,
    by_word: Vec<Vec<u16>>,
}

static FORMATS: LazyLock<Formats> =
    LazyLock::new(|| Formats::read(include_str!(concat!(env!("OUT_DIR"), "/formats.txt"))));

impl Formats {
    pub(crate) fn get() -> &'static Self {
        &FORMATS
    }

    fn read(text: &'static str) -> Self {
        let mut formats = Self {
            rules: Vec::with_capacity(1024),
            begins: vec![0; 1024],
            by_begin: HashMap::new(),
            words: None,
            by_word: Vec::new(),
        };
        let mut words: Vec<&str> = Vec::new();
        for block in blocks(text) {
            formats.add(block, &mut words);
        }
        formats.words = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .ascii_case_insensitive(true)
            .build(words)
            .ok();
        formats
    }

    fn add(&mut self, block: &'static str, words: &mut Vec<&'static str>) {
        let mut lines = block.lines();
        let id = lines.next().unwrap_or_default();
        let number = self.rules.len() as u16;
        let mut rule = Rule {
            id,
            is_public: false,
            check: None,
            patterns: Vec::new(),
        };
        let mut near = false;
        for line in lines {
            let (field, value) = line.trim_start().split_once(' ').unwrap_or((line, ""));
            let value = value.trim_start();
            match field {
                "match" => rule.patterns.push(Pattern::new(value)),
                "kind" => rule.is_public = value == "id",
                "check" => rule.check = Check::named(value),
                "near" => {
                    near = true;
                    for word in value.split_whitespace() {
                        let at = words.iter().position(|known| *known == word);
                        let at = at.unwrap_or_else(|| {
                            words.push(word);
                            self.by_word.push(Vec::new());
                            words.len() - 1
                        });
                        self.by_word[at].push(number);
                    }
                }
                _ => {}
            }
        }
        if !near {
            for (at, pattern) in rule.patterns.iter().enumerate() {
                for key in pattern.keys() {
                    let bit = usize::from(u16::from_be_bytes(key));
                    self.begins[bit / 64] |= 1 << (bit % 64);
                    self.by_begin
                        .entry(key)
                        .or_default()
                        .push((number, at as u8));
                }
            }
        }
        self.rules.push(rule);
    }

    fn begins_at(&self, bytes: &[u8], at: usize) -> bool {
        let Some([a, b, ..]) = bytes.get(at..) else {
            return false;
        };
        let bit = usize::from(u16::from_be_bytes([*a, *b]));
        self.begins[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Votes for every token of a known format.
    pub(crate) fn find(&self, bytes: &[u8], place: Place, votes: &mut Vec<Vote>) {
        let mut done = 0;
        for run in LongRuns::new(bytes, SHORTEST) {
            let before = &bytes[..run.start];
            let far = before.len().saturating_sub(BEFORE).max(done);
            let is_outside = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>".contains(byte);
            let start = before[far..].iter().rposition(is_outside);
            let start = start.map_or(far, |at| far + at + 1);
            let known = votes.len();
            let mut at = start;
            while at < run.end {
                if is_word_start(bytes, at)
                    && self.begins_at(bytes, at)
                    && let Some(vote) = self.token_at(bytes, at, place)
                {
                    at = vote.span.end;
                    votes.push(vote);
                    continue;
                }
                at += 1;
            }
            done = run.end;
            if votes.len() == known && place.syntax != Syntax::Digests && run.len() <= 512 {
                votes.extend(self.near_in(bytes, run, place));
            }
        }
    }

    /// The longest token of any format that begins at `at`.
    fn token_at(&self, bytes: &[u8], at: usize, place: Place) -> Option<Vote> {
        let key = [bytes[at], bytes[at + 1]];
        let rest = &bytes[at..bytes.len().min(at + LONGEST)];
        let mut best: Option<Vote> = None;
        for &(rule, pattern) in self.by_begin.get(&key)? {
            let rule = &self.rules[usize::from(rule)];
            let Some(span) = rule.patterns[usize::from(pattern)].find(rest) else {
                continue;
            };
            let vote = rule.vote(bytes, at + span.start..at + span.end, place);
            let Some(vote) = vote else { continue };
            let length = |vote: &Vote| (vote.span.len(), vote.points);
            if best
                .as_ref()
                .is_none_or(|best| length(best) < length(&vote))
            {
                best = Some(vote);
            }
        }
        best
    }

    /// What a provider's name makes of a part of a run: `name-key-0a1b…`.
    fn near_in(&self, bytes: &[u8], run: Range<usize>, place: Place) -> Option<Vote> {
        let last = bytes[run.clone()].iter().rposition(u8::is_ascii_digit)? + run.start;
        // Some have other signs between their parts: `123456:AAF…`, `v1.0.…`.
        let before = bytes[run.start.saturating_sub(40)..run.start].iter().rev();
        let is_part = |byte: &&u8| is_token_byte(**byte) || matches!(byte, b'.' | b':' | b'~');
        let first = run.start - before.take_while(is_part).count();
        let is_start = |at: &usize| *at == first || !bytes[at - 1].is_ascii_alphanumeric();
        let starts = (first..=last).filter(is_start);
        self.near(bytes, first, starts.take(12), place)
    }

    /// A value at `start` that has a shape which a provider named before it uses.
    pub(crate) fn near_value(&self, bytes: &[u8], start: usize, place: Place) -> Option<Vote> {
        self.near(bytes, start, [start].into_iter(), place)
    }

    fn near(
        &self,
        bytes: &[u8],
        at: usize,
        starts: impl Iterator<Item = usize> + Clone,
        place: Place,
    ) -> Option<Vote> {
        let last = starts.clone().last()?;
        let from = at - window_before(bytes, at).len();
        let window = &bytes[from..last];
        let mut best: Option<Vote> = None;
        for hit in self.words.as_ref()?.find_overlapping_iter(window) {
            let word = from + hit.start()..from + hit.end();
            if !is_name_start(bytes, word.start) {
                continue;
            }
            for start in starts.clone().filter(|start| *start >= word.end) {
                for &rule in &self.by_word[hit.pattern().as_usize()] {
                    let rule = &self.rules[usize::from(rule)];
                    let vote = rule.near(bytes, word.clone(), start, place);
                    let length = |vote: &Vote| (vote.points, vote.span.len());
                    if let Some(vote) = vote
                        && best
                            .as_ref()
                            .is_none_or(|best| length(best) < length(&vote))
                    {
                        best = Some(vote);
                    }
                }
            }
        }
        best
    }
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
        let found = self
            .patterns
            .iter()
            .find_map(|pattern| pattern.find(rest))?;
        let span = start + found.start..start + found.end;
        let mut points = match nature(&bytes[span.clone()]) {
            Nature::Drawn => 62,
            Nature::Uuid => 45,
            Nature::MadeUp | Nature::Placeholder => 30,
            Nature::Name | Nature::Number => 22,
            _ => return None,
        };
        let secret = [
            "key", "token", "secret", "pass", "auth", "api", "cred", "pwd", "access", "private",
            "pat", "client",
        ];
        let lower = bytes[word.start..start].to_ascii_lowercase();
        let says = |word: &str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
        if !secret.iter().any(|word| says(word)) {
            if start - word.end > 6 {
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

impl Pattern {
    fn new(source: &'static str) -> Self {
        let (folds, rest) = match source.strip_prefix("(?i)") {
            Some(rest) => (true, rest),
            None => (false, source),
        };
        let mut prefix = literal_prefix(rest);
        if folds {
            prefix.make_ascii_lowercase();
        }
        Self {
            source,
            prefix,
            folds,
            regex: OnceLock::new(),
        }
    }

    /// The first two bytes that it can begin with.
    fn keys(&self) -> Vec<[u8; 2]> {
        let [a, b, ..] = self.prefix[..] else {
            return Vec::new();
        };
        if !self.folds {
            return vec![[a, b]];
        }
        let (c, d) = (a.to_ascii_uppercase(), b.to_ascii_uppercase());
        let mut keys = vec![[a, b], [a, d], [c, b], [c, d]];
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The secret, when the pattern matches at the beginning of `rest` and no letter
    /// or digit follows.
    fn find(&self, rest: &[u8]) -> Option<Range<usize>> {
        let begin = rest.get(..self.prefix.len())?;
        let same = match self.folds {
            true => begin.eq_ignore_ascii_case(&self.prefix),
            false => begin == self.prefix,
        };
        if !same {
            return None;
        }
        let regex = self.regex.get_or_init(|| compile(self.source)).as_ref()?;
        let found = regex.captures(rest)?;
        let whole = found.get(0)?;
        let follows = rest.get(whole.end());
        if follows.is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let secret = found.get(1).unwrap_or(whole);
        Some(secret.range())
    }
}

fn compile(source: &str) -> Option<Regex> {
    RegexBuilder::new(&format!("^(?:{source})"))
        .unicode(false)
        .build()
        .ok()
}

/// The literal characters that a pattern begins with.
fn literal_prefix(source: &str) -> Vec<u8> {
    let bytes = source.as_bytes();
    let mut prefix = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (literal, next) = match byte {
            b'\\' => match bytes.get(at + 1) {
                Some(byte) if !byte.is_ascii_alphanumeric() => (*byte, at + 2),
                _ => break,
            },
            b'[' | b'(' | b'.' | b'|' | b'{' | b'?' | b'*' | b'+' | b'^' | b'$' | b')' => break,
            _ => (byte, at + 1),
        };
        // What is repeated or may be missing is not part of it.
        if matches!(bytes.get(next), Some(b'?' | b'*' | b'{')) {
            break;
        }
        prefix.push(literal);
        at = next;
    }
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        for (source, prefix) in [
            ("ghp_[A-Z]{3}", "ghp_"),
            (r"SG\.[a-z]", "SG."),
            ("ab{2}", "a"),
            ("[a-f]{32}", ""),
            ("abc?", "ab"),
        ] {
            assert_eq!(literal_prefix(source), prefix.as_bytes(), "{source}");
        }
    }

    /// Every rule of the data finds its own examples and leaves the others.
    #[test]
    fn the_data_holds() {
        let all = include_str!("../data/formats.txt");
        let formats = Formats::get();
        let (mut id, mut wrong) = ("", Vec::new());
        let mut examples = 0;
        for line in all.lines().filter(|line| !line.starts_with('#')) {
            let Some(field) = line.strip_prefix("  ") else {
                id = line.trim();
                continue;
            };
            let (name, value) = field.split_once(' ').unwrap_or((field, ""));
            let text = value.trim().replace('¦', "").replace("\\n", "\n");
            let mut votes = Vec::new();
            formats.find(text.as_bytes(), Place::default(), &mut votes);
            votes.retain(|vote| vote.points >= if name == "-" { 26 } else { 20 });
            let found = votes.iter().any(|vote| vote.kind == id);
            match name {
                "+" | "-" => examples += 1,
                "match" => {
                    let good = compile(value.trim()).is_some();
                    assert!(good, "{id}: {value}");
                }
                _ => {}
            }
            if name == "+" && !found || name == "-" && found {
                wrong.push(format!("{id} {name} {text:?} {votes:?}"));
            }
        }
        assert!(formats.rules.len() > 100 && examples >= 2 * formats.rules.len());
        assert_eq!(wrong, Vec::<String>::new());
    }
}
