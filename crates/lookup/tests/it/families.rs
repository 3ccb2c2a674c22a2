//! Languages whose code uses each other's names, and those whose code does not.

use crate::fixture::check;

#[test]
fn names_are_shared_within_a_family_of_languages() {
    let files = &[
        ("a.h", "int count(void);\n"),
        ("a.c", "#include \"a.h\"\nint count(void) { return 1; }\n"),
        (
            "b.cpp",
            "#include \"a.h\"\nint main() { return count(); }\n",
        ),
        ("c.py", "count()\n"),
    ];
    let told = crate::fixture::ask(&crate::fixture::Files::new(files), "refs count");
    assert!(told.contains("b.cpp:2:21: "), "{told}");
    assert!(!told.contains("c.py"), "{told}");
}

#[test]
fn typescript_uses_names_of_javascript() {
    let files = &[
        ("a.js", "export function total() { return 1 }\n"),
        ("b.ts", "import { total } from './a'\ntotal()\n"),
        ("c.rb", "total()\n"),
    ];
    check(
        files,
        "refs total",
        "b.ts:1:10: import { total } from './a'\nb.ts:2:1: total()\n",
    );
}

#[test]
fn kotlin_uses_names_of_java() {
    let files = &[
        (
            "a/Till.java",
            "package a;\npublic class Till {\n    public int count() { return 1; }\n}\n",
        ),
        (
            "a/Use.kt",
            "package a\n\nfun use(till: Till): Int = till.count()\n",
        ),
        ("a/use.go", "package a\n\nfunc use() { count() }\n"),
    ];
    let told = crate::fixture::ask(&crate::fixture::Files::new(files), "refs Till.count");
    assert!(told.contains("a/Use.kt:3:"), "{told}");
    assert!(!told.contains("use.go"), "{told}");
}

#[test]
fn files_without_a_grammar_are_passed_over() {
    let files = &[
        ("a.py", "def total():\n    pass\n\n\ntotal()\n"),
        ("notes.txt", "total total\n"),
        ("data.bin", "total\u{0}\u{1}"),
    ];
    check(files, "refs total", "a.py:5:1: total()\n");
}
