//! Names as people type them, the data, and the limits in the specification.

use std::collections::HashSet;

use loom_tokens::{Estimator, Tokenizer, Vocabulary};

use super::*;
use crate::data::Texts;
use crate::{CacheKind, Limits, OwnModel};

#[test]
fn every_row_of_the_data_is_valid() {
    let data = Data::read(&TEXTS);
    assert_eq!(data.problems, Vec::<String>::new());
    assert!(data.models.len() > 250);
    for (alias, name) in &data.aliases {
        assert!(
            data.models.iter().any(|model| model.name == *name),
            "{alias} {name}"
        );
    }
}

#[test]
fn every_name_resolves_to_itself() {
    let mut keys = HashSet::new();
    for model in all() {
        assert_eq!(resolve(&model.name).unwrap().name, model.name);
        assert_eq!(
            resolve(&model.name.to_uppercase()).unwrap().name,
            model.name
        );
        assert!(
            keys.insert(key(&model.name)),
            "two models are {}",
            model.name
        );
        assert!(model.limits.effective_budget() > 0, "{}", model.name);
        assert!(!model.sources.is_empty(), "{}", model.name);
    }
}

/// Names as people type them, and the models that they mean.
const TYPED: &[(&str, &str)] = &[
    ("sonnet", "claude-sonnet-5"),
    ("opus", "claude-opus-5"),
    ("haiku", "claude-haiku-4-5"),
    ("Claude", "claude-sonnet-5"),
    ("sonnet-latest", "claude-sonnet-5"),
    ("claude-sonnet-4-20250514", "claude-sonnet-4"),
    ("claude-sonnet-4@20250514", "claude-sonnet-4"),
    ("claude-sonnet-4.5", "claude-sonnet-4-5"),
    ("claude-3.5-sonnet", "claude-3-5-sonnet"),
    ("claude-3-7-sonnet-latest", "claude-3-7-sonnet"),
    ("claude-opus-4-1-20250805", "claude-opus-4-1"),
    ("anthropic/claude-opus-4.7", "claude-opus-4-7"),
    (
        "openrouter/anthropic/claude-haiku-4.5:beta",
        "claude-haiku-4-5",
    ),
    (
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "claude-sonnet-4-5",
    ),
    ("anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku"),
    ("vertex_ai/claude-opus-4-6@default", "claude-opus-4-6"),
    ("gpt-4o", "gpt-4o"),
    ("gpt4o", "gpt-4o"),
    ("o4mini", "o4-mini"),
    ("GPT5mini", "gpt-5-mini"),
    ("codex", "gpt-5.3-codex"),
    ("GPT-4o-mini", "gpt-4o-mini"),
    ("openai/gpt-4o-2024-08-06", "gpt-4o"),
    ("azure/gpt-4o", "gpt-4o"),
    ("gpt-35-turbo", "gpt-3.5-turbo"),
    ("gpt-4", "gpt-4"),
    ("gpt-4-turbo-2024-04-09", "gpt-4-turbo"),
    ("gpt-4.1-nano", "gpt-4.1-nano"),
    ("gpt-5.2", "gpt-5.2"),
    ("ft:gpt-4o-mini-2024-07-18:acme::id", "gpt-4o-mini"),
    ("o3-mini", "o3-mini"),
    ("openai.gpt-oss-120b-1:0", "gpt-oss-120b"),
    ("gemini-2.5-pro", "gemini-2.5-pro"),
    ("models/gemini-2.5-flash", "gemini-2.5-flash"),
    ("gemini/gemini-3-pro", "gemini-3-pro-preview"),
    ("mistral-large-latest", "mistral-large-latest"),
    ("llama3.1:8b", "llama-3.1"),
    ("meta-llama/Llama-3.3-70B-Instruct", "llama-3.3"),
    ("us.meta.llama3-1-70b-instruct-v1:0", "llama-3.1"),
    ("Qwen/Qwen2.5-Coder-32B-Instruct", "qwen2.5-coder-32b"),
    ("deepseek/deepseek-r1:free", "deepseek-r1"),
    ("z-ai/glm-4.6", "glm-4.6"),
    ("moonshotai/kimi-k2-0905", "kimi-k2-0905-preview"),
    ("x-ai/grok-4", "grok-4"),
    ("eu.amazon.nova-lite-v1:0", "nova-lite"),
    ("cohere/command-r-plus-08-2024", "command-r-plus"),
    ("MiniMaxAI/MiniMax-M2.1", "minimax-m2.1"),
    ("us.deepseek.r1-v1:0", "deepseek-r1"),
    ("databricks/databricks-claude-sonnet-4", "claude-sonnet-4"),
    (
        "gradient_ai/anthropic-claude-3.7-sonnet",
        "claude-3-7-sonnet",
    ),
    ("Qwen/QwQ-32B", "qwq-32b"),
    ("cl100k_base", "cl100k_base"),
    ("o1-mini", "o1-mini"),
    ("o1-mini-2024-09-12", "o1-mini"),
    ("o1-preview", "o1-preview"),
    ("openai/o1", "o1"),
    ("hf:Qwen/Qwen3-8B", "qwen3-8b"),
    ("Qwen/Qwen3-235B-A22B-Instruct-2507", "qwen3-235b-a22b"),
    ("qwen3:8b", "qwen3-8b"),
    ("qwen3:1.7b", "qwen3-1.7b"),
    ("qwen3", "qwen3-235b-a22b"),
    ("qwen2.5-coder:7b", "qwen2.5-coder-7b"),
    ("Qwen/Qwen2.5-14B-Instruct", "qwen2.5-14b"),
    ("o3-mini-high", "o3-mini"),
    ("gpt-oss:20b", "gpt-oss-20b"),
    ("gpt-oss", "gpt-oss-120b"),
    ("meta-llama/Llama-4-Scout-17B-16E-Instruct", "llama-4-scout"),
    ("google/gemma-3-12b-it", "gemma-3-12b-it"),
    ("mistralai/Mistral-7B-Instruct-v0.3", "open-mistral-7b"),
    ("mixtral:8x7b", "open-mixtral-8x7b"),
];

