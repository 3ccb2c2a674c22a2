//! Names of models as people and providers write them, and the normalised key by which they are
//! compared.

/// Prefixes of names that providers use for regions.
const REGIONS: &[&str] = &[
    "us", "us-gov", "eu", "apac", "ap", "jp", "au", "ca", "sa", "global",
];
/// Prefixes of names that providers use for vendors, after the region.
const VENDORS: &[&str] = &[
    "amazon",
    "anthropic",
    "cohere",
    "deepseek",
    "google",
    "meta",
    "minimax",
    "mistral",
    "moonshot",
    "moonshotai",
    "openai",
    "qwen",
    "xai",
    "zai",
];

/// Prefixes of names that denote hosts.
const HOSTS: &[&str] = &["databricks", "snowflake"];

/// Normalises a name for comparison: lower case, one dash for every other character, a dash before
/// digits. `Llama3.1` and `llama-3-1` have the same key.
pub(crate) fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 4);
    for character in name.trim().chars() {
        let character = character.to_ascii_lowercase();
        let last = key.chars().next_back();
        if !character.is_alphanumeric() {
            if last.is_some_and(|last| last != '-') {
                key.push('-');
            }
            continue;
        }
        if character.is_ascii_digit() && last.is_some_and(char::is_alphabetic) {
            key.push('-');
        }
        key.push(character);
    }
    key.trim_end_matches('-').to_owned()
}

/// Returns the keys of a name with different prefixes removed: `openrouter/anthropic/`, `models/`,
/// `ft:`, `hf:`, `us.`, `anthropic.`, `databricks-`. The key without any prefix comes first.
pub(crate) fn forms(name: &str) -> Vec<String> {
    let last = name.trim().rsplit('/').next().unwrap_or(name);
    let last = last.strip_prefix("hf:").unwrap_or(last);
    // For a fine-tuned model, use its base model: `ft:gpt-4o:org::id`.
    let tuned = last.strip_prefix("ft:");
    let last = tuned.map_or(last, |tuned| tuned.split(':').next().unwrap_or(tuned));
    let placed = without(last, REGIONS);
    let made = without(placed, VENDORS);
    let mut forms = vec![key(made), key(placed), key(name)];
    if let Some((host, rest)) = made.split_once('-')
        && HOSTS
            .iter()
            .chain(VENDORS)
            .any(|known| known.eq_ignore_ascii_case(host))
    {
        // This form comes last, because names of models begin with some of the hosts:
        // `mistral-large`.
        forms.push(key(rest));
    }
    forms
}

/// Removes the first part of `name`, if it is one of `starts`.
fn without<'a>(name: &'a str, starts: &[&str]) -> &'a str {
    match name.split_once('.') {
        Some((start, rest)) if starts.iter().any(|known| known.eq_ignore_ascii_case(start)) => rest,
        _ => name,
    }
}

/// Words after the name of a model that make it a different model.
const OTHERS: &[&str] = &["fast", "distill", "mamba", "vision", "32k"];

/// Words after the name of a model that do not change its identity: how it is run, tuned, packaged
/// or currently called.
const SAME: &[&str] = &[
    "latest",
    "preview",
    "exp",
    "beta",
    "default",
    "v",
    "instruct",
    "chat",
    "it",
    "hf",
    "free",
    "nitro",
    "floor",
    "online",
    "extended",
    "thinking",
    "high",
    "low",
    "minimal",
    "xhigh",
    "maas",
    "cloud",
    "customtools",
    "gguf",
    "mlx",
    "awq",
    "gptq",
    "fp8",
    "fp",
    "fp16",
    "bf16",
    "int4",
    "4bit",
    "8bit",
    "q",
    "k",
    "m",
    "s",
];

/// Returns whether the words after `start` in `key` do not change the identity of the model. Sizes
/// count as such words.
pub(crate) fn adds_nothing(key: &str, start: &str) -> bool {
    let rest = key.strip_prefix(start).unwrap_or(key);
    let mut words = rest.split('-').filter(|word| !word.is_empty());
    if words
        .clone()
        .next()
        .is_some_and(|first| goes_on(start, first))
    {
        return false;
    }
    words.all(|word| {
        word.bytes().all(|byte| byte.is_ascii_digit()) || SAME.contains(&word) || is_size(word)
    })
}

/// Returns whether `key` names a size that `model` does not have, although `model` names a size:
/// `qwen-3-8b` and `qwen-3-235b-a-22b`.
pub(crate) fn is_other_size(key: &str, model: &str) -> bool {
    let sizes = |key| sizes(key).collect::<Vec<_>>();
    let (requested, known) = (sizes(key), sizes(model));
    !known.is_empty() && requested.iter().any(|size| !known.contains(size))
}

/// Returns the sizes in a key, each a word such as `7b`.
fn sizes(key: &str) -> impl Iterator<Item = &str> {
    key.split('-').filter(|word| is_size(word))
}

