//! Every result survives serialisation to JSON and back: a client that uses the types of `wire`
//! reads everything that the library writes.

use std::fmt::Debug;

use infiniloom::wire::{CompressInfo, ErrorInfo, PackFilesInfo, SettingInfo, SettingsFileInfo};
use infiniloom::{
    Cache, Chunk, Compress, Context, Control, Format, Index, Infiniloom, Level, Map, Model,
    Navigate, Pack, RankedSearch, Read, Scan, Search, Snapshot, Symbols, Text, Tokens, Why,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::examples::{SECRET, shop};

/// Checks a result with fields that version 1 of the JSON does not have.
#[track_caller]
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(result: &T) -> T {
    let json = serde_json::to_string(result).unwrap();
    assert!(!json.contains(SECRET), "{json}");
    let read: T = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), read);
    read
}

/// Checks a result that the JSON contains completely.
#[track_caller]
fn check_whole<T: Serialize + DeserializeOwned + PartialEq + Debug>(result: &T) {
    assert_eq!(check(result), *result);
}

/// Runs `test` on a snapshot of the shop.
fn on_shop(test: impl FnOnce(&Infiniloom, &Snapshot)) {
    let sandbox = shop();
    let engine = Infiniloom::new();
    let snapshot = engine.open(sandbox.work()).unwrap().snapshot().unwrap();
    test(&engine, &snapshot);
}

#[test]
fn packs_are_read_back() {
    on_shop(|engine, snapshot| {
        let pack = Pack::new()
            .compress(Level::Aggressive)
            .model(&engine.model("sonnet").unwrap())
            .log(2)
            .run(snapshot)
            .unwrap();
        assert!(!pack.report.secrets.findings.is_empty() && !pack.report.sections.is_empty());
        check(&pack);
        check(&pack.report);
        let files = Pack::new().budget(400).files(snapshot, &Control::new());
        let files: PackFilesInfo = files.unwrap();
        assert!(!files.files.is_empty());
        check_whole(&files);
    });
}

#[test]
fn contexts_and_maps_are_read_back() {
    on_shop(|_, snapshot| {
        let query = Context::new("which tax rate does a basket use?");
        let context = query.explain(true).run(snapshot).unwrap();
        assert!(!context.explained.is_empty());
        check(&context);
        let nothing = Context::new("zzyzx").run(snapshot).unwrap();
        assert!(!nothing.notices.is_empty());
        check(&nothing);
        check_whole(&Map::new().run(snapshot).unwrap());
        let json = Map::new().format(Format::Json);
        let document = json.document(snapshot, &Control::new()).unwrap();
        assert!(document.files > 0);
        check(&document);
    });
}

#[test]
fn found_code_is_read_back() {
    on_shop(|_, snapshot| {
        let lines = Search::text("rate").lines_around(1, 1).run(snapshot);
        check(&lines.unwrap());
        check(&Search::text("rate").counts_only().run(snapshot).unwrap());
        let ranked = RankedSearch::question("how is the tax of a basket computed?");
        check(&ranked.run(snapshot).unwrap());
        for query in [
            Navigate::definitions("rate"),
            Navigate::references("rate"),
            Navigate::callers("rate"),
            Navigate::callees("total"),
            Navigate::implementations("rate"),
        ] {
            check(&query.run(snapshot).unwrap());
        }
        let symbols = Symbols::new().run(snapshot).unwrap();
        assert!(symbols.files.iter().any(|file| !file.symbols.is_empty()));
        check(&symbols);
        check(&Symbols::outline("shop/basket.py").run(snapshot).unwrap());
        check_whole(&Read::path("config.env").run(snapshot).unwrap());
    });
}

#[test]
fn texts_and_counts_are_read_back() {
    on_shop(|engine, snapshot| {
        let chunks = Chunk::new().run(snapshot).unwrap();
        assert!(!chunks.chunks.is_empty());
        check(&chunks);
        let models = ["sonnet", "gpt-5"].map(|name| engine.model(name).unwrap());
        check(&Tokens::new().models(models).run(snapshot).unwrap());
        let text = Text::new("shop.py", "def total(items):\n    return sum(items)\n");
        let short: CompressInfo = Compress::new(Level::Extreme).run_text(&text).unwrap();
        check_whole(&short);
        check(&Scan::files().run(snapshot).unwrap());
        check_whole(&Why::new("target/debug/app").run(snapshot).unwrap());
    });
}

#[test]
fn facts_about_models_and_settings_are_read_back() {
    let sandbox = shop();
    let engine = Infiniloom::new();
    engine.models().iter().map(Model::info).for_each(|info| {
        check_whole(&info);
    });
    let repository = engine.open(sandbox.work()).unwrap();
    let settings: Vec<SettingInfo> = repository.settings().list();
    assert!(settings.len() > 50);
    check_whole(&settings);
    let files: Vec<SettingsFileInfo> = repository.settings_files();
    check_whole(&files);
    let error: ErrorInfo = engine.model("sonet").unwrap_err().info();
    assert!(error.hint.is_some());
    check_whole(&error);
}

#[test]
fn states_of_the_cache_are_read_back() {
    let sandbox = shop();
    let directory = sandbox.path("cache");
    let cache = Cache::Directory(directory);
    let engine = Infiniloom::builder().cache(cache).build().unwrap();
    let snapshot = engine.open(sandbox.work()).unwrap().snapshot().unwrap();
    let index = Index::new().run(&snapshot).unwrap();
    assert!(index.files > 0);
    check(&index);
    let stats = engine.cache_stats().unwrap();
    assert!(stats.contents > 0);
    check(&stats);
    check(&engine.verify_cache().unwrap());
    check(&engine.prune_cache(Some(1)).unwrap());
}
