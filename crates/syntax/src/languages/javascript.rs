//! JavaScript and JSX, and the part of the table that TypeScript shares.

mod exports;

use tree_sitter::Node;

use exports::exported_names;

use crate::grammar::{Docs, Field, Rule, Spec, Table};
use crate::walk::{Definition, Walk};
use crate::{ImportKind, ReferenceKind, Symbol, SymbolKind, Visibility};

pub(super) const JAVASCRIPT: Spec = Spec {
    id: "javascript",
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    separator: ".",
    literals: &["array", "object"],
    rules: &[COMMON, JSX_NODES, OWN],
    docs: Docs::Above,
    visibility,
    is_test,
};

pub(super) const JSX: Spec = Spec {
    id: "jsx",
    ..JAVASCRIPT
};

/// Nodes that the grammar of TypeScript names differently.
const OWN: Table = &[
    ("field_definition", Rule::Custom(field)),
    ("class_heritage", Rule::Custom(heritage)),
];

pub(super) const JSX_NODES: Table = &[
    ("jsx_opening_element", Rule::Custom(component)),
    ("jsx_self_closing_element", Rule::Custom(component)),
];

pub(super) const COMMON: Table = &[
    ("comment", Rule::Comment),
    ("decorator", Rule::Custom(decorator)),
    ("export_statement", Rule::Custom(export)),
    ("import_statement", Rule::Custom(import)),
    ("function_declaration", Rule::Symbol(SymbolKind::Function)),
    (
        "generator_function_declaration",
        Rule::Symbol(SymbolKind::Function),
    ),
    ("class_declaration", Rule::Symbol(SymbolKind::Class)),
    ("class", Rule::Custom(class_expression)),
    ("method_definition", Rule::Custom(method)),
    ("lexical_declaration", Rule::Wrapper),
    ("variable_declaration", Rule::Wrapper),
    ("variable_declarator", Rule::Custom(variable)),
    ("assignment_expression", Rule::Custom(assignment)),
    ("pair", Rule::Custom(pair)),
    ("arrow_function", Rule::Custom(function_value_alone)),
    ("function_expression", Rule::Custom(function_value_alone)),
    ("generator_function", Rule::Local),
    ("call_expression", Rule::Custom(call)),
    ("new_expression", Rule::Call(Field::Constructor)),
    ("if_statement", Rule::Branch),
    ("for_statement", Rule::Branch),
    ("for_in_statement", Rule::Branch),
    ("while_statement", Rule::Branch),
    ("do_statement", Rule::Branch),
    ("switch_case", Rule::Branch),
    ("catch_clause", Rule::Branch),
    ("ternary_expression", Rule::Branch),
    ("&&", Rule::Branch),
    ("||", Rule::Branch),
    ("??", Rule::Branch),
    ("string", Rule::Skip),
    ("regex", Rule::Skip),
];

pub(super) fn visibility(
    walk: &Walk<'_>,
    kind: SymbolKind,
    name: &str,
    modifiers: &str,
) -> Visibility {
    let has = |word: &str| modifiers.split_whitespace().any(|one| one == word);
    if name.starts_with('#') || has("private") {
        return Visibility::Private;
    }
    if has("protected") {
        return Visibility::Protected;
    }
    match walk.around_kind() {
        _ if has("export") => Visibility::Public,
        _ if kind == SymbolKind::Test => Visibility::Public,
        // Private to the file, unless a list of exports names it.
        None | Some(SymbolKind::Function | SymbolKind::Method) => Visibility::Private,
        Some(SymbolKind::Module) if !walk.around_signature().contains("declare") => {
            Visibility::Private
        }
        Some(_) => walk.around_visibility(),
    }
}

pub(super) fn is_test(_: &Walk<'_>, symbol: &Symbol, _: &str) -> bool {
    symbol.kind == SymbolKind::Test
}

fn decorator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.attribute(node);
    if let Some(name) = node.named_child(0)
        && matches!(name.kind(), "identifier" | "member_expression")
    {
        walk.named_use(ReferenceKind::Call, name);
    }
}

