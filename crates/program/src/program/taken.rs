//! Resolves a name in the files that it is imported from, also if they re-export it from other
//! files.

use super::intern::Name;
use super::namesakes::MOST_NAMESAKES;
use super::scope::Scope;
use super::{DefinitionId, FileId};

/// Maximum number of re-exports that are followed; real chains are short.
const MOST_REEXPORTS: usize = 5;

impl Scope<'_> {
    /// Resolves a name outside of types in these files, also if they re-export it from other files.
    pub(super) fn taken_from(
        &self,
        files: &[FileId],
        name: Name,
        local: Name,
    ) -> Option<Vec<DefinitionId>> {
        let found = self.outermost_in(files, name);
        if !found.is_empty() {
            return Some(found);
        }
        let program = self.program;
        if name == program.known.default {
            let found = self.outermost_in(files, local);
            if !found.is_empty() {
                return Some(found);
            }
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
                if !found.is_empty() {
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
