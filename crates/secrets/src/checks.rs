//! Validity checks of some formats: checksums, and parts that decode.

/// A check that a format in the data requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// The last six characters are the CRC-32 of those between the prefix's last
    /// `_` and them, in base 62.
    Github,
    /// Two parts that are JSON in base64url, and a signature.
    Jwt,
    /// The last seven characters are the CRC-32 of all before them, in base 36.
    Gitlab,
    /// Base32 whose last two bytes are the CRC-16 of those before, low byte first.
    Nkey,
    /// The last eight characters are the CRC-32 of all before them, in hexadecimal.
    Atlassian,
}

impl Check {
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "github" => Some(Self::Github),
            "jwt" => Some(Self::Jwt),
            "gitlab" => Some(Self::Gitlab),
            "nkey" => Some(Self::Nkey),
            "atlassian" => Some(Self::Atlassian),
            _ => None,
        }
    }

    /// Returns true if a token of this format can be real.
    pub(crate) fn passes(self, token: &[u8]) -> bool {
        match self {
            Self::Github => github(token),
            Self::Jwt => jwt(token),
            Self::Gitlab => gitlab(token),
            Self::Nkey => nkey(token),
            Self::Atlassian => atlassian(token),
        }
    }
}

fn github(token: &[u8]) -> bool {
    let Some(prefix) = memchr::memchr(b'_', token) else {
        return false;
    };
    let body = &token[prefix + 1..];
    let Some((random, sum)) = body.split_last_chunk::<6>() else {
        return false;
    };
    base62(sum) == Some(u64::from(crc32(random)))
}

fn gitlab(token: &[u8]) -> bool {
    let Some((body, sum)) = token.split_last_chunk::<7>() else {
        return false;
    };
    let sum = std::str::from_utf8(sum).ok();
    let sum = sum.and_then(|sum| u64::from_str_radix(sum, 36).ok());
    sum == Some(u64::from(crc32(body)))
}

fn nkey(token: &[u8]) -> bool {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'2'..=b'7' => Some(u32::from(byte - b'2' + 26)),
        _ => None,
    };
    let (mut held, mut bits, mut bytes) = (0u32, 0, Vec::new());
    for byte in token {
        let Some(value) = value(*byte) else {
            return false;
        };
        held = held << 5 | value;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    let Some((body, sum)) = bytes.split_last_chunk::<2>() else {
        return false;
    };
    crc16(body) == u16::from_le_bytes(*sum)
}

/// Computes CRC-16 with the polynomial 0x1021 and the initial value 0.
fn crc16(bytes: &[u8]) -> u16 {
    let step = |crc: u16, byte: &u8| {
        let mut crc = crc ^ u16::from(*byte) << 8;
        for _ in 0..8 {
            let over = crc & 0x8000 != 0;
            crc = crc << 1 ^ if over { 0x1021 } else { 0 };
        }
        crc
    };
    bytes.iter().fold(0, step)
}

fn base62(digits: &[u8]) -> Option<u64> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'Z' => Some(byte - b'A' + 10),
        b'a'..=b'z' => Some(byte - b'a' + 36),
        _ => None,
    };
    digits
        .iter()
        .try_fold(0u64, |sum, byte| Some(sum * 62 + u64::from(digit(*byte)?)))
}

fn atlassian(token: &[u8]) -> bool {
    let Some((body, sum)) = token.split_last_chunk::<8>() else {
        return false;
    };
    let sum = std::str::from_utf8(sum).ok();
    let sum = sum.and_then(|sum| u32::from_str_radix(sum, 16).ok());
    sum == Some(crc32(body))
}

fn jwt(token: &[u8]) -> bool {
    let mut parts = token.split(|byte| *byte == b'.');
    let is_json = |part: Option<&[u8]>| {
        let text = part
            .and_then(decode)
            .and_then(|text| String::from_utf8(text).ok());
        let text = text.as_deref().map(str::trim).unwrap_or_default();
        text.starts_with("{\"") && text.ends_with('}')
    };
    is_json(parts.next()) && is_json(parts.next())
}

/// Encodes `bytes` as standard base64 with padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let at = |place: usize| u32::from(three.get(place).copied().unwrap_or_default());
        let held = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let sign = ALPHABET[(held >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= three.len() {
                char::from(sign)
            } else {
                '='
            });
        }
    }
    out
}

/// Decodes the first bytes of base64 in either alphabet.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let text = text.trim_ascii_end();
    let text = text
        .strip_suffix(b"==")
        .or_else(|| text.strip_suffix(b"="))
        .unwrap_or(text);
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut bits) = (0u32, 0);
    for byte in text {
        held = held << 6 | u32::from(value(*byte)?);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    Some(out)
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        let mut crc = crc ^ u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
        crc
    };
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc16(b"123456789"), 0x31c3);
        assert_eq!(decode(b"aGk="), Some(b"hi".to_vec()));
        assert_eq!(decode(b"a*"), None);
        assert!(Check::Jwt.passes(b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"));
        assert!(!Check::Jwt.passes(b"eyJhbGciOiJIUzI1NiJ9.abcdefgh.c2ln"));
        assert!(!Check::Jwt.passes(b"eyJVFlhJTVjnkkeI9.eyJ_XTkZO8Vqk.MTPeTUbIQN"));
    }
}
