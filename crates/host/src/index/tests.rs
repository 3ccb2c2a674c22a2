//! Checks that an index run reads, scans and parses each new file once. It counts, and measures no
//! time.

use std::path::Path;
use std::time::Duration;

use loom_testkit::Sandbox;
use tempfile::TempDir;

use super::{IndexOptions, Note, update_index};
use crate::{CacheOptions, Cancel, NoProgress, PackOptions, Packer, Run};

/// Counters of one index run.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    added: usize,
    reads: usize,
    scans: usize,
    parses: usize,
}

/// Creates a packer with an empty cache outside the source.
fn packer(sandbox: &Sandbox, cache: &TempDir) -> Packer {
    let options = PackOptions {
        cache: Some(CacheOptions {
            // The stamps of new files are settled immediately.
            coarseness: Duration::ZERO,
            ..CacheOptions::new(Some(cache.path().to_owned()))
        }),
        ..PackOptions::default()
    };
    Packer::open(&[sandbox.work()], options).unwrap()
}

fn index(packer: &Packer) -> Done {
    let options = IndexOptions {
        counts: true,
        ..IndexOptions::default()
    };
    let (run, cancel) = (Run::new(), Cancel::new());
    let report = update_index(packer, &options, &run, &NoProgress, &cancel).unwrap();
    let counts = &run.unread.counts;
    Done {
        added: report.added,
        reads: counts.reads(),
        scans: counts.scans(),
        parses: counts.parses(),
    }
}

#[test]
fn each_new_file_is_read_scanned_and_parsed_once() {
    let sandbox = Sandbox::new();
    for number in 0..20 {
        sandbox.write(
            format!("src/{number}.py"),
            format!("def f{number}(): pass\n"),
        );
    }
    let cache = tempfile::tempdir().unwrap();
    let packer = packer(&sandbox, &cache);
    let all = Done {
        added: 20,
        reads: 20,
        scans: 20,
        parses: 20,
    };
    assert_eq!(index(&packer), all);
    let nothing = Done {
        added: 0,
        reads: 0,
        scans: 0,
        parses: 0,
    };
    assert_eq!(index(&packer), nothing);
    sandbox.write("src/new.py", "def new(): pass\n");
    let one = Done {
        added: 1,
        reads: 1,
        scans: 1,
        parses: 1,
    };
    assert_eq!(index(&packer), one);
}

/// Returns true if a file below `dir` contains `needle`.
fn holds(dir: &Path, needle: &str) -> bool {
    let entries = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let within = |bytes: &[u8]| memchr::memmem::find(bytes, needle.as_bytes()).is_some();
    entries.into_iter().any(|path| match path.is_dir() {
        true => holds(&path, needle),
        false => within(&std::fs::read(&path).unwrap()),
    })
}

#[test]
fn cache_holds_no_path_with_a_secret_in_clear() {
    let sandbox = Sandbox::new();
    // Assembled here, so that this file contains no secret.
    let token = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    sandbox.write(format!("keys/{token}/c.py"), "def c(): pass\n");
    sandbox.write("src/plain_name.py", "def d(): pass\n");
    let cache = tempfile::tempdir().unwrap();
    let packer = packer(&sandbox, &cache);
    assert_eq!(index(&packer).reads, 2);
    assert!(holds(cache.path(), "src/plain_name.py"));
    assert!(!holds(cache.path(), token));
}

/// The total needs the redacted texts of all files, because any may contain a copy.
#[test]
fn secrets_are_redacted_in_texts_that_were_kept() {
    let sandbox = Sandbox::new();
    // Assembled here, so that this file contains no secret.
    let secret = ["Zx81", "qT!9pLw", "7vB2"].concat();
    sandbox.write("a.py", format!("password = '{secret}'\n"));
    sandbox.write("b.py", format!("print('{secret}')\n"));
    sandbox.write("c.py", "print(1)\n");
    // Skipped because of its contents, but still scanned for secrets.
    let minified = format!("var password = '{secret}';").repeat(200);
    sandbox.write("d.js", minified);
    let cache = tempfile::tempdir().unwrap();
    let done = index(&packer(&sandbox, &cache));
    assert_eq!((done.reads, done.scans), (4, 4), "{done:?}");
}

/// Without a total, no text is kept for the count.
#[test]
fn index_without_a_total_reads_each_file_once_too() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def a(): pass\n");
    sandbox.write("b.txt", "plain\n");
    let cache = tempfile::tempdir().unwrap();
    let packer = packer(&sandbox, &cache);
    let (run, cancel) = (Run::new(), Cancel::new());
    let options = IndexOptions::default();
    update_index(&packer, &options, &run, &NoProgress, &cancel).unwrap();
    let counts = &run.unread.counts;
    assert_eq!((counts.reads(), counts.scans()), (2, 2));
}

#[test]
fn note_is_read_as_it_was_written_and_damage_is_no_note() {
    for full in [
        None,
        Some(Duration::from_millis(1)),
        Some(Duration::from_secs(90)),
    ] {
        let bytes = Note { full }.write();
        assert_eq!(Note::read(Some(&bytes)).unwrap().full, full);
        for size in 0..bytes.len() {
            assert!(Note::read(Some(&bytes[..size])).is_none());
        }
    }
    // A run below a millisecond is a full run, too.
    let short = Note {
        full: Some(Duration::from_nanos(1)),
    };
    let read = Note::read(Some(&short.write())).unwrap();
    assert_eq!(read.full, Some(Duration::from_millis(1)));
    assert!(Note::read(None).is_none());
}

/// A cancelled run keeps what it derived. The next one completes the search index.
#[test]
fn cancelled_index_is_an_error_and_the_next_run_completes_it() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def a(): pass\n");
    let cache = tempfile::tempdir().unwrap();
    let packer = packer(&sandbox, &cache);
    let cancel = Cancel::new();
    cancel.cancel();
    let result = update_index(
        &packer,
        &IndexOptions::default(),
        &Run::new(),
        &NoProgress,
        &cancel,
    );
    assert!(matches!(result, Err(crate::PackError::Cancelled)));
    let next = index(&packer);
    assert_eq!((next.reads, next.scans, next.parses), (1, 0, 0));
    assert_eq!(index(&packer).reads, 0);
}
