//! Serialization of a corpus, and its units of several sizes.

use std::ops::Range;

use loom_base::codec::{Reader, Writer};
use loom_engine::context::{
    Corpus, CorpusColumns, Granularity, ParsedQuery, Past, SelectOptions, select,
};
use proptest::prelude::*;

use crate::repository::{corpus, files};

const FILES: &str = "\
=== a.py
import os

class Store:
    size = 1

    def load(self):
        return os

def run():
    return Store().load()
=== notes.txt
one
two
";

fn written(corpus: &Corpus) -> (Vec<u8>, Vec<u8>) {
    let (mut out, mut texts) = (Writer::new(), Writer::new());
    corpus.write(&mut out, &mut texts);
    (out.finish(), texts.finish())
}

fn read(bytes: &(Vec<u8>, Vec<u8>), columns: CorpusColumns) -> Option<Corpus> {
    let (mut from, mut texts) = (Reader::new(&bytes.0), Reader::new(&bytes.1));
    Corpus::read(&mut from, &mut texts, columns)
}

/// Returns the ranking of a corpus for a query.
fn order(corpus: &Corpus, query: &str) -> Vec<(u32, f64)> {
    let wishes = SelectOptions::default();
    let found = select(
        &ParsedQuery::new(query),
        corpus,
        &Past::default(),
        &wishes,
        &|_| None,
    );
    found
        .files
        .iter()
        .chain(&found.parts)
        .map(|one| (one.number, one.score))
        .collect()
}

#[test]
fn a_corpus_that_is_read_back_answers_as_before() {
    let before = corpus(&files(FILES));
    let bytes = written(&before);
    let after = read(&bytes, before.columns()).unwrap();
    assert_eq!(written(&after), bytes);
    for query in ["`Store.load`", "one two", "in a.py", "zzz"] {
        assert_eq!(order(&after, query), order(&before, query), "{query}");
    }
    for (one, other) in before.files.iter().zip(&after.files) {
        assert_eq!(
            (&one.path, one.kind, one.lines),
            (&other.path, other.kind, other.lines)
        );
        assert_eq!(one.is_aside, other.is_aside);
    }
}

#[test]
fn columns_of_another_corpus_are_refused() {
    let one = corpus(&files(FILES));
    let bytes = written(&one);
    let other = corpus(&files("=== b.py\nx = 1\n"));
    assert!(read(&bytes, other.columns()).is_none());
    let mut few_keys = one.columns();
    few_keys.keys = one.columns().keys[1..].to_vec().into();
    assert!(read(&bytes, few_keys).is_none());
    let mut wrong_file = one.columns();
    wrong_file.parts.to_mut()[0].file = 9;
    assert!(read(&bytes, wrong_file).is_none());
    let mut few_parts = one.columns();
    few_parts.parts.to_mut().pop();
    assert!(read(&bytes, few_parts).is_none());
}

#[test]
fn a_history_that_is_read_back_is_the_same() {
    let mut past = Past::default();
    past.add("Fix the galaxy", vec![0, 3]);
    past.add("Count planets", vec![1]);
    let mut out = Writer::new();
    past.write(&mut out);
    let bytes = out.finish();
    let after = Past::read(&mut Reader::new(&bytes)).unwrap();
    let mut again = Writer::new();
    after.write(&mut again);
    assert_eq!((after.len(), again.finish()), (2, bytes.clone()));
    assert!(Past::read(&mut Reader::new(&bytes[..bytes.len() - 1])).is_none());
}

fn check_units(granularity: Granularity, expected: &[&str]) {
    let corpus = corpus(&files(FILES));
    let units = corpus.units(granularity);
    let shown: Vec<String> = units
        .iter()
        .map(|unit| {
            let path = &corpus.files[unit.file as usize].path;
            let symbol = unit.symbol.as_deref().unwrap_or("-");
            format!(
                "{path}:{}-{} {symbol} {}",
                unit.first,
                unit.last,
                unit.parts.len()
            )
        })
        .collect();
    assert_eq!(shown, expected, "{granularity:?}");
}

#[test]
fn units_are_files_types_functions_or_parts() {
    check_units(Granularity::File, &["a.py:1-10 - 4", "notes.txt:1-2 - 1"]);
    check_units(Granularity::Class, &["a.py:3-8 Store 2"]);
    check_units(
        Granularity::Function,
        &["a.py:6-8 Store.load 1", "a.py:9-10 run 1"],
    );
    check_units(
        Granularity::Chunk,
        &[
            "a.py:1-2 - 1",
            "a.py:3-5 Store 1",
            "a.py:6-8 Store.load 1",
            "a.py:9-10 run 1",
            "notes.txt:1-2 - 1",
        ],
    );
}

#[test]
fn granularities_are_found_by_their_names() {
    for one in Granularity::ALL {
        assert_eq!(Granularity::from_name(one.name()), Some(one));
    }
    assert_eq!(Granularity::from_name("files"), None);
}

#[test]
fn parts_of_a_file_are_its_own() {
    let corpus = corpus(&files(FILES));
    for (at, file) in corpus.files.iter().enumerate() {
        let Range { start, end } = file.parts;
        let parts = corpus.parts_of(u32::try_from(at).unwrap());
        assert_eq!(parts.len(), (end - start) as usize);
        assert!(parts.iter().all(|part| part.file as usize == at));
    }
}

proptest! {
    #[test]
    fn broken_bytes_are_refused_or_read_without_a_crash(at in 0usize..400, byte in any::<u8>(), cut in 0usize..400) {
        let one = corpus(&files(FILES));
        let (mut out, texts) = written(&one);
        let at = at % out.len();
        out[at] = byte;
        let changed = read(&(out.clone(), texts.clone()), one.columns());
        if let Some(corpus) = changed {
            let _ = order(&corpus, "`Store.load` in a.py");
        }
        out.truncate(cut % out.len());
        prop_assert!(read(&(out, texts), one.columns()).is_none());
    }
}
