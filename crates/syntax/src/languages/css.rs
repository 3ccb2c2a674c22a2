//! CSS: selectors, custom properties and animations.

use tree_sitter::Node;

use crate::grammar::{Docs, Rule, Spec, always_public, never_a_test};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, SymbolKind};

pub(super) const CSS: Spec = Spec {
    id: "css",
    grammar: || tree_sitter_css::LANGUAGE.into(),
    separator: " ",
    literals: &[],
    rules: &[&[
        ("comment", Rule::Comment),
        ("rule_set", Rule::Custom(rule)),
        ("declaration", Rule::Custom(declaration)),
        ("keyframes_statement", Rule::Custom(keyframes)),
        ("import_statement", Rule::Custom(import)),
    ]],
    docs: Docs::Above,
    visibility: always_public,
    is_test: never_a_test,
};

fn rule<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(selectors) = walk.child_of_kind(node, &["selectors"]) {
        let name = walk
            .text_of(selectors)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let body = walk.child_of_kind(node, &["block"]);
        walk.define(
            Definition::new(SymbolKind::Selector, node, selectors)
                .named(name)
                .body(body),
        );
    }
}

/// Defines `--name: value`, which can be used elsewhere; other properties cannot.
fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    if let Some(name) = walk.child_of_kind(node, &["property_name"])
        && walk.text_of(name).starts_with("--")
    {
        walk.define(Definition::new(SymbolKind::Variable, node, name).leaf());
    }
}

fn keyframes<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.child_of_kind(node, &["keyframes_name"]) {
        let text = format!("@keyframes {}", walk.text_of(name));
        let body = walk.child_of_kind(node, &["keyframe_block_list"]);
        walk.define(
            Definition::new(SymbolKind::Selector, node, name)
                .named(text)
                .body(body),
        );
    }
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    if let Some(path) = walk.leaves(node, "string_content").into_iter().next() {
        walk.import(ImportKind::File, node, walk.text_of(path), Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::check;

    #[test]
    fn definitions() {
        check(
            "css",
            "@import url(\"x.css\");\n/* Main. */\n:root { --main: #fff; }\n.a > b,\n#c:hover { color: red; }\n@media (max-width: 1px) { .d { x: y } }\n@keyframes spin { from { a: b } }\n",
            "
3-3 public selector :root | :root | Main.
3-3 public variable :root --main | --main: #fff
4-5 public selector .a > b, #c:hover | .a > b, #c:hover
6-6 public selector .d | .d
7-7 public selector @keyframes spin | @keyframes spin
file x.css []
",
        );
    }
}
