//! Finds the mentions of a name in a parsed text.

use std::collections::HashMap;

use loom_base::ByteSpan;
use tree_sitter::Node;

use super::bind::{Binding, bindings, is_child};
use super::path::path_to_leaf;
use super::tables::{Table, table};
use super::{Mention, Role, by_text, receiver, whole_words};

/// Maximum number of occurrences for which the syntax is used. A text with more is generated, or
/// the name is too common.
const MOST: usize = 5000;

/// Nodes whose text is not code.
const TEXT_NODES: &[&str] = &[
    "comment",
    "string",
    "heredoc",
    "char_literal",
    "regex",
    "jsx_text",
];

pub(super) fn mentions(
    root: Node<'_>,
    id: &str,
    text: &str,
    name: &str,
    places: &[usize],
) -> Vec<Mention> {
    if places.len() > MOST {
        return places.iter().map(|at| by_text(text, *at, name)).collect();
    }
    let mut file = File {
        root,
        id,
        text,
        table: table(id),
        bound: HashMap::new(),
    };
    let bound = file.bindings(name, places);
    let found = places
        .iter()
        .filter_map(|at| file.mention(*at, name, &bound));
    found.collect::<Vec<_>>()
}

/// Parsed text with a cache of bindings.
pub(super) struct File<'t> {
    pub(super) root: Node<'t>,
    pub(super) id: &'t str,
    pub(super) text: &'t str,
    table: Option<&'static Table>,
    bound: HashMap<String, Vec<Binding<'t>>>,
}

impl<'t> File<'t> {
    fn bindings(&self, name: &str, places: &[usize]) -> Vec<Binding<'t>> {
        let Some(table) = self.table else {
            return Vec::new();
        };
        let paths = places
            .iter()
            .filter_map(|at| path_to_leaf(self.root, *at, name.len()));
        bindings(table, self.text, paths)
    }

    /// Returns the innermost binding of a name at a position.
    pub(super) fn binding(&mut self, name: &str, at: usize) -> Option<Binding<'t>> {
        if !self.bound.contains_key(name) {
            let places = whole_words(self.text, name);
            let found = match places.len() {
                0..=MOST => self.bindings(name, &places),
                _ => Vec::new(),
            };
            self.bound.insert(name.to_owned(), found);
        }
        innermost(self.bound.get(name)?, at).copied()
    }

    fn mention(&mut self, at: usize, name: &str, bound: &[Binding<'t>]) -> Option<Mention> {
        let path = path_to_leaf(self.root, at, name.len())?;
        if is_outside_code(&path) {
            return None;
        }
        let (&leaf, around) = path.split_last()?;
        let parent = around.last().copied();
        let mut one = Mention {
            span: ByteSpan::new(at, at + name.len()),
            ..by_text(self.text, at, name)
        };
        if one.role == Role::Member {
            let value = one.qualifier.as_deref().filter(|text| is_name(text));
            let bound = value.and_then(|value| self.binding(value, at));
            one.receiver = bound.and_then(|bound| receiver::type_of_variable(self, &bound));
            one.is_of_variable = bound.is_some_and(|bound| !bound.is_outermost);
            return Some(one);
        }
        one.is_key = self.is_key(around, leaf);
        if one.is_key {
            one.qualifier = literal_type(around, self.text);
        }
        let is_shorthand = leaf.kind().starts_with("shorthand")
            || parent.is_some_and(|parent| parent.kind().starts_with("shorthand"));
        let local = innermost(bound, at).filter(|one| !one.is_outermost);
        one.bound_at = local.map(|one| one.at);
        one.role = match local {
            Some(_) if !one.is_key || is_shorthand => Role::Local,
            _ if one.is_key && !is_shorthand => Role::Key,
            // A variable of PHP has a sign before its name, a function has none.
            _ if parent.is_some_and(|parent| parent.kind() == "variable_name") => Role::Local,
            _ => Role::Free,
        };
        Some(one)
    }

    fn is_key(&self, around: &[Node<'t>], leaf: Node<'t>) -> bool {
        let Some((&parent, around)) = around.split_last() else {
            return false;
        };
        let shorthand = [
            "shorthand_property_identifier",
            "shorthand_field_initializer",
        ];
        if shorthand.contains(&leaf.kind()) || shorthand.contains(&parent.kind()) {
            return true;
        }
        if parent.kind() == "jsx_attribute" {
            return true;
        }
        let around = around.last().copied();
        let rows = self.table.map_or(&[][..], |table| table.keys);
        let is_row = |(kind, field): &&(&str, &str)| {
            let direct = parent.kind() == *kind && is_child(parent, leaf, field);
            // An element of Go is a node around the name.
            let wrapped = parent.named_child_count() == 1
                && around.is_some_and(|around| {
                    around.kind() == *kind && !field.is_empty() && is_child(around, parent, field)
                });
            direct || wrapped
        };
        rows.iter().any(|row| is_row(&row))
    }
}

/// Returns the binding with the smallest scope around a position.
fn innermost<'a, 't>(bound: &'a [Binding<'t>], at: usize) -> Option<&'a Binding<'t>> {
    let seen = bound
        .iter()
        .filter(|one| one.at == at || (one.from <= at && at < one.end));
    seen.min_by_key(|one| (one.end - one.start, usize::MAX - one.at))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '_' || c.is_alphanumeric())
}

fn is_outside_code(path: &[Node<'_>]) -> bool {
    let is_text = |kind: &str| TEXT_NODES.iter().any(|part| kind.contains(part));
    let is_inside = |kind: &str| kind.contains("interpolation") || kind.contains("substitution");
    // The parts of a string are near their end of the path.
    for node in path.iter().rev().take(4) {
        let kind = node.kind();
        if is_inside(kind) {
            return false;
        }
        if is_text(kind) && !kind.contains("identifier") {
            return true;
        }
    }
    false
}

/// Returns the type of a literal with keys.
fn literal_type(around: &[Node<'_>], text: &str) -> Option<String> {
    for node in around.iter().rev().take(5) {
        let field = match node.kind() {
            "struct_expression" => "name",
            "struct_pattern" | "composite_literal" => "type",
            _ => continue,
        };
        let kind = node.child_by_field_name(field)?;
        return receiver::type_name(text.get(kind.byte_range())?);
    }
    None
}
