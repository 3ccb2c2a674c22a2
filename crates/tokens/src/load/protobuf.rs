//! Messages of Protocol Buffers, limited to the needs of a SentencePiece model. The callers know
//! the meaning of fields.

/// Field of a message: its number and its value.
pub(crate) struct Field<'a> {
    pub(crate) number: u64,
    pub(crate) value: Value<'a>,
}

/// Value of a field.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Four([u8; 4]),
    Eight,
}

impl<'a> Value<'a> {
    pub(crate) fn number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(crate) fn bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    pub(crate) fn float(self) -> Option<f32> {
        match self {
            Self::Four(bytes) => Some(f32::from_le_bytes(bytes)),
            _ => None,
        }
    }
}

/// Returns the fields of `message` in order; the last one is `None` if the message is damaged.
pub(crate) fn fields(mut message: &[u8]) -> impl Iterator<Item = Option<Field<'_>>> {
    std::iter::from_fn(move || {
        if message.is_empty() {
            return None;
        }
        match field(message) {
            Some((field, rest)) => {
                message = rest;
                Some(Some(field))
            }
            None => {
                message = &[];
                Some(None)
            }
        }
    })
}

fn field(message: &[u8]) -> Option<(Field<'_>, &[u8])> {
    let (tag, behind) = varint(message)?;
    let (value, rest) = match tag & 7 {
        0 => {
            let (number, rest) = varint(behind)?;
            (Value::Number(number), rest)
        }
        1 => (Value::Eight, behind.split_at_checked(8)?.1),
        2 => {
            let (length, behind) = varint(behind)?;
            let (bytes, rest) = behind.split_at_checked(usize::try_from(length).ok()?)?;
            (Value::Bytes(bytes), rest)
        }
        5 => {
            let (bytes, rest) = behind.split_first_chunk()?;
            (Value::Four(*bytes), rest)
        }
        _ => return None,
    };
    let number = tag >> 3;
    // Field numbers start at 1.
    (number > 0).then_some((Field { number, value }, rest))
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    // A negative number takes ten bytes, of which the last adds one bit.
    for (at, &byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7F) << (7 * at).min(63);
        if byte < 0x80 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}
