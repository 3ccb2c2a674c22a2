//! What names mean across a repository: the definitions of all files, and for each use
//! of a name the definitions that it may mean, followed through scopes, imports and
//! qualifiers. Nothing is run and no type is inferred: where the text does not tell,
//! the share of each candidate is small, and how it is known is told.
//!
//! Two steps: files and their imports are added to a [`ProgramBuilder`]; the finished
//! [`Program`] answers from any thread.

mod bodies;
mod build;
mod default_export;
mod full_names;
mod inherit;
mod intern;
mod meaning;
mod namesakes;
mod places;
mod scope;
mod stored;
mod taken;
mod used;
mod values;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use loom_base::{Column, RepoPath};
use loom_syntax::{Language, SymbolKind, Visibility};

pub use build::ProgramBuilder;
pub use default_export::default_export;
use intern::{Interner, Name};
pub use meaning::{By, Meaning};
use namesakes::Namesakes;
pub use scope::Scope;
pub use used::Use;

/// A file, by the order in which it was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A definition, by its place among all of them: those of a file follow each other in
/// the order of its symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub u32);

/// A symbol of a file.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its file.
    pub file: FileId,
    /// Its place among the symbols of the file.
    pub symbol: u32,
    /// What it is.
    pub kind: SymbolKind,
    /// Who may use it.
    pub visibility: Visibility,
    /// Whether it is a test, stands in one, or in a file of tests.
    pub is_test: bool,
    /// Whether more of it is there than a declaration: a body.
    has_body: bool,
    name: Name,
    /// The name of the type that it belongs to.
    owner: Option<Name>,
    /// The definition around it.
    parent: Option<DefinitionId>,
}

#[derive(Debug)]
struct File {
    path: RepoPath,
    /// Of the family: the languages whose files see each other.
    family: &'static str,
    is_test: bool,
    /// The first of its definitions.
    first: u32,
    /// One behind the last.
    end: u32,
    packages: Vec<u32>,
    /// Its uses, among those of all files.
    uses: Range<usize>,
    imports: Vec<Imported>,
}

/// An import, as far as names are concerned.
#[derive(Debug)]
struct Imported {
    /// Files of the repository; none where it means something outside.
    files: Vec<FileId>,
    /// The module, as the file may call it: its last part, or another name.
    module: Name,
    /// The same in full, as written.
    path: Name,
    /// What is taken from it, and its name here.
    names: Vec<(Name, Name)>,
    takes_all: bool,
    /// Whether the names are taken, and not the module alone.
    has_names: bool,
    hands_on: bool,
}

/// Everything that files define, and what their names mean.
#[derive(Debug)]
pub struct Program {
    names: Interner,
    files: Vec<File>,
    definitions: Vec<Definition>,
    /// The uses of all files, one file after the other.
    uses: Column<Use>,
    /// The definitions of each name, in their order.
    by_name: Namesakes,
    /// The names that types have.
    type_names: HashSet<Name>,
    /// The `impl` blocks of Rust, by file and type.
    impls: HashMap<(FileId, Name), Vec<DefinitionId>>,
    ids: HashMap<RepoPath, FileId>,
    /// The files of each package.
    packages: Vec<Vec<FileId>>,
    /// The packages by their names.
    package_ids: HashMap<Box<str>, u32>,
    /// What files of JavaScript hand out without a name.
    defaults: HashMap<FileId, DefinitionId>,
    /// The parts of the qualifiers, by the number of their text.
    parts: HashMap<Name, Vec<Name>>,
    /// What types inherit from.
    bases: HashMap<DefinitionId, Vec<DefinitionId>>,
    known: build::Known,
}

impl Program {
    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The number of a file.
    pub fn file(&self, path: &RepoPath) -> Option<FileId> {
        self.ids.get(path).copied()
    }

    /// The path of a file.
    pub fn path(&self, file: FileId) -> &RepoPath {
        &self.files[file.0 as usize].path
    }

