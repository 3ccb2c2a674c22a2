//! Finds the definitions and files that each test tests, with the evidence. The evidence is the
//! code that a test calls, followed through its imports and its helpers, and names: `test_parse`,
//! `ParserTest`, `parser_test.go`, `parser.spec.ts`. No code runs, so a link is the conclusion of a
//! reader who looks only at the test.

mod index;
mod places;
mod scope;
mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use loom_base::RepoPath;
use loom_syntax::{Import, Language, Reference, ReferenceKind, Structure, Symbol, SymbolKind};

use crate::Resolution;

use index::{Def, FileId, Index};
pub(crate) use index::{family, is_mostly_tests, is_test_code, owner, packages};
pub(crate) use places::is_test as is_test_path;
use scope::Scope;

/// Maximum depth of helpers that call helpers; a reader looks no further.
const HELPER_STEPS: usize = 3;

/// Evidence that a test tests something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// The test is named after it.
    Name,
    /// The test calls it.
    Call,
    /// The test names it as a type.
    Type,
    /// A helper of the test uses it.
    Helper,
}

impl Evidence {
    /// Returns the name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Call => "call",
            Self::Type => "type",
            Self::Helper => "helper",
        }
    }
}

/// Definition or file that a test tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Path of the file.
    pub path: RepoPath,
    /// Qualified name; `None` for a whole file.
    pub name: Option<String>,
    /// Evidence.
    pub by: Vec<Evidence>,
}

/// Subjects of one file's tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    /// Files that the file tests.
    pub files: Vec<Subject>,
    /// Subjects of each test, by its index among the symbols of the file.
    pub symbols: BTreeMap<usize, Vec<Subject>>,
}

/// Index of a repository for finding the subjects of tests.
#[derive(Debug, Default)]
pub struct Subjects {
    index: Index,
}

/// Definitions with their evidence.
type Links<'i> = BTreeMap<(FileId, &'i str), BTreeSet<Evidence>>;

impl Subjects {
    /// Adds the definitions of a file.
    pub fn add_file(&mut self, path: &RepoPath, language: Language, structure: &Structure) {
        if let Some(path) = path.as_str() {
            self.index.add(path, language, structure);
        }
    }

    /// Adds the imports of a file, so that names are followed through re-exports.
    pub fn add_imports(&mut self, path: &RepoPath, imports: &[(Import, Resolution)]) {
        if let Some(path) = path.as_str() {
            self.index.add_imports(path, imports);
        }
    }

    /// Returns the subjects of a file's tests.
    pub fn of(
        &self,
        path: &RepoPath,
        structure: &Structure,
        imports: &[(Import, Resolution)],
    ) -> Tested {
        let Some(id) = path.as_str().and_then(|path| self.index.id(path)) else {
            return Tested::default();
        };
        let file = &self.index.files[id as usize];
        let has_tests = structure.symbols.iter().any(|symbol| symbol.is_test);
        if !has_tests || !(file.is_test || file.language == "rust") {
            return Tested::default();
        }
        let scope = Scope::new(&self.index, id, imports, structure);
        let reader = Reader {
            index: &self.index,
            named_file: self.named_file(id),
            file: id,
            helpers: helpers(structure, file.is_test),
            uses: uses(structure),
            scope,
            structure,
        };
        reader.tested()
    }

    /// Returns the file after which a file of tests is named: in the same directory or above it,
    /// else the one with the most similar path.
    fn named_file(&self, id: FileId) -> Option<FileId> {
        let file = &self.index.files[id as usize];
        if !file.is_test {
            return None;
        }
        let subject = places::subject(&file.path).concat();
        let found = self.index.with_stem(&subject, file.language);
        let likeness =
            |one: &FileId| places::shared(&self.index.files[*one as usize].path, &file.path);
        let best = found.iter().map(likeness).max()?;
        let mut likest = found.iter().filter(|one| likeness(one) == best);
        let first = likest.next().copied();
        first.filter(|_| likest.next().is_none())
    }
}

/// How near a definition is that a test may be named after, nearest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// The test uses it.
    Used,
    /// It is in the file after which the file of tests is named.
    Named,
    /// It is in the file or package of the tests, or imported.
    Seen,
}

/// Analysis of one file's tests.
struct Reader<'i, 's> {
    index: &'i Index,
    scope: Scope<'i>,
    structure: &'s Structure,
    file: FileId,
    named_file: Option<FileId>,
    /// Functions for tests that are not tests, by name.
    helpers: HashMap<&'s str, usize>,
    /// Indices of each symbol's references.
    uses: HashMap<usize, Vec<usize>>,
}

