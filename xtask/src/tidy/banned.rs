//! Banned code: unfinished parts, tests that do not run, and `allow`, which hides a finding even
//! after it is gone. Skips words in strings and comments, but checks code fences.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::checkout::TextFile;
use super::problem::Problem;

const FINISH: &str = "finish it or leave it out";
const RUN: &str = "make it run everywhere or delete it";
const EXPECT: &str = "write `#[expect(…, reason = \"…\")]`";

pub(crate) fn check(file: &TextFile) -> Vec<Problem> {
    let problem =
        |finding: Finding| Problem::new(&file.path, finding.line, finding.what, finding.remedy);
    let mut findings = Vec::new();
    match file.text.parse::<TokenStream>() {
        Ok(tokens) => look_into(tokens, &mut findings),
        Err(error) => findings.push(Finding {
            line: error.span().start().line,
            what: "is not Rust".to_owned(),
            remedy: "mend it, or move it into a `fixtures` folder",
        }),
    }
    findings.extend(fences(&file.text));
    findings.into_iter().map(problem).collect()
}

struct Finding {
    line: usize,
    what: String,
    remedy: &'static str,
}

impl Finding {
    fn at(tree: &TokenTree, what: &str, remedy: &'static str) -> Self {
        Self {
            line: tree.span().start().line,
            what: what.to_owned(),
            remedy,
        }
    }
}

fn look_into(tokens: TokenStream, findings: &mut Vec<Finding>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, tree) in trees.iter().enumerate() {
        let next = &trees[index + 1..];
        findings.extend(unfinished(tree, next));
        findings.extend(attribute(tree, next));
        if let TokenTree::Group(group) = tree {
            look_into(group.stream(), findings);
        }
    }
}

/// Matches a call of a macro for unfinished code.
fn unfinished(tree: &TokenTree, next: &[TokenTree]) -> Option<Finding> {
    let name = tree.to_string();
    let stands_in = matches!(name.as_str(), "todo" | "unimplemented");
    let called = matches!(next, [mark, TokenTree::Group(_), ..] if is_punct(mark, '!'));
    (stands_in && called).then(|| Finding::at(tree, &format!("`{name}!`"), FINISH))
}

/// Matches `#[…]` or `#![…]`, also inside `cfg_attr`.
fn attribute(tree: &TokenTree, next: &[TokenTree]) -> Option<Finding> {
    if !is_punct(tree, '#') {
        return None;
    }
    let next = next.strip_prefix_if(|tree| is_punct(tree, '!'));
    let inner: Vec<TokenTree> = bracketed(next.first()?)?.stream().into_iter().collect();
    let conditional = inner.first()?.to_string() == "cfg_attr";
    let parts = match inner.get(1) {
        Some(TokenTree::Group(group)) if conditional => {
            group.stream().into_iter().skip(1).collect()
        }
        _ => vec![inner.first()?.clone()],
    };
    let named = |name: &str| parts.iter().any(|part| part.to_string() == name);
    if named("ignore") {
        Some(Finding::at(tree, "a test that does not run", RUN))
    } else if named("allow") {
        Some(Finding::at(tree, "`allow`", EXPECT))
    } else {
        None
    }
}

trait StripPrefixIf {
    fn strip_prefix_if(&self, is_prefix: impl Fn(&TokenTree) -> bool) -> &Self;
}

impl StripPrefixIf for [TokenTree] {
    fn strip_prefix_if(&self, is_prefix: impl Fn(&TokenTree) -> bool) -> &Self {
        match self {
            [first, rest @ ..] if is_prefix(first) => rest,
            all => all,
        }
    }
}

fn is_punct(tree: &TokenTree, character: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == character)
}

fn bracketed(tree: &TokenTree) -> Option<&Group> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group),
        _ => None,
    }
}

/// Returns documentation examples that are marked not to run.
fn fences(text: &str) -> impl Iterator<Item = Finding> {
    let numbered = text.lines().enumerate();
    let skipped = numbered.filter(|(_, line)| is_skipped_fence(line.trim_start()));
    skipped.map(|(index, _)| Finding {
        line: index + 1,
        what: "an example that does not run".to_owned(),
        remedy: RUN,
    })
}

fn is_skipped_fence(line: &str) -> bool {
    let doc = line
        .strip_prefix("///")
        .or_else(|| line.strip_prefix("//!"));
    let info = doc.and_then(|doc| doc.trim_start().strip_prefix("```"));
    info.is_some_and(|info| {
        info.split(',')
            .any(|word| word.trim().starts_with("ignore"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    #[track_caller]
    fn check_text(text: &str, expected: &[&str]) {
        assert_eq!(shown(check(&TextFile::new("a.rs", text))), expected);
    }

    #[test]
    fn finished_code_passes() {
        check_text(
            "//! Says todo!() and #[ignore] in words.\n\
             #[expect(dead_code, reason = \"r\")]\n\
             #[serde(allow)]\n\
             fn a() { let ignore = \"#[allow(x)] todo!()\"; b(ignore) }\n\
             /// ```text\n/// ignore\n/// ```\n\
             fn b(todo: &str) -> bool { todo != \"x\" }\n",
            &[],
        );
    }

    #[test]
    fn unfinished_code_fails_also_inside_macros() {
        check_text(
            "fn a() {\n    todo!()\n}\n",
            &["a.rs:2: `todo!`, finish it or leave it out"],
        );
        check_text(
            "proptest! { fn a() { unimplemented!(\"later\") } }",
            &["a.rs:1: `unimplemented!`, finish it or leave it out"],
        );
    }

    #[test]
    fn tests_and_examples_that_do_not_run_fail() {
        let test = "a.rs:1: a test that does not run, make it run everywhere or delete it";
        check_text("#[ignore]\nfn a() {}", &[test]);
        check_text("#[ignore = \"slow\"]\nfn a() {}", &[test]);
        check_text("#[cfg_attr(windows, ignore)]\nfn a() {}", &[test]);
        check_text(
            "fn b() {}\n/// ```rust,ignore\n/// x\n/// ```\nfn a() {}",
            &["a.rs:2: an example that does not run, make it run everywhere or delete it"],
        );
    }

    #[test]
    fn allow_fails() {
        let allow = "a.rs:1: `allow`, write `#[expect(…, reason = \"…\")]`";
        check_text("#[allow(dead_code)]\nfn a() {}", &[allow]);
        check_text("#![allow(dead_code)]", &[allow]);
        check_text("#[cfg_attr(test, allow(dead_code))]\nfn a() {}", &[allow]);
    }

    #[test]
    fn text_that_is_not_rust_fails() {
        check_text(
            "fn a() {\n",
            &["a.rs:1: is not Rust, mend it, or move it into a `fixtures` folder"],
        );
    }
}
