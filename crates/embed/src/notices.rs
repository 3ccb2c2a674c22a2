//! Licences and notices that must accompany every copy of the table.

/// Pairs of name and text: the origin of the table, then its notice and licences.
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

    /// The notice states the number of words in the table.
    #[test]
    fn the_count_of_words_is_right() {
        let words = include_str!("../data/code.words").lines().count();
        assert_eq!(words, 40_892);
        assert!(NOTICES[0].1.contains("Vectors of 40,892 words"));
    }
}
