//! Checks contexts when files change, and after a cancellation.

use std::sync::Arc;

use loom_base::{EmbedError, Embedder};
use loom_engine::Format;
use loom_engine::context::ContextWeights;
use loom_testkit::Sandbox;

use super::{ContextBuilder, ContextRequest};
use crate::{Cancel, PackError, PackOptions, Packer};

fn request() -> ContextRequest {
    ContextRequest {
        query: "the price of an item is wrong".to_owned(),
        budget: 4000,
        below: String::new(),
        format: Format::Plain,
        weights: ContextWeights::default(),
        hot: Vec::new(),
        previous: Vec::new(),
        pins: Vec::new(),
        embedder: None,
        top: None,
        threshold: 0.0,
    }
}

/// The ranking and the shown text must be of the same version of a file.
#[test]
fn what_changed_since_it_was_read_is_left_out_and_told() {
    let sandbox = Sandbox::new();
    let text = "def price_of(item):\n    return item.price\n";
    sandbox.write("a.py", text);
    sandbox.write("b.py", "def price_of_all(items):\n    return sum(items)\n");
    let packer = Packer::open(&[&sandbox.work()], PackOptions::default()).unwrap();
    let repository = ContextBuilder::new(&packer, &crate::Run::new(), &Cancel::new())
        .build()
        .unwrap();
    let paths = || {
        let answer = repository.answer(&packer, &request(), &crate::Run::new(), &Cancel::new());
        let answer = answer.unwrap();
        let shown = answer.fitted.pieces.iter();
        let shown = shown.map(|piece| {
            let text = answer.text(piece);
            assert!(text.contains("def price_of"), "{text}");
            piece.path.display().into_owned()
        });
        let changed = answer
            .changed
            .iter()
            .map(|path| path.display().into_owned());
        let mut shown: Vec<String> = shown.collect();
        shown.sort();
        (shown.join(" "), changed.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(paths(), ("a.py b.py".to_owned(), String::new()));
    sandbox.write("a.py", format!("# one line more\n{text}"));
    assert_eq!(paths(), ("b.py".to_owned(), "a.py".to_owned()));
    sandbox.write("a.py", text);
    assert_eq!(paths(), ("a.py b.py".to_owned(), String::new()));
}

/// Drops the last vector of several, or the last number of each.
struct Forgetful {
    vectors: usize,
    numbers: usize,
}

impl Embedder for Forgetful {
    fn id(&self) -> &str {
        "forgetful"
    }

    fn dimensions(&self) -> usize {
        4
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let count = match texts {
            [_] => 1,
            several => several.len() - self.vectors,
        };
        Ok(vec![vec![1.0; 4 - self.numbers]; count])
    }
}

#[test]
fn an_embedder_that_loses_vectors_is_told() {
    let sandbox = Sandbox::new();
    let functions = (0..3).map(|at| {
        let body = "    total = item.price\n".repeat(12);
        format!("def price_of{at}(item):\n{body}    return total\n\n\n")
    });
    sandbox.write("a.py", functions.collect::<String>());
    let packer = Packer::open(&[&sandbox.work()], PackOptions::default()).unwrap();
    let repository = ContextBuilder::new(&packer, &crate::Run::new(), &Cancel::new())
        .build()
        .unwrap();
    let told = |vectors: usize, numbers: usize| {
        let request = ContextRequest {
            embedder: Some(Arc::new(Forgetful { vectors, numbers })),
            ..request()
        };
        let answer = repository.answer(&packer, &request, &crate::Run::new(), &Cancel::new());
        answer.map_err(|error| error.to_string()).map(|_| ())
    };
    assert_eq!(told(0, 0), Ok(()));
    let expected = "no vectors from forgetful: 2 vectors for 3 texts";
    assert_eq!(told(1, 0), Err(expected.to_owned()));
    let expected = "no vectors from forgetful: a vector of 3 numbers, where 4 are expected";
    assert_eq!(told(0, 1), Err(expected.to_owned()));
}

/// The best hit of each file comes first, and no file fills the whole list.
#[test]
fn hits_are_of_several_files() {
    let sandbox = Sandbox::new();
    for file in 0..3 {
        let functions = (0..30).map(|at| {
            let body = "    total = item.price\n".repeat(12);
            format!("def price_of{at}(item):\n{body}    return total\n\n\n")
        });
        sandbox.write(format!("f{file}.py"), functions.collect::<String>());
    }
    let packer = Packer::open(&[&sandbox.work()], PackOptions::default()).unwrap();
    let repository = ContextBuilder::new(&packer, &crate::Run::new(), &Cancel::new())
        .build()
        .unwrap();
    let answer = repository.answer(&packer, &request(), &crate::Run::new(), &Cancel::new());
    let hits = answer.unwrap().hits(&repository);
    assert_eq!(hits.len(), 36);
    assert!(hits.windows(2).all(|two| two[0].score >= two[1].score));
    let mut first: Vec<String> = hits[..3].iter().map(|hit| hit.path.to_string()).collect();
    first.sort();
    assert_eq!(first, ["f0.py", "f1.py", "f2.py"]);
}

#[test]
fn a_stop_ends_it() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def price_of(item):\n    return item.price\n");
    let packer = Packer::open(&[&sandbox.work()], PackOptions::default()).unwrap();
    let repository = ContextBuilder::new(&packer, &crate::Run::new(), &Cancel::new())
        .build()
        .unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let answer = repository.answer(&packer, &request(), &crate::Run::new(), &cancel);
    assert!(matches!(answer, Err(PackError::Cancelled)));
}
