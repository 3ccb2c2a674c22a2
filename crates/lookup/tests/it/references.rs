//! Uses of a definition, resolved ones before possible ones.

use crate::fixture::{Files, answer, ask, check};
use loom_lookup::{Navigate, Navigator, Target};

#[test]
fn uses_exclude_comments_strings_and_other_languages() {
    let files = &[
        (
            "shop/till.py",
            "class Till:\n    def open(self):\n        return count(self)\n\n\ndef count(till):\n    # count is not called here\n    return len(\"count\")\n",
        ),
        (
            "shop/big.py",
            "from .till import Till, count\n\n\nclass BigTill(Till):\n    def open(self):\n        count(self)\n",
        ),
        (
            "web/till.js",
            "export function count() { return 1 }\ncount()\n",
        ),
    ];
    check(
        files,
        "refs shop/till.py:6:5",
        "shop/big.py:1:25: from .till import Till, count\nshop/big.py:6:9: count(self)\nshop/till.py:3:16: return count(self)\n",
    );
    check(files, "refs web/till.js:1:17", "web/till.js:2:1: count()\n");
}

#[test]
fn kinds_of_uses_are_told_apart() {
    let files = Files::new(&[
        ("a.py", "class Till:\n    pass\n"),
        (
            "b.py",
            "from a import Till\n\n\nclass Big(Till):\n    pass\n\n\ndef f(t: Till):\n    return Till()\n\n\nname = Till\n",
        ),
    ]);
    let navigator = Navigator::new(&files, Default::default());
    let of = navigator.definitions(&Target::parse("Till").unwrap());
    let uses = navigator.references(&of);
    let kinds: Vec<(usize, &str)> = uses.iter().map(|one| (one.place.line, one.kind)).collect();
    let expected = [
        (1, "import"),
        (4, "inherit"),
        (8, "type"),
        (9, "call"),
        (12, "name"),
    ];
    assert_eq!(kinds, expected);
    let from: Vec<Option<&str>> = uses.iter().map(|one| one.from.as_deref()).collect();
    assert_eq!(
        from,
        [None, Some("Big"), Some("f"), Some("f"), Some("name")]
    );
}

const NAMESAKES: &[(&str, &str)] = &[
    ("a.py", "def run():\n    pass\n"),
    ("b.py", "def run():\n    pass\n"),
    ("c.py", "from a import run\n\nrun()\n"),
    ("d.py", "import a\nfrom b import run\n\nrun()\na.run()\n"),
    (
        "e.py",
        "class Engine:\n    def run(self):\n        pass\n\n\ndef go(e: Engine, x):\n    run = 1\n    e.run()\n    x.run()\n    return run\n",
    ),
];

#[test]
fn uses_of_one_of_several_namesakes_exclude_the_others() {
    check(
        NAMESAKES,
        "refs a.py:1:5",
        "c.py:1:15: from a import run\nc.py:3:1: run()\nd.py:5:3: a.run()\n",
    );
    check(
        NAMESAKES,
        "refs b.run",
        "d.py:2:15: from b import run\nd.py:4:1: run()\n",
    );
    check(
        NAMESAKES,
        "refs Engine.run",
        "e.py:8:7: e.run()\ne.py:9:7: (possible) x.run()\n",
    );
}

#[test]
fn uses_under_an_alias_are_found() {
    let files = &[
        ("a.py", "def f():\n    return 1\n"),
        (
            "b.py",
            "from a import f as g\n\n\ndef run():\n    return g()\n\n\ndef other(g):\n    return g()\n",
        ),
    ];
    check(
        files,
        "refs f",
        "b.py:1:15: from a import f as g\nb.py:5:12: return g()\n",
    );
    check(files, "callers f", "b.py:5:12: run -> g\n");
}

#[test]
fn default_export_is_found_under_the_names_of_its_importers() {
    let text = "function run() { return x() + new V() + new T() }";
    let x = format!(
        "import x from './y'\nimport V from './w'\nimport T from './kit'\n{text}\nfunction other(x) {{ return x() }}\n"
    );
    let files = &[
        ("y.js", "export default function z() { return 1 }\n"),
        ("w.ts", "class W { go() {} }\nexport default W\n"),
        ("kit/index.js", "export default class Top {}\n"),
        ("x.js", x.as_str()),
        ("v.js", "import x from './other'\nx()\n"),
        ("other.js", "export default function q() {}\n"),
    ];
    check(
        files,
        "refs z",
        &format!("x.js:1:8: import x from './y'\nx.js:4:25: {text}\n"),
    );
    check(files, "callers z", "x.js:4:25: run -> x\n");
    check(
        files,
        "refs W",
        &format!("w.ts:2:16: export default W\nx.js:2:8: import V from './w'\nx.js:4:35: {text}\n"),
    );
    check(
        files,
        "refs Top",
        &format!("x.js:3:8: import T from './kit'\nx.js:4:45: {text}\n"),
    );
    check(
        files,
        "def x.js:4:25",
        "y.js:1:25: function z  export default function z()\n",
    );
}

