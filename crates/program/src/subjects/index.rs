//! Index of the definitions of a repository by name: functions and types that are not tests, and
//! re-exports.

use std::collections::HashMap;

use loom_syntax::{Import, ImportKind, Language, Structure, Symbol, SymbolKind};

use super::{places, words};
use crate::Resolution;

/// File, by its position in the index.
pub(super) type FileId = u32;

/// Definition that a test can test.
#[derive(Debug)]
pub(super) struct Def {
    pub(super) file: FileId,
    pub(super) name: Box<str>,
    pub(super) qualified: Box<str>,
    /// Name of the type that it belongs to.
    pub(super) owner: Option<Box<str>>,
    pub(super) is_type: bool,
}

impl Def {
    pub(super) fn owner_length(&self) -> usize {
        self.owner.as_deref().map_or(0, str::len)
    }
}

/// File of the index.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: Box<str>,
    pub(super) language: &'static str,
    pub(super) is_test: bool,
    packages: Vec<Box<str>>,
    reexports: Vec<Reexport>,
}

/// Re-export of a file: `pub use`, `export … from`, the imports of an `__init__.py`.
#[derive(Debug)]
struct Reexport {
    names: Vec<Box<str>>,
    locals: Vec<(Box<str>, Box<str>)>,
    files: Vec<FileId>,
}

/// Definitions and files, by name.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) files: Vec<File>,
    pub(super) defs: Vec<Def>,
    ids: HashMap<Box<str>, FileId>,
    by_name: HashMap<Box<str>, Vec<u32>>,
    by_plain: HashMap<Box<str>, Vec<u32>>,
    by_package: HashMap<Box<str>, Vec<FileId>>,
    by_stem: HashMap<Box<str>, Vec<FileId>>,
}

impl Index {
    pub(super) fn add(&mut self, path: &str, language: Language, structure: &Structure) {
        let id = FileId::try_from(self.files.len()).unwrap_or(FileId::MAX);
        let language = family(language.id());
        let is_test = places::is_test(path) || is_mostly_tests(language, structure);
        let packages = packages(path, language, structure);
        for package in &packages {
            self.by_package.entry(package.clone()).or_default().push(id);
        }
        let stem = places::stem(path.rsplit('/').next().unwrap_or(path));
        let stem = words::plain(stem).into_boxed_str();
        self.ids.insert(path.into(), id);
        self.files.push(File {
            path: path.into(),
            language,
            is_test,
            packages,
            reexports: Vec::new(),
        });
        if is_test {
            return;
        }
        self.by_stem.entry(stem).or_default().push(id);
        for (at, symbol) in structure.symbols.iter().enumerate() {
            if is_subject(symbol) && !is_test_code(structure, at) {
                self.define(id, structure, symbol);
            }
        }
    }

    fn define(&mut self, file: FileId, structure: &Structure, symbol: &Symbol) {
        let at = u32::try_from(self.defs.len()).unwrap_or(u32::MAX);
        let owner = owner(structure, symbol);
        let name: Box<str> = symbol.name.as_str().into();
        self.by_name.entry(name.clone()).or_default().push(at);
        let plain = words::plain(&name);
        if let Some(owner) = &owner {
            let both = format!("{}{plain}", words::plain(owner));
            self.by_plain.entry(both.into()).or_default().push(at);
        }
        self.by_plain.entry(plain.into()).or_default().push(at);
        self.defs.push(Def {
            file,
            name,
            qualified: symbol.qualified.as_str().into(),
            owner: owner.map(Into::into),
            is_type: symbol.kind.is_type() || symbol.kind == SymbolKind::Type,
        });
    }

    /// Adds the re-exports among the imports of a file.
    pub(super) fn add_imports(&mut self, path: &str, imports: &[(Import, Resolution)]) {
        let Some(id) = self.id(path) else { return };
        let all = path.ends_with("__init__.py");
        let mut reexports = Vec::new();
        for (import, meaning) in imports {
            let Resolution::Files(files) = meaning else {
                continue;
            };
            if !all && import.kind != ImportKind::Export {
                continue;
            }
            let boxed = |text: &String| text.as_str().into();
            reexports.push(Reexport {
                names: import.names.iter().map(boxed).collect(),
                locals: import
                    .locals
                    .iter()
                    .map(|(name, local)| (boxed(name), boxed(local)))
                    .collect(),
                files: files
                    .iter()
                    .filter_map(|path| self.id(path.as_str()?))
                    .filter(|file| *file != id)
                    .collect(),
            });
        }
        self.files[id as usize].reexports = reexports;
    }

    pub(super) fn id(&self, path: &str) -> Option<FileId> {
        self.ids.get(path).copied()
    }

