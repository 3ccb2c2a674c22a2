//! Collects facts about a syntax tree for compression in one pass: newlines inside strings, and the
//! nodes of bodies, literals and blocks of statements.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::docstrings::{Docstring, docstring_of};
use super::hidden::hidden_comments;
use crate::grammar::Spec;
use crate::{Limits, Structure, SymbolKind};

/// Facts about a syntax tree.
pub(super) struct TreeFacts<'t> {
    /// Strings and other texts of several lines, in order.
    pub(super) protected: Vec<Range<usize>>,
    /// Bodies of functions, with their symbols.
    pub(super) bodies: Vec<(usize, Node<'t>)>,
    /// Data literals of several lines.
    pub(super) literals: Vec<Node<'t>>,
    /// Nodes that contain statements and definitions: the file, and bodies of types.
    pub(super) blocks: Vec<Node<'t>>,
    /// Strings that document the enclosing definition.
    pub(super) docstrings: Vec<Docstring>,
    /// Comments that the walk for symbols does not visit, in order.
    pub(super) comments: Vec<Range<usize>>,
}

/// Role of a kind of node for compression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Text,
    Literal,
    Comment,
    Other,
}

/// Collects the facts of the whole tree.
pub(super) fn collect<'t>(
    root: Node<'t>,
    spec: &Spec,
    text: &str,
    structure: &Structure,
    limits: &Limits,
) -> TreeFacts<'t> {
    let classes = classes(root, spec);
    let is_recorded = |start: usize| {
        let comments = &structure.comments;
        comments
            .binary_search_by_key(&start, |one| one.start)
            .is_ok()
    };
    let mut open = PendingBodies::new(structure);
    let mut facts = TreeFacts {
        protected: Vec::new(),
        bodies: Vec::new(),
        literals: Vec::new(),
        blocks: vec![root],
        docstrings: Vec::new(),
        comments: Vec::new(),
    };
    let mut cursor = root.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let is_long = node.end_position().row > node.start_position().row;
        let mut enter = (is_long || depth == 0) && depth < limits.depth;
        facts.docstrings.extend(docstring_of(spec.id, node));
        facts.comments.extend(hidden_comments(spec.id, node, text));
        let class = classes.get(usize::from(node.kind_id())).copied();
        let class = class.unwrap_or(Class::Text);
        let is_program_line = node.start_byte() == 0 && text.starts_with("#!");
        if class == Class::Comment && !is_recorded(node.start_byte()) && !is_program_line {
            facts.comments.push(node.byte_range());
        }
        if is_long {
            open.take(node, structure, &mut facts);
            match class {
                Class::Text => facts.protect(node),
                Class::Literal => facts.literals.push(node),
                Class::Comment => enter = false,
                Class::Other if node.child_count() == 0 => facts.protect(node),
                Class::Other => {}
            }
        }
        if enter && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                facts.comments.sort_by_key(|range| range.start);
                return facts;
            }
            depth -= 1;
        }
    }
}

impl TreeFacts<'_> {
    /// Returns the spans of the literals.
    pub(super) fn literal_spans(&self) -> Vec<Range<usize>> {
        self.literals.iter().map(Node::byte_range).collect()
    }

    fn protect(&mut self, node: Node<'_>) {
        let span = node.byte_range();
        // Parts of a string are inside the string.
        if self.protected.last().is_none_or(|last| last.end < span.end) {
            self.protected.push(span);
        }
    }
}

thread_local! {
    /// Roles of node kinds by grammar, cached: computing them takes longer than parsing a short
    /// file.
    static CLASSES: RefCell<HashMap<&'static str, Rc<[Class]>>> = RefCell::default();
}

fn classes(root: Node<'_>, spec: &Spec) -> Rc<[Class]> {
    CLASSES.with_borrow_mut(|known| {
        let found = known.entry(spec.id);
        Rc::clone(found.or_insert_with(|| classes_of(&root.language(), spec)))
    })
}

fn classes_of(language: &tree_sitter::Language, spec: &Spec) -> Rc<[Class]> {
    let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
    let class = |id: u16| {
        let name = language.node_kind_for_id(id).unwrap_or_default();
        match name {
            _ if !language.node_kind_is_named(id) => Class::Other,
            "ERROR" => Class::Text,
            _ if spec.literals.contains(&name) => Class::Literal,
            _ if name.contains("comment") || name == "marginalia" => Class::Comment,
            _ if is_text(name) => Class::Text,
            _ => Class::Other,
        }
    };
    (0..count).map(class).collect()
}

/// Returns whether a kind of node is text whose white space matters.
fn is_text(name: &str) -> bool {
    let parts = [
        "string",
        "template_s",
        "heredoc",
        "nowdoc",
        "scalar",
        "raw_text",
        "str_text",
        "str_lit",
        "xml_",
        "code_block",
        "html_block",
        "front",
        "metadata",
        "regex",
        "char",
    ];
    parts.iter().any(|part| name.contains(part))
        || matches!(name, "text" | "jsx_text" | "literal" | "text_interpolation")
}

/// Bodies that were not visited yet, by their ends.
struct PendingBodies(HashMap<usize, Vec<usize>>);

impl PendingBodies {
    fn new(structure: &Structure) -> Self {
        let mut open: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, symbol) in structure.symbols.iter().enumerate() {
            if let Some(body) = symbol.body.filter(|_| symbol.language.is_none()) {
                open.entry(body.end).or_default().push(at);
            }
        }
        Self(open)
    }

    /// Records the node as the body of a symbol, if it is the first one in the body's span.
    fn take<'t>(&mut self, node: Node<'t>, structure: &Structure, facts: &mut TreeFacts<'t>) {
        let Some(waiting) = self.0.get_mut(&node.end_byte()) else {
            return;
        };
        let is_in = |at: &usize| {
            let body = structure.symbols[*at].body;
            body.is_some_and(|body| body.start <= node.start_byte())
        };
        let mut first = true;
        for at in waiting.extract_if(.., |at| is_in(at)) {
            let kind = structure.symbols[at].kind;
            if !first {
                continue;
            }
            first = false;
            match is_run(kind) {
                true => facts.bodies.push((at, node)),
                false => facts.blocks.push(node),
            }
        }
    }
}

/// Returns whether a symbol of that kind has a body of code or of declarations.
fn is_run(kind: SymbolKind) -> bool {
    kind.is_function()
        || matches!(
            kind,
            SymbolKind::Test | SymbolKind::Property | SymbolKind::Selector
        )
}
