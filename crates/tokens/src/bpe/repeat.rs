//! Text that repeats itself, such as megabytes of one character: finds the period of the
//! repetition, so that the same tokens are encoded once.

/// Returns the smallest period in bytes with which all of `text` repeats itself, if it does so at
/// least twice.
#[inline]
pub(crate) fn period(text: &[u8]) -> Option<usize> {
    let period = if text.len() > FEW {
        text.len() - longest_border(text)
    } else {
        first_return(text)?
    };
    let repeats = 2 * period <= text.len() && text[period..] == text[..text.len() - period];
    repeats.then_some(period)
}

/// Maximum length of texts that are searched by trying.
const FEW: usize = 64;

/// Returns the position at which the first bytes of a text occur again.
fn first_return(text: &[u8]) -> Option<usize> {
    // One machine word: shorter probes return by chance, and longer ones miss short periods.
    const PROBE: usize = 8;
    let first = text.first_chunk::<PROBE>()?;
    let mut windows = text[1..].windows(PROBE);
    windows.position(|window| window == first).map(|at| at + 1)
}

/// Returns the length of the longest text that `text` both begins and ends with, except all of it.
/// It uses the result for each prefix of the text.
fn longest_border(text: &[u8]) -> usize {
    let mut borders = vec![0; text.len()];
    let mut border = 0;
    for at in 1..text.len() {
        while border > 0 && text[at] != text[border] {
            border = borders[border - 1];
        }
        border += usize::from(text[at] == text[border]);
        borders[at] = border;
    }
    border
}

/// Returns how many times the first `period` bytes of `text` can be removed so that it still begins
/// with the same `width` bytes.
pub(crate) fn spare(text: &[u8], period: usize, width: usize) -> usize {
    let again = &text[period..];
    let same = common(&text[..again.len()], again);
    (same + period).saturating_sub(width) / period
}

/// Returns the length of the common prefix of two texts of the same length.
fn common(a: &[u8], b: &[u8]) -> usize {
    // Comparing blocks is faster than comparing bytes.
    const STEP: usize = 4096;
    let mut steps = a.chunks(STEP).zip(b.chunks(STEP));
    let whole = steps.position(|(a, b)| a != b);
    let at = whole.map_or(a.len(), |steps| steps * STEP);
    let rest = a[at..].iter().zip(&b[at..]);
    at + rest.take_while(|(a, b)| a == b).take(STEP).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn period_of_repeated_text_is_found() {
        assert_eq!(period(&[b'a'; 64]), Some(1));
        assert_eq!(period(&b"0123456789".repeat(6)), Some(10));
        assert_eq!(period(b"0123456789abcdef0123456789abcdeX"), None);
        assert_eq!(period(b"01234567 01234567-01234567"), None);
        assert_eq!(period(b"short"), None);
        let line = " ".repeat(50) + "\n";
        assert_eq!(period(line.repeat(9).as_bytes()), Some(51));
        assert_eq!(period(line.as_bytes()), None);
        assert_eq!(period((line.repeat(9) + "x").as_bytes()), None);
    }

    #[test]
    fn removing_spare_text_does_not_change_the_window() {
        for (unit, times, tail) in [("ab", 9000, "c"), ("a", 5000, ""), ("abc", 3, "ab")] {
            let text = unit.repeat(times) + tail;
            for width in [1, 3, 8, text.len()] {
                let dropped = unit.len() * spare(text.as_bytes(), unit.len(), width);
                assert_eq!(text[dropped..][..width], text[..width]);
                let more = dropped + unit.len();
                assert_ne!(text.get(more..more + width), Some(&text[..width]));
            }
        }
    }
}
