//! Whose work the table is made from: what must go wherever it goes.

/// Each text with its name: what the table is, then the notice and the licences that it
/// came with.
pub const NOTICES: &[(&str, &str)] = &[
    ("NOTICE", include_str!("../data/NOTICE")),
    ("NOTICE-nomic", include_str!("../data/NOTICE-nomic")),
    ("LICENSE-nomic", include_str!("../data/LICENSE-nomic")),
    (
        "LICENSE-codebase-memory-mcp",
        include_str!("../data/LICENSE-codebase-memory-mcp"),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The notice counts the words that are there.
    #[test]
    fn the_count_of_words_is_right() {
        let words = include_str!("../data/code.words").lines().count();
        assert_eq!(words, 40_892);
        assert!(NOTICES[0].1.contains("Vectors of 40,892 words"));
    }
}
