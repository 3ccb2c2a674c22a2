//! Links from tests to their subjects, with the evidence.

use loom_syntax::{Limits, extract};

use super::*;
use crate::Resolver;

/// Checks files, given as paths and texts; `expected` lists the subjects of the last file's tests,
/// one per line.
fn check(files: &[(&str, &str)], expected: &str) {
    let paths: Vec<RepoPath> = files
        .iter()
        .map(|(path, _)| RepoPath::new(path).unwrap())
        .collect();
    let mut resolver = Resolver::new(&paths);
    let mut subjects = Subjects::default();
    let mut read = Vec::new();
    for (path, (_, text)) in paths.iter().zip(files) {
        if Resolver::is_manifest(path) {
            resolver.add_manifest(path, text);
            continue;
        }
        let language = Language::detect(path, text).unwrap();
        let structure = extract(language, text, &Limits::default());
        resolver.add_file(path, language, &structure);
        subjects.add_file(path, language, &structure);
        read.push((path, language, structure));
    }
    let mut last = None;
    for (path, language, structure) in &read {
        let imports = structure.imports.iter();
        let imports: Vec<_> = imports
            .map(|import| (import.clone(), resolver.resolve(path, *language, import)))
            .collect();
        subjects.add_imports(path, &imports);
        last = Some((path, structure, imports));
    }
    let (path, structure, imports) = last.unwrap();
    let tested = subjects.of(path, structure, &imports);
    let mut found = Vec::new();
    for subject in &tested.files {
        found.push(format!("file: {}", describe(subject)));
    }
    for (at, all) in &tested.symbols {
        for subject in all {
            found.push(format!(
                "{}: {}",
                structure.symbols[*at].name,
                describe(subject)
            ));
        }
    }
    let expected: Vec<_> = expected.trim().lines().map(str::trim).collect();
    assert!(found == expected, "\n{}\n", found.join("\n"));
}

fn describe(subject: &Subject) -> String {
    let by: Vec<_> = subject.by.iter().map(|one| one.name()).collect();
    let name = subject.name.as_deref().unwrap_or("-");
    format!("{} {name} by {}", subject.path, by.join(", "))
}

#[test]
fn python_subjects_come_from_imports_names_and_helpers() {
    check(
        &[
            ("app/__init__.py", "from .pages import Pager\n"),
            (
                "app/pages.py",
                "class Pager:\n    def page(self): pass\n    def count(self): pass\ndef split_all(x): pass\n",
            ),
            (
                "tests/test_pages.py",
                "from app import Pager\nfrom app.pages import split_all as cut\n\ndef make():\n    return Pager()\n\ndef test_split_all():\n    cut(1)\n\ndef test_odd():\n    make().page()\n\nclass PagerTests(TestCase):\n    def test_count(self):\n        pager = make()\n        pager.count()\n",
            ),
        ],
        "file: app/pages.py - by name, call, helper
         test_split_all: app/pages.py split_all by name, call
         test_odd: app/pages.py Pager.page by call
         test_odd: app/pages.py Pager by helper
         PagerTests: app/pages.py Pager by name
         test_count: app/pages.py Pager.count by name, call
         test_count: app/pages.py Pager by helper",
    );
}

#[test]
fn go_subjects_come_from_package_and_receiver() {
    check(
        &[
            ("go.mod", "module a.b/c\n"),
            ("util/u.go", "package util\nfunc Help() {}\n"),
            (
                "q/queue.go",
                "package q\ntype Queue struct{}\nfunc (q *Queue) Push(x int) {}\nfunc New() *Queue { return nil }\n",
            ),
            (
                "q/queue_test.go",
                "package q\nimport u \"a.b/c/util\"\nfunc TestQueue_Push(t *testing.T) {\n\tvar queue *Queue = New()\n\tqueue.Push(1)\n\tu.Help()\n}\n",
            ),
        ],
        "file: q/queue.go - by name, call, type
         file: util/u.go - by call
         TestQueue_Push: q/queue.go Queue.Push by name, call
         TestQueue_Push: util/u.go Help by call
         TestQueue_Push: q/queue.go New by call
         TestQueue_Push: q/queue.go Queue by type",
    );
}

#[test]
fn java_subjects_come_from_package_and_value_names() {
    check(
        &[
            (
                "src/main/java/a/Json.java",
                "package a;\npublic class Json { public String write(Object o) { return null; } }\n",
            ),
            (
                "src/main/java/a/Text.java",
                "package a;\npublic class Text { public String write(Object o) { return null; } }\n",
            ),
            (
                "src/test/java/a/JsonTest.java",
                "package a;\npublic class JsonTest {\n  private Json json = new Json();\n  private Text text;\n  @Test public void testWrite() { json.write(1); }\n}\n",
            ),
        ],
        "file: src/main/java/a/Json.java - by name, call
         JsonTest: src/main/java/a/Json.java Json by name
         testWrite: src/main/java/a/Json.java Json.write by name, call",
    );
}

#[test]
fn script_subjects_come_from_reexported_imports() {
    check(
        &[
            ("src/index.ts", "export {slug as toSlug} from './slug';\n"),
            (
                "src/slug.ts",
                "export function slug(x: string) { return x; }\n",
            ),
            (
                "src/__tests__/slug.test.ts",
                "import {toSlug} from '../index';\ndescribe('slug', () => {\n  it('works', () => { toSlug('a'); });\n});\n",
            ),
        ],
        "file: src/slug.ts - by name, call
         slug: src/slug.ts slug by name
         works: src/slug.ts slug by call",
    );
}

#[test]
fn rust_subjects_are_in_the_same_file() {
    check(
        &[(
            "src/lib.rs",
            "pub fn parse(x: &str) {}\npub struct Reader;\nimpl Reader { pub fn next(&self) {} }\n#[cfg(test)]\nmod tests {\n  use super::*;\n  fn make() -> Reader { Reader }\n  #[test]\n  fn parse_works() { parse(\"a\"); }\n  #[test]\n  fn reads() { make().next(); }\n}\n",
        )],
        "parse_works: src/lib.rs parse by name, call
         reads: src/lib.rs Reader::next by call
         reads: src/lib.rs Reader by helper",
    );
}

#[test]
fn code_that_is_not_a_test_has_no_subjects() {
    check(
        &[
            ("db/names.py", "def quote(x): pass\n"),
            (
                "db/creation.py",
                "from db.names import quote\ndef test_db_name():\n    quote(1)\ndef create(): pass\ndef drop(): pass\n",
            ),
        ],
        "",
    );
}
