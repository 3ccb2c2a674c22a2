//! Collects definitions, uses and imports of files, one file after another, in small records.

use std::collections::{HashMap, HashSet};

use loom_base::{ColumnBuilder, ColumnLost, InMemory, RepoPath, Scratch};
use loom_syntax::{Import, ImportKind, Language, Structure, Symbol, SymbolKind};

use super::default_export::default_export;
use super::intern::{Interner, Name};
use super::namesakes::Namesakes;
use super::{
    Definition, DefinitionId, File, FileId, Imported, Program, Use, family_of, inherit, parents,
};
use crate::Resolution;
use crate::subjects::{is_mostly_tests, is_test_code, is_test_path, owner, packages};

/// Builder of a [`Program`]: add the files of a repository, then their imports.
#[derive(Debug)]
pub struct ProgramBuilder<'a> {
    names: Interner,
    files: Vec<File>,
    definitions: Vec<Definition>,
    uses: ColumnBuilder<'a, Use>,
    ids: HashMap<RepoPath, FileId>,
    package_ids: HashMap<Box<str>, u32>,
    packages: Vec<Vec<FileId>>,
    parts: HashMap<Name, Vec<Name>>,
    receivers: HashMap<DefinitionId, Name>,
    defaults: HashMap<FileId, DefinitionId>,
}

/// Names with a special meaning.
#[derive(Debug)]
pub(super) struct SpecialNames {
    /// Names for the enclosing type: `self`, `this`.
    pub(super) own: HashSet<Name>,
    /// Names for a base type: `super`, `parent`, `base`.
    pub(super) above: HashSet<Name>,
    /// `default` of JavaScript.
    pub(super) default: Name,
    /// Name of the receiver of each Go method.
    pub(super) receivers: HashMap<DefinitionId, Name>,
}

impl SpecialNames {
    /// Creates the set; `number` interns a word.
    pub(super) fn new(
        receivers: HashMap<DefinitionId, Name>,
        mut number: impl FnMut(&str) -> Name,
    ) -> Self {
        let mut set = |words: &[&str]| words.iter().map(|word| number(word)).collect();
        Self {
            own: set(&["self", "this", "Self", "cls", "$this", "static", "@this"]),
            above: set(&["super", "parent", "base"]),
            default: number("default"),
            receivers,
        }
    }
}

impl Default for ProgramBuilder<'_> {
    fn default() -> Self {
        Self::new(&InMemory)
    }
}

impl<'a> ProgramBuilder<'a> {
    /// Creates a builder without files.
    pub fn new(scratch: &'a dyn Scratch) -> Self {
        Self {
            names: Interner::default(),
            files: Vec::new(),
            definitions: Vec::new(),
            uses: ColumnBuilder::new(scratch),
            ids: HashMap::new(),
            package_ids: HashMap::new(),
            packages: Vec::new(),
            parts: HashMap::new(),
            receivers: HashMap::new(),
            defaults: HashMap::new(),
        }
    }

    /// Adds the definitions and uses of a file.
    pub fn add_file(&mut self, path: &RepoPath, language: Language, structure: &Structure) {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let family = family_of(language);
        let text = path.display();
        let is_test = is_test_path(&text) || is_mostly_tests(family, structure);
        let first = self.next_definition();
        for (at, symbol) in structure.symbols.iter().enumerate() {
            self.define(id, first, structure, at, symbol, is_test);
        }
        if family == "javascript"
            && let Some(at) = default_export(structure)
        {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            self.defaults.insert(id, DefinitionId(first + at));
        }
        let packages = packages(&text, family, structure);
        let packages = packages.iter().map(|one| self.package(one, id)).collect();
        let uses = self.uses(structure);
        let first_use = self.uses.len();
        self.uses.extend_from_slice(&uses);
        self.ids.insert(path.clone(), id);
        self.files.push(File {
            path: path.clone(),
            family,
            is_test,
            first,
            end: self.next_definition(),
            packages,
            uses: first_use..self.uses.len(),
            imports: Vec::new(),
        });
    }

    /// Adds the imports of a file, after all files were added.
    pub fn add_imports(&mut self, path: &RepoPath, imports: &[(Import, Resolution)]) {
        let Some(id) = self.ids.get(path).copied() else {
            return;
        };
        let imports = imports
            .iter()
            .map(|(import, meaning)| self.import(id, import, meaning));
        self.files[id.0 as usize].imports = imports.collect();
    }

    /// Returns the program of all files.
    ///
    /// # Errors
    /// Returns an error if the scratch space lost uses.
    pub fn finish(mut self) -> Result<Program, ColumnLost> {
        let known = SpecialNames::new(self.receivers, |word| self.names.intern(word));
        let by_name = Namesakes::new(&self.definitions, self.names.len()).unwrap_or_default();
        let mut program = Program {
            type_names: super::type_names(&self.definitions),
            impls: super::impls(&self.definitions),
            names: self.names,
            files: self.files,
            definitions: self.definitions,
            by_name,
            uses: self.uses.finish()?,
            ids: self.ids,
            packages: self.packages,
            package_ids: self.package_ids,
            defaults: self.defaults,
            parts: self.parts,
            bases: HashMap::new(),
            known,
        };
        program.bases = inherit::bases(&program);
        Ok(program)
    }

    fn next_definition(&self) -> u32 {
        u32::try_from(self.definitions.len()).unwrap_or(u32::MAX)
    }

