//! Documentation without comment marks.

use crate::signature::floor;

/// Maximum length of documentation; beyond it, the source is the better description.
const LONGEST_DOC: usize = 4_000;

/// Returns the words of adjacent comments.
pub(crate) fn clean(comments: &[&str]) -> Option<String> {
    let mut words = String::new();
    for comment in comments {
        for line in without_delimiters(comment).lines() {
            words.push_str(unmarked(line));
            words.push('\n');
        }
    }
    truncated(&words)
}

/// Returns the words of a docstring, without its quotes and indentation.
pub(crate) fn docstring(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let text = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))?;
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indent = lines.map(|line| line.len() - line.trim_start().len()).min();
    let indent = indent.unwrap_or(0);
    let mut words = String::new();
    for (at, line) in text.lines().enumerate() {
        let line = if at == 0 {
            line.trim_start()
        } else {
            line.get(indent..).unwrap_or_default()
        };
        words.push_str(line.trim_end());
        words.push('\n');
    }
    truncated(&words)
}

fn truncated(words: &str) -> Option<String> {
    let words = words.trim();
    let cut = floor(words, LONGEST_DOC);
    let shown = words[..cut].trim_end();
    match shown.is_empty() {
        true => None,
        false if cut < words.len() => Some(format!("{shown}…")),
        false => Some(shown.to_owned()),
    }
}

/// Returns whether a comment starts with one of the marks, and is not a row of them.
pub(crate) fn is_marked(comment: &str, marks: &[&str]) -> bool {
    let is_row = comment.starts_with("////") || comment.starts_with("/***");
    !is_row && comment != "/**/" && marks.iter().any(|mark| comment.starts_with(mark))
}

fn without_delimiters(comment: &str) -> &str {
    match comment.strip_prefix("/*") {
        Some(inner) => {
            let inner = inner.trim_start_matches(['*', '!']);
            inner
                .strip_suffix("*/")
                .unwrap_or(inner)
                .trim_end_matches('*')
        }
        None => comment
            .strip_prefix("<!--")
            .map_or(comment, |inner| inner.trim_end_matches("-->")),
    }
}

fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let marks = ["///", "//!", "//", "#:", "---", "--"];
    let inner = marks.into_iter().find_map(|mark| line.strip_prefix(mark));
    let inner = inner.or_else(|| {
        let inner = line.trim_start_matches(['*', '#']);
        // `# heading` in block comments of Markdown keeps its mark.
        (inner.len() < line.len() && !line.starts_with("**")).then_some(inner)
    });
    let inner = inner.unwrap_or(line);
    inner.strip_prefix(' ').unwrap_or(inner).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_marks_are_removed() {
        let check = |comments: &[&str], expected: &str| {
            assert_eq!(clean(comments).unwrap_or_default(), expected);
        };
        check(&["/// One.", "///", "///   Two."], "One.\n\n  Two.");
        check(
            &["/**\n * One.\n *\n * @param a two\n */"],
            "One.\n\n@param a two",
        );
        check(&["# One", "# two"], "One\ntwo");
        check(&["/* one */"], "one");
        check(&["//"], "");
        assert_eq!(
            docstring("r\"\"\"One.\n\n    Two.\n      Three.\n    \"\"\"").unwrap(),
            "One.\n\nTwo.\n  Three."
        );
    }
}