fn export<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let clause = walk.child_of_kind(node, &["export_clause"]);
    let names = clause
        .map(|clause| specifiers(walk, clause))
        .unwrap_or_default();
    if let Some(source) = walk.field(node, Field::Source) {
        walk.skip();
        let all = walk
            .child_of_kind(node, &["*", "namespace_export"])
            .map(|_| "*".to_owned());
        let names = names.into_iter().chain(all).collect();
        return walk.import(
            ImportKind::Export,
            node,
            unquoted(walk.text_of(source)),
            names,
        );
    }
    if let Some(clause) = clause {
        walk.skip();
        // Handles `export { a as default }`.
        for one in walk.children(clause) {
            let alias = walk.field(one, Field::Alias);
            if alias.is_some_and(|alias| walk.text_of(alias) == "default")
                && let Some(name) = walk.field(one, Field::Name)
            {
                walk.export_as_default(walk.text_of(name));
            }
        }
        return names.iter().for_each(|name| walk.export(name));
    }
    walk.wrap(node);
    // Handles `export default` of an expression, or of a name.
    if let Some(value) = walk.field(node, Field::Value) {
        export_default(walk, node, value);
    }
}

fn export_default<'t>(walk: &mut Walk<'t>, node: Node<'t>, value: Node<'t>) {
    let mut value = value;
    // Handles `export default (function f() {} as T)`.
    while matches!(
        value.kind(),
        "parenthesized_expression" | "as_expression" | "satisfies_expression"
    ) && let Some(inner) = value.named_child(0)
    {
        value = inner;
    }
    match value.kind() {
        "identifier" => {
            walk.export(walk.text_of(value));
            walk.export_as_default(walk.text_of(value));
        }
        "arrow_function" | "function_expression" | "class" => {
            let name = walk.field(value, Field::Name);
            if name.is_some() && value.kind() == "class" {
                return;
            }
            let Some(name) = name.or_else(|| walk.child_of_kind(node, &["default"])) else {
                return;
            };
            let kind = match value.kind() {
                "class" => SymbolKind::Class,
                _ => SymbolKind::Function,
            };
            let body = walk.field(value, Field::Body);
            walk.define(Definition::new(kind, node, name).body(body));
        }
        _ => walk.export_as_default(""),
    }
}

fn specifiers<'t>(walk: &Walk<'t>, clause: Node<'t>) -> Vec<String> {
    let specifiers = walk.children(clause).into_iter();
    let name = |one| {
        walk.field(one, Field::Name)
            .map(|name| walk.text_of(name).to_owned())
    };
    specifiers.filter_map(name).collect()
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    walk.skip();
    let source = walk.field(node, Field::Source).or_else(|| {
        let clause = walk.child_of_kind(node, &["import_require_clause"])?;
        walk.field(clause, Field::Source)
    });
    let Some(source) = source else { return };
    let clause = walk.child_of_kind(node, &["import_clause"]);
    let mut names = Vec::new();
    for child in clause
        .map(|clause| walk.children(clause))
        .unwrap_or_default()
    {
        match child.kind() {
            "identifier" => names.push("default".to_owned()),
            "namespace_import" => names.push("*".to_owned()),
            "named_imports" => names.extend(specifiers(walk, child)),
            _ => {}
        }
    }
    walk.import(
        ImportKind::Import,
        node,
        unquoted(walk.text_of(source)),
        names,
    );
}

fn class_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    match walk.field(node, Field::Name) {
        Some(name) => {
            let body = walk.field(node, Field::Body);
            walk.define(Definition::new(SymbolKind::Class, node, name).body(body));
        }
        None if walk.is_in_function() => walk.open_anonymous(SymbolKind::Class),
        None => {}
    }
}

