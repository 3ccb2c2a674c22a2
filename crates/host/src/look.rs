//! Skips a text because of its appearance.

use loom_engine::{Decoding, TextInspection};
use loom_source::{Decoded, FoundFile, Reason};

use crate::PackOptions;

/// Returns the reason for skipping a file with this text, if there is one.
pub(crate) fn left_out_by_looks(
    text: &TextInspection,
    file: &FoundFile,
    options: &PackOptions,
) -> Option<Reason> {
    // A file that the user includes is packed even if it looks minified or like an earlier pack.
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

/// Describes the differences between a decoded text and its bytes.
pub(crate) fn decoding(decoded: &Decoded) -> Decoding {
    Decoding {
        encoding: (!decoded.encoding.is_plain()).then(|| decoded.encoding.to_string()),
        replaced: decoded.replaced,
    }
}
