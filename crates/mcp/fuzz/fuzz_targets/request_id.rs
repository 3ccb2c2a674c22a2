//! Whatever bytes come, in whatever parts: the same id is found, and it is the one that the
//! whole message has where that is one.
//!
//! Run with `cargo +nightly fuzz run request_id` in this folder's parent.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

// The finder is no part of what the crate offers.
#[path = "../../src/request_id.rs"]
mod request_id;

use request_id::{FoundId, IdFinder};

fn found(parts: &[&[u8]]) -> Option<FoundId> {
    let mut finder = IdFinder::default();
    parts.iter().for_each(|part| finder.push(part));
    finder.id()
}

fuzz_target!(|input: (u16, &[u8])| {
    let (cut, bytes) = input;
    let (head, tail) = bytes.split_at(usize::from(cut).min(bytes.len()));
    let id = found(&[bytes]);
    assert_eq!(found(&[head, tail]), id);
    // One key can stand twice in an object: then the last one holds, or none.
    let count = bytes.windows(4).filter(|part| part == b"\"id\"").count();
    let count = count + bytes.windows(2).filter(|part| part == b"\\u").count();
    let Ok(Value::Object(message)) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    match message.get("id") {
        Some(Value::String(text)) if count == 1 && text.len() < 40 => {
            assert_eq!(id, Some(FoundId::Text(text.clone())));
        }
        Some(Value::Number(number)) if count == 1 && number.is_i64() => {
            assert_eq!(id, number.as_i64().map(FoundId::Number));
        }
        _ => {}
    }
});
