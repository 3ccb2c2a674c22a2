//! `def`, `refs`, `impls`, `callers`, `callees`.

use loom_testkit::Sandbox;
use serde_json::Value;

use crate::packed::loom;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "shop/till.py",
        "class Till:\n    def open(self):\n        return count(self)\n\n\ndef count(till):\n    # count is not called here\n    return len(\"count\")\n",
    );
    sandbox.write(
        "shop/big.py",
        "from .till import Till, count\n\n\nclass BigTill(Till):\n    def open(self):\n        count(self)\n        return Till.open(self)\n\n\ndef sell():\n    BigTill().open()\n",
    );
    sandbox.write("web/till.js", "export function count() { return 1 }\n");
    sandbox
}

#[track_caller]
fn check(args: &[&str], expected: &str) {
    let run = loom(&sandbox(), args);
    assert_eq!(run.text(), expected, "{args:?} {}", run.stderr);
    assert_eq!(run.code, i32::from(expected.is_empty()), "{}", run.stderr);
}

#[test]
fn definitions() {
    check(
        &["def", "Till"],
        "shop/till.py:1:7: class Till  class Till\n",
    );
    check(
        &["def", "count"],
        "shop/till.py:6:5: function count  def count(till)\nweb/till.js:1:17: function count  export function count()\n",
    );
    check(
        &["def", "BigTill.open"],
        "shop/big.py:5:9: method BigTill.open  def open(self)\n",
    );
    check(
        &["def", "till.count", "shop"],
        "shop/till.py:6:5: function count  def count(till)\n",
    );
    check(&["def", "nothing_here"], "");
}

#[test]
fn a_place_means_the_nearest() {
    check(
        &["def", "shop/big.py:6:10"],
        "shop/till.py:6:5: function count  def count(till)\nweb/till.js:1:17: function count  export function count()\n",
    );
    check(
        &["def", "shop/till.py:6:7"],
        "shop/till.py:6:5: function count  def count(till)\n",
    );
}

#[test]
fn references() {
    check(
        &["refs", "shop/till.py:6:5"],
        "shop/big.py:1:25: from .till import Till, count\nshop/big.py:6:9: count(self)\nshop/till.py:3:16: return count(self)\n",
    );
    let run = loom(&sandbox(), &["refs", "count"]);
    assert!(
        run.stderr.contains("count has 2 definitions"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("web/till.js:1:17"), "{}", run.stderr);
    let run = loom(&sandbox(), &["refs", "Till", "--format", "json"]);
    let json: Value = serde_json::from_str(&run.ok()).unwrap();
    assert_eq!(json["approximate"], true);
    let kinds: Vec<_> = json["references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    assert!(
        kinds.contains(&"import") && kinds.contains(&"inherit"),
        "{kinds:?}"
    );
}

/// Two functions and a method of one name, and a variable.
fn namesakes() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def run():\n    pass\n");
    sandbox.write("b.py", "def run():\n    pass\n");
    sandbox.write("c.py", "from a import run\n\nrun()\n");
    sandbox.write("d.py", "import a\nfrom b import run\n\nrun()\na.run()\n");
    sandbox.write(
        "e.py",
        "class Engine:\n    def run(self):\n        pass\n\n\ndef go(e: Engine, x):\n    run = 1\n    e.run()\n    x.run()\n    return run\n",
    );
    sandbox
}

#[test]
fn references_of_one_of_several() {
    let check = |args: &[&str], expected: &str| {
        let run = loom(&namesakes(), args);
        assert_eq!(run.text(), expected, "{args:?} {}", run.stderr);
    };
    check(
        &["refs", "a.py:1:5"],
        "c.py:1:15: from a import run\nc.py:3:1: run()\nd.py:5:3: a.run()\n",
    );
    check(
        &["refs", "b.run"],
        "d.py:2:15: from b import run\nd.py:4:1: run()\n",
    );
    check(
        &["refs", "Engine.run"],
        "e.py:8:7: e.run()\ne.py:9:7: (possible) x.run()\n",
    );
    check(&["refs", "Engine.run", "--resolved"], "e.py:8:7: e.run()\n");
    check(
        &["callers", "Engine.run"],
        "e.py:8:7: go -> run  e.run()\ne.py:9:7: (possible) go -> run  x.run()\n",
    );
    check(
        &["def", "d.py:5:4"],
        "a.py:1:5: function run  def run()\nb.py:1:5: function run  def run()\ne.py:2:9: method Engine.run  def run(self)\n",
    );
    check(
        &["def", "d.py:4:2"],
        "b.py:1:5: function run  def run()\na.py:1:5: function run  def run()\ne.py:2:9: method Engine.run  def run(self)\n",
    );
}

