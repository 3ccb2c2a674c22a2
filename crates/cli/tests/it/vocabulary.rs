//! `--vocabulary` counts with a file of the user, and reports errors in it.

use loom_testkit::{Run, Sandbox};
use serde_json::{Value, json};

use crate::packed::loom;

/// Returns a `tokenizer.json` of bytes, in which `ab` is a token.
fn tokenizer() -> Value {
    let seen = |byte: u32| matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut hidden = 0xFF;
    let mut shown = |byte: u32| {
        hidden += u32::from(!seen(byte));
        char::from_u32(if seen(byte) { byte } else { hidden }).unwrap()
    };
    let bytes = (0..256u32).map(|byte| (shown(byte).to_string(), json!(byte)));
    let vocab: serde_json::Map<String, Value> =
        bytes.chain([("ab".to_owned(), json!(256))]).collect();
    json!({
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
        "model": {"type": "BPE", "vocab": vocab, "merges": ["a b"]},
    })
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "ab ab\n");
    sandbox.write("../v/tokenizer.json", tokenizer().to_string());
    sandbox
}

fn tokens(sandbox: &Sandbox, model: &str, file: &str) -> Run {
    loom(
        sandbox,
        &[
            "tokens",
            "--format",
            "json",
            "-m",
            model,
            "--vocabulary",
            file,
        ],
    )
}

#[test]
fn a_file_counts_for_models_that_are_estimated() {
    let sandbox = sandbox();
    for (model, file) in [
        ("grok-4", "../v/tokenizer.json"),
        ("grok-4", "../v"),
        ("nobody-knows", "../v"),
    ] {
        let run = tokens(&sandbox, model, file);
        let answer: Value = serde_json::from_str(&run.ok()).unwrap();
        assert_eq!(answer["total_tokens"], 4, "{model}");
        assert_eq!(answer["models"][0]["estimated"], false, "{model}");
        assert_eq!(
            answer["models"][0]["tokenizer"], "vocabulary file",
            "{model}"
        );
    }
    // If another model is counted exactly, the file applies only to the estimated one.
    let answer: Value =
        serde_json::from_str(&tokens(&sandbox, "gpt-5,grok-4", "../v").ok()).unwrap();
    assert_eq!(answer["models"][1]["total_tokens"], 4);
    assert_eq!(answer["models"][0]["tokenizer"], "o200k_base");
}

#[test]
fn a_model_says_which_file_it_needs_and_where_there_is_one() {
    let sandbox = sandbox();
    let said = |name: &str| loom(&sandbox, &["models", name]).ok();
    assert!(
        said("llama-3.3")
            .contains("--vocabulary FILE: tokenizer.model or tokenizer.json of Llama 3")
    );
    assert!(!said("gpt-5").contains("--vocabulary") && !said("sonnet").contains("--vocabulary"));
    assert!(said("sonnet").contains("looks back 20 blocks"));
    let found =
        ".cache/huggingface/hub/models--meta-llama--Llama-3.1-8B/snapshots/0e9e/tokenizer.json";
    sandbox.write(format!("../home/{found}"), "{}");
    assert!(said("llama-3.3").contains(found) && !said("llama-2").contains(found));
    let json = loom(&sandbox, &["models", "kimi-k2", "--format", "json"]).ok();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["vocabulary_file"], "tiktoken.model of Kimi K2");
}
