//! The rule about parameters: a tuple does not name its parts, and two `bool`s are
//! indistinguishable at the call. Closures may take tuples, and so may functions that a trait
//! prescribes: the trait's declaration is checked.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::production::{inside, is_ident, is_punct, tokens};
use crate::tidy::checkout::TextFile;
use crate::tidy::problem::Problem;

/// A function with unclear parameters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unclear {
    path: String,
    function: String,
    line: usize,
    what: &'static str,
}

/// Lists the functions of a file's production code that break the rule.
pub(crate) fn unclear(file: &TextFile) -> Vec<Unclear> {
    let mut found = Vec::new();
    walk(
        &tokens(&file.text),
        Signatures::Ours,
        &mut |name, line, what| {
            let (path, function) = (file.path.clone(), name.to_owned());
            found.push(Unclear {
                path,
                function,
                line,
                what,
            });
        },
    );
    found
}

pub(crate) fn check(unclear: &[Unclear]) -> impl Iterator<Item = Problem> {
    unclear.iter().map(Unclear::problem)
}

impl Unclear {
    fn problem(&self) -> Problem {
        Problem::new(
            &self.path,
            self.line,
            format!("`{}` {}", self.function, self.what),
            "use a struct, an enum or two functions",
        )
    }
}

/// Author of the signatures of the functions in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signatures {
    Ours,
    /// The functions of `impl Trait for …`.
    OfTrait,
}

