//! Any text is cut into chunks that fit and reassemble to the text. The first bytes choose the
//! name, the strategy and the sizes.
//!
//! Run with `cargo +nightly fuzz run chunks` in the parent directory.

#![no_main]

use std::ops::Range;

use libfuzzer_sys::fuzz_target;
use loom_base::{Measure, RepoPath};
use loom_chunk::{ChunkOptions, Strategy, chunks, reassemble};
use loom_syntax::Language;

const PATHS: &[&str] = &[
    "a", "a.c", "a.html", "a.json", "a.jsonl", "a.log", "a.md", "a.py", "a.rs", "a.rst", "a.txt",
    "a.yaml",
];

/// Tokenizer: a token is a run of letters, or any other character.
struct Words<'a>(&'a str);

impl Measure for Words<'_> {
    fn within(&self, before: &str, part: Range<usize>, limit: usize) -> Option<usize> {
        let text = [before, self.0.get(part)?].concat();
        let (mut tokens, mut is_word) = (0, false);
        for letter in text.chars() {
            let goes_on = is_word && letter.is_alphanumeric();
            tokens += usize::from(!goes_on);
            is_word = letter.is_alphanumeric();
        }
        (tokens <= limit).then_some(tokens)
    }
}

fuzz_target!(|input: (u8, u8, u8, u8, &str)| {
    let (path, strategy, tokens, overlap, text) = input;
    let path = PATHS[usize::from(path) % PATHS.len()];
    let strategies = [Strategy::Semantic, Strategy::Fixed, Strategy::Symbol];
    let strategy = strategies[usize::from(strategy) % strategies.len()];
    let tokens = usize::from(tokens).max(ChunkOptions::LEAST);
    let Ok(options) = ChunkOptions::new(strategy, tokens, Some(usize::from(overlap))) else {
        return;
    };
    let Ok(path) = RepoPath::new(path) else {
        return;
    };
    let language = Language::detect(&path, text);
    let found = chunks(&path, language, text, &options, &Words(text));
    let parts = found
        .iter()
        .map(|chunk| (&text[chunk.span.range()], chunk.overlap));
    assert_eq!(reassemble(parts), text);
    for chunk in &found {
        assert!(chunk.tokens <= tokens, "{chunk:?}");
    }
});
