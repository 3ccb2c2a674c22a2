//! The kind of content of a part of a text. A line of Latin letters is prose, code, data or
//! figures; characters of other scripts, symbols and emoji are classified one by one, anywhere in a
//! line. `factors` has the cost of each class.

/// Kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Sentences in Latin letters.
    Prose,
    /// Code whose lines end with braces, semicolons and commas.
    Braces,
    /// Code in languages without them: Python, Ruby, shells.
    Indented,
    /// Markup, lists, tables, keys with values, URLs.
    Data,
    /// Numbers, hexadecimal digits, dates.
    Figures,
    /// Chinese characters.
    Han,
    /// Japanese syllables.
    Kana,
    /// Korean syllables.
    Hangul,
    /// Letters and digits of all other scripts.
    Script,
    /// Emoji, with their joiners.
    Emoji,
    /// Other characters beyond ASCII.
    Symbol,
}

impl Class {
    /// Number of classes.
    pub(crate) const COUNT: usize = 11;

    /// Returns whether the class is measured in tokens of `o200k_base`; otherwise it is measured in
    /// characters.
    pub(crate) fn is_latin(self) -> bool {
        (self as usize) < Self::Han as usize
    }
}

/// Calls `emit` with stretches of one class each, in order. White space next to other scripts is
/// part of none.
pub(crate) fn stretches<'a>(text: &'a str, mut emit: impl FnMut(Class, &'a str)) {
    let (mut start, mut current) = (0, Class::Prose);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let class = line_class(line.as_bytes()).unwrap_or(current);
        if class != current || !line.is_ascii() {
            flush(current, &text[start..at], &mut emit);
            (start, current) = (at, class);
        }
        at += line.len();
        if !line.is_ascii() {
            mixed(line, class, &mut emit);
            start = at;
        }
    }
    flush(current, &text[start..], &mut emit);
}

fn flush<'a>(class: Class, stretch: &'a str, emit: &mut impl FnMut(Class, &'a str)) {
    if !stretch.is_empty() {
        emit(class, stretch);
    }
}

/// Emits the stretches of a line that is not pure ASCII.
fn mixed<'a>(line: &'a str, latin: Class, emit: &mut impl FnMut(Class, &'a str)) {
    let mut emit = |class: Class, stretch: &'a str| {
        if !class.is_latin() || !stretch.trim().is_empty() {
            emit(class, stretch);
        }
    };
    let (mut start, mut current) = (0, latin);
    for (at, character) in line.char_indices() {
        let class = char_class(character).unwrap_or(latin);
        if class != current {
            flush(current, &line[start..at], &mut emit);
            (start, current) = (at, class);
        }
    }
    flush(current, &line[start..], &mut emit);
}

/// Returns the class of a character that is not of the Latin script.
fn char_class(character: char) -> Option<Class> {
    Some(match u32::from(character) {
        0..0x80 => return None,
        0x80..0x250 if character.is_alphabetic() => return None,
        0x1100..0x1200 | 0x3130..0x3190 | 0xAC00..0xD7B0 => Class::Hangul,
        0x3040..0x3100 => Class::Kana,
        0x2E80..0xA000 | 0xF900..0xFB00 | 0xFF00..0xFFF0 | 0x2_0000..0x4_0000 => Class::Han,
        0x200D | 0xFE0F | 0x20E3 | 0x1_F000.. => Class::Emoji,
        _ if character.is_alphanumeric() => Class::Script,
        0x300..0x370 | 0x483..0x488 | 0x591..0x2000 => Class::Script,
        _ => Class::Symbol,
    })
}

/// Returns the class of a line by its ASCII bytes; `None` if none of them is visible.
fn line_class(line: &[u8]) -> Option<Class> {
    let line = line.trim_ascii();
    let seen = CharCounts::count(line);
    let visible = seen.visible();
    if visible == 0 {
        return None;
    }
    let class = if 10 * seen.digits >= 4 * visible {
        Class::Figures
    } else if 100 * seen.signs <= 6 * visible && seen.gaps >= 2 {
        Class::Prose
    } else if is_data(line, seen.commas) {
        Class::Data
    } else if matches!(line.last(), Some(b'{' | b'}' | b';' | b',')) {
        Class::Braces
    } else {
        Class::Indented
    };
    Some(class)
}

/// Number of occurrences of each kind of character in a line.
#[derive(Default)]
struct CharCounts {
    letters: usize,
    digits: usize,
    /// Signs that are rare in sentences.
    signs: usize,
    /// Other punctuation.
    points: usize,
    /// Commas without a space after them.
    commas: usize,
    /// Spaces after a visible character.
    gaps: usize,
}

impl CharCounts {
    fn count(line: &[u8]) -> Self {
        let mut seen = Self::default();
        let mut before = b' ';
        for &byte in line {
            match byte {
                b'0'..=b'9' => seen.digits += 1,
                b'a'..=b'z' | b'A'..=b'Z' => seen.letters += 1,
                b'.' | b',' | b'\'' | b'-' | b'?' => seen.points += 1,
                b'!'..=b'~' => seen.signs += 1,
                b' ' | b'\t' => seen.gaps += usize::from(before > b' '),
                _ => {}
            }
            seen.commas += usize::from(before == b',' && byte > b' ');
            before = byte;
        }
        seen
    }

    fn visible(&self) -> usize {
        self.letters + self.digits + self.signs + self.points
    }
}

fn is_data(line: &[u8], commas: usize) -> bool {
    let has_key = || {
        let key = line
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        let key = key.count();
        key > 0 && line[key..].starts_with(b": ")
    };
    matches!(line.first(), Some(b'<' | b'"' | b'|'))
        || line.starts_with(b"- ")
        || line.starts_with(b"# ")
        || line.ends_with(b"\",")
        || commas >= 2 && !line.contains(&b' ')
        || line.windows(3).any(|three| three == b"://")
        || has_key()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(Class, &str)]) {
        let mut found = Vec::new();
        stretches(text, |class, stretch| found.push((class, stretch)));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn lines_are_classified() {
        for (line, class) in [
            ("The quick brown fox jumps over the lazy dog.", Class::Prose),
            ("    if (value == other) {", Class::Braces),
            ("    return value.name()", Class::Indented),
            ("def __init__(self, value):", Class::Indented),
            ("  name: value", Class::Data),
            ("<p class=\"x\">text</p>", Class::Data),
            ("1,Alice,98.5,A", Class::Data),
            ("0 1 2 3 5 8 13 21 34", Class::Figures),
            ("2024-01-15 2023-12-31", Class::Figures),
        ] {
            check(line, &[(class, line)]);
        }
    }

    #[test]
    fn lines_of_one_class_are_one_stretch() {
        check(
            "a = b;\n\nc = d;\n",
            &[(Class::Braces, "a = b;\n\nc = d;\n")],
        );
        check("", &[]);
        check("\n\n", &[(Class::Prose, "\n\n")]);
    }

    #[test]
    fn scripts_are_recognised_inside_a_line() {
        check(
            "x = 1;\nlet name = 語; // ok\n",
            &[
                (Class::Braces, "x = 1;\n"),
                (Class::Indented, "let name = "),
                (Class::Han, "語"),
                (Class::Indented, "; // ok\n"),
            ],
        );
        check("😀 é", &[(Class::Emoji, "😀"), (Class::Prose, " é")]);
        check("→ ب", &[(Class::Symbol, "→"), (Class::Script, "ب")]);
        check("한かな", &[(Class::Hangul, "한"), (Class::Kana, "かな")]);
    }
}
