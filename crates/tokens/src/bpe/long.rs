//! Encoding of long pieces in time that grows with their length alone.
//!
//! A row of tokens is the encoding of its bytes if and only if every two
//! neighbours are the encoding of theirs. So a piece can be encoded window by
//! window: a window begins at a token of the window before it, and if its own
//! first token is that very token, the two rows join there and every two
//! neighbours of the joined row stand side by side in one of the windows. Where
//! the token differs, the window before it was too short to tell and is widened.

use super::merges::Merges;
use super::queue;
use super::short::{self, Parts};

/// Bytes at the end of a window whose tokens are not trusted, because the text
/// behind the window may change them.
const MARGIN: usize = 64;

/// Encodes `piece` and hands its tokens to `emit`, in order.
pub(crate) fn encode(merges: &Merges, piece: &[u8], mut emit: impl FnMut(&[u32])) {
    let mut start = 0;
    let mut width = short::MOST;
    let mut window = tokens(merges, &piece[..width.min(piece.len())]);
    while start + width < piece.len() {
        let (kept, length) = trusted(merges, &window, width);
        let next = start + length;
        let end = piece.len().min(next + short::MOST);
        let behind = tokens(merges, &piece[next..end]);
        if kept > 0 && behind[0] == window[kept] {
            emit(&window[..kept]);
            (start, width, window) = (next, short::MOST, behind);
        } else {
            width *= 2;
            let end = piece.len().min(start + width);
            window = tokens(merges, &piece[start..end]);
        }
    }
    emit(&window);
}

fn tokens(merges: &Merges, window: &[u8]) -> Vec<u32> {
    if window.len() <= short::MOST {
        Parts::of(merges, window).ids().to_vec()
    } else {
        queue::encode(merges, window)
    }
}

/// How many tokens of a window can be kept, and their length in bytes. The last
/// token is never kept: it is where the next window begins.
fn trusted(merges: &Merges, window: &[u32], width: usize) -> (usize, usize) {
    let (mut kept, mut length) = (0, 0);
    for &token in &window[..window.len() - 1] {
        let longer = length + merges.length(token);
        if longer > width - MARGIN {
            break;
        }
        kept += 1;
        length = longer;
    }
    (kept, length)
}
