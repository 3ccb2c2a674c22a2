//! A repository that is kept warm: fresh snapshots, shared layers, and no leak while files
//! change.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use infiniloom::{
    Cache, Context, Control, IndexState, Infiniloom, Layer, Map, Navigate, Pack, RankedSearch,
    Read, Repository, Search, Snapshot,
};
use loom_testkit::Sandbox;

use crate::examples::shop;

fn open(sandbox: &Sandbox) -> Repository {
    Infiniloom::new().open(sandbox.work()).unwrap()
}

fn matches(snapshot: &Snapshot, text: &str) -> usize {
    Search::text(text).run(snapshot).unwrap().matches.len()
}

#[test]
fn every_save_is_in_the_next_snapshot_of_a_watched_repository() {
    let sandbox = shop();
    let repository = open(&sandbox);
    repository.keep_warm([Layer::Search]);
    for number in 0..10 {
        let same = repository.snapshot().unwrap();
        assert_eq!(same.id(), repository.snapshot().unwrap().id());
        sandbox.write(format!("later/{number}.py"), format!("word_{number} = 1\n"));
        let next = repository.snapshot().unwrap();
        assert_eq!(matches(&next, &format!("word_{number}")), 1);
        assert_eq!(matches(&same, &format!("word_{number}")), 0);
    }
}

#[test]
fn layer_is_built_once_and_stays_while_contents_are_the_same() {
    let sandbox = shop();
    let builder = Infiniloom::builder().cache(Cache::Directory(sandbox.home().join("cache")));
    let repository = builder.build().unwrap().open(sandbox.work()).unwrap();
    repository.keep_warm([Layer::Search, Layer::Context]);
    let control = Control::new();
    repository.wait_for_index(&control).unwrap();
    let snapshot = repository.snapshot().unwrap();
    snapshot.build(Layer::Context, &control).unwrap();
    assert!(snapshot.has(Layer::Context) && snapshot.has(Layer::Search));
    // Writing the same contents again changes the stamp, and keeps the layers.
    let text = std::fs::read_to_string(sandbox.path("shop/tax.py")).unwrap();
    std::fs::remove_file(sandbox.path("shop/tax.py")).unwrap();
    sandbox.write("shop/tax.py", text);
    let again = repository.snapshot().unwrap();
    again.build(Layer::Search, &control).unwrap();
    assert!(again.has(Layer::Context));
    // Other contents need another layer.
    sandbox.write("shop/tax.py", "def other():\n    pass\n");
    let other = repository.snapshot().unwrap();
    other.build(Layer::Search, &control).unwrap();
    assert!(!other.has(Layer::Context));
}

#[test]
fn caller_that_cannot_wait_answers_from_the_state_before() {
    let sandbox = shop();
    let repository = open(&sandbox);
    repository.keep_warm([Layer::Search, Layer::Context]);
    assert!(repository.latest_with(Layer::Context).is_none());
    let control = Control::new();
    let before = repository.snapshot().unwrap();
    before.build(Layer::Context, &control).unwrap();
    // A new file shows that a word of an old one is a secret.
    let secret = "Qm7vTz41xKp09LwB";
    sandbox.write(
        "lib/key.py",
        format!("def connect():\n    use(\"{secret}\")\n"),
    );
    let with_copy = repository.snapshot().unwrap();
    with_copy.build(Layer::Context, &control).unwrap();
    sandbox.write("shop/.env", format!("DB_PASSWORD={secret}\n"));
    let latest = repository.snapshot().unwrap();
    latest.build(Layer::Search, &control).unwrap();
    let earlier = repository.latest_with(Layer::Context).unwrap();
    assert_eq!(earlier.id(), with_copy.id());
    let context = Context::new("connect").run(&earlier).unwrap();
    assert!(
        context.pieces[0].text.contains("def connect"),
        "{context:?}"
    );
    assert!(!format!("{context:?}").contains(secret), "{context:?}");
}

#[test]
fn wait_ends_at_its_deadline_and_the_build_goes_on() {
    let sandbox = shop();
    let repository = open(&sandbox);
    repository.keep_warm([Layer::Map]);
    let snapshot = repository.snapshot().unwrap();
    let late = Control::new().with_timeout(Duration::ZERO);
    let error = snapshot.build(Layer::Map, &late).unwrap_err();
    assert_eq!(error.code(), "deadline");
    snapshot.build(Layer::Map, &Control::new()).unwrap();
    assert!(snapshot.has(Layer::Map));
}

#[test]
fn index_is_made_in_the_background_with_a_cache_and_without() {
    for has_cache in [true, false] {
        let sandbox = shop();
        let builder = Infiniloom::builder();
        let builder = match has_cache {
            true => builder.cache(Cache::Directory(sandbox.home().join("cache"))),
            false => builder,
        };
        let repository = builder.build().unwrap().open(sandbox.work()).unwrap();
        assert_eq!(repository.index_state(), IndexState::Missing);
        repository.keep_warm([Layer::Search]);
        repository.wait_for_index(&Control::new()).unwrap();
        assert_eq!(repository.index_state(), IndexState::Ready);
        let snapshot = repository.snapshot().unwrap();
        let found = Navigate::callers("rate").run(&snapshot).unwrap();
        assert_eq!(found.calls.unwrap().len(), 1);
    }
}

