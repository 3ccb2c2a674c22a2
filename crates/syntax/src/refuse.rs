//! What a text must not be to be parsed: too large, one endless line, nested without
//! end, or no text at all.

use crate::FindingKind;
use crate::limits::Limits;

/// Why the text is not parsed, if so.
pub(crate) fn reason(text: &str, limits: &Limits) -> Option<FindingKind> {
    if text.len() > limits.bytes {
        return Some(FindingKind::TooLarge);
    }
    let (mut line, mut depth) = (0_usize, 0_usize);
    for byte in text.bytes() {
        line += 1;
        match byte {
            b'\n' => line = 0,
            0 => return Some(FindingKind::Nul),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if line > limits.line {
            return Some(FindingKind::LongLine);
        }
        if depth > limits.brackets {
            return Some(FindingKind::TooDeep);
        }
    }
    None
}
