//! Selects entries of the source file, and names them.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde_json::{Map, Value};

use super::facts::{Facts, Pricing, dated};
use super::table;

type Models = BTreeMap<String, Facts>;

/// Returns the models that `selection` lists, by our names.
pub(crate) fn models(selection: &str, entries: &Map<String, Value>) -> Result<Models> {
    let rules: Vec<Vec<&str>> = table::rows(selection).collect();
    let skips: Vec<&str> = rules
        .iter()
        .filter(|rule| rule[0] == "skip")
        .map(|rule| rule[1])
        .collect();
    let mut models = Models::new();
    for rule in &rules {
        match rule[..] {
            ["provider", provider, start, prices] => {
                for (name, facts) in of_provider(entries, provider, start, pricing(prices)) {
                    if !skips.iter().any(|skip| name.starts_with(skip)) {
                        models.entry(name).or_insert(facts);
                    }
                }
            }
            ["key", key, name, prices] => {
                let Some(facts) = entries
                    .get(key)
                    .and_then(|entry| Facts::read(entry, pricing(prices)))
                else {
                    bail!("the source has no limits for {key}");
                };
                models.insert(name.to_owned(), facts);
            }
            ["skip", ..] => {}
            _ => bail!("a rule of four columns is expected: {rule:?}"),
        }
    }
    Ok(models)
}

fn pricing(column: &str) -> Pricing {
    if column == "no" {
        Pricing::Hosts
    } else {
        Pricing::Own
    }
}

fn of_provider<'a>(
    entries: &'a Map<String, Value>,
    provider: &'a str,
    start: &'a str,
    pricing: Pricing,
) -> impl Iterator<Item = (String, Facts)> + 'a {
    let chats = entries.iter().filter(move |(_, entry)| {
        entry["litellm_provider"] == provider
            && (entry["mode"] == "chat" || entry["mode"] == "responses")
    });
    chats.filter_map(move |(key, entry)| {
        let name = key.strip_prefix(start).unwrap_or(key).to_lowercase();
        Some((name, Facts::read(entry, pricing)?))
    })
}

/// Removes redundant dated and preliminary names: such a name resolves to its longest prefix. A
/// model with dated names only gets its name without the date.
pub(crate) fn distinct(models: &Models) -> Models {
    let mut kept = Models::new();
    for (name, facts) in undated(models) {
        let parents = kept.iter().filter(|(parent, _)| is_version(&name, parent));
        let parent = parents.max_by_key(|(parent, _)| parent.len());
        if parent.is_none_or(|(_, known)| !same(known, &facts)) {
            kept.insert(name, facts);
        }
    }
    kept
}

/// The end-of-life date of a version is not a reason to list it.
fn same(a: &Facts, b: &Facts) -> bool {
    let mut a = a.clone();
    a.deprecated.clone_from(&b.deprecated);
    a == *b
}

/// Matches `model-2025-01-01`, `model-001`, `model-latest`: not separate models.
fn is_version(name: &str, parent: &str) -> bool {
    let rest = name
        .strip_prefix(parent)
        .and_then(|rest| rest.strip_prefix('-'));
    let is_mark = |word: &str| {
        matches!(word, "latest" | "preview" | "beta")
            || word.len() > 1 && word.chars().all(|c| c.is_ascii_digit())
    };
    rest.is_some_and(|rest| rest.split('-').all(is_mark))
}

fn undated(models: &Models) -> Models {
    let mut named = Models::new();
    for (name, facts) in models {
        let bare = without_date(name);
        let known = models.contains_key(bare) && bare != name;
        let name = if known { name } else { bare };
        named.insert(name.to_owned(), facts.clone());
    }
    named
}

/// Returns the name without a trailing date.
fn without_date(name: &str) -> &str {
    let ends = name.match_indices('-').map(|(at, _)| &name[..at]);
    ends.into_iter()
        .find(|start| dated(name, start))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entries() -> Map<String, Value> {
        let entry = |output: u64| json!({"litellm_provider": "a", "mode": "chat", "max_input_tokens": 9, "max_output_tokens": output});
        let mut entries = Map::new();
        for (name, output) in [
            ("a/one", 1),
            ("a/one-2025-01-01", 1),
            ("a/one-mini", 1),
            ("a/one-latest", 1),
            ("a/one-pro", 2),
            ("a/two-20250101", 3),
            ("a/ft:one", 1),
        ] {
            entries.insert(name.to_owned(), entry(output));
        }
        entries
    }

    #[test]
    fn redundant_names_are_removed() {
        let selection = "provider\ta\ta/\tyes\nskip\tft:\t-\t-\nkey\ta/one\tuno\tno\n";
        let models = distinct(&models(selection, &entries()).unwrap());
        let names: Vec<_> = models.keys().collect();
        assert_eq!(names, ["one", "one-mini", "one-pro", "two", "uno"]);
    }

    #[test]
    fn missing_key_is_an_error() {
        assert!(models("key\tb/none\tnone\tno\n", &entries()).is_err());
    }
}
