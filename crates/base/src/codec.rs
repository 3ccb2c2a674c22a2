//! Small binary values: numbers of few bytes, and texts. Reading never fails loudly:
//! what is not there is `None`.

use crate::{ByteSpan, LineSpan};

/// Writes a value.
#[derive(Clone, Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Nothing so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was written.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    /// A number; small ones take one byte.
    pub fn number(&mut self, mut number: u64) -> &mut Self {
        while number >= 128 {
            self.0.push(low_bits(number) | 128);
            number >>= 7;
        }
        self.0.push(low_bits(number));
        self
    }

    /// A size or a place.
    pub fn size(&mut self, size: usize) -> &mut Self {
        self.number(size as u64)
    }

    /// A size that may not be there.
    pub fn optional(&mut self, size: Option<usize>) -> &mut Self {
        self.number(size.map_or(0, |size| size as u64 + 1))
    }

    /// Yes or no.
    pub fn flag(&mut self, flag: bool) -> &mut Self {
        self.0.push(u8::from(flag));
        self
    }

    /// A text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.size(text.len());
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// Bytes of any kind.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.size(bytes.len());
        self.0.extend_from_slice(bytes);
        self
    }

    /// Many numbers, four bytes each: they are written and read all at once.
    pub fn numbers(&mut self, numbers: &[u32]) -> &mut Self {
        self.size(numbers.len());
        self.0
            .extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self
    }

    /// A text that may not be there.
    pub fn optional_text(&mut self, text: Option<&str>) -> &mut Self {
        self.flag(text.is_some());
        if let Some(text) = text {
            self.text(text);
        }
        self
    }

    /// Texts, and how many.
    pub fn texts(&mut self, texts: &[String]) -> &mut Self {
        self.size(texts.len());
        for text in texts {
            self.text(text);
        }
        self
    }

    /// A span of bytes.
    pub fn span(&mut self, span: ByteSpan) -> &mut Self {
        self.size(span.start)
            .size(span.end.wrapping_sub(span.start))
    }

    /// A span of lines.
    pub fn lines(&mut self, lines: LineSpan) -> &mut Self {
        let more = lines.last.wrapping_sub(lines.first);
        self.size(lines.first).size(more)
    }
}

/// The lowest seven bits.
fn low_bits(number: u64) -> u8 {
    number.to_le_bytes()[0] & 127
}

/// Reads what a [`Writer`] wrote.
#[derive(Clone, Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether all was read.
    pub fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 127);
            if bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// A size or a place.
    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// A size that may not be there.
    pub fn optional(&mut self) -> Option<Option<usize>> {
        Some(match self.number()? {
            0 => None,
            more => Some(usize::try_from(more - 1).ok()?),
        })
    }

    /// How many things follow, of which each takes at least one byte.
    pub fn count(&mut self) -> Option<usize> {
        self.size().filter(|count| *count <= self.0.len())
    }

    /// Yes or no.
    pub fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Bytes of any kind.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let size = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        Some(bytes)
    }

    /// A text.
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Many numbers, written at once.
    pub fn numbers(&mut self) -> Option<Vec<u32>> {
        let size = usize::try_from(self.number()?).ok()?.checked_mul(4)?;
        let (numbers, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        let (numbers, _) = numbers.as_chunks::<4>();
        Some(
            numbers
                .iter()
                .map(|four| u32::from_le_bytes(*four))
                .collect(),
        )
    }

    /// A text that may not be there.
    pub fn optional_text(&mut self) -> Option<Option<&'a str>> {
        match self.flag()? {
            true => self.text().map(Some),
            false => Some(None),
        }
    }

    /// Things, after how many there are. `one` reads one of them.
    pub fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        (0..count).map(|_| one(self)).collect()
    }

    /// Texts.
    pub fn texts(&mut self) -> Option<Vec<String>> {
        self.many(|from| from.text().map(str::to_owned))
    }

    /// A span of bytes.
    pub fn span(&mut self) -> Option<ByteSpan> {
        let start = self.size()?;
        let end = start.checked_add(self.size()?)?;
        Some(ByteSpan::new(start, end))
    }

    /// A span of lines.
    pub fn lines(&mut self) -> Option<LineSpan> {
        let first = self.size()?;
        let last = first.checked_add(self.size()?)?;
        Some(LineSpan::new(first, last))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(number: u64, size: Option<u32>, text: String, flag: bool, many: Vec<u32>) {
            let size = size.map(|size| size as usize);
            let mut writer = Writer::new();
            writer.number(number).optional(size).text(&text).flag(flag);
            writer.optional_text(flag.then_some(text.as_str())).numbers(&many);
            let bytes = writer.finish();
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.number(), Some(number));
            prop_assert_eq!(reader.optional(), Some(size));
            prop_assert_eq!(reader.text(), Some(text.as_str()));
            prop_assert_eq!(reader.flag(), Some(flag));
            prop_assert_eq!(reader.optional_text(), Some(flag.then_some(text.as_str())));
            prop_assert_eq!(reader.numbers(), Some(many));
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let mut reader = Reader::new(&bytes);
            while reader.number().is_some() {}
            let mut reader = Reader::new(&bytes);
            while reader.text().is_some() {}
            let mut reader = Reader::new(&bytes);
            while reader.optional_text().is_some() {}
            let mut reader = Reader::new(&bytes);
            while reader.numbers().is_some() {}
        }
    }
}
