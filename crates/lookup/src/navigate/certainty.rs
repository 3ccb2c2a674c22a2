//! Decides whether an occurrence of a name refers to a given definition.

use std::collections::HashSet;

use loom_program::{DefinitionId, NameResolution, Program, Resolution, ResolvedBy, Scope};
use loom_syntax::{ReferenceKind, Role};

use super::linked::LinkedFile;
use super::seen::SeenPlace;
use super::types::Certainty;

/// Maximum number of definitions for which twins are collected. Each definition has all others of
/// its file as twins, so the cost is quadratic.
const MOST_WITH_TWINS: usize = 500;

/// The definitions that a lookup searches for.
pub(super) struct NameTargets<'p> {
    name: &'p str,
    ids: HashSet<DefinitionId>,
    /// Other definitions of the same name in the same files.
    twins: HashSet<DefinitionId>,
    program: &'p Program,
    /// True if one of the definitions belongs to a type.
    has_member: bool,
    /// True if one of the definitions does not belong to a type.
    has_free: bool,
}

impl<'p> NameTargets<'p> {
    pub(super) fn new(program: &'p Program, name: &'p str, ids: HashSet<DefinitionId>) -> Self {
        let is_member = |id: &DefinitionId| program.owner(*id).is_some();
        Self {
            has_member: ids.iter().any(is_member),
            has_free: ids.iter().any(|id| !is_member(id)),
            twins: match ids.len() <= MOST_WITH_TWINS {
                true => ids.iter().flat_map(|id| program.twins(*id)).collect(),
                false => HashSet::new(),
            },
            program,
            name,
            ids,
        }
    }

    /// Returns the confidence that an occurrence refers to one of the definitions; `None` if it
    /// does not.
    pub(super) fn at(
        &self,
        scope: &Scope<'_>,
        file: &LinkedFile,
        one: &SeenPlace,
    ) -> Option<Certainty> {
        if let Some(import) = one.import {
            return match file.imports.get(import) {
                Some(Resolution::Unresolved(_)) => None,
                _ => self.judge(&scope.meaning_of_import(import, self.name), one),
            };
        }
        let as_key = (one.mention.is_key && self.has_member).then_some(Certainty::Possible);
        match one.mention.role {
            Role::Local => one
                .bound
                .is_some_and(|symbol| self.is_wanted(scope, symbol))
                .then_some(Certainty::Resolved)
                .or(as_key),
            Role::Key => self.key(scope, one).filter(|_| self.has_member),
            Role::Free => self.free(scope, one).or(as_key),
            Role::Member => self.member(scope, file, one),
        }
    }

    /// Returns the confidence that an occurrence of an import alias refers to one of the
    /// definitions.
    pub(super) fn under(
        &self,
        scope: &Scope<'_>,
        alias: &str,
        one: &SeenPlace,
    ) -> Option<Certainty> {
        let is_free = one.mention.role == Role::Free || one.import.is_some();
        let meaning = is_free.then(|| scope.meaning_of(alias, None, one.from, one.used_as))?;
        let meaning = meaning.by.is_certain().then_some(meaning)?;
        self.judge(&meaning, one)
    }

    fn is_wanted(&self, scope: &Scope<'_>, symbol: usize) -> bool {
        let id = scope.definition_of(symbol);
        id.is_some_and(|id| self.ids.contains(&id))
    }

    fn free(&self, scope: &Scope<'_>, one: &SeenPlace) -> Option<Certainty> {
        let meaning = scope.meaning_of(self.name, None, one.from, one.used_as);
        match self.has_free || meaning.by.is_certain() {
            true => self.judge(&meaning, one),
            // A member needs its type before its name; the name itself is not enough.
            false => None,
        }
    }

    /// Judges a key in a literal whose type may be named.
    fn key(&self, scope: &Scope<'_>, one: &SeenPlace) -> Option<Certainty> {
        let Some(kind) = one.mention.qualifier.as_deref() else {
            return Some(Certainty::Possible);
        };
        let meaning = scope.meaning_of(self.name, Some(kind), one.from, Some(ReferenceKind::Call));
        self.judge(&meaning, one)
    }

    fn member(&self, scope: &Scope<'_>, file: &LinkedFile, one: &SeenPlace) -> Option<Certainty> {
        let mention = &one.mention;
        let ask =
            |qualifier: &str| scope.meaning_of(self.name, Some(qualifier), one.from, one.used_as);
        if let Some(receiver) = mention.receiver.as_deref() {
            let meaning = ask(receiver);
            if meaning.by.is_certain() || meaning.by == ResolvedBy::Outside {
                return self.judge(&meaning, one).filter(|_| self.has_member);
            }
        }
        let qualifier = mention.qualifier.as_deref().unwrap_or_default();
        let meaning = match mention.is_of_variable {
            true => scope.meaning_of_value(self.name, qualifier),
            false if qualifier.is_empty() => scope.meaning_of_value(self.name, "?"),
            false => ask(qualifier),
        };
        // A definition outside of types can only be reached through a module.
        let first = qualifier.split("::").next().unwrap_or_default();
        let is_path = one.place.language == "rust" && matches!(first, "crate" | "super" | "self");
        let can_be = self.has_member
            || meaning.by.is_certain()
            || is_path
            || file
                .packages
                .contains(qualifier.split('.').next().unwrap_or_default())
            || scope.begins_with_module(qualifier);
        can_be.then(|| self.judge(&meaning, one)).flatten()
    }

    fn judge(&self, meaning: &NameResolution, one: &SeenPlace) -> Option<Certainty> {
        let targets = self.used_alike(meaning, one);
        let has = |ids: &HashSet<DefinitionId>| targets.iter().any(|id| ids.contains(id));
        match meaning.by {
            ResolvedBy::Outside => None,
            by if !by.is_certain() => Some(Certainty::Possible),
            _ if has(&self.ids) => Some(Certainty::Resolved),
            _ if has(&self.twins) || self.is_of_owner(meaning) => Some(Certainty::Possible),
            _ => None,
        }
    }

    /// If a field and a method share a name, returns the one that matches the use as call or as
    /// value.
    fn used_alike(&self, meaning: &NameResolution, one: &SeenPlace) -> Vec<DefinitionId> {
        let is_called = one.used_as == Some(ReferenceKind::Call);
        let is_alike = |id: &DefinitionId| {
            let kind = self.program.definition(*id).kind;
            kind.is_function() == is_called
        };
        let all: Vec<DefinitionId> = meaning.targets.iter().map(|(id, _)| *id).collect();
        let is_member = |id: &DefinitionId| self.program.owner(*id).is_some();
        match all.iter().all(is_member) && all.iter().any(is_alike) {
            true => all.into_iter().filter(is_alike).collect(),
            false => all,
        }
    }

    /// Returns true if the type is known but the member is not: the member may come from a base
    /// type.
    fn is_of_owner(&self, meaning: &NameResolution) -> bool {
        let mut targets = meaning.targets.iter();
        self.has_member
            && meaning.by == ResolvedBy::Member
            && targets.all(|(id, _)| self.program.name(*id) != self.name)
    }
}