#[test]
fn callees_are_resolved() {
    let run = loom(&namesakes(), &["callees", "go", "--format", "json"]);
    let json: Value = serde_json::from_str(&run.ok()).unwrap();
    let call = &json["calls"][0];
    assert_eq!(call["callee"], "run");
    assert_eq!(call["certainty"], "possible");
}

#[test]
fn implementations() {
    check(
        &["impls", "Till"],
        "shop/big.py:4:7: class BigTill  class BigTill(Till)\n",
    );
    check(
        &["impls", "Till.open"],
        "shop/big.py:5:9: method BigTill.open  def open(self)\n",
    );
}

#[test]
fn calls() {
    check(
        &["callers", "shop/till.py:6:5"],
        "shop/big.py:6:9: BigTill.open -> count  count(self)\nshop/till.py:3:16: Till.open -> count  return count(self)\n",
    );
    let two = loom(&sandbox(), &["callers", "shop/till.py:6:5", "--depth", "2"]).ok();
    assert!(two.contains("  sell -> open"), "{two}");
    let callees = loom(&sandbox(), &["callees", "sell", "--format", "json"]).ok();
    let json: Value = serde_json::from_str(&callees).unwrap();
    let names: Vec<_> = json["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["callee"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["BigTill", "open"]);
}

#[test]
fn callers_of_callers_are_told_by_their_own_names_and_files() {
    let sandbox = Sandbox::new();
    sandbox.write("one.py", "def f():\n    return 1\n\n\ndef run():\n    f()\n\n\ndef gofer():\n    f()\n\n\ndef go():\n    f()\n\n\ndef main():\n    gofer()\n");
    sandbox.write(
        "two.py",
        "from one import f\n\n\ndef run():\n    f()\n\n\ndef top_two():\n    run()\n",
    );
    let told = loom(&sandbox, &["callers", "f", "--depth", "2"]).ok();
    assert!(told.contains("main -> gofer"), "{told}");
    assert!(!told.contains("main -> go "), "{told}");
    assert!(told.contains("top_two -> run"), "{told}");
}

#[test]
fn of_a_long_line_what_stands_around_is_shown() {
    let sandbox = Sandbox::new();
    sandbox.write("a.js", "function connect(x) { return 1 }\n");
    sandbox.write("min.js", "connect(1);".repeat(3000));
    let told = loom(&sandbox, &["refs", "connect", "--format", "json"]).ok();
    let told: Value = serde_json::from_str(&told).unwrap();
    let uses = told["references"].as_array().unwrap();
    let longest = uses
        .iter()
        .map(|one| one["text"].as_str().unwrap().len())
        .max();
    assert!(
        uses.len() >= 3000 && longest.unwrap() < 1200,
        "{} {longest:?}",
        uses.len()
    );
}

#[test]
fn another_name_of_an_import_is_followed() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def f():\n    return 1\n");
    sandbox.write(
        "b.py",
        "from a import f as g\n\n\ndef run():\n    return g()\n\n\ndef other(g):\n    return g()\n",
    );
    let told = loom(&sandbox, &["refs", "f", "--resolved"]).ok();
    assert_eq!(
        told,
        "b.py:1:15: from a import f as g\nb.py:5:12: return g()\n"
    );
    let told = loom(&sandbox, &["callers", "f"]).ok();
    assert_eq!(told, "b.py:5:12: run -> g  return g()\n");
}

#[test]
fn what_implements_one_of_several_of_a_name() {
    let sandbox = Sandbox::new();
    for folder in ["one", "two"] {
        sandbox.write(
            format!("{folder}/base.py"),
            "class Base:\n    def open(self):\n        pass\n",
        );
        sandbox.write(
            format!("{folder}/{folder}.py"),
            format!("from {folder}.base import Base\n\n\nclass {folder}(Base):\n    def open(self):\n        pass\n"),
        );
    }
    let told = loom(&sandbox, &["impls", "one/base.py:1:7"]).ok();
    assert_eq!(told, "one/one.py:4:7: class one  class one(Base)\n");
    let told = loom(&sandbox, &["impls", "two/base.py:2:9"]).ok();
    assert_eq!(told, "two/two.py:5:9: method two.open  def open(self)\n");
    let both = loom(&sandbox, &["impls", "Base"]).ok();
    assert_eq!(both.lines().count(), 2, "{both}");
}

