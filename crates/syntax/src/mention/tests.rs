//! Positions and roles of names.

use loom_base::RepoPath;
use proptest::prelude::*;

use super::*;

/// Checks each mention as its line, column and role, with its qualifier.
fn check(file: &str, text: &str, name: &str, expected: &str) {
    let path = RepoPath::new(file).unwrap();
    let language = Language::detect(&path, text).unwrap();
    let found = mentions(language, text, name, &Limits::default());
    // A single parse for both gives the same results.
    let both = extract_naming(language, text, name, &Limits::default());
    assert_eq!(both.0, extract(language, text, &Limits::default()));
    assert_eq!(both.1, found);
    let actual = found.iter().map(|one| {
        let line = 1 + text[..one.span.start].matches('\n').count();
        let mut actual = format!("{line} {:?}", one.role).to_lowercase();
        if one.is_key && one.role != Role::Key {
            actual.push_str(" key");
        }
        for part in [&one.qualifier, &one.receiver].into_iter().flatten() {
            actual.push_str(&format!(" {part}"));
        }
        actual
    });
    let actual: Vec<String> = actual.collect();
    let expected: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(actual, expected, "{file}");
}

#[test]
fn variable_of_c_hides_an_outer_one() {
    check(
        "b.c",
        "static int name;
int f(int a) {
  int name = a;
  return name;
}
int g(void) { return name; }
",
        "name",
        "1 free
         3 local
         4 local
         6 free",
    );
}

#[test]
fn global_and_nonlocal_names_are_not_local() {
    check(
        "b.py",
        "name = 0
def f():
    global name
    if name:
        name += 1
    return name
def g():
    name = 2
    def h():
        nonlocal name
        name = 3
    return name
",
        "name",
        "1 free
         3 free
         4 free
         5 free
         6 free
         8 local
         10 local
         11 local
         12 local",
    );
}

#[test]
fn python_roles() {
    check(
        "a.py",
        "def name(): pass
class A:
    name = 1
    def f(self, name, b: t.Optional[B]):
        return name + self.name + b.name
    def g(self):
        c = C(1)
        c.name(name=2)
        return [name for name in d] + \"name\"  # name
def h():
    name()
    x = D()
    return f'{x.name}'
",
        "name",
        "1 free
         3 free
         4 local
         5 local
         5 member self
         5 member b B
         8 member c C
         8 key
         9 local
         9 local
         11 free
         13 member x D",
    );
}

#[test]
fn typescript_roles() {
    check(
        "a.ts",
        "export const name = 1;
function f(name: string, b: B) { return name + b.name; }
const g = ({ name }) => name;
const h = { name: 2, other: name };
const i = { name };
const j = new C();
j.name(`${name} name`);
namespace N { export const name = 3 }
",
        "name",
        "1 free
         2 local
         2 local
         2 member b B
         3 local key
         3 local
         4 key
         4 free
         5 free key
         7 member j C
         7 free
         8 free",
    );
}

#[test]
fn rust_roles() {
    check(
        "a.rs",
        "fn name() {}
struct S { name: u8 }
fn f(s: &S) { let name = name(); s.name; S { name: 1 }; g(name); }
fn h() { if let Some(name) = i { name; } name(); println!(\"{}\", name); }
fn j() { let s = S::new(); s.name; S::name(); S { name } }
",
        "name",
        "1 free
         2 free
         3 local
         3 free
         3 member s S
         3 key S
         3 local
         4 local
         4 local
         4 free
         4 free
         5 member s S
         5 member S
         5 free key S",
    );
}

#[test]
fn roles_in_go_and_other_languages() {
    check(
        "a.go",
        "package p
func name() {}
func f(s *S) { name := name(); s.name(); _ = T{name: 1}; g(name) }
",
        "name",
        "2 free
         3 local
         3 free
         3 member s S
         3 key T
         3 local",
    );
    check(
        "A.java",
        "class A { int name; void f(B b) { int x = name; b.name(); } void g(int name) { this.name = name; } }",
        "name",
        "1 free
         1 free
         1 member b B
         1 local
         1 member this
         1 local",
    );
    check(
        "a.c",
        "int name(void);
int f(struct s *s, int name) { return name + s->name; }
int g(void) { return name(); }
",
        "name",
        "1 free
         2 local
         2 local
         2 member s s
         3 free",
    );
    check(
        "a.php",
        "<?php function name() {} function f($name) { $this->name($name); name(); }",
        "name",
        "1 free
         1 local
         1 member $this
         1 local
         1 free",
    );
    check(
        "a.vue",
        "<template><p/></template><script>\nname();\na.name\n</script>",
        "name",
        "2 free
         3 member a",
    );
}

proptest! {
    /// The mentions in any text have the searched name, are ordered, and are unique.
    #[test]
    fn mentions_have_the_name(
        file in prop::sample::select(vec![
            "a.py", "a.ts", "a.rs", "a.go", "A.java", "a.cs", "a.c", "a.rb", "a.kt", "a.swift",
            "a.scala", "a.lua", "a.php", "a.vue",
        ]),
        text in "(name|a|b|fn |def |let |func |var |class |for |in |new |[(){}\\[\\].,:;=<>&*\"'#/\n ]|é){0,40}",
    ) {
        let path = RepoPath::new(file).unwrap();
        let language = Language::detect(&path, &text).unwrap();
        let found = mentions(language, &text, "name", &Limits::default());
        let mut end = 0;
        for one in found {
            prop_assert_eq!(&text[one.span.range()], "name");
            prop_assert!(end <= one.span.start);
            end = one.span.end;
        }
    }
}
