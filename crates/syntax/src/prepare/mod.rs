//! Rewrites text before parsing, for syntax that a grammar cannot know. Blanks or other words
//! replace it, and the length stays the same. Names are always read from the original text.

mod c;
mod css;
mod go;
mod kotlin;
mod ruby;

use std::borrow::Cow;
use std::ops::Range;

/// Returns the text for the parser.
pub(crate) fn for_parsing<'t>(id: &str, text: &'t str) -> Cow<'t, str> {
    match id {
        "c" | "cpp" => c::prepared(id, text),
        "css" => css::prepared(text),
        "go" => go::prepared(text),
        "kotlin" => kotlin::prepared(text),
        "ruby" => ruby::prepared(text),
        _ => Cow::Borrowed(text),
    }
}

/// Replaces ranges of the text by blanks.
fn blanked<'t>(text: &'t str, spans: &[Range<usize>]) -> Cow<'t, str> {
    let mut prepared = Cow::Borrowed(text);
    for span in spans {
        // Newlines stay, so that lines keep their numbers.
        let blanks: String = text[span.clone()]
            .bytes()
            .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
            .collect();
        prepared.to_mut().replace_range(span.clone(), &blanks);
    }
    prepared
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