#[test]
fn what_is_not_told_is_said() {
    let sandbox = Sandbox::new();
    let calls = "    f()\n".repeat(2100);
    sandbox.write("a.py", format!("def f():\n    pass\n\n\ndef g():\n{calls}"));
    let run = loom(&sandbox, &["callers", "f"]);
    assert_eq!(run.text().lines().count(), 2000);
    assert!(
        run.stderr.contains("there are more calls"),
        "{}",
        run.stderr
    );
    let run = loom(&sandbox, &["refs", "f", "--limit", "2", "--format", "json"]);
    let told: Value = serde_json::from_str(&run.ok()).unwrap();
    assert_eq!(told["cut"], true);
    let run = loom(&sandbox, &["callers", "f", "--depth", "11"]);
    assert!(
        run.code == 2 && run.stderr.contains("1..=10"),
        "{}",
        run.stderr
    );
    sandbox.write("b.rs", "struct Shop;\nimpl Shop {\n    fn sell(&self) -> Option<u8> {\n        Some(price())\n    }\n}\nfn price() -> u8 { 1 }\nfn f2(_: Shop) {}\n");
    let run = loom(&sandbox, &["refs", "Shop"]);
    assert!(!run.stderr.contains("definitions"), "{}", run.stderr);
    let told = loom(&sandbox, &["callees", "Shop::sell"]).ok();
    assert_eq!(told, "b.rs:4:14: Shop::sell -> price  Some(price())\n");
}

/// Put together so that this file holds none.
fn key() -> String {
    ["AKIA", "Z7QK3", "LTX5R", "VNMWPA"].concat()
}

#[test]
fn no_name_tells_a_secret() {
    let sandbox = Sandbox::new();
    let key = key();
    sandbox.write(
        "keys.py",
        format!("class {key}:\n    def sell(self):\n        return price()\n\n\ndef price():\n    return 1\n"),
    );
    sandbox.write("notes.md", format!("# Key {key}\n\nThe price of it.\n"));
    for args in [
        &["callers", "price"][..],
        &["callers", "price", "--format", "json"],
        &["def", "sell", "--format", "json"],
        &["refs", "price", "--format", "json"],
        &["search", "price", "--format", "json"],
        &["search", "--ask", "price"],
        &["search", "--ask", "price", "--format", "json"],
        &["def", "keys.py:1:8"],
        &["search", "sym:AKIA", "--format", "json"],
    ] {
        let run = loom(&sandbox, args);
        assert!(!run.text().contains(&key), "{args:?} {}", run.text());
        assert!(!run.stderr.contains(&key), "{args:?} {}", run.stderr);
    }
    let told = loom(&sandbox, &["callers", "price"]).ok();
    assert!(
        told.contains("[REDACTED:") && told.contains(".sell -> price"),
        "{told}"
    );
}