type Report<'r> = &'r mut dyn FnMut(&str, usize, &'static str);

fn walk(trees: &[TokenTree], signatures: Signatures, report: Report<'_>) {
    let mut index = 0;
    while index < trees.len() {
        let rest = &trees[index..];
        if is_ident(rest.first(), "impl")
            && let Some(length) = block_length(rest)
        {
            walk_block(&rest[..length], report);
            index += length;
            continue;
        }
        if signatures == Signatures::Ours {
            check_function(rest, report);
        }
        if let TokenTree::Group(group) = &trees[index] {
            walk(&inside(group), Signatures::Ours, report);
        }
        index += 1;
    }
}

/// Counts the tokens of an `impl` block; returns `None` for `impl` in a type without a body.
fn block_length(trees: &[TokenTree]) -> Option<usize> {
    let body = trees.iter().position(is_brace)?;
    let ends_before = trees[..body].iter().any(|tree| is_punct(Some(tree), ';'));
    (!ends_before).then_some(body + 1)
}

fn walk_block(block: &[TokenTree], report: Report<'_>) {
    let is_for = |pair: &[TokenTree]| is_ident(pair.first(), "for") && !is_punct(pair.get(1), '<');
    let signatures = match block.windows(2).any(is_for) {
        true => Signatures::OfTrait,
        false => Signatures::Ours,
    };
    if let Some(TokenTree::Group(body)) = block.last() {
        walk(&inside(body), signatures, report);
    }
}

fn is_brace(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn check_function(trees: &[TokenTree], report: Report<'_>) {
    let [keyword, TokenTree::Ident(name), rest @ ..] = trees else {
        return;
    };
    if !is_ident(Some(keyword), "fn") {
        return;
    }
    let Some(parameters) = parameters(rest) else {
        return;
    };
    let types: Vec<Type> = parameters.iter().map(|one| type_of(one)).collect();
    let line = keyword.span().start().line;
    if types.contains(&Type::Tuple) {
        report(&name.to_string(), line, "takes a tuple");
    }
    if types.iter().filter(|one| **one == Type::Bool).count() > 1 {
        report(&name.to_string(), line, "takes two or more `bool`s");
    }
}

/// Returns the tokens of each parameter: those in the first parentheses after the generics.
fn parameters(signature: &[TokenTree]) -> Option<Vec<Vec<TokenTree>>> {
    let mut depth = Angles::default();
    let list = signature.iter().find_map(|tree| match tree {
        TokenTree::Group(group) if depth.is_outside() => Some(group),
        other => {
            depth.pass(other);
            None
        }
    })?;
    Some(split(list.stream()))
}

/// Splits at the commas outside angle brackets.
fn split(stream: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut depth = Angles::default();
    let mut parts = vec![Vec::new()];
    for tree in stream {
        depth.pass(&tree);
        if is_punct(Some(&tree), ',') && depth.is_outside() {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(tree);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Tuple,
    Bool,
    Other,
}

fn type_of(parameter: &[TokenTree]) -> Type {
    let colon = parameter.iter().enumerate().position(|(index, tree)| {
        is_punct(Some(tree), ':') && !is_punct(parameter.get(index + 1), ':')
    });
    let Some(colon) = colon else {
        return Type::Other;
    };
    let mut named = &parameter[colon + 1..];
    while let [first, rest @ ..] = named {
        let is_lifetime = is_punct(Some(first), '\'');
        named = match is_lifetime {
            true => rest.get(1..).unwrap_or(&[]),
            false if is_punct(Some(first), '&') || is_ident(Some(first), "mut") => rest,
            false => break,
        };
    }
    match named {
        [TokenTree::Group(group)]
            if group.delimiter() == Delimiter::Parenthesis && split(group.stream()).len() > 1 =>
        {
            Type::Tuple
        }
        [only] if is_ident(Some(only), "bool") => Type::Bool,
        _ => Type::Other,
    }
}

/// Counts open angle brackets; the arrow `->` does not close one.
#[derive(Default)]
struct Angles {
    open: usize,
    after_dash: bool,
}

impl Angles {
    fn pass(&mut self, tree: &TokenTree) {
        if is_punct(Some(tree), '<') {
            self.open += 1;
        } else if is_punct(Some(tree), '>') && !self.after_dash {
            self.open = self.open.saturating_sub(1);
        }
        self.after_dash = is_punct(Some(tree), '-');
    }

    fn is_outside(&self) -> bool {
        self.open == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    const TUPLE: &str = "//! x\nfn f(a: (u8, u8)) {}";

    #[track_caller]
    fn check_text(text: &str, expected: &[&str]) {
        let found = unclear(&TextFile::new("a.rs", text));
        let found: Vec<_> = found
            .iter()
            .map(|one| format!("{} {}", one.function, one.what))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn tuples_and_second_bools_are_found() {
        check_text("fn f(a: (u8, u8)) {}", &["f takes a tuple"]);
        check_text("fn f((a, b): &'a mut (u8, u8)) {}", &["f takes a tuple"]);
        check_text(
            "impl A { fn f<F: Fn(u8, u8) -> u8>(&self, a: bool, b: bool) {} }",
            &["f takes two or more `bool`s"],
        );
        check_text("trait A { fn f(a: (u8, u8)); }", &["f takes a tuple"]);
        check_text(
            "impl A for B { fn f() { fn g(a: (u8, u8)) {} } }",
            &["g takes a tuple"],
        );
    }

    #[test]
    fn clear_and_prescribed_parameters_pass() {
        check_text(
            "fn f(a: bool, b: Option<(u8, u8)>, c: &[(u8, u8)], d: (), e: (u8)) {}",
            &[],
        );
        check_text(
            "fn f(a: Map<bool, bool>, b: impl Fn((u8, u8)) -> bool) -> bool {}",
            &[],
        );
        check_text(
            "impl From<(u8, u8)> for B { fn from(a: (u8, u8)) -> B {} }",
            &[],
        );
        check_text("fn f() -> impl Fn() { |(a, b): (u8, u8)| {} }", &[]);
        check_text("#[cfg(test)] mod tests { fn f(a: (u8, u8)) {} }", &[]);
    }

    #[test]
    fn unclear_parameters_are_a_problem() {
        let found = unclear(&TextFile::new("a.rs", TUPLE));
        assert_eq!(
            shown(check(&found)),
            ["a.rs:2: `f` takes a tuple, use a struct, an enum or two functions"]
        );
    }
}
