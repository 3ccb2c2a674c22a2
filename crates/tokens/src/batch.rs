//! A batch of pieces: their starts, and their lookup in two passes. The first pass queries the
//! small table of the thread. The second pass collects the missing pieces, fetches them together
//! from the shared tables, and merges the ones that no table has.

use std::hint::select_unpredictable;
use std::ops::Range;

use crate::bpe;
use crate::memo::{Front, LONG_MOST, LongKey, MIDDLE_MOST, MiddleKey, SHORT_MOST, ShortKey};
use crate::model::Model;
use crate::piece;
use crate::prefetch::prefetch;
use crate::split::Pattern;
use crate::split::window::{Classify, WINDOW};

/// Pieces in a batch: enough to amortise a pass, few enough for its text and lists to stay in the
/// first-level cache.
const PIECES: usize = 2048;
/// Space after the pieces for those of one window, one more, and the end.
const SLACK: usize = 2 * WINDOW;
/// A longer piece is counted separately, so that offsets fit 32 bits.
const LONGEST: usize = 1 << 19;

/// Maximum lengths of pieces that are merged together with smaller arrays.
const SMALL: usize = 16;
const MEDIUM: usize = 32;

/// Prefetch distance in bytes of text.
const AHEAD: usize = 1024;

/// Buffers of one thread.
pub(crate) struct Batch {
    /// Start of each piece, relative to the start of the batch.
    starts: [u32; PIECES + SLACK],
    pieces: usize,
    /// Short pieces that the front table does not have.
    missed: [u32; PIECES + SLACK],
    /// Pieces that are not short.
    longer: [u32; PIECES + SLACK],
    /// Pieces that no table has.
    unknown: [u32; PIECES + SLACK],
    /// A front table for each model in use, by its number.
    fronts: Vec<Option<Box<Front>>>,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            starts: [0; PIECES + SLACK],
            pieces: 0,
            missed: [0; PIECES + SLACK],
            longer: [0; PIECES + SLACK],
            unknown: [0; PIECES + SLACK],
            fronts: Vec::new(),
        }
    }
}

impl Batch {
    /// Splits off pieces of `text` from `from`, about `most` of them, and returns their end. A
    /// single very long piece is not recorded as a piece.
    #[inline(always)]
    pub(crate) fn fill<P: Pattern, C: Classify>(
        &mut self,
        text: &[u8],
        from: usize,
        most: usize,
    ) -> usize {
        let most = most.min(PIECES);
        let mut at = from;
        self.pieces = 0;
        while self.pieces < most && at < text.len() {
            if C::USEFUL
                && let Some(window) = text[at..].first_chunk()
                && window[0].is_ascii()
                && window[1].is_ascii()
            {
                if let Some(ahead) = text.get(at + AHEAD) {
                    prefetch(ahead);
                }
                let masks = C::masks(window);
                let found = P::marks(&masks).pieces(&masks);
                self.note(found.whole, (at - from) as u32);
                at += found.rest;
                if !found.scan {
                    continue;
                }
            }
            let end = P::next(text, at);
            if end - at > LONGEST {
                return if self.pieces == 0 { end } else { at };
            }
            self.note(1, (at - from) as u32);
            at = end;
        }
        at
    }

    /// Records a piece for each bit of `whole`, counted from `base`.
    #[inline(always)]
    fn note(&mut self, mut whole: u64, base: u32) {
        let Some(room) = self.starts[self.pieces..].first_chunk_mut::<WINDOW>() else {
            return;
        };
        self.pieces += whole.count_ones() as usize;
        // Write eight at a time without a branch for each; later calls overwrite the excess.
        let mut at = 0;
        while whole != 0 {
            for next in at..at + 8 {
                room[next % WINDOW] = base.wrapping_add(whole.trailing_zeros());
                whole &= whole.wrapping_sub(1);
            }
            at += 8;
        }
    }

