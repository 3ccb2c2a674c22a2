//! Encoding of long pieces in time that grows with their length alone.
//!
//! A row of tokens is the encoding of its bytes if and only if every two
//! neighbours are the encoding of theirs. So a piece can be encoded window by
//! window: a window begins at a token of the window before it, and if its own
//! first token is that very token, the two rows join there and every two
//! neighbours of the joined row stand side by side in one of the windows. Where
//! the token differs, the window before it was too short to tell and is widened.

use std::mem;

use super::merges::Merges;
use super::{encode_window, short};

/// How much wider a window becomes that was too short.
const WIDER: usize = 4;

/// Encodes `piece` and hands its tokens to `emit`, in order.
pub(crate) fn encode(merges: &Merges, piece: &[u8], mut emit: impl FnMut(&[u32])) {
    let window = |start: usize, width: usize| &piece[start..piece.len().min(start + width)];
    let (mut start, mut width) = (0, short::MOST);
    let (mut tokens, mut behind) = (Vec::new(), Vec::new());
    encode_window(merges, window(start, width), &mut tokens);
    while start + width < piece.len() {
        let (kept, length) = trusted(merges, &tokens, width);
        let next = start + length;
        encode_window(merges, window(next, short::MOST), &mut behind);
        if kept > 0 && behind[0] == tokens[kept] {
            emit(&tokens[..kept]);
            mem::swap(&mut tokens, &mut behind);
            (start, width) = (next, short::MOST);
        } else {
            width *= WIDER;
            encode_window(merges, window(start, width), &mut tokens);
        }
    }
    emit(&tokens);
}

/// How many tokens of a window can be kept, and their length in bytes. Those of
/// its last quarter are not: the text behind the window may change them. The last
/// token is never kept: it is where the next window begins.
fn trusted(merges: &Merges, window: &[u32], width: usize) -> (usize, usize) {
    let (mut kept, mut length) = (0, 0);
    for &token in &window[..window.len() - 1] {
        let longer = length + merges.length(token);
        if longer > width - width / 4 {
            break;
        }
        kept += 1;
        length = longer;
    }
    (kept, length)
}
