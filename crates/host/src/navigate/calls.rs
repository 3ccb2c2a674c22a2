//! Who calls whom, step by step.

use std::collections::HashSet;

use loom_syntax::ReferenceKind;

use super::uses::is_related;
use super::{CodePlace, Definition, Navigate, SyntaxNavigator, Target};

/// So many steps of a call are followed, and so many calls told: more is a graph, not
/// an answer.
const STEPS: usize = 10;
const CALLS: usize = 2000;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// How many steps it is away, from 1.
    pub step: usize,
    /// Who calls; `None` for code outside of functions.
    pub caller: Option<String>,
    /// The name that is called.
    pub callee: String,
    /// Where the call is.
    pub place: CodePlace,
    /// The line, without secrets.
    pub text: String,
    /// What the callee can mean, where callees were asked for.
    pub definitions: Vec<Definition>,
}

impl SyntaxNavigator<'_> {
    /// The calls of some definitions, and of what makes them.
    pub(super) fn calls_of(&self, of: &[Definition], depth: usize) -> Vec<Call> {
        let mut calls = Vec::new();
        let mut met: HashSet<String> = of.iter().map(|one| one.qualified.clone()).collect();
        let mut next: Vec<Definition> = of.to_vec();
        for step in 1..=depth.min(STEPS) {
            let mut callers: Vec<Vec<String>> = Vec::new();
            for found in self
                .uses(&next)
                .into_iter()
                .filter(|one| one.kind == "call")
            {
                let name = next.iter().map(|one| one.name.as_str());
                let callee = name.clone().find(|name| found.text.contains(name));
                if let Some(from) = found.from.clone().filter(|from| met.insert(from.clone())) {
                    callers.push(super::target::names(&from));
                }
                calls.push(Call {
                    step,
                    caller: found.from,
                    callee: callee.unwrap_or_default().to_owned(),
                    place: found.place,
                    text: found.text,
                    definitions: Vec::new(),
                });
                if calls.len() >= CALLS {
                    return calls;
                }
            }
            if step < depth {
                let of = callers.into_iter().map(Target::Name);
                next = of.flat_map(|target| self.definitions(&target)).collect();
                next.retain(|one| one.kind.is_function());
            }
        }
        calls
    }

    /// What some definitions call, and what that calls.
    pub(super) fn called_by(&self, of: &[Definition], depth: usize) -> Vec<Call> {
        let mut calls = Vec::new();
        let mut met: HashSet<(String, usize)> = HashSet::new();
        let mut next: Vec<Definition> = of.to_vec();
        for step in 1..=depth.min(STEPS) {
            let mut further = Vec::new();
            for one in &next {
                if !met.insert((one.place.path.display().into_owned(), one.place.line)) {
                    continue;
                }
                for call in self.calls_in(one, step) {
                    // Of several it is not known which is meant: none is followed.
                    if let [only] = call.definitions.as_slice() {
                        further.push(only.clone());
                    }
                    calls.push(call);
                    if calls.len() >= CALLS {
                        return calls;
                    }
                }
            }
            next = further;
        }
        calls
    }

    fn calls_in(&self, one: &Definition, step: usize) -> Vec<Call> {
        let file = self
            .searcher
            .number_of(&one.place.path)
            .and_then(|number| self.file(number));
        let Some(file) = file else {
            return Vec::new();
        };
        let references = file.structure.references.iter().filter(|reference| {
            let lines = one.place.line..=one.end_line;
            reference.kind == ReferenceKind::Call && lines.contains(&reference.line)
        });
        let call = |reference: &loom_syntax::Reference| {
            let mut definitions = self.definitions(&Target::Name(vec![reference.name.clone()]));
            definitions.retain(|found| is_related(found.place.language, one.place.language));
            Call {
                step,
                caller: Some(one.qualified.clone()),
                callee: reference.name.clone(),
                place: file.place(reference.span.start),
                text: file.line(reference.span.start),
                definitions,
            }
        };
        let mut calls: Vec<Call> = references.map(call).collect();
        calls.sort_by_key(|call| (call.place.line, call.place.column));
        calls
    }
}
