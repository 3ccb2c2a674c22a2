//! Checks that a stored layer gives the same answers as the files, and never those of an earlier
//! state.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use loom_testkit::Sandbox;
use proptest::prelude::*;

use super::{ALIGNMENT, MAGIC, SECTIONS, is_sound_context, sections, write_section};
use crate::{
    CacheOptions, Cancel, ContextBuilder, ContextRequest, ContextWeights, Format, PackOptions,
    Packer,
};

/// Returns a secret, assembled here so that this file contains none.
fn secret() -> String {
    ["AKIA", "IOSFODNN7", "EXAMPLQ"].concat()
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "src/client.py",
        "from src.backoff import wait_for\n\n\nclass Client:\n    \"\"\"Sends requests.\"\"\"\n\n    def retry(self, request):\n        wait_for(3)\n        return self.send(request)\n",
    );
    sandbox.write(
        "src/backoff.py",
        "def wait_for(attempt):\n    return 2 ** attempt\n",
    );
    sandbox.write("src/keys.py", format!("KEY = '{}'\n", secret()));
    sandbox.write("docs/notes.md", format!("# Retry\n\nUse {}.\n", secret()));
    sandbox.write("data.bin", b"\0\x01\x02");
    sandbox
}

/// Returns the contexts for some questions with all their metadata.
fn answers(sandbox: &Sandbox, cache: Option<PathBuf>) -> Vec<String> {
    answers_within(PackOptions::MAX_MEMORY, sandbox, cache)
}

fn answers_within(max_memory: u64, sandbox: &Sandbox, cache: Option<PathBuf>) -> Vec<String> {
    let options = PackOptions {
        max_memory,
        cache: cache.map(|folder| CacheOptions {
            coarseness: Duration::ZERO,
            ..CacheOptions::new(Some(folder))
        }),
        ..PackOptions::default()
    };
    let packer = Packer::open(&[sandbox.work()], options).unwrap();
    let repository = ContextBuilder::new(&packer, &crate::Run::new(), &Cancel::new())
        .build()
        .unwrap();
    let ask = |query: &str| {
        let request = ContextRequest {
            query: query.to_owned(),
            budget: 1500,
            below: String::new(),
            format: Format::Xml,
            weights: ContextWeights::default(),
            hot: Vec::new(),
            previous: Vec::new(),
            pins: Vec::new(),
            embedder: None,
            top: None,
            threshold: f64::NEG_INFINITY,
        };
        let answer = repository
            .answer(&packer, &request, &crate::Run::new(), &Cancel::new())
            .unwrap();
        let files = answer.selection.files;
        let shares: Vec<_> = files
            .iter()
            .map(|one| (one.number, one.score, one.signals))
            .collect();
        format!("{}\n{shares:?}", answer.fitted.context.text())
    };
    let queries = ["why does `Client.retry` wait", "wait_for", "keys", "notes"];
    queries.map(ask).to_vec()
}

fn kept(sandbox: &Sandbox) -> Vec<PathBuf> {
    let folders = fs::read_dir(sandbox.path("../cache")).unwrap().flatten();
    let folders = folders.filter(|entry| entry.path().is_dir());
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).unwrap().flatten());
    let files = files.map(|file| file.path());
    files
        .filter(|path| path.extension().is_some_and(|ending| ending == "context"))
        .collect()
}

/// Answers with and without the stored layer, and compares.
fn same(sandbox: &Sandbox) -> Vec<String> {
    let kept = answers(sandbox, Some(sandbox.path("../cache")));
    assert_eq!(kept, answers(sandbox, None));
    kept
}

#[test]
fn what_is_kept_answers_as_the_files_do() {
    let sandbox = sandbox();
    sandbox.commit_all();
    let first = same(&sandbox);
    assert_eq!(kept(&sandbox).len(), 1);
    assert_eq!(same(&sandbox), first);
    assert!(first.iter().all(|text| !text.contains(&secret())));
    // The message differs, the files do not.
    let message = "wait_for is a matter of keys and notes";
    sandbox.write("src/keys.py", format!("KEY = '{}' \n", secret()));
    sandbox.git(&["commit", "-qam", message]);
    let other = same(&sandbox);
    assert_ne!(other, first);
    sandbox.git(&["commit", "-q", "--amend", "-m", "Something else"]);
    let with_message = same(&sandbox);
    assert_ne!(with_message, other);
    assert_eq!(same(&sandbox), with_message);
    sandbox.write("src/backoff.py", "def wait_for(attempt):\n    return 3\n");
    let edited = same(&sandbox);
    assert_ne!(edited, with_message);
    sandbox.write("src/wait_for.py", "def wait_for(attempt):\n    return 4\n");
    assert_ne!(same(&sandbox), edited);
    fs::remove_file(sandbox.path("src/wait_for.py")).unwrap();
    assert_eq!(same(&sandbox), edited);
}

