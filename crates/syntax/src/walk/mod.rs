//! One pass over a syntax tree with a cursor, which uses no stack for deep trees. It keeps the open
//! symbols and passes each node to the table of its language, which defines the meaning of nodes.

mod definition;
mod lead;
mod locals;
mod members;
mod nodes;
mod scopes;
mod uses;

use std::collections::{HashMap, HashSet};

use loom_base::{ByteSpan, LineSpan};
use tree_sitter::{Node, TreeCursor};

use crate::embedded::Region;
use crate::grammar::{Field, Prepared, Rule, Spec};
use crate::limits::Limits;
use crate::signature::signature;
use crate::{Finding, FindingKind, ReferenceKind, Structure, Symbol, SymbolKind, Visibility};

pub(crate) use definition::Definition;
use lead::{Lead, Wrapper};
use members::Members;
use scopes::Scope;
pub(crate) use uses::type_parameter;

/// Kind of a node for text outside of the grammar.
const ERROR: u16 = u16::MAX;

/// State of one pass.
pub(crate) struct Walk<'t> {
    pub(crate) text: &'t str,
    pub(crate) found: Structure,
    /// Identifier of the language, because several may share a table.
    pub(crate) id: &'static str,
    spec: &'static Spec,
    prepared: &'t Prepared,
    scopes: Vec<Scope>,
    depth: usize,
    lead: Option<Lead>,
    wrapper: Option<Wrapper>,
    /// Start of the name of the last symbol, so that the name is not added as a reference.
    last_name: usize,
    skip: bool,
    /// Names that the file exports in a separate list.
    exported: Vec<String>,
    regions: Vec<Region>,
    /// Names that are already bound, with their enclosing symbols.
    bound: HashSet<(Option<usize>, &'t str)>,
    members: Members,
    /// Nodes around the visited one. tree-sitter finds parents and siblings from the root, which
    /// takes time that grows with the depth or the number of siblings.
    open: Vec<OpenNode<'t>>,
}

/// Node whose children are visited.
struct OpenNode<'t> {
    node: Node<'t>,
    /// Named child that was visited last.
    before: Option<Node<'t>>,
}

impl<'t> Walk<'t> {
    pub(crate) fn new(
        text: &'t str,
        id: &'static str,
        spec: &'static Spec,
        prepared: &'t Prepared,
    ) -> Self {
        Self {
            text,
            found: Structure::default(),
            id,
            spec,
            prepared,
            scopes: Vec::new(),
            depth: 0,
            lead: None,
            wrapper: None,
            last_name: usize::MAX,
            skip: false,
            exported: Vec::new(),
            regions: Vec::new(),
            bound: HashSet::new(),
            members: Members::default(),
            open: Vec::new(),
        }
    }

    /// Walks the whole tree. Returns its structure, and the parts in other languages.
    pub(crate) fn run(mut self, root: Node<'t>, limits: &Limits) -> (Structure, Vec<Region>) {
        let mut cursor = root.walk();
        let mut is_cut = false;
        let mut error_line = None;
        loop {
            let node = cursor.node();
            let kind = node.kind_id();
            if let Some(rule) = self.prepared.rule(kind) {
                self.apply(rule, node);
            } else if kind == ERROR && error_line.is_none() {
                error_line = Some(line_of(node));
            }
            let is_deep = self.depth >= limits.depth;
            is_cut |= is_deep;
            if !self.skip && !is_deep && cursor.goto_first_child() {
                self.depth += 1;
                self.open.push(OpenNode { node, before: None });
                continue;
            }
            self.skip = false;
            if !self.leave(&mut cursor) {
                break;
            }
        }
        if root.has_error() {
            self.finding(FindingKind::Broken, error_line);
        }
        if is_cut {
            self.finding(FindingKind::TooDeep, None);
        }
        self.adopt();
        self.publish_exports();
        (self.found, self.regions)
    }

    /// Moves to the next node that is not inside this one.
    fn leave(&mut self, cursor: &mut TreeCursor<'t>) -> bool {
        loop {
            while self
                .scopes
                .last()
                .is_some_and(|scope| scope.depth >= self.depth)
            {
                self.scopes.pop();
            }
            if self
                .wrapper
                .is_some_and(|wrapper| wrapper.depth >= self.depth)
            {
                self.wrapper = None;
            }
            let node = cursor.node();
            if cursor.goto_next_sibling() {
                if let Some(open) = self.open.last_mut().filter(|_| node.is_named()) {
                    open.before = Some(node);
                }
                return true;
            }
            if !cursor.goto_parent() {
                return false;
            }
            self.depth -= 1;
            self.open.pop();
        }
    }

