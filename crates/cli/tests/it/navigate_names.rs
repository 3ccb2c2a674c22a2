//! What names mean where a language has a way of its own: `refs`, `impls` and `callees`.

use loom_testkit::Sandbox;

use crate::packed::loom;

#[track_caller]
fn check(files: &[(&str, &str)], args: &[&str], expected: &str) {
    let sandbox = Sandbox::new();
    for (path, text) in files {
        sandbox.write(path, text);
    }
    let run = loom(&sandbox, args);
    assert_eq!(run.text(), expected, "{args:?} {}", run.stderr);
}

#[test]
fn a_default_export_has_any_name() {
    let files = &[
        ("y.js", "export default function z() { return 1 }\n"),
        ("w.ts", "class W { go() {} }\nexport default W\n"),
        ("kit/index.js", "export default class Top {}\n"),
        (
            "x.js",
            "import x from './y'\nimport V from './w'\nimport T from './kit'\nfunction run() { return x() + new V() + new T() }\nfunction other(x) { return x() }\n",
        ),
        ("v.js", "import x from './other'\nx()\n"),
        ("other.js", "export default function q() {}\n"),
    ];
    check(
        files,
        &["refs", "z", "--resolved"],
        "x.js:1:8: import x from './y'\nx.js:4:25: function run() { return x() + new V() + new T() }\n",
    );
    check(
        files,
        &["callers", "z"],
        "x.js:4:25: run -> x  function run() { return x() + new V() + new T() }\n",
    );
    check(
        files,
        &["refs", "W", "--resolved"],
        "w.ts:2:16: export default W\nx.js:2:8: import V from './w'\nx.js:4:35: function run() { return x() + new V() + new T() }\n",
    );
    check(
        files,
        &["refs", "Top", "--resolved"],
        "x.js:3:8: import T from './kit'\nx.js:4:45: function run() { return x() + new V() + new T() }\n",
    );
    check(
        files,
        &["def", "x.js:4:25"],
        "y.js:1:25: function z  export default function z()\n",
    );
}

#[test]
fn what_implements_something_for_a_type_uses_it() {
    check(
        &[(
            "a.rs",
            "pub trait Keep {}\npub struct Store;\nimpl Keep for Store {}\nimpl Store {}\n",
        )],
        &["refs", "Store"],
        "a.rs:3:15: impl Keep for Store {}\na.rs:4:6: impl Store {}\n",
    );
}

#[test]
fn a_variable_hides_a_function() {
    let files = &[(
        "a.rs",
        "fn price() -> u8 { 1 }\nfn near() { let price = || 2; price(); }\nfn far() { price(); }\n",
    )];
    let told = |name: &str| {
        let sandbox = Sandbox::new();
        sandbox.write(files[0].0, files[0].1);
        let told = loom(&sandbox, &["callees", name, "--format", "json"]).ok();
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let definitions = told["calls"][0]["definitions"].as_array();
        definitions.map_or(0, Vec::len)
    };
    assert_eq!((told("near"), told("far")), (0, 1));
}

/// A place leads to the variable that hides what has its name elsewhere.
#[test]
fn a_place_knows_what_is_hidden() {
    let files = &[
        (
            "a.py",
            "def price():\n    return 1\n\ndef near(price):\n    other = price + 1\n    return price\n\ndef far():\n    return price()\n",
        ),
        ("b.py", "from a import price\nprice()\n"),
    ];
    let bound = "a.py:4:10: variable price  def near(price):\n";
    check(files, &["def", "a.py:5:13"], bound);
    check(files, &["def", "a.py:4:10"], bound);
    check(
        files,
        &["refs", "a.py:6:12"],
        "a.py:5:13: other = price + 1\na.py:6:12: return price\n",
    );
    check(
        files,
        &["def", "a.py:9:12"],
        "a.py:1:5: function price  def price()\n",
    );
}

#[test]
fn a_full_name_needs_no_import() {
    let files = &[
        ("a/b/C.java", "package a.b;\npublic interface C {}\n"),
        ("x/C.java", "package x;\npublic interface C {}\n"),
        (
            "c/D.java",
            "package c;\npublic class D implements a.b.C {\n    a.b.C field;\n}\n",
        ),
    ];
    check(
        files,
        &["impls", "a/b/C.java:2:18"],
        "c/D.java:2:14: class D  public class D implements a.b.C\n",
    );
    check(
        files,
        &["refs", "a/b/C.java:2:18"],
        "c/D.java:2:31: public class D implements a.b.C {\nc/D.java:3:9: a.b.C field;\n",
    );
    check(files, &["refs", "x/C.java:2:18", "--resolved"], "");
}

/// Of several, what the project itself defines comes before declarations, examples and code
/// of others.
#[test]
fn the_likeliest_of_several_comes_first() {
    let first = |files: &[(&str, &str)], name: &str, expected: &str| {
        let sandbox = Sandbox::new();
        for (path, text) in files {
            sandbox.write(path, text);
        }
        let told = loom(&sandbox, &["def", name]).ok();
        assert!(told.starts_with(expected), "{told}");
    };
    let run = "int run(void) {\n  return 1;\n}\n";
    first(&[("deps/a.c", run), ("src/b.c", run)], "run", "src/b.c:");
    first(&[("a_example.c", run), ("b.c", run)], "run", "b.c:");
    // What a document quotes is defined elsewhere, in the code of others too.
    let quoted = format!("# Use\n\n```c\n{run}```\n");
    first(
        &[("deps/README.md", &quoted), ("deps/b.c", run)],
        "run",
        "deps/b.c:",
    );
    first(
        &[
            ("a.h", "class Store;\n"),
            ("b.h", "class Store {\n  int a;\n};\n"),
        ],
        "Store",
        "b.h:",
    );
    first(
        &[(
            "a.ts",
            "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: any) {}\n",
        )],
        "f",
        "a.ts:3:",
    );
    let class = "class Till:\n    pass\n";
    first(&[("a.pyi", class), ("b.py", class)], "Till", "b.py:");
}

/// What a type inherits from is the type, and not the constructor of that name which it
/// inherits too.
#[test]
fn a_type_with_a_constructor_is_inherited_from() {
    let files = &[
        (
            "a/Base.java",
            "package a;\npublic class Base {\n    protected int size;\n    public Base() {}\n}\n",
        ),
        (
            "a/Kid.java",
            "package a;\npublic class Kid extends Base {\n    Base other;\n    int twice() { return size + size; }\n}\n",
        ),
    ];
    check(
        files,
        &["impls", "Base"],
        "a/Kid.java:2:14: class Kid  public class Kid extends Base\n",
    );
    check(
        files,
        &["refs", "a/Base.java:2:14", "--resolved"],
        "a/Kid.java:2:26: public class Kid extends Base {\na/Kid.java:3:5: Base other;\n",
    );
}
