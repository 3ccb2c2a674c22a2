//! Secrets on the lines of commands and statements, and their positions.

use std::ops::Range;

use memchr::memmem;

use super::{Spot, password, password_points};
use crate::assigned::string_at;
use crate::finding::Vote;
use crate::names::{self, NameClass};
use crate::place::{Role, TextContext};
use crate::stand_ins::stands_in;
use crate::value::{ValueClass, nature};

/// Votes on the secrets after a command that ends at the start of `within`.
pub(super) fn find(
    bytes: &[u8],
    within: Range<usize>,
    spot: Spot,
    place: TextContext,
    votes: &mut Vec<Vote>,
) {
    let line = Line::new(bytes, within);
    let spans = match spot {
        Spot::Flag(flags) => flags
            .iter()
            .filter_map(|flag| line.word_after(flag))
            .collect(),
        Spot::Rest(start) => Vec::from_iter(line.rest_of(start)),
        Spot::Pair(flag, sign) => {
            let pair = line.word_after(flag);
            Vec::from_iter(pair.and_then(|pair| part(bytes, pair, sign)))
        }
        Spot::Word => {
            let word = line.words().next();
            Vec::from_iter(word.filter(|word| !bytes[word.clone()].starts_with(b"-")))
        }
        Spot::Directive => Vec::from_iter(line.directive()),
        Spot::User(sign) => Vec::from_iter(line.user(sign)),
        Spot::Slashed => Vec::from_iter(line.slashed()),
        Spot::Nth(number) => Vec::from_iter(line.words().nth(number)),
        Spot::Quoted => {
            let span = string_at(bytes, line.within.start - 1);
            Vec::from_iter(span.filter(|span| span.end < line.within.end))
        }
        Spot::Slash => Vec::from_iter(line.slash()),
        Spot::Share => Vec::from_iter(line.share()),
        Spot::Account => Vec::from_iter(line.account()),
        Spot::Piped => Vec::from_iter(line.piped()),
        Spot::Variables => line.variables(),
        Spot::Literals => line.literals(),
        Spot::Statement => Vec::from_iter(line.statement()),
        Spot::Wifi => Vec::from_iter(line.wifi()),
        Spot::Answer => Vec::from_iter(line.answer()),
        Spot::Drawn | Spot::Django | Spot::Type7 => {
            votes.extend(line.drawn(spot));
            return;
        }
        Spot::Argument(_) | Spot::Key(_) | Spot::Hash | Spot::Bcrypt64 | Spot::NtHash => return,
    };
    for span in spans {
        let found = &bytes[span.clone()];
        let points = match spot {
            // A name by itself is a text about an account.
            Spot::Piped | Spot::Word | Spot::Directive | Spot::Answer | Spot::Slashed
                if place.role != Role::Config =>
            {
                password_points(found, place).filter(|points| *points >= 50)
            }
            _ => password_points(found, place),
        };
        votes.extend(points.map(|points| password(span, points)));
    }
}

/// Returns the part after the character in `user%secret`.
fn part(bytes: &[u8], pair: Range<usize>, sign: u8) -> Option<Range<usize>> {
    let at = memchr::memchr(sign, &bytes[pair.clone()])?;
    (at > 0).then_some(pair.start + at + 1..pair.end)
}

/// The rest of the line after a command.
struct Line<'a> {
    bytes: &'a [u8],
    within: Range<usize>,
}

impl<'a> Line<'a> {
    fn new(bytes: &'a [u8], within: Range<usize>) -> Self {
        let rest = &bytes[within.clone()];
        // A line that ends in a backslash continues.
        let mut ends = memchr::memchr_iter(b'\n', rest);
        let end = ends.find(|at| !rest[..*at].trim_ascii_end().ends_with(b"\\"));
        // A line that continues beyond the range is not judged by its start.
        let end = within.start + end.unwrap_or(rest.len());
        Self {
            bytes,
            within: within.start..end,
        }
    }

