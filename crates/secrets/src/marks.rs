//! Tokens with a distinctive inner mark instead of a prefix, which need no name next to them:
//! Telegram's `123456789:AA…`, Microsoft Entra's `…Q~…`, Discord's `MTA….abcdef.…`, and the signed
//! session cookies of Express and Flask.

use std::ops::Range;

use memchr::memmem;

use crate::checks;
use crate::finding::Vote;
use crate::random::CharStats;

pub(crate) fn find(bytes: &[u8], votes: &mut Vec<Vote>) {
    for at in memmem::find_iter(bytes, b"Q~") {
        votes.extend(entra(bytes, at).map(|span| vote(span, "azure-ad-client-secret")));
    }
    for at in memmem::find_iter(bytes, b":AA") {
        votes.extend(telegram(bytes, at).map(|span| vote(span, "telegram-bot-token")));
    }
    for at in memchr::memchr_iter(b'.', bytes) {
        if bytes.get(at + 7) == Some(&b'.') {
            votes.extend(discord(bytes, at).map(|span| vote(span, "discord-bot-token")));
        }
    }
    for at in memmem::find_iter(bytes, b"session=") {
        votes.extend(flask(bytes, at + 8).map(|span| vote(span, "session-cookie")));
    }
    for mark in [&b"=s%3A"[..], b"=s:"] {
        for at in memmem::find_iter(bytes, mark) {
            let cookie = express(bytes, at + 1, mark.len() - 1);
            votes.extend(cookie.map(|span| vote(span, "session-cookie")));
        }
    }
}

fn vote(span: Range<usize>, kind: &'static str) -> Vote {
    Vote {
        span,
        kind,
        points: 72,
        reason: "the format of a provider's tokens",
    }
}

/// Three characters, a digit, `Q~`, and 31 to 34 more.
fn entra(bytes: &[u8], mark: usize) -> Option<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_~.-".contains(&byte);
    let start = mark.checked_sub(4)?;
    let span = start..mark + 2 + run(bytes, mark + 2, is_part);
    let is_right = bytes[mark - 1].is_ascii_digit()
        && bytes[start..mark].iter().all(|byte| is_part(*byte))
        && (37..=40).contains(&span.len());
    is_drawn_alone(bytes, span, is_right, is_part)
}

/// Eight to ten digits, a colon, and 35 characters that begin with `AA`.
fn telegram(bytes: &[u8], mark: usize) -> Option<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let digits = bytes[mark.saturating_sub(11)..mark]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let span = mark - digits..mark + 1 + run(bytes, mark + 1, is_part);
    let is_right = (8..=10).contains(&digits) && span.len() == digits + 36;
    is_drawn_alone(bytes, span, is_right, is_part)
}

/// 24 to 28 characters of base64 that encode the start of an account number, six more, and 27 to 38
/// more; `mark` is the first dot.
fn discord(bytes: &[u8], mark: usize) -> Option<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let before = &bytes[mark.saturating_sub(30)..mark];
    let first = before
        .iter()
        .rev()
        .take_while(|byte| is_part(**byte))
        .count();
    let start = mark - first;
    let tail = run(bytes, mark + 8, is_part);
    let is_right = (24..=28).contains(&first)
        && matches!(tail, 27 | 38)
        && bytes[mark + 1..mark + 7].iter().all(|byte| is_part(*byte));
    let number = checks::decode(bytes[start..mark].get(..4)?)?;
    let is_number = number.iter().all(u8::is_ascii_digit);
    is_drawn_alone(
        bytes,
        start..mark + 8 + tail,
        is_right && is_number,
        is_part,
    )
}

/// `s%3A`, the id of a session, a dot and the signature of 43 characters.
fn express(bytes: &[u8], start: usize, head: usize) -> Option<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let is_signature = |byte: u8| byte.is_ascii_alphanumeric() || b"+/%".contains(&byte);
    let id = run(bytes, start + head, is_part);
    let dot = start + head + id;
    let signature = run(bytes, dot + 1, is_signature);
    let is_right = bytes.get(dot) == Some(&b'.') && id >= 16 && signature >= 43;
    let is_drawn = is_right && CharStats::of(&bytes[dot + 1..dot + 1 + signature]).is_drawn();
    is_drawn.then_some(start..dot + 1 + signature)
}

