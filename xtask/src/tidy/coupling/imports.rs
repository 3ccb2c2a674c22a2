//! Lists the modules that a file declares and the paths that it names: `use` trees, and `crate::…`,
//! `super::…` and `self::…` in code and macros. Method calls name no module and do not count.

use proc_macro2::{Delimiter, TokenTree};

use super::production::{inside, is_ident, is_punct, tokens};

/// The declarations and paths of one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FileImports {
    pub(crate) modules: Vec<Declaration>,
    pub(crate) paths: Vec<NamedPath>,
}

/// A `mod` item.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The inline modules around it, in this file.
    pub(crate) scope: Vec<String>,
    pub(crate) name: String,
    pub(crate) is_inline: bool,
}

/// A path as written in the source.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NamedPath {
    /// The inline modules around it, in this file.
    pub(crate) scope: Vec<String>,
    pub(crate) segments: Vec<String>,
    /// The name that a `use` at module level binds to it.
    pub(crate) binding: Option<String>,
    pub(crate) line: usize,
}

pub(crate) fn read(text: &str) -> FileImports {
    let mut reader = Reader::default();
    reader.walk(&tokens(text), Level::Module);
    reader.found
}

/// Nesting of the tokens: items of a module, or inside one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Module,
    Inner,
}

#[derive(Default)]
struct Reader {
    scope: Vec<String>,
    found: FileImports,
}

impl Reader {
    fn walk(&mut self, trees: &[TokenTree], level: Level) {
        let mut index = 0;
        while index < trees.len() {
            let rest = &trees[index..];
            index += self
                .module(rest, level)
                .or_else(|| self.import(rest, level))
                .or_else(|| self.path(rest))
                .or_else(|| visibility(rest))
                .unwrap_or_else(|| self.other(&rest[0]));
        }
    }

    fn other(&mut self, tree: &TokenTree) -> usize {
        if let TokenTree::Group(group) = tree {
            self.walk(&inside(group), Level::Inner);
        }
        1
    }

    /// Reads `mod name;` or `mod name { … }`; returns the number of its tokens.
    fn module(&mut self, trees: &[TokenTree], level: Level) -> Option<usize> {
        let [keyword, TokenTree::Ident(name), body, ..] = trees else {
            return None;
        };
        if level == Level::Inner || !is_ident(Some(keyword), "mod") {
            return None;
        }
        let name = name.to_string();
        self.found.modules.push(Declaration {
            scope: self.scope.clone(),
            name: name.clone(),
            is_inline: matches!(body, TokenTree::Group(_)),
        });
        if let TokenTree::Group(group) = body {
            self.scope.push(name);
            self.walk(&inside(group), Level::Module);
            self.scope.pop();
        }
        Some(3)
    }

    /// Reads `use …;`; returns the number of its tokens.
    fn import(&mut self, trees: &[TokenTree], level: Level) -> Option<usize> {
        if !is_ident(trees.first(), "use") {
            return None;
        }
        let end = trees.iter().position(|tree| is_punct(Some(tree), ';'))?;
        self.use_tree(&trees[1..end], &[], level);
        Some(end + 1)
    }

