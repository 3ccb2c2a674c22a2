//! The cost of counting while a text is cut: a small multiple of the text, for any text.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom_base::{Measure, RepoPath};
use loom_chunk::{ChunkOptions, Strategy, chunks, reassemble};
use loom_syntax::Language;

/// Tokenizer with tokens of at most four equal letters, which adds up the counted bytes.
struct Counted<'a> {
    text: &'a str,
    bytes: AtomicUsize,
}

impl Measure for Counted<'_> {
    fn within(&self, before: &str, part: Range<usize>, limit: usize) -> Option<usize> {
        let (mut tokens, mut last, mut run) = (0, None, 0);
        for letter in before.chars().chain(self.text.get(part)?.chars()) {
            self.bytes.fetch_add(letter.len_utf8(), Ordering::Relaxed);
            let goes_on = last == Some(letter) && run < 4;
            run = if goes_on { run + 1 } else { 1 };
            tokens += usize::from(!goes_on);
            last = Some(letter);
            if tokens > limit {
                return None;
            }
        }
        Some(tokens)
    }
}

/// Returns the counted bytes per byte of a text that is cut with the default overlap.
fn counts_per_byte(fragment: &str, bytes: usize, strategy: Strategy) -> usize {
    let text = fragment.repeat(bytes / fragment.len());
    let options = ChunkOptions::new(strategy, 2_000, None).unwrap();
    let measure = Counted {
        text: &text,
        bytes: AtomicUsize::new(0),
    };
    let path = RepoPath::new("a.txt").unwrap();
    let found = chunks(&path, None, &text, &options, &measure);
    let parts = found
        .iter()
        .map(|chunk| (&text[chunk.span.range()], chunk.overlap));
    assert_eq!(reassemble(parts), text);
    assert!(found.iter().all(|chunk| chunk.tokens <= 2_000));
    measure.bytes.into_inner() / text.len()
}

#[test]
fn cutting_counts_each_byte_few_times() {
    for strategy in [Strategy::Semantic, Strategy::Fixed, Strategy::Symbol] {
        for fragment in ["\n", "。中", "a. ", "password=", "a=b;", "x\n", "aaaa aa\n"] {
            let counts = counts_per_byte(fragment, 200_000, strategy);
            assert!(counts < 60, "{strategy:?} {fragment:?}: {counts}");
        }
    }
}

/// Pieces are joined in parts of bounded memory, and the parts still make whole chunks.
#[test]
fn long_line_of_short_words_is_cut_in_parts() {
    let text = "{\"a\":1},".repeat(200_000);
    let options = ChunkOptions::new(Strategy::Semantic, 2_000, None).unwrap();
    let measure = Counted {
        text: &text,
        bytes: AtomicUsize::new(0),
    };
    let path = RepoPath::new("one.json").unwrap();
    let language = Language::from_id("json");
    let found = chunks(&path, language, &text, &options, &measure);
    let parts = found
        .iter()
        .map(|chunk| (&text[chunk.span.range()], chunk.overlap));
    assert_eq!(reassemble(parts), text);
    assert!(found.iter().all(|chunk| chunk.tokens <= 2_000));
    assert!(found.len() < 2 * text.len() / 2_000, "{}", found.len());
}
