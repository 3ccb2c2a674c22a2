//! Callers and callees over several steps.

use loom_lookup::{Navigate, Navigator, Target};

use crate::fixture::{Files, ask, check};

const SHOP: &[(&str, &str)] = &[
    (
        "shop/till.py",
        "class Till:\n    def open(self):\n        return count(self)\n\n\ndef count(till):\n    return len(\"count\")\n",
    ),
    (
        "shop/big.py",
        "from .till import Till, count\n\n\nclass BigTill(Till):\n    def open(self):\n        count(self)\n        return Till.open(self)\n\n\ndef sell():\n    BigTill().open()\n",
    ),
];

#[test]
fn callers_are_followed_for_the_given_steps() {
    let one = "shop/big.py:6:9: BigTill.open -> count\nshop/till.py:3:16: Till.open -> count\n";
    check(SHOP, "callers count", one);
    check(SHOP, "callers count depth 0", "");
    let two = ask(&Files::new(SHOP), "callers count depth 2");
    assert!(two.starts_with(one), "{two}");
    assert!(two.contains("  shop/big.py:11:15: "), "{two}");
    assert!(two.contains("sell -> open\n"), "{two}");
    assert_eq!(ask(&Files::new(SHOP), "callers count depth 9"), two);
}

#[test]
fn callees_are_those_of_the_definition() {
    let told = ask(&Files::new(SHOP), "callees sell");
    let names: Vec<&str> = told
        .lines()
        .map(|line| line.rsplit(' ').next().unwrap())
        .collect();
    assert_eq!(names, ["BigTill", "open"]);
    let two = ask(&Files::new(SHOP), "callees sell depth 2");
    assert!(
        two.contains("  shop/big.py:6:9: BigTill.open -> count\n"),
        "{two}"
    );
}

/// Several files may define the same qualified name.
#[test]
fn callers_of_callers_are_those_of_the_same_file() {
    let files = &[
        (
            "one.py",
            "def f():\n    return 1\n\n\ndef run():\n    f()\n\n\ndef gofer():\n    f()\n\n\ndef go():\n    f()\n\n\ndef main():\n    gofer()\n",
        ),
        (
            "two.py",
            "from one import f\n\n\ndef run():\n    f()\n\n\ndef top_two():\n    run()\n",
        ),
    ];
    check(
        files,
        "callers f depth 2",
        "one.py:6:5: run -> f\none.py:10:5: gofer -> f\none.py:14:5: go -> f\ntwo.py:5:5: run -> f\n  one.py:18:5: main -> gofer\n  two.py:9:5: top_two -> run\n",
    );
}

/// A possible call may mean another definition, so its caller is not followed.
#[test]
fn possible_callers_are_told_and_not_followed() {
    let files = &[(
        "e.py",
        "class Engine:\n    def run(self):\n        pass\n\n\ndef go(e: Engine, x):\n    e.run()\n\n\ndef may(x):\n    x.run()\n\n\ndef top():\n    go(1, 2)\n    may(3)\n",
    )];
    check(
        files,
        "callers Engine.run depth 2",
        "e.py:7:7: go -> run\ne.py:11:7: (possible) may -> run\n  e.py:15:5: top -> go\n",
    );
    let told = ask(&Files::new(files), "callees may");
    assert_eq!(told, "e.py:11:7: (possible) may -> run\n");
}

#[test]
fn recursion_ends() {
    let files = &[(
        "a.py",
        "def even(n):\n    return odd(n - 1)\n\n\ndef odd(n):\n    return even(n - 1)\n",
    )];
    check(
        files,
        "callers even depth 10",
        "a.py:6:12: odd -> even\n  a.py:2:12: even -> odd\n",
    );
    check(
        files,
        "callees even depth 10",
        "a.py:2:12: even -> odd\n  a.py:6:12: odd -> even\n",
    );
}

#[test]
fn too_many_calls_are_truncated_and_the_answer_says_so() {
    let calls = "    f()\n".repeat(2_100);
    let text = format!("def f():\n    pass\n\n\ndef g():\n{calls}");
    let files = Files::new(&[("a.py", text)]);
    let navigator = Navigator::new(&files, Default::default());
    let of = |name: &str| navigator.definitions(&Target::parse(name).unwrap());
    for told in [
        navigator.callers(&of("f"), 1),
        navigator.callees(&of("g"), 1),
    ] {
        assert_eq!((told.calls.len(), told.is_cut), (2_000, true));
    }
}

