//! The steps of a `tokenizer.json` before the model: known ones are recognised, others are rejected
//! by name.

use serde_json::Value;

use super::document::Head;
use crate::load::error::LoadError;
use crate::model::{Split, TextForm};
use crate::spm::Front;

/// Method to prepare and split a text.
pub(super) enum Steps {
    /// Bytes, in pieces that a pattern splits off.
    Bytes { split: Split, form: TextForm },
    /// Characters, with U+2581 for spaces.
    Characters { front: Front },
}

const BLANK: &str = "\u{2581}";
const NORMALIZERS: &str = "none, NFC, or U+2581 for spaces";
const PRE_TOKENIZERS: &str = "ByteLevel with a known pattern, or Metaspace";

/// Patterns of bytes as files write them.
const PATTERNS: &[(&str, Split)] = &[
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        Split::Llama3,
    ),
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        Split::Qwen,
    ),
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        Split::O200k,
    ),
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        Split::Tekken,
    ),
];

/// Patterns of DeepSeek V3, applied one after the other.
const DEEPSEEK: [&str; 3] = [
    r"\p{N}{1,3}",
    "[一-龥぀-ゟ゠-ヿ]+",
    r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"##,
];

/// Effect of a normalizer.
enum Normal {
    Nothing,
    Nfc,
    Blanks(Front),
}

impl Steps {
    /// Recognises the steps of a file.
    ///
    /// # Errors
    /// Returns an error with the name of the first unknown step.
    pub(super) fn recognize(head: &Head<'_>) -> Result<Self, LoadError> {
        let normal = normal(&head.normalizer()?)?;
        let splitting = head.pre_tokenizer()?;
        let list = listed(&splitting, "pretokenizers");
        if let [metaspace] = list[..]
            && kind(metaspace) == "Metaspace"
        {
            return match normal {
                Normal::Nothing => self::metaspace(metaspace),
                _ => Err(refused_pre(metaspace)),
            };
        }
        match normal {
            Normal::Blanks(front) => {
                // The text has no spaces left to split at.
                let odd = list.iter().find(|step| !is_split_at_space(step));
                match odd {
                    Some(step) => Err(refused_pre(step)),
                    None => Ok(Self::Characters { front }),
                }
            }
            Normal::Nothing => bytes(&list, TextForm::AsIs),
            Normal::Nfc => bytes(&list, TextForm::Nfc),
        }
    }
}

fn normal(step: &Value) -> Result<Normal, LoadError> {
    let list = listed(step, "normalizers");
    let blanks = |step: &Value| {
        kind(step) == "Replace" && step["pattern"]["String"] == " " && step["content"] == BLANK
    };
    let front = |step: &Value| kind(step) == "Prepend" && step["prepend"] == BLANK;
    match list[..] {
        [] => Ok(Normal::Nothing),
        [one] if kind(one) == "NFC" => Ok(Normal::Nfc),
        [one] if blanks(one) => Ok(Normal::Blanks(Front::Bare)),
        [first, second] if front(first) && blanks(second) => Ok(Normal::Blanks(Front::Spaced)),
        _ => {
            let known = |step: &Value| kind(step) == "NFC" || front(step) || blanks(step);
            let odd = list.iter().find(|step| !known(step));
            let found = odd.map_or_else(|| "Sequence".to_owned(), |step| describe(step));
            Err(LoadError::unsupported("the normalizer", found, NORMALIZERS))
        }
    }
}

fn metaspace(step: &Value) -> Result<Steps, LoadError> {
    let splits = step
        .get("split")
        .is_some_and(|split| split != &Value::Bool(false));
    // Files that predate the option `split` always split.
    if step["replacement"] != BLANK || splits || step.get("split").is_none() {
        return Err(refused_pre(step));
    }
    let front = match step["prepend_scheme"].as_str() {
        Some("never") => Front::Bare,
        Some("first" | "always") => Front::OneSpace,
        _ => return Err(refused_pre(step)),
    };
    Ok(Steps::Characters { front })
}

fn bytes(list: &[&Value], form: TextForm) -> Result<Steps, LoadError> {
    let refused = |step: Option<&&Value>| match step {
        Some(step) => Err(refused_pre(step)),
        None => Err(LoadError::unsupported(
            "the pre-tokenizer",
            "none",
            PRE_TOKENIZERS,
        )),
    };
    let Some((last, splits)) = list.split_last() else {
        return refused(None);
    };
    let is_plain = kind(last) == "ByteLevel" && last["add_prefix_space"] == false;
    if !is_plain {
        return refused(Some(last));
    }
    // Files that predate the option always used it.
    let by_itself = last
        .get("use_regex")
        .is_none_or(|choice| choice == &Value::Bool(true));
    if by_itself {
        return match splits {
            [] => Ok(Steps::Bytes {
                split: Split::Gpt2,
                form,
            }),
            [digits] if is_each_digit(digits) => Ok(Steps::Bytes {
                split: Split::CommandR,
                form,
            }),
            _ => refused(splits.first()),
        };
    }
    let mut patterns = Vec::new();
    for step in splits {
        let pattern = isolated(step).ok_or_else(|| refused_pre(step))?;
        // Some files contain the characters themselves.
        patterns.push(pattern.replace('\r', r"\r").replace('\n', r"\n"));
    }
    let known = match &patterns[..] {
        [one] => PATTERNS
            .iter()
            .find(|(pattern, _)| *pattern == one)
            .map(|(_, split)| *split),
        _ => (patterns == DEEPSEEK).then_some(Split::DeepSeek),
    };
    match known {
        Some(split) => Ok(Steps::Bytes { split, form }),
        None => {
            let pattern = patterns.concat();
            Err(LoadError::unsupported(
                "the pattern",
                pattern,
                "a known one, as in Llama 3, Qwen or GPT-4o",
            ))
        }
    }
}

/// Returns the pattern of a step that isolates its matches.
fn isolated(step: &Value) -> Option<&str> {
    let plain = kind(step) == "Split"
        && step["behavior"] == "Isolated"
        && step
            .get("invert")
            .is_none_or(|invert| invert == &Value::Bool(false));
    step["pattern"]["Regex"].as_str().filter(|_| plain)
}

fn is_each_digit(step: &Value) -> bool {
    kind(step) == "Digits" && step["individual_digits"] == true
}

fn is_split_at_space(step: &Value) -> bool {
    kind(step) == "Split" && step["pattern"]["String"] == " "
}

/// Returns the steps of a sequence, or the single step.
fn listed<'a>(step: &'a Value, name: &str) -> Vec<&'a Value> {
    if step.is_null() {
        return Vec::new();
    }
    match step.get(name).and_then(Value::as_array) {
        Some(list) if kind(step) == "Sequence" => list.iter().collect(),
        _ => vec![step],
    }
}

fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or("")
}

fn refused_pre(step: &Value) -> LoadError {
    LoadError::unsupported("the pre-tokenizer", describe(step), PRE_TOKENIZERS)
}

/// Describes a step for an error message: its type, and all of it if it has other fields.
fn describe(step: &Value) -> String {
    let rest = step.as_object().map_or(0, serde_json::Map::len);
    match kind(step) {
        "" => step.to_string(),
        name if rest < 2 => name.to_owned(),
        _ => step.to_string(),
    }
}
