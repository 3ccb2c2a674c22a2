//! Word parts that indicate names of secrets: found with SIMD if the processor supports it,
//! otherwise one after the other.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, packed};

/// The parts in lower case; those of [`Stem::Scheme`] last. All their spellings together must be at
/// most 64, the limit of the search.
const STEMS: [&str; 21] = [
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "salt",
    "nonce",
    "psw",
    "identified by",
    "ecureString",
    "senha",
    "contrase",
    "kennwort",
    "wachtwoord",
    "пароль",
    "密码",
    "パスワード",
    "bearer",
    "basic ",
];

/// Number of parts that name a scheme.
const SCHEMES: usize = 2;

/// Kind of a matched part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stem {
    /// Part of a name.
    Name,
    /// `Bearer` or `Basic`.
    Scheme,
}

/// Number of spellings: `pass`, `Pass`, `PASS`.
const WAYS: usize = 3;

enum Finder {
    Packed(packed::Searcher),
    Stepwise(AhoCorasick),
    None,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let ways = STEMS.iter().flat_map(|stem| {
        let mut letters = stem.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let title = first.chain(letters).collect();
        [(*stem).to_owned(), title, stem.to_uppercase()]
    });
    let packed = packed::Config::new().builder().extend(ways.clone()).build();
    if let Some(searcher) = packed {
        return Finder::Packed(searcher);
    }
    let mut builder = AhoCorasick::builder();
    match builder.kind(Some(AhoCorasickKind::DFA)).build(ways) {
        Ok(automaton) => Finder::Stepwise(automaton),
        Err(_) => Finder::None,
    }
});

/// Returns every part of a name in the text, in order.
pub(crate) fn stems(bytes: &[u8]) -> Box<dyn Iterator<Item = (Range<usize>, Stem)> + '_> {
    let stem = |found: aho_corasick::Match| {
        let is_scheme = found.pattern().as_usize() / WAYS >= STEMS.len() - SCHEMES;
        let stem = if is_scheme { Stem::Scheme } else { Stem::Name };
        (found.range(), stem)
    };
    match &*FINDER {
        Finder::Packed(searcher) => Box::new(searcher.find_iter(bytes).map(stem)),
        Finder::Stepwise(automaton) => Box::new(automaton.find_iter(bytes).map(stem)),
        Finder::None => Box::new(std::iter::empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_are_found() {
        let text = "my_Password apiKey TOKEN Bearer x IDENTIFIED BY sEcret ConvertTo-SecureString";
        let found: Vec<_> = stems(text.as_bytes())
            .map(|(range, stem)| (&text[range], stem))
            .collect();
        assert_eq!(
            found,
            [
                ("Pass", Stem::Name),
                ("Key", Stem::Name),
                ("TOKEN", Stem::Name),
                ("Bearer", Stem::Scheme),
                ("IDENTIFIED BY", Stem::Name),
                ("ecureString", Stem::Name),
            ]
        );
    }
}
