//! Inheritance between types, and inherited members.

use std::collections::HashMap;

use loom_syntax::ReferenceKind;

use super::intern::Name;
use super::namesakes::MOST_NAMESAKES;
use super::{DefinitionId, FileId, Program};

/// Maximum depth of inheritance: real hierarchies are lower, and a type may inherit from itself by
/// mistake.
const STEPS: usize = 8;

/// Returns the bases of all types, if the repository defines them.
pub(super) fn bases(program: &Program) -> HashMap<DefinitionId, Vec<DefinitionId>> {
    let mut bases: HashMap<DefinitionId, Vec<DefinitionId>> = HashMap::new();
    for file in (0..program.files.len()).filter_map(|at| u32::try_from(at).ok()) {
        let file = FileId(file);
        let mut scope = None;
        for one in program.uses(file) {
            let is_base = matches!(
                one.kind(),
                ReferenceKind::Inherit | ReferenceKind::Implement
            );
            let from = one.from().filter(|_| is_base);
            let from = from.and_then(|from| program.definition_of(file, from as usize));
            let Some(from) = from.filter(|from| program.definition(*from).kind.is_type()) else {
                continue;
            };
            let scope = scope.get_or_insert_with(|| program.scope(file));
            let meaning = scope.meaning(one);
            let targets = meaning.targets.iter().map(|(target, _)| *target);
            let types = targets.filter(|target| *target != from);
            bases.entry(from).or_default().extend(types.take(4));
        }
    }
    bases
}

impl Program {
    /// Returns the members with that name of a type or its bases.
    pub(super) fn member(&self, owner: DefinitionId, name: Name) -> Vec<DefinitionId> {
        let mut open = vec![owner];
        let mut seen = open.clone();
        for _ in 0..STEPS {
            for one in &open {
                let found = self.own_member(*one, name);
                if !found.is_empty() {
                    return found;
                }
            }
            let mut next = Vec::new();
            for base in open.iter().flat_map(|one| self.all_bases(*one)) {
                if !seen.contains(&base) && seen.len() < 64 {
                    seen.push(base);
                    next.push(base);
                }
            }
            open = next;
        }
        Vec::new()
    }

    /// Returns the members that are declared in the type itself, or elsewhere for it.
    fn own_member(&self, owner: DefinitionId, name: Name) -> Vec<DefinitionId> {
        let of_type = self.definition(owner);
        // For a very common name, the members in the type's own file are the nearest.
        let all = match self.all(name) {
            all if all.len() <= MOST_NAMESAKES => all,
            _ => self.named_in(of_type.file, name),
        };
        let all = all.iter().copied().take(MOST_NAMESAKES);
        let of_name = all.filter(|one| self.definition(*one).owner == Some(of_type.name));
        let mut best = 0;
        let mut found = Vec::new();
        for one in of_name {
            let near = self.nearness(self.definition(one).file, of_type.file);
            if near > best {
                best = near;
                found.clear();
            }
            if near == best && near > 0 {
                found.push(one);
            }
        }
        found
    }

    /// Returns how near two files are; 0 if they are unrelated.
    pub(super) fn nearness(&self, one: FileId, other: FileId) -> u8 {
        let packages = |file: FileId| &self.files[file.0 as usize].packages;
        if one == other {
            3
        } else if self.family(one) != self.family(other) {
            0
        } else if self.folder(one) == self.folder(other) {
            2
        } else {
            let is_shared = packages(one).iter().any(|id| packages(other).contains(id));
            // Declared in a directory of headers, or implemented anywhere.
            let is_open = matches!(self.family(one), "c" | "rust" | "ruby" | "swift");
            u8::from(is_shared || is_open)
        }
    }

    /// Returns the bases of a type, declared with the type or with its `impl` blocks in the same
    /// file.
    fn all_bases(&self, owner: DefinitionId) -> Vec<DefinitionId> {
        let mut found = self.bases(owner).to_vec();
        let of_type = self.definition(owner);
        if self.family(of_type.file) == "rust" {
            let impls = self.impls.get(&(of_type.file, of_type.name));
            for one in impls.into_iter().flatten().take(MOST_NAMESAKES) {
                found.extend(self.bases(*one));
            }
        }
        found
    }
}