    fn use_tree(&mut self, trees: &[TokenTree], prefix: &[String], level: Level) {
        let Some(line) = trees.first().map(|tree| tree.span().start().line) else {
            return;
        };
        let mut segments = prefix.to_vec();
        let mut alias = None;
        let mut rest = trees.iter();
        while let Some(tree) = rest.next() {
            match tree {
                TokenTree::Ident(word) if word == "as" => alias = rest.next().map(text_of),
                TokenTree::Ident(word) => segments.push(text_of_ident(word)),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for part in inner.split(|tree| is_punct(Some(tree), ',')) {
                        self.use_tree(part, &segments, level);
                    }
                    return;
                }
                _ => {}
            }
        }
        let is_glob = is_punct(trees.last(), '*');
        // `use a::{self}` names `a`.
        if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
            segments.pop();
        }
        let name = alias.or_else(|| segments.last().cloned());
        let binding = name.filter(|_| level == Level::Module && !is_glob);
        self.push(segments, binding, line);
    }

    /// Reads a path that starts at the crate or at this module; returns the
    /// number of its tokens.
    fn path(&mut self, trees: &[TokenTree]) -> Option<usize> {
        let anchors = ["crate", "super", "self"];
        let first = trees.first();
        if !anchors.iter().any(|anchor| is_ident(first, anchor)) || !is_separator(trees, 1) {
            return None;
        }
        let mut segments = vec![text_of(&trees[0])];
        let mut end = 1;
        while is_separator(trees, end) {
            let Some(TokenTree::Ident(segment)) = trees.get(end + 2) else {
                break;
            };
            segments.push(text_of_ident(segment));
            end += 3;
        }
        self.push(segments, None, trees[0].span().start().line);
        Some(end)
    }

    fn push(&mut self, segments: Vec<String>, binding: Option<String>, line: usize) {
        self.found.paths.push(NamedPath {
            scope: self.scope.clone(),
            segments,
            binding,
            line,
        });
    }
}

/// Recognises `pub(…)`: its path restricts the visibility of an item, and imports nothing.
fn visibility(trees: &[TokenTree]) -> Option<usize> {
    let [public, TokenTree::Group(scope), ..] = trees else {
        return None;
    };
    let is_scope = scope.delimiter() == Delimiter::Parenthesis;
    (is_ident(Some(public), "pub") && is_scope).then_some(2)
}

fn is_separator(trees: &[TokenTree], at: usize) -> bool {
    is_punct(trees.get(at), ':') && is_punct(trees.get(at + 1), ':')
}

fn text_of(tree: &TokenTree) -> String {
    tree.to_string()
}

/// Returns the name without the `r#` of a raw identifier.
fn text_of_ident(ident: &proc_macro2::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = read(text).paths;
        let found: Vec<String> = found.iter().map(describe).collect();
        assert_eq!(found, expected);
    }

    fn describe(path: &NamedPath) -> String {
        let scope = path.scope.iter().map(|name| format!("{name}/"));
        let binding = path.binding.iter().map(|name| format!(" as {name}"));
        let written = path.segments.join("::");
        let line = format!("{}:", path.line);
        std::iter::once(line)
            .chain(scope)
            .chain([written])
            .chain(binding)
            .collect()
    }

    #[test]
    fn use_trees_are_spread() {
        check("use crate::a::B;", &["1:crate::a::B as B"]);
        check(
            "pub(crate) use super::{\n a::{self, B as C},\n d,\n};",
            &["2:super::a as a", "2:super::a::B as C", "3:super::d as d"],
        );
        check("use crate::a::*;", &["1:crate::a"]);
    }

    #[test]
    fn paths_in_code_and_macros_are_seen() {
        check("fn a() { crate::b::c(); }", &["1:crate::b::c"]);
        check(
            "fn a() -> super::super::B { x!(self::c::D) }",
            &["1:super::super::B", "1:self::c::D"],
        );
        check("fn a() { use crate::b; }", &["1:crate::b"]);
        check(
            "macro_rules! m { () => { $crate::a::b() } }",
            &["1:crate::a::b"],
        );
    }

    #[test]
    fn visibilities_texts_and_values_are_no_paths() {
        check(
            "pub(in crate::a) fn b(&self) { self.c(\"crate::d\") } // crate::e",
            &[],
        );
    }

    #[test]
    fn modules_are_listed_and_inline_ones_scope_their_paths() {
        let text = "mod a; pub mod b { use super::c; mod d; } #[cfg(test)] mod tests;";
        check(text, &["1:b/super::c as c"]);
        let modules = read(text).modules;
        let modules: Vec<_> = modules
            .iter()
            .map(|one| format!("{}{} {}", one.scope.join("/"), one.name, one.is_inline))
            .collect();
        assert_eq!(modules, ["a false", "b true", "bd false"]);
    }
}