/// Returns whether a word is a size: `8b`, `270m`, `128e`.
fn is_size(word: &str) -> bool {
    let number = word.strip_suffix(['b', 'm', 'e']).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether `word` continues the version number at the end of `start`: a number of at most
/// two digits after a digit. A date is longer.
fn goes_on(start: &str, word: &str) -> bool {
    start.ends_with(|last: char| last.is_ascii_digit())
        && word.len() <= 2
        && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Removes the dashes that do not separate two numbers: `o-4-mini` and `o-4mini` become equal,
/// `gpt-4-1` and `gpt-41` do not.
pub(crate) fn squeezed(key: &str) -> String {
    let is_digit = |letter: Option<char>| letter.is_some_and(|one| one.is_ascii_digit());
    let mut squeezed = String::with_capacity(key.len());
    let mut letters = key.chars().peekable();
    while let Some(letter) = letters.next() {
        let parts_numbers =
            is_digit(squeezed.chars().next_back()) && is_digit(letters.peek().copied());
        if letter != '-' || parts_numbers {
            squeezed.push(letter);
        }
    }
    squeezed
}

/// Splits a key into its words and the numbers of its version, if it has one: `claude-opus-4-1`
/// becomes `claude opus` and 4, 1. A date is not a version.
pub(crate) fn versioned(key: &str) -> Option<(Vec<&str>, Vec<u32>)> {
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let (numbers, words): (Vec<&str>, Vec<&str>) = key.split('-').partition(is_number);
    let numbers: Option<Vec<u32>> = numbers
        .into_iter()
        .map(|number| number.parse().ok().filter(|_| number.len() <= 2))
        .collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty())?;
    (!words.is_empty()).then_some((words, numbers))
}

/// Returns whether `key` begins with the words of `start`: `gpt-4o-mini` begins with `gpt-4o`,
/// `gpt-4omega` does not.
pub(crate) fn begins(key: &str, start: &str) -> bool {
    let rest = key.strip_prefix(start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Returns whether `key` is `start` or a version of it: `gpt-4o-2024-08-06` is a `gpt-4o`,
/// `gpt-4-5` is not a `gpt-4`.
pub(crate) fn is_version(key: &str, start: &str) -> bool {
    let Some(rest) = key.strip_prefix(start) else {
        return false;
    };
    let Some(rest) = rest.strip_prefix('-') else {
        return rest.is_empty();
    };
    let word = rest.split('-').next().unwrap_or(rest);
    // The specification matches minor versions of Claude with the version before them.
    let is_later = !start.starts_with("claude") && goes_on(start, word);
    !is_later && !OTHERS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_normalise_names() {
        for (name, expected) in [
            ("GPT-4o", "gpt-4o"),
            ("Llama3.1:8b", "llama-3-1-8b"),
            ("claude-sonnet-4@20250514", "claude-sonnet-4-20250514"),
            (" qwen2.5 ", "qwen-2-5"),
            ("o1", "o-1"),
            ("--", ""),
        ] {
            assert_eq!(key(name), expected, "{name}");
        }
    }

    #[test]
    fn squeezed_keys_ignore_missing_separators() {
        for (key, expected) in [
            ("o-4-mini", "o4mini"),
            ("o-4mini", "o4mini"),
            ("gpt-4-1-mini", "gpt4-1mini"),
            ("gpt-41", "gpt41"),
        ] {
            assert_eq!(squeezed(key), expected, "{key}");
        }
        let opus = versioned("claude-opus-4-1");
        assert_eq!(opus, Some((vec!["claude", "opus"], vec![4, 1])));
        assert_eq!(versioned("gpt-4-20240806"), None);
        assert_eq!(versioned("gpt"), None);
    }

    #[test]
    fn versions_differ_from_other_models() {
        for (key, start, expected) in [
            ("gpt-4-0613", "gpt-4", true),
            ("gpt-4-5-preview", "gpt-4", false),
            ("gpt-4-32k", "gpt-4", false),
            ("deepseek-r-1-distill-llama-70-b", "deepseek-r-1", false),
            ("claude-sonnet-4-20250514", "claude-sonnet-4", true),
            ("gemini-2-5-pro-preview-05-06", "gemini-2-5-pro", true),
            ("nova-pro-v-1-0", "nova-pro", true),
        ] {
            assert_eq!(is_version(key, start), expected, "{key} {start}");
        }
    }

    #[test]
    fn some_words_make_another_model() {
        for (key, start, expected) in [
            ("gpt-4o-2024-08-06", "gpt-4o", true),
            ("gpt-4o-mini", "gpt-4o", false),
            ("claude-opus-4-20250514-v-1-0", "claude-opus-4", true),
            ("claude-opus-4-9", "claude-opus-4", false),
            ("llama-3-1-8b-instruct-q-4-k-m", "llama-3-1", true),
            ("o-1-preview", "o-1", true),
        ] {
            assert_eq!(adds_nothing(key, start), expected, "{key} {start}");
        }
        for (key, model, expected) in [
            ("qwen-3-8b", "qwen-3-235b-a-22b", true),
            ("qwen-3-235b", "qwen-3-235b-a-22b", false),
            ("llama-3-1-8b", "llama-3-1", false),
        ] {
            assert_eq!(is_other_size(key, model), expected, "{key} {model}");
        }
    }

    #[test]
    fn prefixes_of_providers_are_removed() {
        for (name, expected) in [
            ("openrouter/anthropic/claude-opus-4", "claude-opus-4"),
            ("us.anthropic.claude-opus-4-v1:0", "claude-opus-4-v-1-0"),
            ("meta.llama3-1-8b", "llama-3-1-8b"),
            ("gpt-4.1", "gpt-4-1"),
            ("ft:gpt-4o:org::id", "gpt-4o"),
            ("hf:Qwen/Qwen3-8B", "qwen-3-8b"),
            (
                "arn:aws:bedrock:us-east-1:1:inference-profile/eu.amazon.nova-pro-v1:0",
                "nova-pro-v-1-0",
            ),
        ] {
            assert_eq!(forms(name)[0], expected, "{name}");
        }
        let forms = forms("us.deepseek.r1-v1:0");
        assert_eq!(forms[1], "deepseek-r-1-v-1-0");
    }
}
