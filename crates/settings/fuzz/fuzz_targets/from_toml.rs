//! Any text is parsed as a settings file or rejected with messages; parsed settings are listed, and
//! the listing parses to the same settings.
//!
//! Run with `cargo +nightly fuzz run from_toml` in the parent directory.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_settings::{FileOrigin, Layer, resolve};

fuzz_target!(|text: &str| {
    for file in [
        FileOrigin::user("user"),
        FileOrigin::repository("repository"),
    ] {
        match Layer::from_toml(&file, text) {
            Ok(layer) => reads_back(layer),
            Err(problems) => {
                assert!(!problems.is_empty());
                problems.iter().for_each(|problem| {
                    assert!(!problem.to_string().chars().any(char::is_control));
                });
            }
        }
    }
});

fn reads_back(layer: Layer) {
    let resolved = resolve([layer]);
    let lines = resolved
        .list()
        .map(|listed| format!("{} = {}\n", listed.setting.key, listed.toml));
    let text: String = lines.collect();
    let again = Layer::from_toml(&FileOrigin::user("again"), &text).expect("a listing reads back");
    let again = resolve([again]);
    for (first, second) in resolved.list().zip(again.list()) {
        assert_eq!(first.toml, second.toml);
    }
}
