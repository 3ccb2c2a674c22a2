//! Maps of small repositories: order, budget and stability.

use loom_base::RepoPath;
use loom_graph::Alone;
use loom_models::{Tokenizer, Vocabulary};
use loom_program::{FileId, ProgramBuilder, Resolver};
use loom_syntax::{Import, Language, Limits, extract};

use super::*;

/// Links pairs of path and text.
fn linked(files: &[(String, String)]) -> SymbolGraph {
    let paths: Vec<RepoPath> = files
        .iter()
        .map(|(path, _)| RepoPath::new(path).unwrap())
        .collect();
    let mut resolver = Resolver::new(&paths);
    let mut builder = ProgramBuilder::default();
    let mut read = Vec::new();
    for (path, (_, text)) in paths.iter().zip(files) {
        let language = Language::detect(path, text).unwrap();
        let structure = extract(language, text, &Limits::default());
        resolver.add_file(path, language, &structure);
        builder.add_file(path, language, &structure);
        read.push((path, language, structure, text.lines().count()));
    }
    let mut map_files = Vec::new();
    for (path, language, structure, lines) in read {
        let resolve = |import: &Import| {
            let meaning = resolver.resolve(path, language, import);
            (import.clone(), meaning)
        };
        let imports: Vec<_> = structure.imports.iter().map(resolve).collect();
        builder.add_imports(path, &imports);
        map_files.push(MapFile::new(
            path.clone(),
            Some(language),
            lines,
            &structure,
        ));
    }
    let program = builder.finish().unwrap();
    let flows = (0..files.len())
        .map(|at| flows(&program, FileId(u32::try_from(at).unwrap())))
        .collect();
    SymbolGraph::new(program, map_files, flows)
}

fn files(list: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    list.iter().map(owned).collect()
}

/// Returns a program of some modules around a core, each with its own `render` and `get`.
fn shop() -> Vec<(String, String)> {
    let mut all = files(&[
        (
            "shop/core.py",
            "class Registry:\n    \"\"\"Knows all parts.\"\"\"\n    def register_part(self, part):\n        pass\n    def get(self, name):\n        pass\n\ndef open_registry(path):\n    return Registry()\n",
        ),
        (
            "shop/text.py",
            "def get(name):\n    return name\n\ndef unused_helper():\n    pass\n",
        ),
        (
            "tests/test_core.py",
            "from shop.core import Registry\ndef test_registry():\n    Registry().get('a')\n",
        ),
        ("README.md", "# Shop\n\nA shop with parts and people.\n"),
    ]);
    for at in 0..12 {
        all.push((
            format!("shop/parts/part{at}.py"),
            format!("from shop.core import Registry, open_registry\n\nclass Part{at}:\n    def render(self):\n        registry = open_registry('x')\n        registry.register_part(self)\n        self.price_of_part{at}()\n    def get(self, key, default=None):\n        return {{}}.get(key)\n    def price_of_part{at}(self):\n        return {at}\n"),
        ));
    }
    all
}

fn options(budget: usize, format: MapFormat) -> MapOptions {
    MapOptions {
        name: "shop".to_owned(),
        description: Some("A shop".to_owned()),
        total: (16, 100),
        tokens: None,
        budget,
        format,
        algorithm: Algorithm::default(),
        weights: Weights::default(),
        extract: Extract::default(),
        focus: Focus::default(),
        recency: Vec::new(),
    }
}

fn tokenizer() -> Tokenizer {
    Tokenizer::from(Vocabulary::O200kBase)
}

fn map(linked: &SymbolGraph, options: &MapOptions) -> Filled {
    linked.map(options, &tokenizer(), &Alone).unwrap()
}

fn key_names(filled: &Filled) -> Vec<&str> {
    let symbols = filled.document.key_symbols.iter();
    symbols.map(|symbol| symbol.name.as_str()).collect()
}

const FORMATS: &[MapFormat] = &[
    MapFormat::Xml,
    MapFormat::Markdown,
    MapFormat::Json,
    MapFormat::Plain,
    MapFormat::Mermaid,
];

#[test]
fn used_symbols_come_first_and_common_names_do_not() {
    let linked = linked(&shop());
    let filled = map(&linked, &options(2000, MapFormat::Xml));
    let names = key_names(&filled);
    assert_eq!(names[0], "Registry", "{names:?}");
    let place = |name: &str| names.iter().position(|one| one.ends_with(name));
    assert!(place("open_registry").unwrap() < 4, "{names:?}");
    for common in ["render", "get"] {
        assert!(place(common).is_none_or(|at| at > 4), "{names:?}");
    }
    assert!(
        filled
            .document
            .summary
            .starts_with("Repository: shop (16 files, 100 lines)\nKey symbols: Registry")
    );
}

