//! Definitions, references, implementations and calls of a name or a location.

use loom_host::{
    Call, Calls, Certainty, Definition, Navigate, Precision, SyntaxNavigator, Target, Use,
};
use loom_wire::{CallInfo, DefinitionInfo, FORMAT_VERSION, NavigationInfo, UseInfo};

use crate::ids::FileLines;

/// The relation of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The definitions of the name.
    Definitions,
    /// The references to the definitions.
    References,
    /// The implementations of a type, or the overrides of a method.
    Implementations,
    /// Functions that call the definitions.
    Callers,
    /// Functions that the definitions call.
    Callees,
}

/// Options of a navigation query.
#[derive(Clone, Copy, Debug)]
pub struct NavigationOptions {
    /// Maximum number of steps along calls.
    pub depth: usize,
    /// Whether only certain references and callers count.
    pub is_resolved_only: bool,
}

/// The result of a navigation query, before it is printed or serialised.
#[derive(Debug)]
pub struct Navigation {
    /// All definitions of the target.
    pub definitions: Vec<Definition>,
    /// The definitions that the relation starts from: the nearest one for a location, all for
    /// a name.
    pub candidates: Vec<Definition>,
    /// The related code.
    pub related: Related,
    /// Whether the relation is approximate, because it is derived from syntax.
    pub is_approximate: bool,
    target: String,
}

/// A query for code that is related to a target.
#[derive(Debug)]
pub(crate) struct NavigationQuery<'q> {
    pub(crate) target: &'q Target,
    /// The lines of an id, which replace the target.
    pub(crate) id: Option<FileLines>,
    /// The target as the caller wrote it.
    pub(crate) typed: &'q str,
    pub(crate) relation: Relation,
}

/// The definitions that a relation starts from.
#[derive(Debug)]
pub(crate) struct NavigationStart {
    definitions: Vec<Definition>,
    candidates: Vec<Definition>,
}

impl NavigationQuery<'_> {
    /// Finds the definitions of the target.
    pub(crate) fn start(&self, navigator: &SyntaxNavigator<'_>) -> NavigationStart {
        let definitions = match &self.id {
            Some(id) => navigator.defined_in(&id.path, &id.lines),
            None => navigator.definitions(self.target),
        };
        let is_one = self.id.is_some() || matches!(self.target, Target::Place { .. });
        let candidates = match is_one {
            true => definitions.get(..1).unwrap_or_default(),
            false => &definitions,
        };
        NavigationStart {
            candidates: candidates.to_vec(),
            definitions,
        }
    }

    /// Finds the code that is related to the definitions.
    pub(crate) fn follow(
        &self,
        navigator: &SyntaxNavigator<'_>,
        start: NavigationStart,
        options: NavigationOptions,
    ) -> Navigation {
        let NavigationStart {
            definitions,
            candidates,
        } = start;
        let is_included =
            |certainty: Certainty| !options.is_resolved_only || certainty == Certainty::Resolved;
        let related = match self.relation {
            Relation::Definitions => Related::Definitions,
            Relation::References => {
                let mut uses = navigator.references(&candidates);
                uses.retain(|one| is_included(one.certainty));
                Related::References(uses)
            }
            Relation::Implementations => {
                Related::Implementations(navigator.implementations(&candidates))
            }
            Relation::Callers => {
                let mut found = navigator.callers(&candidates, options.depth);
                found.calls.retain(|one| is_included(one.certainty));
                Related::Calls(found)
            }
            Relation::Callees => Related::Calls(navigator.callees(&candidates, options.depth)),
        };
        Navigation {
            definitions,
            candidates,
            related,
            is_approximate: navigator.precision() == Precision::Approximate,
            target: self.typed.to_owned(),
        }
    }
}

/// The code in the relation.
#[derive(Debug)]
pub enum Related {
    /// The definitions themselves are the result.
    Definitions,
    /// References to a name.
    References(Vec<Use>),
    /// Definitions that implement or override.
    Implementations(Vec<Definition>),
    /// Calls, in either direction.
    Calls(Calls),
}

