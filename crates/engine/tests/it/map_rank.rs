//! Importance of files and symbols in a map.

use loom_engine::map::{
    Algorithm, Flow, Focus, Importance, Interest, SymbolGraph, Weights, importance,
};
use loom_graph::Alone;
use proptest::prelude::*;

use crate::repository::{files, linked, path};

const NONE: Weights = Weights {
    reference_count: 0.0,
    import_centrality: 0.0,
    modification_recency: 0.0,
    file_size: 0.0,
    test_coverage: 0.0,
};

fn rank(
    linked: &SymbolGraph,
    weights: &Weights,
    recency: &[f64],
    interest: &Interest,
) -> Importance {
    importance(
        linked,
        Algorithm::Pagerank,
        weights,
        recency,
        interest,
        &Alone,
    )
}

fn file_of(linked: &SymbolGraph, name: &str) -> usize {
    let mut files = linked.files.iter();
    files.position(|file| file.path == path(name)).unwrap()
}

/// Returns the scores of files by path.
fn scores<'l>(linked: &'l SymbolGraph, weights: &Weights) -> impl Fn(&str) -> f64 + use<'l> {
    let found = rank(linked, weights, &[], &Interest::default());
    move |name| found.files[file_of(linked, name)]
}

/// Returns the score of a symbol by name.
fn symbol(linked: &SymbolGraph, found: &[Vec<f64>], name: &str) -> f64 {
    let all = linked.files.iter().zip(found);
    let mut all = all.flat_map(|(file, scores)| file.symbols.iter().zip(scores));
    *all.find(|(symbol, _)| &*symbol.name == name).unwrap().1
}

const USES: &str = "\
=== core.py
def used_much(x):
    return x

def used_once(x):
    return x

def unused(x):
    return x

def _private(x):
    return x

LIMIT = 3
=== a.py
from core import used_much, used_once
def a():
    used_much(used_once(1))
=== b.py
from core import used_much
def b():
    used_much(1)
=== c.py
from core import used_much
def c():
    used_much(1)
";

#[test]
fn symbols_that_more_files_use_are_more_important() {
    let linked = linked(&files(USES));
    let found = rank(&linked, &Weights::default(), &[], &Interest::default());
    let of = |name| symbol(&linked, &found.key, name);
    assert!(of("used_much") > of("used_once") && of("used_once") > of("unused"));
}

#[test]
fn constants_and_hidden_symbols_are_less_important_than_open_functions() {
    let linked = linked(&files(USES));
    let found = rank(&linked, &Weights::default(), &[], &Interest::default());
    let of = |name| symbol(&linked, &found.symbols, name);
    assert!(of("unused") > of("LIMIT") && of("unused") > of("_private"));
}

#[test]
fn the_file_that_others_use_is_the_most_important() {
    let linked = linked(&files(USES));
    let score = scores(&linked, &Weights::default());
    for other in ["a.py", "b.py", "c.py"] {
        assert!(score("core.py") > score(other), "{other}");
    }
}

#[test]
fn uses_by_tests_count_less_than_uses_by_the_program() {
    let text = "\
=== one.py
def one():
    pass
=== two.py
def two():
    pass
=== src/uses.py
from one import one
def uses():
    one()
=== tests/test_two.py
from two import two
def test_two():
    two()
";
    let linked = linked(&files(text));
    let used = Weights {
        reference_count: 1.0,
        ..NONE
    };
    let score = scores(&linked, &used);
    assert!(score("one.py") > score("two.py") && score("two.py") > 0.0);
    let tested = Weights {
        test_coverage: 1.0,
        ..NONE
    };
    let score = scores(&linked, &tested);
    assert_eq!((score("two.py"), score("one.py")), (1.0, 0.0));
}

#[test]
fn tests_and_copies_of_others_are_less_important_than_own_code_of_the_same_size() {
    let body = "def run():\n    return 1\n";
    let text = format!("=== src/a.py\n{body}=== tests/test_a.py\n{body}=== vendor/a.py\n{body}");
    let linked = linked(&files(&text));
    let score = scores(
        &linked,
        &Weights {
            file_size: 1.0,
            ..NONE
        },
    );
    assert_eq!(score("src/a.py"), 1.0);
    assert!(score("tests/test_a.py") < 0.6 && score("tests/test_a.py") > 0.0);
    assert_eq!(score("vendor/a.py"), 0.0);
}

