//! The law of every type: the displayed text of a value parses to that value.

use std::fmt::Debug;

use proptest::prelude::*;

use super::{ByteSize, Globs, OutputPath, Threads, Value};
use crate::quote::plain;
use crate::{Color, Format};

fn reads_back<T: Value + PartialEq + Debug>(value: &T) {
    assert_eq!(T::from_text(&value.show()).unwrap(), *value);
    let document = format!("value = {}", value.to_toml());
    let document = toml_edit::Document::parse(document).unwrap();
    let written = document["value"].as_value().unwrap();
    assert_eq!(T::from_toml(written).unwrap(), *value);
}

#[test]
fn choices_read_back() {
    for choice in <Format as Value>::SHAPE.choices() {
        reads_back(&Format::from_text(choice.name).unwrap());
    }
    for choice in <Color as Value>::SHAPE.choices() {
        reads_back(&Color::from_text(choice.name).unwrap());
    }
}

#[test]
fn messages_contain_no_control_characters() {
    assert_eq!(plain("a\u{1b}[31m\u{202e}b"), "a\\u{1b}[31m\\u{202e}b");
    assert_eq!(plain(&"x".repeat(300)).chars().count(), 201);
}

proptest! {
    #[test]
    fn booleans(value: bool) { reads_back(&value) }

    #[test]
    fn integers(value: u32) { reads_back(&value) }

    #[test]
    fn counters(value: u8) { reads_back(&value) }

    #[test]
    fn threads(value in 0u16..=1024) { reads_back(&Threads::new(value).unwrap()) }

    #[test]
    fn sizes(value: u64, unit in prop::sample::select(vec![1u64, 1000, 1 << 20, 1_000_000_000])) {
        reads_back(&ByteSize::new(value.wrapping_mul(unit)));
    }

    #[test]
    fn texts(value in "(?s).+") { reads_back(&value) }

    #[test]
    fn optional_texts(value in prop::option::of("(?s).+")) { reads_back(&value) }

    #[test]
    fn paths(value in "[^\0]+") { reads_back(&OutputPath::new(value)) }

    #[test]
    fn globs(text in r"[a-c,{}\[\]\\* ]{0,20}") {
        reads_back(&Globs::from_text(&text).unwrap());
    }

    #[test]
    fn any_text_is_parsed_or_rejected(text: String) {
        let _ = (bool::from_text(&text), ByteSize::from_text(&text), Threads::from_text(&text));
        let _ = (Format::from_text(&text), Globs::from_text(&text), OutputPath::from_text(&text));
    }
}
