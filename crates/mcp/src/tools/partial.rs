//! Partial answers during the first indexing: lines with the words of the query, file by file. The
//! facade orders the files.

use std::time::Duration;

use infiniloom::wire::MatchInfo;
use infiniloom::{Case, Search};

use super::scope::Scope;
use super::{Call, quote};
use crate::answer::{Answer, Fitted, Piece};
use crate::tool_error::ToolError;

/// A partial answer is worth a short wait only: a complete one follows within seconds.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Shown lines of a file: enough to recognise it, and room for many files.
const LINES: usize = 4;
/// Searched lines of a file: one that matches everywhere must not use up the time.
const MOST_LINES: usize = 1000;
/// The last part of a qualified name; of a place, nothing.
pub(super) fn last_name(typed: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut parts = typed.split(|c| !is_part(c)).rev();
    let last = parts.find(|part| !part.is_empty());
    let last = last.filter(|part| !part.chars().all(char::is_numeric));
    last.map(str::to_owned).into_iter().collect()
}

/// Answers with the lines that have these words, in the files of a scope. All shown text is
/// scanned for secrets.
pub(super) fn lines(call: &Call<'_>, words: &[String], scope: &Scope) -> Result<Fitted, ToolError> {
    if words.is_empty() {
        call.check()?;
        let answer = Answer::new("Nothing is found without the index.");
        return Ok(call.fit_partial(answer));
    }
    let files = found(call, words, scope, PATIENCE)?;
    let words = words.join(", ");
    let mut answer = Answer::new(match files.is_empty() {
        true => format!("No line with {words} so far."),
        false => format!("Lines with {words}, files with most of them first:"),
    });
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
    Ok(call.fit_partial(answer))
}

/// Returns the lines with these words that are found in this time, the best file first.
pub(super) fn found(
    call: &Call<'_>,
    words: &[String],
    scope: &Scope,
    patience: Duration,
) -> Result<Vec<Vec<MatchInfo>>, ToolError> {
    let search = Search::any_word(words)
        .path_case(Case::Sensitive)
        .limit_per_file(MOST_LINES)
        .redacted(true)
        .symbols(false)
        .time_limit(patience);
    let found = scope
        .restrict(search)
        .best_files(&call.snapshot()?, &call.control());
    call.check()?;
    Ok(found?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_name_is_that_of_the_symbol_and_not_a_line_number() {
        assert_eq!(last_name("Parser::parse"), ["parse"]);
        assert!(last_name("src/a.rs:10:4").is_empty());
        assert!(last_name("::").is_empty());
    }
}
