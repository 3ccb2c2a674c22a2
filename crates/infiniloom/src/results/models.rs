//! A model of the registry: limits, tokenizer, prices, cache rules and their sources.

use loom_host::file_kind;
use loom_models::{CacheRule, Model, ModelMatch, Price, Source, Tier};
use loom_wire::{CacheInfo, ModelInfo, PriceInfo, SourceInfo};

/// Describes a model that the caller requested by `name`.
pub fn match_info(name: &str, found: &ModelMatch<'_>) -> ModelInfo {
    ModelInfo {
        asked: Some(name.to_owned()),
        matched: Some(found.fit.name().to_owned()),
        ..info(found.model)
    }
}

/// Describes a model of the registry.
pub fn info(model: &Model) -> ModelInfo {
    let kind = match model.is_vocabulary() {
        true => "vocabulary",
        false => "model",
    };
    let modalities = model.modalities.iter();
    ModelInfo {
        name: model.name.clone(),
        kind: kind.to_owned(),
        asked: None,
        matched: None,
        vendor: model.vendor.clone(),
        tokenizer: model.tokenizer.name().to_owned(),
        estimated: !model.tokenizer.is_exact(),
        vocabulary_file: file_kind(model.tokenizer).map(|kind| kind.files().to_owned()),
        window: model.limits.window,
        input: model.limits.input,
        output: model.limits.output,
        effective_budget: model.limits.effective_budget(),
        modalities: modalities
            .map(|modality| modality.name().to_owned())
            .collect(),
        prices: model.prices.tiers().iter().map(price).collect(),
        cache: model.cache.as_ref().map(cache),
        deprecated: model.deprecated.clone(),
        sources: model.sources.iter().map(source).collect(),
    }
}

fn price(tier: &Tier) -> PriceInfo {
    let dollars = |price: Option<Price>| price.map(Price::dollars_per_million);
    PriceInfo {
        above: tier.above,
        input: dollars(tier.rates.input),
        output: dollars(tier.rates.output),
        cache_read: dollars(tier.rates.cache_read),
        cache_write: dollars(tier.rates.cache_write),
        cache_write_hour: dollars(tier.rates.cache_write_hour),
    }
}

fn cache(rule: &CacheRule) -> CacheInfo {
    CacheInfo {
        kind: rule.kind.name().to_owned(),
        least: rule.least,
        step: rule.step,
        marks: rule.marks,
        look_back: rule.look_back,
        lifetimes: rule.lifetimes.clone(),
    }
}

fn source(source: &Source) -> SourceInfo {
    SourceInfo {
        facts: source.facts.to_owned(),
        date: source.date.clone(),
        title: source.title.clone(),
    }
}