impl Navigation {
    /// Finds the code related to `target`, which the caller wrote as `typed`.
    pub fn find(
        navigator: &SyntaxNavigator<'_>,
        target: &Target,
        typed: &str,
        relation: Relation,
        options: NavigationOptions,
    ) -> Self {
        let query = NavigationQuery {
            target,
            id: None,
            typed,
            relation,
        };
        let start = query.start(navigator);
        query.follow(navigator, start, options)
    }

    /// Returns whether calls are missing, because a limit stopped the search.
    pub fn is_capped(&self) -> bool {
        matches!(&self.related, Related::Calls(calls) if calls.is_cut)
    }

    /// Describes the result, with at most `limit` items of the relation.
    pub fn info(&self, limit: Option<usize>) -> NavigationInfo {
        let limit = limit.unwrap_or(usize::MAX);
        let mut info = NavigationInfo {
            format_version: FORMAT_VERSION,
            target: self.target.clone(),
            approximate: self.is_approximate,
            cut: self.is_capped() || self.len() > limit,
            definitions: self.definitions.iter().map(definition_info).collect(),
            candidates: self.candidates.len(),
            capped: self.is_capped(),
            references: None,
            implementations: None,
            calls: None,
            notices: Vec::new(),
        };
        match &self.related {
            Related::Definitions => info.definitions.truncate(limit),
            Related::References(uses) => {
                info.references = Some(uses.iter().take(limit).map(use_info).collect());
            }
            Related::Implementations(found) => {
                let found = found.iter().take(limit);
                info.implementations = Some(found.map(definition_info).collect());
            }
            Related::Calls(found) => {
                info.calls = Some(found.calls.iter().take(limit).map(call_info).collect());
            }
        }
        info
    }

    /// Returns the number of items in the relation.
    pub fn len(&self) -> usize {
        match &self.related {
            Related::Definitions => self.definitions.len(),
            Related::References(uses) => uses.len(),
            Related::Implementations(found) => found.len(),
            Related::Calls(found) => found.calls.len(),
        }
    }

    /// Returns whether the relation is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an explanation if the target is unknown.
    pub fn explain_nothing(&self, target: &Target) -> Option<String> {
        let typed = &self.target;
        if !self.candidates.is_empty() {
            return None;
        }
        let is_number = |name: &String| name.parse::<u32>().is_ok();
        Some(match target {
            Target::Name(names) if names.last().is_some_and(is_number) => {
                format!("nothing here defines {typed}; a place has a column too: PATH:LINE:COLUMN")
            }
            Target::Name(_) => format!("nothing here defines {typed}"),
            Target::Place { .. } => format!(
                "no name whose definition is known stands at {typed}: PATH:LINE:COLUMN, from 1"
            ),
        })
    }
}

fn definition_info(one: &Definition) -> DefinitionInfo {
    DefinitionInfo {
        path: one.place.path.display().into_owned(),
        line: one.place.line,
        column: one.place.column,
        end_line: one.end_line,
        language: one.place.language.to_owned(),
        name: one.name.clone(),
        qualified_name: one.qualified.clone(),
        kind: one.kind.name().to_owned(),
        visibility: one.visibility.name().to_owned(),
        signature: one.signature.clone(),
        doc: one.doc.clone(),
    }
}

fn use_info(one: &Use) -> UseInfo {
    UseInfo {
        path: one.place.path.display().into_owned(),
        line: one.place.line,
        column: one.place.column,
        kind: one.kind.to_owned(),
        certainty: one.certainty.name().to_owned(),
        from: one.from.clone(),
        name: one.name.clone(),
        text: one.text.clone(),
    }
}

fn call_info(one: &Call) -> CallInfo {
    CallInfo {
        step: one.step,
        caller: one.caller.clone(),
        callee: one.callee.clone(),
        path: one.place.path.display().into_owned(),
        line: one.place.line,
        column: one.place.column,
        certainty: one.certainty.name().to_owned(),
        text: one.text.clone(),
        definitions: one.definitions.iter().map(definition_info).collect(),
    }
}