/// JSON in base64, a time of six characters and a signature of at least 27, with dots.
fn flask(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let is_packed = bytes.get(start) == Some(&b'.');
    let body = start + usize::from(is_packed);
    let rest = &bytes[body..bytes.len().min(body + 4096)];
    let is_json = rest.starts_with(b"eyJ") || is_packed && rest.starts_with(b"eJ");
    let data = body + rest.iter().take_while(|byte| is_part(**byte)).count();
    let time = data + 1 + run(bytes, data + 1, is_part);
    let end = time + 1 + run(bytes, time + 1, is_part);
    let has_dots = bytes.get(data) == Some(&b'.') && bytes.get(time) == Some(&b'.');
    let is_right = is_json && has_dots && (5..=7).contains(&(time - data - 1));
    (is_right && end - time > 27).then_some(start..end)
}

fn run(bytes: &[u8], from: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let rest = &bytes[from.min(bytes.len())..bytes.len().min(from + 64)];
    rest.iter().take_while(|byte| is_part(**byte)).count()
}

/// Returns the span if it is a separate word and random.
fn is_drawn_alone(
    bytes: &[u8],
    span: Range<usize>,
    is_right: bool,
    is_part: impl Fn(u8) -> bool,
) -> Option<Range<usize>> {
    let before = span.start.checked_sub(1).map(|at| bytes[at]);
    // The URL of Telegram's service: `/bot123456789:AA…/getMe`.
    let is_alone = before.is_none_or(|byte| !is_part(byte) || byte == b'.')
        || bytes[..span.start].ends_with(b"/bot");
    let is_drawn = is_right && CharStats::of(&bytes[span.clone()]).is_drawn();
    (is_alone && is_drawn).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        let telegram = ["7204961484:", "AAF3k29sJdl2mXq0PzRt7vBnYw1cEgHi5uK"].concat();
        let entra = ["mZ.8", "Q~cX3vTq7LkP0sWn2RyBd5GhJf9UeAo1Yz.b"].concat();
        let discord = [
            "MTA0MzQ4NTA4ODc5NDI5NjMy",
            ".GYdkYC.",
            "k29sJdl2mXq0PzRt7vBnYw1cEgHi5uKa3Lp8Qd",
        ]
        .concat();
        let cookie = [
            "s%3A",
            "VXZx3scB8fnvGNx6jvr7SIftRutlZfOj",
            ".UStEkUdfMI7zcpVMw0qDPAjd6OcZFv1niUK8iO5YAgk",
        ]
        .concat();
        let flask = [
            "eyJfZnJlc2giOmZhbHNlfQ",
            ".ZxYwVu.",
            "y4DE9ugYHbIUyd2j88BRYoVhf6Q",
        ]
        .concat();
        for (text, expected) in [
            (format!("run {telegram} now"), Some(telegram.clone())),
            (
                format!("https://api.telegram.org/bot{telegram}/getMe"),
                Some(telegram.clone()),
            ),
            (format!("run(\"{discord}\")"), Some(discord.clone())),
            (format!("run(\"x{discord}\")"), None),
            (
                "Module.Submodule.abcdef.functionNameThatIsLong2".to_owned(),
                None,
            ),
            (format!("x.sid={cookie}; Path=/"), Some(cookie.clone())),
            (format!("session={flask};"), Some(flask.clone())),
            ("session=eyJhIjoxfQ.value.name".to_owned(), None),
            ("x=s%3Aname.of".to_owned(), None),
            (format!("x={entra}\n"), Some(entra.clone())),
            (format!("1{telegram}"), None),
            (telegram[..40].to_owned(), None),
            (format!("{entra}abcdef"), None),
            ("aaaaQ~".to_owned(), None),
        ] {
            let mut votes = Vec::new();
            find(text.as_bytes(), &mut votes);
            let found: Vec<_> = votes.iter().map(|vote| &text[vote.span.clone()]).collect();
            assert_eq!(found, Vec::from_iter(expected.as_deref()), "{text}");
        }
    }
}
