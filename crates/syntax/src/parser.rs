//! Parses with the grammar of a language and walks the tree. Grammars are prepared once per thread,
//! so that threads do not wait for each other.

use std::cell::RefCell;

use tree_sitter::Node;

use crate::bounded::{ParseCost, Parsed};
use crate::embedded::Region;
use crate::grammar::{Prepared, Spec};
use crate::languages::SPECS;
use crate::limits::Limits;
use crate::walk::Walk;
use crate::{Depth, Finding, FindingKind, Structure, embedded, lines, prepare, refuse};

thread_local! {
    static PARSERS: RefCell<Parsers> = RefCell::new(Parsers::new());
}

/// Extracts the structure of the text, if its language has a grammar.
pub(crate) fn structure(id: &'static str, text: &str, limits: &Limits) -> Option<Structure> {
    let id = dialect(id, text);
    let at = spec_of(id)?;
    Some(PARSERS.with_borrow_mut(|parsers| parsers.structure(id, at, text, limits)))
}

/// Parses the text and returns only the cost.
pub(crate) fn cost(
    id: &'static str,
    text: &str,
    limits: &Limits,
) -> Result<ParseCost, (FindingKind, ParseCost)> {
    let Some(at) = spec_of(dialect(id, text)) else {
        return Err((FindingKind::NoGrammar, ParseCost::default()));
    };
    let budget = limits.budget(text.len());
    let (used, tree) = PARSERS.with_borrow_mut(|parsers| parsers.parse(at, text, budget));
    tree.map(|_| used).map_err(|kind| (kind, used))
}

/// Parses and walks the text, and passes the tree to `work`, with the structure and the parts in
/// other languages. In a host language the structure includes those parts. `work` must not parse,
/// because the thread's parsers are in use.
pub(crate) fn with_tree<T>(
    id: &'static str,
    text: &str,
    limits: &Limits,
    work: impl FnOnce(Node<'_>, &Spec, Structure, Vec<Region>) -> T,
) -> Option<T> {
    let at = spec_of(id)?;
    PARSERS.with_borrow_mut(|parsers| {
        let tree = parsers.tree(at, text, limits)?;
        let (mut structure, regions) = parsers.walk(id, at, text, &tree, limits);
        if embedded::is_host(id) {
            parsers.join(&mut structure, &regions, text, limits);
        }
        Some(work(tree.root_node(), SPECS[at], structure, regions))
    })
}

/// Parses the text and passes the tree to `work`, with the language that it was parsed as. Returns
/// `None` if the language has no grammar, or if it hosts others, whose code is not in the tree.
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

/// Extracts the structure of a text and the result of `work` from the same tree. Returns `None`
/// without such a tree.
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
        Some((parsers.structure_of(id, at, text, tree, limits), made))
    })
}

/// Returns whether the grammar parses all of the text.
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

/// Prepared grammars of a thread.
struct Parsers {
    prepared: Vec<Option<Prepared>>,
}

impl Parsers {
    fn new() -> Self {
        Self {
            prepared: SPECS.iter().map(|_| None).collect(),
        }
    }

    fn structure(&mut self, id: &'static str, at: usize, text: &str, limits: &Limits) -> Structure {
        match self.parse(at, text, limits.budget(text.len())).1 {
            Ok(tree) => self.structure_of(id, at, text, tree, limits),
            Err(kind) => by_lines(id, text, kind),
        }
    }

    fn structure_of(
        &mut self,
        id: &'static str,
        at: usize,
        text: &str,
        tree: Parsed,
        limits: &Limits,
    ) -> Structure {
        let (mut structure, regions) = self.walk(id, at, text, &tree, limits);
        drop(tree);
        self.join(&mut structure, &regions, text, limits);
        structure
    }

    fn walk(
        &mut self,
        id: &'static str,
        at: usize,
        text: &str,
        tree: &Parsed,
        limits: &Limits,
    ) -> (Structure, Vec<Region>) {
        let prepared = self.prepared[at].get_or_insert_with(|| Prepared::new(SPECS[at]));
        let walk = Walk::new(text, id, SPECS[at], prepared);
        let (mut structure, regions) = walk.run(tree.root_node(), limits);
        structure.depth = Depth::Grammar;
        (structure, regions)
    }

    /// Adds the structures of the parts in other languages. All of them share one budget, so that
    /// many small parts cost no more than a large one.
    fn join(&mut self, whole: &mut Structure, regions: &[Region], text: &str, limits: &Limits) {
        let mut left = limits.budget(text.len());
        let mut lines = embedded::LineCount::new(text);
        for region in regions {
            let Some(inner) = text.get(region.span.range()) else {
                continue;
            };
            let part = self.embedded(region.language, inner, limits, &mut left);
            for finding in part.findings.iter().filter(|one| is_of_budget(one.kind)) {
                if !whole.findings.contains(finding) {
                    whole.findings.push(finding.clone());
                }
            }
            embedded::join(whole, part, region, lines.before(region.span.start));
        }
    }

    /// Parses a part in another language. Languages inside that part are ignored, so that the
    /// nesting stays bounded.
    fn embedded(
        &mut self,
        id: &'static str,
        text: &str,
        limits: &Limits,
        left: &mut ParseCost,
    ) -> Structure {
        let is_refused = embedded::is_host(id) || refuse::reason(id, text, limits).is_some();
        let Some(at) = spec_of(id).filter(|_| !is_refused) else {
            return Structure::default();
        };
        let (used, tree) = self.parse(at, text, limits.budget(text.len()).least(left));
        left.spend(&used);
        match tree {
            Ok(tree) => self.walk(id, at, text, &tree, limits).0,
            Err(kind) => by_lines(id, text, kind),
        }
    }

    fn tree(&mut self, at: usize, text: &str, limits: &Limits) -> Option<Parsed> {
        self.parse(at, text, limits.budget(text.len())).1.ok()
    }

    fn parse(
        &mut self,
        at: usize,
        text: &str,
        budget: ParseCost,
    ) -> (ParseCost, Result<Parsed, FindingKind>) {
        let prepared = self.prepared[at].get_or_insert_with(|| Prepared::new(SPECS[at]));
        let text = prepare::for_parsing(SPECS[at].id, text);
        Parsed::new(&prepared.language, text.as_bytes(), budget)
    }
}

/// Parses a text by its lines, with the reason as a finding.
fn by_lines(id: &'static str, text: &str, kind: FindingKind) -> Structure {
    let mut structure = lines::outline(id, text);
    structure.findings = vec![Finding { kind, line: None }];
    structure
}

fn is_of_budget(kind: FindingKind) -> bool {
    matches!(kind, FindingKind::TooManySteps | FindingKind::TooMuchMemory)
}

/// Returns the language to parse as: headers of C++ have the extension of C.
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