pub(super) fn heritage<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(base) = node.named_child(0)
        && matches!(base.kind(), "identifier" | "member_expression")
    {
        walk.named_use(ReferenceKind::Inherit, base);
    }
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let before = walk.slice(node.start_byte(), name.start_byte());
    let is_accessor = before
        .split_whitespace()
        .any(|word| word == "get" || word == "set");
    let kind = match walk.text_of(name) {
        "constructor" if walk.is_in_type() => SymbolKind::Constructor,
        _ if is_accessor => SymbolKind::Property,
        _ => SymbolKind::Method,
    };
    // Methods of an object inside a function are values, not definitions.
    if walk.is_in_function() {
        return walk.open_local();
    }
    let body = walk.field(node, Field::Body);
    let name_text = unquoted(walk.text_of(name)).to_owned();
    walk.define(
        Definition::new(kind, node, name)
            .named(name_text)
            .body(body),
    );
    if is_accessor {
        walk.open_local();
    }
}

pub(super) fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let name = walk
        .field(node, Field::Property)
        .or_else(|| walk.field(node, Field::Name));
    let Some(name) = name else { return };
    let function = function_value(walk, node);
    let kind = match function {
        Some(_) => SymbolKind::Method,
        None => SymbolKind::Field,
    };
    let body = function.and_then(|function| walk.field(function, Field::Body));
    walk.define(Definition::new(kind, node, name).body(body));
}

/// Opens a function without a name, unless it is a wrapper around a whole file: `(function () { …
/// })()`.
fn function_value_alone<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let before = walk.slice(0, node.start_byte()).trim_end();
    let outside = before.strip_suffix(['(', '!']).map(str::trim_end);
    let is_bracket = outside.is_some_and(|outside| {
        let last = outside.chars().next_back();
        last.is_none_or(|last| matches!(last, ';' | '}' | '/' | '\'' | '"'))
    });
    if !(is_bracket && walk.is_outermost()) {
        walk.open_local();
    }
}

/// Returns the value of a node, if it is a function.
fn function_value<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let value = walk
        .field(node, Field::Value)
        .or_else(|| walk.field(node, Field::Right))?;
    matches!(
        value.kind(),
        "arrow_function" | "function_expression" | "generator_function" | "function"
    )
    .then_some(value)
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(name) = walk.field(node, Field::Name) else {
        return;
    };
    let function = function_value(walk, node);
    if walk.is_in_function() && function.is_none() {
        return;
    }
    let statement = walk.wrapper_text();
    let is_first = walk
        .before()
        .is_none_or(|before| before.kind() != "variable_declarator");
    if name.kind() != "identifier" {
        if statement.starts_with("export") {
            let kind = SymbolKind::Constant;
            for inner in walk.leaves(name, "shorthand_property_identifier_pattern") {
                walk.define(Definition::new(kind, node, inner));
            }
        }
        return;
    }
    let value = walk.field(node, Field::Value);
    if value.is_some_and(|value| walk.text_of(value).starts_with("require(")) {
        return;
    }
    let is_constant = statement
        .split_whitespace()
        .take(3)
        .any(|word| word == "const");
    let kind = match (function, value.map(|value| value.kind())) {
        (Some(_), _) => SymbolKind::Function,
        (_, Some("class")) => SymbolKind::Class,
        _ if is_constant => SymbolKind::Constant,
        _ => SymbolKind::Variable,
    };
    let held = function.or(value.filter(|value| value.kind() == "class"));
    let body = held.and_then(|held| walk.field(held, Field::Body));
    let definition = Definition::new(kind, node, name).body(body);
    let visibility = (!is_first && statement.starts_with("export")).then_some(Visibility::Public);
    let definition = definition.visibility(visibility);
    walk.define(if is_first {
        definition
    } else {
        definition.shares_wrapper()
    });
}

