//! Every vocabulary against tiktoken-rs on every file.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loom_tokens::Vocabulary;
use serde_json::json;
use tiktoken_rs::CoreBPE;

use crate::corpus::Corpus;
use crate::options::Options;
use crate::results;

pub fn compare(options: &Options, corpus: &Corpus) {
    println!("vocabularies against tiktoken-rs: counts and tokens of each file");
    for &vocabulary in Vocabulary::ALL {
        let Some(reference) = reference(vocabulary) else {
            continue;
        };
        let (mut files, mut different, mut failed, mut tokens) = (0, 0, 0, 0);
        for text in corpus.texts() {
            let expected = catch_unwind(AssertUnwindSafe(|| reference.encode_ordinary(text)));
            let Ok(expected) = expected else {
                failed += 1;
                continue;
            };
            files += 1;
            tokens += expected.len();
            let same =
                vocabulary.count(text) == expected.len() && vocabulary.encode(text) == expected;
            different += usize::from(!same);
        }
        println!(
            "{:<14} {files} files compared, {different} differ, {failed} fail in tiktoken-rs, {tokens} tokens",
            vocabulary.name()
        );
        let figures = json!({
            "files": files, "bytes": corpus.bytes(), "tokens": tokens,
            "different": different, "failed_in_tiktoken_rs": failed,
        });
        let options = Options {
            vocabulary,
            ..options.clone()
        };
        results::write(&options, "exact", figures);
    }
}

/// The same vocabulary at `tiktoken-rs`, which has OpenAI's only.
fn reference(vocabulary: Vocabulary) -> Option<CoreBPE> {
    let reference = match vocabulary {
        Vocabulary::O200kBase => tiktoken_rs::o200k_base(),
        Vocabulary::O200kHarmony => tiktoken_rs::o200k_harmony(),
        Vocabulary::Cl100kBase => tiktoken_rs::cl100k_base(),
        Vocabulary::P50kBase => tiktoken_rs::p50k_base(),
        Vocabulary::R50kBase => tiktoken_rs::r50k_base(),
        _ => return None,
    };
    Some(reference.expect("embedded vocabulary"))
}
