//! Snapshots: an unchanged repository gives the same snapshot, and old ones keep working.

use std::sync::atomic::{AtomicBool, Ordering};

use infiniloom::{Change, Control, Index, Infiniloom, Navigate, Search, Why};

use crate::examples::shop;

#[test]
fn snapshot_is_the_same_until_something_changes() {
    let sandbox = shop();
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    let first = repository.snapshot().unwrap();
    assert_eq!(first.id(), repository.snapshot().unwrap().id());
    assert_eq!(
        first.file_count(),
        first.files(&Control::new()).unwrap().len()
    );
    sandbox.write("shop/later.py", "def refund():\n    pass\n");
    repository.apply([Change::save("shop/later.py")]).unwrap();
    let second = repository.snapshot().unwrap();
    assert_ne!(first.id(), second.id());
    assert_eq!(second.file_count(), first.file_count() + 1);
    let outside = repository.apply([Change::remove("../up")]);
    assert_eq!(outside.unwrap_err().code(), "outside_root");
}

#[test]
fn changed_settings_make_a_snapshot_and_broken_ones_an_error() {
    let sandbox = shop();
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    let first = repository.snapshot().unwrap();
    sandbox.write("infiniloom.toml", "[scan]\nexclude = ['lib']\n");
    let second = repository.snapshot().unwrap();
    assert_ne!(first.id(), second.id());
    assert_eq!(
        repository.settings().get("scan.exclude").unwrap().value,
        "lib"
    );
    sandbox.write("infiniloom.toml", "[scan]\nexclud = 3\n");
    let error = repository.snapshot().unwrap_err();
    assert_eq!(error.code(), "invalid_settings");
    sandbox.write("infiniloom.toml", "");
    assert!(repository.snapshot().is_ok());
}

#[test]
fn earlier_snapshot_never_shows_a_text_that_it_does_not_know() {
    let sandbox = shop();
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    let snapshot = repository.snapshot().unwrap();
    assert_eq!(
        Search::text("def ").run(&snapshot).unwrap().summary.files,
        3
    );
    sandbox.write("shop/tax.py", "def other():\n    pass\n");
    let found = Search::text("other").run(&snapshot).unwrap();
    assert!(found.matches.iter().all(|hit| hit.path != "shop/tax.py"));
    let now = repository.snapshot().unwrap();
    assert_eq!(Search::text("other").run(&now).unwrap().summary.files, 1);
}

#[test]
fn queries_run_at_the_same_time_on_one_snapshot() {
    let sandbox = shop();
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    let snapshot = repository.snapshot().unwrap();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let callers = scope.spawn(|| Navigate::callers("rate").run(&snapshot).unwrap());
        let others: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| Search::text("rate").run(&snapshot).unwrap()))
            .collect();
        let counts = others
            .into_iter()
            .map(|one| one.join().unwrap().summary.lines);
        let counts: Vec<usize> = counts.collect();
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
        assert_eq!(callers.join().unwrap().calls.unwrap().len(), 1);
        is_done.store(true, Ordering::Relaxed);
    });
    assert!(is_done.into_inner());
}

#[test]
fn why_starts_at_the_root_and_index_needs_a_cache() {
    let sandbox = shop();
    let snapshot = Infiniloom::new().open(sandbox.work()).unwrap();
    let snapshot = snapshot.snapshot().unwrap();
    let why = Why::new("shop/tax.py").run(&snapshot).unwrap();
    assert!(why.packed, "{why:?}");
    assert_eq!(why.path, "shop/tax.py");
    let why = Why::new("target").run(&snapshot).unwrap();
    assert!(!why.packed, "{why:?}");
    let error = Index::new().run(&snapshot).unwrap_err();
    assert_eq!(error.code(), "no_cache");
}
