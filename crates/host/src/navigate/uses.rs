//! Where names are used, and what implements them.

use std::collections::HashSet;

use loom_base::RepoPath;
use loom_syntax::{ReferenceKind, SymbolKind, Visibility};

use super::certainty::Wanted;
use super::{Certainty, CodePlace, Definition, SyntaxNavigator, Use};

/// Languages that call each other by the same names.
const FAMILIES: &[&[&str]] = &[
    &["c", "cpp", "objective-c"],
    &[
        "javascript",
        "jsx",
        "typescript",
        "tsx",
        "vue",
        "svelte",
        "html",
    ],
    &["java", "kotlin", "scala"],
];

/// Whether code in one language can use a name of the other.
pub(super) fn is_related(one: &str, other: &str) -> bool {
    let share = |family: &&&[&str]| family.contains(&one) && family.contains(&other);
    one == other || FAMILIES.iter().any(|family| share(&family))
}

impl SyntaxNavigator<'_> {
    /// The places in code that mean one of the definitions, then those that may: not where
    /// they are defined, not in comments and strings, and not what means something else.
    pub(super) fn uses(&self, of: &[Definition]) -> Vec<Use> {
        let mut found = Vec::new();
        let mut names: Vec<&str> = of.iter().map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let wanted: Vec<&Definition> = of.iter().filter(|one| one.name == name).collect();
            self.uses_of(name, &wanted, &mut found);
        }
        found.sort_by_key(|one| one.certainty);
        found
    }

    /// Which of some definitions of a name a place means, or may mean.
    pub(super) fn meant_at(
        &self,
        name: &str,
        of: &[Definition],
        at: &CodePlace,
    ) -> Vec<(CodePlace, Certainty)> {
        let linked = self.link(name, &of.iter().collect::<Vec<_>>());
        let program = &linked.program;
        let file = linked.files.iter().find(|file| file.path == at.path);
        let place = file.and_then(|file| file.places.iter().find(|one| one.place == *at));
        let (Some(file), Some(place), Some(id)) = (file, place, program.file(&at.path)) else {
            return Vec::new();
        };
        let scope = program.scope(id);
        let mut found = Vec::new();
        for (one, id) in linked.definitions() {
            let wanted = Wanted::new(program, name, HashSet::from([id]));
            let certainty = wanted.at(&scope, file, place);
            found.extend(certainty.map(|certainty| (one.clone(), certainty)));
        }
        found
    }

    fn uses_of(&self, name: &str, wanted: &[&Definition], found: &mut Vec<Use>) {
        let linked = self.link(name, wanted);
        let program = &linked.program;
        let is_wanted = |place: &CodePlace| wanted.iter().any(|one| one.place == *place);
        let ids = linked.definitions().filter(|(place, _)| is_wanted(place));
        let searched = Wanted::new(program, name, ids.map(|(_, id)| id).collect());
        for file in &linked.files {
            let Some(id) = program.file(&file.path) else {
                continue;
            };
            let scope = program.scope(id);
            let is_near = wanted
                .iter()
                .any(|one| is_near(one, &file.path, file.language));
            for one in file.places.iter().filter(|_| is_near) {
                let Some(certainty) = searched.at(&scope, file, one) else {
                    continue;
                };
                found.push(Use {
                    name: name.to_owned(),
                    place: one.place.clone(),
                    kind: one.kind,
                    certainty,
                    from: one.from.and_then(|at| file.around.get(&at).cloned()),
                    text: one.text.clone(),
                });
            }
        }
    }

    /// Types that inherit from or implement a type, and methods of such types that have
    /// the name of a method.
    pub(super) fn implementing(&self, of: &[Definition]) -> Vec<Definition> {
        let mut found = Vec::new();
        for one in of {
            let names = super::target::names(&one.qualified);
            let owner = names.len().checked_sub(2).map(|at| names[at].clone());
            match one.kind.is_function() {
                false => found.extend(self.implementing_types(&one.name, one.place.language)),
                true => {
                    let Some(owner) = owner else { continue };
                    found.extend(self.overriding(&owner, one));
                }
            }
        }
        found
    }

    fn implementing_types(&self, name: &str, language: &str) -> Vec<Definition> {
        let mut found = Vec::new();
        for number in self.searcher.naming(name) {
            let Some(file) = self.file(number) else {
                continue;
            };
            if !is_related(language, file.language.id()) {
                continue;
            }
            let is_above = |kind| matches!(kind, ReferenceKind::Inherit | ReferenceKind::Implement);
            for reference in &file.structure.references {
                if reference.name != name || !is_above(reference.kind) {
                    continue;
                }
                let symbol = match reference.from {
                    Some(at) => file.structure.symbols.get(at),
                    None => file.around(reference.span.start),
                };
                found.extend(symbol.map(|symbol| file.definition(symbol)));
            }
        }
        found
    }

    fn overriding(&self, owner: &str, method: &Definition) -> Vec<Definition> {
        let mut found = Vec::new();
        for kind in self.implementing_types(owner, method.place.language) {
            let Some(number) = self.searcher.number_of(&kind.place.path) else {
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

/// Whether a file can mean a definition: a private one is used in its own file, and in
/// its folder and below.
fn is_near(one: &Definition, path: &RepoPath, language: &str) -> bool {
    // An underscore of Python hides nothing.
    let is_private = one.visibility == Visibility::Private && language != "python";
    let shares_folder = || match one.place.path.parent() {
        Some(folder) => path.starts_with(&folder),
        None => true,
    };
    is_related(one.place.language, language)
        && (!is_private || one.place.path == *path || shares_folder())
}
