//! Texts before and after compression, by language.

use loom_syntax::{
    Compression, Language, Level, Limits, PreservedKind, Transform, compress, cut_lines, transform,
};

fn language(id: &str) -> Option<Language> {
    Language::from_id(id)
}

#[track_caller]
fn check_with(id: &str, how: &Compression, before: &str, after: &str) {
    let found = compress(language(id), before, how, &Limits::default());
    assert!(found.text == after, "{id}, {}:\n{}", how.level, found.text);
    assert_eq!(found.lines.count(), found.text.lines().count(), "{id}");
}

#[track_caller]
fn check(id: &str, level: Level, before: &str, after: &str) {
    check_with(id, &Compression::at(level), before, after);
}

/// Returns a body of `count` lines.
fn body(line: &str, count: usize) -> String {
    (0..count)
        .map(|at| line.replace('@', &at.to_string()))
        .collect()
}

#[test]
fn minimal_elides_space_and_licences() {
    let minimal = Level::Minimal;
    check(
        "rust",
        minimal,
        "// Copyright 2020 A. Person\n// Licensed under MIT\n// See LICENSE\n\n\n\nfn a() {  \n    b();\t\n\n\n    c();\n}\n",
        "/* … 3 lines */\n\nfn a() {\n    b();\n\n    c();\n}\n",
    );
    check(
        "python",
        minimal,
        "#!/usr/bin/env python\n# Copyright A\n# License B\n# more\nimport os\n\n\n\nx = 1\n",
        "#!/usr/bin/env python\n# … 3 lines\nimport os\n\nx = 1\n",
    );
    check(
        "c",
        minimal,
        "int a;\r\n\r\n\r\nint b; \r\n",
        "int a;\r\n\r\nint b;\r\n",
    );
}

/// A licence is elided; comments for tools before it, and comments that only mention licences,
/// stay.
#[test]
fn only_licences_are_elided_as_licences() {
    let licence = "# Copyright 2020 A. Person\n# Licensed under the MIT license.\n# See LICENSE for all of it.\n";
    check(
        "python",
        Level::Minimal,
        &format!("# -*- coding: latin-1 -*-\n{licence}import os\n"),
        "# -*- coding: latin-1 -*-\n# … 3 lines\nimport os\n",
    );
    check(
        "rust",
        Level::Minimal,
        "/*!\n * A v5 (https://example.org/)\n * Copyright 2011 A\n * Licensed under MIT\n */\nfn a() {}\n",
        "/* … 5 lines */\nfn a() {}\n",
    );
    let about = "# Handles license keys.\n# Each has twenty digits, the last of which\n# is made of the others.\nimport os\n";
    check("python", Level::Minimal, about, about);
}

/// Consecutive markers in one block are merged; markers of two blocks stay separate.
#[test]
fn adjacent_markers_are_merged() {
    let comment = "// a(b, c, d, e, f, g);\n// b(c, d, e, f, g, h);\n// c(d, e, f, g, h, i);\n";
    let before = format!("// Words.\n\nconst a = 1;\n\n{comment}\n{comment}\nfunction f() {{}}\n");
    check(
        "javascript",
        Level::Balanced,
        &before,
        "// Words.\n\nconst a = 1;\n\n// … 6 lines\n\nfunction f() {}\n",
    );
    let how = Compression::at(Level::Balanced);
    let found = compress(language("javascript"), &before, &how, &Limits::default());
    let first_lines: Vec<_> = found.elided.iter().map(|part| part.lines.first).collect();
    assert_eq!(first_lines, [5, 9]);
}

#[test]
fn lines_of_documents_keep_their_numbers() {
    // The line under a title is not part of it.
    let text = format!(
        "First title\n===========\n\n{0}\nSecond title\n------------\n\n{0}",
        "Some words that nobody needs.\n\n".repeat(8)
    );
    check(
        "markdown",
        Level::Extreme,
        &text,
        "First title\nSecond title\n<!-- … 37 lines -->\n",
    );
    // The marker of an example has the number of the first elided line.
    let text = format!("# A\n\n```\n{}```\n", body("line @ of it\n", 30));
    let how = Compression::at(Level::Balanced);
    let found = compress(language("markdown"), &text, &how, &Limits::default());
    let marks: Vec<_> = (1..).zip(found.text.lines()).collect();
    let (line, _) = marks.iter().find(|(_, line)| line.contains('…')).unwrap();
    assert_eq!(found.lines.original(*line), 11);
    assert_eq!(found.lines.original(line + 1), 34);
    assert!(found.text.contains("\n… 23 lines\n```\n"), "{}", found.text);
}

