//! The cache of parsed files, and answers whose time is over.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use loom_lookup::{KeptSyntax, Navigate, Navigator, Target};

use crate::fixture::{Files, answer};

fn files() -> Files {
    Files::new(&[
        (
            "a.py",
            "def first():\n    pass\n\n\ndef second():\n    first()\n",
        ),
        ("b.py", "from a import first\n\nfirst()\n"),
    ])
}

#[test]
fn parsed_files_are_shared_with_later_navigators() {
    let files = files();
    let kept: Arc<KeptSyntax> = Arc::default();
    let told = answer(&Navigator::new(&files, Arc::clone(&kept)), "def first");
    let reads = files.reads.load(Ordering::SeqCst);
    assert!(reads > 0);
    assert_eq!(answer(&Navigator::new(&files, kept), "def first"), told);
    assert_eq!(
        files.reads.load(Ordering::SeqCst),
        reads,
        "a file was read again"
    );
    answer(&Navigator::new(&files, Arc::default()), "def first");
    assert_eq!(files.reads.load(Ordering::SeqCst), 2 * reads);
}

#[test]
fn answer_without_time_is_incomplete_and_says_so() {
    let files = files();
    let navigator = Navigator::new(&files, Arc::default());
    let of = navigator.definitions(&Target::parse("first").unwrap());
    assert!(!navigator.is_cut() && of.len() == 1);
    files.is_reading_over.store(true, Ordering::SeqCst);
    assert!(navigator.references(&of).is_empty() && navigator.is_cut());
    let fresh = Navigator::new(&files, Arc::default());
    assert_eq!(answer(&fresh, "def first"), "");
    assert!(fresh.is_cut());
}

#[test]
fn cancelled_answer_is_incomplete() {
    let files = files();
    let navigator = Navigator::new(&files, Arc::default());
    assert!(!navigator.is_cut());
    files.is_stopped.store(true, Ordering::SeqCst);
    assert!(navigator.is_cut());
    // Only the file of the definition is still searched.
    assert_eq!(answer(&navigator, "refs first"), "a.py:6:5: first()\n");
}

/// More files than the cache keeps are read without it, and all are found.
#[test]
fn name_in_more_files_than_the_cache_keeps_is_found_in_all() {
    let file = |at: usize| {
        let folder = if at.is_multiple_of(2) { "src" } else { "tests" };
        (
            format!("{folder}/f{at:03}.py"),
            format!("def common():\n    return {at}\n"),
        )
    };
    let texts: Vec<(String, String)> = (0..260).map(file).collect();
    let files = Files::new(&texts);
    let navigator = Navigator::new(&files, Arc::default());
    let found = navigator.definitions(&Target::parse("common").unwrap());
    assert_eq!(found.len(), 260);
    let is_test = |at: usize| found[at].place.path.display().starts_with("tests/");
    assert!((0..130).all(|at| !is_test(at)) && (130..260).all(is_test));
}

#[test]
fn files_with_the_owner_of_a_name_are_read_first() {
    let files = Files::new(&[
        ("a.py", "class Alpha:\n    def get(self): pass\n"),
        ("b.py", "class Beta:\n    def get(self): pass\n"),
        ("tests/c.py", "class Gamma:\n    def get(self): pass\n"),
    ]);
    let navigator = Navigator::new(&files, Arc::default());
    for (wanted, expected) in [
        (&["get"][..], [0, 1, 2]),
        (&["Beta", "get"], [1, 0, 2]),
        (&["Gamma", "get"], [2, 0, 1]),
        (&["Nobody", "get"], [0, 1, 2]),
    ] {
        let wanted: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
        let mut numbers = vec![2, 0, 1];
        navigator.put_first(&wanted, &mut numbers);
        assert_eq!(numbers, expected, "{wanted:?}");
    }
}
