//! Finds the starts of pieces in 64 bytes at a time. A window begins at the start of a piece, so
//! that no state is carried from one to the next. Patterns return the starts of simple pieces, and
//! the positions that are not simple; there the window ends, and the pattern's own scanner splits
//! off one piece.

/// Bytes of a window.
pub(crate) const WINDOW: usize = 64;

/// For each class of bytes, one bit for each byte of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Masks {
    /// Part of a character beyond ASCII.
    pub(crate) wide: u64,
    pub(crate) upper: u64,
    pub(crate) lower: u64,
    pub(crate) digit: u64,
    /// The space.
    pub(crate) space: u64,
    /// Other white space that is not a newline: tabs and form feeds.
    pub(crate) blank: u64,
    /// Carriage return and line feed.
    pub(crate) newline: u64,
    /// The apostrophe.
    pub(crate) quote: u64,
    pub(crate) slash: u64,
    /// Control characters that are not white space.
    pub(crate) control: u64,
}

impl Masks {
    /// Returns the letters.
    #[inline(always)]
    pub(crate) fn word(&self) -> u64 {
        self.upper | self.lower
    }

    /// Returns white space without newlines.
    #[inline(always)]
    pub(crate) fn indent(&self) -> u64 {
        self.space | self.blank
    }

    /// Returns all white space.
    #[inline(always)]
    pub(crate) fn white(&self) -> u64 {
        self.indent() | self.newline
    }

    /// Returns all other bytes: punctuation and control characters.
    #[inline(always)]
    pub(crate) fn other(&self) -> u64 {
        !(self.wide | self.word() | self.digit | self.white())
    }

    /// Returns the first digits of groups of three.
    #[inline(always)]
    pub(crate) fn thirds(&self) -> u64 {
        let digit = self.digit;
        let first = digit & !(digit << 1);
        let fourth = digit & digit << 1 & digit << 2 & digit << 3;
        let (mut starts, mut group) = (first, first << 3 & fourth);
        while group != 0 {
            starts |= group;
            group = group << 3 & fourth;
        }
        starts
    }

    /// Returns the first byte of an indent between two newlines.
    #[inline(always)]
    pub(crate) fn blank_lines(&self) -> u64 {
        let first = self.indent() & self.newline << 1;
        let behind = self.indent().wrapping_add(first) & !self.indent();
        if behind & self.newline != 0 { first } else { 0 }
    }
}

/// Result of a pattern for a window.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    /// Starts of pieces, up to the first stop or character beyond ASCII.
    pub(crate) starts: u64,
    /// Positions that the masks cannot decide.
    pub(crate) stops: u64,
}

/// Pieces of a window.
pub(crate) struct Pieces {
    /// Starts of the pieces that also end in the window.
    pub(crate) whole: u64,
    /// Start of the first other piece.
    pub(crate) rest: usize,
    /// True if the scanner has to split off that one.
    pub(crate) scan: bool,
}

impl Marks {
    /// Returns the pieces that are certain. The masks end at the window's end or before the first
    /// character beyond ASCII. White space there may continue, so that only its first byte is
    /// certainly the start of a piece, and the last byte may precede something special.
    #[inline(always)]
    pub(crate) fn pieces(self, masks: &Masks) -> Pieces {
        let end = masks.wide.trailing_zeros();
        let white = masks.white() << ((WINDOW as u32 - end) % 64);
        let certain = (end.saturating_sub(1))
            .min((end + 1).saturating_sub(white.leading_ones()))
            .min(self.stops.trailing_zeros());
        let starts = self.starts & !(u64::MAX << certain) | 1;
        let rest = 63 - starts.leading_zeros();
        Pieces {
            whole: starts ^ 1 << rest,
            rest: rest as usize,
            scan: self.stops | masks.wide != 0 || rest == 0,
        }
    }
}

/// Classifier that computes the masks of a window.
pub(crate) trait Classify {
    /// True if windows are faster than scanners with it.
    const USEFUL: bool;

    /// Returns the masks of `window`.
    fn masks(window: &[u8; WINDOW]) -> Masks;
}

/// Portable classifier, one byte after the other. It is not faster than the scanners; it exists for
/// comparisons with the others.
pub(crate) struct Scalar;

impl Classify for Scalar {
    const USEFUL: bool = false;

    fn masks(window: &[u8; WINDOW]) -> Masks {
        let mask = |is: fn(u8) -> bool| {
            let bits = window.iter().enumerate();
            bits.fold(0, |mask, (at, &byte)| mask | u64::from(is(byte)) << at)
        };
        Masks {
            wide: mask(|byte| !byte.is_ascii()),
            upper: mask(|byte| byte.is_ascii_uppercase()),
            lower: mask(|byte| byte.is_ascii_lowercase()),
            digit: mask(|byte| byte.is_ascii_digit()),
            space: mask(|byte| byte == b' '),
            blank: mask(|byte| matches!(byte, b'\t' | 0x0B | 0x0C)),
            newline: mask(|byte| matches!(byte, b'\r' | b'\n')),
            quote: mask(|byte| byte == b'\''),
            slash: mask(|byte| byte == b'/'),
            control: mask(|byte| byte.is_ascii_control() && !matches!(byte, b'\t'..=b'\r')),
        }
    }
}
