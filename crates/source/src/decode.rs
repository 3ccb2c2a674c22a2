//! Decodes the bytes of a file to text. Reports the encoding and any loss next to the text.

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// Number of bytes at the start of a file that decide whether it is binary; the same as git's.
pub(crate) const HEAD: usize = 8000;

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// Encoding of the bytes.
    pub encoding: Encoding,
    /// Number of sequences that could not be decoded and became U+FFFD.
    pub replaced: usize,
}

impl From<String> for Decoded {
    /// A text that was never in another encoding.
    fn from(text: String) -> Self {
        Self {
            text,
            encoding: Encoding::UTF_8,
            replaced: 0,
        }
    }
}

/// The encoding of a file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Lower-case name as in the web's encoding standard; `utf-8` for most files.
    pub name: &'static str,
    /// True if the file starts with a byte order mark.
    pub bom: bool,
}

impl Encoding {
    const UTF_8: Self = Self {
        name: "utf-8",
        bom: false,
    };

    /// Returns true if the bytes equal the text: UTF-8 without a byte order mark.
    pub fn is_plain(self) -> bool {
        self == Self::UTF_8
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            self.name,
            if self.bom { " with BOM" } else { "" }
        )
    }
}

/// The bytes are not text in any known encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the contents are binary")]
pub struct NotText;

/// Decodes the whole contents of a file.
///
/// # Errors
/// [`NotText`] if the contents are binary.
pub fn decode(bytes: Vec<u8>) -> Result<Decoded, NotText> {
    if let Some(decoded) = by_byte_order_mark(&bytes) {
        return decoded;
    }
    if looks_binary(&bytes) {
        return utf16_without_mark(&bytes).ok_or(NotText);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Decoded {
            text,
            encoding: Encoding::UTF_8,
            replaced: 0,
        }),
        Err(error) => not_utf8(&error.into_bytes()),
    }
}

/// Returns true if the start of a file already shows that it is binary, so that the rest need not
/// be read.
pub(crate) fn head_is_binary(head: &[u8]) -> bool {
    !has_byte_order_mark(head) && looks_binary(head) && utf16_layout(head).is_none()
}

fn has_byte_order_mark(bytes: &[u8]) -> bool {
    encoding_rs::Encoding::for_bom(bytes).is_some() || bytes.starts_with(&[0, 0, 0xfe, 0xff])
}

fn by_byte_order_mark(bytes: &[u8]) -> Option<Result<Decoded, NotText>> {
    if let [0xff, 0xfe, 0, 0, rest @ ..] = bytes {
        return Some(plausible(utf32(rest, "utf-32le", u32::from_le_bytes)));
    }
    if let [0, 0, 0xfe, 0xff, rest @ ..] = bytes {
        return Some(plausible(utf32(rest, "utf-32be", u32::from_be_bytes)));
    }
    let (encoding, length) = encoding_rs::Encoding::for_bom(bytes)?;
    let mut decoded = with(encoding, &bytes[length..]);
    decoded.encoding.bom = true;
    Some(plausible(decoded))
}

/// Rejects binary data that starts with a byte order mark by chance: it has many invalid sequences
/// or control characters.
fn plausible(decoded: Decoded) -> Result<Decoded, NotText> {
    let head: String = decoded.text.chars().take(HEAD).collect();
    let broken = head.matches(char::REPLACEMENT_CHARACTER).count();
    let is_data = broken * 100 > head.chars().count() && broken > 1;
    if is_data || too_many_controls(head.as_bytes()) {
        Err(NotText)
    } else {
        Ok(decoded)
    }
}

