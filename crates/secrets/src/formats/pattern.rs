//! Patterns of tokens and their matching, in the syntax of the data. A small subset of regular
//! expressions suffices for tokens: characters, classes, counts, and `(` and `)` around the secret.

use std::ops::Range;
use std::sync::OnceLock;

use super::begins::Begin;

/// A pattern, parsed on first use.
pub(super) struct Pattern {
    source: &'static str,
    parsed: OnceLock<Parsed>,
}

/// A match of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// Extends to the end of the word, even if the pattern ends before.
    pub(super) secret: Range<usize>,
    /// True if the word ends with the pattern.
    pub(super) is_exact: bool,
}

#[derive(Debug, Default)]
struct Parsed {
    steps: Vec<Step>,
    /// Range of the steps between `(` and `)`, or all steps.
    secret: Range<usize>,
    /// Length of the shortest match.
    least: usize,
}

/// Between `least` and `most` characters of a set.
#[derive(Clone, Copy, Debug)]
struct Step {
    set: Set,
    least: u16,
    most: u16,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Set([u64; 4]);

impl Pattern {
    pub(super) fn new(source: &'static str) -> Self {
        Self {
            source,
            parsed: OnceLock::new(),
        }
    }

    /// Returns the possible first bytes of its matches; a pattern must start with at least two
    /// literal characters.
    pub(super) fn begins(&self) -> Vec<Begin> {
        let mut parser = Parser::new(self.source);
        let mut sets = std::iter::from_fn(|| parser.step()).flat_map(|step| {
            let fixed = step.least.clamp(1, 3);
            std::iter::repeat_n(step.set, usize::from(fixed))
        });
        let one = |set: Option<Set>| set.and_then(Set::only);
        let (Some(first), Some(second)) = (one(sets.next()), one(sets.next())) else {
            return Vec::new();
        };
        let third = sets.next().unwrap_or_default();
        if let Some(third) = third.only() {
            return vec![[first, second, third]];
        }
        let thirds = (0..=255).filter(|byte| third.has(*byte));
        thirds.map(|third| [first, second, third]).collect()
    }

    /// Matches the pattern at the start of `rest`, and returns the secret.
    pub(super) fn find(&self, rest: &[u8]) -> Option<Match> {
        let parsed = self.parsed.get_or_init(|| Parser::new(self.source).all());
        if rest.len() < parsed.least {
            return None;
        }
        let mut secret = 0..0;
        let end = parsed.end_of(0, rest, 0, &mut secret)?;
        let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let more = rest[end..].iter().take_while(|byte| goes_on(byte)).count();
        secret.end += more;
        let is_exact = more == 0;
        Some(Match { secret, is_exact })
    }

