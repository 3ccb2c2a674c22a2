//! Whether a text is left out for its looks.

use loom_engine::{Decoding, TextInspection};
use loom_source::{Decoded, FoundFile, Reason};

use crate::PackOptions;

/// The reason for which a file that looks like this is left out, if there is one.
pub(crate) fn left_out_by_looks(
    text: &TextInspection,
    file: &FoundFile,
    options: &PackOptions,
) -> Option<Reason> {
    // Whoever asks for an earlier pack by name gets it.
    let guesses = options.scan.default_ignore && !file.wanted;
    if text.is_pointer {
        Some(Reason::LfsPointer)
    } else if text.is_earlier_pack && !file.wanted {
        Some(Reason::EarlierPack)
    } else if text.is_minified && guesses {
        Some(Reason::Minified)
    } else {
        None
    }
}

/// In what a decoded text differs from the bytes that it had.
pub(crate) fn decoding(decoded: &Decoded) -> Decoding {
    Decoding {
        encoding: (!decoded.encoding.is_plain()).then(|| decoded.encoding.to_string()),
        replaced: decoded.replaced,
    }
}