fn utf32(bytes: &[u8], name: &'static str, read: fn([u8; 4]) -> u32) -> Decoded {
    let units = bytes.chunks(4).map(|unit| {
        unit.try_into()
            .ok()
            .and_then(|unit| char::from_u32(read(unit)))
    });
    let mut replaced = 0;
    let text = units
        .map(|c| {
            c.unwrap_or_else(|| {
                replaced += 1;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    Decoded {
        text,
        encoding: Encoding { name, bom: true },
        replaced,
    }
}

fn with(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Decoded {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    let replaced = if had_errors {
        text.matches(char::REPLACEMENT_CHARACTER).count()
    } else {
        0
    };
    Decoded {
        text: text.into_owned(),
        encoding: Encoding {
            name: lower_name(encoding),
            bom: false,
        },
        replaced,
    }
}

fn lower_name(encoding: &'static encoding_rs::Encoding) -> &'static str {
    const LOWER: [(&str, &str); 8] = [
        ("UTF-8", "utf-8"),
        ("UTF-16LE", "utf-16le"),
        ("UTF-16BE", "utf-16be"),
        ("Shift_JIS", "shift_jis"),
        ("EUC-JP", "euc-jp"),
        ("EUC-KR", "euc-kr"),
        ("GBK", "gbk"),
        ("Big5", "big5"),
    ];
    let name = encoding.name();
    LOWER
        .iter()
        .find(|(upper, _)| *upper == name)
        .map_or(name, |(_, lower)| lower)
}

/// Returns true for a NUL near the start, a known signature, or too many control bytes.
fn looks_binary(bytes: &[u8]) -> bool {
    const SIGNATURES: [&[u8]; 12] = [
        b"%PDF-",
        b"\x89PNG",
        b"GIF8",
        b"\xff\xd8\xff",
        b"PK\x03\x04",
        b"\x1f\x8b",
        b"BZh",
        b"\xfd7zXZ",
        b"\x7fELF",
        b"\xca\xfe\xba\xbe",
        b"\x28\xb5\x2f\xfd",
        b"Rar!",
    ];
    let head = &bytes[..bytes.len().min(HEAD)];
    memchr::memchr(0, head).is_some()
        || SIGNATURES
            .iter()
            .any(|signature| head.starts_with(signature))
        || too_many_controls(head)
}

/// Returns true if there are too many control bytes. Text has almost none; in compressed or random
/// data, one byte in nine is one.
fn too_many_controls(head: &[u8]) -> bool {
    let is_control = |&&byte: &&u8| {
        byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x08 | 0x1b) || byte == 0x7f
    };
    head.iter().filter(is_control).count() * 20 > head.len()
}

/// Detects UTF-16: nearly all NULs of such a text are on one side of each pair.
fn utf16_layout(head: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let pairs = head.len() / 2;
    if pairs < 2 {
        return None;
    }
    let zeros = |offset: usize| {
        head[offset..]
            .iter()
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    match (even * 10 / pairs, odd * 10 / pairs) {
        (0, 4..) => Some(encoding_rs::UTF_16LE),
        (4.., 0) => Some(encoding_rs::UTF_16BE),
        _ => None,
    }
}

fn utf16_without_mark(bytes: &[u8]) -> Option<Decoded> {
    let encoding = utf16_layout(&bytes[..bytes.len().min(HEAD)])?;
    let decoded = with(encoding, bytes);
    let plausible = decoded.replaced == 0 && !too_many_controls(decoded.text.as_bytes());
    plausible.then_some(decoded)
}

/// Decodes bytes that are not valid UTF-8: UTF-8 with a few broken sequences, or a legacy encoding.
fn not_utf8(bytes: &[u8]) -> Result<Decoded, NotText> {
    let (mut wide, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        wide += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if broken == 1 && is_cut_at_the_end(bytes) || wide >= 2 * broken {
        return Ok(with(encoding_rs::UTF_8, bytes));
    }
    if let Some(decoded) = japanese(bytes) {
        return Ok(decoded);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    Ok(with(detector.guess(None, Utf8Detection::Deny), bytes))
}

/// Detects Japanese by its kana, which the general detector mistakes for Cyrillic in a short text.
/// The first bytes of kana are rare in every other encoding.
fn japanese(bytes: &[u8]) -> Option<Decoded> {
    let candidates = [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP];
    let mut decoded = candidates.iter().map(|encoding| with(encoding, bytes));
    decoded.find(|decoded| decoded.replaced == 0 && has_many_kana(&decoded.text))
}

/// Returns true if at least a third of the non-ASCII characters are kana; a sentence has more than
/// half.
fn has_many_kana(text: &str) -> bool {
    // Fewer characters can be kana by chance in another encoding.
    const FEWEST: usize = 3;
    let wide = text.chars().filter(|c| !c.is_ascii());
    let is_kana = |c: &char| matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fc}');
    let (wide, kana) = (wide.clone().count(), wide.filter(is_kana).count());
    kana >= FEWEST && kana * 3 >= wide
}

/// Returns true if everything is valid UTF-8 except a truncated last character.
fn is_cut_at_the_end(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(bytes: &[u8], text: &str, encoding: &str, replaced: usize) {
        let decoded = decode(bytes.to_vec()).unwrap();
        assert_eq!(decoded.text, text);
        assert_eq!(decoded.encoding.to_string(), encoding);
        assert_eq!(decoded.replaced, replaced);
    }

    #[test]
    fn known_encodings() {
        check(b"", "", "utf-8", 0);
        check("naïve\r\n".as_bytes(), "naïve\r\n", "utf-8", 0);
        check(b"\xef\xbb\xbfx", "x", "utf-8 with BOM", 0);
        check(b"\xff\xfeh\0i\0", "hi", "utf-16le with BOM", 0);
        check(b"\xfe\xff\0h\0i", "hi", "utf-16be with BOM", 0);
        check(b"h\0e\0l\0l\0o\0", "hello", "utf-16le", 0);
        check(b"\xff\xfe\0\0h\0\0\0", "h", "utf-32le with BOM", 0);
        check(
            b"caf\xe9 d\xe9j\xe0 vu\n",
            "café déjà vu\n",
            "windows-1252",
            0,
        );
        let japanese = "これは日本語の文章です。\n";
        let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode(japanese);
        check(&bytes, japanese, "shift_jis", 0);
        for short in ["これは日本語です。\n", "// テスト\n"] {
            let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode(short);
            check(&bytes, short, "shift_jis", 0);
            let (bytes, _, _) = encoding_rs::EUC_JP.encode(short);
            check(&bytes, short, "euc-jp", 0);
        }
        for russian in ["Это русский текст\n", "ВСЕ ГОРОДА ВСТРЕЧАЮТ ВАС\n"]
        {
            let (bytes, _, _) = encoding_rs::IBM866.encode(russian);
            assert_eq!(decode(bytes.into_owned()).unwrap().text, russian);
            let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(russian);
            assert_eq!(decode(bytes.into_owned()).unwrap().text, russian);
        }
    }

    #[test]
    fn broken_utf8_is_decoded_and_counted() {
        check(
            "ok é".as_bytes().split_last().unwrap().1,
            "ok \u{fffd}",
            "utf-8",
            1,
        );
        check(
            "ééééé\u{20ac}x"
                .replace('x', "\u{0}")
                .replace('\u{0}', "")
                .as_bytes(),
            "ééééé€",
            "utf-8",
            0,
        );
        check(
            b"caf\xc3\xa9 caf\xc3\xa9 \xff",
            "café café \u{fffd}",
            "utf-8",
            1,
        );
        check(
            b"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 \xff end",
            "ééééé \u{fffd} end",
            "utf-8",
            1,
        );
    }

    #[test]
    fn nul_decides_only_near_the_start() {
        let mut late = vec![b'a'; HEAD];
        late.push(0);
        assert_eq!(decode(late).unwrap().text.len(), HEAD + 1);
        for binary in [
            &b"\0"[..],
            b"abc\0def",
            b"%PDF-1.7\n",
            b"\x89PNG\r\n",
            &[1, 2, 3, 4, 5, 6],
        ] {
            assert_eq!(decode(binary.to_vec()), Err(NotText));
            assert!(head_is_binary(binary));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded_or_binary(bytes: Vec<u8>) {
            let _ = decode(bytes);
        }

        #[test]
        fn utf8_text_stays_unchanged(text in "[^\u{0}-\u{8}\u{b}-\u{1f}\u{7f}\u{feff}]{0,64}") {
            prop_assume!(!looks_binary(text.as_bytes()));
            prop_assert_eq!(decode(text.clone().into_bytes()).unwrap().text, text);
        }
    }
}