#[test]
fn secrets_fail_and_warn() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "keys.py",
        format!(
            "def price():\n    return 1\n\n\nKEY = price(\"{}\")\n",
            key()
        ),
    );
    sandbox.write(
        "cost.py",
        format!("def cost():\n    return \"{}\"\n", key()),
    );
    let asked = loom(&sandbox, &["search", "--ask", "cost", "--secrets", "fail"]);
    assert_eq!(asked.code, 2, "{}", asked.text());
    assert!(asked.stderr.contains("holds a secret"), "{}", asked.stderr);
    let meant = ["search", "--semantic", "cost", "--secrets"];
    let run = loom(&sandbox, &[&meant[..], &["fail"]].concat());
    assert_eq!(run.code, 2, "{}", run.text());
    assert!(run.stderr.contains("cost.py:2"), "{}", run.stderr);
    let run = loom(&sandbox, &[&meant[..], &["warn"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("hold secrets"), "{}", run.stderr);
    for command in ["search", "refs"] {
        let run = loom(&sandbox, &[command, "price", "--secrets", "fail"]);
        assert_eq!(run.code, 2, "{command} {}", run.stderr);
        assert!(run.stderr.contains("holds a secret"), "{}", run.stderr);
        assert!(!run.text().contains(&key()));
        let run = loom(&sandbox, &[command, "price", "--secrets", "warn"]);
        assert!(run.text().contains(&key()), "{}", run.text());
        assert!(run.stderr.contains("holds a secret"), "{}", run.stderr);
        let run = loom(&sandbox, &[command, "price", "--secrets", "off"]);
        assert!(run.stderr.is_empty(), "{}", run.stderr);
    }
}

#[test]
fn only_what_changed() {
    let sandbox = Sandbox::new();
    sandbox.write("old.py", "def price():\n    return 1\n");
    sandbox.write("new.py", "def other():\n    return 1\n");
    sandbox.commit_all();
    sandbox.write("new.py", "def other():\n    return price()\n");
    let told = |args: &[&str]| loom(&sandbox, args).ok();
    assert_eq!(
        told(&["search", "price", "--changed"]),
        "new.py:2:    return price()\n"
    );
    assert_eq!(told(&["search", "-l", "def", "--changed"]), "new.py\n");
    let symbols = told(&["symbols", "--changed"]);
    assert!(
        symbols.contains("other") && !symbols.contains("old.py"),
        "{symbols}"
    );
    assert_eq!(loom(&sandbox, &["def", "price", "--changed"]).code, 1);
    // What was indexed of a part does not stand for the whole.
    assert_eq!(told(&["search", "-l", "def"]), "new.py\nold.py\n");
}

#[test]
fn operators_are_names() {
    let sandbox = Sandbox::new();
    sandbox.write("a.rb", "class Foo\n  def <=>(other)\n    0\n  end\nend\n");
    let told = loom(&sandbox, &["def", "Foo#<=>"]).ok();
    assert!(told.starts_with("a.rb:2:"), "{told}");
}

#[test]
fn nothing_is_left_of_a_secret_that_is_a_key() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", format!("\"{}\":\n  price: 1\n", key()));
    let told = loom(&sandbox, &["search", "price", "--format", "json"]).ok();
    assert!(
        !told.contains("A[REDACTED") && !told.contains(&key()),
        "{told}"
    );
}

/// A configuration that extends itself, again and again.
#[test]
fn configurations_in_a_circle() {
    let sandbox = Sandbox::new();
    let extends = ["\"./tsconfig.json\""; 20].join(", ");
    sandbox.write("tsconfig.json", format!("{{\"extends\": [{extends}]}}"));
    sandbox.write(
        "a.ts",
        "import { x } from 'some-package'\nexport function f() { return x() }\nf()\n",
    );
    let told = loom(&sandbox, &["refs", "f"]).ok();
    assert_eq!(told, "a.ts:3:1: f()\n");
}

#[test]
fn a_crate_needs_no_import() {
    let sandbox = Sandbox::new();
    for name in ["aa", "bb"] {
        sandbox.write(
            format!("{name}/Cargo.toml"),
            format!("[package]\nname = \"{name}\"\n"),
        );
    }
    sandbox.write("bb/src/lib.rs", "pub fn target() {}\n");
    sandbox.write(
        "aa/src/lib.rs",
        "fn run() {\n    bb::target();\n    ::bb::target();\n}\n",
    );
    let told = loom(&sandbox, &["refs", "target", "--resolved"]).ok();
    assert_eq!(
        told,
        "aa/src/lib.rs:2:9: bb::target();\naa/src/lib.rs:3:11: ::bb::target();\n"
    );
}

#[test]
fn a_place_of_another_name_leads_to_the_definition() {
    let sandbox = Sandbox::new();
    sandbox.write("m.py", "def f():\n    return 1\n");
    sandbox.write("n.py", "from m import f as g\ng()\n");
    sandbox.write("other.rs", "fn g() {}\n");
    let told = loom(&sandbox, &["def", "n.py:2:1"]).ok();
    assert_eq!(told, "m.py:1:5: function f  def f()\n");
}

#[test]
fn a_called_name_tells_no_secret() {
    let sandbox = Sandbox::new();
    let key = key();
    sandbox.write(
        "a.py",
        format!("class A:\n    def {key}(self): pass\n    def b(self): self.{key}()\n"),
    );
    for form in ["text", "json"] {
        let run = loom(&sandbox, &["callees", "A.b", "--format", form]);
        assert!(!run.text().contains(&key), "{}", run.text());
    }
    // A secret in the body is not in the answer.
    sandbox.write("b.py", format!("def user():\n    return \"{key}\"\n"));
    loom(&sandbox, &["def", "user", "--secrets", "fail"]).ok();
}
