//! Queries of a scope for a single position: a name in an import, a member of a variable, the start
//! of a qualifier.

use super::build::parts;
use super::meaning::{NameResolution, ResolvedBy};
use super::scope::{ImportedName, Scope};
use super::usage::Usage;
use super::{DefinitionId, Program};

impl Scope<'_> {
    /// Returns the meaning of a name in an import of the file, by the index of the import.
    pub fn meaning_of_import(&self, import: usize, name: &str) -> NameResolution {
        let program = self.program;
        let imports = &program.files[self.file.0 as usize].imports;
        let (Some(import), Some(name)) = (imports.get(import), program.names.get(name)) else {
            return NameResolution::unresolved(ResolvedBy::Unknown);
        };
        let imported = ImportedName {
            files: &import.files,
            parents: &import.parents,
            original: name,
        };
        match self.taken_by(&imported, name, Usage::Other) {
            Some(found) => NameResolution::spread(ResolvedBy::Import, 1.0, found),
            None => NameResolution::unresolved(ResolvedBy::Unknown),
        }
    }

    /// Returns the meaning of a member of a variable with an unknown type.
    pub fn meaning_of_value(&self, name: &str, value: &str) -> NameResolution {
        let names = &self.program.names;
        match names.get(name) {
            Some(name) => self.of_value(names.get(value), name),
            None => NameResolution::unresolved(ResolvedBy::Unknown),
        }
    }

    /// Returns whether a qualifier begins with a module of the repository, by its name in the file.
    pub fn begins_with_module(&self, qualifier: &str) -> bool {
        let first = parts(qualifier).into_iter().next();
        let first = first.and_then(|first| self.program.names.get(first));
        first.is_some_and(|first| self.modules.contains_key(&first))
    }

    /// Returns the definition of a symbol of this file, by its index.
    pub fn definition_of(&self, symbol: usize) -> Option<DefinitionId> {
        self.program.definition_of(self.file, symbol)
    }
}

impl Program {
    /// Returns other definitions with the same name outside of types in the same file: a type and a
    /// value with one name, which a text often means together.
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