    #[cfg(test)]
    pub(super) fn is_sound(&self) -> bool {
        let mut parser = Parser::new(self.source);
        let parsed = parser.all();
        let is_done = parser.rest.is_empty() && !parsed.steps.is_empty();
        is_done
            && parsed
                .steps
                .iter()
                .all(|step| step.least <= step.most && step.most > 0)
    }
}

impl Parsed {
    /// Returns the end of the steps from `number` on, starting at `at`. Matching is greedy, earlier
    /// steps first.
    fn end_of(
        &self,
        number: usize,
        rest: &[u8],
        at: usize,
        secret: &mut Range<usize>,
    ) -> Option<usize> {
        let (mut number, mut at) = (number, at);
        loop {
            if number == self.secret.start {
                secret.start = at;
            }
            if number == self.secret.end {
                secret.end = at;
            }
            let Some(step) = self.steps.get(number) else {
                return Some(at);
            };
            let (least, most) = (usize::from(step.least), usize::from(step.most));
            let here = rest[at..].iter().take(most);
            let count = here.take_while(|byte| step.set.has(**byte)).count();
            if count < least {
                return None;
            }
            number += 1;
            if count > least {
                let mut counts = (least..=count).rev();
                return counts.find_map(|count| self.end_of(number, rest, at + count, secret));
            }
            at += count;
        }
    }
}

impl Set {
    fn has(self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    /// Returns the only byte of the set, if it has one.
    fn only(self) -> Option<u8> {
        let mut words = (0..4).filter(|at| self.0[*at] != 0);
        let (at, None) = (words.next()?, words.next()) else {
            return None;
        };
        let bit = self.0[at].trailing_zeros() as usize;
        self.0[at]
            .is_power_of_two()
            .then_some((at * 64 + bit) as u8)
    }
}

struct Parser<'a> {
    rest: &'a [u8],
    /// Steps parsed so far.
    count: usize,
    secret: Option<Range<usize>>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            rest: source.as_bytes(),
            count: 0,
            secret: None,
        }
    }

    fn all(&mut self) -> Parsed {
        let steps: Vec<_> = std::iter::from_fn(|| self.step()).collect();
        Parsed {
            secret: self.secret.clone().unwrap_or(0..steps.len()),
            least: steps.iter().map(|step| usize::from(step.least)).sum(),
            steps,
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn step(&mut self) -> Option<Step> {
        let mut set = Set::default();
        match self.next()? {
            b'(' => {
                self.secret = Some(self.count..usize::MAX);
                return self.step();
            }
            b')' => {
                self.secret = self.secret.take().map(|secret| secret.start..self.count);
                return self.step();
            }
            b'[' => set = self.class()?,
            b'\\' => set.add(self.next()?),
            byte => set.add(byte),
        }
        let (least, most) = self.counts()?;
        self.count += 1;
        Some(Step { set, least, most })
    }

    fn class(&mut self) -> Option<Set> {
        let mut set = Set::default();
        loop {
            let from = match self.next()? {
                b']' => return Some(set),
                b'\\' => self.next()?,
                byte => byte,
            };
            // At the end, `-` is literal.
            let is_range = self.rest.first() == Some(&b'-') && self.rest.get(1) != Some(&b']');
            let to = match is_range {
                true => self.next().and_then(|_| self.next())?,
                false => from,
            };
            (from..=to).for_each(|byte| set.add(byte));
        }
    }

    /// Parses `?`, `{n}`, `{n,m}`, or nothing for one.
    fn counts(&mut self) -> Option<(u16, u16)> {
        match self.rest.first() {
            Some(b'?') => {
                self.next();
                Some((0, 1))
            }
            Some(b'{') => {
                let end = memchr::memchr(b'}', self.rest)?;
                let counts = std::str::from_utf8(&self.rest[1..end]).ok()?;
                self.rest = &self.rest[end + 1..];
                let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
                Some((least.parse().ok()?, most.parse().ok()?))
            }
            _ => Some((1, 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &'static str, text: &str, expected: Option<&str>) {
        let pattern = Pattern::new(source);
        assert!(pattern.is_sound(), "{source}");
        let found = pattern.find(text.as_bytes()).filter(|found| found.is_exact);
        let found = found.map(|found| &text[found.secret]);
        assert_eq!(found, expected, "{source} in {text}");
    }

    #[test]
    fn patterns_match_whole_tokens() {
        check("ab[0-9]{3}", "ab123", Some("ab123"));
        check("ab[0-9]{3}", "ab1234", None);
        check("ab[0-9]{3}", "ab12", None);
        check("ab[0-9]{2,3}-", "ab123-", Some("ab123-"));
        check("a[a-c]{1,9}c=", "abacbc= ", Some("abacbc="));
        check(r"a\.([a-z-]{2})b", "a.x-b", Some("x-"));
        check("ab?c", "ac", Some("ac"));
        check("[a-z]{2}={0,2}", "ab=", Some("ab="));
    }

    #[test]
    fn begins() {
        let of = |source| Pattern::new(source).begins();
        assert_eq!(of("ghp_[A-Z]{3}"), [*b"ghp"]);
        assert_eq!(of(r"S\.[ab]{3}"), [*b"S.a", *b"S.b"]);
        assert_eq!(of("[a-f]{32}"), [[0; 3]; 0]);
    }
}
