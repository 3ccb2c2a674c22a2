//! Replays the texts that fuzzing of the grammars starts from or has failed on: each stays within
//! its budget. `cargo xtask suite grammars` searches for more.

#![expect(clippy::disallowed_methods, reason = "the corpus is in files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use loom_syntax::{Language, extract, has_grammar};

use crate::bounded::{LIMITS, is_within, used};
use crate::fragments::repeated;

/// Returns the texts by their grammar: `corpus/GRAMMAR/NAME`.
fn corpus() -> BTreeMap<String, Vec<(String, Vec<u8>)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = |directory: &Path| {
        let entries = fs::read_dir(directory).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let texts = |directory: &Path| {
        let files = entries(directory).into_iter();
        files
            .map(|file| (name(&file), fs::read(&file).unwrap()))
            .collect()
    };
    let grammars = entries(&root).into_iter();
    grammars.map(|path| (name(&path), texts(&path))).collect()
}

#[test]
fn every_grammar_has_a_corpus() {
    let languages = Language::all().filter(|language| has_grammar(*language));
    let grammars: Vec<_> = languages.map(Language::id).collect();
    let corpus = corpus();
    assert_eq!(corpus.keys().collect::<Vec<_>>(), grammars);
    assert!(corpus.values().all(|texts| !texts.is_empty()));
}

/// Does the same as the fuzz target: short texts are also repeated.
#[test]
fn every_text_of_the_corpus_is_within_its_budget() {
    for (id, texts) in corpus() {
        let language = Language::from_id(&id).unwrap();
        for (name, bytes) in texts {
            let text = String::from_utf8_lossy(&bytes);
            let again = (text.len() <= 32).then(|| repeated(&text, 4_000));
            for text in [text.into_owned()].into_iter().chain(again) {
                let cost = used(language, &text);
                assert!(is_within(&cost, &text), "{id}/{name} {cost:?}");
                let found = extract(language, &text, &LIMITS);
                for symbol in &found.symbols {
                    assert!(text.get(symbol.span.range()).is_some(), "{id}/{name}");
                }
                assert_eq!(found, extract(language, &text, &LIMITS), "{id}/{name}");
            }
        }
    }
}
