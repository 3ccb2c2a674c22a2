//! Decodes any bytes, or calls them binary; text in UTF-8 stays unchanged.
//!
//! Run with `cargo +nightly fuzz run decode` in the parent directory.

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
