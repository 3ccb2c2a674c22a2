//! Interns names as small numbers, so that equal names are stored once and compared fast.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

/// Name, as an index of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(pub(crate) u32);

/// Table of all names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interner {
    /// Numbers by the hashes of their texts.
    numbers: HashTable<u32>,
    hasher: RandomState,
    /// All texts, one after the other.
    texts: String,
    /// End of each text.
    ends: Vec<u32>,
    /// Numbers in the order of the texts. Only a table that was loaded has it; its `numbers` is
    /// empty.
    order: Vec<u32>,
}

impl Interner {
    pub(crate) fn intern(&mut self, text: &str) -> Name {
        let hash = self.hasher.hash_one(text);
        let (texts, ends) = (&self.texts, &self.ends);
        let is_it = |number: &u32| text_of(texts, ends, Name(*number)) == text;
        if let Some(number) = self.numbers.find(hash, is_it) {
            return Name(*number);
        }
        let name = Name(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
        self.texts.push_str(text);
        self.ends
            .push(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let hash_of = |number: &u32| {
            let text = text_of(&self.texts, &self.ends, Name(*number));
            self.hasher.hash_one(text)
        };
        self.numbers.insert_unique(hash, name.0, hash_of);
        name
    }

    pub(crate) fn get(&self, text: &str) -> Option<Name> {
        if self.order.is_empty() {
            let hash = self.hasher.hash_one(text);
            let found = self
                .numbers
                .find(hash, |number| self.text(Name(*number)) == text);
            return found.map(|number| Name(*number));
        }
        let known = |number: &u32| self.text(Name(*number));
        let at = self
            .order
            .binary_search_by(|number| known(number).cmp(text));
        at.ok().map(|at| Name(self.order[at]))
    }

    pub(crate) fn text(&self, name: Name) -> &str {
        text_of(&self.texts, &self.ends, name)
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|number| self.text(Name(number)))
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns all texts, and the end of each.
    pub(super) fn flat(&self) -> (&str, &[u32]) {
        (&self.texts, &self.ends)
    }

    /// Returns the numbers in the order of the texts.
    pub(super) fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.ends.len() as u32).collect();
        order.sort_unstable_by_key(|number| self.text(Name(*number)));
        order
    }

    /// Restores a table from its parts; returns `None` if the numbers do not match the texts.
    pub(super) fn from_flat(texts: String, ends: Vec<u32>, order: Vec<u32>) -> Option<Self> {
        let is_end = |end: &u32| texts.is_char_boundary(*end as usize);
        let is_whole = ends.is_sorted()
            && ends.iter().all(is_end)
            && order.len() == ends.len()
            && order.iter().all(|number| (*number as usize) < ends.len());
        is_whole.then_some(Self {
            numbers: HashTable::new(),
            hasher: RandomState::new(),
            texts,
            ends,
            order,
        })
    }
}

fn text_of<'a>(texts: &'a str, ends: &[u32], name: Name) -> &'a str {
    let at = name.0 as usize;
    let start = at.checked_sub(1).map_or(0, |before| ends[before]);
    &texts[start as usize..ends[at] as usize]
}

/// Returns whether one name ends like the other, ignoring case and underscores: `reader` is named
/// after `JsonReader`, and so is `json_reader`.
pub(crate) fn is_named_after(value: &str, owner: &str) -> bool {
    let backwards = |text: &str| {
        let letters: Vec<u8> = text.bytes().rev().filter(|byte| *byte != b'_').collect();
        letters.into_iter().map(|byte| byte.to_ascii_lowercase())
    };
    let mut left = backwards(value);
    let mut right = backwards(owner);
    if left.len() < 2 || right.len() < 2 {
        return false;
    }
    loop {
        match (left.next(), right.next()) {
            (Some(one), Some(other)) if one == other => {}
            (Some(_), Some(_)) => return false,
            _ => return true,
        }
    }
}

/// Returns whether a name has several words, so that two things rarely share it by chance:
/// `parse_header`, `parseHeader`, but not `get`.
pub(crate) fn is_compound(name: &str) -> bool {
    let inner = name.trim_matches(|c: char| !c.is_alphanumeric());
    let has_hump = inner
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    has_hump || inner.contains(['_', '-'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_named_after_types() {
        let check = |value, owner, expected| assert_eq!(is_named_after(value, owner), expected);
        check("reader", "JsonReader", true);
        check("json_reader", "JsonReader", true);
        check("the_reader", "Reader", true);
        check("r", "Reader", false);
        check("writer", "JsonReader", false);
    }

    #[test]
    fn compound_names_have_several_words() {
        for (name, expected) in [
            ("get", false),
            ("__init__", false),
            ("parse_header", true),
            ("parseHeader", true),
            ("URL", false),
            ("_run", false),
        ] {
            assert_eq!(is_compound(name), expected, "{name}");
        }
    }
}