/// Names that only begin with a known name, and the models that they match.
const PARTS: &[(&str, &str)] = &[
    ("gpt-4o-tiny", "gpt-4o"),
    ("o1-nano", "o1"),
    ("gpt-5.6-mini", "gpt-5.6"),
    ("claude-opus-4-9", "claude-opus-4"),
    ("gemini-2.5-pro-max", "gemini-2.5-pro"),
];

#[test]
fn longer_name_is_a_partial_match_not_a_version() {
    let registry = Registry::built_in();
    for &(typed, name) in TYPED {
        let found = registry.find(typed).unwrap();
        assert_ne!(found.fit, NameMatch::Part, "{typed} is {name}");
    }
    for &(typed, name) in PARTS {
        let found = registry.find(typed).unwrap();
        assert_eq!(
            (&*found.model.name, found.fit),
            (name, NameMatch::Part),
            "{typed}"
        );
    }
    for model in all() {
        assert_eq!(registry.find(&model.name).unwrap().fit, NameMatch::Name);
    }
}

#[test]
fn another_size_is_an_unknown_model_with_a_relative() {
    for (typed, relative) in [
        ("qwen3-400b", "qwen3-235b-a22b"),
        ("gemma2:27b", "gemma-2-9b-it"),
        ("gpt-oss-7b", "gpt-oss-120b"),
    ] {
        let unknown = resolve(typed).unwrap_err();
        assert_eq!(unknown.relative(), Some(relative), "{typed}");
        let fallback = unknown.fallback();
        assert_eq!(fallback.limits, Limits::UNKNOWN);
        assert_eq!(fallback.tokenizer, resolve(relative).unwrap().tokenizer);
    }
}

#[test]
fn exact_tokenizers_have_a_source() {
    for model in all() {
        let decided = model
            .sources
            .iter()
            .find(|source| source.facts == "tokenizer" && source.title.starts_with("decided here"));
        if let Some(decided) = decided {
            assert!(!model.tokenizer.is_exact(), "{}: {decided:?}", model.name);
        }
    }
    for (name, exact) in [
        ("gemini-3.5-flash", true),
        ("gemini-3.1-pro", true),
        ("gemini-3.5-flash-lite", false),
        ("gemini-3.6-flash", false),
        ("gemini-flash-latest", false),
        ("deepseek-v4-pro", true),
        ("mistral-small-3-2-2506", true),
        ("mistral-medium-2508", false),
        ("mistral-large-2407", true),
        ("mistral-large-3", false),
        ("glm-4.7", true),
        ("glm-5", false),
    ] {
        assert_eq!(resolve(name).unwrap().tokenizer.is_exact(), exact, "{name}");
    }
}

#[test]
fn typed_names_find_their_model() {
    for &(typed, name) in TYPED {
        assert_eq!(
            resolve(typed).map(|model| &*model.name),
            Ok(name),
            "{typed}"
        );
    }
}

#[test]
fn misspelt_names_get_a_suggestion() {
    for (typed, nearest) in [
        ("sonet", Some("sonnet")),
        ("gtp-4o", Some("gpt-4o")),
        ("gemni-2.5-pro", Some("gemini-2.5-pro")),
        ("cluade-opus-5", Some("claude-opus-5")),
        ("deepsek-r1", Some("deepseek-r1")),
        ("gpt-4oo", Some("gpt-4o")),
        ("gpt-6", Some("gpt-5.6")),
        ("gpt-4.5", Some("gpt-4.1")),
        ("claude-opus-6", Some("claude-opus-5")),
        ("o5", Some("o3")),
        ("banana", None),
        ("", None),
    ] {
        let unknown = resolve(typed).unwrap_err();
        assert_eq!(unknown.nearest(), nearest, "{typed}");
    }
    let unknown = resolve("sonet").unwrap_err();
    assert_eq!(unknown.hint(), "did you mean sonnet?");
    assert_eq!(unknown.fallback().limits, Limits::UNKNOWN);
}