#[test]
fn significant_white_space_stays() {
    for (id, text) in [
        ("python", "x = \"\"\"a  \n\n\n\n b \"\"\"\n"),
        ("javascript", "const a = `b  \n\n\n c`;\n"),
        ("bash", "cat <<END\na  \n\n\n\nb\nEND\n"),
        ("ruby", "x = <<~END\n  a  \n\n\n\n  b\nEND\n"),
        ("yaml", "a: |\n  b  \n\n\n\n  c\nd: 1\n"),
        ("markdown", "a  \nb\n\n```\nx  \n\n\n\ny\n```\n"),
        ("go", "package a\n\nvar b = `c  \n\n\n\n d`\n"),
        ("kotlin", "val a = \"\"\"b  \n\n\n\n c\"\"\"\n"),
        ("rust", "const A: &str = r#\"b  \n\n\n\n c\"#;\n"),
        ("php", "<?php\n$a = <<<END\nb  \n\n\n\nc\nEND;\n"),
        ("csharp", "class A { string b = @\"c  \n\n\n\n d\"; }\n"),
        ("html", "<pre>\na  \n\n\n\nb\n</pre>\n"),
        ("makefile", "A = b  \nc:\n\td\n"),
        ("lua", "a = [[b  \n\n\n\nc]]\n"),
        ("toml", "a = \"\"\"b  \n\n\n\nc\"\"\"\n"),
    ] {
        check(id, Level::Minimal, text, text);
        check(id, Level::Balanced, text, text);
    }
    check(
        "c",
        Level::Minimal,
        "#define A \\  \n  b\n",
        "#define A \\  \n  b\n",
    );
}

#[test]
fn balanced_elides_long_bodies_in_brackets() {
    let long = body("    s@();\n", 14);
    for (id, before, after) in [
        (
            "rust",
            format!("fn a() {{\n{long}}}\n"),
            "fn a() { /* … 14 lines */ }\n",
        ),
        (
            "go",
            format!("package a\n\nfunc b() {{\n{long}}}\n"),
            "package a\n\nfunc b() { /* … 14 lines */ }\n",
        ),
        (
            "c",
            format!("int a(void)\n{{\n{long}}}\n"),
            "int a(void)\n{ /* … 14 lines */ }\n",
        ),
        (
            "java",
            format!("class A {{\n  void b() {{\n{long}  }}\n}}\n"),
            "class A {\n  void b() { /* … 14 lines */ }\n}\n",
        ),
        (
            "csharp",
            format!("class A {{\n  void B() {{\n{long}  }}\n}}\n"),
            "class A {\n  void B() { /* … 14 lines */ }\n}\n",
        ),
        (
            "kotlin",
            format!("fun a() {{\n{long}}}\n"),
            "fun a() { /* … 14 lines */ }\n",
        ),
    ] {
        check(id, Level::Balanced, &before, after);
    }
}

#[test]
fn balanced_elides_long_bodies_of_more_languages() {
    let long = body("    s@();\n", 14);
    for (id, before, after) in [
        (
            "swift",
            format!("func a() {{\n{long}}}\n"),
            "func a() { /* … 14 lines */ }\n",
        ),
        (
            "php",
            format!("<?php\nfunction a() {{\n{long}}}\n"),
            "<?php\nfunction a() { /* … 14 lines */ }\n",
        ),
        (
            "scala",
            format!("def a() = {{\n{long}}}\n"),
            "def a() = { /* … 14 lines */ }\n",
        ),
        (
            "typescript",
            format!("const a = (b: number): void => {{\n{long}}};\n"),
            "const a = (b: number): void => { /* … 14 lines */ };\n",
        ),
        (
            "javascript",
            format!("function a() {{\n{long}}}\n"),
            "function a() { /* … 14 lines */ }\n",
        ),
        (
            "cpp",
            format!("class A {{\n public:\n  void b() {{\n{long}  }}\n}};\n"),
            "class A {\n public:\n  void b() { /* … 14 lines */ }\n};\n",
        ),
    ] {
        check(id, Level::Balanced, &before, after);
    }
}

