//! Converts settings into the options of a map.

use loom_engine::map::{Algorithm, Extract, MapFormat, Weights};
use loom_settings::{Map, MapAlgorithm, MapExtract, MapPreset, Settings};

use super::MapRequest;

/// Returns the options of a map. The caller decides whether to render a page for a browser.
pub fn map_request(settings: &Settings) -> MapRequest {
    let map = &settings.map;
    MapRequest {
        budget: usize::try_from(map.budget.tokens()).unwrap_or(usize::MAX),
        format: format(map),
        algorithm: match map.algorithm {
            MapAlgorithm::Hits => Algorithm::Hits,
            MapAlgorithm::Betweenness => Algorithm::Betweenness,
            _ => Algorithm::Pagerank,
        },
        weights: weights(map),
        extract: extract(map),
        ..MapRequest::default()
    }
}

fn format(map: &Map) -> MapFormat {
    use loom_settings::MapFormat as Named;
    match map.format {
        Named::Markdown => MapFormat::Markdown,
        Named::Json => MapFormat::Json,
        Named::Plain => MapFormat::Plain,
        Named::Mermaid => MapFormat::Mermaid,
        _ => MapFormat::Xml,
    }
}

fn weights(map: &Map) -> Weights {
    let preset = match map.factors {
        MapPreset::Seed => Weights::SEED,
        _ => Weights::default(),
    };
    let own = |weight: Option<loom_settings::Weight>, preset: f64| {
        weight.map_or(preset, loom_settings::Weight::value)
    };
    Weights {
        reference_count: own(map.reference_count, preset.reference_count),
        import_centrality: own(map.import_centrality, preset.import_centrality),
        modification_recency: own(map.modification_recency, preset.modification_recency),
        file_size: own(map.file_size, preset.file_size),
        test_coverage: own(map.test_coverage, preset.test_coverage),
    }
}

fn extract(map: &Map) -> Extract {
    let named = map.extract.as_slice();
    let has = |one: MapExtract| named.is_empty() || named.contains(&one);
    Extract {
        functions: has(MapExtract::Functions),
        classes: has(MapExtract::Classes),
        interfaces: has(MapExtract::Interfaces),
        types: has(MapExtract::Types),
        constants: has(MapExtract::Constants),
        imports: has(MapExtract::Imports),
    }
}
