//! The size of a crate. A crate with too much production code probably contains a second one.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use super::production;
use crate::tidy::problem::Problem;

/// Lines of production code in one crate, without blank lines, comments and tests.
pub(crate) const CRATE_LINES: usize = 15_000;

/// Reports a crate whose files have more than the accepted lines.
pub(crate) fn check<'t>(
    folder: &str,
    texts: impl Iterator<Item = &'t str>,
    limit: usize,
) -> Option<Problem> {
    let lines: usize = texts.map(lines_of_code).sum();
    (lines > limit).then(|| {
        let what = format!("the crate has {lines} lines of production code, more than {limit}");
        Problem::new(folder, 1, what, "look for the second crate inside it")
    })
}

/// Counts lines that contain production code.
fn lines_of_code(text: &str) -> usize {
    let mut numbers = BTreeSet::new();
    add_lines(production::tokens(text), &mut numbers);
    // The parser reads documentation as attributes.
    let comments = text.lines().enumerate();
    let comments = comments.filter(|(_, line)| line.trim_start().starts_with("//"));
    for (index, _) in comments {
        numbers.remove(&(index + 1));
    }
    numbers.len()
}

fn add_lines(trees: impl IntoIterator<Item = TokenTree>, numbers: &mut BTreeSet<usize>) {
    for tree in trees {
        match tree {
            TokenTree::Group(group) => {
                numbers.insert(group.span_open().start().line);
                numbers.insert(group.span_close().end().line);
                let inside: TokenStream = production::inside(&group).into_iter().collect();
                add_lines(inside, numbers);
            }
            leaf => numbers.extend(leaf.span().start().line..=leaf.span().end().line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! Doc.\n\nuse a::b;\n\n/// Doc.\nfn f() {\n    // Why.\n    g(\n        \
                        \"x\n\ny\",\n    );\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";

    #[test]
    fn blank_lines_comments_and_tests_do_not_count() {
        assert_eq!(lines_of_code(TEXT), 8);
    }

    #[test]
    fn crate_above_the_limit_is_a_problem() {
        let check = |limit| check("crates/a", [TEXT, TEXT].into_iter(), limit);
        assert!(check(16).is_none());
        let problem = check(15).unwrap().to_string();
        assert!(problem.contains("16 lines of production code"), "{problem}");
    }
}
