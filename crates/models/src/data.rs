//! Parses the tables of `data/` into models. An invalid row is skipped and reported as a problem; a
//! test fails on any problem.

use std::collections::HashMap;
use std::str::FromStr;

use loom_tokens::Tokenizer;

use crate::name::{begins, key};
use crate::table::{optional, rows};
use crate::{CacheKind, CacheRule, Limits, Modality, Model, Price, Prices, Rates, Source, Tier};

/// Parsed models and aliases, and the rows that are invalid.
#[derive(Default)]
pub(crate) struct Data {
    pub(crate) models: Vec<Model>,
    /// Each alias with the name of its model.
    pub(crate) aliases: Vec<(String, String)>,
    pub(crate) problems: Vec<String>,
}

/// Texts of the tables.
pub(crate) struct Texts<'a> {
    pub(crate) models: &'a str,
    pub(crate) families: &'a str,
    pub(crate) caches: &'a str,
    pub(crate) aliases: &'a str,
    pub(crate) vocabularies: &'a str,
    pub(crate) sources: &'a str,
}

pub(crate) const TEXTS: Texts<'static> = Texts {
    models: include_str!("../data/models.tsv"),
    families: include_str!("../data/families.tsv"),
    caches: include_str!("../data/caches.tsv"),
    aliases: include_str!("../data/aliases.tsv"),
    vocabularies: include_str!("../data/vocabularies.tsv"),
    sources: include_str!("../data/sources.tsv"),
};

/// Common facts of all names with the same start.
struct Family<'a> {
    start: String,
    vendor: &'a str,
    tokenizer: Tokenizer,
    source: &'a str,
    cache: Option<&'a CacheRule>,
}

impl Data {
    /// Parses the tables.
    pub(crate) fn read(texts: &Texts<'_>) -> Self {
        let mut problems = Vec::new();
        let mut bad = |line: &str| problems.push(line.to_owned());
        let sources = rows::<3>(texts.sources, &mut bad);
        let sources: HashMap<_, _> = sources
            .into_iter()
            .map(|[key, date, title]| (key, (date, title)))
            .collect();
        let caches = rows::<8>(texts.caches, &mut bad);
        let caches: HashMap<_, _> = caches
            .into_iter()
            .filter_map(|row| {
                cache_rule(row).or_else(|| {
                    bad(&row.join("\t"));
                    None
                })
            })
            .collect();
        let families: Vec<Family<'_>> = rows::<5>(texts.families, &mut bad)
            .into_iter()
            .filter_map(|row| {
                family(row, &caches).or_else(|| {
                    bad(&row.join("\t"));
                    None
                })
            })
            .collect();
        let mut models = Vec::new();
        for row in rows::<9>(texts.models, &mut bad) {
            match model(row, &families, &sources) {
                Some(model) => models.push(model),
                None => bad(&row.join("\t")),
            }
        }
        for row in rows::<4>(texts.vocabularies, &mut bad) {
            match vocabulary(row, &sources) {
                Some(model) => models.push(model),
                None => bad(&row.join("\t")),
            }
        }
        let aliases = rows::<2>(texts.aliases, &mut bad);
        let owned = |[alias, name]: [&str; 2]| (alias.to_owned(), name.to_owned());
        Self {
            models,
            aliases: aliases.into_iter().map(owned).collect(),
            problems,
        }
    }
}

type Sources<'a> = HashMap<&'a str, (&'a str, &'a str)>;

fn number<T: FromStr>(column: &str) -> Option<Option<T>> {
    match optional(column) {
        None => Some(None),
        Some(column) => column.parse().ok().map(Some),
    }
}

