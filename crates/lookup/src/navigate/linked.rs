//! Links the part of a program that decides the meaning of one name: the files that contain the
//! name, and the files that they import.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use loom_base::{ByteSpan, RepoPath};
use loom_program::{DefinitionId, Program, ProgramBuilder, Resolution, Resolver, default_export};
use loom_syntax::{Import, ImportKind, Language, Structure};

use super::family::is_related;
use super::file::CodeFile;
use super::navigator::Navigator;
use super::seen::{SeenFile, SeenPlace};
use super::types::{CodePlace, Definition};
use crate::CodeFiles;

/// Maximum number of re-exporting files between a use and its definition that do not contain the
/// name.
const HANDED_ON: usize = 3;
/// Maximum number of files without the name that are read.
const MOST: usize = 2000;

/// Number of files with the name above which the most relevant ones are read first.
const MANY: usize = 500;
/// Number of definitions that decide which files are near.
const NEAR: usize = 20;

/// Occurrences of a name, and the program that resolves them.
pub(super) struct LinkedFiles {
    pub(super) program: Program,
    pub(super) files: Vec<LinkedFile>,
}

impl LinkedFiles {
    /// Returns the definitions of the name with their locations.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (&CodePlace, DefinitionId)> {
        self.files.iter().flat_map(move |one| {
            let file = self.program.file(&one.path);
            let definition = move |symbol: usize| self.program.definition_of(file?, symbol);
            let own = one.own.iter();
            own.filter_map(move |(place, symbol)| Some((place, definition(*symbol)?)))
        })
    }
}

/// A file that contains the name.
pub(super) struct LinkedFile {
    pub(super) path: RepoPath,
    pub(super) language: &'static str,
    pub(super) own: Vec<(CodePlace, usize)>,
    pub(super) places: Vec<SeenPlace>,
    /// Occurrences of aliases under which the file imports the name.
    pub(super) aliased: Vec<(String, SeenPlace)>,
    /// Qualified names of the symbols around the occurrences, by symbol index.
    pub(super) around: HashMap<usize, String>,
    /// Resolution of each import of the file.
    pub(super) imports: Vec<Resolution>,
    /// First components of nested package imports, which such an import also binds: `a` of `import
    /// a.b`.
    pub(super) packages: HashSet<String>,
}

/// The files read so far, before their imports are resolved.
struct Reading<'n, F> {
    navigator: &'n Navigator<F>,
    resolver: Resolver,
    builder: ProgramBuilder<'n>,
    imports: HashMap<RepoPath, (Language, Vec<Import>)>,
}

impl<F: CodeFiles> Navigator<F> {
    /// Reads the files that contain the name and links them. In languages whose imports name whole
    /// packages, it only follows imports to files that contain an owner of a definition.
    pub(super) fn link(&self, name: &str, wanted: &[&Definition]) -> LinkedFiles {
        let mut reading = self.reading();
        let mut numbers = self.files.naming(name);
        let importing = self.importing_defaults(wanted);
        let is_default = !importing.is_empty();
        numbers.extend(importing);
        numbers.sort_unstable();
        numbers.dedup();
        let order = self.best_first(&numbers, wanted);
        let mut files = Vec::new();
        let related = |language: &str| {
            let is_related = |one: &&Definition| is_related(one.place.language, language);
            wanted.iter().any(is_related)
        };
        let see = |at: usize| self.seen(order[at], name, is_default);
        self.files.in_order(numbers.len(), see, |seen| {
            if let Some(seen) = seen.filter(|seen| related(seen.language.id())) {
                files.push(reading.add(seen));
            }
        });
        files.sort_by(|one: &LinkedFile, other| one.path.cmp(&other.path));
        let owners = reading.naming_owners(wanted);
        let paths = files.iter().map(|file| file.path.clone());
        reading.follow(paths.collect(), &owners);
        reading.finish(files)
    }
}

impl<F: CodeFiles> Navigator<F> {
    /// Sorts the files by relevance if there may not be time for all of them: files near a
    /// definition before distant ones, and code before tests and examples.
    fn best_first(&self, numbers: &[usize], wanted: &[&Definition]) -> Vec<usize> {
        let mut order = numbers.to_vec();
        if numbers.len() <= MANY || !self.files.has_deadline() {
            return order;
        }
        let wanted = &wanted[..wanted.len().min(NEAR)];
        order.sort_by_cached_key(|number| {
            let path = self.files.path(*number);
            let shared = |one: &&Definition| {
                let pairs = path.components().zip(one.place.path.components());
                pairs.take_while(|(one, other)| one == other).count()
            };
            let shared = wanted.iter().map(shared).max().unwrap_or(0);
            (self.is_aside(*number), Reverse(shared))
        });
        order
    }

