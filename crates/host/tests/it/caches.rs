//! The cache between runs: the same answers whatever happens to it, and only new work.

use std::fs;
use std::path::Path;

use loom_host::{
    Cache, Cancel, ContextBuilder, FileCounter, HashChoice, IndexOptions, IndexReport, Language,
    NoProgress, PackOptions, Packer, Run, ScanScope, StoreCompression, model, scan_for_secrets,
    update_index,
};
use loom_testkit::{Sandbox, odd_tree, tick};

use crate::fixture::{
    cache, cached, files_below, holds, pack, packer, password, survey, token, write,
};

fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    for at in 0..12 {
        let text = format!(
            "import os\n\nclass A{at}:\n    \"\"\"Doc {at}.\"\"\"\n    def run(self, x):\n        return helper_{at}(x) + {at}\n"
        );
        sandbox.write(format!("src/{at}.py"), text);
    }
    sandbox
        .write("settings.py", format!("PASSWORD = '{}'\n", password()))
        .write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\0");
    sandbox
}

fn index(packer: &Packer, options: &IndexOptions) -> IndexReport {
    update_index(packer, options, &Run::new(), &NoProgress, &Cancel::new()).unwrap()
}

fn counting() -> IndexOptions {
    IndexOptions {
        counts: true,
        ..IndexOptions::default()
    }
}

/// Returns the numbers of added, changed, removed and analyzed files.
fn news(report: &IndexReport) -> [usize; 4] {
    [report.added, report.changed, report.removed, report.derived]
}

#[track_caller]
fn check(sandbox: &Sandbox, expected: [usize; 4]) -> IndexReport {
    let report = index(&packer(sandbox, cached(sandbox)), &counting());
    assert_eq!(news(&report), expected);
    report
}

/// Other commands cache files, too. A file that only they knew was never indexed.
#[test]
fn first_index_reports_no_removed_files() {
    let sandbox = tree();
    survey(&packer(&sandbox, cached(&sandbox)));
    fs::remove_file(sandbox.path("src/3.py")).unwrap();
    assert_eq!(check(&sandbox, [12, 0, 0, 0]).files, 12);
    fs::remove_file(sandbox.path("src/4.py")).unwrap();
    check(&sandbox, [0, 0, 1, 0]);
}

#[test]
fn index_works_only_on_changes() {
    let sandbox = tree();
    let first = check(&sandbox, [13, 0, 0, 13]);
    assert_eq!(first.files, 13);
    let again = check(&sandbox, [0, 0, 0, 0]);
    assert_eq!(
        (again.files, again.tokens, again.bytes),
        (13, first.tokens, first.bytes)
    );
    assert!(again.full.is_some());
    // A file moves, one changes, one is removed.
    fs::rename(sandbox.path("src/1.py"), sandbox.path("src/moved.py")).unwrap();
    sandbox.write("src/2.py", "def new(): pass\n");
    fs::remove_file(sandbox.path("src/3.py")).unwrap();
    let status = IndexOptions {
        is_only_asked: true,
        ..counting()
    };
    for _ in 0..2 {
        let told = index(&packer(&sandbox, cached(&sandbox)), &status);
        assert_eq!(news(&told), [1, 1, 2, 0]);
    }
    check(&sandbox, [1, 1, 2, 1]);
    check(&sandbox, [0, 0, 0, 0]);
}

#[test]
fn clones_and_branches_share_what_was_derived() {
    let sandbox = tree();
    sandbox.commit_all();
    check(&sandbox, [13, 0, 0, 13]);
    sandbox.git(&["clone", "-q", ".", "../clone"]);
    let clone = Packer::open(&[sandbox.path("../clone")], cached(&sandbox)).unwrap();
    assert_eq!(news(&index(&clone, &counting())), [13, 0, 0, 0]);
    sandbox
        .git(&["checkout", "-qb", "other"])
        .write("src/4.py", "def on_the_branch(): pass\n");
    sandbox.git(&["commit", "-qam", "other"]);
    check(&sandbox, [0, 1, 0, 1]);
    tick(&sandbox.path(".."));
    sandbox.git(&["checkout", "-q", "-"]);
    check(&sandbox, [0, 1, 0, 0]);
}

