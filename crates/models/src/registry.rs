//! The models by name. A name matches the longest entry that it starts with, so
//! that dated versions find their family; a vocabulary's own name is a model too.

use loom_tokens::Vocabulary;

/// A model, as far as a context has to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// The name, or the start of the names, of this model.
    pub name: &'static str,
    /// How it counts.
    pub vocabulary: Vocabulary,
    /// How many tokens fit into its context window.
    pub window: usize,
}

/// OpenAI's documentation of models, as collected in LiteLLM's
/// `model_prices_and_context_window.json` of 2026-08-08: `max_input_tokens`.
const MODELS: &[Model] = &[
    model("gpt-3.5-turbo", Vocabulary::Cl100kBase, 16_385),
    model("gpt-4", Vocabulary::Cl100kBase, 8_192),
    model("gpt-4-turbo", Vocabulary::Cl100kBase, 128_000),
    model("gpt-4.1", Vocabulary::O200kBase, 1_047_576),
    model("gpt-4o", Vocabulary::O200kBase, 128_000),
    *DEFAULT,
    model("o1", Vocabulary::O200kBase, 200_000),
    model("o3", Vocabulary::O200kBase, 200_000),
    model("o4-mini", Vocabulary::O200kBase, 200_000),
    model("gpt-oss", Vocabulary::O200kHarmony, 131_072),
    model("o200k_base", Vocabulary::O200kBase, 200_000),
    model("o200k_harmony", Vocabulary::O200kHarmony, 131_072),
    model("cl100k_base", Vocabulary::Cl100kBase, 128_000),
    model("p50k_base", Vocabulary::P50kBase, 4_097),
    model("r50k_base", Vocabulary::R50kBase, 2_049),
];

/// The model that is meant where none is named.
pub const DEFAULT: &Model = &model("gpt-5", Vocabulary::O200kBase, 272_000);

const fn model(name: &'static str, vocabulary: Vocabulary, window: usize) -> Model {
    Model {
        name,
        vocabulary,
        window,
    }
}

/// Every known model, ordered as lists show them.
pub fn all() -> &'static [Model] {
    MODELS
}

/// A name that no entry of the registry matches.
#[derive(Debug, thiserror::Error)]
#[error("unknown model {name:?}")]
pub struct UnknownModel {
    name: String,
    nearest: Option<&'static str>,
}

impl UnknownModel {
    /// What the user may have meant, or what there is.
    pub fn hint(&self) -> String {
        match self.nearest {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => {
                let names: Vec<_> = MODELS.iter().map(|model| model.name).collect();
                format!("models with a public tokenizer: {}", names.join(", "))
            }
        }
    }
}

/// The entry with the longest name that `name` starts with, a vendor's prefix
/// (`openai/`) left aside.
///
/// # Errors
/// When there is none; the error suggests the nearest name.
pub fn resolve(name: &str) -> Result<&'static Model, UnknownModel> {
    let lower = name.to_ascii_lowercase();
    let bare = lower.rsplit('/').next().unwrap_or(&lower);
    let known = MODELS
        .iter()
        .filter(|model| is_version_of(bare, model.name));
    known
        .max_by_key(|model| model.name.len())
        .ok_or_else(|| UnknownModel {
            name: name.to_owned(),
            nearest: nearest(bare),
        })
}

/// `gpt-4o-2024-08-06` is a `gpt-4o`; `gpt-4omega` is not.
fn is_version_of(name: &str, family: &str) -> bool {
    let rest = name.strip_prefix(family);
    rest.is_some_and(|rest| rest.is_empty() || !rest.starts_with(|c: char| c.is_alphanumeric()))
}

fn nearest(name: &str) -> Option<&'static str> {
    let distance = |model: &Model| strsim::damerau_levenshtein(name, model.name);
    let best = MODELS.iter().min_by_key(|model| distance(model))?;
    (distance(best) * 3 <= best.name.len()).then_some(best.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_people_type_them() {
        for (typed, name) in [
            ("gpt-4o", "gpt-4o"),
            ("GPT-4o-mini", "gpt-4o"),
            ("openai/gpt-4o-2024-08-06", "gpt-4o"),
            ("gpt-4", "gpt-4"),
            ("gpt-4-turbo-preview", "gpt-4-turbo"),
            ("gpt-4.1-nano", "gpt-4.1"),
            ("gpt-5.2", "gpt-5"),
            ("o3-mini", "o3"),
            ("cl100k_base", "cl100k_base"),
            ("gpt-oss-120b", "gpt-oss"),
        ] {
            assert_eq!(resolve(typed).unwrap().name, name, "{typed}");
        }
    }

    #[test]
    fn every_vocabulary_is_a_model() {
        for vocabulary in Vocabulary::ALL {
            let model = resolve(vocabulary.name()).unwrap();
            assert_eq!(model.vocabulary, *vocabulary);
        }
    }

    #[test]
    fn unknown_names_get_a_hint() {
        assert_eq!(resolve("gpt4o").unwrap_err().hint(), "did you mean gpt-4o?");
        assert!(resolve("banana").unwrap_err().hint().contains("gpt-5"));
    }
}
