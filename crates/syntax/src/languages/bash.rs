//! Shell scripts.

use tree_sitter::Node;

use crate::grammar::{Docs, Field, Rule, Spec, always_public};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind};

pub(super) const BASH: Spec = Spec {
    id: "bash",
    grammar: || tree_sitter_bash::LANGUAGE.into(),
    separator: ".",
    literals: &["array"],
    rules: &[&[
        ("comment", Rule::Comment),
        ("function_definition", Rule::Symbol(SymbolKind::Function)),
        ("declaration_command", Rule::Custom(declaration)),
        ("variable_assignment", Rule::Custom(variable)),
        ("command", Rule::Custom(command)),
        ("subshell", Rule::Local),
        ("command_substitution", Rule::Local),
        ("if_statement", Rule::Branch),
        ("elif_clause", Rule::Branch),
        ("for_statement", Rule::Branch),
        ("c_style_for_statement", Rule::Branch),
        ("while_statement", Rule::Branch),
        ("case_item", Rule::Branch),
        ("&&", Rule::Branch),
        ("||", Rule::Branch),
        ("heredoc_body", Rule::Skip),
    ]],
    docs: Docs::Above,
    visibility: always_public,
    is_test,
};

fn is_test(_: &Walk<'_>, symbol: &Symbol, _: &str) -> bool {
    symbol.kind == SymbolKind::Function && symbol.name.starts_with("test_")
}

/// `local` is only valid in functions, even if the grammar does not see one.
fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if walk.text_of(node).starts_with("local") {
        walk.open_local();
    }
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk
        .field(node, Field::Name)
        .filter(|name| name.kind() == "variable_name")
    else {
        return;
    };
    if !walk.is_in_function() && walk.binds(walk.text_of(name)) {
        walk.define(Definition::new(SymbolKind::Variable, node, name));
    }
}

fn command<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let word = walk.text_of(name);
    if matches!(word, "source" | ".") {
        let mut cursor = node.walk();
        let path = node.children_by_field_name("argument", &mut cursor).next();
        let path = path
            .map_or("", |path| walk.text_of(path))
            .trim_matches(['"', '\'']);
        walk.import(ImportKind::File, node, path, Vec::new());
        return;
    }
    // `A=b command` sets a variable for the command only.
    walk.open_local();
    walk.reference(ReferenceKind::Call, name, None);
}

#[cfg(test)]
mod tests {
    use crate::languages::check::{check, check_uses};

    #[test]
    fn definitions() {
        check(
            "bash",
            "#!/bin/sh\n# Builds.\nbuild() {\n  local x=1\n  if [ -f a ] && y; then make; fi\n}\nfunction run { :; }\nexport NAME=v\nNAME=w\nA=b cmd\nlocal y=2\n. ./lib.sh\n",
            "
3-6 public function build *3 | build() | Builds.
7-7 public function run | function run
8-8 public variable NAME | NAME=v
file ./lib.sh []
",
        );
    }

    #[test]
    fn uses() {
        check_uses(
            "bash",
            "f() { g a; }\nf \"$(h)\"\n",
            "call g < f\ncall f < -\ncall h < -",
        );
    }
}
