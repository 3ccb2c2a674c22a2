//! Checks that a long-running process answers from its caches, but never with outdated contents.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use loom_lookup::{Detail, RankOptions, SearchOptions, SearchText};
use loom_search::{Query, QueryOptions};
use loom_testkit::{Sandbox, tick};

use super::{IndexUse, Searcher};
use crate::{CacheOptions, Cancel, NoProgress, PackOptions, Packer};

fn lines(searcher: &Searcher, word: &str) -> Vec<String> {
    let query = Query::literal(word, &QueryOptions::default()).unwrap();
    let options = SearchOptions {
        detail: Detail::Lines {
            before: 0,
            after: 0,
        },
        symbols: false,
        limit: None,
        per_file: None,
        search_text: SearchText::Raw,
    };
    let mut found = Vec::new();
    let met = searcher.search(&query, &options, &Cancel::new(), |file| {
        let path = file.path.display().into_owned();
        let lines = file.lines.iter();
        found.extend(lines.map(|line| format!("{path}:{}:{}", line.line, line.text)));
        ControlFlow::Continue(())
    });
    met.unwrap();
    found
}

#[test]
fn kept_texts_are_those_of_the_files() {
    let sandbox = Sandbox::new();
    // Assembled at run time, so that this file contains no secret.
    let secret = ["Zx81", "qT!9pLw", "7vB2"].concat();
    sandbox.write("a.txt", "alpha one\n");
    sandbox.write("b.txt", "alpha two\n");
    sandbox.write("c.py", format!("password = '{secret}' # alpha three\n"));
    let options = PackOptions {
        cache: Some(CacheOptions::new(Some(sandbox.path("cache")))),
        ..PackOptions::default()
    };
    let work = sandbox.work();
    let packer = Arc::new(Packer::open(&[&work], options).unwrap());
    let cancel = Cancel::new();
    let searcher =
        Searcher::open(Arc::clone(&packer), IndexUse::Update, &NoProgress, &cancel).unwrap();
    // Each query differs, so that the cached results of another one cannot answer it.
    for word in ["alpha", "alph", "lpha", "alp", "pha"] {
        searcher.warm(10, 2, &cancel);
        let found = lines(&searcher, word);
        assert_eq!(found.len(), 3, "{word}: {found:?}");
        assert_eq!(found[0], "a.txt:1:alpha one");
        assert!(!found[2].contains(&secret), "{}", found[2]);
    }
    assert_eq!(lines(&searcher, &secret[2..8]).len(), 1);
    assert!(lines(&searcher, "beta").is_empty());

    sandbox.write("b.txt", "beta\nalpha four\n");
    std::fs::remove_file(sandbox.work().join("a.txt")).unwrap();
    let now = searcher.refreshed(&cancel).unwrap();
    // The old searcher still answers from its own snapshot.
    assert_eq!(lines(&searcher, "beta").len(), 0);
    let searcher = now.unwrap();
    let found = lines(&searcher, "alpha");
    assert_eq!(found[0], "b.txt:2:alpha four");
    assert_eq!(found.len(), 2);
    assert_eq!(lines(&searcher, "beta"), ["b.txt:1:beta"]);
}

/// The index knows small binary files by their contents, so that a query does not read them.
#[test]
fn what_is_no_text_is_known() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "alpha\n");
    for number in 0..120 {
        let name = format!("{number}.pb");
        sandbox.write(&name, [b"k8s\0\n\x0e", name.as_bytes()].concat());
    }
    // A file with a very recent stamp would be read again.
    tick(&sandbox.path(".."));
    let options = PackOptions {
        cache: Some(CacheOptions {
            coarseness: Duration::ZERO,
            ..CacheOptions::new(Some(sandbox.path("cache")))
        }),
        ..PackOptions::default()
    };
    let packer = Arc::new(Packer::open(&[&sandbox.work()], options).unwrap());
    let cancel = Cancel::new();
    let open = |usage| Searcher::open(Arc::clone(&packer), usage, &NoProgress, &cancel).unwrap();
    assert!(open(IndexUse::Update).is_whole());
    let again = open(IndexUse::Auto);
    assert!(again.is_whole());
    assert_eq!(lines(&again, "alpha"), ["a.txt:1:alpha"]);
}

