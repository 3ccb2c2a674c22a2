//! Name resolution across a repository: the definitions of all files, and for each use of a name
//! the definitions that it may refer to, found through scopes, imports and qualifiers. No code runs
//! and no type is inferred: if the text is not clear, the share of each candidate is small. The
//! result names its evidence.
//!
//! There are two steps: files and their imports are added to a [`ProgramBuilder`]; the finished
//! [`Program`] answers queries from any thread.

mod bodies;
mod build;
mod default_export;
mod full_names;
mod inherit;
mod intern;
mod meaning;
mod namesakes;
mod parents;
mod places;
mod scope;
mod stored;
mod taken;
mod usage;
mod used;
mod values;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use loom_base::{Column, RepoPath};
use loom_syntax::{Language, SymbolKind, Visibility};

pub use build::ProgramBuilder;
pub use default_export::default_export;
use intern::{Interner, Name};
pub use meaning::{NameResolution, ResolvedBy};
use namesakes::Namesakes;
pub use scope::Scope;
pub use used::Use;

/// File, by the order in which it was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// Definition, by its index among all of them: those of a file are consecutive, in the order of its
/// symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub u32);

/// Symbol of a file.
#[derive(Clone, Debug)]
pub struct Definition {
    /// File of the definition.
    pub file: FileId,
    /// Index among the symbols of the file.
    pub symbol: u32,
    /// Kind of symbol.
    pub kind: SymbolKind,
    /// Visibility.
    pub visibility: Visibility,
    /// True if it is a test, inside one, or in a file of tests.
    pub is_test: bool,
    /// True if it has a body and is not only a declaration.
    has_body: bool,
    name: Name,
    /// Name of the type that it belongs to.
    owner: Option<Name>,
    /// Enclosing definition.
    parent: Option<DefinitionId>,
}

#[derive(Debug)]
struct File {
    path: RepoPath,
    /// Family: the languages whose files can import each other.
    family: &'static str,
    is_test: bool,
    /// Index of its first definition.
    first: u32,
    /// Index after its last definition.
    end: u32,
    packages: Vec<u32>,
    /// Range of its uses among those of all files.
    uses: Range<usize>,
    imports: Vec<Imported>,
}

/// Import, reduced to names.
#[derive(Debug)]
struct Imported {
    /// Files of the repository; empty if it refers to something outside.
    files: Vec<FileId>,
    /// Parent modules of the files, if the import names the files as modules: the parents may give
    /// the same names another meaning.
    parents: Vec<FileId>,
    /// Name of the module in the importing file: its last part, or an alias.
    module: Name,
    /// Full path of the module, as written.
    path: Name,
    /// Imported names, each with its name in this file.
    names: Vec<(Name, Name)>,
    takes_all: bool,
    /// True if names are imported, and not only the module.
    has_names: bool,
    is_reexport: bool,
}

/// Definitions of all files, and the resolution of names.
#[derive(Debug)]
pub struct Program {
    names: Interner,
    files: Vec<File>,
    definitions: Vec<Definition>,
    /// Uses of all files, one file after the other.
    uses: Column<Use>,
    /// Definitions of each name, in their order.
    by_name: Namesakes,
    /// Names of types.
    type_names: HashSet<Name>,
    /// `impl` blocks of Rust, by file and type.
    impls: HashMap<(FileId, Name), Vec<DefinitionId>>,
    ids: HashMap<RepoPath, FileId>,
    /// Files of each package.
    packages: Vec<Vec<FileId>>,
    /// Packages by their names.
    package_ids: HashMap<Box<str>, u32>,
    /// Default exports of JavaScript files.
    defaults: HashMap<FileId, DefinitionId>,
    /// Parts of the qualifiers, by the number of their text.
    parts: HashMap<Name, Vec<Name>>,
    /// Bases of types.
    bases: HashMap<DefinitionId, Vec<DefinitionId>>,
    known: build::SpecialNames,
}

impl Program {
    /// Returns the number of files.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Returns the id of a file.
    pub fn file(&self, path: &RepoPath) -> Option<FileId> {
        self.ids.get(path).copied()
    }

    /// Returns the path of a file.
    pub fn path(&self, file: FileId) -> &RepoPath {
        &self.files[file.0 as usize].path
    }

    /// Returns whether a file contains tests, according to its path or its definitions.
    pub fn is_test(&self, file: FileId) -> bool {
        self.files[file.0 as usize].is_test
    }

    /// Returns all definitions; a [`DefinitionId`] is an index of this list.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// Returns a definition.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// Returns the definition of a symbol, by its index in the file.
    pub fn definition_of(&self, file: FileId, symbol: usize) -> Option<DefinitionId> {
        let file = &self.files[file.0 as usize];
        let id = file.first + u32::try_from(symbol).ok()?;
        (id < file.end).then_some(DefinitionId(id))
    }

