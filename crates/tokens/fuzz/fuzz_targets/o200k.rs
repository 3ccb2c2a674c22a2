//! `o200k_base` against the reference.
#![no_main]

mod check;

use libfuzzer_sys::fuzz_target;
use loom_tokens::Vocabulary;

fuzz_target!(|data: &[u8]| {
    let reference = tiktoken_rs::o200k_base_singleton();
    check::check(Vocabulary::O200kBase, reference, data);
});
