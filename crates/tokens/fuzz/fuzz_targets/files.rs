//! Vocabulary files of every kind: whatever they hold, reading them gives a
//! vocabulary or an error, and a vocabulary counts. What is read stays in memory, so
//! that a long run needs a limit: `-runs=200000 -rss_limit_mb=0`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tokens::{FileKind, Tally, Vocabulary};

const TEXT: &str = "fn main() {\n\n    let größe = [1, 22, 333];  // 語 <b>ab ab</b>\n}\n";

fuzz_target!(|data: &[u8]| {
    for &kind in FileKind::ALL {
        let Ok(vocabulary) = Vocabulary::from_file(kind, data) else {
            continue;
        };
        let ids = vocabulary.encode(TEXT);
        assert_eq!(vocabulary.count(TEXT), ids.len());
        let _ = vocabulary.decode(&ids);
        let (front, back) = TEXT.split_at(14);
        let mut tally = Tally::of(vocabulary, front);
        tally.push(back);
        assert_eq!(tally.tokens(), ids.len());
    }
});
