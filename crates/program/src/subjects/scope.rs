//! Resolves names in one file of tests: by its imports, its package and the file itself. If the
//! type of a variable is unknown, the types that the file mentions are the evidence.

use std::collections::{BTreeSet, HashMap};

use loom_syntax::{Import, Reference, Structure};

use super::index::{Def, FileId, Index};
use super::words;
use crate::Resolution;

/// Scope of one file.
pub(super) struct Scope<'i> {
    index: &'i Index,
    /// Name in the file, the files that it comes from, and its name there.
    names: HashMap<String, (Vec<FileId>, String)>,
    modules: HashMap<String, Vec<FileId>>,
    /// Names from outside of the repository.
    outside: BTreeSet<String>,
    /// Files whose names are all visible.
    pub(super) around: BTreeSet<FileId>,
    /// Types that the file mentions.
    types: Vec<&'i Def>,
}

impl<'i> Scope<'i> {
    pub(super) fn new(
        index: &'i Index,
        file: FileId,
        imports: &[(Import, Resolution)],
        structure: &Structure,
    ) -> Self {
        let mut scope = Self {
            index,
            names: HashMap::new(),
            modules: HashMap::new(),
            outside: BTreeSet::new(),
            around: index.in_same_packages(file).into_iter().collect(),
            types: Vec::new(),
        };
        scope.around.insert(file);
        let language = index.files[file as usize].language;
        for (import, meaning) in imports {
            match meaning {
                Resolution::Files(files) => {
                    let ids = files.iter().filter_map(|path| index.id(path.as_str()?));
                    scope.import(language, import, &ids.collect::<Vec<_>>());
                }
                Resolution::Unresolved(_) => scope.outside.extend(bound_names(import)),
            }
        }
        scope.types = scope.named_types(structure);
        scope
    }

    fn import(&mut self, language: &str, import: &Import, files: &[FileId]) {
        let local_of = |name: &str| {
            let mut pairs = import.locals.iter();
            pairs
                .find(|(one, _)| one == name)
                .map(|(_, local)| local.as_str())
        };
        let last = import.module.rsplit(['/', '.', ':', '\\']).next();
        let last = last.unwrap_or_default();
        let sees_all = matches!(language, "c" | "ruby" | "csharp" | "bash" | "swift");
        if import.names.is_empty() {
            let local = local_of("*").or_else(|| local_of(last)).unwrap_or(last);
            self.names
                .insert(local.to_owned(), (files.to_vec(), last.to_owned()));
            self.modules.insert(import.module.clone(), files.to_vec());
            self.modules.insert(local.to_owned(), files.to_vec());
            for (name, local) in import.locals.iter().filter(|(name, _)| name != "*") {
                self.names
                    .insert(local.clone(), (files.to_vec(), name.clone()));
            }
        }
        if sees_all {
            self.around.extend(files);
        }
        for name in &import.names {
            match (name.as_str(), local_of(name)) {
                ("*", None) => self.around.extend(files),
                ("*", Some(local)) => drop(self.modules.insert(local.to_owned(), files.to_vec())),
                (name, local) => {
                    let local = local.unwrap_or(name);
                    self.names
                        .insert(local.to_owned(), (files.to_vec(), name.to_owned()));
                    self.modules.insert(local.to_owned(), files.to_vec());
                }
            }
        }
    }