/// A chain of calls that is longer than the maximum depth is incomplete.
#[test]
fn chain_beyond_the_maximum_depth_is_incomplete() {
    let text: String = (0..14)
        .map(|at| format!("def f{at}():\n    f{}()\n\n\n", at + 1))
        .collect();
    let files = Files::new(&[("a.py", text)]);
    let navigator = Navigator::new(&files, Default::default());
    let of = |name: &str| navigator.definitions(&Target::parse(name).unwrap());
    for (depth, steps, is_cut) in [(3, 3, false), (10, 10, false), (11, 10, true)] {
        let callers = navigator.callers(&of("f13"), depth);
        assert_eq!(
            (callers.calls.len(), callers.is_cut),
            (steps, is_cut),
            "{depth}"
        );
        let callees = navigator.callees(&of("f0"), depth);
        assert_eq!(
            (callees.calls.len(), callees.is_cut),
            (steps, is_cut),
            "{depth}"
        );
    }
}

#[test]
fn rust_variants_and_build_conditions_are_no_calls() {
    let files = &[(
        "b.rs",
        "struct Shop;\nimpl Shop {\n    fn sell(&self) -> Option<u8> {\n        Some(price())\n    }\n}\nfn price() -> u8 { 1 }\n",
    )];
    check(
        files,
        "callees Shop::sell",
        "b.rs:4:14: Shop::sell -> price\n",
    );
}

#[test]
fn callee_has_the_definitions_that_it_may_mean() {
    let files = Files::new(&[
        (
            "a.py",
            "def f():\n    g()\n    unknown()\n\n\ndef g():\n    pass\n",
        ),
        ("b.js", "function g() {}\n"),
    ]);
    let navigator = Navigator::new(&files, Default::default());
    let of = navigator.definitions(&Target::parse("f").unwrap());
    let told = navigator.callees(&of, 1);
    let definitions: Vec<Vec<usize>> = told
        .calls
        .iter()
        .map(|call| call.definitions.iter().map(|one| one.place.line).collect())
        .collect();
    assert_eq!(definitions, [vec![6], vec![]]);
}

/// A module may have the name of a function that it re-exports.
#[test]
fn callers_of_a_function_that_a_module_of_its_name_reexports() {
    let manifest = ("Cargo.toml", "[package]\nname = \"shop\"\n");
    let lib = "mod sell;\nmod cli;\npub use sell::sell;\n\nfn here() {\n    sell();\n}\n";
    let files = [
        manifest,
        ("src/sell.rs", "pub fn sell() {}\n"),
        ("src/lib.rs", lib),
        (
            "src/cli.rs",
            "pub fn path() {\n    crate::sell();\n}\n\npub fn module() {\n    crate::sell::sell();\n}\n",
        ),
        ("src/main.rs", "fn main() {\n    shop::sell();\n}\n"),
    ];
    let callers = "src/cli.rs:2:12: path -> sell\nsrc/cli.rs:6:18: module -> sell\nsrc/lib.rs:6:5: here -> sell\nsrc/main.rs:2:11: main -> sell\n";
    check(&files, "callers src/sell.rs:1:8", callers);
    let definition = ask(&Files::new(&files), "def src/lib.rs:6:5");
    assert!(definition.starts_with("src/sell.rs:1:8: "), "{definition}");
    assert_eq!(
        ask(&Files::new(&files), "callees src/lib.rs:5:4"),
        "src/lib.rs:6:5: here -> sell\n"
    );
}

#[test]
fn callers_of_a_function_with_the_name_of_a_python_module() {
    let files = [
        ("shop/orders.py", "def sell():\n    pass\n"),
        ("shop/sell.py", "from .orders import sell\n"),
        ("shop/__init__.py", "from .sell import sell\n"),
        (
            "app.py",
            "from shop import sell\n\n\ndef main():\n    sell()\n",
        ),
    ];
    check(
        &files,
        "callers shop/orders.py:1:5",
        "app.py:5:5: main -> sell\n",
    );
}
