//! Queries as data: each call means the same query, and nothing in it is ignored.

use std::fmt::Debug;

use infiniloom::wire::{QueryCall, ScanCall, SettingCall, SettingValue};
use infiniloom::{
    Algorithm, Boundary, Calibrate, Case, Chunk, Compress, Confidence, Context, ErrorKind, Fit,
    Format, Granularity, Index, IndexUse, Infiniloom, Level, Map, Navigate, Pack, Preserve, Query,
    RankedSearch, Ranking, Read, Scan, Search, Signal, Sort, Symbols, Tokens, Why,
};
use proptest::prelude::*;

use crate::examples::shop;

/// Values for the setters of a query: each is used, or not.
#[derive(Clone, Debug)]
struct Values {
    texts: Vec<String>,
    numbers: Vec<usize>,
    uses: Vec<bool>,
}

impl Values {
    fn strategy() -> impl Strategy<Value = Self> {
        let texts = prop::collection::vec("\\PC{0,12}", 4);
        let numbers = prop::collection::vec(0usize..5000, 4);
        let uses = prop::collection::vec(any::<bool>(), 12);
        (texts, numbers, uses).prop_map(|(texts, numbers, uses)| Self {
            texts,
            numbers,
            uses,
        })
    }

    fn text(&self, at: usize) -> &str {
        &self.texts[at]
    }

    fn one_of<T: Copy>(&self, at: usize, all: &[T]) -> T {
        all[self.numbers[at] % all.len()]
    }

    /// Applies the setter number `at`, if it is used.
    fn set<Q>(&self, at: usize, query: Q, setter: impl FnOnce(Q) -> Q) -> Q {
        match self.uses[at] {
            true => setter(query),
            false => query,
        }
    }
}

fn engine() -> Infiniloom {
    Infiniloom::new()
}

fn serialised(call: &QueryCall) -> QueryCall {
    let json = serde_json::to_string(call).unwrap();
    assert!(
        json.contains(&format!("\"query\":\"{}\"", call.name())),
        "{json}"
    );
    serde_json::from_str(&json).unwrap()
}

#[track_caller]
fn check<Q: Query + Debug>(query: &Q) {
    let call = query.to_call().unwrap();
    let copy = Q::from_call(&serialised(&call), &engine()).unwrap();
    assert_eq!(format!("{copy:?}"), format!("{query:?}"));
    assert_eq!(copy.to_call().unwrap(), call);
}

fn pack(values: &Values) -> Pack {
    let model = engine().model("sonnet").unwrap();
    let query = values.set(0, Pack::new(), |pack| pack.budget(values.numbers[0]));
    let query = values.set(1, query, |pack| pack.exclude(values.text(0)));
    let query = values.set(2, query, |pack| pack.include(values.text(1)));
    let query = values.set(3, query, |pack| pack.line_numbers(values.uses[9]));
    let query = values.set(4, query, |pack| pack.model(&model));
    let query = values.set(5, query, |pack| pack.part_tokens(values.numbers[1]));
    let query = values.set(6, query, |pack| pack.template(values.text(2)));
    let query = values.set(7, query, |pack| pack.exact(true));
    let query = values.set(8, query, |pack| pack.fit(values.one_of(2, Fit::ALL)));
    values.set(10, query, |pack| {
        pack.preserve(Preserve::ALL.iter().copied())
    })
}

fn context(values: &Values) -> Context {
    let query = Context::new(values.text(0));
    let query = values.set(0, query, |context| context.budget(values.numbers[0]));
    let query = values.set(1, query, |context| context.hot(values.text(1)).hot("a"));
    let query = values.set(2, query, |context| context.pin(values.text(2)));
    let query = values.set(3, query, |context| context.below("src/shop/"));
    let query = values.set(4, query, |context| context.explain(true));
    let query = values.set(5, query, |context| context.threshold(0.25));
    let query = values.set(7, query, |context| {
        context
            .below_path(values.text(3))
            .from_directory(values.text(2))
    });
    values.set(6, query, |context| {
        context.signals(Signal::ALL.iter().copied())
    })
}

fn map(values: &Values) -> Map {
    let query = values.set(0, Map::new(), |map| map.budget(values.numbers[0]));
    let query = values.set(1, query, |map| map.focus(values.text(0)));
    let query = values.set(2, query, |map| map.focus_changed(true));
    let query = values.set(3, query, |map| map.mention(values.text(1)));
    let query = values.set(4, query, |map| map.query(values.text(2)));
    let query = values.set(6, query, |map| map.summary_only(true));
    let query = values.set(7, query, |map| map.from_directory(values.text(3)));
    values.set(5, query, |map| {
        map.algorithm(values.one_of(1, Algorithm::ALL))
    })
}

