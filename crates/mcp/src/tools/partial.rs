//! Answers while the index is being made: lines with the words that were asked for, the
//! files with most of them first. They say that they are partial.

use std::time::Duration;

use infiniloom::wire::MatchInfo;
use infiniloom::{Case, RankedSearch, Search};

use super::{Call, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::wrong::Wrong;

/// Nobody waits longer for lines.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Lines of a file that are shown.
const LINES: usize = 4;
/// More lines of a file do not change its place.
const MOST_LINES: usize = 1000;
/// Words that are looked for.
const WORDS: usize = 8;

/// Words that are in every question about code, beside those that are in every sentence.
const COMMON: &[&str] = &[
    "bug", "code", "error", "file", "fix", "issue", "line", "new", "set",
];

/// The words of a question that say most, the most particular first.
pub(super) fn words(question: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words: Vec<&str> = Vec::new();
    for word in question.split(|c| !is_part(c)) {
        let lower = word.to_lowercase();
        let is_common = RankedSearch::ignores(&lower) || COMMON.contains(&lower.as_str());
        if word.chars().count() >= 3 && !is_common && !words.contains(&word) {
            words.push(word);
        }
    }
    let is_name = |word: &str| {
        let inner = word.chars().skip(1);
        word.contains('_')
            || inner.clone().any(char::is_uppercase)
            || inner.clone().any(char::is_numeric)
    };
    words.sort_by_key(|word| (!is_name(word), std::cmp::Reverse(word.len())));
    words.into_iter().take(WORDS).map(str::to_owned).collect()
}

/// The last part of a qualified name; of a place, nothing.
pub(super) fn last_name(typed: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut parts = typed.split(|c| !is_part(c)).rev();
    let last = parts.find(|part| !part.is_empty());
    let last = last.filter(|part| !part.chars().all(char::is_numeric));
    last.map(str::to_owned).into_iter().collect()
}

/// The lines with these words, in the files at these paths.
pub(super) fn lines(call: &Call<'_>, words: &[String], paths: &[String]) -> Result<Fitted, Wrong> {
    let note = call.told_partial();
    if words.is_empty() {
        return Err(Wrong(note));
    }
    let found = found(call, words, paths, PATIENCE)?;
    let mut files: Vec<&[MatchInfo]> = found.chunk_by(|a, b| a.path == b.path).collect();
    let shared = |file: &[MatchInfo]| {
        let has = |word: &&String| {
            let word = word.to_lowercase();
            file.iter()
                .any(|line| line.text.to_lowercase().contains(&word))
        };
        words.iter().filter(has).count()
    };
    files.sort_by_cached_key(|file| {
        (
            std::cmp::Reverse(shared(file)),
            std::cmp::Reverse(file.len().min(20)),
        )
    });
    let words = words.join(", ");
    let (head, more) = match files.is_empty() {
        true => (
            format!("No line with {words} so far."),
            "Ask again when the index is there.",
        ),
        false => (
            format!("Lines with {words}, files with most of them first:"),
            "Raise max_tokens, or ask again when the index is there.",
        ),
    };
    let mut answer = Answer::new(head).note(Some(note)).more(more).cut(true);
    for file in files {
        let path = quote::path(&file[0].path);
        let mut piece = Piece::new(quote::file(&path));
        for line in file.iter().take(LINES) {
            let place = line.places.first().map(|place| place.0);
            piece.quote(&quote::line_with(line.line, &line.text, place));
            piece = piece.of(quote::source(&path, line.line, line.line));
        }
        answer.push(piece);
    }
    Ok(call.fit(answer))
}

/// The lines with these words that are found in this time, file by file.
pub(super) fn found(
    call: &Call<'_>,
    words: &[String],
    paths: &[String],
    patience: Duration,
) -> Result<Vec<MatchInfo>, Wrong> {
    // Words are letters, digits and `_`: nothing in them means anything else.
    let mut search = Search::regex(words.join("|"))
        .case(Case::Insensitive)
        .whole_words(words.len() == 1)
        .path_case(Case::Sensitive)
        .limit_per_file(MOST_LINES)
        .redacted(true)
        .symbols(false)
        .time_limit(patience);
    for path in paths {
        search = search.within(path);
    }
    let found = search.run_with(&call.snapshot()?, &call.control());
    call.check()?;
    Ok(found?.matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particular_words_come_first() {
        assert_eq!(
            words("How does the eviction of a Pod work in evict_pod and NodeManager?"),
            ["NodeManager", "evict_pod", "eviction", "Pod"]
        );
        assert_eq!(last_name("Parser::parse"), ["parse"]);
        assert!(last_name("src/a.rs:10:4").is_empty());
    }
}