    fn named_types(&self, structure: &Structure) -> Vec<&'i Def> {
        let mut types: Vec<&'i Def> = Vec::new();
        let named = structure.references.iter().map(|one| one.name.as_str());
        let imported = self.names.keys().map(String::as_str);
        let all: BTreeSet<&str> = named.chain(imported).collect();
        for name in all {
            types.extend(self.unqualified(name).filter(|def| def.is_type));
        }
        types
    }

    /// Resolves a reference.
    pub(super) fn meaning(&self, reference: &Reference) -> Option<&'i Def> {
        match reference.qualifier.as_deref() {
            None => self.unqualified(&reference.name),
            Some(qualifier) => self.qualified(qualifier, &reference.name),
        }
    }

    /// Resolves a name without a qualifier.
    pub(super) fn unqualified(&self, name: &str) -> Option<&'i Def> {
        if let Some((files, original)) = self.names.get(name)
            && let Some(def) = self.index.taken_from(files, original, name)
        {
            return Some(def);
        }
        let mut seen = self.index.named(name);
        seen.find(|def| def.owner.is_none() && self.around.contains(&def.file))
    }

    fn qualified(&self, qualifier: &str, name: &str) -> Option<&'i Def> {
        let parts: Vec<&str> = qualifier
            .split(['.', ':', '\\', '>', '?', '!'])
            .map(|part| part.trim_end_matches('-'))
            .filter(|part| !matches!(*part, "" | "super" | "crate"))
            .collect();
        let Some((last, before)) = parts.split_last() else {
            return self.unqualified(name);
        };
        let module = self
            .modules
            .get(qualifier)
            .or_else(|| self.modules.get(*last));
        if let Some(def) = module.and_then(|files| self.index.taken_from(files, name, name)) {
            return Some(def);
        }
        let owner = match before.first().and_then(|first| self.modules.get(*first)) {
            Some(files) => self.index.taken_from(files, last, last),
            None => self.unqualified(last),
        };
        match owner.filter(|owner| owner.is_type) {
            // An inherited member from outside counts as a use of the type.
            Some(owner) => self.member(owner, name).or(Some(owner)),
            None if parts
                .first()
                .is_some_and(|first| self.outside.contains(*first)) =>
            {
                None
            }
            None => self.of_a_value(last, name),
        }
    }

    fn member(&self, owner: &Def, name: &str) -> Option<&'i Def> {
        let mut members = self.index.named(name);
        members.find(|def| self.is_of(def, owner))
    }

    /// Resolves a method of a value with an unknown type: a method of a type that the file mentions
    /// and after which the value is named, such as `reader` after `JsonReader`; otherwise of the
    /// only type of the repository that has it.
    fn of_a_value(&self, value: &str, name: &str) -> Option<&'i Def> {
        let value = words::plain(value);
        let is_named_after = |def: &Def| {
            let owner = def.owner.as_deref().map(words::plain).unwrap_or_default();
            value.len() > 1 && (owner.ends_with(&value) || value.ends_with(&owner))
        };
        let mut named_after: Option<&Def> = None;
        let mut only: Option<&Def> = None;
        let mut is_one = true;
        for def in self.index.named(name).filter(|def| def.owner.is_some()) {
            let is_named = self.types.iter().any(|owner| self.is_of(def, owner));
            // `reader` more likely means a `JsonReader` than a `JsonTreeReader`.
            let is_shorter =
                named_after.is_none_or(|before| def.owner_length() < before.owner_length());
            if is_named && is_named_after(def) && is_shorter {
                named_after = Some(def);
            }
            is_one &= only.is_none_or(|before| before.owner == def.owner);
            only = only.filter(|_| !is_named).or(Some(def));
        }
        let only =
            only.filter(|def| is_one && self.types.iter().any(|owner| self.is_of(def, owner)));
        named_after.or(only)
    }

    /// Returns whether a definition is a member of that type.
    fn is_of(&self, def: &Def, owner: &Def) -> bool {
        def.owner.as_deref() == Some(&*owner.name)
            && (def.file == owner.file || is_same_folder(self.index, def, owner))
    }
}

/// Returns the names that an import binds in its file.
fn bound_names(import: &Import) -> Vec<String> {
    let locals = import.locals.iter().map(|(_, local)| local.clone());
    let last = import.module.rsplit(['/', '.', ':', '\\']).next();
    let last = last.filter(|_| import.names.is_empty()).map(str::to_owned);
    locals
        .chain(import.names.iter().cloned())
        .chain(last)
        .collect()
}

fn is_same_folder(index: &Index, one: &Def, other: &Def) -> bool {
    let folder = |def: &Def| {
        let path = &index.files[def.file as usize].path;
        path.rsplit_once('/').map(|(folder, _)| folder.to_owned())
    };
    folder(one) == folder(other)
}