#[test]
fn balanced_elides_long_bodies_without_brackets() {
    let balanced = Level::Balanced;
    let python = format!(
        "def a():\n    \"\"\"Says.\"\"\"\n{}\ndef b():\n{}",
        body("    s@()\n", 14),
        body("    t@()\n", 14)
    );
    check(
        "python",
        balanced,
        &python,
        "def a():\n    \"\"\"Says.\"\"\"\n    # … 14 lines\n\ndef b():\n    ...  # … 14 lines\n",
    );
    check(
        "ruby",
        balanced,
        &format!("def a\n{}end\n", body("  s@ 1\n", 14)),
        "def a\n  # … 14 lines\nend\n",
    );
    check(
        "bash",
        balanced,
        &format!("a() {{\n{}}}\n", body("  s@ 1\n", 14)),
        "a() {\n  : # … 14 lines\n}\n",
    );
    check(
        "css",
        balanced,
        &format!("a {{\n{}}}\n", body("  b@: 1;\n", 14)),
        "a { /* … 14 lines */ }\n",
    );
}

#[test]
fn balanced_elides_long_literals() {
    let balanced = Level::Balanced;
    let data = body("  1000@,\n", 20);
    check(
        "python",
        balanced,
        &format!("A = [\n{data}]\n"),
        "A = [\n  10000,\n  10001,\n  10002,\n  # … 17 lines\n]\n",
    );
    check(
        "rust",
        balanced,
        &format!("const A: &[u8] = &[\n{data}];\n"),
        "const A: &[u8] = &[\n  10000,\n  10001,\n  10002,\n  // … 17 lines\n];\n",
    );
    check(
        "json",
        balanced,
        &format!("[\n{data} 0]\n"),
        "[\n  10000,\n  10001,\n  10002,\n  \"… 18 lines\"]\n",
    );
    check(
        "yaml",
        balanced,
        &format!("a:\n{}b: 1\n", body("  - x@\n", 20)),
        "a:\n  - x0\n  - x1\n  - x2\n  # … 17 lines\nb: 1\n",
    );
}

#[test]
fn definitions_inside_a_long_body_stay() {
    let before = format!(
        "def a():\n{}    def inner(x):\n        return x\n{}",
        body("    s@()\n", 8),
        body("    t@()\n", 8)
    );
    let after = "def a():\n    # … 8 lines\n    def inner(x):\n        return x\n    # … 8 lines\n";
    check("python", Level::Balanced, &before, after);
}

#[test]
fn balanced_keeps_valuable_comments() {
    let before = "// Why it is so: the table is sorted.\nint a;\n\n// ------------\n// old(call);\nint b; // old(call);\nint c; // the sum of both\n";
    let after = "// Why it is so: the table is sorted.\nint a;\n\n// ------------\n// old(call);\nint b;\nint c; // the sum of both\n";
    check("c", Level::Balanced, before, after);
}

