//! The strategy `symbol`: each function gets its own chunk, and so does a type, constant or section
//! without nested ones. Small ones are joined, and no text between them is lost.

use std::ops::Range;

use crate::join::Pieced;
use crate::outline::Role;
use crate::pieces::Pieces;
use crate::semantic;
use crate::unit::Unit;

/// Minimum number of tokens of a separate chunk.
const SMALL: usize = 64;

pub(crate) fn pieces(text: &Pieces<'_>, whole: &Unit) -> Vec<Range<usize>> {
    let mut parts = Parts {
        text,
        pieced: Pieced::default(),
        may_join: false,
    };
    parts.add(whole);
    let joined = text.joined(parts.pieced);
    without_small(text, joined)
}

struct Parts<'a, 'b> {
    text: &'a Pieces<'b>,
    pieced: Pieced,
    /// True if the last piece may be joined with the next.
    may_join: bool,
}

impl Parts<'_, '_> {
    fn add(&mut self, unit: &Unit) {
        let is_function = unit.role == Some(Role::Function);
        let stands_alone = |role| matches!(role, Role::Function | Role::Section);
        let is_outermost = unit.role.is_none() && !unit.inner.is_empty();
        if is_outermost || (!is_function && unit.holds(&stands_alone)) {
            unit.inner.iter().for_each(|inner| self.add(inner));
            return;
        }
        let pieces = semantic::pieces(self.text, unit);
        let may_join = unit.role.is_none() || is_small(self.text, unit.range.clone());
        let seam = (may_join && self.may_join).then(|| (0, self.text.order_of(unit)));
        self.may_join = may_join;
        self.pieced.push(seam, pieces);
    }
}

fn is_small(text: &Pieces<'_>, part: Range<usize>) -> bool {
    let most = SMALL.min(text.options.room() / 4).saturating_sub(1);
    text.measure.within("", part, most).is_some()
}

/// Joins pieces that are still small with the next one, or else with the one before.
fn without_small(text: &Pieces<'_>, pieces: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut kept: Vec<Range<usize>> = Vec::with_capacity(pieces.len());
    let mut pieces = pieces.into_iter().peekable();
    while let Some(piece) = pieces.next() {
        if !is_small(text, piece.clone()) {
            kept.push(piece);
            continue;
        }
        let is_closing = !text.text[piece.clone()].contains(char::is_alphanumeric);
        let next = pieces.peek_mut().filter(|_| !is_closing);
        if let Some(next) = next.filter(|next| text.fits(piece.start..next.end)) {
            next.start = piece.start;
            continue;
        }
        match kept
            .last_mut()
            .filter(|last| text.fits(last.start..piece.end))
        {
            Some(last) => last.end = piece.end,
            None => kept.push(piece),
        }
    }
    kept
}
