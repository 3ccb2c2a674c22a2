//! Splits identifiers into words of a table: at the boundaries of their parts, in lower case. A
//! word that the table lacks is looked up without its ending, or as the pieces it consists of.

/// Endings that are removed from a word that is not in the table.
const ENDINGS: &[&str] = &["s", "es", "ed", "ing", "er", "ly", "d"];
/// Shorter pieces match by chance.
const LEAST: usize = 3;
/// A word that needs more pieces is not a word.
const MOST: usize = 4;
/// Maximum length of a piece.
const LONGEST: usize = 36;

/// Returns the table rows for the words of an identifier. `find` returns the row of a word.
pub(crate) fn rows(identifier: &str, find: impl Fn(&str) -> Option<u32>) -> Vec<u32> {
    let mut rows = Vec::new();
    loom_search::parts_in(identifier, |part| {
        let word = part.to_lowercase();
        if word.len() < 2 || loom_search::is_stop_word(&word) {
            return;
        }
        match find(&word) {
            Some(row) => rows.push(row),
            None => rows.extend(known_in(&word, &find)),
        }
    });
    rows
}

/// Returns the row of a word without its ending, or the rows of its pieces.
fn known_in(word: &str, find: &impl Fn(&str) -> Option<u32>) -> Vec<u32> {
    let mut stems = ENDINGS
        .iter()
        .filter_map(|ending| word.strip_suffix(ending));
    if let Some(row) = stems.find_map(find) {
        return vec![row];
    }
    let mut found = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8());
        let ends: Vec<usize> = ends.filter(|end| (LEAST..=LONGEST).contains(end)).collect();
        let piece = ends
            .iter()
            .rev()
            .find_map(|end| Some((find(&rest[..*end])?, *end)));
        match piece {
            Some((row, end)) if found.len() < MOST => {
                found.push(row);
                rest = &rest[end..];
            }
            // If only part of a word is known, its pieces are misleading.
            _ => return Vec::new(),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_become_words() {
        let table = ["cache", "file", "name", "path", "server"];
        let find = |word: &str| {
            table
                .iter()
                .position(|one| *one == word)
                .map(|at| at as u32)
        };
        assert_eq!(rows("HTTPServer_fileName", find), [4, 1, 2]);
        assert_eq!(rows("cached", find), [0]);
        assert_eq!(rows("pathname", find), [3, 2]);
        assert!(rows("pathx", find).is_empty());
    }
}