    /// Returns the words up to the end of the command, without their quotes.
    fn words(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut at = self.within.start;
        std::iter::from_fn(move || {
            let rest = &self.bytes[at..self.within.end];
            let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'\\';
            let blank = rest.iter().take_while(is_blank).count();
            // A Windows share starts with two backslashes.
            let shares = rest[..blank]
                .iter()
                .rev()
                .take_while(|byte| **byte == b'\\');
            at += blank - shares.count();
            if let Some(span) = string_at(self.bytes, at).filter(|span| span.end < self.within.end)
            {
                at = span.end + 1;
                return Some(span);
            }
            let rest = &self.bytes[at..self.within.end];
            let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`;|&<>)".contains(byte);
            let length = rest.iter().position(ends).unwrap_or(rest.len());
            let span = at..at + length;
            at += length;
            (length > 0).then_some(span)
        })
    }

    fn text(&self, span: &Range<usize>) -> &'a [u8] {
        &self.bytes[span.clone()]
    }

    /// Returns the word after a flag.
    fn word_after(&self, flag: &str) -> Option<Range<usize>> {
        let mut words = self.words();
        words.find(|word| self.text(word) == flag.as_bytes())?;
        words
            .next()
            .filter(|word| !self.text(word).starts_with(b"-"))
    }

    /// Returns the part after the character in the next word.
    fn user(&self, sign: u8) -> Option<Range<usize>> {
        part(self.bytes, self.words().next()?, sign)
    }

    /// Returns the only word after a command at the start of its line.
    fn directive(&self) -> Option<Range<usize>> {
        let before = &self.bytes[self.within.start.saturating_sub(64)..self.within.start];
        let line = before.rsplit(|byte| *byte == b'\n').next()?;
        let is_part = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b' ' | b'-');
        let mut words = self.words();
        let mut word = words.next()?;
        let is_encoding = |word: &Range<usize>| self.text(word).len() == 1;
        if is_encoding(&word) {
            word = words.next()?;
        }
        (line.iter().all(is_part) && words.next().is_none()).then_some(word)
    }

    /// Returns the rest of the word that starts with `start`.
    fn rest_of(&self, start: &str) -> Option<Range<usize>> {
        let mut words = self.words();
        let word = words.find(|word| self.text(word).starts_with(start.as_bytes()))?;
        Some(word.start + start.len()..word.end)
    }

    fn slash(&self) -> Option<Range<usize>> {
        let words = self.words().take(4);
        let mut words = words.filter(|word| !self.text(word).starts_with(b"-"));
        let word = words.next()?;
        let text = self.text(&word);
        let slash = memchr::memchr(b'/', text).filter(|at| *at > 0)?;
        let host = memchr::memrchr(b'@', text).unwrap_or(text.len());
        (host > slash + 1).then_some(word.start + slash + 1..word.start + host)
    }

    fn share(&self) -> Option<Range<usize>> {
        let words: Vec<_> = self.words().take(8).collect();
        let is_user = |word: &Range<usize>| {
            let start = self.text(word).get(..6);
            start.is_some_and(|start| start.eq_ignore_ascii_case(b"/user:"))
        };
        words.iter().find(|word| is_user(word))?;
        let is_value = |word: &&Range<usize>| {
            let text = self.text(word);
            let is_drive = text.len() == 2 && text[1] == b':';
            !text.starts_with(b"/") && !text.starts_with(b"\\") && !is_drive && text != b"*"
        };
        words.iter().find(is_value).cloned()
    }

    /// Returns the password only with account options, or at the end: `net user` is also English.
    fn account(&self) -> Option<Range<usize>> {
        let words: Vec<_> = self.words().take(4).collect();
        let [user, secret, rest @ ..] = &words[..] else {
            return None;
        };
        let is_switch = |word: &Range<usize>| self.text(word).starts_with(b"/");
        let is_command = rest.is_empty() || is_switch(&rest[0]);
        let is_plain = !is_switch(user) && !is_switch(secret);
        (is_command && is_plain).then(|| secret.clone())
    }

    fn piped(&self) -> Option<Range<usize>> {
        const READERS: [&[u8]; 6] = [
            b"| docker secret create",
            b"| sudo -S",
            b"|sudo -S",
            b"| docker login",
            b"| passwd --stdin",
            b"| su -",
        ];
        let mut words = self.words();
        let mut secret = words.next()?;
        if matches!(self.text(&secret), b"-n" | b"-e") {
            secret = words.next()?;
        }
        let behind = &self.bytes[secret.end..self.within.end];
        let is_quote = |byte: &&u8| matches!(byte, b'"' | b'\'' | b' ');
        let behind = &behind[behind.iter().take_while(is_quote).count()..];
        READERS
            .iter()
            .any(|reader| behind.starts_with(reader))
            .then_some(secret)
    }

    /// Returns the values of names for secrets in `-e` and `--env`.
    fn variables(&self) -> Vec<Range<usize>> {
        let mut is_next = false;
        let values = self.words().filter_map(|word| {
            let text = self.text(&word);
            let was_flag = std::mem::replace(&mut is_next, matches!(text, b"-e" | b"--env"));
            let text = text
                .strip_prefix(b"--env=")
                .filter(|_| !was_flag)
                .unwrap_or(text);
            let sign = memchr::memchr(b'=', text)?;
            let is_secret = matches!(
                names::promise(&text[..sign])?,
                NameClass::Password | NameClass::Secret | NameClass::Token | NameClass::ApiKey
            );
            let is_upper = text[..sign].iter().any(u8::is_ascii_uppercase);
            (is_secret && is_upper).then_some(word.end - (text.len() - sign - 1)..word.end)
        });
        values.filter(|span| !span.is_empty()).collect()
    }

    /// Returns the third word of `user / secret`.
    fn slashed(&self) -> Option<Range<usize>> {
        let mut words = self.words().skip(1);
        words.next().filter(|word| self.text(word) == b"/")?;
        words.next()
    }

    /// Returns the values of `--from-literal=name=`.
    fn literals(&self) -> Vec<Range<usize>> {
        let values = self.words().filter_map(|word| {
            let pair = self.text(&word).strip_prefix(b"--from-literal=")?;
            let sign = memchr::memchr(b'=', pair)?;
            let quote = usize::from(matches!(pair.get(sign + 1), Some(b'"' | b'\'')));
            Some(word.end - (pair.len() - sign - 1 - quote)..word.end)
        });
        values.filter(|span| !span.is_empty()).collect()
    }

    fn statement(&self) -> Option<Range<usize>> {
        let mut words = self.words();
        let is = |word: &Range<usize>, known: &[u8]| self.text(word).eq_ignore_ascii_case(known);
        let first = words.next()?;
        if is(&first, b"WITH") {
            words.next()?;
            words.next().filter(|word| is(word, b"BY"))?;
        } else if !is(&first, b"BY") {
            return None;
        }
        let mut value = words.next()?;
        if is(&value, b"PASSWORD") {
            value = words.next()?;
        }
        let quote = value.start.checked_sub(1).map(|at| self.bytes[at]);
        matches!(quote, Some(b'\'' | b'"')).then_some(value)
    }

    fn wifi(&self) -> Option<Range<usize>> {
        let text = self.text(&self.within);
        let is_network = memmem::find(&text[..text.len().min(80)], b"S:").is_some();
        let at = memmem::find(text, b";P:").filter(|_| is_network)? + 3;
        let end = memchr::memchr3(b';', b'"', b'\'', &text[at..])?;
        (text[at + end] == b';').then_some(self.within.start + at..self.within.start + at + end)
    }

    /// Returns the text that a script types at a password prompt.
    fn answer(&self) -> Option<Range<usize>> {
        let open = self.within.start;
        let before = &self.bytes[open.saturating_sub(160)..open];
        memmem::find(before, b"assword").filter(|_| memmem::find(before, b"expect").is_some())?;
        let mut span = string_at(self.bytes, open - 1).filter(|span| span.end < self.within.end)?;
        let text = self.text(&span);
        let text = text.strip_suffix(b"\\n").unwrap_or(text);
        let text = text.strip_suffix(b"\\r").unwrap_or(text);
        span.end = span.start + text.len();
        Some(span)
    }

    /// Votes on secrets with a known format.
    fn drawn(&self, spot: Spot) -> Option<Vote> {
        let mut words = self.words();
        let (span, kind, reason) = match spot {
            Spot::Drawn => {
                let word = words.next()?;
                let is_drawn = nature(self.text(&word)) == ValueClass::Uuid;
                let reason = "the password that a server draws at its start";
                (is_drawn.then_some(word)?, "password", reason)
            }
            Spot::Type7 => {
                let word = words.next().filter(|word| is_type7(self.text(word)))?;
                (word, "password", "a password that is only encoded")
            }
            _ => {
                words.next().filter(|word| self.text(word) == b"=")?;
                let word = words.next().filter(|word| is_django(self.text(word)))?;
                (word, "secret", "the form of Django's secret key")
            }
        };
        Some(Vote {
            span,
            kind,
            points: 62,
            reason,
        })
    }
}

/// Matches two digits and pairs of hexadecimal digits.
fn is_type7(text: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F');
    let starts = text.first().is_some_and(|byte| matches!(byte, b'0' | b'1'));
    starts && text.len() >= 8 && text.len().is_multiple_of(2) && text.iter().all(is_digit)
}

/// Matches fifty characters of Django's alphabet.
fn is_django(key: &[u8]) -> bool {
    const LENGTH: usize = 50;
    let body = key.strip_prefix(b"django-insecure-").unwrap_or(key);
    let is_part = |byte: &u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"!@#$%^&*(-_=+)".contains(byte)
    };
    let mut seen = [false; 256];
    body.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let distinct = seen.iter().filter(|seen| **seen).count();
    let has_digit = body.iter().any(u8::is_ascii_digit);
    body.len() == LENGTH
        && body.iter().all(is_part)
        && distinct >= 20
        && has_digit
        && !(body.contains(&b'_') && stands_in(b"", body))
}
