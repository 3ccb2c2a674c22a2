//! Resolves names in one file: by the enclosing symbols, the imports, the package, and the
//! qualifier.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use loom_syntax::{ReferenceKind, SymbolKind};

use super::build::parts;
use super::intern::Name;
use super::meaning::{NameResolution, ResolvedBy};
use super::namesakes::MOST_NAMESAKES;
use super::usage::Usage;
use super::{DefinitionId, FileId, Program, Use};

/// Share of the only definition of a name if no visible one has it: large in languages whose names
/// are visible everywhere, otherwise small, because an import should have been visible.
const ONLY_IN_OPEN: f32 = 0.9;
const ONLY: f32 = 0.3;

/// Placeholder for a part of a qualifier that is not a known name; it refers to nothing.
pub(super) const UNKNOWN: Name = Name(u32::MAX);

/// Maximum number of definitions of a global name; a more common name proves nothing.
pub(super) const MOST_GLOBAL: usize = 4;

/// Shorter lists of files are copied: one search in all of them is faster than many searches.
const LONG_LIST: usize = 64;

/// Maximum number of long lists that are not copied, because every use searches each.
const MOST_PACKAGES: usize = 16;

/// An imported name.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImportedName<'p> {
    /// The files that it comes from.
    pub(super) files: &'p [FileId],
    /// The parent modules of these files, if the import names the files as modules.
    pub(super) parents: &'p [FileId],
    /// Its name in the files.
    pub(super) original: Name,
}

/// Scope of one file.
#[derive(Debug)]
pub struct Scope<'p> {
    pub(super) program: &'p Program,
    pub(super) file: FileId,
    pub(super) family: &'static str,
    pub(super) is_test: bool,
    /// Imported names, by the name in the file.
    names: HashMap<Name, ImportedName<'p>>,
    pub(super) modules: HashMap<Name, &'p [FileId]>,
    /// Names from outside of the repository.
    outside: HashSet<Name>,
    /// Files whose names are all visible, in their order.
    around: Vec<FileId>,
    /// Long lists of such files, each in order. Many files share a list, and a copy for each of
    /// them would cost the square of a package.
    packages: Vec<&'p [FileId]>,
    /// Names of the types that the file mentions.
    pub(super) types: HashSet<Name>,
    memo: RefCell<HashMap<Key, NameResolution>>,
}

/// Key of a resolved name: the name, the qualifier, the enclosing symbol, and the usage.
type Key = (Name, Option<Name>, Option<DefinitionId>, Usage);

/// A name with its qualifier and its scope.
pub(super) struct NameLookup<'a> {
    pub(super) name: Name,
    parts: &'a [Name],
    pub(super) qualifier: Option<Name>,
    from: Option<DefinitionId>,
    usage: Usage,
}

impl<'p> Scope<'p> {
    pub(super) fn new(program: &'p Program, file: FileId) -> Self {
        let own = &program.files[file.0 as usize];
        let mut scope = Self {
            program,
            file,
            family: own.family,
            is_test: own.is_test,
            names: HashMap::new(),
            modules: HashMap::new(),
            outside: HashSet::new(),
            around: Vec::new(),
            packages: Vec::new(),
            types: HashSet::new(),
            memo: RefCell::new(HashMap::new()),
        };
        scope.import();
        for package in &own.packages {
            scope.see(&program.packages[*package as usize]);
        }
        scope.around.sort_unstable();
        scope.around.dedup();
        scope.name_types();
        scope
    }

    /// Returns the meaning of a use.
    pub fn meaning(&self, one: &Use) -> NameResolution {
        let parts = one
            .qualifier()
            .and_then(|name| self.program.parts.get(&name));
        let from = one.from();
        self.lookup(&NameLookup {
            name: one.name(),
            parts: parts.map_or(&[], Vec::as_slice),
            qualifier: one.qualifier(),
            from: from.and_then(|at| self.program.definition_of(self.file, at as usize)),
            usage: Usage::of_reference(Some(one.kind())),
        })
    }

    /// Returns the meaning of a name in the text of this file: with a qualifier, inside of a
    /// symbol, with a kind of reference if the syntax tells it.
    pub fn meaning_of(
        &self,
        name: &str,
        qualifier: Option<&str>,
        from: Option<usize>,
        kind: Option<ReferenceKind>,
    ) -> NameResolution {
        let names = &self.program.names;
        let Some(name) = names.get(name) else {
            return NameResolution::unresolved(ResolvedBy::Unknown);
        };
        let part = |part: &str| names.get(part).unwrap_or(UNKNOWN);
        let parts: Vec<Name> = qualifier
            .map(|text| parts(text).into_iter().map(part).collect())
            .unwrap_or_default();
        if parts.last() == Some(&UNKNOWN) {
            return self.of_value(None, name);
        }
        self.found(&NameLookup {
            name,
            parts: &parts,
            qualifier: qualifier.map(part),
            from: from.and_then(|at| self.program.definition_of(self.file, at)),
            usage: Usage::of_reference(kind),
        })
    }