fn options(sandbox: &Sandbox) -> PackOptions {
    PackOptions {
        cache: Some(CacheOptions {
            coarseness: Duration::ZERO,
            ..CacheOptions::new(Some(sandbox.path("cache")))
        }),
        ..PackOptions::default()
    }
}

/// Returns the number of contents that an update indexes.
fn indexed(tree: &std::path::Path, options: PackOptions) -> usize {
    let packer = Arc::new(Packer::open(&[tree], options).unwrap());
    let searcher = Searcher::open(
        Arc::clone(&packer),
        IndexUse::Update,
        &NoProgress,
        &Cancel::new(),
    )
    .unwrap();
    searcher.built().map_or(0, |built| built.indexed)
}

#[test]
fn a_copy_of_a_tree_shares_its_index() {
    let sandbox = Sandbox::new();
    for folder in ["one", "two"] {
        for number in 0..30 {
            sandbox.write(format!("{folder}/{number}.txt"), format!("text {number}\n"));
        }
    }
    assert_eq!(indexed(&sandbox.path("one"), options(&sandbox)), 30);
    assert_eq!(indexed(&sandbox.path("two"), options(&sandbox)), 0);
}

#[test]
fn an_edit_indexes_what_was_edited() {
    let sandbox = Sandbox::new();
    for number in 0..64 {
        sandbox.write(format!("{number}.txt"), format!("text {number}\n"));
    }
    let many = || PackOptions {
        threads: std::num::NonZeroUsize::new(12),
        ..options(&sandbox)
    };
    tick(&sandbox.path(".."));
    assert_eq!(indexed(&sandbox.work(), many()), 64);
    for number in 0..6 {
        sandbox.write(format!("{number}.txt"), format!("edited {number}\n"));
        assert_eq!(indexed(&sandbox.work(), many()), 1, "{number}");
        tick(&sandbox.path(".."));
    }
}

/// If the index cannot be written, the files are read, and a question still gets an answer.
#[test]
fn an_index_that_cannot_be_written_is_done_without() {
    let sandbox = Sandbox::new();
    // A file blocks the path of the directory.
    sandbox.write(format!("cache/{}", super::index::folder_name()), "");
    let with = PackOptions {
        threads: std::num::NonZeroUsize::new(1),
        ..options(&sandbox)
    };
    let tree = sandbox.path("tree");
    sandbox.write("tree/a.txt", "alpha one\n");
    let packer = Arc::new(Packer::open(&[&tree], with).unwrap());
    for usage in [IndexUse::Auto, IndexUse::Update] {
        let searcher =
            Searcher::open(Arc::clone(&packer), usage, &NoProgress, &Cancel::new()).unwrap();
        assert_eq!(lines(&searcher, "alpha"), ["a.txt:1:alpha one"]);
        let hits = searcher.rank("alpha", &RankOptions::default());
        assert_eq!(hits.len(), usize::from(usage == IndexUse::Update));
        let warning = packer.cache_warning().unwrap_or_default();
        assert!(!warning.is_empty(), "{usage:?}");
    }
}

/// Edits leave small segments, which are merged without losing contents.
#[test]
fn many_small_segments_become_one() {
    let sandbox = Sandbox::new();
    for number in 0..40 {
        sandbox.write(format!("tree/{number}.txt"), format!("text {number}\n"));
    }
    let one = || PackOptions {
        threads: std::num::NonZeroUsize::new(1),
        ..options(&sandbox)
    };
    let mut most = 0;
    let mut fewer = false;
    for number in 0..24 {
        tick(&sandbox.path(".."));
        sandbox.write(format!("tree/{number}.txt"), format!("edited {number}\n"));
        let packer = Arc::new(Packer::open(&[&sandbox.path("tree")], one()).unwrap());
        let usage = IndexUse::Update;
        let searcher =
            Searcher::open(Arc::clone(&packer), usage, &NoProgress, &Cancel::new()).unwrap();
        let segments = searcher.index.segments().count();
        fewer |= segments < most;
        most = most.max(segments);
        assert!(searcher.is_whole());
        assert_eq!(lines(&searcher, "edited").len(), number + 1);
        assert_eq!(lines(&searcher, "text").len(), 39 - number);
    }
    assert!(fewer && most <= 12, "{most}");
}
