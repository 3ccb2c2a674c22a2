//! Finds the functions of a Rust file and their lengths, using only tokens, so that functions
//! inside macros (such as property tests) count, too.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// Line of the keyword `fn`.
    pub(crate) line: usize,
    /// Number of lines from there to the closing brace, inclusive.
    pub(crate) lines: usize,
}

/// Returns the functions with a body; none for text that is not Rust, which another rule reports.
pub(crate) fn functions(text: &str) -> Vec<Function> {
    let mut found = Vec::new();
    if let Ok(tokens) = text.parse() {
        collect(tokens, &mut found);
    }
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<Function>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, tree) in trees.iter().enumerate() {
        found.extend(function_at(&trees[index..]));
        if let TokenTree::Group(group) = tree {
            collect(group.stream(), found);
        }
    }
}

/// Returns the function that starts with the first token, if any.
fn function_at(trees: &[TokenTree]) -> Option<Function> {
    let [TokenTree::Ident(keyword), TokenTree::Ident(name), rest @ ..] = trees else {
        return None;
    };
    if keyword != "fn" {
        return None;
    }
    let line = keyword.span().start().line;
    let end = body_end(rest)?;
    Some(Function {
        name: name.to_string(),
        line,
        lines: end - line + 1,
    })
}

/// Returns the last line of the first braces before a semicolon; a function without them is only a
/// declaration.
fn body_end(signature: &[TokenTree]) -> Option<usize> {
    let is_end =
        |tree: &&TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';');
    let until_end = signature.iter().take_while(|tree| !is_end(tree));
    let mut bodies = until_end.filter_map(|tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    });
    bodies.next().map(|body| body.span_close().end().line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, usize, usize)]) {
        let found = functions(text);
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.name.as_str(), one.line, one.lines))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lengths_run_from_the_keyword_to_the_brace() {
        check(
            "/// Doc.\npub fn a(\n    x: u8,\n) -> u8 {\n    x\n}\n",
            &[("a", 2, 5)],
        );
        check("fn a() {}", &[("a", 1, 1)]);
    }

    #[test]
    fn methods_nested_functions_and_macros_are_seen() {
        check(
            "impl A {\n fn b(&self) {\n fn c() {}\n }\n}",
            &[("b", 2, 3), ("c", 3, 1)],
        );
        check(
            "proptest! {\n #[test]\n fn p(x in 0..9) {\n }\n}",
            &[("p", 3, 2)],
        );
    }

    #[test]
    fn declarations_and_types_are_no_functions() {
        check("trait A { fn b(); }\nstruct C { d: fn(u8) -> u8 }", &[]);
        check("const A: &str = \"fn b() {}\"; // fn c() {}", &[]);
    }
}
