//! The words of a question as a search, for callers that cannot wait for a ranking: files with
//! many of the words come first.

use std::cmp::Reverse;

use loom_wire::MatchInfo;

use super::Search;
use crate::choices::Case;
use crate::{Control, RankedSearch, Result, Snapshot};

/// Maximum number of words to search. Further words are the least specific, and each slows the
/// search.
const WORDS: usize = 8;

/// Shorter words are in too many lines to say anything.
const SHORTEST: usize = 3;

/// Matching lines of a file that count for its rank, so that a long file does not win by its
/// length.
const RANKED_LINES: usize = 20;

/// Words that are in most questions about code, in addition to the stop words.
const COMMON: &[&str] = &[
    "bug", "code", "error", "file", "fix", "issue", "line", "new", "set",
];

impl Search {
    /// Returns the most specific words of a question, at most 8: names first, then long words.
    pub fn particular_words(question: &str) -> Vec<String> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut words: Vec<&str> = Vec::new();
        for word in question.split(|c| !is_part(c)) {
            let lower = word.to_lowercase();
            let is_common = RankedSearch::ignores(&lower) || COMMON.contains(&lower.as_str());
            if word.chars().count() >= SHORTEST && !is_common && !words.contains(&word) {
                words.push(word);
            }
        }
        words.sort_by_key(|word| (!is_name(word), Reverse(word.len())));
        words.into_iter().take(WORDS).map(str::to_owned).collect()
    }

    /// Finds lines with any of these words, ignoring case. A single word must match as a whole
    /// word.
    pub fn any_word(words: &[String]) -> Self {
        Self::any_text(words.join("\n"))
            .case(Case::Insensitive)
            .whole_words(words.len() == 1)
    }

    /// Runs the search, and returns the lines of each file. Files with the most different texts of
    /// [`Search::any_text`] or [`Search::any_word`] come first.
    ///
    /// # Errors
    /// As for [`Search::run_with`].
    pub fn best_files(
        &self,
        snapshot: &Snapshot,
        control: &Control,
    ) -> Result<Vec<Vec<MatchInfo>>> {
        let found = self.run_with(snapshot, control)?.matches;
        let files = found.chunk_by(|a, b| a.path == b.path);
        let mut files: Vec<Vec<MatchInfo>> = files.map(<[MatchInfo]>::to_vec).collect();
        let words: Vec<String> = self.text.lines().map(str::to_lowercase).collect();
        files.sort_by_cached_key(|lines| {
            let lower: Vec<String> = lines.iter().map(|line| line.text.to_lowercase()).collect();
            let has = |word: &&String| lower.iter().any(|line| line.contains(*word));
            let shared = words.iter().filter(has).count();
            (Reverse(shared), Reverse(lines.len().min(RANKED_LINES)))
        });
        Ok(files)
    }
}

/// Returns true if a word looks like a name in code.
fn is_name(word: &str) -> bool {
    let mut inner = word.chars().skip(1);
    word.contains('_') || inner.any(|c| c.is_uppercase() || c.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Infiniloom, Root, Text};

    #[test]
    fn names_come_first_and_then_long_words() {
        assert_eq!(
            Search::particular_words(
                "How does the eviction of a Pod work in evict_pod and NodeManager?"
            ),
            ["NodeManager", "evict_pod", "eviction", "Pod"]
        );
    }

    #[test]
    fn common_short_and_repeated_words_are_dropped() {
        let words = Search::particular_words("fix the bug in an IO file: retry, retry");
        assert_eq!(words, ["retry"]);
        let many: Vec<String> = (0..20).map(|number| format!("word{number:02}")).collect();
        assert_eq!(Search::particular_words(&many.join(" ")).len(), WORDS);
    }

    fn paths(texts: &[(&str, &str)], words: &[&str]) -> Vec<String> {
        let texts = texts.iter().map(|(path, text)| Text::new(*path, *text));
        let root = Root::texts(texts);
        let snapshot = Infiniloom::new().open(root).unwrap().snapshot().unwrap();
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let search = Search::any_word(&words).symbols(false);
        let files = search.best_files(&snapshot, &Control::new()).unwrap();
        files.iter().map(|lines| lines[0].path.clone()).collect()
    }

    #[test]
    fn files_with_more_of_the_words_come_first_then_those_with_more_lines() {
        let texts = [
            ("a.txt", "tax\n"),
            ("b.txt", "tax\ntax\n"),
            ("c.txt", "a TAX RATE\n"),
            ("d.txt", "nothing\n"),
        ];
        let found = paths(&texts, &["tax", "rate"]);
        assert_eq!(found, ["c.txt", "b.txt", "a.txt"]);
    }

    #[test]
    fn lines_beyond_the_limit_do_not_change_the_order() {
        let (few, many) = (
            "tax\n".repeat(RANKED_LINES),
            "tax\n".repeat(RANKED_LINES + 9),
        );
        let found = paths(&[("a.txt", &few), ("b.txt", &many)], &["tax"]);
        assert_eq!(found, ["a.txt", "b.txt"]);
    }

    #[test]
    fn single_word_is_a_whole_word_and_several_may_be_parts() {
        let texts = [("a.txt", "taxes\n"), ("b.txt", "tax\n")];
        assert_eq!(paths(&texts, &["tax"]), ["b.txt"]);
        assert_eq!(paths(&texts, &["tax", "rate"]), ["a.txt", "b.txt"]);
    }
}
