//! Tokens that are known by a mark within rather than by how they begin, and that
//! need no name beside them: Telegram's `123456789:AA…`, Microsoft Entra's `…Q~…`.

use std::ops::Range;

use memchr::memmem;

use crate::finding::Vote;
use crate::random::Makeup;

pub(crate) fn find(bytes: &[u8], votes: &mut Vec<Vote>) {
    for at in memmem::find_iter(bytes, b"Q~") {
        votes.extend(entra(bytes, at).map(|span| vote(span, "azure-ad-client-secret")));
    }
    for at in memmem::find_iter(bytes, b":AA") {
        votes.extend(telegram(bytes, at).map(|span| vote(span, "telegram-bot-token")));
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

fn run(bytes: &[u8], from: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let rest = &bytes[from..bytes.len().min(from + 64)];
    rest.iter().take_while(|byte| is_part(**byte)).count()
}

/// The span, when it stands alone and was drawn by a machine.
fn is_drawn_alone(
    bytes: &[u8],
    span: Range<usize>,
    is_right: bool,
    is_part: impl Fn(u8) -> bool,
) -> Option<Range<usize>> {
    let before = span.start.checked_sub(1).map(|at| bytes[at]);
    let is_alone = before.is_none_or(|byte| !is_part(byte) || byte == b'.');
    let is_drawn = is_right && Makeup::of(&bytes[span.clone()]).is_drawn();
    (is_alone && is_drawn).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        let telegram = ["7204961484:", "AAF3k29sJdl2mXq0PzRt7vBnYw1cEgHi5uK"].concat();
        let entra = ["mZ.8", "Q~cX3vTq7LkP0sWn2RyBd5GhJf9UeAo1Yz.b"].concat();
        for (text, expected) in [
            (format!("run {telegram} now"), Some(telegram.clone())),
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
