//! Definitions of a name, of a qualified name and of a location, the likeliest first.

use loom_lookup::{KeptSyntax, Navigator};
use std::sync::Arc;

use crate::fixture::{Files, check};

const SHOP: &[(&str, &str)] = &[
    (
        "shop/till.py",
        "class Till:\n    def open(self):\n        return count(self)\n\n\ndef count(till):\n    # count is not called here\n    return len(\"count\")\n",
    ),
    (
        "shop/big.py",
        "from .till import Till, count\n\n\nclass BigTill(Till):\n    def open(self):\n        count(self)\n        return Till.open(self)\n\n\ndef sell():\n    BigTill().open()\n",
    ),
    ("web/till.js", "export function count() { return 1 }\n"),
];

#[test]
fn name_finds_every_definition_of_it() {
    for (question, expected) in [
        ("def Till", "shop/till.py:1:7: class Till  class Till\n"),
        (
            "def count",
            "shop/till.py:6:5: function count  def count(till)\nweb/till.js:1:17: function count  export function count()\n",
        ),
        (
            "def BigTill.open",
            "shop/big.py:5:9: method BigTill.open  def open(self)\n",
        ),
        (
            "def BigTill::open()",
            "shop/big.py:5:9: method BigTill.open  def open(self)\n",
        ),
        ("def nothing_here", ""),
        ("def Till.nothing_here", ""),
        ("def Nothing.open", ""),
    ] {
        check(SHOP, question, expected);
    }
}

/// A directory or a file can replace the enclosing name.
#[test]
fn enclosing_name_may_be_a_file_or_a_directory() {
    let in_till = "shop/till.py:6:5: function count  def count(till)\n";
    check(
        SHOP,
        "def till.count",
        &format!("{in_till}web/till.js:1:17: function count  export function count()\n"),
    );
    check(SHOP, "def shop.count", in_till);
    check(SHOP, "def shop/till.count", in_till);
    check(
        SHOP,
        "def shop.Till.open",
        "shop/till.py:2:9: method Till.open  def open(self)\n",
    );
    check(SHOP, "def web.Till.open", "");
}

#[test]
fn location_in_a_use_leads_to_the_nearest_definition_first() {
    check(
        SHOP,
        "def shop/big.py:6:10",
        "shop/till.py:6:5: function count  def count(till)\nweb/till.js:1:17: function count  export function count()\n",
    );
    check(
        SHOP,
        "def shop/till.py:6:7",
        "shop/till.py:6:5: function count  def count(till)\n",
    );
}

#[test]
fn location_without_a_name_leads_nowhere() {
    for place in [
        "shop/big.py:2:1",
        "shop/big.py:99:1",
        "nowhere.py:1:1",
        "shop/big.py:6:999",
    ] {
        check(SHOP, &format!("def {place}"), "");
    }
}

#[test]
fn location_of_an_alias_leads_to_the_original_name() {
    let files = &[
        ("m.py", "def f():\n    return 1\n"),
        ("n.py", "from m import f as g\ng()\n"),
        ("other.rs", "fn g() {}\n"),
    ];
    check(files, "def n.py:2:1", "m.py:1:5: function f  def f()\n");
}

#[test]
fn imported_definition_comes_before_its_namesakes() {
    let files = &[
        ("a.py", "def run():\n    pass\n"),
        ("b.py", "def run():\n    pass\n"),
        ("d.py", "import a\nfrom b import run\n\nrun()\na.run()\n"),
        ("e.py", "class Engine:\n    def run(self):\n        pass\n"),
    ];
    let [a, b, e] = [
        "a.py:1:5: function run  def run()\n",
        "b.py:1:5: function run  def run()\n",
        "e.py:2:9: method Engine.run  def run(self)\n",
    ];
    check(files, "def d.py:5:4", &format!("{a}{b}{e}"));
    check(files, "def d.py:4:2", &format!("{b}{a}{e}"));
}

/// Of several definitions, those of the project come before declarations, examples, quotes in
/// documents and third-party code.
#[test]
fn likeliest_of_several_definitions_comes_first() {
    let run = "int run(void) {\n  return 1;\n}\n";
    let quoted = format!("# Use\n\n```c\n{run}```\n");
    let class = "class Till:\n    pass\n";
    let overloads = "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: any) {}\n";
    let private = "def _run():\n    pass\n\n\nclass A:\n    def __run(self):\n        pass\n";
    for (files, name, first) in [
        (
            &[("deps/a.c", run), ("src/b.c", run)][..],
            "run",
            "src/b.c:",
        ),
        (&[("a_example.c", run), ("b.c", run)], "run", "b.c:"),
        (&[("tests/a.c", run), ("z.c", run)], "run", "z.c:"),
        (
            &[("deps/README.md", &quoted), ("deps/b.c", run)],
            "run",
            "deps/b.c:",
        ),
        (
            &[
                ("a.h", "class Store;\n"),
                ("b.h", "class Store {\n  int a;\n};\n"),
            ],
            "Store",
            "b.h:",
        ),
        (&[("a.ts", overloads)], "f", "a.ts:3:"),
        (&[("a.pyi", class), ("b.py", class)], "Till", "b.py:"),
        (&[("a.py", private)], "_run", "a.py:1:"),
        (
            &[("a.py", "till = 1\n"), ("b.py", "class till:\n    pass\n")],
            "till",
            "b.py:",
        ),
    ] {
        let told = crate::fixture::ask(&Files::new(files), &format!("def {name}"));
        assert!(told.starts_with(first), "{name}: {told}");
    }
}

#[test]
fn operators_and_marked_names_are_names() {
    check(
        &[(
            "a.rb",
            "class Foo\n  def <=>(other)\n    0\n  end\n  def save!\n    1\n  end\nend\n",
        )],
        "def Foo#<=>",
        "a.rb:2:7: method Foo::<=>  def <=>(other)\n",
    );
    let macros = &[(
        "a.rs",
        "macro_rules! twice {\n    ($a:expr) => { $a; $a };\n}\n",
    )];
    let told = crate::fixture::ask(&Files::new(macros), "def twice!");
    assert!(told.starts_with("a.rs:1:14: macro twice"), "{told}");
}

#[test]
fn lines_list_the_definitions_that_begin_in_them_or_the_innermost_around() {
    let files = Files::new(SHOP);
    let navigator = Navigator::new(&files, Arc::<KeptSyntax>::default());
    let names = |path: &str, lines: std::ops::RangeInclusive<usize>| {
        let found = navigator.defined_in(path, &lines);
        let names = found.iter().map(|one| one.qualified.clone());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("shop/till.py", 1..=2), "Till Till.open");
    assert_eq!(names("shop/till.py", 1..=99), "Till Till.open count");
    assert_eq!(names("shop/till.py", 3..=3), "Till.open");
    assert_eq!(names("shop/till.py", 4..=5), "");
    assert_eq!(names("nowhere.py", 1..=9), "");
}
