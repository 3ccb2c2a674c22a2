//! Types that implement or inherit from a type, and methods that override one.

use crate::fixture::check;

const SHOP: &[(&str, &str)] = &[
    (
        "till.py",
        "class Till:\n    def open(self):\n        pass\n",
    ),
    (
        "big.py",
        "from till import Till\n\n\nclass BigTill(Till):\n    def open(self):\n        pass\n\n    def shut(self):\n        pass\n",
    ),
    ("own.py", "class Own:\n    def open(self):\n        pass\n"),
];

#[test]
fn subtypes_and_overriding_methods_are_found() {
    check(
        SHOP,
        "impls Till",
        "big.py:4:7: class BigTill  class BigTill(Till)\n",
    );
    check(
        SHOP,
        "impls Till.open",
        "big.py:5:9: method BigTill.open  def open(self)\n",
    );
    check(SHOP, "impls BigTill", "");
    check(SHOP, "impls BigTill.shut", "");
}

#[test]
fn subtypes_of_one_of_several_namesakes_exclude_the_others() {
    let base = "class Base:\n    def open(self):\n        pass\n";
    let kid = |name: &str| {
        format!(
            "from {name}.base import Base\n\n\nclass {name}(Base):\n    def open(self):\n        pass\n"
        )
    };
    let (one, two) = (kid("one"), kid("two"));
    let files = &[
        ("one/base.py", base),
        ("one/one.py", one.as_str()),
        ("two/base.py", base),
        ("two/two.py", two.as_str()),
    ];
    let first = "one/one.py:4:7: class one  class one(Base)\n";
    let second = "two/two.py:4:7: class two  class two(Base)\n";
    check(files, "impls one/base.py:1:7", first);
    check(
        files,
        "impls two/base.py:2:9",
        "two/two.py:5:9: method two.open  def open(self)\n",
    );
    check(files, "impls Base", &format!("{first}{second}"));
}

#[test]
fn type_is_named_by_its_full_name_without_an_import() {
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
        "impls a/b/C.java:2:18",
        "c/D.java:2:14: class D  public class D implements a.b.C\n",
    );
    check(
        files,
        "refs a/b/C.java:2:18",
        "c/D.java:2:31: public class D implements a.b.C {\nc/D.java:3:9: a.b.C field;\n",
    );
}

/// A subtype also inherits the constructor, which has the name of the type.
#[test]
fn type_with_a_constructor_is_inherited_from() {
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
        "impls Base",
        "a/Kid.java:2:14: class Kid  public class Kid extends Base\n",
    );
    check(
        files,
        "refs a/Base.java:2:14",
        "a/Kid.java:2:26: public class Kid extends Base {\na/Kid.java:3:5: Base other;\n",
    );
}

#[test]
fn rust_traits_list_the_types_that_implement_them() {
    let files = &[(
        "a.rs",
        "pub trait Keep {\n    fn keep(&self);\n}\npub struct A;\npub struct B;\nimpl Keep for A {\n    fn keep(&self) {}\n}\nimpl Keep for B {\n    fn keep(&self) {}\n}\n",
    )];
    let told = crate::fixture::ask(&crate::fixture::Files::new(files), "impls Keep");
    let places: Vec<&str> = told.lines().map(|line| &line[..7]).collect();
    assert_eq!(places, ["a.rs:6:", "a.rs:9:"], "{told}");
}