/// Files that only pass a name on contain no use of their own.
#[test]
fn re_exported_definitions_are_resolved() {
    let files = &[
        ("kit/core.py", "def build():\n    pass\n"),
        ("kit/__init__.py", "from .core import *\n"),
        ("use.py", "from kit import build\n\nbuild()\n"),
        ("other.py", "def build():\n    pass\n"),
    ];
    check(
        files,
        "refs kit/core.py:1:5",
        "use.py:1:17: from kit import build\nuse.py:3:1: build()\n",
    );
    check(files, "refs other.py:1:5", "");
}

#[test]
fn rust_crate_is_named_in_a_path_without_an_import() {
    let files = &[
        ("aa/Cargo.toml", "[package]\nname = \"aa\"\n"),
        ("bb/Cargo.toml", "[package]\nname = \"bb\"\n"),
        ("bb/src/lib.rs", "pub fn target() {}\n"),
        (
            "aa/src/lib.rs",
            "fn run() {\n    bb::target();\n    ::bb::target();\n}\n",
        ),
    ];
    check(
        files,
        "refs target",
        "aa/src/lib.rs:2:9: bb::target();\naa/src/lib.rs:3:11: ::bb::target();\n",
    );
}

#[test]
fn impl_uses_the_type_and_does_not_define_it() {
    let text = "pub trait Keep {}\npub struct Store;\nimpl Keep for Store {}\nimpl Store {}\n";
    check(
        &[("a.rs", text)],
        "refs Store",
        "a.rs:3:15: impl Keep for Store {}\na.rs:4:6: impl Store {}\n",
    );
}

#[test]
fn configurations_that_extend_each_other_end() {
    let config = format!(
        "{{\"extends\": [{}]}}",
        ["\"./tsconfig.json\""; 20].join(", ")
    );
    let files = &[
        ("tsconfig.json", config.as_str()),
        (
            "a.ts",
            "import { x } from 'some-package'\nexport function f() { return x() }\nf()\n",
        ),
    ];
    check(files, "refs f", "a.ts:3:1: f()\n");
}

/// A long line is shown around the use, so that an answer stays short.
#[test]
fn long_line_is_truncated_around_the_use() {
    let files = Files::new(&[
        ("a.js", "function connect(x) { return 1 }\n".to_owned()),
        ("min.js", "connect(1);".repeat(300)),
    ]);
    let told = ask(&files, "refs connect");
    let texts: Vec<&str> = told
        .lines()
        .map(|line| line.split_once(": (possible) ").unwrap().1)
        .collect();
    assert_eq!(texts.len(), 300);
    assert!(
        texts
            .iter()
            .all(|text| text.contains("connect(1)") && text.len() < 1_100)
    );
    assert!(texts[0].ends_with('…') && !texts[0].starts_with('…'));
    assert!(texts[150].starts_with('…') && texts[150].ends_with('…'));
    assert!(texts[299].starts_with('…') && !texts[299].ends_with('…'));
}

/// Characters of several bytes are never split.
#[test]
fn long_line_of_wide_characters_is_truncated_between_characters() {
    let text = format!("{}f();{}\n", "\"é\";".repeat(400), "\"日本\";".repeat(400));
    let files = Files::new(&[("a.js", "function f() {}\n".to_owned()), ("b.js", text)]);
    let told = ask(&files, "refs f");
    assert!(told.contains("f();") && told.len() < 1_200, "{told}");
}

#[test]
fn private_definition_is_used_only_near_its_file() {
    let files = &[
        ("one/a.rs", "fn price() {}\n"),
        ("one/b.rs", "fn f() { price(); }\n"),
        ("two/c.rs", "fn g() { price(); }\n"),
    ];
    check(
        files,
        "refs price",
        "one/b.rs:1:10: (possible) fn f() { price(); }\n",
    );
}

#[test]
fn empty_list_of_definitions_has_no_uses() {
    let files = Files::new(NAMESAKES);
    let navigator = Navigator::new(&files, Default::default());
    assert!(navigator.references(&[]).is_empty());
    assert!(navigator.implementations(&[]).is_empty());
    assert_eq!(navigator.callers(&[], 3), Default::default());
    assert_eq!(answer(&navigator, "refs nothing_here"), "");
}