#[test]
fn what_is_damaged_is_made_again() {
    let sandbox = sandbox();
    let first = same(&sandbox);
    let file = kept(&sandbox).remove(0);
    let whole = fs::read(&file).unwrap();
    let step = whole.len() / 97 + 1;
    for at in (0..whole.len()).step_by(step) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x41;
        fs::write(&file, damaged).unwrap();
        assert_eq!(
            answers(&sandbox, Some(sandbox.path("../cache"))),
            first,
            "{at}"
        );
    }
    for size in [0, 7, 80, whole.len() - 1] {
        fs::write(&file, &whole[..size]).unwrap();
        assert_eq!(answers(&sandbox, Some(sandbox.path("../cache"))), first);
    }
}

#[test]
fn names_and_texts_are_not_in_the_clear() {
    let sandbox = sandbox();
    same(&sandbox);
    let bytes = fs::read(kept(&sandbox).remove(0)).unwrap();
    let holds = |text: &str| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(!holds("wait_for") && !holds("Sends requests") && !holds(&secret()));
    // Paths are not encrypted, as in the store.
    assert!(holds("src/backoff.py"));
}

/// With so little memory every list of the layer uses a scratch file: the minimum in memory is 32
/// KiB of each.
#[test]
fn little_memory_gives_the_same_answers() {
    let sandbox = sandbox();
    for file in 0..300 {
        let functions: Vec<String> = (0..12)
            .map(|at| format!("def step_{file}_{at}(value):\n    return wait_for(value + {at}, 'word{file}x{at}')\n\n\n"))
            .collect();
        sandbox.write(
            format!("src/generated_{file}.py"),
            format!(
                "from src.backoff import wait_for\n\n\n{}",
                functions.concat()
            ),
        );
    }
    let enough = answers(&sandbox, None);
    assert_eq!(answers_within(1, &sandbox, None), enough);
    let cache = sandbox.path("../cache");
    assert_eq!(answers_within(1, &sandbox, Some(cache.clone())), enough);
    assert_eq!(kept(&sandbox).len(), 1);
    assert_eq!(answers_within(1, &sandbox, Some(cache)), enough);
}

/// A warning that only the first run gives would look like a repaired repository.
#[test]
fn stored_layer_repeats_the_warnings_of_the_first_run() {
    let sandbox = sandbox();
    sandbox.write(
        "package.json",
        format!("{{\"x\": \"{}\"}}", "y".repeat(1 << 21)),
    );
    sandbox.write("a.js", "import { b } from './b';\nb();\n");
    let warnings = || {
        let options = PackOptions {
            cache: Some(CacheOptions {
                coarseness: Duration::ZERO,
                ..CacheOptions::new(Some(sandbox.path("../cache")))
            }),
            ..PackOptions::default()
        };
        let packer = Packer::open(&[sandbox.work()], options).unwrap();
        let run = crate::Run::new();
        ContextBuilder::new(&packer, &run, &Cancel::new())
            .build()
            .unwrap();
        run.unread.warnings()
    };
    let cold = warnings();
    assert!(
        cold.iter().any(|one| one.contains("package.json")),
        "{cold:?}"
    );
    assert_eq!(kept(&sandbox).len(), 1);
    assert_eq!(warnings(), cold);
}

/// Returns a file with these sections.
fn file(texts: &[Vec<u8>]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&[7; 32 + 32 + 8]);
    for text in texts {
        write_section(&mut out, text).unwrap();
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sections_are_found_aligned_and_unchanged(texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), SECTIONS)) {
        let bytes = file(&texts);
        let found = sections(&bytes).unwrap();
        for (range, text) in found.iter().zip(&texts) {
            prop_assert_eq!(&bytes[range.clone()], &text[..]);
            prop_assert_eq!(range.start % ALIGNMENT, 0);
        }
        prop_assert!(is_sound_context(&bytes));
    }

    #[test]
    fn damaged_sections_are_refused(texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), SECTIONS), at in any::<prop::sample::Index>(), size in any::<prop::sample::Index>()) {
        let bytes = file(&texts);
        let head = MAGIC.len() + 32 + 32 + 8;
        let mut damaged = bytes.clone();
        damaged[head + at.index(bytes.len() - head)] ^= 0x21;
        prop_assert!(sections(&damaged).is_none());
        prop_assert!(sections(&bytes[..size.index(bytes.len())]).is_none());
        prop_assert!(sections(&[&bytes[..], &[0; 8]].concat()).is_none());
    }
}
