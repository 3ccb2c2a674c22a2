//! Follows calls step by step, to callers or to callees.

use std::collections::{HashMap, HashSet};

use loom_base::RepoPath;
use loom_program::{DefinitionId, Program, ResolvedBy};
use loom_syntax::{Reference, ReferenceKind};

use super::family::is_related;
use super::navigator::Navigator;
use super::target::Target;
use super::types::{Call, Calls, Certainty, Definition, Use};
use crate::CodeFiles;

/// Maximum depth and number of calls in an answer. A longer answer is a graph that no reader
/// follows.
const STEPS: usize = 10;
const CALLS: usize = 2000;
/// Maximum number of linked files in memory.
const LINKED: usize = 32;
/// Rust names that look like calls but are not useful results: variants that wrap a value, and
/// build conditions.
const NO_CALLS: &[&str] = &["Some", "Ok", "Err", "cfg", "cfg_attr"];

impl Calls {
    /// Truncates the calls to the maximum.
    fn cut(mut calls: Vec<Call>) -> Self {
        calls.truncate(CALLS);
        Self {
            calls,
            is_cut: true,
        }
    }
}

impl<F: CodeFiles> Navigator<F> {
    /// Returns the calls to the definitions, and to their callers, up to `depth` steps.
    pub(super) fn calls_of(&self, of: &[Definition], depth: usize) -> Calls {
        let mut calls = Vec::new();
        // Several files may define the same qualified name.
        let place = |one: &Definition| (one.qualified.clone(), one.place.path.clone());
        let mut met: HashSet<(String, RepoPath)> = of.iter().map(place).collect();
        let mut next: Vec<Definition> = of.to_vec();
        for step in 1..=depth.min(STEPS) {
            let mut callers: Vec<(String, RepoPath)> = Vec::new();
            let room = CALLS.saturating_sub(calls.len());
            for found in self.calls_to(next, room) {
                // Only resolved callers are followed: a possible call may mean another definition.
                let from = found
                    .from
                    .clone()
                    .filter(|_| found.certainty == Certainty::Resolved);
                let from = from.map(|from| (from, found.place.path.clone()));
                callers.extend(from.filter(|from| met.insert(from.clone())));
                calls.push(Call {
                    step,
                    caller: found.from,
                    callee: found.name,
                    place: found.place,
                    certainty: found.certainty,
                    text: found.text,
                    has_secret: found.has_secret,
                    definitions: Vec::new(),
                });
                if calls.len() > CALLS {
                    return Calls::cut(calls);
                }
            }
            if step == STEPS && depth > STEPS && !callers.is_empty() {
                return Calls::cut(calls);
            }
            if step < depth {
                let of = callers
                    .into_iter()
                    .map(|(name, path)| self.named_in(&name, &path));
                next = of.flatten().collect();
                next.retain(|one| one.kind.is_function());
            } else {
                next = Vec::new();
            }
        }
        Calls {
            calls,
            is_cut: false,
        }
    }

    /// Returns the calls to the definitions, resolved ones first. Stops searching for further names
    /// after more than `most` results.
    fn calls_to(&self, mut of: Vec<Definition>, most: usize) -> Vec<Use> {
        of.sort_by(|a, b| a.name.cmp(&b.name));
        let mut found: Vec<Use> = Vec::new();
        for named in of.chunk_by(|a, b| a.name == b.name) {
            let calls = self.uses(named).into_iter();
            found.extend(calls.filter(|one| one.kind == "call"));
            if found.len() > most || self.is_stopped() {
                break;
            }
        }
        found.sort_by_key(|one| one.certainty);
        found
    }

    /// Returns the definitions of a qualified name in one file.
    fn named_in(&self, qualified: &str, path: &RepoPath) -> Vec<Definition> {
        let number = self.files.number_of(path);
        let Some(file) = number.and_then(|number| self.file(number)) else {
            return Vec::new();
        };
        let symbols = file.structure.symbols.iter();
        let named = symbols.filter(|one| one.qualified == qualified);
        named.map(|one| file.definition(one)).collect()
    }

