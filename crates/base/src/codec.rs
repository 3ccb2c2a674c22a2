//! A compact binary encoding for small values: variable-length numbers, texts and bytes. A reader
//! returns `None` for malformed input instead of failing.

use crate::{ByteSpan, LineSpan};

/// Encoder that appends values to a buffer.
#[derive(Clone, Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Creates an empty writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the encoded bytes.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    /// Writes a number in groups of seven bits; a number below 128 takes one byte.
    pub fn number(&mut self, mut number: u64) -> &mut Self {
        while number >= 128 {
            self.0.push(low_bits(number) | 128);
            number >>= 7;
        }
        self.0.push(low_bits(number));
        self
    }

    /// Writes a size or a position.
    pub fn size(&mut self, size: usize) -> &mut Self {
        self.number(size as u64)
    }

    /// Writes an optional size.
    pub fn optional(&mut self, size: Option<usize>) -> &mut Self {
        self.number(size.map_or(0, |size| size as u64 + 1))
    }

    /// Writes a boolean.
    pub fn flag(&mut self, flag: bool) -> &mut Self {
        self.0.push(u8::from(flag));
        self
    }

    /// Writes a text with its length in bytes.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.size(text.len());
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// Writes bytes with their length.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.size(bytes.len());
        self.0.extend_from_slice(bytes);
        self
    }

    /// Writes a list of numbers with a fixed width of four bytes each, so that both sides copy the
    /// list in one step.
    pub fn numbers(&mut self, numbers: &[u32]) -> &mut Self {
        self.size(numbers.len());
        self.0
            .extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self
    }

    /// Writes an optional text.
    pub fn optional_text(&mut self, text: Option<&str>) -> &mut Self {
        self.flag(text.is_some());
        if let Some(text) = text {
            self.text(text);
        }
        self
    }

    /// Writes a list of texts with their number.
    pub fn texts(&mut self, texts: &[String]) -> &mut Self {
        self.size(texts.len());
        for text in texts {
            self.text(text);
        }
        self
    }

    /// Writes a span of bytes.
    pub fn span(&mut self, span: ByteSpan) -> &mut Self {
        self.size(span.start)
            .size(span.end.wrapping_sub(span.start))
    }

    /// Writes a span of lines.
    pub fn lines(&mut self, lines: LineSpan) -> &mut Self {
        let more = lines.last.wrapping_sub(lines.first);
        self.size(lines.first).size(more)
    }
}

/// Returns the lowest seven bits.
fn low_bits(number: u64) -> u8 {
    number.to_le_bytes()[0] & 127
}

/// Decoder for the bytes of a [`Writer`].
#[derive(Clone, Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Creates a reader of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns whether all bytes are read.
    pub fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// Reads a number.
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

    /// Reads a size or a position.
    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// Reads an optional size.
    pub fn optional(&mut self) -> Option<Option<usize>> {
        Some(match self.number()? {
            0 => None,
            more => Some(usize::try_from(more - 1).ok()?),
        })
    }

    /// Reads a number of items, each of which takes at least one byte. Returns `None` for a number
    /// above the bytes that remain, so a damaged count cannot cause a huge allocation.
    pub fn count(&mut self) -> Option<usize> {
        self.size().filter(|count| *count <= self.0.len())
    }

    /// Reads a boolean.
    pub fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Reads bytes with their length.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let size = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        Some(bytes)
    }

    /// Reads a text with its length.
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Reads a list of numbers that [`Writer::numbers`] wrote.
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

    /// Reads an optional text.
    pub fn optional_text(&mut self) -> Option<Option<&'a str>> {
        match self.flag()? {
            true => self.text().map(Some),
            false => Some(None),
        }
    }

    /// Reads a list with its number of items. `one` reads one item.
    pub fn many<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        (0..count).map(|_| one(self)).collect()
    }

    /// Reads a list of texts.
    pub fn texts(&mut self) -> Option<Vec<String>> {
        self.many(|from| from.text().map(str::to_owned))
    }

    /// Reads a span of bytes.
    pub fn span(&mut self) -> Option<ByteSpan> {
        let start = self.size()?;
        let end = start.checked_add(self.size()?)?;
        Some(ByteSpan::new(start, end))
    }

    /// Reads a span of lines.
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
        fn written_values_read_back(number: u64, size: Option<u32>, text: String, flag: bool, many: Vec<u32>) {
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
        fn any_bytes_are_read_or_rejected(bytes: Vec<u8>) {
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
