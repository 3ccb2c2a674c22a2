//! `remove_comments`: the elided comments of each language, and the comments that are
//! documentation.

use loom_syntax::{Compression, Language, Level, Limits, PreservedKind, compress};

#[track_caller]
fn check(id: &str, kept: &[PreservedKind], before: &str, after: &str) {
    let how = Compression {
        remove_comments: true,
        preserve: kept.iter().copied().collect(),
        ..Compression::default()
    };
    let found = compress(Language::from_id(id), before, &how, &Limits::default());
    assert!(found.text == after, "{id}:\n{}", found.text);
    assert_eq!(found.lines.count(), found.text.lines().count(), "{id}");
}

#[test]
fn docstrings_are_documentation() {
    let text = "\"\"\"About the file.\"\"\"\nimport os\n\ndef a():\n    \"\"\"About a, in words.\n\n    More of it.\n    \"\"\"\n    return \"\"\"no docstring\"\"\"\n\ndef b():\n    \"\"\"Only this.\"\"\"\n\nclass C:\n    'c'\n    x = 1\n\ndef d(): \"d\"\n\ndef e():\n    \"\"\"Several lines and nothing else,\n    which may not become an empty body.\n    \"\"\"\n\ndef f():\n    f\"no {os}\"\n";
    check(
        "python",
        &[],
        text,
        "import os\n\ndef a():\n    # … 4 lines\n    return \"\"\"no docstring\"\"\"\n\ndef b():\n    ...\n\nclass C:\n    x = 1\n\ndef d(): ...\n\ndef e():\n    ...  # … 3 lines\n\ndef f():\n    f\"no {os}\"\n",
    );
    check("python", &[PreservedKind::Docstrings], text, text);
    check("python", &[PreservedKind::Comments], text, text);
}

#[test]
fn comments_of_each_language_are_elided() {
    check(
        "rust",
        &[],
        "//! About the crate.\n//! And more of it.\n\n/*! Also. */\n/// About a.\nfn a() {\n    b(/* one */ 1);\n    // a\n    // b\n}\n",
        "// … 2 lines\n\nfn a() {\n    b( 1);\n}\n",
    );
    check(
        "ruby",
        &[],
        "=begin\nWords about it\nin several lines\n=end\ndef a\n  1 # one\nend\n=begin\nb\n=end\n",
        "# … 4 lines\ndef a\n  1\nend\n",
    );
    check(
        "html",
        &[],
        "<html>\n<!-- one -->\n<!--\n several lines\n of words\n-->\n<body><p>x</p><!-- beside --></body>\n</html>\n",
        "<html>\n<!-- … 5 lines -->\n<body><p>x</p></body>\n</html>\n",
    );
    check(
        "markdown",
        &[],
        "# A\n\n<!-- one -->\n\n<!--\nseveral lines of words, longer\nthan a mark for them would be\n-->\n\nB <!-- c --> d `<!-- e -->`.\n\n- f <!-- g -->\n\n```python\n# h\ni()\n```\n",
        "# A\n\n\n<!-- … 4 lines -->\n\nB  d `<!-- e -->`.\n\n- f\n\n```python\ni()\n```\n",
    );
    check(
        "c",
        &[],
        "#define A 1 /* a */\n#define B 2 // b\n#define C \"//\" // c\n#define D(x) \\\n  /* d */ \\\n  (x)\nint e; // e\n",
        "#define A 1\n#define B 2\n#define C \"//\"\n#define D(x) \\\n   \\\n  (x)\nint e;\n",
    );
}

/// A licence is a comment too, and comments for tools are not for people.
#[test]
fn licences_are_elided_and_comments_for_tools_stay() {
    let licence = "# Copyright 2020 A. Person\n# Licensed under the MIT license.\n# See LICENSE for all of it.\n";
    let text = format!(
        "#!/usr/bin/env python\n{licence}\nimport a  # noqa: F401\n# words\n# ruff: noqa\n# more words\nb = 1\n"
    );
    check(
        "python",
        &[],
        &text,
        "#!/usr/bin/env python\n# … 3 lines\n\nimport a  # noqa: F401\n# ruff: noqa\nb = 1\n",
    );
    let found =
        format!("#!/usr/bin/env python\n{licence}\nimport a  # noqa: F401\n# ruff: noqa\nb = 1\n");
    check("python", &[PreservedKind::Licence], &text, &found);
}

/// Documentation stays; comments inside the documented item do not.
#[test]
fn only_documentation_is_kept() {
    check(
        "python",
        &[PreservedKind::Docstrings],
        "import os\n\ndef a():\n    \"\"\"About a.\"\"\"\n    # The first comment of the file.\n    b = 1  # Note: beside.\n    return b\n",
        "import os\n\ndef a():\n    \"\"\"About a.\"\"\"\n    b = 1\n    return b\n",
    );
    check(
        "rust",
        &[PreservedKind::Docstrings],
        "//! About the file.\n\n/// About a.\npub fn a() {\n    // Words.\n    const N: usize = 3; // Note: beside.\n    /* more */\n    static M: u8 = 1;\n    // Words before it.\n    fn b() {}\n    /// About c.\n    fn c() {}\n}\n",
        "//! About the file.\n\n/// About a.\npub fn a() {\n    const N: usize = 3;\n    static M: u8 = 1;\n    fn b() {}\n    /// About c.\n    fn c() {}\n}\n",
    );
    check(
        "go",
        &[PreservedKind::Docstrings],
        "// Package a is.\npackage a\n\n// B is.\nfunc B() int {\n\t// Words.\n\tconst c = 2\n\t// More.\n\tvar d = 3\n\treturn c + d\n}\n",
        "// Package a is.\npackage a\n\n// B is.\nfunc B() int {\n\tconst c = 2\n\tvar d = 3\n\treturn c + d\n}\n",
    );
}

/// The result is a valid program at every level that promises it.
#[test]
fn bodies_without_docstrings_are_valid_programs() {
    let text = "class A:\n    \"\"\"About A, in many words.\"\"\"\n\n    def a(self):\n        \"\"\"About a, in many words.\"\"\"\n\n    def b(self):\n        \"\"\"About b, in many words.\"\"\"\n        self.a()\n        self.a()\n        return self.a()\n\ndef c():\n    \"\"\"About c, in many words\n    and several lines.\n    \"\"\"\n";
    for level in Level::ALL {
        let how = Compression {
            remove_comments: true,
            ..Compression::at(level)
        };
        let found = compress(Language::from_id("python"), text, &how, &Limits::default());
        assert!(!found.text.contains("About"), "{level}:\n{}", found.text);
        let is_as_asked = found.gentler.is_none() || level == Level::Extreme;
        assert!(is_as_asked, "{level}:\n{}", found.text);
    }
}
