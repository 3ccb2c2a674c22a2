//! Finds the type of a variable in the text: from its declaration, or from the expression that it
//! is bound to. The inference has a single step.

use tree_sitter::Node;

use super::bind::Binding;
use super::path::path;
use super::tree::File;

/// Generic types that represent their argument.
const WRAPPERS: &[&str] = &[
    "Optional",
    "Box",
    "Rc",
    "Arc",
    "RefCell",
    "Annotated",
    "Final",
    "ClassVar",
    "Readonly",
    "Partial",
    "unique_ptr",
    "shared_ptr",
    "Ref",
    "RefMut",
    "MutexGuard",
];

/// Associated functions of Rust types that usually return the type.
const MAKERS: &[&str] = &["new", "default", "from", "open", "create", "builder"];

/// Returns the type of a variable.
pub(super) fn type_of_variable(file: &File<'_>, binding: &Binding<'_>) -> Option<String> {
    declared(file, binding).or_else(|| constructed(file, binding))
}

fn declared(file: &File<'_>, binding: &Binding<'_>) -> Option<String> {
    for node in path(file.root, binding.at, 1).into_iter().rev() {
        if let Some(kind) = type_of(node) {
            return type_name(file.text.get(kind.byte_range())?);
        }
        if node.id() == binding.binder.id() {
            break;
        }
    }
    let around = binding.around?;
    let is_declaration = around.kind().ends_with("variable_declaration");
    let kind = type_of(around).filter(|_| is_declaration)?;
    type_name(file.text.get(kind.byte_range())?)
}

fn type_of(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("type").or_else(|| {
        let mut cursor = node.walk();
        let mut children = node.named_children(&mut cursor);
        children.find(|child| {
            matches!(
                child.kind(),
                "user_type" | "type_annotation" | "nullable_type"
            )
        })
    })
}

fn constructed(file: &File<'_>, binding: &Binding<'_>) -> Option<String> {
    let fields = ["value", "right"].iter();
    let value = fields
        .filter_map(|field| binding.binder.child_by_field_name(field))
        .next()?;
    // If there are several values, the first one matters: `x, err := …`.
    let value = match value.kind() {
        "expression_list" => value.named_child(0)?,
        _ => value,
    };
    constructed_type(file.id, file.text.get(value.byte_range())?)
}

/// Returns the name of a type from its declaration.
pub(super) fn type_name(text: &str) -> Option<String> {
    let mut text = text.trim_matches(|c: char| c.is_whitespace() || ":\"'".contains(c));
    let heads = [
        "&",
        "*",
        "const ",
        "mut ",
        "dyn ",
        "impl ",
        "readonly ",
        "struct ",
        "final ",
    ];
    loop {
        let before = text;
        for head in heads {
            text = text.strip_prefix(head).unwrap_or(text).trim_start();
        }
        // Skip a lifetime.
        if let Some(rest) = text.strip_prefix('\'') {
            text = rest.split_once(' ').map_or(rest, |(_, rest)| rest);
        }
        if before == text {
            break;
        }
    }
    let nothing = ["None", "null", "undefined"];
    let mut either = text.split('|').map(str::trim);
    let text = either.find(|part| !nothing.contains(part))?;
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':')))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    if WRAPPERS.contains(&last) && rest.starts_with(['<', '[']) {
        let inner = &rest[1..];
        return type_name(inner.split([',', ']', '>', '[']).next()?);
    }
    // A list does not have the type of its elements.
    let is_list = rest.starts_with("[]") || name.is_empty();
    (!is_list && last.starts_with(|c: char| c.is_alphabetic() || c == '_')).then(|| name.to_owned())
}

/// Returns the type that an expression constructs: `Foo(…)`, `new Foo(…)`, `Foo{…}`, `Foo::new(…)`.
fn constructed_type(id: &str, text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_prefix("await ").unwrap_or(text);
    let text = text.strip_prefix('&').unwrap_or(text).trim_start();
    let (text, is_new) = match text.strip_prefix("new ") {
        Some(rest) => (rest.trim_start(), true),
        None => (text, false),
    };
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':')))?;
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start();
    if !is_new && !is_whole(rest) {
        return None;
    }
    let last = name.rsplit(['.', ':']).next()?;
    let is_type = last.starts_with(char::is_uppercase);
    let is_call = rest.starts_with('(');
    match id {
        _ if is_new => Some(name.to_owned()),
        "go" if is_call => {
            let made = last
                .strip_prefix("New")
                .filter(|made| made.starts_with(char::is_uppercase))?;
            Some(format!("{}{made}", &name[..name.len() - last.len()]))
        }
        "rust" if is_call => {
            let owner = name.strip_suffix(last)?.strip_suffix("::")?;
            let is_maker =
                MAKERS.contains(&last) || last.starts_with("new_") || last.starts_with("with_");
            is_maker.then(|| owner.to_owned())
        }
        "javascript" | "jsx" | "typescript" | "tsx" => None,
        _ => is_type.then(|| name.to_owned()),
    }
}

/// Returns whether brackets at the start of a text close at its end, except for a question mark.
fn is_whole(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return matches!(&text[at + c.len_utf8()..], "" | "?" | "!");
        }
    }
    false
}
