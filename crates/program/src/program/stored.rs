//! A program as bytes, so that it need not be rebuilt while nothing changed. Numbers and texts are
//! written separately: names are text of the repository, and the caller may want to encrypt them.

use std::collections::HashMap;

use loom_base::codec::{Reader, Writer};
use loom_base::{Column, RepoPath};
use loom_syntax::{Language, SymbolKind, Visibility};

use super::build::SpecialNames;
use super::intern::{Interner, Name};
use super::namesakes::Namesakes;
use super::{Definition, DefinitionId, File, FileId, Imported, Program, Use, family_of};

/// Number of integers per definition.
const DEFINITION: usize = 6;

impl Program {
    /// Writes everything except [`Self::use_column`].
    pub fn write(&self, out: &mut Writer, texts: &mut Writer) {
        self.names.write(out, texts);
        let definitions: Vec<u32> = self.definitions.iter().flat_map(definition).collect();
        out.numbers(&definitions);
        out.size(self.files.len());
        for file in &self.files {
            write_file(out, file);
        }
        let mut parts: Vec<(&Name, &Vec<Name>)> = self.parts.iter().collect();
        parts.sort_unstable();
        write_lists(
            out,
            parts
                .iter()
                .map(|(name, parts)| (name.0, parts.iter().map(|one| one.0))),
        );
        let mut bases: Vec<(&DefinitionId, &Vec<DefinitionId>)> = self.bases.iter().collect();
        bases.sort_unstable();
        write_lists(
            out,
            bases
                .iter()
                .map(|(id, bases)| (id.0, bases.iter().map(|one| one.0))),
        );
        let mut receivers: Vec<[u32; 2]> = self
            .known
            .receivers
            .iter()
            .map(|(id, name)| [id.0, name.0])
            .collect();
        receivers.sort_unstable();
        out.numbers(receivers.as_flattened());
        let mut defaults: Vec<[u32; 2]> = self
            .defaults
            .iter()
            .map(|(file, id)| [file.0, id.0])
            .collect();
        defaults.sort_unstable();
        out.numbers(defaults.as_flattened());
        let mut packages: Vec<(&str, u32)> = self
            .package_ids
            .iter()
            .map(|(name, id)| (&**name, *id))
            .collect();
        packages.sort_unstable();
        out.size(packages.len());
        for (name, id) in packages {
            texts.text(name);
            out.number(id.into());
        }
    }

    /// Reads a program with these uses. Returns `None` for invalid bytes.
    pub fn read(from: &mut Reader<'_>, texts: &mut Reader<'_>, uses: Column<Use>) -> Option<Self> {
        let names = Interner::read(from, texts)?;
        let rows = from.numbers()?;
        let (rows, rest) = rows.as_chunks::<DEFINITION>();
        rest.is_empty().then_some(())?;
        let definitions: Vec<Definition> =
            rows.iter().map(read_definition).collect::<Option<_>>()?;
        let families = Families::new();
        let count = from.count()?;
        let mut files = Vec::with_capacity(count);
        for _ in 0..count {
            files.push(read_file(from, &families)?);
        }
        let parts = read_lists(from, Name, Name)?;
        let bases = read_lists(from, DefinitionId, DefinitionId)?;
        let receivers = from.numbers()?;
        let receivers = receivers.as_chunks::<2>().0.iter();
        let receivers = receivers.map(|[id, name]| (DefinitionId(*id), Name(*name)));
        let defaults = from.numbers()?;
        let defaults = defaults.as_chunks::<2>().0.iter();
        let defaults = defaults.map(|[file, id]| (FileId(*file), DefinitionId(*id)));
        let mut package_ids = HashMap::new();
        for _ in 0..from.count()? {
            package_ids.insert(texts.text()?.into(), small(from)?);
        }
        let nobody = Name(u32::MAX);
        let number = |word: &str| names.get(word).unwrap_or(nobody);
        let known = SpecialNames::new(receivers.collect(), number);
        let mut program = Self {
            by_name: Namesakes::new(&definitions, names.len())?,
            uses,
            type_names: super::type_names(&definitions),
            impls: super::impls(&definitions),
            ids: HashMap::with_capacity(files.len()),
            packages: packages(&files),
            defaults: defaults.collect(),
            package_ids,
            names,
            files,
            definitions,
            parts,
            bases,
            known,
        };
        for (file, id) in program.files.iter().zip(0..) {
            program.ids.insert(file.path.clone(), FileId(id));
        }
        program.is_whole().then_some(program)
    }

