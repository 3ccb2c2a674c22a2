//! Inputs on which other tokenizers are wrong, slow, or fail.

use loom_tokens::Vocabulary;

use crate::reference::{check, check_all};

/// Fragments of text; each is checked separately, repeated and between others.
const CASES: &[&str] = &[
    "",
    "a",
    "\r\n\n\r\r\n \r\n\t\n",
    "x \r\n y\r\r\n\n z",
    "line with trailing space \n",
    "trailing  ",
    "trailing\t\n ",
    "  \n  \n  x",
    "it's IT'S we'LL They'Re o'clock 'tis 's''t'M'D'd",
    "x'\u{17f} X'\u{17f}y '\u{17f}",
    "don't'll've're'x 'll",
    "👨‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪",
    "e\u{301}\u{302} \u{301}a\u{301} A\u{301}b ab\u{301}C \u{301}\u{301}",
    "ǅungla ǅǅ aǅ ʰaʰA ªAºBª AªB",
    "HTTPServer camelCase PascalCase SCREAMING_CASE xMLHttpRequest ABCdefGHI",
    "1234567 ١٢٣٤٥ Ⅷ½² 12a34 x1y22z333",
    "a\u{a0}b \u{2003}\u{2003}c\u{2028}\u{2029}d\u{85}e\u{3000}f \u{3000}g\u{a0}\u{a0}",
    "\0\u{1}\u{2}\u{7f}\u{80}\u{9f}a\0b\u{b}\u{c}\u{b}c",
    "a();\n//b\n/c\n\n/d //\n/ /\r\n//e",
    ":/\n/\n//\n\n /x",
    "SGVsbG8gV29ybGQhIFRoaXMgaXMgYmFzZTY0IGVuY29kZWQgdGV4dA==",
    "的一是不了人我在有他这为之大来以个中上们",
    "日本語のテキストと漢字、カタカナ。ひらがな!",
    "한국어 텍스트 조각",
    "Привет, мир! ПРИВЕТ приВЕТ",
    "שלום עולם مرحبا بالعالم नमस्ते दुनिया ภาษาไทย",
    "<|endoftext|><|fim_prefix|> <|start|>assistant<|channel|>",
    "\u{feff}bom \u{200b}zero\u{200d}width\u{ad}",
    "a  b   c    d\t\te \t f",
    "    if x:\n        return y\n\n\n    else:\n",
    "--------------------------------------------------------------------------",
    "================ **************** //////////////// ################",
    "naïve café Ünïcödé ÀÉÎ",
    "\t \r  \u{a0} \r\r x \n  \u{2003}\n y",
    "\u{10ffff}\u{e000}\u{fffd}\u{1f600}",
    "foo\u{1680}\u{180e}\u{202f}\u{205f}bar",
    "(((a)))[[b]]{{c}}<<d>>!!e??''f\"\"g``h",
];

#[test]
fn fragments() {
    for case in CASES {
        check_all(case);
        check_all(&format!("x{case}"));
        check_all(&format!("{case}\n"));
        check_all(&case.repeat(9));
    }
}

#[test]
fn fragments_side_by_side() {
    for a in CASES {
        for b in CASES {
            check(Vocabulary::O200kBase, &format!("{a}{b}"));
            check(Vocabulary::Cl100kBase, &format!("{a} {b}"));
            check(Vocabulary::R50kBase, &format!("{b}{a}"));
        }
    }
}

/// Puts every fragment at every distance from the start, so that it crosses every boundary of
/// blocks.
#[test]
fn fragments_at_every_offset() {
    let filling = "let value = other_value + 10;\n".repeat(5);
    for case in CASES {
        for offset in 0..130 {
            let text = format!("{}{case} end{filling}", &filling[..offset]);
            for &vocabulary in crate::reference::OPENAI {
                let expected = crate::reference::reference(vocabulary).encode_ordinary(&text);
                assert_eq!(vocabulary.count(&text), expected.len(), "{text:?}");
            }
        }
    }
}

#[test]
fn long_runs() {
    for unit in [
        "a", "A", "=", "-", "\n", "\t", "é", "的", "👍", "ab", "Ab", "0", "\r\n", "xyz0", "_",
    ] {
        for length in [40, 255, 256, 257, 300, 1023, 1024, 1025, 5000, 20_000] {
            check_all(&unit.repeat(length));
        }
    }
}

/// Zero bytes look like free memory; other bytes are checked as well.
#[test]
fn every_byte_in_every_length() {
    for byte in (0..128u8).map(char::from) {
        for length in 1..70 {
            let text = byte.to_string().repeat(length);
            for &vocabulary in crate::reference::OPENAI {
                let expected = crate::reference::reference(vocabulary).encode_ordinary(&text);
                assert_eq!(vocabulary.count(&text), expected.len(), "{byte:?} {length}");
            }
        }
    }
}

/// The reference fails on long runs of spaces, so only the lengths that it supports are checked.
#[test]
fn runs_of_spaces() {
    for length in (1..300).chain([511, 512, 640, 1000, 1024, 1030, 1535, 1536, 4000]) {
        check_all(&" ".repeat(length));
        check_all(&format!("{}x", " ".repeat(length)));
        check_all(&format!("{}\n", " ".repeat(length)));
    }
}
