//! Names of models as people and providers write them, and the one form in which
//! they are compared.

/// Where a provider runs a model, as the first part of its name.
const REGIONS: &[&str] = &[
    "us", "us-gov", "eu", "apac", "ap", "jp", "au", "ca", "sa", "global",
];
/// Who made a model, as the next part.
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

/// Who runs it, where that is part of the name.
const HOSTS: &[&str] = &["databricks", "snowflake"];

/// The form in which names are compared: lower case, one dash for every other
/// sign, a dash before digits. `Llama3.1` and `llama-3-1` are the same.
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

/// The keys of a name, with less and less of what providers put before it:
/// `openrouter/anthropic/`, `models/`, `ft:`, `us.`, `anthropic.`, `databricks-`. The
/// barest comes first.
pub(crate) fn forms(name: &str) -> Vec<String> {
    let last = name.trim().rsplit('/').next().unwrap_or(name);
    let last = last.strip_prefix("ft:").unwrap_or(last);
    let placed = without(last, REGIONS);
    let made = without(placed, VENDORS);
    let mut forms = vec![key(made), key(placed), key(name)];
    if let Some((host, rest)) = made.split_once('-')
        && HOSTS
            .iter()
            .chain(VENDORS)
            .any(|known| known.eq_ignore_ascii_case(host))
    {
        // Last, because names of models begin with some of them: `mistral-large`.
        forms.push(key(rest));
    }
    forms
}

/// `name` without its first part, if that is one of `starts`.
fn without<'a>(name: &'a str, starts: &[&str]) -> &'a str {
    match name.split_once('.') {
        Some((start, rest)) if starts.iter().any(|known| known.eq_ignore_ascii_case(start)) => rest,
        _ => name,
    }
}

/// Words behind the name of a model that make it another one.
const OTHERS: &[&str] = &["fast", "distill", "mamba", "vision", "32k"];

/// Whether `key` begins with the words of `start`: `gpt-4o-mini` with `gpt-4o`,
/// `gpt-4omega` does not.
pub(crate) fn begins(key: &str, start: &str) -> bool {
    let rest = key.strip_prefix(start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Whether `key` is `start`, or a version of it: `gpt-4o-2024-08-06` is a `gpt-4o`,
/// and `gpt-4-5` is no `gpt-4`.
pub(crate) fn is_version(key: &str, start: &str) -> bool {
    let Some(rest) = key.strip_prefix(start) else {
        return false;
    };
    let Some(rest) = rest.strip_prefix('-') else {
        return rest.is_empty();
    };
    let word = rest.split('-').next().unwrap_or(rest);
    // A short number behind a number goes on with the version; a date is longer. The
    // specification takes minor versions of Claude for the version before them.
    let goes_on = !start.starts_with("claude")
        && start.ends_with(|last: char| last.is_ascii_digit())
        && word.len() <= 2
        && word.bytes().all(|byte| byte.is_ascii_digit());
    !goes_on && !OTHERS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
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
    fn versions_and_others() {
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
    fn what_providers_put_before_names() {
        for (name, expected) in [
            ("openrouter/anthropic/claude-opus-4", "claude-opus-4"),
            ("us.anthropic.claude-opus-4-v1:0", "claude-opus-4-v-1-0"),
            ("meta.llama3-1-8b", "llama-3-1-8b"),
            ("gpt-4.1", "gpt-4-1"),
            ("ft:gpt-4o:org::id", "gpt-4o-org-id"),
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
