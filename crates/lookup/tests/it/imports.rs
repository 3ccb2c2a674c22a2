//! Imports across files, and the code that tests test.

use std::collections::BTreeMap;

use loom_base::{ColumnLost, InMemory, RepoPath, Scratch, SharedBytes, Spill};
use loom_lookup::{FileImports, PendingImports, Relations, StructureOptions, Threads};
use loom_program::{ProgramBuilder, Resolution, Resolver};
use loom_syntax::{Language, Limits, Structure, extract};

use crate::fixture::path;

struct OneThread;

impl Threads for OneThread {
    fn map<R: Send>(&self, count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        (0..count).map(work).collect()
    }
}

fn parsed(files: &[(&str, &str)]) -> Vec<(RepoPath, Language, Structure)> {
    let parse = |(name, text): &(&str, &str)| {
        let language = Language::detect(&path(name), text).unwrap();
        (
            path(name),
            language,
            extract(language, text, &Limits::default()),
        )
    };
    files.iter().map(parse).collect()
}

fn resolver(files: &[(RepoPath, Language, Structure)]) -> Resolver {
    let mut resolver = Resolver::new(files.iter().map(|(path, ..)| path));
    for (path, language, structure) in files {
        resolver.add_file(path, *language, structure);
    }
    resolver
}

fn relations(files: &[(&str, &str)]) -> (Relations, BTreeMap<String, Structure>) {
    let files = parsed(files);
    let resolver = resolver(&files);
    let mut relations = Relations::default();
    for (path, language, structure) in &files {
        relations.add_file(path, *language, structure);
    }
    let mut structures = BTreeMap::new();
    for (path, language, structure) in files {
        let resolve = |import: &loom_syntax::Import| {
            (import.clone(), resolver.resolve(&path, language, import))
        };
        relations.add_imports(FileImports {
            path: path.clone(),
            imports: structure.imports.iter().map(resolve).collect(),
        });
        structures.insert(path.display().into_owned(), structure);
    }
    (relations, structures)
}

#[test]
fn imports_are_kept_by_file_with_their_resolution() {
    let (relations, _) = relations(&[
        ("src/price.py", "def price():\n    return 1\n"),
        ("src/shop.py", "from src.price import price\nimport os\n"),
    ]);
    assert!(relations.imports(&path("src/price.py")).is_empty());
    assert!(relations.imports(&path("nowhere.py")).is_empty());
    let found = relations.imports(&path("src/shop.py"));
    let [(_, inner), (_, outer)] = found else {
        panic!("{found:?}");
    };
    assert!(matches!(inner, Resolution::Files(files) if files[..] == [path("src/price.py")]));
    assert!(!matches!(outer, Resolution::Files(_)));
}

#[test]
fn test_file_tests_the_code_that_it_imports() {
    let files = [
        (
            "src/price.py",
            "def price():\n    return 1\n\n\ndef other():\n    return 2\n",
        ),
        (
            "tests/test_price.py",
            "from src.price import price\n\n\ndef test_price():\n    assert price() == 1\n",
        ),
    ];
    let (relations, structures) = relations(&files);
    let tests = relations.tested(
        &path("tests/test_price.py"),
        &structures["tests/test_price.py"],
    );
    let told = format!("{tests:?}");
    assert!(
        told.contains("src/price.py") && told.contains("price"),
        "{told}"
    );
    let code = relations.tested(&path("src/price.py"), &structures["src/price.py"]);
    assert!(!format!("{code:?}").contains("tests/"), "{code:?}");
}

/// More files than one batch resolves are all linked.
#[test]
fn pending_imports_of_many_batches_are_resolved() {
    let texts: Vec<(String, String)> = (0..600)
        .map(|at| {
            let text = format!(
                "from m{} import f\n\n\ndef f():\n    pass\n",
                (at + 1) % 600
            );
            (format!("m{at}.py"), text)
        })
        .collect();
    let borrowed: Vec<(&str, &str)> = texts
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let files = parsed(&borrowed);
    let resolver = resolver(&files);
    let mut pending = PendingImports::new(&InMemory);
    let mut builder = ProgramBuilder::new(&InMemory);
    for (path, language, structure) in &files {
        builder.add_file(path, *language, structure);
        pending.add(path.clone(), *language, &structure.imports);
    }
    pending
        .resolve(&resolver, &mut builder, &OneThread)
        .unwrap();
    let program = builder.finish().unwrap();
    for at in [0, 255, 256, 599] {
        let id = program.file(&path(&format!("m{at}.py"))).unwrap();
        let meaning =
            program
                .scope(id)
                .meaning_of("f", None, None, Some(loom_syntax::ReferenceKind::Call));
        assert!(!meaning.targets.is_empty(), "{at}");
    }
}

/// Scratch space that loses all bytes.
struct Losing;

struct LosingFile;

impl Scratch for Losing {
    fn in_memory(&self) -> usize {
        0
    }

    fn open(&self) -> Option<Box<dyn Spill>> {
        Some(Box::new(LosingFile))
    }

    fn note_full(&self) {}
}

impl Spill for LosingFile {
    fn append(&mut self, _bytes: &[u8]) -> bool {
        true
    }

    fn finish(self: Box<Self>) -> Option<SharedBytes> {
        None
    }
}

#[test]
fn lost_imports_are_an_error() {
    let text = "import alpha\n".repeat(20_000);
    let files = parsed(&[("a.py", &text)]);
    let resolver = resolver(&files);
    let mut pending = PendingImports::new(&Losing);
    let (path, language, structure) = &files[0];
    pending.add(path.clone(), *language, &structure.imports);
    let mut builder = ProgramBuilder::new(&InMemory);
    let resolved = pending.resolve(&resolver, &mut builder, &OneThread);
    assert!(matches!(resolved, Err(ColumnLost)));
}

#[test]
fn options_select_languages() {
    let [python, rust] = ["python", "rust"].map(|id| Language::from_id(id).unwrap());
    let all = StructureOptions::default();
    assert!(all.wants(Some(python)) && all.wants(None));
    let some = StructureOptions {
        languages: vec![rust],
        ..all
    };
    assert!(some.wants(Some(rust)) && !some.wants(Some(python)) && !some.wants(None));
}
