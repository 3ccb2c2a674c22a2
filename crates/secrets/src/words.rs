//! Word lists, each as one string, which is easy to read and extend.

/// Words separated by single spaces or newlines.
pub(crate) struct WordList(&'static str);

impl WordList {
    pub(crate) const fn new(words: &'static str) -> Self {
        Self(words)
    }

    /// Returns true if the list contains `word`.
    pub(crate) fn has(&self, word: &[u8]) -> bool {
        let list = self.0.as_bytes();
        let Some(first) = word.first() else {
            return false;
        };
        let is_edge = |at: Option<&u8>| at.is_none_or(u8::is_ascii_whitespace);
        // Lists are short: comparing first bytes is faster than preparing a search.
        memchr::memchr_iter(*first, list).any(|at| {
            let before = at.checked_sub(1).and_then(|at| list.get(at));
            is_edge(before) && list[at..].starts_with(word) && is_edge(list.get(at + word.len()))
        })
    }

    /// Returns true if `text` contains one of the words.
    pub(crate) fn any_in(&self, text: &[u8]) -> bool {
        self.iter()
            .any(|word| memchr::memmem::find(text, word).is_some())
    }

    /// Returns all words.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static [u8]> {
        self.0.split_ascii_whitespace().map(str::as_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_only() {
        const LIST: WordList = WordList::new("api access private");
        assert!(LIST.has(b"api") && LIST.has(b"private"));
        assert!(!LIST.has(b"acc") && !LIST.has(b""));
        assert!(LIST.any_in(b"my-api-key"));
    }
}
