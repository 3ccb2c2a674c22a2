//! Ids that a program or a data document repeats under one bare name: `key`, `id` and `token` of many objects, with
//! values of one shape. Few
//! texts have several secrets of one shape.

use std::collections::HashMap;
use std::ops::Range;

use crate::finding::Vote;
use crate::place::TextContext;

/// Number of different values of one shape that makes them ids.
const OFTEN: usize = 4;

/// Maximum length of the text before a key that is examined for a call.
const BACK: usize = 80;

/// The votes on values of bare names, held until the end of the text.
#[derive(Default)]
pub(crate) struct RepeatedIds<'a> {
    votes: HashMap<(&'a [u8], Shape), Vec<Vote>>,
}

/// Alphabet and length of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    Hex(usize),
    Uuid,
    Letters(usize),
}

impl Shape {
    /// Returns the shape of a generated value.
    fn of(value: &[u8]) -> Option<Self> {
        let is_hex = |byte: &u8| byte.is_ascii_hexdigit();
        let is_id = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        match value.len() {
            36 if value.iter().all(|byte| is_hex(byte) || *byte == b'-') => Some(Self::Uuid),
            length @ 12..=64 if value.iter().all(is_hex) => Some(Self::Hex(length)),
            length @ 12..=64 if value.iter().all(is_id) => Some(Self::Letters(length)),
            _ => None,
        }
    }
}

impl<'a> RepeatedIds<'a> {
    /// Keeps the votes on the value of a bare name, and drops those on the key of a virtual node.
    /// Returns the others.
    pub(crate) fn keep(
        &mut self,
        bytes: &'a [u8],
        name: &Range<usize>,
        place: TextContext,
        mut votes: Vec<Vote>,
    ) -> Vec<Vote> {
        let word = &bytes[name.clone()];
        if !matches!(word, b"key" | b"id" | b"token") {
            return votes;
        }
        let is_named = |vote: &Vote| matches!(vote.kind, "key" | "token");
        if word == b"key" && is_member_of_node(bytes, name) {
            votes.retain(|vote| !(is_named(vote) && is_digest(&bytes[vote.span.clone()])));
        }
        // In configuration, the name decides about tokens, and a test may have many of letters.
        let is_id = |shape: &Shape| {
            let is_program = place.role.is_program();
            !matches!(shape, Shape::Letters(_)) && (is_program || word != b"token")
                || is_program && word == b"key"
        };
        let mut others = Vec::new();
        for vote in votes {
            let shape = Shape::of(&bytes[vote.span.clone()]).filter(|_| is_named(&vote));
            match shape.filter(is_id) {
                Some(shape) => self.votes.entry((word, shape)).or_default().push(vote),
                None => others.push(vote),
            }
        }
        others
    }

    /// Returns the votes on values that are not ids.
    pub(crate) fn votes(self, bytes: &[u8]) -> impl Iterator<Item = Vote> {
        let are_ids = move |votes: &[Vote]| {
            let mut different: Vec<&[u8]> = Vec::with_capacity(OFTEN);
            for vote in votes {
                let value = &bytes[vote.span.clone()];
                if different.len() < OFTEN && !different.contains(&value) {
                    different.push(value);
                }
            }
            different.len() == OFTEN
        };
        let others = self.votes.into_values();
        others.filter(move |votes| !are_ids(votes)).flatten()
    }
}

/// Matches forty hexadecimal digits: no cipher has a key of twenty bytes.
fn is_digest(value: &[u8]) -> bool {
    value.len() == 40 && value.iter().all(u8::is_ascii_hexdigit)
}

/// Returns true if the name is the first member of an object that is the second argument of a call,
/// as in a compiled virtual node: `h("slot", { key: "…" })`, `o(n,{key:"…"})`,
/// `h(Host, Object.assign({ key: "…" }, …))`.
fn is_member_of_node(bytes: &[u8], name: &Range<usize>) -> bool {
    let before = &bytes[name.start.saturating_sub(BACK)..name.start];
    let before = before.trim_ascii_end().strip_suffix(b"{");
    let Some(before) = before.map(<[u8]>::trim_ascii_end) else {
        return false;
    };
    let before = before.strip_suffix(b"Object.assign(").unwrap_or(before);
    let Some(before) = before.trim_ascii_end().strip_suffix(b",") else {
        return false;
    };
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$.-\"'".contains(*byte);
    let first = before.iter().rev().take_while(is_part).count();
    let (callee, first) = before.split_at(before.len() - first);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let callee = callee.strip_suffix(b"(").and_then(<[u8]>::last);
    !first.is_empty() && callee.is_some_and(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_virtual_nodes() {
        for (before, expected) in [
            ("h(\"slot\", { ", true),
            ("index.h('slot', {", true),
            ("return o(n,{", true),
            ("h(Host, Object.assign({ ", true),
            ("connect({ ", false),
            ("const options = { ", false),
            ("[\"slot\", { ", false),
            ("connect(host, 80, { ", false),
        ] {
            let text = format!("{before}key: 1");
            let name = before.len()..before.len() + 3;
            assert_eq!(
                is_member_of_node(text.as_bytes(), &name),
                expected,
                "{text}"
            );
        }
    }
}
