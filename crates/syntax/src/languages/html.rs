//! HTML, and the files of Vue and Svelte, which are HTML with scripts and styles.

use tree_sitter::Node;

use crate::grammar::{Docs, Rule, Spec, always_public, never_a_test};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, SymbolKind, embedded};

pub(super) const HTML: Spec = Spec {
    id: "html",
    grammar: || tree_sitter_html::LANGUAGE.into(),
    separator: " > ",
    literals: &[],
    rules: &[&[
        ("comment", Rule::Comment),
        ("element", Rule::Custom(element)),
        ("script_element", Rule::Custom(script)),
        ("style_element", Rule::Custom(style)),
    ]],
    docs: Docs::Elsewhere,
    visibility: always_public,
    is_test: never_a_test,
};

pub(super) const VUE: Spec = Spec { id: "vue", ..HTML };

pub(super) const SVELTE: Spec = Spec {
    id: "svelte",
    ..HTML
};

/// Defines headings and elements with an id. A component is used by its name.
fn element<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(tag) = walk.child_of_kind(node, &["start_tag", "self_closing_tag"]) else {
        return;
    };
    let Some(name) = walk.child_of_kind(tag, &["tag_name"]) else {
        return;
    };
    let word = walk.text_of(name);
    if matches!(word, "h1" | "h2" | "h3" | "h4" | "h5" | "h6") {
        let texts: Vec<_> = walk
            .leaves(node, "text")
            .iter()
            .map(|text| walk.text_of(*text))
            .collect();
        let heading = texts
            .join(" ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let definition = Definition::new(SymbolKind::Section, node, name);
        return walk.define(definition.named(heading).leaf());
    }
    if let Some(id) = attribute(walk, tag, "id") {
        let text = walk.text_of(id).to_owned();
        let body = loom_base::ByteSpan::new(tag.end_byte(), node.end_byte());
        let definition = Definition::new(SymbolKind::Element, node, id).named(text);
        walk.define(definition.body_span(Some(body)).leaf());
    }
    if word.starts_with(char::is_uppercase) || (walk.id == "vue" && word.contains('-')) {
        walk.reference(ReferenceKind::Call, name, None);
    }
}

fn script<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let Some(tag) = walk.child_of_kind(node, &["start_tag"]) else {
        return;
    };
    if let Some(source) = attribute(walk, tag, "src") {
        walk.import(ImportKind::File, node, walk.text_of(source), Vec::new());
    }
    let language = match attribute(walk, tag, "lang").or_else(|| attribute(walk, tag, "type")) {
        Some(word) => match walk.text_of(word) {
            "module" | "text/javascript" | "application/javascript" | "text/babel" => {
                Some("javascript")
            }
            "text/typescript" => Some("typescript"),
            "application/json" | "application/ld+json" | "importmap" => None,
            other => embedded::named(other),
        },
        None => Some("javascript"),
    };
    if let (Some(language), Some(code)) = (language, walk.child_of_kind(node, &["raw_text"])) {
        walk.embed(language, code);
    }
}

fn style<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let tag = walk.child_of_kind(node, &["start_tag"]);
    let is_plain = tag
        .and_then(|tag| attribute(walk, tag, "lang"))
        .is_none_or(|word| walk.text_of(word) == "css");
    if let Some(code) = walk.child_of_kind(node, &["raw_text"]).filter(|_| is_plain) {
        walk.embed("css", code);
    }
}

/// Returns the value of an attribute.
fn attribute<'t>(walk: &Walk<'t>, tag: Node<'t>, target: &str) -> Option<Node<'t>> {
    walk.children(tag).into_iter().find_map(|attribute| {
        let name = walk.child_of_kind(attribute, &["attribute_name"])?;
        if walk.text_of(name) != target {
            return None;
        }
        let quoted = walk.child_of_kind(attribute, &["quoted_attribute_value"]);
        walk.child_of_kind(quoted.unwrap_or(attribute), &["attribute_value"])
    })
}

#[cfg(test)]
mod tests {
    use crate::languages::check::check;

    #[test]
    fn parts() {
        check(
            "html",
            "<html><head><script type=\"module\" src=\"x.js\"></script>\n<script>\nfunction f() { g(); }\n</script>\n<style>.a { b: c }</style></head>\n<body id=\"top\"><h1>Head <b>x</b></h1></body></html>\n",
            "
6-6 public element top | <body id=\"top\">
6-6 public section Head x | <h1>Head <b>x</b></h1>
3-3 private function f | function f()
5-5 public selector .a | .a
file x.js []
",
        );
    }

    #[test]
    fn components() {
        check(
            "vue",
            "<template><My-Thing/></template>\n<script setup lang=\"ts\">\nimport A from './a.vue';\nconst b: number = 1;\n</script>\n<style lang=\"scss\">x { y { z: 1 } }</style>\n",
            "
4-4 private constant b | const b: number = 1
import ./a.vue [default]
",
        );
    }
}