    /// Returns whether every number is a valid index.
    fn is_whole(&self) -> bool {
        let is_file = |file: &FileId| (file.0 as usize) < self.files.len();
        let is_name = |name: &Name| (name.0 as usize) < self.names.len();
        let is_definition = |id: &DefinitionId| (id.0 as usize) < self.definitions.len();
        let is_import = |import: &Imported| {
            import.files.iter().all(is_file)
                && import.parents.iter().all(is_file)
                && is_name(&import.module)
                && is_name(&import.path)
                && import
                    .names
                    .iter()
                    .all(|(name, local)| is_name(name) && is_name(local))
        };
        let lists_names =
            |(name, parts): (&Name, &Vec<Name>)| is_name(name) && parts.iter().all(is_name);
        let is_use = |one: &Use| {
            is_name(&one.name())
                && one.qualifier().is_none_or(|name| is_name(&name))
                && one.has_kind()
        };
        self.uses.iter().all(is_use)
            && self.definitions.iter().all(|one| {
                is_file(&one.file)
                    && is_name(&one.name)
                    && one.owner.as_ref().is_none_or(is_name)
                    && one.parent.as_ref().is_none_or(is_definition)
            })
            && self.files.iter().all(|file| {
                file.first <= file.end
                    && file.end as usize <= self.definitions.len()
                    && file.imports.iter().all(is_import)
                    && file.uses.start <= file.uses.end
                    && file.uses.end <= self.uses.len()
                    && file
                        .packages
                        .iter()
                        .all(|package| (*package as usize) < self.packages.len())
            })
            && self.parts.iter().all(lists_names)
            && self.bases.values().flatten().all(is_definition)
            && self.known.receivers.values().all(is_name)
            && self.defaults.values().all(is_definition)
            && self
                .package_ids
                .values()
                .all(|id| (*id as usize) < self.packages.len())
    }
}

impl Interner {
    fn write(&self, out: &mut Writer, texts: &mut Writer) {
        let (text, ends) = self.flat();
        texts.text(text);
        out.numbers(ends).numbers(&self.order());
    }

    fn read(from: &mut Reader<'_>, texts: &mut Reader<'_>) -> Option<Self> {
        Self::from_flat(texts.text()?.to_owned(), from.numbers()?, from.numbers()?)
    }
}

fn place<T: PartialEq>(all: &[T], one: &T) -> u32 {
    all.iter().position(|other| other == one).unwrap_or(0) as u32
}

/// Encodes an optional number, as one more than its value.
fn optional(number: Option<u32>) -> u32 {
    number.map_or(0, |number| number.saturating_add(1))
}

fn definition(one: &Definition) -> [u32; DEFINITION] {
    let kinds = place(SymbolKind::ALL, &one.kind) << 8 | place(Visibility::ALL, &one.visibility);
    let flags = u32::from(one.is_test) | u32::from(one.has_body) << 1;
    [
        one.file.0,
        one.symbol,
        kinds << 2 | flags,
        one.name.0,
        optional(one.owner.map(|owner| owner.0)),
        optional(one.parent.map(|parent| parent.0)),
    ]
}

fn read_definition(row: &[u32; DEFINITION]) -> Option<Definition> {
    let [file, symbol, kinds, name, owner, parent] = *row;
    Some(Definition {
        file: FileId(file),
        symbol,
        kind: *SymbolKind::ALL.get((kinds >> 10) as usize)?,
        visibility: *Visibility::ALL.get((kinds >> 2 & 0xff) as usize)?,
        is_test: kinds & 1 != 0,
        has_body: kinds & 2 != 0,
        name: Name(name),
        owner: owner.checked_sub(1).map(Name),
        parent: parent.checked_sub(1).map(DefinitionId),
    })
}

