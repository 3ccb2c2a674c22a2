//! Short fragments from a seed; repeated, they are the most expensive texts for parsers.

/// Parts of fragments: text that opens, closes and joins in some language, and words.
const PARTS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "</",
    "/>",
    "/*",
    "*/",
    "//",
    "#",
    "--",
    "<!--",
    "-->",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "```",
    "~~~",
    "=>",
    "->",
    "::",
    ":",
    ";",
    ",",
    ".",
    "..",
    "=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "&&",
    "|",
    "||",
    "!",
    "?",
    "??",
    "@",
    "$",
    "${",
    "#{",
    "\\",
    "^",
    "~",
    "_",
    "<<",
    "<<A",
    "<?php",
    "?>",
    "%w(",
    "r#\"",
    "f\"",
    "@\"",
    "$\"",
    "[[",
    "]]",
    "(A)",
    "a",
    "A",
    "x1",
    "0",
    "1.5",
    "0x",
    "if",
    "else",
    "for",
    "while",
    "do",
    "end",
    "fn",
    "func",
    "def",
    "class",
    "struct",
    "enum",
    "interface",
    "return",
    "import",
    "using",
    "namespace",
    "template",
    "async",
    "await",
    "match",
    "case",
    "switch",
    "let",
    "var",
    "val",
    "const",
    "function",
    "public",
    "select",
    "from",
    "where",
    "begin",
    "then",
    "fi",
    "in",
    "is",
    "as",
    "new",
    "type",
    "lambda",
    "<div>",
    "</div>",
    "<script>",
    "key:",
    "- ",
    "> ",
    "* ",
    "| ",
    "é",
    "中",
    "\u{feff}",
    "\t",
];

const SPACES: &[&str] = &["", "", " ", " ", "\n", "\n  ", "\r\n"];

/// Returns a fragment of one to five parts. The same number always gives the same fragment.
pub(crate) fn fragment(number: u64) -> String {
    let mut random = Random(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut text = String::new();
    for _ in 0..=random.below(4) {
        text.push_str(PARTS[random.below(PARTS.len())]);
        text.push_str(SPACES[random.below(SPACES.len())]);
    }
    if random.below(2) == 0 {
        text.push('\n');
    }
    text
}

/// Repeats the fragment up to at least `bytes` bytes.
pub(crate) fn repeated(fragment: &str, bytes: usize) -> String {
    fragment.repeat(bytes.div_ceil(fragment.len()))
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap_or(0) % limit
    }
}