    /// Returns the calls in the definitions, and in their callees, up to `depth` steps.
    pub(super) fn called_by(&self, of: &[Definition], depth: usize) -> Calls {
        let mut calls = Vec::new();
        let mut met: HashSet<(String, usize)> = HashSet::new();
        let mut next: Vec<Definition> = of.to_vec();
        let mut programs: HashMap<RepoPath, Program> = HashMap::new();
        for step in 1..=depth.min(STEPS) {
            let mut further = Vec::new();
            // Sorts by file, so that each file is linked once.
            next.sort_by(|a, b| a.place.path.cmp(&b.place.path));
            for one in &next {
                if !met.insert((one.place.path.display().into_owned(), one.place.line)) {
                    continue;
                }
                if programs.len() >= LINKED && !programs.contains_key(&one.place.path) {
                    programs.clear();
                }
                for call in self.calls_in(one, step, &mut programs) {
                    // If a call has several possible callees, none is followed.
                    if let [only] = call.definitions.as_slice() {
                        further.push(only.clone());
                    }
                    calls.push(call);
                    if calls.len() > CALLS {
                        return Calls::cut(calls);
                    }
                }
            }
            if step == STEPS && depth > STEPS && !further.is_empty() {
                return Calls::cut(calls);
            }
            next = further;
        }
        Calls {
            calls,
            is_cut: false,
        }
    }

    fn calls_in(
        &self,
        one: &Definition,
        step: usize,
        programs: &mut HashMap<RepoPath, Program>,
    ) -> Vec<Call> {
        let number = self.files.number_of(&one.place.path);
        let Some(file) = number.and_then(|number| self.file(number)) else {
            return Vec::new();
        };
        let references = file.structure.references.iter().filter(|reference| {
            let lines = one.place.line..=one.end_line;
            let is_call =
                file.language.id() != "rust" || !NO_CALLS.contains(&reference.name.as_str());
            reference.kind == ReferenceKind::Call && is_call && lines.contains(&reference.line)
        });
        let mut references: Vec<_> = references.collect();
        references.sort_by_key(|reference| reference.span.start);
        let variables = file.called_variables(&references);
        let program = programs
            .entry(file.path.clone())
            .or_insert_with(|| self.link_file(&file));
        let scope = program.file(&file.path).map(|id| program.scope(id));
        let call = |reference: &Reference| {
            let meaning = scope.as_ref().map(|scope| {
                let qualifier = reference.qualifier.as_deref();
                let kind = Some(reference.kind);
                scope.meaning_of(&reference.name, qualifier, reference.from, kind)
            });
            let (certainty, definitions) = match meaning {
                _ if variables.contains(&reference.span.start) => (Certainty::Resolved, Vec::new()),
                Some(meaning) if meaning.by == ResolvedBy::Outside => {
                    (Certainty::Resolved, Vec::new())
                }
                Some(meaning) if meaning.by.is_certain() && !meaning.targets.is_empty() => {
                    let targets = meaning.targets.iter();
                    let targets =
                        targets.filter_map(|(id, _)| self.linked_definition(program, *id));
                    (Certainty::Resolved, targets.collect())
                }
                _ => (
                    Certainty::Possible,
                    self.fitting(&reference.name, one.place.language),
                ),
            };
            let line = file.line(reference.span.start);
            Call {
                step,
                caller: Some(one.qualified.clone()),
                callee: reference.name.clone(),
                place: file.place(reference.span.start),
                certainty,
                text: line.text,
                has_secret: line.has_secret,
                definitions,
            }
        };
        references.into_iter().map(call).collect()
    }

    /// Returns the definitions of a name that code in this language can use.
    fn fitting(&self, name: &str, language: &str) -> Vec<Definition> {
        let mut found = self.definitions_of(&Target::Name(vec![name.to_owned()]));
        found.retain(|one| is_related(one.place.language, language));
        found
    }

    /// Returns the definition from the current file, if the file still contains it.
    pub(super) fn linked_definition(
        &self,
        program: &Program,
        id: DefinitionId,
    ) -> Option<Definition> {
        let linked = program.definition(id);
        let number = self.files.number_of(program.path(linked.file))?;
        let file = self.file(number)?;
        let symbol = file.structure.symbols.get(linked.symbol as usize)?;
        (symbol.name == program.name(id)).then(|| file.definition(symbol))
    }
}
