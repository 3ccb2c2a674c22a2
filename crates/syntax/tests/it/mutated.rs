//! Real code with pieces removed, doubled and swapped: every result is valid and deterministic.

use loom_syntax::{Language, Limits, Structure, extract};

/// Languages with a piece of code that uses most of their grammar: their own source files, which
/// contain the test cases.
pub(crate) const SOURCES: &[(&str, &str)] = &[
    ("rust", include_str!("../../src/walk/mod.rs")),
    ("bash", include_str!("../../src/languages/bash.rs")),
    ("c", include_str!("../../src/languages/c.rs")),
    ("cpp", include_str!("../../src/languages/cpp.rs")),
    ("csharp", include_str!("../../src/languages/csharp.rs")),
    ("css", include_str!("../../src/languages/css.rs")),
    ("go", include_str!("../../src/languages/go.rs")),
    ("html", include_str!("../../src/languages/html.rs")),
    ("java", include_str!("../../src/languages/java.rs")),
    (
        "javascript",
        include_str!("../../src/languages/javascript/tests.rs"),
    ),
    ("json", include_str!("../../src/languages/data.rs")),
    ("kotlin", include_str!("../../src/languages/kotlin.rs")),
    ("lua", include_str!("../../src/languages/lua.rs")),
    ("markdown", include_str!("../../src/languages/markdown.rs")),
    ("php", include_str!("../../src/languages/php.rs")),
    ("python", include_str!("../../src/languages/python.rs")),
    ("ruby", include_str!("../../src/languages/ruby.rs")),
    ("scala", include_str!("../../src/languages/scala.rs")),
    ("sql", include_str!("../../src/languages/sql.rs")),
    ("swift", include_str!("../../src/languages/swift.rs")),
    ("toml", include_str!("../../src/languages/data.rs")),
    ("tsx", include_str!("../../src/languages/typescript.rs")),
    (
        "typescript",
        include_str!("../../src/languages/typescript.rs"),
    ),
    ("vue", include_str!("../../src/languages/html.rs")),
    ("yaml", include_str!("../../src/languages/data.rs")),
    ("zig", include_str!("../../src/languages/zig.rs")),
];

#[test]
fn mutated_code_has_a_valid_structure() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for (id, source) in SOURCES {
        let language = Language::from_id(id).unwrap();
        let start = source.find("mod tests").unwrap_or(0);
        let text = &source[start..];
        for _ in 0..12 {
            let text = random.mutated(text);
            let found = extract(language, &text, &Limits::default());
            check(&text, &found, id);
            assert_eq!(found, extract(language, &text, &Limits::default()), "{id}");
        }
    }
}

fn check(text: &str, found: &Structure, id: &str) {
    for (at, symbol) in found.symbols.iter().enumerate() {
        assert!(text.get(symbol.span.range()).is_some(), "{id}");
        assert!(text.get(symbol.name_span.range()).is_some(), "{id}");
        assert!(symbol.lines.first <= symbol.lines.last, "{id} {symbol:?}");
        assert!(symbol.lead <= symbol.span.start, "{id} {symbol:?}");
        assert!(!symbol.name.is_empty() && symbol.parent != Some(at), "{id}");
        assert!(
            symbol
                .parent
                .is_none_or(|parent| parent < found.symbols.len())
        );
    }
    for reference in &found.references {
        assert_eq!(
            text.get(reference.span.range()),
            Some(reference.name.as_str()),
            "{id}"
        );
        assert!(reference.from.is_none_or(|from| from < found.symbols.len()));
    }
    for comment in &found.comments {
        assert!(text.get(comment.range()).is_some(), "{id}");
    }
}

/// Generator of the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }

    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    pub(crate) fn mutated(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..=self.below(6) {
            let (one, two) = (self.place(&text), self.place(&text));
            let (start, end) = (one.min(two), one.max(two));
            match self.below(4) {
                0 => text.replace_range(start..end, ""),
                1 => {
                    let piece = text[start..end].to_owned();
                    text.insert_str(start, &piece);
                }
                2 => text.insert_str(
                    start,
                    ["(", "{", "\"", "'''", "/*", "<", "\\", "é", "`"][self.below(9)],
                ),
                _ => text.truncate(end),
            }
            text.truncate(floor(&text, 200_000));
        }
        text
    }
}

fn floor(text: &str, most: usize) -> usize {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}
