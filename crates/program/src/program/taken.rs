//! Resolves a name in the files that it is imported from, also if they re-export it from other
//! files.

use super::intern::Name;
use super::namesakes::MOST_NAMESAKES;
use super::scope::{ImportedName, Scope};
use super::usage::Usage;
use super::{DefinitionId, FileId};

/// Maximum number of re-exports that are followed; real chains are short.
const MOST_REEXPORTS: usize = 5;

impl Scope<'_> {
    /// Resolves an imported name. `from shop import sell` can mean the module `shop/sell.py`, or a
    /// function that `shop` defines or imports under this name; the function comes first.
    pub(super) fn taken_by(
        &self,
        import: &ImportedName<'_>,
        local: Name,
        usage: Usage,
    ) -> Option<Vec<DefinitionId>> {
        let taken = |files: &[FileId]| self.taken_from(files, import.original, local, usage);
        let of_parents = match import.parents {
            [] => None,
            parents => taken(parents),
        };
        match of_parents {
            Some(found) if self.program.decide(&found, usage) => Some(found),
            modules => taken(import.files).or(modules),
        }
    }

    /// Resolves a name outside of types in these files, also if they re-export it from other files.
    /// A module comes last for a call, because it hides no re-exported function.
    pub(super) fn taken_from(
        &self,
        files: &[FileId],
        name: Name,
        local: Name,
        usage: Usage,
    ) -> Option<Vec<DefinitionId>> {
        let mut modules = Vec::new();
        let found = self.first_taken(files, name, local, |found| {
            if self.program.decide(&found, usage) {
                return Some(found);
            }
            modules.extend(found);
            None
        });
        match found {
            Some(found) => Some(match usage {
                Usage::Call => self.program.fitting(found, usage),
                Usage::Type => found,
                Usage::Other => [modules, found].concat(),
            }),
            None => (!modules.is_empty()).then_some(modules),
        }
    }

    /// Returns the first definitions that `take` accepts: those in the files, then those that the
    /// files re-export, step by step.
    fn first_taken(
        &self,
        files: &[FileId],
        name: Name,
        local: Name,
        mut take: impl FnMut(Vec<DefinitionId>) -> Option<Vec<DefinitionId>>,
    ) -> Option<Vec<DefinitionId>> {
        if let Some(found) = take(self.outermost_in(files, name)) {
            return Some(found);
        }
        if name == self.program.known.default
            && let Some(found) = take(self.outermost_in(files, local))
        {
            return Some(found);
        }
        let mut open: Vec<(FileId, Name)> = files.iter().map(|file| (*file, name)).collect();
        for _ in 0..MOST_REEXPORTS {
            let mut next: Vec<(FileId, Name)> = Vec::new();
            for (file, name) in open {
                self.add_reexports(file, name, &mut next);
            }
            next.truncate(64);
            for (file, name) in &next {
                let found = self.outermost_in(std::slice::from_ref(file), *name);
                if let Some(found) = take(found) {
                    return Some(found);
                }
            }
            open = next;
        }
        None
    }

    fn add_reexports(&self, file: FileId, name: Name, next: &mut Vec<(FileId, Name)>) {
        for import in &self.program.files[file.0 as usize].imports {
            if !import.is_reexport {
                continue;
            }
            let named = import.names.iter().find(|(_, local)| *local == name);
            let original = match named {
                Some((original, _)) => *original,
                None if import.takes_all => name,
                None => continue,
            };
            let files = import.files.iter().filter(|other| **other != file);
            next.extend(files.map(|file| (*file, original)));
        }
    }

    /// Returns the definitions outside of types with that name in these files, in their order.
    pub(super) fn outermost_in(&self, files: &[FileId], name: Name) -> Vec<DefinitionId> {
        let program = self.program;
        if name == program.known.default {
            let defaults = files.iter().filter_map(|file| program.defaults.get(file));
            return defaults.copied().collect();
        }
        let all = program.all(name);
        if all.len().min(files.len()) > MOST_NAMESAKES {
            return Vec::new();
        }
        let found: Vec<DefinitionId> = if all.len() <= files.len() {
            let is_in = |id: &DefinitionId| files.binary_search(&program.definition(*id).file);
            all.iter().copied().filter(|id| is_in(id).is_ok()).collect()
        } else {
            let inside = files.iter().map(|file| program.named_in(*file, name));
            inside.flatten().copied().take(MOST_NAMESAKES).collect()
        };
        let outermost = found.into_iter().filter(|id| program.is_outermost(*id));
        outermost.collect()
    }
}