    fn apply(&mut self, rule: Rule, node: Node<'t>) {
        match rule {
            Rule::Symbol(kind) => self.named_symbol(kind, node),
            Rule::Function => {
                let kind = if self.is_in_type() {
                    SymbolKind::Method
                } else {
                    SymbolKind::Function
                };
                self.named_symbol(kind, node);
            }
            Rule::Local => self.open_local(),
            Rule::Branch => self.branch(),
            Rule::Call(field) => {
                if let Some(callee) = self.field(node, field) {
                    self.call(callee);
                }
            }
            Rule::TypeName => self.reference(ReferenceKind::Type, node, None),
            Rule::Comment => self.comment(node),
            Rule::Attribute => self.attribute(node),
            Rule::Wrapper => self.wrap(node),
            Rule::Skip => self.skip = true,
            Rule::Custom(act) => act(self, node),
        }
    }

    /// Returns the nodes around the visited one, innermost first.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = Node<'t>> {
        self.open.iter().rev().map(|open| open.node)
    }

    /// Returns the previous named sibling of the visited node.
    pub(crate) fn before(&self) -> Option<Node<'t>> {
        self.open.last()?.before
    }

    fn named_symbol(&mut self, kind: SymbolKind, node: Node<'t>) {
        if let Some(name) = self.field(node, Field::Name) {
            let body = self.field(node, Field::Body);
            self.define(Definition::new(kind, node, name).body(body));
        }
    }

    /// Adds a symbol and opens it for the nodes inside the visited one.
    pub(crate) fn define(&mut self, new: Definition<'t>) {
        let depth = self.depth;
        if new.is_of_type {
            let outer = self.enclosing().next().map(|scope| scope.depth);
            self.depth = outer.unwrap_or(depth);
        }
        let mut symbol = self.symbol(&new);
        self.depth = depth;
        // Its text is inside the constructor and stays part of it.
        symbol.parent = self.parent();
        if symbol.name.is_empty() {
            return;
        }
        self.last_name = symbol.name_span.start;
        let at = self.found.symbols.len();
        let name = match new.owner {
            Some(owner) => format!("{owner}{}{}", self.spec.separator, symbol.name),
            None => symbol.name.clone(),
        };
        self.found.symbols.push(symbol);
        if !new.is_leaf {
            self.scopes.push(Scope {
                depth: self.depth,
                name,
                symbol: Some(at),
                kind: Some(new.kind),
                access: None,
            });
        }
    }

    fn symbol(&self, new: &Definition<'t>) -> Symbol {
        let name = match &new.name {
            Some(name) => name.clone(),
            None => self.text_of(new.name_node).to_owned(),
        };
        let name_span = span_of(new.name_node);
        let outer = if new.is_alone {
            span_of(new.node)
        } else {
            self.outer(new.node)
        };
        let (start, line) = self.after_annotations(new.node, outer.start);
        let (end, last) = self.end_of(new.kind, new.node, outer);
        let signature_end = new.body.map_or(outer.end, |body| body.start).max(start);
        let lead = self.lead_before(outer.start);
        let first_attribute = lead.and_then(|lead| lead.first_attribute);
        let head = self.slice(first_attribute.unwrap_or(outer.start), name_span.start);
        let modifiers = self.slice(outer.start, name_span.start);
        let visibility = new.visibility;
        let mut symbol = Symbol {
            kind: new.kind,
            qualified: self.qualified(new.owner.as_deref(), &name),
            signature: signature(self.slice(start, signature_end)),
            doc: new.doc.clone().or_else(|| self.doc_in(lead)),
            visibility: visibility
                .unwrap_or_else(|| (self.spec.visibility)(self, new.kind, &name, modifiers)),
            span: ByteSpan::new(start, end),
            lines: LineSpan::new(line, last),
            lead: lead.map_or(outer.start, |lead| lead.start),
            name_span,
            name_line: line_of(new.name_node),
            body: new.body,
            parent: self.parent(),
            complexity: new.kind.is_function().then_some(1),
            is_test: new.is_test,
            language: None,
            name,
        };
        // In `typedef struct { … } name`, the name follows the body.
        if symbol.signature.starts_with("typedef") && !symbol.signature.contains(&symbol.name) {
            symbol.signature.push(' ');
            symbol.signature.push_str(&symbol.name);
        }
        symbol.is_test |= (self.spec.is_test)(self, &symbol, head);
        symbol
    }

    /// Returns the end of a definition and its line, without blank lines that a grammar includes. A
    /// section extends to the next one.
    fn end_of(&self, kind: SymbolKind, node: Node<'t>, outer: ByteSpan) -> (usize, usize) {
        if kind != SymbolKind::Section
            && let Some(before) = self.before_comments(node)
        {
            return (before.end_byte(), last_line(before));
        }
        let last = last_line(node);
        let text = self.slice(outer.start, outer.end);
        if kind == SymbolKind::Section || !text.ends_with(char::is_whitespace) {
            return (outer.end, last);
        }
        let trimmed = text.trim_end();
        let is_before_text = node.end_position().column == 0;
        let blank = text[trimmed.len()..].matches('\n').count();
        let blank = blank.saturating_sub(usize::from(is_before_text));
        let first = line_of(node);
        let end = outer.start + trimmed.len();
        (end, last.saturating_sub(blank).max(first))
    }

    /// Returns the last node of a definition before the comment of the next definition, which some
    /// grammars include although a blank line separates it.
    fn before_comments(&self, node: Node<'t>) -> Option<Node<'t>> {
        let text = self.text_of(node);
        let last = text[text.trim_end().rfind('\n')?..].trim_start();
        if !last.starts_with(['/', '*', '#', '-']) {
            return None;
        }
        let is_comment = |one: &Node<'t>| {
            matches!(self.prepared.rule(one.kind_id()), Some(Rule::Comment))
                && one.start_position().column <= node.start_position().column
        };
        let mut around = node;
        loop {
            let last = around.child(around.child_count().checked_sub(1)?)?;
            if is_comment(&last) {
                break;
            }
            around = last;
        }
        let mut cursor = around.walk();
        let children: Vec<_> = around.children(&mut cursor).collect();
        let mut end = None;
        for (before, comment) in children.iter().zip(children.iter().skip(1)).rev() {
            let between = self.slice(before.end_byte(), comment.start_byte());
            let is_parted =
                between.matches('\n').count() > 1 || self.text_of(*before).ends_with('\n');
            end = if is_parted { Some(*before) } else { end };
            if !is_comment(before) {
                break;
            }
        }
        end
    }

    /// Records that the file exports that name.
    pub(crate) fn export(&mut self, name: &str) {
        self.exported.push(name.to_owned());
    }

    /// Records that the file exports that name as its default.
    pub(crate) fn export_as_default(&mut self, name: &str) {
        self.found.default = Some(name.to_owned());
    }

    /// Records that the node is in another language.
    pub(crate) fn embed(&mut self, language: &'static str, node: Node<'t>) {
        let span = span_of(node);
        self.regions.push(Region { language, span });
    }

    /// Skips the nodes inside the visited one.
    pub(crate) fn skip(&mut self) {
        self.skip = true;
    }

    pub(crate) fn finding(&mut self, kind: FindingKind, line: Option<usize>) {
        self.found.findings.push(Finding { kind, line });
    }

    /// Makes the symbols in lists of exports public.
    fn publish_exports(&mut self) {
        let exported: HashSet<String> = self.exported.drain(..).collect();
        for symbol in &mut self.found.symbols {
            if symbol.parent.is_none() && exported.contains(&symbol.name) {
                symbol.visibility = Visibility::Public;
            }
        }
    }

    /// Gives members that are defined outside of their type the type as their parent.
    fn adopt(&mut self) {
        let separator = self.spec.separator;
        let symbols = &self.found.symbols;
        let is_orphan =
            |symbol: &Symbol| symbol.parent.is_none() && symbol.qualified.len() > symbol.name.len();
        if !symbols.iter().any(is_orphan) {
            return;
        }
        let types: HashMap<String, usize> = symbols
            .iter()
            .enumerate()
            .filter(|(_, symbol)| symbol.kind.is_type() || symbol.kind == SymbolKind::Type)
            .map(|(at, symbol)| (symbol.qualified.clone(), at))
            .collect();
        for symbol in &mut self.found.symbols {
            if is_orphan(symbol) {
                let owner = symbol.qualified.len() - symbol.name.len();
                let owner = symbol.qualified[..owner].trim_end_matches(separator);
                symbol.parent = types.get(owner).copied();
            }
        }
    }
}

pub(crate) fn span_of(node: Node<'_>) -> ByteSpan {
    ByteSpan::new(node.start_byte(), node.end_byte())
}

pub(crate) fn line_of(node: Node<'_>) -> usize {
    node.start_position().row + 1
}

fn last_line(node: Node<'_>) -> usize {
    let end = node.end_position();
    let is_before_text = end.column == 0 && end.row > node.start_position().row;
    end.row + 1 - usize::from(is_before_text)
}