#[test]
fn a_file_that_changed_lately_is_important_where_that_counts() {
    let linked = linked(&files(USES));
    let mut recency = vec![0.0; linked.files.len()];
    recency[file_of(&linked, "b.py")] = 1.0;
    let weights = Weights {
        modification_recency: 1.0,
        ..NONE
    };
    let found = rank(&linked, &weights, &recency, &Interest::default());
    assert_eq!(found.files[file_of(&linked, "b.py")], 1.0);
    assert_eq!(found.files[file_of(&linked, "core.py")], 0.0);
    let unknown = rank(&linked, &weights, &[], &Interest::default());
    assert!(unknown.files.iter().all(|score| *score == 0.0));
}

#[test]
fn names_that_many_definitions_share_count_less_each() {
    let text = "\
=== one.py
class One:
    def shared_name(self): pass
=== two.py
class Two:
    def shared_name(self): pass
=== three.py
class Three:
    def lone_name(self): pass
=== uses.py
from one import One
from two import Two
from three import Three
def uses():
    One().shared_name()
    Two().shared_name()
    Three().lone_name()
";
    let linked = linked(&files(text));
    let found = rank(&linked, &Weights::default(), &[], &Interest::default());
    let of = |name| symbol(&linked, &found.key, name);
    assert!(of("lone_name") > of("shared_name"));
}

#[test]
fn a_type_gains_importance_from_its_members() {
    let text = "\
=== one.py
class Busy:
    def work_hard(self): pass
class Idle:
    def rest_long(self): pass
=== uses.py
from one import Busy
def uses(busy):
    busy.work_hard()
";
    let linked = linked(&files(text));
    let found = rank(&linked, &Weights::default(), &[], &Interest::default());
    let of = |name| symbol(&linked, &found.key, name);
    assert!(of("Busy") > of("Idle"));
}

fn flows_of(linked: &SymbolGraph, name: &str) -> Vec<(String, f32, f32)> {
    let id = linked.program.file(&path(name)).unwrap();
    let flow = |one: Flow| {
        (
            linked.program.name(one.to).to_owned(),
            one.weight,
            one.count,
        )
    };
    loom_engine::map::flows(&linked.program, id)
        .into_iter()
        .map(flow)
        .collect()
}

#[test]
fn uses_weigh_by_the_root_of_how_often() {
    let text = "\
=== core.py
def often(): pass
def once(): pass
def imported(): pass
class Base: pass
=== uses.py
from core import often, once, imported, Base
class Own(Base): pass
def uses():
    often(); often(); often(); often()
    once()
";
    let linked = linked(&files(text));
    let flows = flows_of(&linked, "uses.py");
    let of = |name: &str| flows.iter().find(|(one, ..)| one == name).unwrap();
    assert_eq!((of("often").1, of("often").2), (2.0, 4.0));
    assert_eq!((of("once").1, of("once").2), (1.0, 1.0));
    assert_eq!((of("imported").1, of("imported").2), (0.3, 1.0));
    assert!(of("Base").1 >= 1.5, "{flows:?}");
    assert!(flows_of(&linked, "core.py").is_empty());
}

fn interest(linked: &SymbolGraph, focus: &Focus) -> Vec<(String, f64)> {
    let found = focus.interest(linked).files;
    let files = linked.files.iter().zip(found);
    let mut files: Vec<(String, f64)> = files
        .filter(|(_, one)| *one > 0.0)
        .map(|(file, one)| (file.path.to_string(), one))
        .collect();
    files.sort_by(|a, b| b.1.total_cmp(&a.1));
    files
}

fn check_mention(text: &str, mention: &str, expected: &[&str]) {
    let linked = linked(&files(text));
    let focus = Focus {
        mentions: vec![mention.to_owned()],
        ..Focus::default()
    };
    let found = interest(&linked, &focus);
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, expected, "{mention}");
    assert_eq!(
        focus.knows(&linked, mention),
        !expected.is_empty(),
        "{mention}"
    );
}

