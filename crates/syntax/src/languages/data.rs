//! JSON, YAML and TOML: the keys near the top. Deeper keys, and those in lists, are data and not
//! structure.

use tree_sitter::Node;

use crate::SymbolKind;
use crate::grammar::{Docs, Field, Rule, Spec, always_public, never_a_test};
use crate::walk::{Definition, Walk};

/// Maximum nesting of keys; deeper ones are data.
const DEEPEST: usize = 3;

pub(super) const JSON: Spec = Spec {
    id: "json",
    grammar: || tree_sitter_json::LANGUAGE.into(),
    separator: ".",
    literals: &["array", "object"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("pair", Rule::Custom(pair)),
        ("array", Rule::Skip),
    ]],
    docs: Docs::Elsewhere,
    visibility: always_public,
    is_test: never_a_test,
};

pub(super) const YAML: Spec = Spec {
    id: "yaml",
    grammar: || tree_sitter_yaml::LANGUAGE.into(),
    separator: ".",
    literals: &["block_sequence", "flow_sequence"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("block_mapping_pair", Rule::Custom(pair)),
        ("flow_pair", Rule::Custom(pair)),
        ("block_sequence", Rule::Skip),
        ("flow_sequence", Rule::Skip),
        ("block_scalar", Rule::Skip),
    ]],
    docs: Docs::Above,
    visibility: always_public,
    is_test: never_a_test,
};

pub(super) const TOML: Spec = Spec {
    id: "toml",
    grammar: || tree_sitter_toml_ng::LANGUAGE.into(),
    separator: ".",
    literals: &["array"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("table", Rule::Custom(table)),
        ("table_array_element", Rule::Custom(table)),
        ("pair", Rule::Custom(toml_pair)),
        ("array", Rule::Skip),
    ]],
    docs: Docs::Above,
    visibility: always_public,
    is_test: never_a_test,
};

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = walk.field(node, Field::Key) else {
        return;
    };
    let value = walk.field(node, Field::Value);
    key_symbol(walk, node, key, value);
}

fn toml_pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = node.named_child(0) else {
        return;
    };
    key_symbol(walk, node, key, node.named_child(1));
}

fn key_symbol<'t>(walk: &mut Walk<'t>, node: Node<'t>, key: Node<'t>, value: Option<Node<'t>>) {
    if walk.open_count() >= DEEPEST {
        return walk.skip();
    }
    let name = unquoted(walk.text_of(key));
    let is_large = |value: &Node<'t>| {
        let text = walk.text_of(*value);
        text.starts_with(['{', '[']) || text.contains('\n')
    };
    let body = value.filter(is_large);
    walk.define(
        Definition::new(SymbolKind::Key, node, key)
            .named(name)
            .body(body),
    );
}

fn table<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = node.named_child(0) else {
        return;
    };
    let name = unquoted(walk.text_of(key));
    let body = node
        .named_child(1)
        .map(|first| loom_base::ByteSpan::new(first.start_byte(), node.end_byte()));
    walk.define(
        Definition::new(SymbolKind::Key, node, key)
            .named(name)
            .body_span(body),
    );
}

fn unquoted(key: &str) -> String {
    let key = key.trim();
    let inner = key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
    let inner = inner.or_else(|| {
        key.strip_prefix('\'')
            .and_then(|key| key.strip_suffix('\''))
    });
    inner.unwrap_or(key).to_owned()
}

#[cfg(test)]
mod tests {
    use crate::languages::check::check;

    #[test]
    fn json() {
        check(
            "json",
            "{\n  \"name\": \"a\",\n  \"scripts\": { \"x\": { \"y\": { \"deep\": 1 } } },\n  \"list\": [ { \"z\": 1 } ]\n}\n",
            "
2-2 public key name | \"name\": \"a\"
3-3 public key scripts | \"scripts\"
3-3 public key scripts.x | \"x\"
3-3 public key scripts.x.y | \"y\"
4-4 public key list | \"list\"
",
        );
    }

    #[test]
    fn yaml() {
        check(
            "yaml",
            "# Jobs.\non: push\njobs:\n  \"the build\":\n    runs-on: x\n    steps:\n      - run: y\n---\nkind: Pod\n",
            "
2-2 public key on | on: push | Jobs.
3-7 public key jobs | jobs
4-7 public key jobs.the build | \"the build\"
5-5 public key jobs.the build.runs-on | runs-on: x
6-7 public key jobs.the build.steps | steps: - run: y
9-9 public key kind | kind: Pod
",
        );
    }

    #[test]
    fn toml() {
        check(
            "toml",
            "title = \"x\"\n[package]\nname = \"a\"\na.b = 1\n# B.\n\n# The\n# bin.\n\n[[bin]]\npath = \"x\"\n",
            "
1-1 public key title | title = \"x\"
2-5 public key package | [package]
3-3 public key package.name | name = \"a\"
4-4 public key package.a.b | a.b = 1
10-11 public key bin | [[bin]]
11-11 public key bin.path | path = \"x\"
",
        );
    }
}
