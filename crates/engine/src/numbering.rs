//! Line numbers before each line.

use std::fmt::Write;

/// Adds right-aligned line numbers to `text`, starting at `first`.
pub fn number_lines(text: &str, first: usize) -> String {
    numbered(text, |line| first + line)
}

/// Adds right-aligned numbers to the lines of `text`: `number` maps each line, counted from 0, to
/// its number. The numbers must not decrease.
pub fn numbered(text: &str, number: impl Fn(usize) -> usize) -> String {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let count = ends + usize::from(!text.ends_with('\n'));
    let width = number(count - 1).max(1).ilog10() as usize + 1;
    let mut out = String::with_capacity(text.len() + count * (width + 2));
    for (at, line) in text.split_inclusive('\n').enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{:>width$}: ", number(at));
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned() {
        assert_eq!(number_lines("", 1), "");
        assert_eq!(number_lines("a\n\nb", 1), "1: a\n2: \n3: b");
        assert!(number_lines(&"x\n".repeat(9), 1).starts_with("1: x\n"));
        assert!(number_lines(&format!("{}x", "x\n".repeat(9)), 1).starts_with(" 1: x\n"));
        assert_eq!(number_lines("a\nb\n", 9), " 9: a\n10: b\n");
        assert!(number_lines(&"x\n".repeat(10), 1).starts_with(" 1: x\n"));
    }
}