#[test]
fn every_budget_is_kept_and_used() {
    let linked = linked(&shop());
    for format in FORMATS {
        let whole = map(&linked, &options(100_000, *format)).tokens;
        for budget in (200..1000).step_by(67) {
            let filled = map(&linked, &options(budget, *format));
            assert_eq!(filled.tokens, tokenizer().count(&filled.text).upper());
            assert!(
                filled.tokens <= budget,
                "{format:?} {budget}: {}",
                filled.tokens
            );
            let is_used = filled.tokens * 100 >= budget.min(whole) * 95;
            assert!(
                is_used || *format == MapFormat::Mermaid,
                "{format:?} {budget}: {}",
                filled.tokens
            );
        }
    }
}

#[test]
fn too_small_budget_is_an_error() {
    let linked = linked(&shop());
    let error = linked.map(&options(5, MapFormat::Xml), &tokenizer(), &Alone);
    let Err(MapError::BudgetTooSmall { smallest, .. }) = error else {
        panic!("a map of 5 tokens");
    };
    assert!(
        linked
            .map(&options(smallest, MapFormat::Xml), &tokenizer(), &Alone)
            .is_ok()
    );
}

#[test]
fn stated_number_of_tokens_is_exact() {
    let linked = linked(&shop());
    let filled = map(&linked, &options(900, MapFormat::Xml));
    assert!(
        filled
            .text
            .contains(&format!(" tokens=\"{}\">", filled.tokens))
    );
    let filled = map(&linked, &options(900, MapFormat::Json));
    let value: serde_json::Value = serde_json::from_str(&filled.text).unwrap();
    assert_eq!(value["tokens"], filled.tokens);
}

#[test]
fn a_focus_and_a_mention_bring_files_forward() {
    let linked = linked(&shop());
    let mut asked = options(400, MapFormat::Plain);
    let plain = map(&linked, &asked).text;
    assert!(!plain.starts_with("shop/parts/part11.py"));
    asked.focus.files = vec![RepoPath::new("shop/parts/part11.py").unwrap()];
    let focused = map(&linked, &asked);
    assert_eq!(focused.document.signatures[0].path, "shop/parts/part11.py");
    asked.focus = Focus {
        mentions: vec!["price_of_part7".to_owned()],
        ..Focus::default()
    };
    let mentioned = map(&linked, &asked);
    assert_eq!(key_names(&mentioned)[0], "Part7.price_of_part7");
    asked.focus = Focus {
        query: Some("The price of `Part3` is wrong in shop/parts/part3.py".to_owned()),
        ..Focus::default()
    };
    let queried = map(&linked, &asked);
    assert_eq!(queried.document.signatures[0].path, "shop/parts/part3.py");
}

#[test]
fn disabled_kinds_are_not_shown() {
    let linked = linked(&shop());
    let mut asked = options(3000, MapFormat::Plain);
    asked.extract.functions = false;
    asked.extract.imports = false;
    let text = map(&linked, &asked).text;
    assert!(
        text.contains("class Registry") && !text.contains("open_registry"),
        "{text}"
    );
    assert!(!text.contains("Uses:"));
}

#[test]
fn the_order_of_the_rest_survives_an_edit() {
    let before = shop();
    let mut after = before.clone();
    // Changes the body of one function, and adds an unused helper.
    after[1].1 = after[1]
        .1
        .replace("return name", "name = name + 1\n    return name");
    let order = |files: &[(String, String)]| {
        let linked = linked(files);
        let filled = map(&linked, &options(100_000, MapFormat::Json));
        let value: serde_json::Value = serde_json::from_str(&filled.text).unwrap();
        let files = value["files"].as_array().unwrap().clone();
        let paths = files
            .iter()
            .map(|file| file["path"].as_str().unwrap().to_owned());
        paths
            .filter(|path| path != "shop/text.py")
            .collect::<Vec<_>>()
    };
    assert_eq!(order(&before), order(&after));
    assert_eq!(order(&before), order(&before));
}

#[test]
fn algorithms_and_factors_all_give_a_map() {
    let linked = linked(&shop());
    for algorithm in [Algorithm::Pagerank, Algorithm::Hits, Algorithm::Betweenness] {
        let mut asked = options(600, MapFormat::Xml);
        asked.algorithm = algorithm;
        asked.weights = Weights::SEED;
        asked.recency = vec![0.5; linked.files.len()];
        assert!(map(&linked, &asked).tokens > 500);
    }
}