    /// Returns the number of pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.pieces.max(1)
    }

    /// Counts the tokens of the pieces, which end at `end` of `text`.
    #[inline(always)]
    pub(crate) fn count(&mut self, model: &Model, text: &[u8], end: usize) -> usize {
        if self.pieces == 0 {
            return piece::count(model, &text[..end]);
        }
        self.starts[self.pieces] = end as u32;
        if self.fronts.len() <= model.number {
            self.fronts.resize_with(model.number + 1, || None);
        }
        model.memo.note_use(end);
        let front = self.fronts[model.number].get_or_insert_with(Front::boxed);
        let mut pass = Pass {
            model,
            text,
            starts: &self.starts,
            unknown: &mut self.unknown,
            unknowns: 0,
            tokens: 0,
        };
        let near = pass.near(self.pieces);
        let missed = pass.front(near, front, &mut self.missed);
        let (short, longer) = pass.part(missed, &mut self.longer);
        pass.short(front, short);
        pass.longer(longer);
        pass.rest(near..self.pieces);
        pass.merge();
        pass.tokens
    }
}

/// Lookup of one batch.
struct Pass<'a> {
    model: &'a Model,
    text: &'a [u8],
    starts: &'a [u32; PIECES + SLACK],
    unknown: &'a mut [u32; PIECES + SLACK],
    unknowns: usize,
    tokens: usize,
}