    /// Returns the definitions of a file, in the order of its symbols.
    pub fn of_file(&self, file: FileId) -> impl Iterator<Item = DefinitionId> + use<> {
        let file = &self.files[file.0 as usize];
        (file.first..file.end).map(DefinitionId)
    }

    /// Returns the name of a definition.
    pub fn name(&self, id: DefinitionId) -> &str {
        self.names.text(self.definition(id).name)
    }

    /// Returns the name of the type that it belongs to, which may be in another file.
    pub fn owner(&self, id: DefinitionId) -> Option<&str> {
        let owner = self.definition(id).owner?;
        Some(self.names.text(owner))
    }

    /// Returns the enclosing definition.
    pub fn parent(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.definition(id).parent
    }

    /// Returns the definitions with that name that code can refer to, in their order.
    pub fn named(&self, name: &str) -> &[DefinitionId] {
        self.names.get(name).map_or(&[], |name| self.all(name))
    }

    /// Returns the types that a type inherits from or implements, if they are in the repository.
    pub fn bases(&self, id: DefinitionId) -> &[DefinitionId] {
        self.bases.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Returns the uses of a file: equal uses are merged, and the order is deterministic but has no
    /// meaning.
    pub fn uses(&self, file: FileId) -> &[Use] {
        &self.uses[self.files[file.0 as usize].uses.clone()]
    }

    /// Returns the used name.
    pub fn used_name(&self, one: &Use) -> &str {
        self.names.text(one.name())
    }

    /// Returns the uses of all files, which [`Self::write`] does not write.
    pub fn use_column(&self) -> &Column<Use> {
        &self.uses
    }

    /// Returns all names that files define or use, by their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.texts()
    }

    /// Returns the number of a definition's name, as an index of [`Self::names`].
    pub fn name_number(&self, id: DefinitionId) -> u32 {
        self.definition(id).name.0
    }

    /// Returns the files that a file imports, in the order of the text, each once, with the number
    /// of files of that import.
    pub fn imported(&self, file: FileId) -> Vec<(FileId, usize)> {
        let mut found: Vec<(FileId, usize)> = Vec::new();
        for import in &self.files[file.0 as usize].imports {
            for one in import.files.iter().filter(|one| **one != file) {
                found.push((*one, import.files.len()));
            }
        }
        found.sort_unstable();
        found.dedup_by_key(|(file, _)| *file);
        found
    }

    /// Returns the scope of a file.
    pub fn scope(&self, file: FileId) -> Scope<'_> {
        Scope::new(self, file)
    }

    fn all(&self, name: Name) -> &[DefinitionId] {
        self.by_name.get(name)
    }

    /// Returns the definitions of a name, unless they are too many to compare for one use.
    fn few(&self, name: Name) -> &[DefinitionId] {
        let all = self.all(name);
        match all.len() <= namesakes::MOST_NAMESAKES {
            true => all,
            false => &[],
        }
    }

    /// Returns the definitions of a name in one file.
    fn named_in(&self, file: FileId, name: Name) -> &[DefinitionId] {
        let all = self.all(name);
        let file = &self.files[file.0 as usize];
        let start = all.partition_point(|one| one.0 < file.first);
        let end = start + all[start..].partition_point(|one| one.0 < file.end);
        &all[start..end]
    }

    fn family(&self, file: FileId) -> &'static str {
        self.files[file.0 as usize].family
    }

    fn folder(&self, file: FileId) -> &[u8] {
        let path = self.path(file).as_bytes();
        let end = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        &path[..end]
    }

    /// Returns whether a definition is outside of types and functions.
    fn is_outermost(&self, id: DefinitionId) -> bool {
        let one = self.definition(id);
        one.owner.is_none()
            && one
                .parent
                .is_none_or(|parent| self.definition(parent).kind == SymbolKind::Module)
    }
}

/// Returns the `impl` blocks among `definitions`, in their order.
fn impls(definitions: &[Definition]) -> HashMap<(FileId, Name), Vec<DefinitionId>> {
    let mut impls: HashMap<(FileId, Name), Vec<DefinitionId>> = HashMap::new();
    for (one, id) in definitions.iter().zip(0..) {
        if one.kind == SymbolKind::Impl {
            let of_type = impls.entry((one.file, one.name)).or_default();
            of_type.push(DefinitionId(id));
        }
    }
    impls
}

/// Returns the names of the types among `definitions`.
fn type_names(definitions: &[Definition]) -> HashSet<Name> {
    let is_type =
        |one: &&Definition| namesakes::can_be_referenced(one.kind) && scope::is_type(one.kind);
    let types = definitions.iter().filter(is_type);
    types.map(|one| one.name).collect()
}

/// Returns the family of a language, whose files can import each other.
pub(crate) fn family_of(language: Language) -> &'static str {
    crate::subjects::family(language.id())
}

#[cfg(test)]
mod tests;