fn search(values: &Values) -> Search {
    let text = values.text(0);
    let query = match values.numbers[0] % 5 {
        0 => Search::text(text),
        1 => Search::regex(text),
        2 => Search::any_text(text),
        3 => Search::any_regex(text),
        _ => Search::query(text),
    };
    let query = values.set(0, query, |search| search.case(values.one_of(1, Case::ALL)));
    let query = values.set(1, query, |search| search.whole_words(true));
    let query = values.set(2, query, |search| search.language("rust").language("go"));
    let query = values.set(3, query, |search| search.within(values.text(1)));
    let query = values.set(4, query, |search| {
        search.lines_around(values.numbers[1], values.numbers[2])
    });
    let query = values.set(5, query, Search::paths_only);
    let query = values.set(6, query, Search::counts_only);
    let query = values.set(7, query, |search| search.limit(values.numbers[3]));
    let query = values.set(8, query, |search| search.limit_per_file(values.numbers[2]));
    let query = values.set(9, query, |search| search.sort(values.one_of(3, Sort::ALL)));
    let query = values.set(10, query, |search| search.changed(values.text(2)));
    narrowed(values, query)
}

fn narrowed(values: &Values, query: Search) -> Search {
    let query = values.set(11, query, |search| search.file_type("py").symbols(false));
    let query = values.set(0, query, |search| search.not_within(values.text(2)));
    let query = values.set(1, query, |search| search.glob("*.rs").glob(values.text(3)));
    let query = values.set(2, query, |search| search.from_directory(values.text(0)));
    let query = values.set(3, query, |search| search.expect_file(values.text(1)));
    values.set(4, query, |search| {
        search.index(values.one_of(0, IndexUse::ALL))
    })
}

fn ranked(values: &Values) -> RankedSearch {
    let query = match values.uses[0] {
        true => RankedSearch::question(values.text(0)),
        false => RankedSearch::semantic(values.text(0)),
    };
    let query = values.set(1, query, |ranked| {
        ranked.ranking(values.one_of(0, Ranking::ALL))
    });
    let query = values.set(2, query, |ranked| {
        ranked.granularity(values.one_of(1, Granularity::ALL))
    });
    values.set(3, query, |ranked| ranked.limit(values.numbers[2]))
}

fn navigate(values: &Values) -> Navigate {
    let target = values.text(0);
    let query = match values.numbers[0] % 5 {
        0 => Navigate::definitions(target),
        1 => Navigate::references(target),
        2 => Navigate::implementations(target),
        3 => Navigate::callers(target),
        _ => Navigate::callees(target),
    };
    let query = values.set(0, query, |navigate| navigate.depth(values.numbers[1]));
    let query = values.set(1, query, |navigate| navigate.resolved(true));
    values.set(2, query, |navigate| navigate.limit(values.numbers[2]))
}

fn symbols(values: &Values) -> Symbols {
    let query = match values.uses[0] {
        true => Symbols::outline(values.text(0)),
        false => Symbols::new(),
    };
    let query = values.set(1, query, |symbols| symbols.kind(values.text(1)));
    let query = values.set(2, query, |symbols| symbols.language(values.text(2)));
    let query = values.set(3, query, |symbols| symbols.private(values.uses[8]));
    let query = values.set(4, query, |symbols| symbols.references(true));
    let query = values.set(5, query, |symbols| symbols.imports(true));
    values.set(6, query, |symbols| symbols.tests(true))
}

fn read(values: &Values) -> Read {
    let query = match values.uses[0] {
        true => Read::path(values.text(0)),
        false => Read::symbol(values.text(0)),
    };
    let lines = values.numbers[0]..=values.numbers[1];
    let query = values.set(1, query, |read| read.lines(lines));
    values.set(2, query, |read| read.compress(values.one_of(2, Level::ALL)))
}

fn scan(values: &Values) -> Scan {
    let query = match values.numbers[0] % 4 {
        0 => Scan::files(),
        1 => Scan::staged(),
        2 => Scan::range(values.text(0), values.text(1)),
        _ => Scan::history(),
    };
    let query = values.set(0, query, |scan| scan.baseline(values.text(2)));
    let query = values.set(1, query, |scan| scan.allow(values.text(3)));
    values.set(2, query, |scan| {
        scan.confidence(values.one_of(1, Confidence::ALL))
    })
}

