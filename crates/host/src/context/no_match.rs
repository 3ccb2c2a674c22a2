//! The answer to a query without a match: a message and the beginning of the map instead of
//! unrelated code.

use loom_engine::context::{ParsedQuery, Selection, Signal};
use loom_engine::map::MapFormat;

use super::ContextRequest;
use crate::{Filled, MapRepository, MapRequest, Packer};

/// Maximum number of tokens of the map.
pub const NO_MATCH_MAP_TOKENS: usize = 500;

impl ContextRequest {
    /// Returns true if similarity is enough for a match. With the built-in table any English words
    /// are similar to some code: "pineapple pizza recipe" has a cosine of 0.65 in ripgrep, and good
    /// questions have 0.5 to 0.8. Therefore a word, a name or a path must match as well, unless the
    /// user selects only similarity or an embedding service.
    pub(super) fn matches_by_meaning(&self) -> bool {
        let reads_words = self.weights.file[Signal::Words as usize] > 0.0;
        !reads_words || self.embedder.is_some()
    }

    /// Empties a selection without a match. Returns true if it had none.
    pub(super) fn empty_without_match(
        &self,
        asked: &ParsedQuery,
        selection: &mut Selection,
    ) -> bool {
        let has_no_match = self.has_no_match(asked, selection);
        if has_no_match {
            selection.files.clear();
            selection.parts.clear();
        }
        has_no_match
    }

    /// Returns true if nothing matches the query and the caller requested nothing else. A query
    /// about the repository as a whole and an empty query need no match. A query that contains only
    /// stop words matches nothing.
    fn has_no_match(&self, asked: &ParsedQuery, selection: &Selection) -> bool {
        let ranks_all = |signal: Signal| self.weights.file[signal as usize] > 0.0;
        let is_given = [&self.hot, &self.previous, &self.pins]
            .iter()
            .any(|given| !given.is_empty());
        !selection.is_match
            && !is_given
            && !ranks_all(Signal::Central)
            && !ranks_all(Signal::Recent)
            && !asked.is_general()
            && !self.query.trim().is_empty()
    }
}

/// Returns the message that nothing matches in `files` files.
pub fn no_match_message(files: usize) -> String {
    let noun = if files == 1 { "file" } else { "files" };
    format!("nothing matches the query in {} {noun}", grouped(files))
}

/// Returns the beginning of the map for the end of the message; `None` if the budget is too
/// small for the smallest map.
pub fn no_match_map(packer: &Packer, repository: &MapRepository, budget: usize) -> Option<Filled> {
    let request = MapRequest {
        budget: budget.min(NO_MATCH_MAP_TOKENS),
        format: MapFormat::Plain,
        ..MapRequest::default()
    };
    repository.render(packer, &request).ok()
}

/// Returns the message that nothing matches in `files` files, followed by the beginning of the
/// map. Stays within `budget` tokens if the message does.
pub fn no_match_text(
    packer: &Packer,
    files: usize,
    repository: &MapRepository,
    budget: usize,
) -> String {
    let message = format!("{}\n", no_match_message(files));
    let count = |text: &str| packer.options.model.tokenizer.count(text).upper();
    let left = budget.saturating_sub(count(&message) + 1);
    let map = no_match_map(packer, repository, left);
    match map.map(|map| format!("{message}\n{}", map.text)) {
        Some(text) if count(&text) <= budget => text,
        _ => message,
    }
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_groups_digits_and_knows_one_file() {
        assert_eq!(no_match_message(1), "nothing matches the query in 1 file");
        assert_eq!(
            no_match_message(999),
            "nothing matches the query in 999 files"
        );
        assert_eq!(
            no_match_message(1152),
            "nothing matches the query in 1,152 files"
        );
        assert_eq!(
            no_match_message(1_234_567),
            "nothing matches the query in 1,234,567 files"
        );
    }
}
