//! A map keyed by the first three bytes of patterns, which rejects most positions of a text with
//! one lookup.

/// The first three bytes of a pattern.
pub(super) type Begin = [u8; 3];

/// A map from the first three bytes to values.
pub(super) struct Begins<T> {
    /// A bit per hash of three bytes: most positions need only this lookup.
    bits: Vec<u64>,
    pub(super) list: Vec<(u32, T)>,
}

impl<T> Begins<T> {
    pub(super) fn new() -> Self {
        Self {
            bits: vec![0; 1024],
            list: Vec::with_capacity(1500),
        }
    }

    pub(super) fn add(&mut self, begin: Begin, thing: T) {
        let bit = Self::bit(begin);
        self.bits[bit / 64] |= 1 << (bit % 64);
        self.list.push((number(begin), thing));
    }

    /// Sorts the entries. Call it after the last `add`.
    pub(super) fn sort(&mut self) {
        self.list.sort_by_key(|(begin, _)| *begin);
    }

    fn bit(begin: Begin) -> usize {
        (number(begin).wrapping_mul(0x9e37_79b1) >> 16) as usize
    }

    pub(super) fn may_have(&self, begin: Begin) -> bool {
        let bit = Self::bit(begin);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    pub(super) fn of(&self, begin: Begin) -> impl Iterator<Item = &T> {
        let begin = number(begin);
        let from = self.list.partition_point(|(other, _)| *other < begin);
        let same = self.list[from..]
            .iter()
            .take_while(move |(other, _)| *other == begin);
        same.map(|(_, thing)| thing)
    }
}

fn number([a, b, c]: Begin) -> u32 {
    u32::from_be_bytes([0, a, b, c])
}

/// Returns the three bytes at `at`, padded with zeros at the end of the text.
pub(super) fn begin_at(bytes: &[u8], at: usize) -> Begin {
    match bytes.get(at..at + 3) {
        Some(&[a, b, c]) => [a, b, c],
        _ => [0; 3],
    }
}

/// Maps capitals to lower case.
pub(super) fn folded(begin: Begin) -> Begin {
    begin.map(|byte| byte | 0x20)
}
