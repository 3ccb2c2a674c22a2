//! Facts about one model: reads them from an entry of the source file, corrects them, and writes
//! them as columns.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::table;

/// Columns of a row after the name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Facts {
    window: u64,
    /// Input limit, if it is below the window.
    input: Option<u64>,
    output: u64,
    /// Prices by the number of tokens above which they apply.
    prices: BTreeMap<u64, Prices>,
    cache_least: Option<u64>,
    modalities: String,
    pub(crate) deprecated: Option<String>,
    source: String,
}

/// Input, output, cache read, cache write, cache write for an hour: dollars per million tokens.
type Prices = [Option<f64>; 5];

const PRICE_KEYS: [&str; 5] = [
    "input_cost_per_token",
    "output_cost_per_token",
    "cache_read_input_token_cost",
    "cache_creation_input_token_cost",
    "cache_creation_input_token_cost_above_1hr",
];

/// Owner of prices: the model, or each of its hosts.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Pricing {
    Own,
    Hosts,
}

impl Facts {
    /// Reads the facts of an entry; returns `None` if it has no limits.
    pub(crate) fn read(entry: &Value, pricing: Pricing) -> Option<Self> {
        let limit = |key: &str| entry[key].as_f64().map(|limit| limit as u64);
        let prices = match pricing {
            Pricing::Own => prices(entry),
            Pricing::Hosts => BTreeMap::new(),
        };
        Some(Self {
            window: limit("max_input_tokens")?,
            input: None,
            output: limit("max_output_tokens")?,
            prices,
            cache_least: limit("prompt_cache_min_tokens"),
            modalities: modalities(entry),
            deprecated: entry["deprecation_date"].as_str().map(ToOwned::to_owned),
            source: "litellm".to_owned(),
        })
    }

    fn correct(&mut self, field: &str, value: &str, source: &str) -> Result<()> {
        let number = || {
            value
                .parse()
                .with_context(|| format!("{value} is no number"))
        };
        match field {
            "window" => {
                let window = number()?;
                self.input = (self.window < window).then_some(self.window);
                self.window = window;
            }
            "input" => self.input = Some(number()?),
            "output" => self.output = number()?,
            "cache-least" => self.cache_least = Some(number()?),
            other => bail!("no field `{other}` can be corrected"),
        }
        if !self.source.contains(source) {
            self.source = format!("{}+{source}", self.source);
        }
        Ok(())
    }
}

/// Applies the corrections; each must match a model.
pub(crate) fn correct(models: &mut BTreeMap<String, Facts>, corrections: &str) -> Result<()> {
    for row in table::rows(corrections) {
        let [pattern, field, value, source] = row[..] else {
            bail!("a correction has four columns: {row:?}");
        };
        let is_meant = |name: &str| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern || dated(name, pattern),
        };
        let mut found = 0;
        for (_, facts) in models.iter_mut().filter(|(name, _)| is_meant(name)) {
            facts.correct(field, value, source)?;
            found += 1;
        }
        if found == 0 {
            bail!("the correction of {pattern} finds no model");
        }
    }
    Ok(())
}

/// Returns true if `name` is `model` plus a date: `20250514` or `2025-05-14`.
pub(crate) fn dated(name: &str, model: &str) -> bool {
    let rest = name
        .strip_prefix(model)
        .and_then(|rest| rest.strip_prefix("-20"));
    rest.is_some_and(|date| {
        let digits = date.chars().filter(char::is_ascii_digit).count();
        let dashes = date.matches('-').count();
        digits == 6 && date.len() == digits + dashes && matches!(dashes, 0 | 2)
    })
}

