//! Names after the path of a package or module, which need no import.

use loom_syntax::SymbolKind;

use super::intern::Name;
use super::scope::{Asked, MOST_GLOBAL, Scope, UNKNOWN};
use super::{DefinitionId, FileId, Program};

impl Scope<'_> {
    /// What a full name means: `a.b.C` of Java and the like, whose packages need no import.
    pub(super) fn in_package(&self, asked: &Asked<'_>) -> Option<Vec<DefinitionId>> {
        let program = self.program;
        let qualifier = asked.qualifier.filter(|name| *name != UNKNOWN)?;
        let name = program.names.text(qualifier).trim_start_matches('\\');
        let package = program
            .package_ids
            .get(format!("{} {name}", self.family).as_str())?;
        let found = self.outermost_in(&program.packages[*package as usize], asked.name);
        (!found.is_empty()).then_some(found)
    }

    /// A function of a module in the same file or beside it, named by its path: of Rust,
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

/// The name of a file without its extension; of its folder for `mod.rs`.
fn stem(program: &Program, file: FileId) -> &[u8] {
    let name = program.path(file).file_name();
    let folder = program.folder(file);
    let of_folder = folder.rsplit(|byte| *byte == b'/').next();
    match name {
        b"mod.rs" | b"lib.rs" => of_folder.unwrap_or_default(),
        _ => name.split(|byte| *byte == b'.').next().unwrap_or(name),
    }
}

/// How many bytes two paths share at their start.
fn shared(program: &Program, one: FileId, other: FileId) -> usize {
    let one = program.path(one).as_bytes();
    let other = program.path(other).as_bytes();
    let pairs = one.iter().zip(other);
    pairs.take_while(|(one, other)| one == other).count()
}
