//! Keys in JSON (JWK): the private members of an object with `"kty"`.

use std::ops::Range;

use crate::assigned::string_at;
use crate::finding::Vote;
use crate::random::CharStats;
use crate::triggers::{Hit, Trigger};

/// Maximum distance back to the key type: no more than a stream sees.
const BEFORE: usize = 3500;

/// Maximum distance forward to the key type.
const BEHIND: usize = 4000;

/// Minimum length of a secret member: 128 bits have 22 characters.
const LEAST: usize = 22;

/// Votes on the members among `hits`.
pub(crate) fn find(bytes: &[u8], hits: &[Hit], votes: &mut Vec<Vote>) {
    for (number, hit) in hits.iter().enumerate() {
        if hit.trigger != Trigger::Member {
            continue;
        }
        let Some(span) = member(bytes, hit.end) else {
            continue;
        };
        let is_type = |other: &&Hit| other.trigger == Trigger::KeyType;
        let before = hits[..number].iter().rev();
        let before = before.take_while(|other| hit.start - other.start < BEFORE);
        let behind = hits[number..].iter();
        let behind = behind.take_while(|other| other.start - hit.start < BEHIND);
        let is_beside = |from: usize, to: usize| !bytes[from..to].contains(&b'}');
        let is_key = before
            .take(MEMBERS)
            .find(is_type)
            .is_some_and(|other| is_beside(other.start, hit.start))
            || behind
                .take(MEMBERS)
                .find(is_type)
                .is_some_and(|other| is_beside(hit.start, other.start));
        if is_key {
            votes.push(Vote {
                span,
                kind: "private-key",
                points: 88,
                reason: "a private member of a key in JSON",
            });
        }
    }
}

/// Maximum number of triggers between a member and the type of its key.
const MEMBERS: usize = 16;

/// Returns true if the object of the member at `hit` may continue after the end of the text.
pub(crate) fn is_open(bytes: &[u8], hit: &Hit) -> bool {
    let rest = &bytes[hit.start..];
    rest.len() < 2 * BEHIND + 500 && !rest.contains(&b'}')
}

/// Returns a random value in base64.
fn member(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let rest = &bytes[from..bytes.len().min(from + 8)];
    let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    let span = string_at(bytes, from + blank.count())?;
    let found = &bytes[span.clone()];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_=+/".contains(byte);
    let is_secret = found.len() >= LEAST
        && found.iter().all(is_part)
        && CharStats::of(&found[..found.len().min(64)]).is_drawn();
    is_secret.then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triggers::triggers;

    #[test]
    fn private_members() {
        let drawn = "8Jf3kLq0ZpXw5Vt7Rn2Yb9Cm4Gd6Hs1AvQ3eT5yU7i0";
        for (text, count) in [
            (
                format!("{{\"kty\":\"EC\",\"x\":\"{drawn}\",\"d\":\"{drawn}\"}}"),
                1,
            ),
            (
                format!("{{\"d\": \"{drawn}\", \"kty\": \"RSA\", \"p\":\"{drawn}\"}}"),
                2,
            ),
            (
                format!("{{\\\"k\\\":\\\"{drawn}\\\",\\\"kty\\\":\\\"oct\\\"}}"),
                1,
            ),
            (format!("{{\"kty\":\"EC\"}} {{\"d\":\"{drawn}\"}}"), 0),
            (format!("{{\"d\":\"{drawn}\"}}"), 0),
            ("{\"kty\":\"EC\",\"d\":\"not a key\"}".to_owned(), 0),
        ] {
            let mut votes = Vec::new();
            find(text.as_bytes(), &triggers(text.as_bytes()), &mut votes);
            assert_eq!(votes.len(), count, "{text}");
            assert!(votes.iter().all(|vote| &text[vote.span.clone()] == drawn));
        }
    }
}