#[test]
fn message_of_an_unknown_model_suggests_names() {
    let unknown = resolve("sonet").unwrap_err();
    assert_eq!(unknown.message(), "unknown model \"sonet\"");
    let text = unknown.to_string();
    assert!(
        text.starts_with("unknown model \"sonet\"; did you mean sonnet"),
        "{text}"
    );
    assert!(unknown.suggestions().len() <= 3);
    assert_eq!(
        resolve("banana").unwrap_err().to_string(),
        "unknown model \"banana\""
    );
    let long = resolve(&"x".repeat(1_000_000)).unwrap_err();
    assert!(long.to_string().len() < 200);
}

/// A repository's settings file chooses the name, and an edit distance costs the product of
/// both lengths.
#[test]
fn suggesting_names_for_a_long_name_compares_few_letters() {
    let registry = Registry::built_in();
    let cost_of = |name: &str| {
        let cost = std::cell::Cell::new(0);
        let distance = |one: &str, other: &str| {
            cost.set(cost.get() + one.len() * other.len());
            // The result does not matter here, and a real distance would be slow.
            usize::MAX
        };
        registry.suggestions(&forms(name), distance);
        cost.get()
    };
    let longest = registry.names.iter().map(|name| name.key.len()).max();
    let longest = longest.unwrap_or_default();
    let bound = 4 * registry.names.len() * longest * (longest + longest / 3);
    for length in [1, 10, 100, 1_000, 1_000_000] {
        for letter in ["x", "x-", "8b-", "gpt-4-"] {
            let cost = cost_of(&letter.repeat(length));
            assert!(cost <= bound, "{letter} {length}: {cost} above {bound}");
        }
    }
    assert_eq!(cost_of(&"x".repeat(1_000_000)), 0);
}

#[test]
fn every_vocabulary_is_a_model() {
    for &vocabulary in Vocabulary::ALL {
        let model = resolve(vocabulary.name()).unwrap();
        assert_eq!(model.tokenizer, Tokenizer::Exact(vocabulary));
    }
}

#[test]
fn claude_models_use_two_estimators() {
    for (name, estimator) in [
        ("claude-3-opus", Estimator::Claude3),
        ("claude-opus-4", Estimator::Claude3),
        ("claude-sonnet-4-6", Estimator::Claude3),
        ("claude-haiku-4-5", Estimator::Claude3),
        ("claude-opus-4-7", Estimator::Claude47),
        ("claude-opus-4-8", Estimator::Claude47),
        ("claude-sonnet-5", Estimator::Claude47),
        ("claude-fable-5", Estimator::Claude47),
    ] {
        let model = resolve(name).unwrap();
        assert_eq!(model.tokenizer, Tokenizer::Estimated(estimator), "{name}");
    }
}

fn dollars(model: &Model, tokens: usize) -> String {
    format!("{:.3}", model.prices.input_cost(tokens).unwrap().dollars())
}

#[test]
fn prices_and_cache_rules_are_parsed() {
    let sonnet = resolve("claude-sonnet-4").unwrap();
    let cost = |tokens| dollars(sonnet, tokens);
    assert_eq!([cost(100_000), cost(400_000)], ["0.300", "2.400"]);
    let rule = sonnet.cache.as_ref().unwrap();
    assert_eq!(
        (rule.kind, rule.least, rule.marks),
        (CacheKind::Marked, Some(1024), Some(4))
    );
    assert_eq!(rule.lifetimes, [300, 3600]);
    let haiku = resolve("haiku").unwrap().cache.as_ref().unwrap();
    assert_eq!(haiku.least, Some(4096));
    let gpt = resolve("gpt-5").unwrap().cache.as_ref().unwrap();
    assert_eq!((gpt.kind, gpt.step), (CacheKind::Automatic, Some(128)));
}

