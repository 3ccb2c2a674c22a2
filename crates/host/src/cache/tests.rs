//! Checks the sessions of the cache: hits, other choices, damage, stamps and marks.

use std::sync::Arc;
use std::time::Duration;

use loom_base::{RepoPath, Stamp};
use loom_engine::{Decoding, TextInspection};
use loom_models::Tokenizer;
use loom_store::{Seal, Version};
use loom_testkit::{Sandbox, tick};
use proptest::prelude::*;

use super::facts::{CLEAN, FACTS, clean_variant};
use super::*;
use crate::unread::Unread;
use crate::{Baseline, CacheOptions, Confidence, PackOptions, Packer, SecretsMode, SecretsOptions};

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn options(sandbox: &Sandbox) -> PackOptions {
    PackOptions {
        cache: Some(CacheOptions {
            coarseness: Duration::ZERO,
            ..CacheOptions::new(Some(sandbox.path("../cache")))
        }),
        ..PackOptions::default()
    }
}

fn packer(sandbox: &Sandbox) -> Packer {
    Packer::open(&[sandbox.work()], options(sandbox)).unwrap()
}

/// Lists the files and loads their cache entries.
fn session(packer: &Packer) -> (Vec<loom_source::FoundFile>, CacheSession) {
    let (scan, memory) = packer.scan_remembering(&Unread::default(), Remember::Facts);
    let recall = packer.recall_from(&scan.files, memory);
    (scan.files, recall)
}

/// Reads all files through a session, as a pass does.
fn read_all(packer: &Packer) {
    let (files, recall) = session(packer);
    for (at, file) in files.iter().enumerate() {
        let Ok(reading) = recall.read(&packer.source, file, u64::MAX, at) else {
            continue;
        };
        let content_key = recall.record_read(at, &reading).unwrap();
        let Ok(decoded) = recall.decoded(at, reading) else {
            continue;
        };
        let facts = facts(&file.path, &decoded.text, &packer.options);
        recall.keep_facts(&file.path, &content_key, &facts, &packer.options);
        recall.keep_clean(&file.path, &content_key, &packer.options, ScanTarget::File);
        recall.keep_sealed(
            &content_key,
            kind("value"),
            1,
            b"derived",
            &Seal::of(decoded.text.as_bytes()),
        );
    }
    recall.finish();
}

fn facts(path: &RepoPath, text: &str, options: &PackOptions) -> Facts {
    Facts {
        look: TextInspection::new(path, text, None, Decoding::default()),
        counts: Counts::of(text, options),
    }
}

fn content(recall: &CacheSession, at: usize) -> Option<loom_store::Content> {
    match recall.version(at)?.1 {
        Version::Content(content, _) => Some(content.clone()),
        Version::Binary => None,
    }
}

#[test]
fn choices_are_distinguished_by_their_boundaries() {
    let variants = [
        variant(&[b"ab", b"c"]),
        variant(&[b"a", b"bc"]),
        variant(&[b"abc"]),
        variant(&[b"abc", b""]),
        variant(&[]),
    ];
    for (at, one) in variants.iter().enumerate() {
        assert!(!variants[at + 1..].contains(one), "{at}");
    }
    assert_eq!(variant(&[b"ab", b"c"]), variants[0]);
}

#[test]
fn unchanged_file_is_a_hit_and_a_changed_one_is_not() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "one\n")
        .write("b.txt", "two\n")
        .write("c.bin", "\0");
    let packer = packer(&sandbox);
    let (_, first) = session(&packer);
    assert!(first.is_first() && first.version(0).is_none());
    tick(&sandbox.path(".."));
    read_all(&packer);
    let (_, again) = session(&packer);
    assert!(!again.is_first());
    assert_eq!(again.version(0).map(|(size, _)| size), Some(4));
    assert!(matches!(again.version(2), Some((_, Version::Binary))));
    assert!(again.before(0).is_none() && again.version(9).is_none());
    sandbox.write("a.txt", "another\n");
    let (_, now) = session(&packer);
    assert!(now.version(0).is_none() && matches!(now.before(0), Some(Version::Content(..))));
    assert!(now.version(1).is_some());
}

/// A file that may still change within the resolution of the clock is read again.
#[test]
fn unsettled_stamp_is_no_hit() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let coarse = PackOptions {
        cache: Some(CacheOptions {
            coarseness: Duration::from_secs(3600),
            ..CacheOptions::new(Some(sandbox.path("../cache")))
        }),
        ..PackOptions::default()
    };
    let packer = Packer::open(&[sandbox.work()], coarse).unwrap();
    read_all(&packer);
    let (_, again) = session(&packer);
    assert!(again.version(0).is_none() && again.before(0).is_some());
    assert_eq!(again.settled_stamp(0), None);
}

