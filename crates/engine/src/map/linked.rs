//! The files of a repository, linked by name resolution.

use std::collections::BTreeMap;

use loom_graph::Graph;
use loom_program::{DefinitionId, FileId, Program, ResolvedBy};
use loom_syntax::ReferenceKind;

use super::input::{MapFile, MapSymbol};
use crate::FileRole;

/// Weight of an import by itself, in addition to the uses of the imported names.
const IMPORT: f64 = 0.5;

/// An import of a package with more files says nothing about any of them, and would add a quadratic
/// number of edges.
const MOST_AMONG: usize = 500;

/// Weight of an imported name without visible uses.
const IMPORTED: f32 = 0.3;

/// Weight of references in tests and examples, relative to the program.
const TEST: f64 = 0.25;

/// Weight of a reference within the same file, because files refer to themselves a lot.
const SAME_FILE: f64 = 0.25;

/// References from one file to a definition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// The definition.
    pub to: DefinitionId,
    /// Weight: the root of the count, times the probability of the resolution.
    pub weight: f32,
    /// Expected number of references.
    pub count: f32,
}

/// Returns the resolved references of a file, sorted by definition. Files can be processed on any
/// thread.
pub fn flows(program: &Program, file: FileId) -> Vec<Flow> {
    let scope = program.scope(file);
    let mut flows: Vec<Flow> = Vec::new();
    let mut named: Vec<(DefinitionId, f32)> = Vec::new();
    for one in program.uses(file) {
        let meaning = scope.meaning(one);
        if matches!(
            meaning.by,
            ResolvedBy::Unknown | ResolvedBy::Outside | ResolvedBy::Ambiguous
        ) {
            continue;
        }
        let own = one
            .from()
            .and_then(|at| program.definition_of(file, at as usize));
        let count = one.count() as f32;
        let kind = match one.kind() {
            ReferenceKind::Inherit | ReferenceKind::Implement => 1.5,
            _ => 1.0,
        };
        for (to, share) in meaning.targets {
            named.extend((meaning.by == ResolvedBy::Member).then_some((to, count)));
            if Some(to) != own {
                flows.push(Flow {
                    to,
                    weight: count.sqrt() * share * kind,
                    count: count * share,
                });
            }
        }
    }
    flows.sort_by_key(|flow| flow.to);
    flows.dedup_by(|next, first| {
        let is_same = next.to == first.to;
        if is_same {
            first.weight += next.weight;
            first.count += next.count;
        }
        is_same
    });
    count_owners(program, &named, &mut flows);
    for to in scope.imported() {
        if let Err(place) = flows.binary_search_by_key(&to, |flow| flow.to) {
            let (weight, count) = (IMPORTED, 1.0);
            flows.insert(place, Flow { to, weight, count });
        }
    }
    flows
}

/// Counts `Types.parse()` as a reference to `Types`, if the file has no other one; the weight goes
/// to the member.
fn count_owners(program: &Program, named: &[(DefinitionId, f32)], flows: &mut Vec<Flow>) {
    let mut owners: BTreeMap<DefinitionId, f32> = BTreeMap::new();
    for (member, count) in named {
        if let Some(owner) = program.parent(*member) {
            *owners.entry(owner).or_default() += count;
        }
    }
    for (to, count) in owners {
        let weight = 0.0;
        if let Err(place) = flows.binary_search_by_key(&to, |flow| flow.to) {
            flows.insert(place, Flow { to, weight, count });
        }
    }
}

/// The linked files of a repository, as input of maps.
#[derive(Debug)]
pub struct SymbolGraph {
    /// Files in the order of the program.
    pub files: Vec<MapFile>,
    /// Name resolution.
    pub program: Program,
    pub(super) flows: Vec<Vec<Flow>>,
    /// Graph of references between files.
    pub(super) graph: Graph,
    /// Expected number of other files that reference each definition.
    pub(super) users: Vec<f32>,
    /// Weight of references from tests to each file.
    pub(super) tested: Vec<f32>,
    /// Number of definitions outside tests with the same name, for each definition.
    pub(super) namesakes: Vec<u32>,
}

