//! `extreme`: one line per symbol, with a marker for the missing lines.

use loom_syntax::{Compression, ElidedKind, Language, Level, Limits, PreservedKind, compress};

#[track_caller]
fn check(id: &str, kept: &[PreservedKind], before: &str, after: &str) {
    let how = Compression {
        preserve: kept.iter().copied().collect(),
        ..Compression::at(Level::Extreme)
    };
    let found = compress(Language::from_id(id), before, &how, &Limits::default());
    assert!(found.text == after, "{id}:\n{}", found.text);
    assert_eq!(found.lines.count(), found.text.lines().count(), "{id}");
}

/// Returns a body of `count` statements in one line.
fn body(count: usize) -> String {
    (0..count)
        .map(|at| format!("other({at}, \"words\"); "))
        .collect()
}

#[test]
fn file_of_one_line_has_a_marker() {
    let text = format!(
        "function a() {{ {}}} function b() {{ {}}}\n",
        body(9),
        body(9)
    );
    check(
        "javascript",
        &[],
        &text,
        "function a()\nfunction b()\n// … parts of 1 line\n",
    );
    let how = Compression::at(Level::Extreme);
    let found = compress(
        Language::from_id("javascript"),
        &text,
        &how,
        &Limits::default(),
    );
    let elided: Vec<_> = found
        .elided
        .iter()
        .map(|one| (one.what, one.marked))
        .collect();
    assert_eq!(elided, [(ElidedKind::Parts, 1)]);
    // Two symbols of one line count as one of two lines.
    check(
        "javascript",
        &[],
        &format!("{text}other({});\n", "1, ".repeat(40)),
        "function a()\nfunction b()\n// … 1 line\n",
    );
}

#[test]
fn documentation_of_the_file_stays_if_documentation_is_preserved() {
    let (python, rust, go) = (
        "import some_module\n".repeat(20),
        "use some::module;\n".repeat(20),
        "import \"some/module\"\n".repeat(20),
    );
    let body = |line: &str| line.repeat(12);
    check(
        "python",
        &[PreservedKind::Docstrings],
        &format!(
            "\"\"\"About the file.\n\nMore.\n\"\"\"\n\n{python}def a():\n    \"\"\"About a.\"\"\"\n{}",
            body("    other(1, 2)\n")
        ),
        "\"\"\"About the file.\n\nMore.\n\"\"\"\n# About a.\ndef a()\n# … 33 lines\n",
    );
    check(
        "rust",
        &[PreservedKind::Docstrings],
        &format!(
            "//! About the file.\n\n{rust}\n// Words.\nfn a() {{\n{}}}\n",
            body("    other(1, 2);\n")
        ),
        "//! About the file.\nfn a()\n// … 36 lines\n",
    );
    check(
        "go",
        &[PreservedKind::Docstrings],
        &format!(
            "// Package a is.\npackage a\n\n{go}\n// B is.\nfunc B() {{\n{}}}\n",
            body("\tother(1, 2)\n")
        ),
        "// Package a is.\n// B is.\nfunc B()\n// … 36 lines\n",
    );
}

#[test]
fn code_of_examples_is_not_listed() {
    let words = "Words that say something about it.\n".repeat(6);
    check(
        "markdown",
        &[],
        &format!("# One\n\n{words}\n```python\ndef example():\n    pass\n```\n\n## Two\n\n{words}"),
        "# One\n ## Two\n<!-- … 20 lines -->\n",
    );
}