/// Returns the first file of a map that uses only one factor.
fn first_by(
    linked: &SymbolGraph,
    algorithm: Algorithm,
    choose: fn(&mut Weights) -> &mut f64,
    recency: &[f64],
) -> String {
    let mut weights = Weights {
        reference_count: 0.0,
        import_centrality: 0.0,
        modification_recency: 0.0,
        file_size: 0.0,
        test_coverage: 0.0,
    };
    *choose(&mut weights) = 1.0;
    let none = Focus::default().interest(linked);
    let found = importance(linked, algorithm, &weights, recency, &none, &Alone);
    let best = (0..linked.files.len()).max_by(|one, other| {
        let scores = (found.files[*one], found.files[*other]);
        scores.0.total_cmp(&scores.1).then(other.cmp(one))
    });
    linked.files[best.unwrap()].path.to_string()
}

#[test]
fn each_factor_counts() {
    let linked = linked(&shop());
    let place = |path: &str| {
        let mut files = linked.files.iter();
        files.position(|file| file.path.display() == path).unwrap()
    };
    let late = "shop/parts/part7.py";
    let mut recency = vec![0.0; linked.files.len()];
    recency[place(late)] = 1.0;
    let rank = Algorithm::Pagerank;
    let by_time = first_by(&linked, rank, |w| &mut w.modification_recency, &recency);
    assert_eq!(by_time, late);
    let tested = first_by(&linked, rank, |w| &mut w.test_coverage, &[]);
    assert_eq!(tested, "shop/core.py");
    let used = first_by(&linked, rank, |w| &mut w.reference_count, &[]);
    assert_eq!(used, "shop/core.py");
    let large = first_by(&linked, rank, |w| &mut w.file_size, &[]);
    assert!(large.starts_with("shop/parts/part"), "{large}");
}

#[test]
fn each_algorithm_finds_its_own_first() {
    // Two groups that share one file; most files use `hub.py`.
    let mut list = files(&[
        ("hub.py", "def hub_work():\n    pass\n"),
        (
            "bridge.py",
            "from hub import hub_work\n\ndef cross_over():\n    hub_work()\n",
        ),
    ]);
    for at in 0..4 {
        list.push((
            format!("left{at}.py"),
            format!("from bridge import cross_over\n\ndef left{at}():\n    cross_over()\n"),
        ));
        list.push((
            format!("right{at}.py"),
            format!("from hub import hub_work\n\ndef right{at}():\n    hub_work()\n"),
        ));
    }
    let linked = linked(&list);
    let first = |algorithm| first_by(&linked, algorithm, |w| &mut w.import_centrality, &[]);
    assert_eq!(first(Algorithm::Pagerank), "hub.py");
    assert_eq!(first(Algorithm::Hits), "hub.py");
    assert_eq!(first(Algorithm::Betweenness), "bridge.py");
}

#[test]
fn large_budget_shows_everything() {
    let mut list = shop();
    list.push((
        "vendor/else.py".to_owned(),
        "def somebody_elses(a, b):\n    pass\n".to_owned(),
    ));
    let linked = linked(&list);
    for format in [MapFormat::Xml, MapFormat::Json, MapFormat::Plain] {
        let filled = map(&linked, &options(10_000_000, format));
        assert!(filled.is_whole, "{format:?}");
        assert!(filled.text.contains("somebody_elses(a, b)"), "{format:?}");
        let shown = &filled.document.signatures;
        assert!(shown.iter().all(|file| file.left_out == 0));
    }
}

#[test]
fn graph_without_symbols_uses_the_whole_budget() {
    let linked = linked(&shop());
    let mut asked = options(400, MapFormat::Plain);
    asked.extract = Extract {
        functions: false,
        classes: false,
        interfaces: false,
        types: false,
        constants: false,
        imports: true,
    };
    let filled = map(&linked, &asked);
    assert!(filled.document.edges.len() >= 8, "{}", filled.text);
}

#[test]
fn xml_is_well_formed_for_any_names() {
    let mut files = shop();
    files.push((
        "a&b/<c>.py".to_owned(),
        "def weird(x=\"]]>\u{1b}[31m\", y='<&\u{b}\u{ffff}'):\n    pass\n".to_owned(),
    ));
    let linked = linked(&files);
    let filled = map(&linked, &options(3000, MapFormat::Xml));
    let mut reader = quick_xml::Reader::from_str(&filled.text);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            _ => continue,
        }
    }
    assert!(filled.text.contains("&lt;c&gt;.py") || filled.text.contains("<c>.py"));
    assert!(filled.text.contains("\u{241b}[31m"), "{}", filled.text);
    let is_odd = |c: char| c.is_control() && c != '\n';
    assert!(!filled.text.contains(is_odd) && !filled.text.contains('\u{ffff}'));
}