    /// Links a file with the files in its directory and the files that it imports.
    pub(super) fn link_file(&self, file: &CodeFile) -> Program {
        let mut reading = self.reading();
        reading.take(&file.path, file.language, &file.structure);
        let imports = file.structure.imports.clone();
        reading
            .imports
            .insert(file.path.clone(), (file.language, imports));
        let is_beside = |number: &usize| {
            let path = self.files.path(*number);
            path.parent() == file.path.parent()
                && *path != file.path
                && path.extension() == file.path.extension()
        };
        let all = 0..self.files.count();
        let beside: Vec<usize> = all.filter(is_beside).take(MOST).collect();
        reading.read(&beside);
        let everything: Vec<usize> = (0..self.files.count()).collect();
        reading.follow(vec![file.path.clone()], &everything);
        reading.finish(Vec::new()).program
    }

    /// Returns the files that may import one of the definitions as a default export under another
    /// name. They contain the name of its file or its directory.
    fn importing_defaults(&self, wanted: &[&Definition]) -> Vec<usize> {
        let mut found = Vec::new();
        for one in wanted
            .iter()
            .filter(|one| is_related(one.place.language, "javascript"))
        {
            let number = self.files.number_of(&one.place.path);
            let Some(file) = number.and_then(|number| self.file(number)) else {
                continue;
            };
            let default = default_export(&file.structure);
            let default = default.map(|at| file.structure.symbols[at].name_span.start);
            if default.is_none_or(|at| file.place(at) != one.place) {
                continue;
            }
            let path = one.place.path.display();
            let mut parts = path
                .rsplit('/')
                .map(|part| part.split('.').next().unwrap_or(part));
            let module = parts.find(|part| *part != "index");
            found.extend(module.into_iter().flat_map(|name| self.files.naming(name)));
        }
        // A frequent file name would select too many files.
        match found.len() <= MOST {
            true => found,
            false => Vec::new(),
        }
    }

    fn reading(&self) -> Reading<'_, F> {
        Reading {
            navigator: self,
            resolver: self.resolver().clone(),
            builder: ProgramBuilder::default(),
            imports: HashMap::new(),
        }
    }
}

