//! Markdown: headings, and the code in fences.

use tree_sitter::Node;

use crate::SymbolKind;
use crate::embedded;
use crate::grammar::{Docs, Rule, Spec, always_public, never_a_test};
use crate::walk::{Definition, Walk};

pub(super) const MARKDOWN: Spec = Spec {
    id: "markdown",
    grammar: || tree_sitter_md::LANGUAGE.into(),
    separator: " > ",
    literals: &[],
    rules: &[&[
        ("section", Rule::Custom(section)),
        ("setext_heading", Rule::Custom(underlined)),
        ("fenced_code_block", Rule::Custom(fence)),
        ("paragraph", Rule::Skip),
        ("pipe_table", Rule::Skip),
        ("html_block", Rule::Skip),
    ]],
    docs: Docs::Elsewhere,
    visibility: always_public,
    is_test: never_a_test,
};

/// Defines a section, which extends from its heading to the next one of the same level.
fn section<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(heading) = walk.child_of_kind(node, &["atx_heading"]) else {
        return;
    };
    let name = walk.child_of_kind(heading, &["inline"]);
    let Some(name) = name.filter(|_| heading.start_byte() == node.start_byte()) else {
        return;
    };
    let text = words(walk.text_of(name));
    let body = loom_base::ByteSpan::new(heading.end_byte(), node.end_byte());
    let definition = Definition::new(SymbolKind::Section, node, name);
    walk.define(definition.named(text).body_span(Some(body)));
}

fn underlined<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    if let Some(name) = walk.child_of_kind(node, &["paragraph"]) {
        let text = words(walk.text_of(name));
        // The line under the words is not part of them.
        let end = name.start_byte() + walk.text_of(name).trim_end().len();
        let body = loom_base::ByteSpan::new(end, node.end_byte());
        let definition = Definition::new(SymbolKind::Section, node, name);
        walk.define(definition.named(text).body_span(Some(body)));
    }
}

fn words(heading: &str) -> String {
    let bare = heading.trim().trim_end_matches('#').trim_end();
    bare.replace('`', "").replace('\n', " ")
}

fn fence<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let info = walk.child_of_kind(node, &["info_string"]);
    let word = info.and_then(|info| walk.child_of_kind(info, &["language"]));
    let content = walk.child_of_kind(node, &["code_fence_content"]);
    if let (Some(word), Some(content)) = (word, content) {
        let word = walk
            .text_of(word)
            .split([',', '{', ':'])
            .next()
            .unwrap_or_default();
        if let Some(language) = embedded::named(word) {
            walk.embed(language, content);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::check::check;

    #[test]
    fn headings_and_fences() {
        check(
            "markdown",
            "# One\ntext\n## Two `code` ##\n\n```rust,no_run\nfn a() { b(); }\n```\n\n```\nfn c() {}\n```\n## Three\n# Four\n",
            "
1-12 public section One | # One
3-11 public section One > Two code | ## Two `code` ##
12-12 public section One > Three | ## Three
13-13 public section Four | # Four
6-6 private function a | fn a()
",
        );
    }
}