    fn define(
        &mut self,
        file: FileId,
        first: u32,
        structure: &Structure,
        at: usize,
        symbol: &Symbol,
        is_test_file: bool,
    ) {
        let id = DefinitionId(self.next_definition());
        let name = self.names.intern(&symbol.name);
        let owner = owner(structure, symbol).map(|owner| self.names.intern(owner));
        if let Some(receiver) = receiver(symbol) {
            let receiver = self.names.intern(receiver);
            self.receivers.insert(id, receiver);
        }
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.definitions.push(Definition {
            file,
            symbol: number(at),
            kind: symbol.kind,
            visibility: symbol.visibility,
            is_test: is_test_file || is_test_code(structure, at),
            has_body: symbol.body.is_some(),
            name,
            owner,
            parent: symbol.parent.map(|at| DefinitionId(first + number(at))),
        });
    }

    fn package(&mut self, name: &str, file: FileId) -> u32 {
        let next = u32::try_from(self.packages.len()).unwrap_or(u32::MAX);
        let id = *self.package_ids.entry(name.into()).or_insert(next);
        if id == next {
            self.packages.push(Vec::new());
        }
        self.packages[id as usize].push(file);
        id
    }

    fn uses(&mut self, structure: &Structure) -> Vec<Use> {
        let mut uses: Vec<Use> = Vec::with_capacity(structure.references.len());
        for reference in &structure.references {
            let qualifier = reference.qualifier.as_deref();
            uses.push(Use::new(
                self.names.intern(&reference.name),
                qualifier.map(|qualifier| self.qualifier(qualifier)),
                reference.from.and_then(|at| u32::try_from(at).ok()),
                reference.kind,
            ));
        }
        uses.sort_unstable();
        uses.dedup_by(|next, first| first.join(next));
        uses
    }

    fn qualifier(&mut self, text: &str) -> Name {
        let name = self.names.intern(text);
        if !self.parts.contains_key(&name) {
            let parts = parts(text);
            let parts = parts.iter().map(|part| self.names.intern(part)).collect();
            self.parts.insert(name, parts);
        }
        name
    }

    /// Returns the parent modules of imported files.
    fn parents(&self, from: FileId, files: &[FileId], import: &Import) -> Vec<FileId> {
        let family = self.files[from.0 as usize].family;
        let file = |id: &FileId| &self.files[id.0 as usize].path;
        let parents = files
            .iter()
            .flat_map(|id| parents::paths(family, file(id), import));
        let parents = parents.filter_map(|path| self.ids.get(&path).copied());
        let mut parents: Vec<FileId> = parents.filter(|parent| *parent != from).collect();
        parents.sort_unstable();
        parents.dedup();
        parents
    }

    fn import(&mut self, from: FileId, import: &Import, meaning: &Resolution) -> Imported {
        let family = self.files[from.0 as usize].family;
        let files = match meaning {
            Resolution::Files(files) => {
                let mut files: Vec<FileId> = files
                    .iter()
                    .filter_map(|path| self.ids.get(path).copied())
                    .collect();
                files.sort_unstable();
                files.dedup();
                files
            }
            Resolution::Unresolved(_) => Vec::new(),
        };
        let parents = self.parents(from, &files, import);
        // A hash map, because one statement may have thousands of names.
        let mut locals: HashMap<&str, &str> = HashMap::new();
        for (name, local) in &import.locals {
            locals.entry(name).or_insert(local);
        }
        let local_of = |name: &str| locals.get(name).copied();
        let last = import.module.rsplit(['/', '.', ':', '\\']).next();
        let last = last.unwrap_or_default();
        let module = local_of("*").or_else(|| local_of(last)).unwrap_or(last);
        let has_names = !import.names.is_empty();
        let mut names: Vec<(Name, Name)> = Vec::new();
        for (name, local) in import.locals.iter().filter(|(name, _)| name != "*") {
            names.push((self.names.intern(name), self.names.intern(local)));
        }
        for name in import.names.iter().filter(|name| *name != "*") {
            if local_of(name).is_none() {
                let name = self.names.intern(name);
                names.push((name, name));
            }
        }
        if !has_names {
            names.push((self.names.intern(last), self.names.intern(module)));
        }
        // Every Python module exports its imports. JavaScript can export an import in another
        // statement: if a file imports a name from there, it did.
        let is_exported = match family {
            "python" => true,
            "javascript" => has_names,
            _ => false,
        };
        Imported {
            files,
            parents,
            module: self.names.intern(module),
            path: self.names.intern(&import.module),
            names,
            takes_all: import.names.iter().any(|name| name == "*") && local_of("*").is_none(),
            has_names,
            is_reexport: is_exported || import.kind == ImportKind::Export,
        }
    }
}

/// Returns the name of a Go method's receiver: `s` in `func (s *Server) Run()`.
fn receiver(symbol: &Symbol) -> Option<&str> {
    let inner = symbol.signature.strip_prefix("func (")?;
    let name = inner.split([' ', ')']).next()?;
    let is_method = symbol.kind == SymbolKind::Method;
    (is_method && !name.is_empty() && name != "_").then_some(name)
}

/// Splits a qualifier into names, without the text in brackets: `self.parts[0].name()` has three.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_name = c.is_alphanumeric() || matches!(c, '_' | '$' | '@');
        if depth == 0 && is_name {
            start = start.or(Some(at));
        } else if let Some(start) = start.take() {
            parts.push(&text[start..at]);
        }
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '>' if before != '-' && before != '=' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    parts.extend(start.map(|start| &text[start..]));
    parts
}
