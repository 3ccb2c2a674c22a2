//! Vocabulary files of every kind: for any contents, loading returns a vocabulary or an error, and
//! a vocabulary counts. Loaded vocabularies stay in memory until the end, so only the first ones
//! are used, and a run needs `ASAN_OPTIONS=detect_leaks=0 cargo +nightly fuzz run files --
//! -rss_limit_mb=4000`.
#![no_main]

use std::sync::atomic::{AtomicUsize, Ordering};

use libfuzzer_sys::fuzz_target;
use loom_tokens::{FileKind, Tally, Vocabulary};

const TEXT: &str = "fn main() {\n\n    let größe = [1, 22, 333];  // 語 <b>ab ab</b>\n}\n";

/// Number of vocabularies that are used; each takes about 35 MB.
const MOST: usize = 50;
static USED: AtomicUsize = AtomicUsize::new(0);

fuzz_target!(|data: &[u8]| {
    if Vocabulary::check_file(data).is_err() || USED.fetch_add(1, Ordering::Relaxed) > MOST {
        return;
    }
    // Files of this kind do not contain their pattern; the others do.
    let Ok(vocabulary) = Vocabulary::from_file(FileKind::Llama3, data) else {
        return;
    };
    let ids = vocabulary.encode(TEXT);
    assert_eq!(vocabulary.count(TEXT), ids.len());
    let _ = vocabulary.decode(&ids);
    let (front, back) = TEXT.split_at(14);
    let mut tally = Tally::from_text(vocabulary, front);
    tally.push(back);
    assert_eq!(tally.tokens(), ids.len());
});
