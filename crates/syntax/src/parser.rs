//! Parses with the grammar of a language and walks over the tree. One parser for
//! each thread, so that nobody waits.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use crate::embedded::Region;
use crate::grammar::{Prepared, Spec};
use crate::languages::SPECS;
use crate::limits::Limits;
use crate::walk::Walk;
use crate::{Depth, FindingKind, Structure, embedded, lines, prepare, refuse};

/// How many steps of a parser lie between two of its reports.
const STEPS_PER_REPORT: usize = 100;

thread_local! {
    static PARSERS: RefCell<Parsers> = RefCell::new(Parsers::new());
}

/// What the text holds, where its language has a grammar.
pub(crate) fn structure(id: &'static str, text: &str, limits: &Limits) -> Option<Structure> {
    let id = dialect(id, text);
    let at = spec_of(id)?;
    Some(PARSERS.with_borrow_mut(|parsers| parsers.structure(id, at, text, limits)))
}

/// Parses alone.
pub(crate) fn parses(id: &'static str, text: &str, limits: &Limits) -> bool {
    let Some(at) = spec_of(dialect(id, text)) else {
        return false;
    };
    PARSERS.with_borrow_mut(|parsers| parsers.tree(at, text, limits).is_some())
}

/// Parses, walks, and hands the tree over with what was found in it and the parts in
/// other languages. What those hold is found too in a language that hosts others.
/// `work` must not parse: the parser of the thread is in use.
pub(crate) fn with_tree<T>(
    id: &'static str,
    text: &str,
    limits: &Limits,
    work: impl FnOnce(Node<'_>, &Spec, Structure, Vec<Region>) -> T,
) -> Option<T> {
    let at = spec_of(id)?;
    PARSERS.with_borrow_mut(|parsers| {
        let tree = parsers.tree(at, text, limits)?;
        let prepared = parsers.prepared[at].get_or_insert_with(|| Prepared::new(SPECS[at]));
        let walk = Walk::new(text, id, SPECS[at], prepared);
        let (mut structure, regions) = walk.run(tree.root_node(), limits);
        if embedded::is_host(id) {
            parsers.join(&mut structure, &regions, text, limits);
        }
        Some(work(tree.root_node(), SPECS[at], structure, regions))
    })
}

/// Parses, and hands the tree over with the language that it was parsed as. Nothing
/// where the language has no grammar or hosts others, whose code is not in the tree.
pub(crate) fn with_bare_tree<T>(
    id: &'static str,
    text: &str,
    limits: &Limits,
    work: impl FnOnce(Node<'_>, &'static str) -> T,
) -> Option<T> {
    let id = dialect(id, text);
    let at = spec_of(id).filter(|_| !embedded::is_host(id))?;
    if refuse::reason(id, text, limits).is_some() {
        return None;
    }
    PARSERS.with_borrow_mut(|parsers| {
        let tree = parsers.tree(at, text, limits)?;
        Some(work(tree.root_node(), id))
    })
}

/// The structure of a text, and what `work` makes of the same tree. Nothing where there is
/// no tree for both.
pub(crate) fn structure_with<T>(
    id: &'static str,
    text: &str,
    limits: &Limits,
    work: impl FnOnce(Node<'_>, &'static str) -> T,
) -> Option<(Structure, T)> {
    let id = dialect(id, text);
    let at = spec_of(id).filter(|_| !embedded::is_host(id))?;
    PARSERS.with_borrow_mut(|parsers| {
        let tree = parsers.tree(at, text, limits)?;
        let made = work(tree.root_node(), id);
        Some((parsers.structure_of(id, at, (text, tree), limits), made))
    })
}

/// Whether the grammar reads all of the text.
pub(crate) fn is_clean(id: &str, text: &str, limits: &Limits) -> bool {
    let Some(at) = spec_of(id) else {
        return false;
    };
    PARSERS.with_borrow_mut(|parsers| {
        let tree = parsers.tree(at, text, limits);
        tree.is_some_and(|tree| !tree.root_node().has_error())
    })
}

pub(crate) fn knows(id: &str) -> bool {
    spec_of(id).is_some()
}

/// One parser, and the grammars that were used.
struct Parsers {
    parser: Parser,
    prepared: Vec<Option<Prepared>>,
}

impl Parsers {
    fn new() -> Self {
        Self {
            parser: Parser::new(),
            prepared: SPECS.iter().map(|_| None).collect(),
        }
    }

    fn structure(&mut self, id: &'static str, at: usize, text: &str, limits: &Limits) -> Structure {
        let Some(tree) = self.tree(at, text, limits) else {
            let mut structure = lines::outline(id, text);
            structure.findings = Structure::refused(FindingKind::TooManySteps).findings;
            return structure;
        };
        self.structure_of(id, at, (text, tree), limits)
    }

    fn structure_of(
        &mut self,
        id: &'static str,
        at: usize,
        (text, tree): (&str, Tree),
        limits: &Limits,
    ) -> Structure {
        let prepared = self.prepared[at].get_or_insert_with(|| Prepared::new(SPECS[at]));
        let walk = Walk::new(text, id, SPECS[at], prepared);
        let (mut structure, regions) = walk.run(tree.root_node(), limits);
        structure.depth = Depth::Grammar;
        drop(tree);
        self.join(&mut structure, &regions, text, limits);
        structure
    }

    /// Adds what the parts in other languages hold.
    fn join(&mut self, whole: &mut Structure, regions: &[Region], text: &str, limits: &Limits) {
        for region in regions {
            let Some(inner) = text.get(region.span.range()) else {
                continue;
            };
            let part = self.embedded(region.language, inner, limits);
            embedded::join(whole, part, region, text);
        }
    }

    /// A part in another language. Languages inside that one are left alone, so that
    /// no text leads deeper and deeper.
    fn embedded(&mut self, id: &'static str, text: &str, limits: &Limits) -> Structure {
        let is_refused = embedded::is_host(id) || refuse::reason(id, text, limits).is_some();
        match spec_of(id).filter(|_| !is_refused) {
            Some(at) => self.structure(id, at, text, limits),
            None => Structure::default(),
        }
    }

    fn tree(&mut self, at: usize, text: &str, limits: &Limits) -> Option<Tree> {
        let prepared = self.prepared[at].get_or_insert_with(|| Prepared::new(SPECS[at]));
        self.parser.set_language(&prepared.language).ok()?;
        let mut left = limits.steps(text.len()) / STEPS_PER_REPORT;
        let mut report = |_: &ParseState| match left.checked_sub(1) {
            Some(less) => {
                left = less;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let prepared_text = prepare::for_parsing(SPECS[at].id, text);
        let bytes = prepared_text.as_bytes();
        let options = ParseOptions::new().progress_callback(&mut report);
        let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
        let tree = self
            .parser
            .parse_with_options(&mut read, None, Some(options));
        // A parser that was stopped would go on with the next text.
        if tree.is_none() {
            self.parser.reset();
        }
        tree
    }
}

/// Headers of C++ have the extension of C.
pub(crate) fn dialect(id: &'static str, text: &str) -> &'static str {
    let starts = [
        "class ",
        "namespace ",
        "template <",
        "template<",
        "using namespace ",
        "public:",
        "private:",
    ];
    let is_plus = |line: &str| {
        starts
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    };
    match id {
        "c" if text.lines().any(is_plus) => "cpp",
        id => id,
    }
}

fn spec_of(id: &str) -> Option<usize> {
    SPECS.iter().position(|spec| spec.id == id)
}