/// Above 100 files, text queries build no temporary index. Without a cache, no index exists.
#[test]
fn questions_find_every_file_of_a_watched_repository_without_a_cache() {
    let sandbox = shop();
    for number in 0..120 {
        sandbox.write(
            format!("many/file_{number}.py"),
            format!("def item_{number}():\n    pass\n"),
        );
    }
    let repository = open(&sandbox);
    repository.keep_warm([Layer::Search]);
    repository.wait_for_index(&Control::new()).unwrap();
    for word in ["lantern", "harbour"] {
        sandbox.write(format!("{word}.md"), format!("The {word} is lit.\n"));
        let snapshot = repository.snapshot().unwrap();
        assert_eq!(matches(&snapshot, "item_7("), 1);
        let question = format!("where is the {word}?");
        let hits = RankedSearch::question(question)
            .run(&snapshot)
            .unwrap()
            .hits;
        assert_eq!(hits[0].path, format!("{word}.md"));
        assert_eq!(matches(&snapshot, &format!("The {word}")), 1);
    }
}

#[test]
fn changed_settings_of_a_watched_repository_hold_at_once() {
    let sandbox = shop();
    let repository = open(&sandbox);
    repository.keep_warm(Layer::ALL);
    assert_eq!(matches(&repository.snapshot().unwrap(), "def euros"), 1);
    sandbox.write("infiniloom.toml", "[scan]\nexclude = ['lib']\n");
    assert_eq!(matches(&repository.snapshot().unwrap(), "def euros"), 0);
    sandbox.write("infiniloom.toml", "[scan]\nexclud = 3\n");
    let error = repository.snapshot().unwrap_err();
    assert_eq!(error.code(), "invalid_settings");
    sandbox.write("infiniloom.toml", "");
    assert_eq!(matches(&repository.snapshot().unwrap(), "def euros"), 1);
}

/// Returns the results of all queries that use layers. A file may be removed during the calls.
fn shown(repository: &Repository) -> Vec<String> {
    let control = Control::new();
    let Ok(snapshot) = repository.snapshot() else {
        return Vec::new();
    };
    let earlier = repository.latest_with(Layer::Context);
    let earlier = earlier.unwrap_or_else(|| snapshot.clone());
    vec![
        format!(
            "{:?}",
            Search::text("connect").lines_around(2, 2).run(&snapshot)
        ),
        format!("{:?}", Read::path("app/a.py").run(&snapshot)),
        format!("{:?}", Navigate::references("connect").run(&snapshot)),
        format!("{:?}", Pack::new().files(&snapshot, &control)),
        format!("{:?}", Map::new().document(&snapshot, &control)),
        format!("{:?}", Context::new("connect").run(&snapshot)),
        format!("{:?}", Context::new("connect").run(&earlier)),
    ]
}

/// An ignored file reveals each secret before a copy appears in code. No result may contain a
/// secret, in any order of calls and changes.
#[test]
fn no_result_has_a_secret_while_files_change() {
    let sandbox = Sandbox::new();
    sandbox
        .write(".gitignore", ".env\n")
        .write("app/a.py", "def connect(key):\n    return key\n")
        .write("app/b.py", "from app.a import connect\n\nconnect(1)\n")
        .commit_all();
    let repository = open(&sandbox);
    repository.keep_warm(Layer::ALL);
    let secret = |number: usize| format!("Qm7vTz41xKp09Lw{number}");
    let is_over = AtomicBool::new(false);
    let leaks = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut all = Vec::new();
                    while !is_over.load(Ordering::Relaxed) {
                        all.extend(shown(&repository));
                    }
                    all.extend(shown(&repository));
                    all
                })
            })
            .collect();
        let mut known = String::new();
        for number in 0..12 {
            let value = secret(number);
            known.push_str(&format!("DB_PASSWORD_{number}={value}\n"));
            sandbox.write(".env", &known);
            let copy = format!(
                "def connect(key):\n    \"\"\"Uses {value}.\"\"\"\n    return \"{value}\"\n"
            );
            sandbox.write("app/a.py", &copy);
            sandbox.write(format!("app/c{number}.py"), &copy);
            let results = shown(&repository);
            assert_eq!(results.len(), 7);
        }
        is_over.store(true, Ordering::Relaxed);
        let all = readers.into_iter().flat_map(|one| one.join().unwrap());
        let has_any = |text: &String| (0..12).any(|number| text.contains(&secret(number)));
        all.filter(has_any).collect::<Vec<_>>()
    });
    assert!(leaks.is_empty(), "{}: {:?}", leaks.len(), leaks.first());
    let last = shown(&repository);
    assert!(last[0].contains("[REDACTED"), "{}", last[0]);
}