impl<'i> Reader<'i, '_> {
    fn tested(&self) -> Tested {
        let mut tested = Tested::default();
        let mut files: BTreeMap<FileId, BTreeSet<Evidence>> = BTreeMap::new();
        if let Some(file) = self.named_file {
            files.entry(file).or_default().insert(Evidence::Name);
        }
        for (at, symbol) in self.structure.symbols.iter().enumerate() {
            if !symbol.is_test || symbol.kind == SymbolKind::Module {
                continue;
            }
            let links = self.links(at, symbol);
            for ((file, _), by) in &links {
                let all = by.iter().filter(|one| **one != Evidence::Name);
                files.entry(*file).or_default().extend(all);
            }
            if !links.is_empty() {
                tested.symbols.insert(at, self.subjects(links));
            }
        }
        files.retain(|file, by| *file != self.file && !by.is_empty());
        tested.files = self.file_subjects(files);
        tested
    }

    fn links(&self, at: usize, symbol: &Symbol) -> Links<'i> {
        let mut links = Links::new();
        if is_run(symbol) {
            self.called(at, &mut links);
        }
        for def in self.named_after(symbol, &links) {
            let by = links.entry((def.file, &def.qualified)).or_default();
            by.insert(Evidence::Name);
        }
        links
    }

    /// Adds the definitions that a test calls and names, directly or through its helpers.
    fn called(&self, at: usize, links: &mut Links<'i>) {
        let mut open = vec![at];
        let mut seen = BTreeSet::from([at]);
        for step in 0..=HELPER_STEPS {
            let mut next = Vec::new();
            for reference in open.iter().flat_map(|at| self.uses.get(at)).flatten() {
                let reference = &self.structure.references[*reference];
                if let Some(helper) = self.helper(reference) {
                    next.extend(seen.insert(helper).then_some(helper));
                } else if let Some(def) = self.scope.meaning(reference) {
                    let evidence = match reference.kind {
                        _ if step > 0 => Evidence::Helper,
                        ReferenceKind::Call => Evidence::Call,
                        _ => Evidence::Type,
                    };
                    let by = links.entry((def.file, &def.qualified)).or_default();
                    by.insert(evidence);
                }
            }
            open = next;
        }
    }

    fn helper(&self, reference: &Reference) -> Option<usize> {
        let is_own = matches!(
            reference.qualifier.as_deref(),
            None | Some("self" | "this" | "Self" | "cls" | "$this")
        );
        let helper = self.helpers.get(reference.name.as_str()).copied();
        helper.filter(|_| is_own && reference.kind == ReferenceKind::Call)
    }

    /// Returns the definitions after which a test is named: the most words of its name that are the
    /// name of something near. One word of several is enough for a definition that the test calls.
    fn named_after(&self, symbol: &Symbol, links: &Links<'i>) -> Vec<&'i Def> {
        let words = words::subject_words(&symbol.name);
        for count in (1..=words.len().min(8)).rev() {
            let plain = words[..count].concat();
            let is_enough = count == words.len() || count > 1;
            let found = self.index.plainly_named(&plain);
            let ranked = found.filter_map(|def| Some((self.nearness(def, links)?, def)));
            let ranked: Vec<(Nearness, &Def)> = ranked
                .filter(|(near, _)| is_enough || *near == Nearness::Used)
                .collect();
            let nearest = ranked.iter().map(|(near, _)| *near).min();
            let named = ranked.iter().filter(|(near, _)| Some(*near) == nearest);
            let named: Vec<&Def> = named.map(|(_, def)| *def).collect();
            if !named.is_empty() && named.len() <= 3 {
                return named;
            }
        }
        Vec::new()
    }

    /// Returns how near a definition is, if its name is enough to mean it.
    fn nearness(&self, def: &Def, links: &Links<'i>) -> Option<Nearness> {
        let is_same = |one: Option<&Def>| one.is_some_and(|one| std::ptr::eq(one, def));
        let is_member = def.owner.is_some();
        if links.contains_key(&(def.file, &*def.qualified)) {
            Some(Nearness::Used)
        } else if self.named_file == Some(def.file) {
            Some(Nearness::Named)
        } else if is_member {
            None
        } else if self.scope.around.contains(&def.file)
            || is_same(self.scope.unqualified(&def.name))
        {
            Some(Nearness::Seen)
        } else {
            None
        }
    }

    fn subjects(&self, links: Links<'i>) -> Vec<Subject> {
        let mut found: Vec<_> = links.into_iter().collect();
        found.sort_by(|a, b| a.1.first().cmp(&b.1.first()).then_with(|| a.0.cmp(&b.0)));
        let subject = |((file, name), by): ((FileId, &str), BTreeSet<Evidence>)| {
            self.subject(file, Some(name.to_owned()), by)
        };
        found.into_iter().filter_map(subject).collect()
    }

    fn file_subjects(&self, files: BTreeMap<FileId, BTreeSet<Evidence>>) -> Vec<Subject> {
        let mut found: Vec<_> = files.into_iter().collect();
        found.sort_by(|a, b| a.1.first().cmp(&b.1.first()).then_with(|| a.0.cmp(&b.0)));
        let subject = |(file, by)| self.subject(file, None, by);
        found.into_iter().filter_map(subject).collect()
    }

    fn subject(
        &self,
        file: FileId,
        name: Option<String>,
        by: BTreeSet<Evidence>,
    ) -> Option<Subject> {
        let path = RepoPath::new(&*self.index.files[file as usize].path).ok()?;
        let by = by.into_iter().collect();
        Some(Subject { path, name, by })
    }
}

/// Returns whether a symbol is a test itself, not a group of tests.
fn is_run(symbol: &Symbol) -> bool {
    symbol.kind.is_function() || symbol.kind == SymbolKind::Test
}

/// Returns the functions of a file that serve its tests.
fn helpers(structure: &Structure, is_test_file: bool) -> HashMap<&str, usize> {
    let all = structure.symbols.iter().enumerate();
    let is_helper = |(at, symbol): &(usize, &Symbol)| {
        symbol.kind.is_function()
            && !symbol.is_test
            && (is_test_file || is_test_code(structure, *at))
    };
    all.filter(is_helper)
        .map(|(at, symbol)| (symbol.name.as_str(), at))
        .collect()
}

/// Returns the references inside each function, including those of nested symbols.
fn uses(structure: &Structure) -> HashMap<usize, Vec<usize>> {
    let mut uses: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, reference) in structure.references.iter().enumerate() {
        let mut open = reference.from;
        while let Some(symbol) = open {
            let owner = &structure.symbols[symbol];
            if is_run(owner) {
                uses.entry(symbol).or_default().push(at);
            }
            open = owner.parent.filter(|_| !(is_run(owner) && owner.is_test));
        }
    }
    uses
}

#[cfg(test)]
mod tests;