/// Files that other passes read are still new to the index.
#[test]
fn index_derives_the_files_that_others_only_read() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.py", "def one(): pass\n")
        .write("b.py", "x = 1\n")
        .write("same.py", "x = 1\n");
    let count = || {
        FileCounter::new(&packer(&sandbox, cached(&sandbox)), &Cancel::new())
            .count()
            .unwrap()
    };
    count();
    let first = index(&packer(&sandbox, cached(&sandbox)), &counting());
    assert_eq!((first.added, first.changed), (3, 0));
    sandbox.write("a.py", "def two(): pass  # longer\n");
    count();
    let second = index(&packer(&sandbox, cached(&sandbox)), &counting());
    assert_eq!((second.added, second.changed), (0, 1));
    let stats = Cache::open(&cache(&sandbox.path("../cache")))
        .store()
        .stats()
        .unwrap();
    let of = |kind: &str| {
        stats
            .values
            .iter()
            .filter(|(name, _)| name.starts_with(kind))
            .map(|(_, (count, _))| count)
            .sum::<usize>()
    };
    assert_eq!((stats.contents, of("facts"), of("structure")), (3, 3, 3));
}

#[test]
fn part_of_a_tree_forgets_nothing_of_the_rest() {
    let sandbox = tree();
    sandbox.commit_all();
    let all = check(&sandbox, [13, 0, 0, 13]);
    let part = Packer::open(&[sandbox.path("src")], cached(&sandbox)).unwrap();
    assert_eq!(index(&part, &counting()).removed, 0);
    let again = check(&sandbox, [0, 0, 0, 0]);
    assert_eq!((again.files, again.tokens), (all.files, all.tokens));
}

/// Other languages, models and thresholds derive other values, and are news to the index.
#[test]
fn index_with_other_options_works_on_all_files() {
    let sandbox = tree();
    check(&sandbox, [13, 0, 0, 13]);
    let ruby = IndexOptions {
        languages: vec![Language::from_id("ruby").unwrap()],
        ..counting()
    };
    assert_eq!(index(&packer(&sandbox, cached(&sandbox)), &ruby).derived, 0);
    let options = PackOptions {
        model: model("qwen3-coder").unwrap().clone(),
        ..cached(&sandbox)
    };
    assert_eq!(index(&packer(&sandbox, options), &counting()).derived, 13);
}

fn outputs(sandbox: &Sandbox, options: &PackOptions) -> (String, usize, usize) {
    let packer = packer(sandbox, options.clone());
    let survey = survey(&packer);
    let (text, _) = write(&packer, &survey);
    let scan = scan_for_secrets(&packer, &ScanScope::Tree, &NoProgress, &Cancel::new()).unwrap();
    (text, survey.secrets.len(), scan.found.len())
}

#[test]
fn hash_and_compression_of_the_store_change_no_answer() {
    let sandbox = tree();
    odd_tree(&sandbox);
    let expected = outputs(&sandbox, &PackOptions::default());
    for hash in ["blake3", "sha256", "xxhash64"] {
        for compression in ["zstd", "lz4", "none"] {
            let mut options = cache(&sandbox.path(format!("../{hash}")));
            options.store.hash = HashChoice::from_name(hash).unwrap();
            options.store.compression = StoreCompression::from_name(compression).unwrap();
            let options = PackOptions {
                cache: Some(options),
                ..PackOptions::default()
            };
            for _ in 0..2 {
                assert!(
                    outputs(&sandbox, &options) == expected,
                    "{hash} {compression}"
                );
            }
        }
    }
}

fn store(folder: &Path) -> std::path::PathBuf {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|ending| ending == "db"));
    files.remove(0)
}

