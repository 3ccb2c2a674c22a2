//! Hugging Face's engine wants a `tokenizer.json`; this writes one from our data.

use loom_tokens::Vocabulary;
use serde_json::{Map, Value, json};
use tokenizers::pipeline::EncodeOptions;

/// The pattern of the published `tokenizer.json` files.
const CL100K: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const O200K: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

pub fn tokenizers(vocabulary: Vocabulary) -> Box<dyn Fn(&str) -> usize + Send + Sync> {
    let legacy = tokenizer_json(vocabulary).to_string();
    let canonical = tokenizers::canonicalize_str(&legacy)
        .ok()
        .expect("a known shape");
    let tokenizer = tokenizers::from_json(&canonical.to_string()).expect("a canonical file");
    let options = EncodeOptions::default();
    Box::new(move |text| {
        let mut ids = Vec::with_capacity(text.len() / 3);
        tokenizer
            .encode_into(text, &options, &mut ids)
            .expect("text");
        ids.len()
    })
}

/// All tokens with their ids.
pub fn tokens(vocabulary: Vocabulary) -> impl Iterator<Item = (Vec<u8>, u32)> {
    let ids = 0..if vocabulary == Vocabulary::O200kBase {
        199_998
    } else {
        100_256
    };
    ids.filter_map(move |id| Some((vocabulary.decode(&[id]).ok()?, id)))
}

fn tokenizer_json(vocabulary: Vocabulary) -> Value {
    let names: Vec<String> = tokens(vocabulary).map(|(bytes, _)| name(&bytes)).collect();
    let splits: &[u8] = match vocabulary {
        Vocabulary::O200kBase => include_bytes!("../../../crates/tokens/data/o200k.splits"),
        _ => include_bytes!("../../../crates/tokens/data/cl100k.splits"),
    };
    let merges: Vec<Value> = splits
        .as_chunks::<6>()
        .0
        .iter()
        .map(|&[a, b, c, d, e, f]| [[a, b, c, 0], [d, e, f, 0]].map(u32::from_le_bytes))
        .filter(|&[_, right]| right != 0xFF_FFFF)
        .map(|[left, right]| json!([names[left as usize], names[right as usize]]))
        .collect();
    let vocab: Map<String, Value> = (0..)
        .zip(&names)
        .map(|(id, n)| (n.clone(), json!(id)))
        .collect();
    let pattern = if vocabulary == Vocabulary::O200kBase {
        O200K
    } else {
        CL100K
    };
    let level = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false});
    let split = json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false});
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null, "post_processor": null, "decoder": level,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, level]},
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null,
            "continuing_subword_prefix": null, "end_of_word_suffix": null,
            "fuse_unk": false, "byte_fallback": false, "ignore_merges": true,
            "vocab": vocab, "merges": merges,
        },
    })
}

/// Bytes as the characters that byte-level vocabularies spell them with: those
/// that print stand for themselves, the others for 256 and up.
fn name(bytes: &[u8]) -> String {
    let prints = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..);
    let spell = |&byte: &u8| {
        let before = (0..byte).filter(|&other| !prints(other)).count() as u32;
        let code = if prints(byte) {
            u32::from(byte)
        } else {
            256 + before
        };
        char::from_u32(code).expect("below the surrogates")
    };
    bytes.iter().map(spell).collect()
}