fn prices(entry: &Value) -> BTreeMap<u64, Prices> {
    let dollars = |value: &Value| value.as_f64().map(|dollars| dollars * 1e6);
    let mut tiers = BTreeMap::new();
    if let Some(list) = entry["tiered_pricing"].as_array() {
        for tier in list {
            let from = tier["range"][0].as_f64().unwrap_or(0.0) as u64;
            tiers.insert(from, PRICE_KEYS.map(|key| dollars(&tier[key])));
        }
        return tiers;
    }
    tiers.insert(0, PRICE_KEYS.map(|key| dollars(&entry[key])));
    for thousands in [128, 200, 256, 272, 512] {
        let above = |key: &str| dollars(&entry[format!("{key}_above_{thousands}k_tokens")]);
        let tier = PRICE_KEYS.map(above);
        if tier[0].is_some() {
            tiers.insert(thousands * 1000, tier);
        }
    }
    tiers.retain(|_, prices| {
        prices
            .iter()
            .any(|price| price.is_some_and(|price| price > 0.0))
    });
    tiers
}

fn modalities(entry: &Value) -> String {
    let named: Vec<&str> = entry["supported_modalities"]
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut found = vec!["text"];
    for (name, key) in [
        ("image", "supports_vision"),
        ("audio", "supports_audio_input"),
        ("video", "supports_video_input"),
        ("pdf", "supports_pdf_input"),
    ] {
        if named.contains(&name) || entry[key] == true {
            found.push(name);
        }
    }
    found.join(",")
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: Option<u64>| number.map_or("-".to_owned(), |n| n.to_string());
        let tier = |(from, prices): (&u64, &Prices)| {
            let prices = prices.map(|price| price.map_or("-".to_owned(), decimal));
            format!("{from}:{}", prices.join("/"))
        };
        let prices: Vec<String> = self.prices.iter().map(tier).collect();
        let prices = if prices.is_empty() {
            "-".to_owned()
        } else {
            prices.join(" ")
        };
        let (input, least) = (number(self.input), number(self.cache_least));
        let deprecated = self.deprecated.as_deref().unwrap_or("-");
        write!(
            f,
            "{}\t{input}\t{}\t{prices}\t{least}\t",
            self.window, self.output
        )?;
        write!(f, "{}\t{deprecated}\t{}", self.modalities, self.source)
    }
}

/// Formats at most six decimals, without trailing zeros.
fn decimal(dollars: f64) -> String {
    let text = format!("{dollars:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_entry_becomes_columns() {
        let entry = json!({
            "max_input_tokens": 200_000, "max_output_tokens": 64_000.0,
            "input_cost_per_token": 3e-6, "output_cost_per_token": 1.5e-5,
            "cache_read_input_token_cost": 3e-7,
            "input_cost_per_token_above_200k_tokens": 6e-6,
            "supports_vision": true, "deprecation_date": "2026-05-14",
        });
        let facts = Facts::read(&entry, Pricing::Own).unwrap();
        let expected =
            "200000\t-\t64000\t0:3/15/0.3/-/- 200000:6/-/-/-/-\t-\ttext,image\t2026-05-14\tlitellm";
        assert_eq!(facts.to_string(), expected);
        let open = Facts::read(&entry, Pricing::Hosts).unwrap();
        assert!(open.to_string().starts_with("200000\t-\t64000\t-\t"));
    }

    #[test]
    fn a_larger_window_leaves_the_input_limit() {
        let entry = json!({"max_input_tokens": 272_000, "max_output_tokens": 128_000});
        let mut models = BTreeMap::from([(
            "gpt-5".to_owned(),
            Facts::read(&entry, Pricing::Own).unwrap(),
        )]);
        correct(&mut models, "gpt-5\twindow\t400000\tdocs\n").unwrap();
        let row = models["gpt-5"].to_string();
        assert!(row.starts_with("400000\t272000\t128000\t-"), "{row}");
        assert!(row.ends_with("litellm+docs"), "{row}");
        assert!(correct(&mut models, "gpt-6\twindow\t1\tdocs\n").is_err());
    }

    #[test]
    fn dates_are_distinguished_from_versions() {
        assert!(dated("gpt-5-2025-08-07", "gpt-5"));
        assert!(dated("claude-sonnet-4-20250514", "claude-sonnet-4"));
        assert!(!dated("gpt-5-mini", "gpt-5"));
        assert!(!dated("claude-opus-4-1", "claude-opus-4"));
    }
}
