//! Tokens that match their text anywhere, before anything merges: runs of newlines, tags. If
//! several begin at the same position, the longest wins.

use std::collections::HashMap;

use super::BLANK;

/// Text in which fixed tokens are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Matching {
    /// The original text.
    #[default]
    AsIs,
    /// The text with U+2581 for each space.
    Prepared,
}

/// Fixed tokens of a vocabulary, as a trie of characters.
#[derive(Default)]
pub(crate) struct Fixed {
    matching: Matching,
    /// Edges of the trie, from a node by a character; the root is 0.
    edges: HashMap<(u32, char), u32>,
    /// Id of the token that ends at a node.
    ends: HashMap<u32, u32>,
    /// Bit set of the ASCII characters that a token begins with.
    first: u128,
}

/// Stretch of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stretch<'a> {
    /// Text to be merged.
    Text(&'a str),
    /// Fixed token.
    Token(u32),
}

impl Fixed {
    /// Builds the trie of these tokens with their ids; an empty one is ignored.
    pub(crate) fn new(tokens: &[(String, u32)], matching: Matching) -> Self {
        let mut fixed = Self {
            matching,
            ..Self::default()
        };
        for (text, id) in tokens.iter().filter(|(text, _)| !text.is_empty()) {
            let mut node = 0;
            for character in text.chars() {
                let character = fixed.plain(character);
                let next = fixed.edges.len() as u32 + 1;
                let way = fixed.edges.entry((node, character));
                if node == 0 && character.is_ascii() {
                    fixed.first |= 1 << character as u32;
                }
                node = *way.or_insert(next);
            }
            fixed.ends.insert(node, *id);
        }
        fixed
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the text of each token by its id.
    pub(crate) fn spellings(&self) -> HashMap<u32, String> {
        let back = self.edges.iter().map(|(&(from, by), &to)| (to, (from, by)));
        let back: HashMap<u32, (u32, char)> = back.collect();
        let spell = |(&node, &id): (&u32, &u32)| {
            let way = std::iter::successors(back.get(&node), |(from, _)| back.get(from));
            let mut text: Vec<char> = way.map(|(_, by)| *by).collect();
            text.reverse();
            (id, text.into_iter().collect())
        };
        self.ends.iter().map(spell).collect()
    }

    /// Returns the stretches of `text`, none of them empty.
    pub(crate) fn stretches<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Stretch<'a>> {
        let (mut rest, mut token) = (text, None);
        std::iter::from_fn(move || {
            if let Some(id) = token.take() {
                return Some(Stretch::Token(id));
            }
            let (before, found, behind) = self.split(rest)?;
            rest = behind;
            match found {
                Some(id) if before.is_empty() => Some(Stretch::Token(id)),
                _ => {
                    token = found;
                    Some(Stretch::Text(before))
                }
            }
        })
    }

    /// Splits a text at the first fixed token: the text before, the token, and the text after it.
    fn split<'a>(&self, text: &'a str) -> Option<(&'a str, Option<u32>, &'a str)> {
        if text.is_empty() {
            return None;
        }
        if self.is_empty() {
            return Some((text, None, ""));
        }
        for (at, character) in text.char_indices() {
            let is_first = !character.is_ascii() || self.first >> character as u32 & 1 == 1;
            if is_first && let Some((length, id)) = self.longest(&text[at..]) {
                return Some((&text[..at], Some(id), &text[at + length..]));
            }
        }
        Some((text, None, ""))
    }

    /// Returns the length and the id of the longest token that `text` begins with.
    fn longest(&self, text: &str) -> Option<(usize, u32)> {
        let (mut node, mut found) = (0, None);
        for (at, character) in text.char_indices() {
            match self.edges.get(&(node, self.plain(character))) {
                Some(&next) => node = next,
                None => break,
            }
            if let Some(&id) = self.ends.get(&node) {
                found = Some((at + character.len_utf8(), id));
            }
        }
        found
    }

    fn plain(&self, character: char) -> char {
        match (self.matching, character) {
            (Matching::Prepared, BLANK) => ' ',
            _ => character,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(matching: Matching, text: &str, expected: &[Stretch<'_>]) {
        let tokens = [("▁▁", 1), ("▁▁▁", 2), ("<b>", 3), ("", 4)];
        let fixed = Fixed::new(&tokens.map(|(text, id)| (text.to_owned(), id)), matching);
        let stretches: Vec<_> = fixed.stretches(text).collect();
        assert_eq!(stretches, expected, "{text}");
    }

    #[test]
    fn longest_fixed_token_wins() {
        use Stretch::{Text, Token};
        let prepared = Matching::Prepared;
        check(prepared, "", &[]);
        check(prepared, "a b", &[Text("a b")]);
        check(
            prepared,
            "a     b",
            &[Text("a"), Token(2), Token(1), Text("b")],
        );
        check(prepared, "<b><<b>", &[Token(3), Text("<"), Token(3)]);
        check(Matching::AsIs, "a  b▁▁", &[Text("a  b"), Token(1)]);
    }
}