impl Pass<'_> {
    /// Returns how many of the first `pieces` have at least 16 bytes of text after their start.
    fn near(&self, pieces: usize) -> usize {
        let far = |&&start: &&u32| start as usize + 16 > self.text.len();
        pieces - self.starts[..pieces].iter().rev().take_while(far).count()
    }

    #[inline(always)]
    fn bounds(&self, piece: usize) -> (usize, usize) {
        let start = self.starts[piece] as usize;
        (start, self.starts[piece + 1] as usize - start)
    }

    /// Returns the first `N` bytes from the start of a near piece, which has at least 16 bytes of
    /// text.
    #[inline(always)]
    #[expect(
        unsafe_code,
        reason = "a check for each piece costs a tenth of the time"
    )]
    fn bytes<const N: usize>(&self, start: usize) -> [u8; N] {
        const { assert!(N <= 16) };
        debug_assert!(start + N <= self.text.len());
        // SAFETY: all callers take their pieces from the first `near` ones, whose starts have 16
        // bytes of text after them, and this batch recorded the starts for this text.
        unsafe {
            self.text
                .as_ptr()
                .add(start)
                .cast::<[u8; N]>()
                .read_unaligned()
        }
    }

    #[inline(always)]
    fn short_key(&self, piece: usize) -> ShortKey {
        let (start, length) = self.bounds(piece);
        ShortKey::new(self.bytes(start), length)
    }

    /// Looks all pieces up in the front table and returns the missing ones.
    #[inline(always)]
    fn front<'b>(
        &mut self,
        pieces: usize,
        front: &Front,
        missed: &'b mut [u32; PIECES + SLACK],
    ) -> &'b mut [u32] {
        let (mut more, mut misses, mut start) = (0, 0, 0);
        for (piece, &end) in (0u32..).zip(&self.starts[1..=pieces]) {
            let length = end.wrapping_sub(start) as usize;
            let key = ShortKey::new(self.bytes(start as usize), length);
            let found = front.find(key).if_short(length);
            more += found.more();
            missed[misses] = piece;
            misses += usize::from(!found.is_hit());
            start = end;
        }
        self.tokens += more + pieces - misses;
        &mut missed[..misses]
    }

    /// Moves the short ones of `pieces` to the front and the others to `longer`.
    #[inline(always)]
    fn part<'b>(
        &self,
        pieces: &'b mut [u32],
        longer: &'b mut [u32; PIECES + SLACK],
    ) -> (&'b [u32], &'b [u32]) {
        let (mut shorts, mut longs) = (0, 0);
        for at in 0..pieces.len() {
            let piece = pieces[at];
            let short = self.bounds(piece as usize).1 <= SHORT_MOST;
            pieces[shorts] = piece;
            shorts += usize::from(short);
            longer[longs] = piece;
            longs += usize::from(!short);
        }
        (&pieces[..shorts], &longer[..longs])
    }

    /// Looks short pieces up in the shared table.
    #[inline(always)]
    fn short(&mut self, front: &mut Front, pieces: &[u32]) {
        let (short, reach) = (&self.model.memo.short, self.model.memo.reach());
        for &piece in pieces {
            short.prefetch(self.short_key(piece as usize), reach);
        }
        let (mut tokens, mut unknowns) = (0, self.unknowns);
        for &piece in pieces {
            let key = self.short_key(piece as usize);
            let found = short.find(key, reach);
            front.keep(key, found);
            tokens += select_unpredictable(found.is_hit(), found.count(), 0);
            self.unknown[unknowns] = piece;
            unknowns += usize::from(!found.is_hit());
        }
        self.tokens += tokens;
        self.unknowns = unknowns;
    }

    /// Looks up pieces that are not short.
    #[inline(always)]
    fn longer(&mut self, pieces: &[u32]) {
        let (middle, reach) = (&self.model.memo.middle, self.model.memo.reach());
        for &piece in pieces {
            let (start, length) = self.bounds(piece as usize);
            if length <= MIDDLE_MOST {
                middle.prefetch(MiddleKey::new(self.bytes(start), length), reach);
            } else if let Some(key) = LongKey::from_piece(self.piece(piece as usize), LONG_MOST) {
                self.model.memo.prefetch_long(key, reach);
            }
        }
        let (mut tokens, mut unknowns) = (0, self.unknowns);
        for &piece in pieces {
            let (start, length) = self.bounds(piece as usize);
            let known = if length <= MIDDLE_MOST {
                middle.find(MiddleKey::new(self.bytes(start), length), reach)
            } else {
                piece::find(self.model.memo, &self.text[start..start + length])
            };
            tokens += known.unwrap_or(0);
            self.unknown[unknowns] = piece;
            unknowns += usize::from(known.is_none());
        }
        self.tokens += tokens;
        self.unknowns = unknowns;
    }

    /// Looks up pieces near the end of the text.
    fn rest(&mut self, pieces: Range<usize>) {
        for piece in pieces {
            self.tokens += piece::count(self.model, self.piece(piece));
        }
    }

    #[inline(always)]
    fn piece(&self, piece: usize) -> &[u8] {
        let (start, length) = self.bounds(piece);
        &self.text[start..start + length]
    }

    /// Merges the pieces that no table has: first the many small ones, then the longer ones.
    #[inline(always)]
    fn merge(&mut self) {
        // A piece may be a token that merging cannot produce.
        let most = if self.model.wholes.is_empty() {
            self.merge_lanes::<0, SMALL>();
            self.merge_lanes::<{ SMALL + 1 }, MEDIUM>();
            self.merge_lanes::<{ MEDIUM + 1 }, { bpe::SHORT_MOST }>();
            bpe::SHORT_MOST
        } else {
            0
        };
        for at in 0..self.unknowns {
            let piece = self.piece(self.unknown[at] as usize);
            if piece.len() > most {
                self.tokens += piece::count(self.model, piece);
            }
        }
    }

    /// Merges pieces of `LEAST` to `MOST` bytes.
    #[inline(always)]
    fn merge_lanes<const LEAST: usize, const MOST: usize>(&mut self) {
        let unknown = self.unknown[..self.unknowns].iter();
        let pieces = unknown.map(|&piece| self.piece(piece as usize));
        let pieces = pieces.filter(|piece| (LEAST..=MOST).contains(&piece.len()));
        let mut tokens = 0;
        bpe::lanes::count::<MOST>(&self.model.merges, pieces, |piece, count| {
            piece::keep(self.model.memo, piece, count);
            tokens += count;
        });
        self.tokens += tokens;
    }
}
