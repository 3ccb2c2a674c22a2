//! Properties of the chunks of any text: none is too large, together they are the text, and an edit
//! elsewhere does not change their ids.

use std::collections::HashSet;

use loom_base::RepoPath;
use loom_chunk::{ChunkOptions, Strategy, TextChunk, chunks, reassemble};
use loom_syntax::Language;
use loom_tokens::{Estimator, Ruler, Tokenizer, Vocabulary};
use proptest::prelude::*;

const STRATEGIES: [Strategy; 3] = [Strategy::Semantic, Strategy::Fixed, Strategy::Symbol];

fn cut(path: &str, text: &str, options: &ChunkOptions, tokenizer: Tokenizer) -> Vec<TextChunk> {
    let path = RepoPath::new(path).unwrap();
    let language = Language::detect(&path, text);
    let ruler = Ruler::new(tokenizer, text);
    chunks(&path, language, text, options, &ruler)
}

/// Checks all properties of the chunks of a text.
fn check(path: &str, text: &str, options: &ChunkOptions, tokenizer: Tokenizer) {
    let found = cut(path, text, options, tokenizer);
    let parts = found
        .iter()
        .map(|chunk| (&text[chunk.span.range()], chunk.overlap));
    assert_eq!(reassemble(parts), text, "{path}");
    let mut ids = HashSet::new();
    let mut end = 0;
    for chunk in &found {
        let full_text = format!("{}{}", chunk.context, &text[chunk.span.range()]);
        assert_eq!(chunk.tokens, tokenizer.count(&full_text).upper(), "{path}");
        assert!(chunk.tokens <= options.tokens(), "{path} {chunk:?}");
        assert!(
            !chunk.own().is_empty() && chunk.own().start == end,
            "{path}"
        );
        assert!(ids.insert(chunk.id.clone()), "{path}");
        let lines = text[..chunk.span.start].matches('\n').count() + 1;
        assert_eq!(chunk.lines.first, lines, "{path}");
        end = chunk.span.end;
    }
    assert_eq!(found, cut(path, text, options, tokenizer), "{path}");
}

const PATHS: [&str; 10] = [
    "a.rs", "a.py", "a.md", "a.json", "a.jsonl", "a.log", "a.rst", "a.yaml", "a", "a.html",
];

/// Lines that start something in one of the languages, so that texts have a structure.
const LINES: &str = "(fn a\\(\\) \\{\n|    let b = c\\(1\\);\n|\\}\n|class D:\n|    def e\\(self\\):\n|        return 1\n|# Title\n|====\n|```\n|\\{\"role\":\"user\",\"content\":\"x y\"\\}\n|\\[\\{\"role\":\"assistant\",\"content\":1\\},\n|2026-01-02 03:04:05 ERROR x\n|User: hi\n|Assistant: yes\n|\n|<p id=x>\n|key: value\n|[a-z ]{0,60}\n|[^\n]{0,20}|\u{1F600}{0,30}|語{0,40}|A{0,80})";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_text_has_valid_chunks(
        parts in prop::collection::vec(LINES, 0..60),
        path in prop::sample::select(&PATHS[..]),
        tokens in 16usize..120,
        overlap in prop::option::of(0usize..60),
    ) {
        let text = parts.concat();
        for strategy in STRATEGIES {
            let overlap = overlap.filter(|overlap| overlap + ChunkOptions::LEAST <= tokens);
            let options = ChunkOptions::new(strategy, tokens, overlap).unwrap();
            for tokenizer in [Vocabulary::O200kBase.into(), Vocabulary::Gemma4.into()] {
                check(path, &text, &options, tokenizer);
            }
            check(path, &text, &options, Tokenizer::Estimated(Estimator::Claude47));
        }
    }

    #[test]
    fn any_unicode_text_has_valid_chunks(text in any::<String>(), path in prop::sample::select(&PATHS[..])) {
        for strategy in STRATEGIES {
            let options = ChunkOptions::new(strategy, 16, None).unwrap();
            check(path, &text, &options, Vocabulary::Cl100kBase.into());
        }
    }
}

/// Real files of this repository, with every vocabulary that comes with the program.
#[test]
fn real_files_have_valid_chunks() {
    let files = [
        (
            "src/language.rs",
            include_str!("../../../syntax/src/language.rs"),
        ),
        ("src/table.rs", include_str!("../../../syntax/src/table.rs")),
        ("Cargo.toml", include_str!("../../Cargo.toml")),
        ("README.md", include_str!("../../../../README.md")),
    ];
    for (path, text) in files {
        for strategy in STRATEGIES {
            for tokens in [64, 500, 8_000] {
                let options = ChunkOptions::new(strategy, tokens, None).unwrap();
                for &vocabulary in &[Vocabulary::O200kBase, Vocabulary::Qwen, Vocabulary::Mistral] {
                    check(path, text, &options, vocabulary.into());
                }
            }
        }
    }
}

/// Hard cases: one line, one character, no place to cut.
#[test]
fn hostile_texts_have_valid_chunks() {
    let texts = [
        "x".repeat(20_000),
        " ".repeat(20_000),
        "\n".repeat(20_000),
        "=".repeat(20_000),
        "語".repeat(7_000),
        "👩‍👩‍👧‍👦".repeat(500),
        "a,b;c ".repeat(4_000),
        "{".repeat(3_000),
        "[[".repeat(2_000) + "1",
        "{\"messages\":[".repeat(500),
        "def a():\n".repeat(2_000),
        (0..300)
            .map(|at| format!("{}def a():\n", " ".repeat(at)))
            .collect(),
        "é\r\n".repeat(5_000),
        "U\u{301}\u{a0}".repeat(3_000),
    ];
    for text in &texts {
        for path in ["a.py", "a.json", "a.md", "a.log"] {
            for strategy in STRATEGIES {
                let options = ChunkOptions::new(strategy, 50, None).unwrap();
                check(path, text, &options, Vocabulary::O200kBase.into());
            }
        }
    }
}

/// A line that is inserted into a file changes the chunk that contains it, and at most the
/// neighbours of that chunk.
#[test]
fn edit_elsewhere_does_not_change_ids() {
    let files = [
        (
            "src/c.rs",
            include_str!("../../../syntax/src/languages/c.rs"),
        ),
        ("src/model.rs", include_str!("../../../syntax/src/model.rs")),
        ("CHANGELOG.md", include_str!("../../../../CHANGELOG.md")),
    ];
    let (mut chunks, mut kept) = (0, 0);
    for (path, text) in files {
        for strategy in STRATEGIES {
            let options = ChunkOptions::new(strategy, 400, None).unwrap();
            let before = cut(path, text, &options, Vocabulary::O200kBase.into());
            let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
            for at in (0..lines.len()).step_by(lines.len() / 12 + 1) {
                let at = lines[at];
                let edited = format!("{}// An edit.\n{}", &text[..at], &text[at..]);
                let after = cut(path, &edited, &options, Vocabulary::O200kBase.into());
                let ids: HashSet<&str> = after.iter().map(|chunk| chunk.id.as_str()).collect();
                let elsewhere = before
                    .iter()
                    .filter(|chunk| chunk.own().end < at || chunk.own().start > at);
                for chunk in elsewhere {
                    chunks += 1;
                    kept += usize::from(ids.contains(chunk.id.as_str()));
                }
            }
        }
    }
    assert!(chunks > 500, "{chunks}");
    assert!(100 * kept >= 97 * chunks, "{kept} of {chunks}");
}