#[test]
fn facts_are_hits_for_the_same_contents_and_choices() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one two three\n");
    tick(&sandbox.path(".."));
    let packer = packer(&sandbox);
    read_all(&packer);
    let (files, recall) = session(&packer);
    let content = content(&recall, 0).unwrap();
    let expected = facts(&files[0].path, "one two three\n", &packer.options);
    assert_eq!(recall.facts(0, &content, &packer.options), Some(expected));
    let other = PackOptions {
        model: loom_models::resolve("qwen3-coder").unwrap().clone(),
        ..packer.options.clone()
    };
    assert_eq!(recall.facts(0, &content, &other), None);
    assert_eq!(recall.facts(9, &content, &packer.options), None);
}

#[test]
fn damaged_facts_are_a_miss() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one two three\n");
    tick(&sandbox.path(".."));
    let packer = packer(&sandbox);
    read_all(&packer);
    let (files, recall) = session(&packer);
    let known = content(&recall, 0).unwrap();
    let variant = Facts::variant(&files[0].path, packer.options.model.tokenizer).unwrap();
    let store = packer.cache().unwrap().store();
    let reading = packer.source.read(&files[0], u64::MAX).unwrap();
    let digest = loom_store::Digest::blake3(reading.hash.as_bytes());
    for damage in [&b""[..], b"\x01", b"something else that is no fact at all"] {
        let mut batch = store.batch();
        batch.put(&digest, FACTS, variant, damage);
        batch.put(
            &digest,
            CLEAN,
            clean_variant(&files[0].path, &packer.options.secrets, ScanTarget::File).unwrap(),
            damage,
        );
        store.write(&batch);
        let (_, recall) = session(&packer);
        assert_eq!(recall.facts(0, &known, &packer.options), None, "{damage:?}");
        let is_clean =
            recall.is_clean(0, &files[0].path, &known, &packer.options, ScanTarget::File);
        assert_eq!(is_clean, damage == b"\x01", "{damage:?}");
    }
}

#[test]
fn encrypted_value_needs_the_key_of_its_contents() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    tick(&sandbox.path(".."));
    let packer = packer(&sandbox);
    read_all(&packer);
    let (files, recall) = session(&packer);
    let reading = recall.read(&packer.source, &files[0], u64::MAX, 0).unwrap();
    let content_key = recall.record_read(0, &reading).unwrap();
    let right = Seal::of(b"one\n");
    let get = |variant: i64, seal: &Seal| recall.sealed(&content_key, kind("value"), variant, seal);
    assert_eq!(get(1, &right).as_deref(), Some(&b"derived"[..]));
    assert_eq!(get(2, &right), None);
    assert_eq!(get(1, &Seal::of(b"other\n")), None);
    assert_eq!(
        recall.sealed(&content_key, kind("another"), 1, &right),
        None
    );
}

#[test]
fn removed_files_are_counted_and_forgotten() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n").write("b.txt", "two\n");
    tick(&sandbox.path(".."));
    let packer = packer(&sandbox);
    read_all(&packer);
    std::fs::remove_file(sandbox.path("b.txt")).unwrap();
    let gone = || {
        let (_, recall) = session(&packer);
        let (recall, count) = recall.with_gone();
        (recall, count)
    };
    assert_eq!(gone().1, 1);
    let (recall, _) = gone();
    recall.forget_gone();
    recall.finish();
    assert_eq!(gone().1, 0);
}

#[test]
fn mark_of_an_index_stays_until_the_contents_change() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    tick(&sandbox.path(".."));
    let packer = packer(&sandbox);
    let marked = |mark: i64| {
        let (files, recall) = session(&packer);
        let recall = recall.marking(mark);
        let reading = recall.read(&packer.source, &files[0], u64::MAX, 0).unwrap();
        recall.record_read(0, &reading);
        recall.finish();
    };
    assert_eq!(session(&packer).1.mark_of(0), 0);
    marked(7);
    let (_, recall) = session(&packer);
    assert_eq!(recall.mark_of(0), 7);
    assert!(recall.marking(7).is_marked(0) && !session(&packer).1.marking(8).is_marked(0));
    sandbox.write("a.txt", "another\n");
    tick(&sandbox.path(".."));
    read_all(&packer);
    assert!(
        session(&packer).1.mark_of(0) < 0,
        "other passes read other contents"
    );
}

#[test]
fn session_without_a_cache_knows_and_keeps_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
    let files = packer.source.scan(&packer.options.scan).files;
    let none = CacheSession::none();
    let reading = none.read(&packer.source, &files[0], u64::MAX, 0).unwrap();
    assert!(none.record_read(0, &reading).is_none() && none.version(0).is_none());
    assert!(none.is_first() && none.note().is_none() && none.settled_stamp(0).is_none());
    none.finish();
    assert!(packer.cache().is_none() && packer.cache_warning().is_none());
}

#[test]
fn note_of_the_roots_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let packer = packer(&sandbox);
    read_all(&packer);
    assert_eq!(session(&packer).1.note(), None);
    session(&packer).1.set_note(b"words");
    assert_eq!(session(&packer).1.note().as_deref(), Some(&b"words"[..]));
}

