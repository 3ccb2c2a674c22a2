//! Parts of addresses: names and paths with signs that an address writes as `%` and digits.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// All signs but those that an address may have as they are.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// A part of an address as text. Invalid escapes stay.
pub(crate) fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

/// A text as a part of an address; slashes stay.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}