#[test]
fn mentions_are_names_paths_or_modules() {
    check_mention(USES, "used_once", &["core.py"]);
    check_mention(USES, "core.py", &["core.py"]);
    check_mention(USES, "./a.py", &["a.py"]);
    check_mention(USES, "nothing_here", &[]);
    check_mention(USES, "re.py", &[]);
    let nested = "=== pkg/sub/mod.py\ndef go(): pass\n=== other/mod.py\ndef stay(): pass\n";
    check_mention(nested, "pkg.sub.mod", &["pkg/sub/mod.py"]);
    check_mention(nested, "sub\\mod.py", &["pkg/sub/mod.py"]);
    check_mention(nested, "mod.py", &["pkg/sub/mod.py", "other/mod.py"]);
}

#[test]
fn a_mention_with_its_type_means_that_member() {
    let text = "=== a.py\nclass One:\n    def go_on(self): pass\n=== b.py\nclass Two:\n    def go_on(self): pass\n";
    check_mention(text, "Two.go_on", &["b.py"]);
    check_mention(text, "go_on", &["a.py", "b.py"]);
    check_mention(text, "Three::go_on", &["a.py", "b.py"]);
}

#[test]
fn a_name_that_very_many_share_is_no_mention() {
    let text = |count: usize| -> String {
        (0..count)
            .map(|at| format!("=== f{at}.py\ndef same_name(): pass\n"))
            .collect()
    };
    let knows = |count| {
        let linked = linked(&files(&text(count)));
        Focus::default().knows(&linked, "same_name")
    };
    assert!(knows(40) && !knows(41));
}

#[test]
fn a_folder_in_focus_means_all_files_in_it() {
    let linked = linked(&files(
        "=== a/x.py\nx = 1\n=== a/b/y.py\ny = 1\n=== ab/z.py\nz = 1\n",
    ));
    let focus = Focus {
        files: vec![path("a")],
        ..Focus::default()
    };
    let mut found = interest(&linked, &focus);
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        found,
        [("a/b/y.py".to_owned(), 1.0), ("a/x.py".to_owned(), 1.0)]
    );
}

#[test]
fn the_words_of_a_query_find_names_and_the_first_line_counts_most() {
    let text = "\
=== galaxy.py
def spin(): pass
=== planet.py
def orbit(): pass
=== other.py
def nothing(): pass
";
    let linked = linked(&files(text));
    let focus = Focus {
        query: Some("galaxy\n\nand a planet".to_owned()),
        ..Focus::default()
    };
    let found = interest(&linked, &focus);
    assert_eq!(
        found
            .iter()
            .map(|(path, _)| path.as_str())
            .collect::<Vec<_>>(),
        ["galaxy.py", "planet.py"]
    );
    assert_eq!(found[0].1, 1.0);
    let plain = Focus {
        query: Some("the and with this".to_owned()),
        ..Focus::default()
    };
    assert!(interest(&linked, &plain).is_empty());
}

#[test]
fn without_a_focus_nothing_is_of_interest() {
    let linked = linked(&files(USES));
    let found = Focus::default().interest(&linked);
    assert!(Focus::default().is_empty() && found.files.is_empty() && found.definitions.is_empty());
}

#[test]
fn a_file_in_focus_is_the_most_important() {
    let linked = linked(&files(USES));
    let focus = Focus {
        files: vec![path("b.py")],
        ..Focus::default()
    };
    let found = rank(&linked, &Weights::default(), &[], &focus.interest(&linked));
    let best = found.files.iter().copied().fold(0.0, f64::max);
    assert_eq!(found.files[file_of(&linked, "b.py")], best);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn importance_is_finite_from_0_and_the_same_every_time(
        uses in prop::collection::vec((0usize..8, 0usize..8), 0..24),
        algorithm in prop::sample::select(vec![Algorithm::Pagerank, Algorithm::Hits, Algorithm::Betweenness]),
    ) {
        let mut texts: Vec<String> = (0..8)
            .map(|at| format!("=== f{at}.py\ndef name_{at}(): pass\n"))
            .collect();
        for (from, to) in uses {
            texts[from] += &format!("from f{to} import name_{to}\nname_{to}()\n");
        }
        let linked = linked(&files(&texts.concat()));
        let find = || importance(&linked, algorithm, &Weights::default(), &[], &Interest::default(), &Alone);
        let found = find();
        let all = found.files.iter().chain(found.symbols.iter().flatten()).chain(found.key.iter().flatten());
        for score in all {
            prop_assert!(score.is_finite() && (0.0..=1.3).contains(score), "{score}");
        }
        prop_assert_eq!(found.files, find().files);
    }
}