fn cache_rule(row: [&str; 8]) -> Option<(&str, CacheRule)> {
    let [rule, kind, least, step, marks, look_back, lifetimes, source] = row;
    let lifetimes = optional(lifetimes)
        .into_iter()
        .flat_map(|list| list.split(','));
    let kind = match kind {
        "automatic" => CacheKind::Automatic,
        "marked" => CacheKind::Marked,
        _ => return None,
    };
    let rule = (
        rule,
        CacheRule {
            kind,
            least: number(least)?,
            step: number(step)?,
            marks: number(marks)?,
            look_back: number(look_back)?,
            lifetimes: lifetimes
                .map(|seconds| seconds.parse().ok())
                .collect::<Option<_>>()?,
            source: source.to_owned(),
        },
    );
    Some(rule)
}

fn family<'a>(row: [&'a str; 5], caches: &'a HashMap<&str, CacheRule>) -> Option<Family<'a>> {
    let [start, vendor, tokenizer, source, cache] = row;
    let cache = match optional(cache) {
        None => None,
        Some(rule) => Some(caches.get(rule)?),
    };
    Some(Family {
        start: key(start),
        vendor,
        tokenizer: Tokenizer::from_name(tokenizer)?,
        source,
        cache,
    })
}

fn model(row: [&str; 9], families: &[Family<'_>], sources: &Sources<'_>) -> Option<Model> {
    let [
        name,
        window,
        input,
        output,
        tiers,
        least,
        modalities,
        deprecated,
        from,
    ] = row;
    let known = key(name);
    let family = families
        .iter()
        .filter(|family| begins(&known, &family.start));
    let family = family.max_by_key(|family| family.start.len())?;
    let mut cache = family.cache.cloned();
    if let (Some(rule), Some(least)) = (&mut cache, number(least)?) {
        rule.least = Some(least);
    }
    let mut list = Vec::new();
    for source in from.split('+') {
        list.push(source_of("limits and prices", source, sources)?);
    }
    list.push(source_of("tokenizer", family.source, sources)?);
    if let Some(rule) = &cache {
        list.push(source_of("cache", &rule.source, sources)?);
    }
    Some(Model {
        name: name.to_owned(),
        vendor: family.vendor.to_owned(),
        tokenizer: family.tokenizer,
        limits: Limits {
            window: window.parse().ok()?,
            input: number(input)?,
            output: output.parse().ok()?,
        },
        prices: prices(tiers)?,
        cache,
        modalities: modalities
            .split(',')
            .map(Modality::from_name)
            .collect::<Option<_>>()?,
        deprecated: optional(deprecated).map(ToOwned::to_owned),
        sources: list,
    })
}

fn vocabulary(row: [&str; 4], sources: &Sources<'_>) -> Option<Model> {
    let [name, window, output, source] = row;
    Some(Model {
        name: name.to_owned(),
        vendor: String::new(),
        tokenizer: Tokenizer::from_name(name)?,
        limits: Limits {
            window: window.parse().ok()?,
            input: None,
            output: output.parse().ok()?,
        },
        prices: Prices::default(),
        cache: None,
        modalities: vec![Modality::Text],
        deprecated: None,
        sources: vec![source_of("tokenizer", source, sources)?],
    })
}

fn source_of(facts: &'static str, source: &str, sources: &Sources<'_>) -> Option<Source> {
    let (date, title) = sources.get(source)?;
    Some(Source {
        facts,
        date: (*date).to_owned(),
        title: (*title).to_owned(),
    })
}

/// Parses a column of prices: `0:3/15/0.3/3.75/6 200000:6/22.5/0.6/7.5/-`.
fn prices(column: &str) -> Option<Prices> {
    let tiers = optional(column)
        .into_iter()
        .flat_map(|list| list.split(' '));
    let tiers = tiers.map(|tier| {
        let (above, prices) = tier.split_once(':')?;
        let mut prices = prices.split('/').map(|price| match optional(price) {
            None => Some(None),
            Some(price) => Price::parse(price).map(Some),
        });
        let mut next = || prices.next()?;
        let rates = Rates {
            input: next()?,
            output: next()?,
            cache_read: next()?,
            cache_write: next()?,
            cache_write_hour: next()?,
        };
        let above = above.parse().ok()?;
        Some(Tier { above, rates })
    });
    tiers.collect::<Option<Vec<_>>>().map(Prices::new)
}