impl SymbolGraph {
    /// Links files: `files` and `flows` are in the order of the program's files.
    pub fn new(program: Program, files: Vec<MapFile>, flows: Vec<Vec<Flow>>) -> Self {
        let mut users = vec![0.0; program.definitions().len()];
        let mut tested = vec![0.0; files.len()];
        for (at, flows) in flows.iter().enumerate() {
            let is_test = is_test(&program, &files, at);
            let voice = voice(files[at].kind, is_test) as f32;
            for flow in flows {
                let file = program.definition(flow.to).file.0 as usize;
                if file != at {
                    users[flow.to.0 as usize] += voice * flow.count.min(1.0);
                }
                if is_test && file != at {
                    tested[file] += flow.weight;
                }
            }
        }
        let graph = Graph::new(files.len(), edges(&program, &files, &flows));
        Self {
            namesakes: namesakes(&program),
            files,
            program,
            flows,
            graph,
            users,
            tested,
        }
    }

    /// Returns the graph that importance comes from: weighted references to each file.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn definition(&self, file: usize, symbol: &MapSymbol) -> Option<DefinitionId> {
        let file = FileId(u32::try_from(file).ok()?);
        self.program.definition_of(file, symbol.symbol as usize)
    }

    /// Returns true for tests, examples and the like.
    pub(super) fn is_test(&self, file: usize) -> bool {
        is_test(&self.program, &self.files, file)
    }
}

fn namesakes(program: &Program) -> Vec<u32> {
    let ids = || (0..program.definitions().len()).filter_map(|at| u32::try_from(at).ok());
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for id in ids().map(DefinitionId) {
        counts.entry(program.name_number(id)).or_insert_with(|| {
            let named = program.named(program.name(id)).iter();
            let count = named.filter(|id| !program.definition(**id).is_test).count();
            u32::try_from(count).unwrap_or(u32::MAX)
        });
    }
    let count = |id: DefinitionId| counts.get(&program.name_number(id)).copied();
    ids()
        .map(|id| count(DefinitionId(id)).unwrap_or(0))
        .collect()
}

fn is_test(program: &Program, files: &[MapFile], at: usize) -> bool {
    let id = FileId(u32::try_from(at).unwrap_or(u32::MAX));
    files[at].kind == FileRole::Test || program.is_test(id)
}

/// Returns the weight of references from a file of this kind.
pub(super) fn voice(kind: FileRole, is_test: bool) -> f64 {
    match kind {
        _ if is_test => TEST,
        FileRole::Source | FileRole::Introduction => 1.0,
        FileRole::Support | FileRole::Test => 0.15,
        FileRole::Ballast => 0.05,
    }
}

/// Returns the total weight of references between definitions, for one file.
pub(super) fn worth(flow: &Flow, is_same_file: bool) -> f64 {
    f64::from(flow.weight) * if is_same_file { SAME_FILE } else { 1.0 }
}

fn edges(program: &Program, files: &[MapFile], flows: &[Vec<Flow>]) -> Vec<(u32, u32, f64)> {
    let mut edges = Vec::new();
    for (at, flows) in flows.iter().enumerate() {
        let from = u32::try_from(at).unwrap_or(u32::MAX);
        let voice = voice(files[at].kind, is_test(program, files, at));
        for flow in flows {
            let to = program.definition(flow.to).file.0;
            if to != from && flow.weight > 0.0 {
                edges.push((from, to, voice * worth(flow, false)));
            }
        }
        let imported = program.imported(FileId(from)).into_iter();
        for (to, among) in imported.filter(|(_, among)| *among <= MOST_AMONG) {
            let share = IMPORT / among as f64;
            edges.push((from, to.0, voice * share));
        }
    }
    edges
}
