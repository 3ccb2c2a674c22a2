//! Checks that the settings match the options of the engine.

use loom_syntax::{Level, PreservedKind};

use super::*;

#[test]
fn every_format_of_the_settings_can_be_rendered() {
    let setting = loom_settings::setting("pack.format").unwrap();
    let declared: Vec<_> = setting
        .shape
        .choices()
        .iter()
        .map(|choice| choice.name)
        .collect();
    let rendered: Vec<_> = Format::ALL.iter().map(|(name, _)| *name).collect();
    assert_eq!(declared, rendered);
}

/// The settings use the same words as the crate that compresses.
#[test]
fn every_word_of_compression_is_known() {
    let words = |key: &str| -> Vec<&str> {
        let choices = loom_settings::setting(key).unwrap().shape.choices();
        choices.iter().map(|choice| choice.name).collect()
    };
    let levels: Vec<_> = Level::ALL.iter().map(|level| level.name()).collect();
    assert_eq!(words("pack.compress"), levels);
    let kept: Vec<_> = PreservedKind::ALL.iter().map(|(name, _)| *name).collect();
    assert_eq!(words("pack.preserve"), kept);
}

#[test]
fn every_strategy_of_the_settings_is_known() {
    let setting = loom_settings::setting("chunk.strategy").unwrap();
    for choice in setting.shape.choices() {
        assert!(
            Strategy::from_name(choice.name).is_some(),
            "{}",
            choice.name
        );
    }
    let options = chunk_options(&resolve([])).unwrap();
    assert_eq!(options, ChunkOptions::default());
}

#[test]
fn both_defaults_agree() {
    let resolved = resolve([]);
    let from_settings = pack_options(&resolved, &[]).unwrap();
    let built_in = PackOptions::default();
    assert_eq!(from_settings.max_file_size, built_in.max_file_size);
    assert_eq!(from_settings.format, built_in.format);
    assert_eq!(from_settings.model, built_in.model);
    assert_eq!(from_settings.line_numbers, built_in.line_numbers);
    assert_eq!(from_settings.max_memory, built_in.max_memory);
}
