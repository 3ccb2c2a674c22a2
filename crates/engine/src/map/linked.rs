//! The files of a repository, linked by what their names mean.

use std::collections::BTreeMap;

use loom_graph::Graph;
use loom_program::{DefinitionId, FileId, Program, ResolvedBy};
use loom_syntax::ReferenceKind;

use super::input::{MapFile, MapSymbol};
use crate::Kind;

/// What an import says alone, beside the uses of what is imported.
const IMPORT: f64 = 0.5;

/// An import of a package with more files says nothing about any of them, and would make
/// the square of a package as edges.
const MOST_AMONG: usize = 500;

/// What the import of a name is worth where nothing shows how it is used.
const IMPORTED: f32 = 0.3;

/// What a file of tests or examples says about importance, against one of the program.
const TEST: f64 = 0.25;

/// How much of a use of something in the same file counts: files talk about themselves.
const SAME_FILE: f64 = 0.25;

/// What one file uses: a definition and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// What is used.
    pub to: DefinitionId,
    /// How much: the root of how often, times the share of the meaning.
    pub weight: f32,
    /// How often, as far as it is likely.
    pub count: f32,
}

/// What a file uses, by what names mean, ordered by definition. Files can be looked at
/// on any thread.
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

/// `Types.parse()` names `Types` too. Where nothing else in the file does, that counts
/// as a use of it; the weight is with the member.
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

/// A repository, ready for maps.
#[derive(Debug)]
pub struct Linked {
    /// The files, in the order of the program.
    pub files: Vec<MapFile>,
    /// What names mean.
    pub program: Program,
    pub(super) flows: Vec<Vec<Flow>>,
    /// Which files use which.
    pub(super) graph: Graph,
    /// How many other files use each definition, as far as that is likely.
    pub(super) users: Vec<f32>,
    /// How much tests use of each file.
    pub(super) tested: Vec<f32>,
    /// How many definitions outside of tests have the name of each definition.
    pub(super) namesakes: Vec<u32>,
}

impl Linked {
    /// Links files: `files` and `flows` in the order of the program's files.
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

    /// Where importance comes from: which files lead to a file, and how much.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn definition(&self, file: usize, symbol: &MapSymbol) -> Option<DefinitionId> {
        let file = FileId(u32::try_from(file).ok()?);
        self.program.definition_of(file, symbol.symbol as usize)
    }

    /// Returns true if a file is there for tests, examples and the like.
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
    files[at].kind == Kind::Test || program.is_test(id)
}

/// How much of what a file says counts.
pub(super) fn voice(kind: Kind, is_test: bool) -> f64 {
    match kind {
        _ if is_test => TEST,
        Kind::Source | Kind::Introduction => 1.0,
        Kind::Support | Kind::Test => 0.15,
        Kind::Ballast => 0.05,
    }
}

/// What uses between definitions are worth in total, for one file.
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
