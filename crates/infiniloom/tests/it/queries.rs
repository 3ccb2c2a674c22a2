//! Values of queries: all invalid ones are reported, and none is ignored.

use infiniloom::{
    Budget, Cancel, Control, ErrorKind, Format, Granularity, Infiniloom, Map, Navigate, Options,
    Pack, RankedSearch, Ranking, Search, Snapshot, Sort, Symbols, Tokens,
};

use crate::examples::shop;

fn open(sandbox: &loom_testkit::Sandbox) -> Snapshot {
    let repository = Infiniloom::new().open(sandbox.work()).unwrap();
    repository.snapshot().unwrap()
}

#[track_caller]
fn problems<T: std::fmt::Debug>(result: infiniloom::Result<T>) -> Vec<String> {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    let problems = error.problems().iter();
    problems.map(|problem| problem.message.clone()).collect()
}

#[test]
fn all_invalid_values_are_reported_at_once() {
    let sandbox = shop();
    let snapshot = open(&sandbox);
    let pack = Pack::new().format(Format::Sarif).budget(0).part_tokens(0);
    assert_eq!(problems(pack.run(&snapshot)).len(), 1);
    let pack = Pack::new().format(Format::Sarif).budget(0);
    let found = problems(pack.run(&snapshot));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found.iter().all(|one| one.contains("calling program")),
        "{found:?}"
    );
    let found = problems(
        Symbols::new()
            .kind("gadget")
            .language("klingon")
            .run(&snapshot),
    );
    assert_eq!(found, ["no kind of symbol gadget", "no language klingon"]);
}

#[test]
fn value_without_effect_is_an_error() {
    let sandbox = shop();
    let snapshot = open(&sandbox);
    let depth = Navigate::definitions("rate").depth(2).resolved(true);
    assert_eq!(problems(depth.run(&snapshot)).len(), 2);
    let words = RankedSearch::question("tax rate").granularity(Granularity::File);
    assert_eq!(problems(words.run(&snapshot)).len(), 1);
    let meaning = RankedSearch::semantic("tax rate").ranking(Ranking::Bm25);
    assert_eq!(problems(meaning.run(&snapshot)).len(), 1);
    let outline = Symbols::outline("shop/tax.py").imports(true);
    assert_eq!(problems(outline.run(&snapshot)).len(), 1);
    let focus = Map::new().focus("../elsewhere");
    assert_eq!(problems(focus.run(&snapshot)).len(), 1);
    let stream = Pack::new().format(Format::Json).line_numbers(true);
    let mut stream = stream.stream(&snapshot, Default::default(), &Control::new());
    assert_eq!(problems(stream.next().unwrap()).len(), 2);
    assert!(stream.next().is_none());
}

#[test]
fn setter_lies_over_options_and_the_file_of_the_repository() {
    let sandbox = shop();
    sandbox.write(
        "infiniloom.toml",
        "[pack]\nformat = 'plain'\nline_numbers = true\n",
    );
    let format = |engine: &Infiniloom, pack: Pack| {
        let snapshot = engine.open(sandbox.work()).unwrap().snapshot().unwrap();
        let report = pack.run(&snapshot).unwrap().report;
        report.output.format
    };
    assert_eq!(format(&Infiniloom::new(), Pack::new()), "plain");
    let options = Options::new().set("pack.format", "yaml");
    let engine = Infiniloom::builder().options(options).build().unwrap();
    assert_eq!(format(&engine, Pack::new()), "yaml");
    let pack = Pack::new().format(Format::Markdown);
    assert_eq!(format(&engine, pack), "markdown");
    let wrong = Options::new().set("pack.fromat", "yaml");
    let error = Infiniloom::builder().options(wrong).build().unwrap_err();
    assert_eq!(
        error.problems()[0].hint.as_deref(),
        Some("did you mean `pack.format`?")
    );
}

#[test]
fn cancelled_run_returns_cancelled_and_writes_nothing() {
    let sandbox = shop();
    let snapshot = open(&sandbox);
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::new().with_cancel(&cancel);
    let kind = |error: infiniloom::Error| error.kind();
    let out = sandbox.path("out.xml");
    let written = Pack::new().write_file(&snapshot, &out, &control);
    assert_eq!(written.map_err(kind).unwrap_err(), ErrorKind::Cancelled);
    assert!(!out.exists());
    let found = Search::text("rate").run_with(&snapshot, &control);
    assert_eq!(found.map_err(kind).unwrap_err(), ErrorKind::Cancelled);
    let tokens = Tokens::new().run_with(&snapshot, &control);
    assert_eq!(tokens.map_err(kind).unwrap_err(), ErrorKind::Cancelled);
    // The next call works.
    assert!(Search::text("rate").run(&snapshot).is_ok());
}

#[test]
fn budget_is_an_upper_bound_or_a_refusal_with_a_number() {
    let sandbox = shop();
    let snapshot = open(&sandbox);
    let error = Pack::new().budget(1).run(&snapshot).unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Refused, "budget_too_small")
    );
    let needed = error.needed().unwrap();
    let packed = Pack::new().budget(needed).run(&snapshot).unwrap();
    assert!(packed.report.output.tokens <= needed);
    let engine = Infiniloom::new();
    let model = engine.model("gpt-5").unwrap();
    assert!(Budget::for_model(&model).tokens() <= model.window());
}

#[test]
fn search_has_symbols_lines_around_and_an_order() {
    let sandbox = shop();
    let snapshot = open(&sandbox);
    let found = Search::regex("rat[e]\\(")
        .lines_around(1, 0)
        .sort(Sort::Score)
        .run(&snapshot)
        .unwrap();
    assert_eq!(found.summary.files, 2);
    let call = found
        .matches
        .iter()
        .find(|hit| hit.path == "shop/basket.py")
        .unwrap();
    assert_eq!((call.line, call.symbol.as_deref()), (6, Some("total")));
    assert_eq!(call.before.len(), 1);
    assert!(call.score.is_some());
    let paths = Search::text("rate")
        .paths_only()
        .within("shop")
        .run(&snapshot);
    assert_eq!(paths.unwrap().files.len(), 2);
    let narrowed = Search::text("rate").exclude("shop/tax.py").run(&snapshot);
    assert_eq!(narrowed.unwrap().summary.files, 1);
    let error = Search::regex("(").run(&snapshot).unwrap_err();
    assert_eq!(error.code(), "bad_query");
}

#[test]
fn engine_without_settings_ignores_the_home_and_the_environment() {
    let engine = Infiniloom::new();
    let sandbox = shop();
    let repository = engine.open(sandbox.work()).unwrap();
    let settings = repository.settings();
    assert!(settings.list().iter().all(|one| one.origin == "built in"));
    assert!(settings.get("pack.format").is_some());
    assert!(settings.get("pack.fromat").is_none());
    assert!(engine.open(sandbox.path("nowhere")).is_err());
}
