//! The models that the settings name, and vocabulary files.

use loom_host::{ConfigError, chosen_models, pack_options, registry, vocabulary_files};
use loom_models::FileKind;
use loom_settings::{FileOrigin, FlagValue, Layer, Resolved, resolve, setting};
use loom_testkit::Sandbox;
use serde_json::{Value, json};

use crate::fixture::{in_home, is_child};

fn settings(text: &str, values: &[(&str, &str)]) -> Resolved {
    let flag =
        |(key, value): &(&str, &str)| (setting(key).unwrap(), FlagValue::Value((*value).into()));
    let file = Layer::from_toml(&FileOrigin::user("user.toml"), text).unwrap();
    resolve([file, Layer::from_flags(values.iter().map(flag)).unwrap()])
}

/// Returns each model with the number of its notes.
fn chosen(names: &str) -> Result<Vec<(String, usize)>, ConfigError> {
    let found = chosen_models(&settings("", &[("model.name", names)]))?;
    let one = |one: loom_host::Chosen| (one.model.name.to_string(), one.notes.len());
    Ok(found.into_iter().map(one).collect())
}

#[test]
fn names_are_resolved_once_each_and_in_order() {
    let names = |text: &str| -> Vec<String> {
        chosen(text)
            .unwrap()
            .into_iter()
            .map(|(name, _)| name)
            .collect()
    };
    let [gpt, sonnet] = [&names("gpt-5")[0], &names("sonnet")[0]].map(Clone::clone);
    assert_eq!(names("gpt-5, sonnet,gpt-5 ,"), [gpt, sonnet]);
}

/// A name that matches only a part of a model's name may be misspelt, so the user is told.
#[test]
fn partly_matching_and_unknown_names_are_noted_or_refused() {
    assert_eq!(chosen("gpt-5").unwrap()[0].1, 0);
    for names in [",", " , "] {
        let error = chosen(names).unwrap_err().to_string();
        assert!(
            error.contains("names 0 models; expected at least one"),
            "{error}"
        );
    }
    let unknown = chosen("nobody-knows").unwrap_err();
    assert!(
        matches!(unknown, ConfigError::UnknownModel { .. }),
        "{unknown}"
    );
    let misspelt = chosen("sonet").unwrap_err().to_string();
    assert!(misspelt.contains("sonet"), "{misspelt}");
}

/// A repository's config file may contain a megabyte of names.
#[test]
fn number_of_models_and_quoted_names_are_bounded() {
    let many: Vec<String> = (0..65).map(|at| format!("gpt-{at}")).collect();
    let error = chosen(&many.join(",")).unwrap_err().to_string();
    assert!(
        error.contains("names 65 models; expected at most 64"),
        "{error}"
    );
    assert!(error.len() < 320, "{error}");
}

#[test]
fn pack_is_for_one_model() {
    let options = |names: &str| pack_options(&settings("", &[("model.name", names)]), &[]);
    assert!(options("gpt-5").is_ok());
    let error = options("gpt-5,sonnet").unwrap_err().to_string();
    assert!(error.contains("names 2 models; expected one"), "{error}");
}

#[test]
fn users_describe_models_of_their_own() {
    let own = "[[models]]\nname = 'ours'\nwindow = 5000\ntokenizer = 'o200k_base'\n";
    let resolved = settings(own, &[("model.name", "ours")]);
    let found = chosen_models(&resolved).unwrap();
    assert_eq!(found[0].model.limits.window, 5_000);
    assert!(registry(&resolved).unwrap().resolve("ours").is_ok());
    assert!(
        registry(&settings("", &[]))
            .unwrap()
            .resolve("ours")
            .is_err()
    );
}

/// A `tokenizer.json` of bytes, in which `ab` is a token.
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

fn with_vocabulary() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("../v/tokenizer.json", tokenizer().to_string());
    sandbox
}

fn counting(
    sandbox: &Sandbox,
    model: &str,
    file: &str,
) -> Result<Vec<loom_host::Chosen>, ConfigError> {
    let file = sandbox.path(file).display().to_string();
    chosen_models(&settings(
        "",
        &[("model.name", model), ("model.vocabulary", &file)],
    ))
}

#[test]
fn vocabulary_file_counts_for_models_that_are_estimated() {
    let sandbox = with_vocabulary();
    for (model, file) in [
        ("grok-4", "../v/tokenizer.json"),
        ("grok-4", "../v"),
        ("nobody-knows", "../v"),
    ] {
        let found = counting(&sandbox, model, file).unwrap();
        let tokenizer = found[0].model.tokenizer;
        assert!(tokenizer.is_exact(), "{model}");
        assert_eq!(tokenizer.count("ab ab\n").likely(), 4, "{model}");
    }
    // Next to a model that is counted exactly, the file is for the other one.
    let both = counting(&sandbox, "gpt-5,grok-4", "../v").unwrap();
    assert_eq!(both[0].model.tokenizer.name(), "o200k_base");
    assert_eq!(both[1].model.tokenizer.count("ab ab\n").likely(), 4);
}

