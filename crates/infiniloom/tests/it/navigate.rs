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