/// The cache would store the path unencrypted.
#[test]
fn file_with_a_secret_in_its_path_is_never_a_hit() {
    let sandbox = Sandbox::new();
    let token = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    sandbox
        .write(format!("{token}.txt"), "one\n")
        .write("a.txt", "two\n");
    tick(&sandbox.path(".."));
    let packer = packer(&sandbox);
    for _ in 0..2 {
        read_all(&packer);
        let (files, recall) = session(&packer);
        let hits: Vec<bool> = (0..files.len())
            .map(|at| recall.version(at).is_some())
            .collect();
        let is_plain: Vec<bool> = files
            .iter()
            .map(|file| file.path.display() == "a.txt")
            .collect();
        assert_eq!(hits, is_plain);
    }
}

#[test]
fn facts_depend_on_the_name_and_the_tokenizer() {
    let tokenizer = |name: &str| loom_models::resolve(name).unwrap().tokenizer;
    let of = |name: &str, tokenizer: Tokenizer| Facts::variant(&path(name), tokenizer).unwrap();
    let gpt = tokenizer("gpt-5");
    assert_eq!(of("a.py", gpt), of("dir/b.py", gpt));
    for other in [
        of("a.rs", gpt),
        of("a.ipynb", gpt),
        of("a.py", tokenizer("sonnet")),
    ] {
        assert_ne!(of("a.py", gpt), other);
    }
}

#[test]
fn clean_text_depends_on_the_role_of_the_file_and_the_options() {
    let with = |name: &str, secrets: &SecretsOptions, target: ScanTarget| {
        clean_variant(&path(name), secrets, target)
    };
    let usual = SecretsOptions::default();
    let of = |name: &str| with(name, &usual, ScanTarget::File).unwrap();
    assert_eq!(of("src/a.py"), of("src/b.py"));
    assert_ne!(of("src/a.py"), of("tests/test_a.py"));
    let low = SecretsOptions::new(SecretsMode::Redact).with_min_confidence(Confidence::Low);
    assert_ne!(
        with("src/a.py", &low, ScanTarget::File).unwrap(),
        of("src/a.py")
    );
    assert_eq!(
        with("a.py", &usual, ScanTarget::Shown),
        with("a.py", &usual, ScanTarget::File)
    );
    assert_ne!(
        with("a.ipynb", &usual, ScanTarget::Shown),
        with("a.ipynb", &usual, ScanTarget::File)
    );
    let baseline = usual.clone().with_baseline(&Baseline::from_found(&[]));
    assert_eq!(with("a.py", &baseline, ScanTarget::File), None);
}

#[test]
fn embeddings_need_the_same_number_and_length() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let packer = packer(&sandbox);
    read_all(&packer);
    let (files, recall) = session(&packer);
    let reading = recall.read(&packer.source, &files[0], u64::MAX, 0).unwrap();
    let content_key = recall.record_read(0, &reading).unwrap();
    let seal = Seal::of(b"one\n");
    let entries = CacheEntries {
        recall: &recall,
        content_key: &content_key,
        seal: &seal,
    };
    let mut vectors = loom_embed::Vectors::new(2);
    vectors.push(&[1.0, 0.0]);
    vectors.push(&[0.0, 1.0]);
    entries.keep_vectors("x", &vectors);
    recall.finish();
    assert_eq!(entries.vectors("x", 2, 2), Some(vectors));
    for (id, count, dimensions) in [("x", 1, 2), ("x", 3, 2), ("x", 2, 3), ("y", 2, 2)] {
        assert_eq!(
            entries.vectors(id, count, dimensions),
            None,
            "{id} {count} {dimensions}"
        );
    }
}

#[test]
fn failure_of_the_index_is_told_once() {
    let sandbox = Sandbox::new();
    let cache = Arc::new(Cache::open(&options(&sandbox).cache.unwrap()));
    assert_eq!(cache.warning(), None);
    for reason in ["the disk is full", "another one"] {
        cache.note_index_failure(&std::io::Error::other(reason));
    }
    let warning = cache.warning().unwrap();
    assert_eq!(
        warning,
        "the index of searches is not remembered: the disk is full"
    );
}

proptest! {
    #[test]
    fn facts_are_read_as_they_were_written(text in "[a-zé \n]{0,60}", tokens in 0usize..100_000, spread in 0usize..50) {
        let counts = Counts { tokens, lower: tokens.saturating_sub(spread), upper: tokens + spread };
        let facts = Facts { look: TextInspection::new(&path("a.py"), &text, None, Decoding::default()), counts };
        let bytes = facts.write();
        prop_assert_eq!(Facts::read(&bytes), Some(facts));
        for size in 0..bytes.len() {
            prop_assert_eq!(Facts::read(&bytes[..size]), None);
        }
        prop_assert_eq!(Facts::read(&[&bytes[..], &[0]].concat()), None);
    }

    #[test]
    fn any_bytes_are_facts_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = Facts::read(&bytes);
    }

    /// A stamp is settled only if it is older than the resolution of the clock.
    #[test]
    fn settled_stamps_are_older_than_the_resolution(changed in 0i64..1_000, now in 0i64..2_000, coarseness in 0i64..500) {
        let stamp = Stamp { size: 1, modified: 0, changed, file: 1, device: 1 };
        prop_assert_eq!(stamp.is_settled(now, coarseness), now - changed > coarseness);
    }
}
