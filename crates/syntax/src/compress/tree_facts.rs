//! One pass over a tree for what compressing needs to know about it: where line ends
//! are part of a string, and the nodes of bodies, literals and blocks of statements.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::docstrings::{Docstring, docstring_of};
use super::hidden::hidden_comments;
use crate::grammar::Spec;
use crate::{Limits, Structure, SymbolKind};

/// What a tree shows.
pub(super) struct Look<'t> {
    /// Strings and other text of several lines, in order.
    pub(super) protected: Vec<Range<usize>>,
    /// Bodies of functions, with their symbols.
    pub(super) bodies: Vec<(usize, Node<'t>)>,
    /// Data literals of several lines.
    pub(super) literals: Vec<Node<'t>>,
    /// Where statements and definitions stand: the file, and bodies of types.
    pub(super) blocks: Vec<Node<'t>>,
    /// Strings that document what they stand in.
    pub(super) docstrings: Vec<Docstring>,
    /// Comments that the walk for symbols passes over, in order.
    pub(super) comments: Vec<Range<usize>>,
}

/// What a kind of node is to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Text,
    Literal,
    Comment,
    Other,
}

/// Looks at the whole tree.
pub(super) fn look<'t>(
    root: Node<'t>,
    spec: &Spec,
    text: &str,
    structure: &Structure,
    limits: &Limits,
) -> Look<'t> {
    let classes = classes(root, spec);
    let is_recorded = |start: usize| {
        let comments = &structure.comments;
        comments
            .binary_search_by_key(&start, |one| one.start)
            .is_ok()
    };
    let mut open = Open::of(structure);
    let mut look = Look {
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
        look.docstrings.extend(docstring_of(spec.id, node));
        look.comments.extend(hidden_comments(spec.id, node, text));
        let class = classes.get(usize::from(node.kind_id())).copied();
        let class = class.unwrap_or(Class::Text);
        let is_program_line = node.start_byte() == 0 && text.starts_with("#!");
        if class == Class::Comment && !is_recorded(node.start_byte()) && !is_program_line {
            look.comments.push(node.byte_range());
        }
        if is_long {
            open.take(node, structure, &mut look);
            match class {
                Class::Text => look.protect(node),
                Class::Literal => look.literals.push(node),
                Class::Comment => enter = false,
                Class::Other if node.child_count() == 0 => look.protect(node),
                Class::Other => {}
            }
        }
        if enter && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                look.comments.sort_by_key(|range| range.start);
                return look;
            }
            depth -= 1;
        }
    }
}

impl Look<'_> {
    /// Where the literals stand.
    pub(super) fn literal_spans(&self) -> Vec<Range<usize>> {
        self.literals.iter().map(Node::byte_range).collect()
    }

    fn protect(&mut self, node: Node<'_>) {
        let span = node.byte_range();
        // Parts of a string lie in the string.
        if self.protected.last().is_none_or(|last| last.end < span.end) {
            self.protected.push(span);
        }
    }
}

thread_local! {
    /// The classes of the grammars that were used: to find them takes longer than to
    /// parse a short file.
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

/// Whether a kind of node is text whose white space counts.
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

/// The bodies that were not met yet, by where they end.
struct Open(HashMap<usize, Vec<usize>>);

impl Open {
    fn of(structure: &Structure) -> Self {
        let mut open: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, symbol) in structure.symbols.iter().enumerate() {
            if let Some(body) = symbol.body.filter(|_| symbol.language.is_none()) {
                open.entry(body.end).or_default().push(at);
            }
        }
        Self(open)
    }

    /// Takes the node for the body of a symbol, where it is the first in it.
    fn take<'t>(&mut self, node: Node<'t>, structure: &Structure, look: &mut Look<'t>) {
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
                true => look.bodies.push((at, node)),
                false => look.blocks.push(node),
            }
        }
    }
}

/// Whether a symbol of that kind has a body of code or of declarations that say how.
fn is_run(kind: SymbolKind) -> bool {
    kind.is_function()
        || matches!(
            kind,
            SymbolKind::Test | SymbolKind::Property | SymbolKind::Selector
        )
}