#[test]
fn damaged_store_changes_no_answer() {
    let sandbox = tree();
    let options = cached(&sandbox);
    let expected = outputs(&sandbox, &PackOptions::default());
    let folder = sandbox.path("../cache");
    index(&packer(&sandbox, options.clone()), &counting());
    let length = fs::read(store(&folder)).unwrap().len();
    for at in [0, 20, 5_000, length / 2, length - 300] {
        let file = store(&folder);
        let mut bytes = fs::read(&file).unwrap();
        let at = at.min(bytes.len() - 200);
        bytes[at..at + 200].fill(0x5a);
        fs::write(&file, bytes).unwrap();
        for _ in 0..2 {
            assert!(outputs(&sandbox, &options) == expected, "{at}");
        }
        index(&packer(&sandbox, options.clone()), &counting());
    }
    for size in [0, 100, length / 2] {
        let file = store(&folder);
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..size.min(bytes.len())]).unwrap();
        assert!(outputs(&sandbox, &options) == expected, "{size}");
    }
}

/// A cache that cannot be opened lasts as long as the process, and the user is told once.
#[test]
fn unusable_directory_is_a_warning_and_no_error() {
    let sandbox = tree();
    sandbox.write("../file", "in the way");
    let options = PackOptions {
        cache: Some(cache(&sandbox.path("../file/cache"))),
        ..PackOptions::default()
    };
    let packer = packer(&sandbox, options);
    assert_eq!(
        packer.cache_warning(),
        None,
        "the cache is opened at its first use"
    );
    let text = write(&packer, &survey(&packer)).0;
    assert_eq!(text, pack(&sandbox, PackOptions::default()));
    let warning = packer.cache_warning().unwrap();
    assert!(
        warning.starts_with("nothing is remembered for the next run: "),
        "{warning}"
    );
}

#[test]
fn no_secret_is_cached_in_the_clear() {
    let sandbox = Sandbox::new();
    let (password, token) = (password(), token());
    sandbox
        .write("a.py", format!("PASSWORD = '{password}'\n"))
        .write(
            "b.py",
            format!("def connect(key='{password}'):\n    '''Uses {password}.'''\n"),
        )
        .write("c.rs", format!("/// {token}\npub fn f() {{ g() }}\n"))
        .write(format!("d/{token}/e.py"), "def plain_name(): pass\n");
    let packer = packer(&sandbox, cached(&sandbox));
    index(&packer, &counting());
    outputs(&sandbox, &cached(&sandbox));
    ContextBuilder::new(&packer, &Run::new(), &Cancel::new())
        .build()
        .unwrap();
    let folder = sandbox.path("../cache");
    assert!(holds(&folder, "b.py"), "paths are not encrypted");
    for hidden in [&password[..8], &token[..12], "plain_name"] {
        assert!(!holds(&folder, hidden), "{hidden}");
    }
}

/// The outputs of a notebook are scanned, whichever pass read the file before.
#[test]
fn outputs_of_a_notebook_are_scanned_after_any_other_pass() {
    let sandbox = Sandbox::new();
    let cell = format!(
        r#"{{"cell_type": "code", "source": ["print(1)"], "outputs": [{{"text": ["{}"]}}]}}"#,
        token()
    );
    sandbox.write(
        "a.ipynb",
        format!(r#"{{"cells": [{cell}], "nbformat": 4}}"#),
    );
    let options = cached(&sandbox);
    assert!(!pack(&sandbox, options.clone()).contains(&token()));
    index(&packer(&sandbox, options.clone()), &counting());
    let (_, in_pack, in_scan) = outputs(&sandbox, &options);
    assert_eq!((in_pack, in_scan), (0, 1));
}

#[test]
fn parallel_packers_share_one_cache() {
    let sandbox = tree();
    let expected = outputs(&sandbox, &PackOptions::default());
    for _ in 0..2 {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| index(&packer(&sandbox, cached(&sandbox)), &counting()));
                scope.spawn(|| assert!(outputs(&sandbox, &cached(&sandbox)) == expected));
            }
        });
    }
    let verified = Cache::open(&cache(&sandbox.path("../cache")))
        .store()
        .verify()
        .unwrap();
    assert!(!verified.was_broken && verified.wrong == 0, "{verified:?}");
    check(&sandbox, [0, 0, 0, 0]);
}

#[test]
fn size_of_the_store_is_known_with_a_cache_only() {
    let sandbox = tree();
    let with = packer(&sandbox, cached(&sandbox));
    index(&with, &counting());
    assert!(with.store_bytes() > 4_096);
    assert_eq!(packer(&sandbox, PackOptions::default()).store_bytes(), 0);
}
