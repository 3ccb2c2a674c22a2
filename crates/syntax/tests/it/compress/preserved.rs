//! Text that `preserve` names is in the result, at every level and with every option: random
//! programs in several languages, built from parts with numbered words.

use loom_syntax::{Compression, Language, Level, Limits, PreservedKind, compress};

use crate::mutated::Random;

/// Part of a program. `@` is a number that is unique to the part; `{body}` is a body of many lines.
struct Part {
    text: &'static str,
    /// Words that stay, each with the kind that preserves it.
    kept: &'static [(PreservedKind, &'static str)],
}

/// Language with the parts of its programs. The first part is the licence, those up to `head` are
/// the head of the file.
struct Parts {
    id: &'static str,
    head: usize,
    parts: &'static [Part],
    body: &'static str,
}

const fn part(text: &'static str, kept: &'static [(PreservedKind, &'static str)]) -> Part {
    Part { text, kept }
}

use PreservedKind::{
    Comments, CommentsWithTodo, Docstrings, Imports, Licence, Literals, Public, Tests, Types,
};

const LANGUAGES: &[Parts] = &[
    Parts {
        id: "rust",
        head: 2,
        body: "    let step = other(1);\n",
        parts: &[
            part(
                "// Copyright 2020 licence@ Person\n// Licensed under MIT\n// and more of it\n\n",
                &[(Licence, "licence@"), (Comments, "licence@")],
            ),
            part("use std::import@;\n", &[(Imports, "import@")]),
            part(
                "/// Says doc@.\npub fn public@() {\n    let inner@ = 1;\n    // plain@ words\n{body}    // TODO: todo@\n}\n\n",
                &[
                    (Docstrings, "doc@"),
                    (Public, "inner@"),
                    (Comments, "plain@"),
                    (CommentsWithTodo, "todo@"),
                ],
            ),
            part(
                "fn private@() {\n{body}    /* FIXME todo@ */\n    // plain@ words\n{body}}\n\n",
                &[(CommentsWithTodo, "todo@"), (Comments, "plain@")],
            ),
            part(
                "pub struct Type@ {\n    /// Says doc@.\n    field@: u32,\n    // plain@\n    more: u8,\n}\n\n",
                &[(Types, "field@"), (Types, "plain@"), (Comments, "plain@")],
            ),
            part(
                "#[test]\nfn test@() {\n    let inner@ = 1;\n{body}}\n\n",
                &[(Tests, "inner@")],
            ),
            part(
                "const TABLE@: &[&str] = &[\n    \"a\",\n    \"b\",\n    \"c\",\n    \"d\",\n    \"e\",\n    \"f\",\n    \"g\",\n    \"h\",\n    \"i\",\n    \"j\",\n    \"k\",\n    \"literal@\",\n    // TODO todo@\n    \"l\",\n];\n\n",
                &[(Literals, "literal@"), (CommentsWithTodo, "todo@")],
            ),
        ],
    },
    Parts {
        id: "python",
        head: 2,
        body: "    step = other(1)\n",
        parts: &[
            part(
                "# Copyright 2020 licence@ Person\n# Licensed under MIT\n# and more of it\n\n",
                &[(Licence, "licence@"), (Comments, "licence@")],
            ),
            part("import import@\n", &[(Imports, "import@")]),
            part(
                "def public@(a):\n    \"\"\"Says doc@.\"\"\"\n    inner@ = 1\n    # plain@ words\n{body}    # TODO: todo@\n    return a\n\n\n",
                &[
                    (Docstrings, "doc@"),
                    (Public, "inner@"),
                    (Comments, "plain@"),
                    (CommentsWithTodo, "todo@"),
                ],
            ),
            part(
                "def _private@(a):\n{body}    # FIXME todo@\n    # plain@ words\n{body}    return a\n\n\n",
                &[(CommentsWithTodo, "todo@"), (Comments, "plain@")],
            ),
            part(
                "class Type@:\n    \"\"\"Says doc@.\"\"\"\n\n    def _method(self):\n        # XXX todo@\n{body}\n\n",
                &[(Docstrings, "doc@"), (CommentsWithTodo, "todo@")],
            ),
            part(
                "def test_number@():\n    inner@ = 1\n{body}    assert inner@\n\n\n",
                &[(Tests, "inner@")],
            ),
            part(
                "TABLE@ = [\n    \"a\",\n    \"b\",\n    \"c\",\n    \"d\",\n    \"e\",\n    \"f\",\n    \"g\",\n    \"h\",\n    \"i\",\n    \"j\",\n    \"k\",\n    \"literal@\",\n    \"l\",\n]\n\n",
                &[(Literals, "literal@")],
            ),
        ],
    },
    Parts {
        id: "typescript",
        head: 2,
        body: "  other(1);\n",
        parts: &[
            part(
                "/*\n * Copyright 2020 licence@ Person\n * Licensed under MIT\n */\n\n",
                &[(Licence, "licence@"), (Comments, "licence@")],
            ),
            part(
                "import { import@ } from \"there\";\n",
                &[(Imports, "import@")],
            ),
            part(
                "/** Says doc@. */\nexport function public@(a: number) {\n  const inner@ = 1;\n  // plain@ words\n{body}  // TODO: todo@\n}\n\n",
                &[
                    (Docstrings, "doc@"),
                    (Public, "inner@"),
                    (Comments, "plain@"),
                    (CommentsWithTodo, "todo@"),
                ],
            ),
            part(
                "interface Type@ {\n  field@: string;\n  // plain@\n  other: number;\n  last: {\n    deep: string;\n  };\n}\n\n",
                &[(Types, "field@"), (Types, "plain@"), (Comments, "plain@")],
            ),
            part(
                "const table@ = {\n  a: 1,\n  b: 2,\n  c: 3,\n  d: 4,\n  e: 5,\n  f: 6,\n  g: 7,\n  h: 8,\n  i: 9,\n  j: 10,\n  k: 11,\n  l: \"literal@\",\n  m: 12,\n};\n\n",
                &[(Literals, "literal@")],
            ),
            part(
                "function private@() {\n{body}  /* HACK todo@ */\n{body}}\n\n",
                &[(CommentsWithTodo, "todo@")],
            ),
        ],
    },
    Parts {
        id: "go",
        head: 2,
        body: "\tother(1)\n",
        parts: &[
            part(
                "// Copyright 2020 licence@ Person\n// Licensed under MIT\n// and more of it\n\npackage main\n\n",
                &[(Licence, "licence@"), (Comments, "licence@")],
            ),
            part("import \"import@\"\n\n", &[(Imports, "import@")]),
            part(
                "// Public@ says doc@.\nfunc Public@(a int) {\n\tinner@ := 1\n\t// plain@ words\n{body}\t// TODO: todo@\n}\n\n",
                &[
                    (Docstrings, "doc@"),
                    (Public, "inner@"),
                    (Comments, "plain@"),
                    (CommentsWithTodo, "todo@"),
                ],
            ),
            part(
                "type Type@ struct {\n\tField@ int\n\t// plain@\n\tmore string\n}\n\n",
                &[(Types, "Field@"), (Types, "plain@"), (Comments, "plain@")],
            ),
            part(
                "func TestNumber@(t *testing.T) {\n\tinner@ := 1\n{body}}\n\n",
                &[(Tests, "inner@")],
            ),
            part(
                "var table@ = []string{\n\t\"a\",\n\t\"b\",\n\t\"c\",\n\t\"d\",\n\t\"e\",\n\t\"f\",\n\t\"g\",\n\t\"h\",\n\t\"i\",\n\t\"j\",\n\t\"k\",\n\t\"literal@\",\n\t\"l\",\n}\n\n",
                &[(Literals, "literal@")],
            ),
        ],
    },
    Parts {
        id: "java",
        head: 2,
        body: "        other(1);\n",
        parts: &[
            part(
                "/*\n * Copyright 2020 licence@ Person\n * Licensed under MIT\n */\n\n",
                &[(Licence, "licence@"), (Comments, "licence@")],
            ),
            part("import a.Import@;\n\n", &[(Imports, "Import@")]),
            part(
                "public class Class@ {\n    /** Says doc@. */\n    public void run() {\n        int inner@ = 1;\n        // plain@ words\n{body}        // TODO: todo@\n    }\n}\n\n",
                &[
                    (Docstrings, "doc@"),
                    (Public, "inner@"),
                    (Comments, "plain@"),
                    (CommentsWithTodo, "todo@"),
                ],
            ),
            part(
                "enum Type@ {\n    MEMBER@,\n    // plain@\n    OTHER;\n}\n\n",
                &[(Types, "MEMBER@"), (Types, "plain@"), (Comments, "plain@")],
            ),
        ],
    },
];

#[test]
fn preserved_words_are_in_the_result() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for language in LANGUAGES {
        for _ in 0..60 {
            let (text, kept) = program(language, &mut random);
            for level in Level::ALL {
                check(language.id, &text, &kept, level, &mut random);
            }
        }
    }
}

/// Generates a program, and the words of its parts that stay.
fn program(language: &Parts, random: &mut Random) -> (String, Vec<(PreservedKind, String)>) {
    let (mut text, mut kept) = (String::new(), Vec::new());
    let more = 1 + random.below(8);
    let count = language.parts.len() - language.head;
    for number in 0..language.head + more {
        let at = match number < language.head {
            true => number,
            false => language.head + random.below(count),
        };
        let part = &language.parts[at];
        let digits = (1000 + number).to_string();
        let body = language.body.repeat(1 + random.below(20));
        let numbered = part.text.replace('@', &digits);
        text.push_str(&numbered.replace("{body}", &body));
        let words = part.kept.iter();
        kept.extend(words.map(|(kind, word)| (*kind, word.replace('@', &digits))));
    }
    (text, kept)
}

fn check(
    id: &str,
    text: &str,
    kept: &[(PreservedKind, String)],
    level: Level,
    random: &mut Random,
) {
    let chosen = random.below(1 << PreservedKind::ALL.len());
    let kinds = PreservedKind::ALL.iter().enumerate();
    let kinds = kinds.filter(|(at, _)| chosen >> at & 1 == 1);
    let how = Compression {
        level,
        preserve: kinds.map(|(_, (_, kind))| *kind).collect(),
        remove_comments: random.below(4) == 0,
        minify_whitespace: random.below(4) == 0,
    };
    let limits = Limits::default();
    let found = compress(Language::from_id(id), text, &how, &limits).text;
    for (kind, word) in kept {
        let is_there = !how.preserve.keeps(*kind) || found.contains(word.as_str());
        assert!(is_there, "{id}, {how:?}: {word} of\n{text}\nin\n{found}");
    }
}
