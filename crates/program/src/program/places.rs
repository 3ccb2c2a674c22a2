//! What a scope says about a single place: a name in an import, a member of a variable,
//! what a qualifier begins with.

use super::build::parts;
use super::meaning::{By, Meaning};
use super::scope::Scope;
use super::{DefinitionId, Program};

impl Scope<'_> {
    /// What a name means in one of the imports of the file, by its place among them.
    pub fn meaning_of_import(&self, import: usize, name: &str) -> Meaning {
        let program = self.program;
        let imports = &program.files[self.file.0 as usize].imports;
        let (Some(import), Some(name)) = (imports.get(import), program.names.get(name)) else {
            return Meaning::nothing(By::Unknown);
        };
        match self.taken_from(&import.files, name, name) {
            Some(found) => Meaning::spread(By::Import, 1.0, found),
            None => Meaning::nothing(By::Unknown),
        }
    }

    /// What a member of a variable means whose type is not known.
    pub fn meaning_of_value(&self, name: &str, value: &str) -> Meaning {
        let names = &self.program.names;
        match names.get(name) {
            Some(name) => self.of_value(names.get(value), name),
            None => Meaning::nothing(By::Unknown),
        }
    }

    /// Whether a qualifier begins with a module of the repository, by the name that the
    /// file has for it.
    pub fn begins_with_module(&self, qualifier: &str) -> bool {
        let first = parts(qualifier).into_iter().next();
        let first = first.and_then(|first| self.program.names.get(first));
        first.is_some_and(|first| self.modules.contains_key(&first))
    }

    /// The definition of a symbol of this file, by its place.
    pub fn definition_of(&self, symbol: usize) -> Option<DefinitionId> {
        self.program.definition_of(self.file, symbol)
    }
}

impl Program {
    /// What else stands outside of types under the name of a definition, in its file: a
    /// type and a value of one name, which a text often means together.
    pub fn twins(&self, id: DefinitionId) -> Vec<DefinitionId> {
        let one = self.definition(id);
        let all = self.named_in(one.file, one.name).iter().copied();
        let is_twin = |other: &DefinitionId| *other != id && self.is_outermost(*other);
        match self.is_outermost(id) {
            true => all.filter(is_twin).collect(),
            false => Vec::new(),
        }
    }
}