/// A file of a config file may be meant for another model: the user gets a note.
#[test]
fn vocabulary_of_a_config_file_for_another_model_is_a_note() {
    let sandbox = with_vocabulary();
    let file = sandbox.path("../v").display().to_string();
    let text = format!("[model]\nvocabulary = '{file}'\n");
    let from_file = chosen_models(&settings(&text, &[("model.name", "llama-3")])).unwrap();
    assert!(!from_file[0].model.tokenizer.is_exact());
    assert!(
        from_file[0].notes[0].contains("llama-3 is estimated"),
        "{:?}",
        from_file[0].notes
    );
    let unused = chosen_models(&settings(&text, &[("model.name", "gpt-5")])).unwrap();
    assert_eq!(unused[0].model.tokenizer.name(), "o200k_base");
    assert!(counting(&sandbox, "llama-3", "../v").is_err());
}

#[test]
fn unusable_vocabulary_files_are_errors_with_the_reason() {
    let sandbox = with_vocabulary();
    let mut unigram = tokenizer();
    unigram["model"]["type"] = json!("Unigram");
    sandbox
        .write("../unigram.json", unigram.to_string())
        .write("../text", "some words\n")
        .write("../cut.json", &tokenizer().to_string()[..500]);
    let huge = std::fs::File::create(sandbox.path("../huge")).unwrap();
    huge.set_len(65 << 20).unwrap();
    for (model, file, part) in [
        ("gpt-5", "../v", "o200k_base is not read from a file"),
        ("sonnet", "../v", "claude-4.7 is not read from a file"),
        (
            "llama-3",
            "../v",
            "the vocabulary of llama3 has about 128,000",
        ),
        (
            "grok-4",
            "../unigram.json",
            "cannot be used as a vocabulary",
        ),
        ("grok-4", "../text", "cannot be used as a vocabulary"),
        ("grok-4", "../cut.json", "cannot be used as a vocabulary"),
        ("grok-4", "../huge", "expected at most"),
        ("grok-4", "../none", "cannot read"),
        ("grok-4", "../home", "has none of tokenizer.json"),
        ("grok-4", "/dev/null", "cannot read"),
    ] {
        let error = counting(&sandbox, model, file).unwrap_err();
        let ConfigError::Vocabulary { origin, source } = error else {
            panic!("{error}");
        };
        assert_eq!(origin, "flag --vocabulary", "{file}");
        assert!(source.to_string().contains(part), "{file}: {source}");
    }
}

/// A changed file is read again, an unchanged one is not.
#[test]
fn vocabulary_is_read_again_if_its_file_changed() {
    let sandbox = with_vocabulary();
    let count = || {
        counting(&sandbox, "grok-4", "../v").unwrap()[0]
            .model
            .tokenizer
            .count("ab")
            .likely()
    };
    assert_eq!((count(), count()), (1, 1));
    let mut other = tokenizer();
    other["model"]["vocab"]
        .as_object_mut()
        .unwrap()
        .remove("ab");
    other["model"]["merges"] = json!([]);
    sandbox.write("../v/tokenizer.json", other.to_string());
    assert_eq!(count(), 2);
}

const CHILD: &str = "models::files_of_the_hugging_face_cache_are_listed_by_kind";

#[test]
fn files_of_the_hugging_face_cache_are_listed_by_kind() {
    let listed = |kind: FileKind| {
        let paths = vocabulary_files(kind).into_iter();
        paths
            .map(|path| path.display().to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    if is_child(CHILD) {
        println!("llama3={}", listed(FileKind::Llama3));
        println!("llama2={}", listed(FileKind::Llama2));
        println!("kimi={}", listed(FileKind::Kimi));
        return;
    }
    let sandbox = Sandbox::new();
    let put = |hub: &str, name: &str| {
        sandbox.write(format!("{hub}/{name}"), "{}");
        sandbox.path(hub).join(name)
    };
    let told = |variables: &[(&str, &str)], kind: &str| {
        let text = in_home(&sandbox, CHILD, variables).ok();
        let line = text
            .lines()
            .find_map(|line| line.split_once(&format!("{kind}=")));
        line.unwrap().1.replace("work/../home", "home")
    };
    assert_eq!(told(&[], "llama3"), "");
    let hub = "../home/.cache/huggingface/hub";
    let llama = put(
        hub,
        "models--meta-llama--Llama-3.1-8B/snapshots/0e9e/tokenizer.json",
    );
    put(
        hub,
        "models--meta-llama--Llama-3.1-8B/snapshots/0e9e/tokenizer.model",
    );
    put(
        hub,
        "models--moonshotai--Kimi-K2/snapshots/a/tokenizer.json",
    );
    let kimi = put(
        hub,
        "models--moonshotai--Kimi-K2/snapshots/b/tiktoken.model",
    );
    let shown =
        |path: std::path::PathBuf| path.display().to_string().replace("work/../home", "home");
    assert_eq!(told(&[], "llama3"), shown(llama));
    assert_eq!(told(&[], "llama2"), "");
    assert_eq!(told(&[], "kimi"), shown(kimi));
    let other = sandbox.path("../hub").display().to_string();
    let llama2 = put(
        "../hub",
        "models--codellama--CodeLlama-7b/snapshots/1/tokenizer.model",
    );
    assert_eq!(told(&[("HF_HUB_CACHE", &other)], "llama2"), shown(llama2));
    assert_eq!(told(&[("HF_HUB_CACHE", &other)], "llama3"), "");
}
