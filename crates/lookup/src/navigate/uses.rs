//! Finds the uses and implementations of definitions.

use std::collections::HashSet;

use loom_base::RepoPath;
use loom_syntax::{ReferenceKind, SymbolKind, Visibility};

use super::certainty::NameTargets;
use super::family::is_related;
use super::linked::LinkedFile;
use super::navigator::Navigator;
use super::seen::SeenPlace;
use super::types::{Certainty, CodePlace, Definition, Use};
use crate::CodeFiles;

impl<F: CodeFiles> Navigator<F> {
    /// Returns the occurrences in code that refer to one of the definitions, then those that may.
    /// Excludes the definitions themselves, comments, strings, and occurrences with another
    /// meaning.
    pub(super) fn uses(&self, of: &[Definition]) -> Vec<Use> {
        let (locals, of): (Vec<&Definition>, Vec<&Definition>) =
            of.iter().partition(|one| one.is_local);
        let locals = locals.into_iter().flat_map(|one| self.local_uses(one));
        let mut found: Vec<Use> = locals.collect();
        let mut names: Vec<&str> = of.iter().map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let wanted = of.iter().copied().filter(|one| one.name == name);
            let wanted: Vec<&Definition> = wanted.collect();
            self.uses_of(name, &wanted, &mut found);
        }
        found.sort_by_key(|one| one.certainty);
        found
    }

    /// Returns the definitions that an occurrence refers to or may refer to.
    pub(super) fn meant_at(
        &self,
        name: &str,
        of: &[Definition],
        at: &CodePlace,
    ) -> Vec<(CodePlace, Certainty)> {
        let linked = self.link(name, &of.iter().collect::<Vec<_>>());
        let program = &linked.program;
        let file = linked.files.iter().find(|file| file.path == at.path);
        let (Some(file), Some(id)) = (file, program.file(&at.path)) else {
            return Vec::new();
        };
        let place = file.places.iter().find(|one| one.place == *at);
        let aliased = file.aliased.iter().find(|(_, one)| one.place == *at);
        let scope = program.scope(id);
        let mut found = Vec::new();
        for (one, id) in linked.definitions() {
            let wanted = NameTargets::new(program, name, HashSet::from([id]));
            let certainty = match (place, aliased) {
                (Some(place), _) => wanted.at(&scope, file, place),
                (None, Some((alias, place))) => wanted.under(&scope, alias, place),
                (None, None) => None,
            };
            found.extend(certainty.map(|certainty| (one.clone(), certainty)));
        }
        found
    }

    fn uses_of(&self, name: &str, wanted: &[&Definition], found: &mut Vec<Use>) {
        let linked = self.link(name, wanted);
        let program = &linked.program;
        let places: HashSet<&CodePlace> = wanted.iter().map(|one| &one.place).collect();
        let is_wanted = |place: &CodePlace| places.contains(place);
        let ids = linked.definitions().filter(|(place, _)| is_wanted(place));
        let searched = NameTargets::new(program, name, ids.map(|(_, id)| id).collect());
        for file in &linked.files {
            let Some(id) = program.file(&file.path) else {
                continue;
            };
            let scope = program.scope(id);
            let is_near = wanted
                .iter()
                .any(|one| is_near(one, &file.path, file.language));
            // When the time is over, only the files of the definitions are still searched.
            let is_own = wanted.iter().any(|one| one.place.path == file.path);
            if !is_near || (self.is_stopped() && !is_own) {
                continue;
            }
            let places = file
                .places
                .iter()
                .map(|one| (name, one, searched.at(&scope, file, one)));
            let aliased = file
                .aliased
                .iter()
                .map(|(alias, one)| (alias.as_str(), one, searched.under(&scope, alias, one)));
            let mut uses: Vec<Use> = places
                .chain(aliased)
                .filter_map(|(name, one, certainty)| Some(used(file, name, one, certainty?)))
                .collect();
            uses.sort_by_key(|one| (one.place.line, one.place.column));
            found.extend(uses);
        }
    }

    /// Returns types that inherit from or implement a type, and methods of such types with the name
    /// of a method.
    pub(super) fn implementing(&self, of: &[Definition]) -> Vec<Definition> {
        let is_function = |one: &&Definition| one.kind.is_function();
        let (methods, types): (Vec<&Definition>, Vec<&Definition>) =
            of.iter().partition(is_function);
        let types: Vec<Definition> = types.into_iter().cloned().collect();
        let mut found = self.implementing_types(&types);
        for method in methods {
            found.extend(self.overriding(method));
        }
        found
    }

    fn implementing_types(&self, of: &[Definition]) -> Vec<Definition> {
        let is_above = |one: &Use| {
            let kinds = [ReferenceKind::Inherit, ReferenceKind::Implement];
            kinds.iter().any(|kind| kind.name() == one.kind)
        };
        let uses = self.uses(of).into_iter().filter(is_above);
        let symbol = |one: Use| {
            let file = self.file(self.files.number_of(&one.place.path)?)?;
            let at = file.offset(one.place.line, one.place.column)?;
            let mut references = file.structure.references.iter();
            let reference = references.find(|reference| reference.span.start == at)?;
            let symbol = match reference.from {
                Some(at) => file.structure.symbols.get(at),
                None => file.around(at),
            };
            symbol.map(|symbol| file.definition(symbol))
        };
        uses.filter_map(symbol).collect()
    }

    /// Returns the types that a method belongs to: those in its own file, else all with the name.
    fn owners(&self, method: &Definition) -> Vec<Definition> {
        let mut names = super::target::names(&method.qualified);
        names.pop();
        let mut found = self.by_name(&names);
        found.retain(|one| {
            one.kind.is_type() && is_related(one.place.language, method.place.language)
        });
        let is_here = |one: &Definition| one.place.path == method.place.path;
        if found.iter().any(is_here) {
            found.retain(is_here);
        }
        found
    }

    fn overriding(&self, method: &Definition) -> Vec<Definition> {
        let mut found = Vec::new();
        for kind in self.implementing_types(&self.owners(method)) {
            let Some(number) = self.files.number_of(&kind.place.path) else {
                continue;
            };
            let Some(file) = self.file(number) else {
                continue;
            };
            let lines = kind.place.line..=kind.end_line;
            let methods = file.structure.symbols.iter().filter(|one| {
                let is_method = one.kind.is_function() || one.kind == SymbolKind::Property;
                is_method && one.name == method.name && lines.contains(&one.name_line)
            });
            found.extend(methods.map(|one| file.definition(one)));
        }
        found
    }
}

/// Returns an occurrence as a use of a name.
fn used(file: &LinkedFile, name: &str, one: &SeenPlace, certainty: Certainty) -> Use {
    Use {
        name: name.to_owned(),
        place: one.place.clone(),
        kind: one.kind,
        certainty,
        from: one.from.and_then(|at| file.around.get(&at).cloned()),
        text: one.line.text.clone(),
        has_secret: one.line.has_secret,
    }
}

/// Returns true if a file can refer to a definition. A private one is visible in its file, and in
/// its directory and below.
fn is_near(one: &Definition, path: &RepoPath, language: &str) -> bool {
    // In Python, an underscore does not restrict visibility.
    let is_private = one.visibility == Visibility::Private && language != "python";
    let shares_folder = || match one.place.path.parent() {
        Some(folder) => path.starts_with(&folder),
        None => true,
    };
    is_related(one.place.language, language)
        && (!is_private || one.place.path == *path || shares_folder())
}
