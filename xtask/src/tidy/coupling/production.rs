//! Reads a Rust file as tokens, without the code that only tests compile. Other
//! conditions (`cfg(unix)`, features) count as true: coupling is a property of
//! the text.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Keywords of items whose first braces end them.
const BRACED: &[&str] = &[
    "async", "enum", "extern", "fn", "impl", "mod", "struct", "trait", "union", "unsafe",
];
/// Keywords of items that end with a semicolon and may contain braces before it.
const CLOSED: &[&str] = &["const", "let", "static", "type", "use"];

/// Returns the tokens of the production code; none for text that is not Rust, which the compiler
/// reports.
pub(crate) fn tokens(text: &str) -> Vec<TokenTree> {
    text.parse().map(without_tests).unwrap_or_default()
}

/// Returns the tokens inside a group, again without test code.
pub(crate) fn inside(group: &Group) -> Vec<TokenTree> {
    without_tests(group.stream())
}

pub(crate) fn is_punct(tree: Option<&TokenTree>, expected: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == expected)
}

pub(crate) fn is_ident(tree: Option<&TokenTree>, expected: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == expected)
}

fn without_tests(stream: TokenStream) -> Vec<TokenTree> {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    if is_test_module(&trees) {
        return Vec::new();
    }
    let mut kept = Vec::new();
    let mut rest = trees.as_slice();
    while let Some((first, later)) = rest.split_first() {
        match attribute(rest) {
            Some(group) if is_for_tests(group) => rest = &later[1 + item_length(&later[1..])..],
            _ => {
                kept.push(first.clone());
                rest = later;
            }
        }
    }
    kept
}

/// Returns true if `#![cfg(test)]` opens the tokens.
fn is_test_module(trees: &[TokenTree]) -> bool {
    let [hash, bang, TokenTree::Group(group), ..] = trees else {
        return false;
    };
    is_punct(Some(hash), '#') && is_punct(Some(bang), '!') && is_for_tests(group)
}

/// Returns the brackets of the attribute that starts here.
fn attribute(trees: &[TokenTree]) -> Option<&Group> {
    match trees {
        [hash, TokenTree::Group(group), ..] if is_punct(Some(hash), '#') => {
            (group.delimiter() == Delimiter::Bracket).then_some(group)
        }
        _ => None,
    }
}

/// Recognises `test`, `cfg(test)` and `cfg(all(test, …))`.
fn is_for_tests(attribute: &Group) -> bool {
    let trees: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match trees.as_slice() {
        [only] => is_ident(Some(only), "test"),
        [cfg, TokenTree::Group(condition)] if is_ident(Some(cfg), "cfg") => {
            requires_test(condition)
        }
        _ => false,
    }
}

fn requires_test(condition: &Group) -> bool {
    let trees: Vec<TokenTree> = condition.stream().into_iter().collect();
    match trees.as_slice() {
        [only] => is_ident(Some(only), "test"),
        [all, TokenTree::Group(parts)] if is_ident(Some(all), "all") => {
            let mut parts = parts.stream().into_iter();
            parts.any(|part| is_ident(Some(&part), "test"))
        }
        _ => false,
    }
}

/// Counts the tokens of the item, field, arm or statement that starts here,
/// with the attributes before it.
fn item_length(trees: &[TokenTree]) -> usize {
    let mut start = 0;
    while attribute(&trees[start..]).is_some() {
        start += 2;
    }
    let mut keyword = start;
    if is_ident(trees.get(keyword), "pub") {
        keyword += 1;
        let is_scope = matches!(trees.get(keyword), Some(TokenTree::Group(group))
            if group.delimiter() == Delimiter::Parenthesis);
        keyword += usize::from(is_scope);
    }
    let ends = ends_of(trees.get(keyword), trees.get(keyword + 1));
    let end = trees[start..].iter().position(|tree| match tree {
        TokenTree::Punct(punct) => ends.puncts.contains(punct.as_char()),
        TokenTree::Group(group) => ends.brace && group.delimiter() == Delimiter::Brace,
        _ => false,
    });
    end.map_or(trees.len(), |end| start + end + 1)
}

/// The tokens that end an item.
struct Ends {
    puncts: &'static str,
    brace: bool,
}

fn ends_of(keyword: Option<&TokenTree>, next: Option<&TokenTree>) -> Ends {
    let is_any = |words: &[&str]| words.iter().any(|word| is_ident(keyword, word));
    // `const fn` is a function.
    if is_any(BRACED) || is_ident(next, "fn") {
        Ends {
            puncts: ";",
            brace: true,
        }
    } else if is_any(CLOSED) {
        Ends {
            puncts: ";",
            brace: false,
        }
    } else {
        Ends {
            puncts: ";,",
            brace: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let kept: TokenStream = tokens(text).into_iter().collect();
        let expected: TokenStream = expected.parse().unwrap();
        assert_eq!(kept.to_string(), expected.to_string());
    }

    #[test]
    fn code_of_tests_is_dropped() {
        check(
            "fn a() {} #[cfg(test)] mod tests { fn b() {} } fn c() {}",
            "fn a() {} fn c() {}",
        );
        check("#[cfg(test)] mod tests; mod a;", "mod a;");
        check("#[cfg(test)] use a::{b, c}; use d;", "use d;");
        check(
            "#[cfg(test)] #[allow(x)] pub(crate) const fn a<A, B>() {} fn b() {}",
            "fn b() {}",
        );
        check(
            "#[cfg(test)] static A: B = B { c: 1 }; fn b() {}",
            "fn b() {}",
        );
        check("#[test] fn a() {} fn b() {}", "fn b() {}");
        check("#[cfg(all(test, unix))] mod a; mod b;", "mod b;");
        check("#![cfg(test)] fn a() {}", "");
    }

    #[test]
    fn fields_and_arms_end_at_their_comma() {
        let trees = tokens("struct A { #[cfg(test)] pub b: C, d: E }");
        let Some(TokenTree::Group(body)) = trees.last() else {
            panic!("no body")
        };
        let kept: TokenStream = inside(body).into_iter().collect();
        assert_eq!(kept.to_string(), "d : E");
    }

    #[test]
    fn other_conditions_are_kept() {
        check("#[cfg(not(test))] mod a;", "#[cfg(not(test))] mod a;");
        check(
            "#[cfg(any(test, unix))] mod a;",
            "#[cfg(any(test, unix))] mod a;",
        );
    }
}