    /// Returns the definitions that the file imports by name, in their order, each once.
    pub fn imported(&self) -> Vec<DefinitionId> {
        let taken = self.names.iter().filter_map(|(local, import)| {
            let found = self.taken_by(import, *local, Usage::Other)?;
            (found.len() <= 2).then_some(found)
        });
        let mut found: Vec<DefinitionId> = taken.flatten().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn lookup(&self, lookup: &NameLookup<'_>) -> NameResolution {
        let key = (lookup.name, lookup.qualifier, lookup.from, lookup.usage);
        if let Some(known) = self.memo.borrow().get(&key) {
            return known.clone();
        }
        let meaning = self.found(lookup);
        self.memo.borrow_mut().insert(key, meaning.clone());
        meaning
    }

    fn found(&self, lookup: &NameLookup<'_>) -> NameResolution {
        let meaning = match lookup.parts {
            [] => self.unqualified(lookup),
            _ => self.qualified(lookup),
        };
        match self.family {
            "c" => self.with_bodies(meaning),
            _ => meaning,
        }
    }

    fn import(&mut self) {
        let program = self.program;
        let sees_all = matches!(self.family, "c" | "ruby" | "csharp" | "bash" | "swift");
        for import in &program.files[self.file.0 as usize].imports {
            let files = import.files.as_slice();
            if files.is_empty() {
                self.outside
                    .extend(import.names.iter().map(|(_, local)| *local));
                self.outside
                    .extend((!import.has_names).then_some(import.module));
                continue;
            }
            if sees_all || import.takes_all {
                self.see(files);
            }
            if !import.has_names {
                self.modules.insert(import.path, files);
            }
            if !import.has_names || import.names.is_empty() {
                self.modules.insert(import.module, files);
            }
            for (name, local) in &import.names {
                let original = *name;
                let parents = import.parents.as_slice();
                let name = ImportedName {
                    files,
                    parents,
                    original,
                };
                self.names.insert(*local, name);
                self.modules.entry(*local).or_insert(files);
            }
        }
    }

    /// Adds files whose names are all visible.
    fn see(&mut self, files: &'p [FileId]) {
        let is_long = files.len() > LONG_LIST && files.is_sorted();
        match is_long && self.packages.len() < MOST_PACKAGES {
            true => self.packages.push(files),
            false => self.around.extend(files),
        }
    }

    fn name_types(&mut self) {
        let program = self.program;
        let is_type = |id: &DefinitionId| is_type(program.definition(*id).kind);
        let used = program.uses(self.file).iter().map(Use::name);
        let imported = self.names.values().map(|import| import.original);
        let own = program.of_file(self.file).filter(is_type);
        let own = own.map(|id| program.definition(id).name);
        let named = used.chain(imported);
        let named = named.filter(|name| program.type_names.contains(name));
        self.types = named.chain(own).collect();
    }

    fn unqualified(&self, lookup: &NameLookup<'_>) -> NameResolution {
        if self.program.named_in(self.file, lookup.name).len() > MOST_NAMESAKES {
            return NameResolution::unresolved(ResolvedBy::Ambiguous);
        }
        let own = self.in_file(lookup);
        if self.program.decide(&own, lookup.usage) {
            return NameResolution::spread(ResolvedBy::File, 1.0, own);
        }
        let beyond = self.beyond_file(lookup);
        if own.is_empty() || beyond.by.is_certain() && lookup.usage == Usage::Call {
            return beyond;
        }
        // The file has a module with this name.
        let targets = beyond.targets.iter().filter(|_| beyond.by.is_certain());
        let found = own.into_iter().chain(targets.map(|(id, _)| *id));
        NameResolution::spread(ResolvedBy::File, 1.0, found.collect())
    }

    /// Resolves a name that the file does not define.
    fn beyond_file(&self, lookup: &NameLookup<'_>) -> NameResolution {
        if self.has_implicit_self() {
            let mut own = self.own_members(lookup.from, lookup.name);
            // A constructor has the name of its type: only a call refers to the constructor.
            own.retain(|one| lookup.usage != Usage::Type || !self.is_constructor(*one));
            if !own.is_empty() {
                return NameResolution::spread(ResolvedBy::Own, 1.0, own);
            }
        }
        if let Some(import) = self.names.get(&lookup.name)
            && let Some(found) = self.taken_by(import, lookup.name, lookup.usage)
        {
            return NameResolution::spread(ResolvedBy::Import, 1.0, found);
        }
        if self.outside.contains(&lookup.name) {
            return NameResolution::unresolved(ResolvedBy::Outside);
        }
        let mut around = self.outermost_in(&self.around, lookup.name);
        for package in &self.packages {
            around.extend(self.outermost_in(package, lookup.name));
        }
        if !around.is_empty() {
            return NameResolution::spread(
                ResolvedBy::Package,
                1.0,
                self.program.fitting(around, lookup.usage),
            );
        }
        self.global(lookup)
    }

    /// Returns the innermost visible definitions of this file.
    fn in_file(&self, lookup: &NameLookup<'_>) -> Vec<DefinitionId> {
        let program = self.program;
        let around = self.around_use(lookup.from);
        let mut best = 0;
        let mut found = Vec::new();
        for &one in program.named_in(self.file, lookup.name) {
            let definition = program.definition(one);
            let inner = definition
                .parent
                .and_then(|parent| around.iter().position(|open| *open == parent));
            let is_member = definition
                .parent
                .is_some_and(|parent| program.definition(parent).kind.is_type());
            let depth = match inner {
                _ if program.is_outermost(one) => 1,
                Some(at) if !is_member || self.has_implicit_self() => 2 + around.len() - at,
                _ => continue,
            };
            if depth > best {
                best = depth;
                found.clear();
            }
            if depth == best {
                found.push(one);
            }
        }
        self.program.fitting(found, lookup.usage)
    }

    /// Returns the symbols around a use, innermost first.
    fn around_use(&self, from: Option<DefinitionId>) -> Vec<DefinitionId> {
        let parent = |id: &DefinitionId| self.program.definition(*id).parent;
        std::iter::successors(from, parent).take(64).collect()
    }

    fn is_constructor(&self, id: DefinitionId) -> bool {
        let one = self.program.definition(id);
        one.kind.is_function() && one.owner == Some(one.name)
    }

    fn has_implicit_self(&self) -> bool {
        matches!(
            self.family,
            "java" | "csharp" | "c" | "ruby" | "swift" | "dart"
        )
    }

    /// Returns the members with that name of the enclosing type.
    fn own_members(&self, from: Option<DefinitionId>, name: Name) -> Vec<DefinitionId> {
        let types = self.own_types(from);
        let mut found = types.iter().map(|one| self.program.member(*one, name));
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Returns the enclosing types of a use: those of the symbols around it, and the type of a
    /// method that is defined outside of its type.
    fn own_types(&self, from: Option<DefinitionId>) -> Vec<DefinitionId> {
        let program = self.program;
        let mut types = Vec::new();
        for one in self.around_use(from) {
            let definition = program.definition(one);
            if definition.kind.is_type() {
                types.push(one);
            }
            let owner = match definition.kind {
                SymbolKind::Impl => Some(definition.name),
                _ => definition.owner,
            };
            if let Some(owner) = owner {
                let all = program.few(owner).iter().copied();
                let near = all.filter(|id| {
                    let one = program.definition(*id);
                    one.kind.is_type() && program.nearness(one.file, self.file) > 0
                });
                types.extend(near.take(4));
            }
        }
        types.dedup();
        types
    }

    fn qualified(&self, lookup: &NameLookup<'_>) -> NameResolution {
        let program = self.program;
        let known = &program.known;
        let (Some(first), Some(last)) = (lookup.parts.first(), lookup.parts.last()) else {
            return NameResolution::unresolved(ResolvedBy::Unknown);
        };
        let is_receiver = self
            .around_use(lookup.from)
            .iter()
            .any(|one| known.receivers.get(one) == Some(last));
        if lookup.parts.len() == 1 && (known.own.contains(last) || is_receiver) {
            return self.of_self(lookup);
        }
        if lookup.parts.len() == 1 && known.above.contains(last) && self.family != "rust" {
            return self.of_base(lookup);
        }
        let whole = lookup.qualifier.and_then(|name| self.modules.get(&name));
        let module = whole.or_else(|| self.modules.get(last));
        if let Some(found) =
            module.and_then(|files| self.taken_from(files, lookup.name, lookup.name, lookup.usage))
        {
            return NameResolution::spread(ResolvedBy::Import, 1.0, found);
        }
        if let Some(found) = self.in_package(lookup) {
            return NameResolution::spread(ResolvedBy::Package, 1.0, found);
        }
        if let Some(owner) = self.type_of(lookup.parts, lookup.from) {
            let found = program.member(owner, lookup.name);
            // An inherited member from outside counts as a use of the type.
            return match found.is_empty() {
                true => NameResolution::spread(ResolvedBy::Member, 0.5, vec![owner]),
                false => NameResolution::spread(ResolvedBy::Member, 1.0, found),
            };
        }
        if let Some(found) = self.in_module(*last, lookup.name) {
            return NameResolution::spread(ResolvedBy::Package, 1.0, found);
        }
        if self.is_outside(*first) {
            return NameResolution::unresolved(ResolvedBy::Outside);
        }
        self.of_value(Some(*last), lookup.name)
    }

    /// Returns whether a qualifier that begins with the name leads out of the repository. Modules
    /// of Rust are imported as `self`, which is a value inside of a method.
    fn is_outside(&self, first: Name) -> bool {
        self.outside.contains(&first) && !self.program.known.own.contains(&first)
    }

    fn of_self(&self, lookup: &NameLookup<'_>) -> NameResolution {
        let own = self.own_members(lookup.from, lookup.name);
        match own.is_empty() {
            false => NameResolution::spread(ResolvedBy::Own, 1.0, own),
            // A member of a derived class, or of a base outside of the repository.
            true => self.of_value(None, lookup.name),
        }
    }

    fn of_base(&self, lookup: &NameLookup<'_>) -> NameResolution {
        let types = self.own_types(lookup.from).into_iter();
        let bases = types.flat_map(|one| self.program.bases(one).to_vec());
        let mut found = bases.map(|base| self.program.member(base, lookup.name));
        let found = found.find(|found| !found.is_empty()).unwrap_or_default();
        match found.is_empty() {
            false => NameResolution::spread(ResolvedBy::Own, 1.0, found),
            true => NameResolution::unresolved(ResolvedBy::Unknown),
        }
    }

    /// Returns the type that a qualifier names, with or without modules before it.
    fn type_of(&self, parts: &[Name], from: Option<DefinitionId>) -> Option<DefinitionId> {
        let (last, before) = parts.split_last()?;
        let is_type = |id: &DefinitionId| {
            let kind = self.program.definition(*id).kind;
            kind.is_type() || kind == SymbolKind::Type
        };
        if before.first().is_some_and(|first| self.is_outside(*first)) {
            return None;
        }
        let module = before.last().and_then(|before| self.modules.get(before));
        if let Some(found) =
            module.and_then(|files| self.taken_from(files, *last, *last, Usage::Type))
        {
            return found.into_iter().find(is_type);
        }
        let bare = self.unqualified(&NameLookup {
            name: *last,
            parts: &[],
            qualifier: None,
            from,
            usage: Usage::Type,
        });
        let targets = bare.targets.into_iter();
        let is_sure = bare.by.is_certain() || bare.by == ResolvedBy::Global;
        targets.map(|(id, _)| id).find(is_type).filter(|_| is_sure)
    }

    /// Resolves a name that few definitions of the repository have.
    fn global(&self, lookup: &NameLookup<'_>) -> NameResolution {
        let program = self.program;
        if program.all(lookup.name).len() > MOST_NAMESAKES {
            return NameResolution::unresolved(ResolvedBy::Ambiguous);
        }
        let is_open = matches!(self.family, "c" | "ruby" | "swift" | "bash" | "lua" | "php");
        let is_meant = |id: &DefinitionId| {
            let one = program.definition(*id);
            let is_macro = one.kind == SymbolKind::Macro;
            let is_type = lookup.usage == Usage::Type;
            let is_reached = is_open || is_macro || (is_type && self.family == "javascript");
            is_reached && self.may_mean(one) && (one.owner.is_none() || one.kind.is_type())
        };
        let all = program.all(lookup.name).iter().copied();
        let found: Vec<DefinitionId> = all.filter(is_meant).collect();
        let found = self.program.fitting(found, lookup.usage);
        let sum = if is_open { ONLY_IN_OPEN } else { ONLY };
        match found.len() {
            0 => NameResolution::unresolved(ResolvedBy::Unknown),
            1..=MOST_GLOBAL => NameResolution::spread(ResolvedBy::Global, sum, found),
            _ => NameResolution::unresolved(ResolvedBy::Ambiguous),
        }
    }
}

/// Returns whether a definition of that kind can be a type.
pub(super) fn is_type(kind: SymbolKind) -> bool {
    kind.is_type() || kind == SymbolKind::Type
}
