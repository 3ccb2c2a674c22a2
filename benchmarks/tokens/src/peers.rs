//! The engines of others.

use loom_tokens::Vocabulary;

use crate::engines::Count;
use crate::hugging;

/// Starts the engine of this name.
pub(crate) fn new(name: &str, vocabulary: Vocabulary) -> Count {
    let o200k = vocabulary == Vocabulary::O200kBase;
    match name {
        "tiktoken-rs" => {
            let bpe = if o200k {
                tiktoken_rs::o200k_base()
            } else {
                tiktoken_rs::cl100k_base()
            };
            let bpe = bpe.expect("embedded vocabulary");
            Box::new(move |text| bpe.encode_ordinary(text).len())
        }
        "bpe-openai" => {
            let bpe = if o200k {
                bpe_openai::o200k_base()
            } else {
                bpe_openai::cl100k_base()
            };
            Box::new(move |text| bpe.count(text))
        }
        "tiktoken-fast" => {
            let bpe = if o200k {
                tiktoken_fast::o200k_base()
            } else {
                tiktoken_fast::cl100k_base()
            };
            let bpe = bpe.ok().expect("embedded vocabulary");
            Box::new(move |text| bpe.encode_ordinary(text).len())
        }
        "splintr" => {
            let bpe = splintr::from_pretrained(vocabulary.name()).expect("embedded vocabulary");
            let none = splintr::SpecialMode::Ordinary;
            Box::new(move |text| bpe.encode_with(text, &none).map_or(0, |ids| ids.len()))
        }
        "hf-tokenizers" => hugging::tokenizers(vocabulary),
        "fastokens" => fastokens(vocabulary),
        _ => unreachable!("names are checked"),
    }
}

fn fastokens(vocabulary: Vocabulary) -> Count {
    let config = fastokens::TiktokenConfig::from_preset(vocabulary.name()).expect("a preset");
    let ranks: Vec<_> = hugging::tokens(vocabulary).collect();
    let bpe = fastokens::Tokenizer::from_tiktoken_ranks(&ranks, config).expect("valid ranks");
    Box::new(move |text| bpe.encode_ordinary(text).map_or(0, |ids| ids.len()))
}
