//! Parameters and local variables hide definitions of the same name.

use loom_lookup::{Navigate, Navigator, Target};

use crate::fixture::{Files, check};

const PRICES: &[(&str, &str)] = &[
    (
        "a.py",
        "def price():\n    return 1\n\ndef near(price):\n    other = price + 1\n    return price\n\ndef far():\n    return price()\n",
    ),
    ("b.py", "from a import price\nprice()\n"),
];

#[test]
fn location_of_a_parameter_leads_to_the_parameter() {
    let bound = "a.py:4:10: variable price  def near(price):\n";
    for place in ["a.py:5:13", "a.py:4:10", "a.py:6:12"] {
        check(PRICES, &format!("def {place}"), bound);
    }
    check(
        PRICES,
        "refs a.py:6:12",
        "a.py:5:13: other = price + 1\na.py:6:12: return price\n",
    );
    check(
        PRICES,
        "def a.py:9:12",
        "a.py:1:5: function price  def price()\n",
    );
}

#[test]
fn uses_of_a_function_exclude_the_variable_that_hides_it() {
    check(
        PRICES,
        "refs a.py:1:5",
        "a.py:9:12: return price()\nb.py:1:15: from a import price\nb.py:2:1: price()\n",
    );
}

/// A local variable is private to its function, and marked as local.
#[test]
fn local_variable_is_marked_as_local() {
    let files = Files::new(PRICES);
    let navigator = Navigator::new(&files, Default::default());
    let of = |target: &str| navigator.definitions(&Target::parse(target).unwrap());
    let local = &of("a.py:5:13")[0];
    assert!(local.is_local && !local.is_test && !local.is_declaration);
    assert_eq!((local.place.line, local.end_line), (4, 4));
    assert!(!of("a.py:9:12")[0].is_local);
}

#[test]
fn call_of_a_local_closure_has_no_definitions() {
    let text =
        "fn price() -> u8 { 1 }\nfn near() { let price = || 2; price(); }\nfn far() { price(); }\n";
    let files = Files::new(&[("a.rs", text)]);
    let navigator = Navigator::new(&files, Default::default());
    let definitions = |name: &str| {
        let of = navigator.definitions(&Target::parse(name).unwrap());
        let calls = navigator.callees(&of, 1).calls;
        calls
            .iter()
            .map(|call| call.definitions.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (definitions("near"), definitions("far")),
        (vec![0], vec![1])
    );
}

#[test]
fn loop_variables_and_closures_hide_names_in_other_languages() {
    let files = &[
        (
            "a.js",
            "function item() {}\nfunction f(list) { for (const item of list) { item(); } }\nfunction g() { item(); }\n",
        ),
        (
            "a.go",
            "package a\n\nfunc size() int { return 1 }\nfunc f(size int) int { return size }\nfunc g() int { return size() }\n",
        ),
    ];
    check(
        files,
        "refs a.js:1:10",
        "a.js:3:16: function g() { item(); }\n",
    );
    check(
        files,
        "refs a.go:3:6",
        "a.go:5:23: func g() int { return size() }\n",
    );
}