/// Defines `exports.a = function`, `A.prototype.b = function` and similar assignments.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(left) = walk.field(node, Field::Left) else {
        return;
    };
    let right = walk.field(node, Field::Right);
    let path = walk.text_of(left);
    // Whole libraries can be inside a function. A member of a class is not a local.
    let is_of_class = path.contains(".prototype.") || path.starts_with(char::is_uppercase);
    if walk.is_in_function() && !is_of_class {
        return;
    }
    if path == "module.exports" {
        for name in right
            .map(|right| exported_names(walk, right))
            .unwrap_or_default()
        {
            walk.export(name);
        }
        let name = right.filter(|right| right.kind() == "identifier");
        walk.export_as_default(name.map_or("", |name| walk.text_of(name)));
    }
    let is_exported = path.starts_with("exports.") || path.starts_with("module.exports.");
    let Some(name) = walk.field(left, Field::Property) else {
        return;
    };
    if is_exported && right.is_some_and(|right| right.kind() == "identifier") {
        walk.export(walk.text_of(name));
    }
    let kind = match (function_value(walk, node), right.map(|right| right.kind())) {
        (_, Some("class")) => SymbolKind::Class,
        (Some(_), _) if is_exported => SymbolKind::Function,
        (Some(_), _) => SymbolKind::Method,
        _ => return,
    };
    let owner = walk.slice(left.start_byte(), name.start_byte());
    let owner = owner
        .trim_end_matches(['.', '?'])
        .trim_end_matches(".prototype");
    let is_plain = |c: char| c.is_alphanumeric() || "_$.".contains(c);
    if path == "module.exports" || !owner.chars().all(is_plain) || owner == "this" {
        return;
    }
    let owner = (!is_exported).then(|| owner.to_owned());
    let body = right.and_then(|right| walk.field(right, Field::Body));
    let definition = Definition::new(kind, node, name).owner(owner).body(body);
    walk.define(definition.visibility(Some(Visibility::Public)));
}

/// Defines a function in an object of a module.
fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(key) = walk.field(node, Field::Key) else {
        return;
    };
    let Some(function) = function_value(walk, node) else {
        return;
    };
    let is_plain = matches!(key.kind(), "property_identifier" | "string");
    if walk.is_in_function() || !is_plain {
        return;
    }
    let name = unquoted(walk.text_of(key)).to_owned();
    let body = walk.field(function, Field::Body);
    walk.define(
        Definition::new(SymbolKind::Method, node, key)
            .named(name)
            .body(body),
    );
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(callee) = walk.field(node, Field::Function) else {
        return;
    };
    let name = walk.text_of(callee);
    if matches!(name, "require" | "import" | "require.resolve") {
        if let Some(module) = first_string(walk, node) {
            walk.import(
                ImportKind::Dynamic,
                node,
                unquoted(walk.text_of(module)),
                Vec::new(),
            );
        }
        return;
    }
    let word = name.split(['.', '(']).next().unwrap_or(name);
    if matches!(
        word,
        "describe" | "it" | "test" | "suite" | "context" | "fdescribe" | "xit" | "fit" | "specify"
    ) {
        test(walk, node);
    }
    walk.call(callee);
}

/// Defines `it("does something", () => …)`: a test whose name is a sentence.
fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(words) = first_string(walk, node) else {
        return;
    };
    let Some(arguments) = walk.field(node, Field::Arguments) else {
        return;
    };
    let function = walk
        .children(arguments)
        .into_iter()
        .find(|one| matches!(one.kind(), "arrow_function" | "function_expression"));
    if let Some(function) = function {
        let name = unquoted(walk.text_of(words)).to_owned();
        let body = walk.field(function, Field::Body);
        let definition = Definition::new(SymbolKind::Test, node, words);
        walk.define(definition.named(name).body(body).test());
    }
}

fn first_string<'t>(walk: &Walk<'t>, call: Node<'t>) -> Option<Node<'t>> {
    let arguments = walk.field(call, Field::Arguments)?;
    let first = arguments.named_child(0)?;
    matches!(first.kind(), "string" | "template_string").then_some(first)
}

/// Adds an element with a capital letter, which is a component.
fn component<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = walk.field(node, Field::Name) {
        let last = walk.text_of(name).rsplit('.').next().unwrap_or_default();
        if last.starts_with(char::is_uppercase) {
            walk.named_use(ReferenceKind::Call, name);
        }
    }
}

pub(super) fn unquoted(text: &str) -> &str {
    let pairs = ['"', '\'', '`'].into_iter();
    let mut inner = pairs.filter_map(|sign| text.strip_prefix(sign)?.strip_suffix(sign));
    inner.next().unwrap_or(text)
}

#[cfg(test)]
mod tests;