#[test]
fn aggressive_keeps_signatures_docs_and_types() {
    let aggressive = Level::Aggressive;
    check(
        "python",
        aggressive,
        "import os\n\n# why\nclass A(B):\n    \"\"\"An a.\"\"\"\n    size: int = 4\n\n    def b(self, c: int) -> str:\n        \"\"\"Does it.\"\"\"\n        d = c + 1\n        e = d * 2\n        return str(e)\n\nfor name in os.listdir():\n    print(name)\n    print(name, name)\n",
        "import os\n\n# why\nclass A(B):\n    \"\"\"An a.\"\"\"\n    size: int = 4\n\n    def b(self, c: int) -> str:\n        \"\"\"Does it.\"\"\"\n        # … 3 lines\n\n# … 3 lines\n",
    );
    check(
        "rust",
        aggressive,
        "/// Adds.\npub fn add(one: u64, two: u64) -> u64 {\n    // Carries over.\n    let sum = one.wrapping_add(two);\n    sum\n}\n\n// Just so.\n\npub struct A {\n    /// Its size.\n    pub size: usize,\n}\n",
        "/// Adds.\npub fn add(one: u64, two: u64) -> u64 { /* … 3 lines */ }\n\npub struct A {\n    /// Its size.\n    pub size: usize,\n}\n",
    );
    check(
        "markdown",
        aggressive,
        "# A\n\nFirst words.\n\nSecond words, which are many.\nAnd more of them here.\n\n## B\n\nThird.\n",
        "# A\n\nFirst words.\n\n<!-- … 2 lines -->\n\n## B\n\nThird.\n",
    );
}

#[test]
fn extreme_has_one_line_per_symbol() {
    check(
        "python",
        Level::Extreme,
        "import os\n\nclass A(B):\n    \"\"\"An a, of which much is said in many words that take room.\"\"\"\n    def b(self,\n          c: int) -> str:\n        return str(c)\n\n    def _d(self): pass\n\ndef e():\n    def local(): pass\n    return local\n",
        "class A(B)\n def b(self, c: int) -> str\n def _d(self)\ndef e()\n# … 9 lines\n",
    );
}

#[test]
fn preserved_kinds_stay() {
    let keep = |level, kept: &[PreservedKind]| Compression {
        preserve: kept.iter().copied().collect(),
        ..Compression::at(level)
    };
    let text = "pub fn a() {\n    one_call(1);\n    two_calls(2);\n}\n\nfn b() {\n    // TODO: less of it\n    one_call(1);\n    two_calls(2);\n    more_calls(3);\n}\n";
    check_with(
        "rust",
        &keep(
            Level::Aggressive,
            &[PreservedKind::Public, PreservedKind::CommentsWithTodo],
        ),
        text,
        "pub fn a() {\n    one_call(1);\n    two_calls(2);\n}\n\nfn b() {\n  // … 3 lines\n  // TODO: less of it\n}\n",
    );
    let docs = "use std::collections::HashMap;\nuse std::collections::HashSet;\nuse std::collections::BTreeMap;\nuse std::collections::BTreeSet;\n\n/// Says it in so many words that it takes a line of its own, and some more.\npub struct A {\n    size: usize,\n}\n\nfn b() {\n    one_call(1);\n    two_calls(2);\n}\n";
    check_with(
        "rust",
        &keep(Level::Extreme, &[PreservedKind::Docstrings]),
        docs,
        "// Says it in so many words that it takes a line of its own, and some more.\npub struct A\n size: usize\nfn b()\n// … 10 lines\n",
    );
}

#[test]
fn each_option_works_separately() {
    let comments = Compression {
        remove_comments: true,
        ..Compression::default()
    };
    check_with(
        "go",
        &comments,
        "//go:build linux\n\n// Package a does it.\n// And more.\npackage a // here\n\nvar b = \"// no comment\"\n",
        "//go:build linux\n\n// … 2 lines\npackage a\n\nvar b = \"// no comment\"\n",
    );
    let space = Compression {
        minify_whitespace: true,
        ..Compression::default()
    };
    check_with(
        "java",
        &space,
        "class A {\n\n    int b;\n\n    void c() {\n        d();\n    }\n}\n",
        "class A {\n int b;\n void c() {\n  d();\n }\n}\n",
    );
    check_with(
        "python",
        &space,
        "def a():\n\n    b()\n\n\nc()\n",
        "def a():\n    b()\nc()\n",
    );
}

#[test]
fn transforms_replace_the_text() {
    let of =
        |id: &str, which, text: &str| transform(language(id), text, which, &Limits::default()).text;
    assert_eq!(
        of(
            "python",
            Transform::ExtractTestNames,
            "def test_a():\n    pass\n\nclass TestB:\n    def test_c(self):\n        pass\n"
        ),
        "test_a\nTestB\nTestB.test_c\n# … 3 lines\n"
    );
    assert_eq!(
        of(
            "json",
            Transform::DataShape,
            "{\"a\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}"
        ),
        "{\n  \"a\": [number] of 9\n}\n"
    );
    assert_eq!(
        of("c", Transform::StripComments, "int a; // b\n"),
        "int a;\n"
    );
    let cut = cut_lines(language("lua"), "a\nb\nc\n", 1);
    assert_eq!(cut.text, "a\n-- … 2 lines\n");
}

