//! Finds the names that a part of a text binds, and their scopes.

use tree_sitter::Node;

use super::tables::Table;

/// Fields that do not contain a bound name.
const VALUES: &[&str] = &[
    "type",
    "value",
    "right",
    "condition",
    "default_value",
    "size",
    "bounds",
    "constraint",
    "body",
    "key",
];

/// Binding of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding<'t> {
    /// Position of the bound name.
    pub(super) at: usize,
    /// Node that binds the name.
    pub(super) binder: Node<'t>,
    /// Parent of that node.
    pub(super) around: Option<Node<'t>>,
    /// Scope of the name.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Position from which the name is visible.
    pub(super) from: usize,
    /// True if the whole text is the scope.
    pub(super) is_outermost: bool,
}

/// Returns the bindings among some names, each given by the path to it.
pub(super) fn bindings<'t>(
    table: &Table,
    text: &str,
    paths: impl Iterator<Item = Vec<Node<'t>>>,
) -> Vec<Binding<'t>> {
    let found = paths.filter_map(|path| {
        let leaf = *path.last()?;
        scope_of(table, leaf, binder(table, text, &path)?)
    });
    found.collect()
}

/// Returns whether a node is the child of that field; without a field, any child that is not a
/// value.
pub(super) fn is_child(parent: Node<'_>, child: Node<'_>, field: &str) -> bool {
    let is_in = |field: &str| {
        let mut cursor = parent.walk();
        let mut children = parent.children_by_field_name(field, &mut cursor);
        children.any(|one| one.id() == child.id())
    };
    match field.is_empty() {
        false => is_in(field),
        true => !VALUES.iter().any(|field| is_in(field)),
    }
}

/// Returns the path to the node that binds a name.
fn binder<'p, 't>(table: &Table, text: &str, path: &'p [Node<'t>]) -> Option<&'p [Node<'t>]> {
    let leaf = *path.last()?;
    // Patterns are flat; real code is not nested deeper.
    for at in (1..path.len()).rev().take(12) {
        let (parent, node) = (path[at - 1], path[at]);
        let fits = |rows: &[(&str, &str)]| {
            let mut rows = rows.iter().filter(|(kind, _)| *kind == parent.kind());
            rows.any(|(_, field)| is_child(parent, node, field))
        };
        if fits(table.binders) {
            return Some(&path[..at]).filter(|binder| can_be_bound(text, leaf, binder));
        }
        if !fits(table.inside) {
            return None;
        }
    }
    None
}

/// Returns whether a name in a pattern is bound: not a compared value, and not the type of a
/// binding.
fn can_be_bound(text: &str, leaf: Node<'_>, path: &[Node<'_>]) -> bool {
    let Some((binder, around)) = path.split_last() else {
        return false;
    };
    let name = text.get(leaf.byte_range()).unwrap_or_default();
    let kind = binder.kind();
    let is_pattern = matches!(kind, "match_pattern" | "let_condition" | "case_clause");
    let is_compared = is_pattern && name.starts_with(char::is_uppercase);
    let is_type = leaf.kind() == "type_identifier"
        && !kind.contains("type_parameter")
        && !matches!(kind, "infer_type" | "mapped_type_clause");
    let is_second = kind == "enumerator" && binder.named_child(0) != Some(leaf);
    !is_compared && !is_type && !is_second && !is_of_outside(text, name, *binder, around)
}

/// Returns whether a Python function declares a name as `global` or `nonlocal`, so that an
/// assignment does not bind it.
fn is_of_outside(text: &str, name: &str, binder: Node<'_>, around: &[Node<'_>]) -> bool {
    if !matches!(
        binder.kind(),
        "assignment" | "augmented_assignment" | "for_statement"
    ) {
        return false;
    }
    let mut around = around.iter().rev();
    let function = around.find(|node| node.kind() == "function_definition");
    let body = function.and_then(|function| function.child_by_field_name("body"));
    let Some(body) = body else {
        return false;
    };
    let words = text.get(body.byte_range()).unwrap_or_default();
    (words.contains("global ") || words.contains("nonlocal ")) && declares_outside(text, name, body)
}

/// Returns whether such a declaration is below a node, but not in a nested function.
fn declares_outside(text: &str, name: &str, node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .any(|child| match child.kind() {
            "global_statement" | "nonlocal_statement" => {
                let mut names = child.walk();
                child
                    .named_children(&mut names)
                    .any(|one| text.get(one.byte_range()) == Some(name))
            }
            "function_definition" | "class_definition" | "lambda" => false,
            kind if kind.ends_with("statement") || kind.ends_with("clause") || kind == "block" => {
                declares_outside(text, name, child)
            }
            _ => false,
        })
}

fn scope_of<'t>(table: &Table, leaf: Node<'t>, path: &[Node<'t>]) -> Option<Binding<'t>> {
    let (&binder, around_binder) = path.split_last()?;
    let mut scope = None;
    let is_scope = |node: &Node<'_>| table.scopes.contains(&node.kind());
    // A declaration of C is a scope for the parameters of a function, but not for the declared
    // name.
    let is_own = |node: &Node<'_>| is_scope(node) && node.kind() != "declaration";
    let mut open = if is_own(&binder) { path } else { around_binder };
    while let Some((&node, outside)) = open.split_last() {
        if table.ends.contains(&node.kind()) || is_module(node, outside.last()) {
            break;
        }
        if is_scope(&node) {
            scope = Some(node);
            break;
        }
        open = outside;
    }
    let around = scope.or(open.last().copied()).unwrap_or(binder);
    let (start, end) = match scope {
        Some(scope) => (scope.start_byte(), scope.end_byte()),
        None => (0, usize::MAX),
    };
    let is_head = binder.kind().contains("parameter");
    let from = match table.is_ordered && scope.is_some() && !is_head {
        // A loop binds in its head, a statement after its end.
        true if is_scope(&binder) || around.id() == binder.id() => leaf.end_byte(),
        true => binder.end_byte(),
        false => start,
    };
    Some(Binding {
        at: leaf.start_byte(),
        binder,
        around: around_binder.last().copied(),
        start,
        end,
        from,
        is_outermost: scope.is_none(),
    })
}

/// Returns whether a node is the body of a namespace, whose names are visible outside.
fn is_module(node: Node<'_>, around: Option<&Node<'_>>) -> bool {
    let is_namespace = |node: &Node<'_>| matches!(node.kind(), "internal_module" | "module");
    node.kind() == "statement_block" && around.is_some_and(is_namespace)
}
