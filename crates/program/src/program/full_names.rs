//! Names that are qualified by a package or module, which need no import.

use loom_syntax::SymbolKind;

use super::intern::Name;
use super::scope::{MOST_GLOBAL, NameLookup, Scope, UNKNOWN};
use super::{DefinitionId, FileId, Program};

impl Scope<'_> {
    /// Resolves a full name: `a.b.C` of Java and similar languages, whose packages need no import.
    pub(super) fn in_package(&self, lookup: &NameLookup<'_>) -> Option<Vec<DefinitionId>> {
        let program = self.program;
        let qualifier = lookup.qualifier.filter(|name| *name != UNKNOWN)?;
        let name = program.names.text(qualifier).trim_start_matches('\\');
        let package = program
            .package_ids
            .get(format!("{} {name}", self.family).as_str())?;
        let found = self.outermost_in(&program.packages[*package as usize], lookup.name);
        (!found.is_empty()).then_some(found)
    }

    /// Resolves a function of a module in the same or a sibling file, named by its path: for Rust,
    /// whose modules need no import.
    pub(super) fn in_module(&self, module: Name, name: Name) -> Option<Vec<DefinitionId>> {
        let program = self.program;
        let is_in = |id: &DefinitionId| {
            let one = program.definition(*id);
            let parent = one.parent.map(|parent| program.definition(parent));
            one.owner.is_none()
                && match parent {
                    Some(parent) => parent.kind == SymbolKind::Module && parent.name == module,
                    None => stem(program, one.file) == program.names.text(module).as_bytes(),
                }
        };
        if !matches!(self.family, "rust" | "c" | "ruby") {
            return None;
        }
        let all = program.few(name).iter().copied();
        let found = all.filter(|id| self.may_mean(program.definition(*id)) && is_in(id));
        let mut found: Vec<DefinitionId> = found.collect();
        let near = |id: &DefinitionId| shared(program, program.definition(*id).file, self.file);
        let best = found.iter().map(near).max()?;
        found.retain(|id| near(id) == best);
        (!found.is_empty() && found.len() <= MOST_GLOBAL).then_some(found)
    }
}

/// Returns the name of a file without its extension; for `mod.rs`, the name of its directory.
fn stem(program: &Program, file: FileId) -> &[u8] {
    let name = program.path(file).file_name();
    let folder = program.folder(file);
    let of_folder = folder.rsplit(|byte| *byte == b'/').next();
    match name {
        b"mod.rs" | b"lib.rs" => of_folder.unwrap_or_default(),
        _ => name.split(|byte| *byte == b'.').next().unwrap_or(name),
    }
}

/// Returns the length of the common prefix of two paths.
fn shared(program: &Program, one: FileId, other: FileId) -> usize {
    let one = program.path(one).as_bytes();
    let other = program.path(other).as_bytes();
    let pairs = one.iter().zip(other);
    pairs.take_while(|(one, other)| one == other).count()
}
