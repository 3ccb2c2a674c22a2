//! Any bytes are decoded or called binary; what is UTF-8 and text stays as it is.
//!
//! Run with `cargo +nightly fuzz run decode` in this folder's parent.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_source::decode;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(decoded) = decode(bytes.to_vec())
        && decoded.encoding.is_plain()
        && decoded.replaced == 0
    {
        assert_eq!(decoded.text.as_bytes(), bytes);
    }
});