fn check_small(values: &Values) {
    let engine = engine();
    let model = engine.model("gemini-2.5-pro").unwrap();
    check(&values.set(0, Calibrate::new(), |calibrate| calibrate.model(&model)));
    let chunk = values.set(0, Chunk::new(), |chunk| chunk.tokens(values.numbers[0]));
    let chunk = values.set(1, chunk, |chunk| chunk.overlap(values.numbers[1]));
    check(&values.set(2, chunk, |chunk| {
        chunk.boundary(values.one_of(2, Boundary::ALL))
    }));
    let index = if values.uses[0] {
        Index::new()
    } else {
        Index::status()
    };
    check(&values.set(1, index, |index| index.language(values.text(0))));
    let models = ["sonnet", "gpt-5"].map(|name| engine.model(name).unwrap());
    let tokens = values.set(0, Tokens::new(), |tokens| tokens.models(models));
    let tokens = values.set(1, tokens, |tokens| tokens.cost(true));
    let tokens = values.set(2, tokens, |tokens| tokens.exact(true));
    check(&values.set(3, tokens, |tokens| tokens.page(true)));
    let why = Why::new(values.text(0));
    check(&values.set(0, why, |why| why.from_directory(values.text(1))));
    let compress = Compress::new(values.one_of(0, Level::ALL));
    let compress = values.set(0, compress, |one| {
        one.preserve(Preserve::ALL.iter().copied())
    });
    let compress = values.set(1, compress, |one| one.remove_comments(true));
    let compress = values.set(2, compress, |one| one.model(&model));
    let call = serialised(&compress.to_call());
    let copy = Compress::from_call(&call, &engine).unwrap();
    assert_eq!(format!("{copy:?}"), format!("{compress:?}"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_query_survives_its_call(values in Values::strategy()) {
        check(&pack(&values));
        check(&context(&values));
        check(&map(&values));
        check(&search(&values));
        check(&ranked(&values));
        check(&navigate(&values));
        check(&symbols(&values));
        check(&read(&values));
        check(&scan(&values));
        check_small(&values);
    }
}

#[test]
fn wrong_call_is_an_error_that_names_the_field() {
    let parse = |json: &str| serde_json::from_str::<QueryCall>(json);
    for (json, named) in [
        (r#"{"query": "pack", "bugdet": 5}"#, "`bugdet`"),
        (
            r#"{"query": "read", "path": "a", "lines": {"first": 1, "last": 2, "lats": 3}}"#,
            "`lats`",
        ),
        (
            r#"{"query": "pack", "settings": [{"key": "a", "value": "b", "vlaue": "c"}]}"#,
            "`vlaue`",
        ),
        (r#"{"query": "grep"}"#, "`grep`"),
        (r#"{"budget": 5}"#, "`query`"),
    ] {
        let error = parse(json).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn wrong_name_in_a_call_is_an_error() {
    let engine = engine();
    let code = |result: infiniloom::Result<Scan>| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        error.code()
    };
    let pack = Pack::new().to_call().unwrap();
    assert_eq!(code(Scan::from_call(&pack, &engine)), "other_query");
    let scope = |scope: &str| {
        QueryCall::Scan(ScanCall {
            scope: scope.to_owned(),
            ..ScanCall::default()
        })
    };
    assert_eq!(
        code(Scan::from_call(&scope("rnage"), &engine)),
        "unknown_value"
    );
    assert_eq!(
        code(Scan::from_call(&scope("range"), &engine)),
        "unknown_value"
    );
    assert!(Scan::from_call(&scope("history"), &engine).is_ok());
    // Keys and values of settings are checked when the query runs, all at once.
    let QueryCall::Pack(mut call) = Pack::new().format(Format::Json).to_call().unwrap() else {
        panic!("a call of another query");
    };
    call.settings.push(SettingCall {
        key: "pack.bugdet".to_owned(),
        value: SettingValue::Text("5".to_owned()),
    });
    let sandbox = shop();
    let snapshot = engine.open(sandbox.work()).unwrap().snapshot().unwrap();
    let pack = Pack::from_call(&QueryCall::Pack(call), &engine).unwrap();
    let error = pack.run(&snapshot).unwrap_err();
    let problems = format!("{:?}", error.problems());
    assert!(problems.contains("pack.bugdet"), "{problems}");
}
