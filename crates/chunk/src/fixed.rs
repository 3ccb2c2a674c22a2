//! The strategy `fixed`: cuts at lines, regardless of their contents.

use std::ops::Range;

use crate::pieces::Pieces;

pub(crate) fn pieces(text: &Pieces<'_>) -> Vec<Range<usize>> {
    let whole = 0..text.text.len();
    if text.fits_whole(whole.clone()) {
        return vec![whole];
    }
    text.lines(whole, |_, _| 0)
}