    /// Whether a file holds tests, by its path or by what it defines.
    pub fn is_test(&self, file: FileId) -> bool {
        self.files[file.0 as usize].is_test
    }

    /// All definitions; a [`DefinitionId`] is a place in here.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// One of them.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// The definition of a symbol, by its place in the file.
    pub fn definition_of(&self, file: FileId, symbol: usize) -> Option<DefinitionId> {
        let file = &self.files[file.0 as usize];
        let id = file.first + u32::try_from(symbol).ok()?;
        (id < file.end).then_some(DefinitionId(id))
    }

    /// The definitions of a file, in the order of its symbols.
    pub fn of_file(&self, file: FileId) -> impl Iterator<Item = DefinitionId> + use<> {
        let file = &self.files[file.0 as usize];
        (file.first..file.end).map(DefinitionId)
    }

    /// Its name.
    pub fn name(&self, id: DefinitionId) -> &str {
        self.names.text(self.definition(id).name)
    }

    /// The name of the type that it belongs to, which may stand in another file.
    pub fn owner(&self, id: DefinitionId) -> Option<&str> {
        let owner = self.definition(id).owner?;
        Some(self.names.text(owner))
    }

    /// The definition around it.
    pub fn parent(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.definition(id).parent
    }

    /// The definitions of that name that names can mean: of code, in their order.
    pub fn named(&self, name: &str) -> &[DefinitionId] {
        self.names.get(name).map_or(&[], |name| self.all(name))
    }

    /// What a type inherits from and implements, as far as it is in the repository.
    pub fn bases(&self, id: DefinitionId) -> &[DefinitionId] {
        self.bases.get(&id).map_or(&[], Vec::as_slice)
    }

    /// What a file uses: alike uses together, in an order of no meaning but the same
    /// for the same file.
    pub fn uses(&self, file: FileId) -> &[Use] {
        &self.uses[self.files[file.0 as usize].uses.clone()]
    }

    /// The name that is used.
    pub fn used_name(&self, one: &Use) -> &str {
        self.names.text(one.name())
    }

    /// Returns the uses of all files, which [`Self::write`] does not write.
    pub fn use_column(&self) -> &Column<Use> {
        &self.uses
    }

    /// All names that files define and use, by their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.texts()
    }

    /// The number of the name of a definition, among [`Self::names`].
    pub fn name_number(&self, id: DefinitionId) -> u32 {
        self.definition(id).name.0
    }

    /// The files that a file imports, in the order of the text, each once.
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

    /// What the names of a file mean.
    pub fn scope(&self, file: FileId) -> Scope<'_> {
        Scope::new(self, file)
    }

    fn all(&self, name: Name) -> &[DefinitionId] {
        self.by_name.of(name)
    }

    /// The definitions of a name, unless they are too many to be looked at for one use.
    fn few(&self, name: Name) -> &[DefinitionId] {
        let all = self.all(name);
        match all.len() <= namesakes::MOST_NAMESAKES {
            true => all,
            false => &[],
        }
    }

    /// The definitions of a name in one file.
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

    /// Whether a definition stands outside of types and functions.
    fn is_outermost(&self, id: DefinitionId) -> bool {
        let one = self.definition(id);
        one.owner.is_none()
            && one
                .parent
                .is_none_or(|parent| self.definition(parent).kind == SymbolKind::Module)
    }
}

/// The `impl` blocks among `definitions`, in their order.
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

/// The names that types among `definitions` have.
fn type_names(definitions: &[Definition]) -> HashSet<Name> {
    let is_type = |one: &&Definition| namesakes::can_be_meant(one.kind) && scope::is_type(one.kind);
    let types = definitions.iter().filter(is_type);
    types.map(|one| one.name).collect()
}

/// Languages whose files see each other.
pub(crate) fn family_of(language: Language) -> &'static str {
    crate::subjects::family(language.id())
}

#[cfg(test)]
mod tests;
