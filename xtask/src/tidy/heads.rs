//! Every Rust file opens with `//!`: its concept and its limits.

use super::checkout::TextFile;
use super::problem::Problem;

pub(crate) fn check(file: &TextFile) -> Option<Problem> {
    let says_something = |head: &str| !head.lines().next().unwrap_or("").trim().is_empty();
    if file.text.strip_prefix("//!").is_some_and(says_something) {
        return None;
    }
    let remedy = "open with what the file owns and what it leaves out";
    Some(Problem::new(
        &file.path,
        1,
        "does not start with `//!`",
        remedy,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str) -> bool {
        check(&TextFile::new("a.rs", text)).is_some()
    }

    #[test]
    fn the_first_line_is_a_head() {
        assert!(!fails("//! Owns spans.\n"));
        assert!(fails("//!\n//! Late.\n"));
        assert!(fails("// Owns spans.\n"));
        assert!(fails("use std::fs;\n//! Owns spans.\n"));
        assert!(fails(""));
    }
}