    /// Returns the definitions with that name.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Def> {
        let found = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        found.iter().map(|at| &self.defs[*at as usize])
    }

    /// Returns the definitions with that name in lower case, with or without their owner's name.
    pub(super) fn plainly_named(&self, plain: &str) -> impl Iterator<Item = &Def> {
        let found = self.by_plain.get(plain).map_or(&[][..], Vec::as_slice);
        found.iter().map(|at| &self.defs[*at as usize])
    }

    /// Returns the files of the same packages.
    pub(super) fn in_same_packages(&self, file: FileId) -> Vec<FileId> {
        let packages = self.files[file as usize].packages.iter();
        let found = packages.filter_map(|package| self.by_package.get(package));
        found
            .flatten()
            .copied()
            .filter(|one| *one != file)
            .collect()
    }

    /// Returns the files with that name in a family of languages.
    pub(super) fn with_stem(&self, stem: &str, language: &str) -> Vec<FileId> {
        let found = self.by_stem.get(stem).map_or(&[][..], Vec::as_slice);
        let is_like = |id: &FileId| self.files[*id as usize].language == language;
        found.iter().copied().filter(is_like).collect()
    }

    /// Resolves a name outside of types in these files, also if they re-export it from other files.
    pub(super) fn taken_from(&self, files: &[FileId], name: &str, local: &str) -> Option<&Def> {
        let mut open: Vec<(FileId, String)> =
            files.iter().map(|file| (*file, name.to_owned())).collect();
        // Real chains of re-exports are short.
        for _ in 0..4 {
            if let Some(def) = open.iter().find_map(|(file, name)| {
                let own = self.outermost(*file, name);
                own.or_else(|| (name == "default").then(|| self.outermost(*file, local))?)
            }) {
                return Some(def);
            }
            let next = open.iter().flat_map(|(file, name)| self.next(*file, name));
            open = next.take(64).collect();
        }
        None
    }

    fn outermost(&self, file: FileId, name: &str) -> Option<&Def> {
        self.named(name)
            .find(|def| def.file == file && def.owner.is_none())
    }

    fn next(&self, file: FileId, name: &str) -> Vec<(FileId, String)> {
        let mut next = Vec::new();
        for handed in &self.files[file as usize].reexports {
            let other = handed.locals.iter().find(|(_, local)| **local == *name);
            let original = match other {
                Some((original, _)) => original,
                None if handed
                    .names
                    .iter()
                    .any(|one| **one == *name || **one == *"*") =>
                {
                    name
                }
                None => continue,
            };
            next.extend(handed.files.iter().map(|file| (*file, original.to_owned())));
        }
        next
    }
}

/// Returns the family of a language, whose files can import each other.
pub(crate) fn family(id: &'static str) -> &'static str {
    match id {
        "jsx" | "typescript" | "tsx" | "vue" | "svelte" => "javascript",
        "kotlin" | "scala" => "java",
        "cpp" | "objc" => "c",
        id => id,
    }
}

/// Returns the packages of a file, whose files see each other without an import.
pub(crate) fn packages(path: &str, language: &str, structure: &Structure) -> Vec<Box<str>> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    match language {
        "go" => vec![format!("go {folder}").into()],
        // A target of Swift is one module, and tests import it as a whole.
        "swift" => vec!["swift".into()],
        "java" | "csharp" | "php" => {
            let packages = structure.packages.iter();
            packages
                .map(|one| format!("{language} {one}").into())
                .collect()
        }
        _ => Vec::new(),
    }
}

fn is_subject(symbol: &Symbol) -> bool {
    let kind = symbol.kind;
    let is_type = kind.is_type() && kind != SymbolKind::Impl;
    kind.is_function() || is_type || matches!(kind, SymbolKind::Type | SymbolKind::Macro)
}

/// Returns whether a symbol is a test or is inside one.
pub(crate) fn is_test_code(structure: &Structure, at: usize) -> bool {
    let mut open = Some(at);
    // Only crafted code is nested deeper than this.
    for _ in 0..64 {
        let Some(at) = open else { break };
        if structure.symbols[at].is_test {
            return true;
        }
        open = structure.symbols[at].parent;
    }
    false
}

/// Returns whether a file is for tests, according to its symbols. Rust has tests in the files that
/// they test, so the rule does not apply to it.
pub(crate) fn is_mostly_tests(language: &str, structure: &Structure) -> bool {
    if language == "rust" {
        return false;
    }
    let is_run = |symbol: &&Symbol| symbol.kind.is_function() || symbol.kind == SymbolKind::Test;
    let all = structure.symbols.iter().filter(is_run).count();
    let is_one = |symbol: &&Symbol| is_run(symbol) && symbol.is_test;
    let tests = structure.symbols.iter().filter(is_one).count();
    tests > 0 && tests * 2 >= all
}

/// Returns the type that a symbol belongs to, which may be in another file.
pub(crate) fn owner<'s>(structure: &'s Structure, symbol: &'s Symbol) -> Option<&'s str> {
    if !matches!(symbol.kind, SymbolKind::Method | SymbolKind::Constructor) {
        let parent = symbol.parent.map(|at| &structure.symbols[at])?;
        return parent.kind.is_type().then_some(parent.name.as_str());
    }
    let before = &symbol.qualified[..symbol.qualified.len().checked_sub(symbol.name.len())?];
    let before = before.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '>');
    let before = before.split('<').next().unwrap_or(before);
    let last = before
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    last.filter(|name| !name.is_empty())
}