#[test]
fn descriptions_of_users_replace_known_facts() {
    let own = |name: &str, like: Option<&str>| OwnModel {
        name: name.to_owned(),
        like: like.map(ToOwned::to_owned),
        ..OwnModel::default()
    };
    let mut local = own("house-model", Some("llama-3.1"));
    local.window = Some(32_000);
    local.tokenizer = Some("cl100k_base".to_owned());
    local.input_price = Some("0.5".to_owned());
    let mut gpt = own("gpt-4o", None);
    gpt.output = Some(1_000);
    let registry = Registry::built_in().with(&[local, gpt]).unwrap();
    let found = registry.resolve("house-model").unwrap();
    assert_eq!((found.limits.window, &*found.vendor), (32_000, "meta"));
    assert_eq!(found.tokenizer, Tokenizer::Exact(Vocabulary::Cl100kBase));
    assert_eq!(dollars(found, 2_000_000), "1.000");
    // The model that it is like has a longer answer than its window, and its sources are not
    // copied.
    assert_eq!((found.limits.output, found.sources.len()), (32_000, 0));
    assert_eq!(
        registry.resolve("gpt-4o-2024-08-06").unwrap().limits.output,
        1_000
    );
    assert_eq!(resolve("gpt-4o").unwrap().limits.output, 16_384);

    let mut odd = own("x", None);
    odd.tokenizer = Some("runes".to_owned());
    let error = |own: OwnModel| Registry::built_in().with(&[own]).unwrap_err().to_string();
    assert_eq!(
        error(odd),
        "model \"x\" has the unknown tokenizer \"runes\""
    );
    assert_eq!(
        error(own("x", Some("nobody"))),
        "model \"x\" cannot be like \"nobody\""
    );
    let part = error(own("x", Some("gpt-4o-tiny")));
    assert_eq!(part, "model \"x\" cannot be like \"gpt-4o-tiny\"");
    let registry = Registry::built_in()
        .with(&[own("gpt-4o-house", None)])
        .unwrap();
    let house = registry.resolve("gpt-4o-house").unwrap();
    assert_eq!(house.limits, Limits::UNKNOWN);
    assert_eq!(error(own(" ", None)), "a model in [[models]] has no name");
    let mut long = own("x", None);
    (long.window, long.output) = (Some(1_000), Some(2_000));
    assert_eq!(
        error(long),
        "model \"x\" has output = 2000; expected at most its window, 1000"
    );
}

/// Builds a registry from the table of the specification.
fn specified() -> Registry {
    let models = [
        ("claude-opus-4", 200_000, 64_000),
        ("claude-sonnet-4", 200_000, 64_000),
        ("claude-3-5", 200_000, 64_000),
        ("claude-3", 200_000, 64_000),
        ("gpt-4o", 128_000, 16_384),
        ("gpt-4-turbo", 128_000, 4_096),
        ("gpt-4", 8_192, 4_096),
        ("gpt-3.5", 16_385, 4_096),
    ];
    let row = |(name, window, output): &(&str, usize, usize)| {
        format!("{name}\t{window}\t-\t{output}\t-\t-\ttext\t-\tseed\n")
    };
    let texts = Texts {
        models: &models.iter().map(row).collect::<String>(),
        families: "claude\ta\tclaude-3\tseed\t-\ngpt\tb\tcl100k_base\tseed\t-\n",
        sources: "seed\t2026-01-01\tthe specification\n",
        caches: "",
        aliases: "",
        vocabularies: "",
    };
    let data = Data::read(&texts);
    assert_eq!(data.problems, Vec::<String>::new());
    Registry::new(data)
}

#[test]
fn the_specified_table_gives_the_specified_budgets() {
    let registry = specified();
    for (name, family, budget) in [
        ("claude-sonnet-4-20250514", "claude-sonnet-4", 129_200),
        ("claude-opus-4-1", "claude-opus-4", 129_200),
        ("claude-3-5-sonnet-20241022", "claude-3-5", 129_200),
        ("claude-3-haiku", "claude-3", 129_200),
        ("gpt-4o-mini", "gpt-4o", 106_036),
        ("gpt-4-turbo-preview", "gpt-4-turbo", 117_709),
        ("gpt-4-0613", "gpt-4", 3_892),
        ("gpt-3.5-turbo", "gpt-3.5", 11_675),
    ] {
        let model = registry.resolve(name).unwrap();
        assert_eq!(
            (&*model.name, model.limits.effective_budget()),
            (family, budget)
        );
    }
    let unknown = registry.resolve("llama").unwrap_err().fallback();
    assert_eq!(unknown.limits.effective_budget(), 3_892);
}

/// Differences between current facts and the table of the specification: window and output,
/// specified and real.
#[test]
fn differences_from_the_specification_are_listed() {
    let mut differences = Vec::new();
    for model in specified().models() {
        let (name, real) = (&model.name, resolve(&model.name).unwrap());
        let limits = |limits: Limits| format!("{}/{}", limits.window, limits.output);
        let (specified, real) = (limits(model.limits), limits(real.limits));
        if specified != real {
            differences.push(format!("{name} {specified} {real}"));
        }
    }
    let expected = [
        "claude-opus-4 200000/64000 200000/32000",
        "claude-3-5 200000/64000 200000/8192",
        "claude-3 200000/64000 200000/4096",
    ];
    assert_eq!(differences, expected);
}
