//! Contexts while files change, and after a stop.

use loom_engine::Format;
use loom_engine::context::ContextWeights;
use loom_testkit::Sandbox;

use super::ContextRequest;
use crate::{Cancel, PackError, PackOptions, Packer};

fn request() -> ContextRequest {
    ContextRequest {
        query: "the price of an item is wrong".to_owned(),
        budget: 4000,
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

/// What was chosen and what is shown are of one state of a file.
#[test]
fn what_changed_since_it_was_read_is_left_out_and_told() {
    let sandbox = Sandbox::new();
    let text = "def price_of(item):\n    return item.price\n";
    sandbox.write("a.py", text);
    sandbox.write("b.py", "def price_of_all(items):\n    return sum(items)\n");
    let packer = Packer::open(&[&sandbox.work()], PackOptions::default()).unwrap();
    let repository = packer.context_repository(&Cancel::new()).unwrap();
    let paths = || {
        let answer = packer.context(&repository, &request(), &Cancel::new());
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

#[test]
fn a_stop_ends_it() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def price_of(item):\n    return item.price\n");
    let packer = Packer::open(&[&sandbox.work()], PackOptions::default()).unwrap();
    let repository = packer.context_repository(&Cancel::new()).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let answer = packer.context(&repository, &request(), &cancel);
    assert!(matches!(answer, Err(PackError::Cancelled)));
}