#[test]
fn lines_keep_their_numbers() {
    let text = format!("fn a() {{\n{}}}\nfn b() {{}}\n", body("    s@();\n", 14));
    let found = compress(
        language("rust"),
        &text,
        &Compression::at(Level::Balanced),
        &Limits::default(),
    );
    assert_eq!(found.text, "fn a() { /* … 14 lines */ }\nfn b() {}\n");
    assert_eq!((found.lines.original(1), found.lines.original(2)), (1, 17));
    assert_eq!(found.elided.len(), 1);
}

/// The shape of any data contains no values, even if the data is small or invalid.
#[test]
fn shape_of_data_has_no_values() {
    let of = |id: &str, text: &str| {
        transform(language(id), text, Transform::DataShape, &Limits::default()).text
    };
    assert_eq!(of("json", "{\"a\": \"s3\"}"), "{\n  \"a\": string\n}\n");
    assert_eq!(of("csv", "a\n7\n"), "1 rows of 1 columns\na: number\n");
    assert_eq!(
        of("json", "{\n  // why\n  \"a\": \"s3\"\n}\n"),
        "\"… 4 lines of json that cannot be read\"\n"
    );
    assert_eq!(
        of("yaml", "a: s3\n"),
        "# … 1 line of yaml that cannot be read\n"
    );
    assert_eq!(of("json", ""), "");
}

/// Comments that are preserved from an elided body keep their numbers, and the marker does not
/// count them.
#[test]
fn preserved_comments_of_bodies_keep_their_numbers() {
    let how = Compression {
        preserve: [PreservedKind::CommentsWithTodo].into_iter().collect(),
        ..Compression::at(Level::Balanced)
    };
    let steps = body("    step_number(@)\n", 20);
    let text = format!(
        "def a():\n    \"\"\"A.\"\"\"\n{steps}    # TODO: one\n{steps}    # FIXME: two\n    return 1\n\nb = 1\n"
    );
    let found = compress(language("python"), &text, &how, &Limits::default());
    assert_eq!(
        found.text,
        "def a():\n    \"\"\"A.\"\"\"\n    # … 41 lines\n    # TODO: one\n    # FIXME: two\n\nb = 1\n"
    );
    let numbers: Vec<_> = (1..=7).map(|line| found.lines.original(line)).collect();
    assert_eq!(numbers, [1, 2, 3, 23, 44, 46, 47]);
    assert_eq!(found.elided[0].marked, 41);
    let steps = body("    step_number(@);\n", 14);
    let text = format!("fn a() {{\n{steps}    // TODO: one\n}}\nfn b() {{}}\n");
    let found = compress(language("rust"), &text, &how, &Limits::default());
    assert_eq!(
        found.text,
        "fn a() {\n  // … 14 lines\n  // TODO: one\n}\nfn b() {}\n"
    );
    let numbers: Vec<_> = (1..=5).map(|line| found.lines.original(line)).collect();
    assert_eq!(numbers, [1, 1, 16, 17, 18]);
}

/// A body that is a hash in braces is not a block.
#[test]
fn hash_in_braces_is_not_a_block() {
    let text = "class A\n  def places\n    {\n      :path => @dir,\n      :base => basename,\n    }\n  end\n\n  def other\n    puts a + b\n    puts a - b\n    puts a * b\n  end\nend\n";
    let found = compress(
        language("ruby"),
        text,
        &Compression::at(Level::Aggressive),
        &Limits::default(),
    );
    assert_eq!((found.level, found.gentler), (Level::Aggressive, None));
    assert_eq!(
        found.text,
        "class A\n  def places\n    # … 4 lines\n  end\n\n  def other\n    # … 3 lines\n  end\nend\n"
    );
}
