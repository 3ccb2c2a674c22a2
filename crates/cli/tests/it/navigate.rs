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

/// Returns a key, which is split so that this file contains no secret.
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
    // The index of a part is not used for the whole.
    assert_eq!(told(&["search", "-l", "def"]), "new.py\nold.py\n");
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