impl<F: CodeFiles> Reading<'_, F> {
    fn add(&mut self, seen: SeenFile) -> LinkedFile {
        let crates = self.crates_named(&seen);
        let structure = &seen.structure;
        self.resolver.add_file(&seen.path, seen.language, structure);
        self.builder.add_file(&seen.path, seen.language, structure);
        let aliased = seen.aliased.iter().map(|(_, place)| place);
        let around = seen.places.iter().chain(aliased).filter_map(|place| {
            let at = place.from?;
            Some((at, structure.symbols.get(at)?.qualified.clone()))
        });
        let around = around.collect();
        let mut imports = seen.structure.imports;
        imports.extend(crates);
        self.imports
            .insert(seen.path.clone(), (seen.language, imports));
        LinkedFile {
            path: seen.path,
            language: seen.language.id(),
            own: seen.own,
            places: seen.places,
            aliased: seen.aliased,
            around,
            imports: Vec::new(),
            packages: HashSet::new(),
        }
    }

    /// Returns imports for the crates that a Rust file uses in paths, which need no `use`
    /// declaration: `crate` and other crates.
    fn crates_named(&self, seen: &SeenFile) -> Vec<Import> {
        if seen.language.id() != "rust" {
            return Vec::new();
        }
        let qualifiers = seen
            .places
            .iter()
            .filter_map(|one| one.mention.qualifier.as_deref());
        let first = |text: &str| {
            let text = text.trim_start_matches("::");
            text.split("::")
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        let mut names: Vec<String> = qualifiers.map(first).collect();
        names.sort_unstable();
        names.dedup();
        let is_crate = |name: &String| {
            name.starts_with(|c: char| c == '_' || c.is_lowercase())
                && !matches!(name.as_str(), "self" | "super")
        };
        let import = |module: String| Import {
            kind: ImportKind::Import,
            module,
            names: Vec::new(),
            locals: Vec::new(),
            modules: 0,
            span: ByteSpan { start: 0, end: 0 },
            line: 1,
        };
        let found = names.into_iter().filter(is_crate).map(import);
        let is_here = |one: &Import| {
            let meaning = self.resolver.resolve(&seen.path, seen.language, one);
            let is_own = one.module == "crate";
            matches!(meaning, Resolution::Files(files) if is_own || !files.contains(&seen.path))
        };
        found.filter(is_here).collect()
    }

    /// Reads the files that `open` import, and the files that those re-export. For imports of
    /// packages, reads only files in `fitting`.
    fn follow(&mut self, mut open: Vec<RepoPath>, fitting: &[usize]) {
        let mut left = MOST;
        for step in 0..=HANDED_ON {
            let mut next: Vec<usize> = Vec::new();
            for path in &open {
                next.extend(self.leads_to(path, step > 0, fitting));
            }
            next.sort_unstable();
            next.dedup();
            next.truncate(left);
            left -= next.len();
            open = self.read(&next);
            if open.is_empty() {
                break;
            }
        }
    }

    /// Returns the files that contain an owner of a wanted definition.
    fn naming_owners(&self, wanted: &[&Definition]) -> Vec<usize> {
        let owner = |one: &&Definition| {
            let mut names = super::target::names(&one.qualified);
            names.pop();
            names.pop()
        };
        // A frequent name often has many definitions with the same owner.
        let owners: BTreeSet<String> = wanted.iter().filter_map(owner).collect();
        let mut found = Vec::new();
        for owner in owners.iter().take_while(|_| self.navigator.has_time()) {
            found.extend(self.navigator.files.naming(owner));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the numbers of the files that a file imports and that have not been read.
    fn leads_to(&self, path: &RepoPath, hands_on_only: bool, fitting: &[usize]) -> Vec<usize> {
        let Some((language, imports)) = self.imports.get(path) else {
            return Vec::new();
        };
        let is_package = !matches!(
            language.id(),
            "python" | "javascript" | "jsx" | "typescript" | "tsx" | "vue" | "svelte" | "rust"
        );
        let mut found = Vec::new();
        for import in imports {
            let is_all = import.kind == ImportKind::Export
                || path.file_name() == b"__init__.py"
                || import.names.iter().any(|name| name == "*");
            if hands_on_only && !is_all {
                continue;
            }
            let Resolution::Files(files) = self.resolver.resolve(path, *language, import) else {
                continue;
            };
            for file in files
                .iter()
                .filter(|file| !self.imports.contains_key(*file))
            {
                let number = self.navigator.files.number_of(file);
                let wanted = |number: &usize| !is_package || fitting.binary_search(number).is_ok();
                found.extend(number.filter(wanted));
            }
        }
        found
    }

    fn read(&mut self, numbers: &[usize]) -> Vec<RepoPath> {
        let navigator = self.navigator;
        let mut read = Vec::new();
        navigator.files.structures(numbers, |file| {
            self.take(&file.path, file.language, &file.structure);
            self.imports
                .insert(file.path.clone(), (file.language, file.structure.imports));
            read.push(file.path);
        });
        read
    }

    fn take(&mut self, path: &RepoPath, language: Language, structure: &Structure) {
        self.resolver.add_file(path, language, structure);
        self.builder.add_file(path, language, structure);
    }

    fn finish(mut self, mut files: Vec<LinkedFile>) -> LinkedFiles {
        let places: HashMap<RepoPath, usize> = files
            .iter()
            .enumerate()
            .map(|(at, file)| (file.path.clone(), at))
            .collect();
        for (path, (language, imports)) in self.imports {
            let resolve = |import: Import| {
                let meaning = self.resolver.resolve(&path, language, &import);
                (import, meaning)
            };
            let resolved: Vec<(Import, Resolution)> = imports.into_iter().map(resolve).collect();
            self.builder.add_imports(&path, &resolved);
            if let Some(at) = places.get(&path) {
                let inner = resolved.iter().filter_map(|(import, meaning)| {
                    let (first, _) = import.module.split_once('.')?;
                    let is_here = matches!(meaning, Resolution::Files(_));
                    (is_here && import.names.is_empty()).then(|| first.to_owned())
                });
                files[*at].packages = inner.collect();
                files[*at].imports = resolved.into_iter().map(|(_, meaning)| meaning).collect();
            }
        }
        #[expect(
            clippy::expect_used,
            reason = "no value leaves memory, so none is lost"
        )]
        let program = self.builder.finish().expect("a program in memory");
        LinkedFiles { program, files }
    }
}