fn write_file(out: &mut Writer, file: &File) {
    out.bytes(file.path.as_bytes()).text(file.family);
    out.flag(file.is_test);
    out.number(file.first.into()).number(file.end.into());
    out.numbers(&file.packages);
    out.size(file.uses.start).size(file.uses.end);
    out.size(file.imports.len());
    for import in &file.imports {
        let numbers = |files: &[FileId]| files.iter().map(|file| file.0).collect::<Vec<u32>>();
        let names = import
            .names
            .iter()
            .flat_map(|(name, local)| [name.0, local.0]);
        out.numbers(&numbers(&import.files));
        out.numbers(&numbers(&import.parents));
        out.numbers(&names.collect::<Vec<u32>>());
        out.number(import.module.0.into())
            .number(import.path.0.into());
        out.flag(import.takes_all)
            .flag(import.has_names)
            .flag(import.is_reexport);
    }
}

fn read_file(from: &mut Reader<'_>, families: &Families) -> Option<File> {
    let path = RepoPath::new(from.bytes()?).ok()?;
    let family = families.named(from.text()?)?;
    let is_test = from.flag()?;
    let (first, end) = (small(from)?, small(from)?);
    let packages = from.numbers()?;
    let uses = from.size()?..from.size()?;
    let mut imports = Vec::new();
    for _ in 0..from.count()? {
        imports.push(read_import(from)?);
    }
    Some(File {
        path,
        family,
        is_test,
        first,
        end,
        packages,
        uses,
        imports,
    })
}

fn read_import(from: &mut Reader<'_>) -> Option<Imported> {
    let files = from.numbers()?.into_iter().map(FileId).collect();
    let parents = from.numbers()?.into_iter().map(FileId).collect();
    let names = from.numbers()?;
    let names = names.as_chunks::<2>().0.iter();
    let names = names.map(|[name, local]| (Name(*name), Name(*local)));
    Some(Imported {
        files,
        parents,
        names: names.collect(),
        module: Name(small(from)?),
        path: Name(small(from)?),
        takes_all: from.flag()?,
        has_names: from.flag()?,
        is_reexport: from.flag()?,
    })
}

fn small(from: &mut Reader<'_>) -> Option<u32> {
    u32::try_from(from.number()?).ok()
}

/// Writes lists with their keys as one list of numbers.
fn write_lists(
    out: &mut Writer,
    lists: impl Iterator<Item = (u32, impl ExactSizeIterator<Item = u32>)>,
) {
    let mut all = Vec::new();
    for (key, list) in lists {
        all.extend([key, list.len() as u32]);
        all.extend(list);
    }
    out.numbers(&all);
}

fn read_lists<K: Eq + std::hash::Hash, V>(
    from: &mut Reader<'_>,
    key: fn(u32) -> K,
    value: fn(u32) -> V,
) -> Option<HashMap<K, Vec<V>>> {
    let all = from.numbers()?;
    let mut rest = all.as_slice();
    let mut lists = HashMap::new();
    while let [number, count, behind @ ..] = rest {
        let (list, behind) = behind.split_at_checked(*count as usize)?;
        lists.insert(key(*number), list.iter().copied().map(value).collect());
        rest = behind;
    }
    rest.is_empty().then_some(lists)
}

fn packages(files: &[File]) -> Vec<Vec<FileId>> {
    let mut packages: Vec<Vec<FileId>> = Vec::new();
    for (file, id) in files.iter().zip(0..) {
        for package in &file.packages {
            let at = *package as usize;
            // Each package has a file, so there cannot be more of them than numbers were read.
            if at <= packages.len() {
                packages.resize_with(packages.len().max(at + 1), Vec::new);
                packages[at].push(FileId(id));
            }
        }
    }
    packages
}

/// Families of all languages, by name.
struct Families(HashMap<&'static str, &'static str>);

impl Families {
    fn new() -> Self {
        let all = Language::all().map(family_of);
        Self(all.map(|family| (family, family)).collect())
    }

    fn named(&self, name: &str) -> Option<&'static str> {
        self.0.get(name).copied()
    }
}
