//! Maps: budgets, focus, descriptions, recency, changes and settings.

use loom_host::{
    Algorithm, Cancel, Extract, Focus, MapBuilder, MapFormat, MapRepository, MapRequest, MapWanted,
    PackError, PackOptions, Packer, RepoPath, Run, SecretsMode, SecretsOptions, count, focus_path,
    map_request, no_match_map, no_match_text,
};
use loom_settings::{FileOrigin, Layer, resolve};
use loom_testkit::Sandbox;

use crate::fixture::{packer, password};

/// A small program whose parts use one core.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("README.md", "# Shop\n\nA shop that keeps a registry of its parts.\n")
        .write(
            "src/registry.py",
            format!("class Registry:\n    def register_part(self, part):\n        pass\n\ndef open_registry(path, password=\"{}\"):\n    return Registry()\n", password()),
        );
    for at in 0..30 {
        let text = format!(
            "from registry import open_registry\n\nclass Part{at}:\n    def price{at}(self, amount: int, currency: str) -> int:\n        open_registry('x').register_part(self)\n"
        );
        sandbox.write(format!("src/parts/part{at}.py"), text);
    }
    sandbox
}

fn read(packer: &Packer, wanted: &MapWanted) -> MapRepository {
    MapBuilder::new(packer, &Run::new(), &Cancel::new())
        .build(wanted)
        .unwrap()
}

fn request(budget: usize) -> MapRequest {
    MapRequest {
        budget,
        ..MapRequest::default()
    }
}

/// Returns the path of the file that a map shows first.
fn first(packer: &Packer, repository: &MapRepository, focus: Focus) -> String {
    let request = MapRequest {
        focus,
        ..request(600)
    };
    repository
        .render(packer, &request)
        .unwrap()
        .document
        .signatures[0]
        .path
        .clone()
}

#[test]
fn map_keeps_its_budget_and_uses_it_in_every_format() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let repository = read(&packer, &MapWanted::default());
    for format in [
        MapFormat::Xml,
        MapFormat::Markdown,
        MapFormat::Json,
        MapFormat::Plain,
        MapFormat::Mermaid,
    ] {
        for budget in [300, 1_000] {
            let filled = repository
                .render(
                    &packer,
                    &MapRequest {
                        format,
                        ..request(budget)
                    },
                )
                .unwrap();
            let tokens = count(&filled.text, &packer.options().model).upper();
            assert_eq!(tokens, filled.tokens, "{format:?}");
            assert!(tokens <= budget, "{format:?}: {tokens} of {budget}");
            assert!(
                filled.is_whole || tokens * 10 >= budget * 8,
                "{format:?}: {tokens} of {budget}"
            );
        }
    }
}

#[test]
fn map_names_the_most_used_symbols_and_hides_secrets() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let repository = read(&packer, &MapWanted::default());
    let filled = repository.render(&packer, &request(3_000)).unwrap();
    let document = &filled.document;
    let keys: Vec<&str> = document
        .key_symbols
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert!(
        keys.contains(&"open_registry") && keys.contains(&"Registry"),
        "{keys:?}"
    );
    assert_eq!(
        document.description.as_deref(),
        Some("A shop that keeps a registry of its parts.")
    );
    assert_eq!(document.files, 32);
    assert!(!filled.text.contains(&password()), "{}", filled.text);
    assert_eq!(
        repository.render(&packer, &request(3_000)).unwrap().text,
        filled.text
    );
    let page = repository.render_page(&packer, &request(3_000)).unwrap();
    assert!(page.contains("open_registry") && !page.contains(&password()));
}

#[test]
fn focus_brings_files_names_and_questions_forward() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let repository = read(&packer, &MapWanted::default());
    let of = |files: &[&str], mentions: &[&str], query: Option<&str>| Focus {
        files: files
            .iter()
            .map(|path| RepoPath::new(path).unwrap())
            .collect(),
        mentions: mentions.iter().map(|name| (*name).to_owned()).collect(),
        query: query.map(str::to_owned),
    };
    for (focus, expected) in [
        (
            of(&["src/parts/part29.py"], &[], None),
            "src/parts/part29.py",
        ),
        (of(&[], &["price17"], None), "src/parts/part17.py"),
        (
            of(&[], &[], Some("wrong `price21` in checkout")),
            "src/parts/part21.py",
        ),
    ] {
        assert_eq!(first(&packer, &repository, focus), expected);
    }
    let unknown = repository.unknown(&of(
        &["src/parts", "nowhere"],
        &["price1", "nobody_has_this"],
        None,
    ));
    assert_eq!(unknown.paths, [RepoPath::new("nowhere").unwrap()]);
    assert_eq!(unknown.names, ["nobody_has_this"]);
}

#[test]
fn focus_path_is_typed_relative_to_a_directory() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let from = sandbox.path("src/parts");
    let full = sandbox.path("src/parts/part5.py").display().to_string();
    for typed in [
        "part5.py",
        "./part5.py",
        "../parts/part5.py",
        &full,
        " part5.py ",
    ] {
        let found = focus_path(packer.source(), typed, &from).unwrap();
        assert_eq!(found.display(), "src/parts/part5.py", "{typed}");
    }
    for typed in ["", "  ", "../../../else.py", "/etc/passwd"] {
        assert_eq!(focus_path(packer.source(), typed, &from), None, "{typed}");
    }
}

#[test]
fn budget_below_the_smallest_map_is_an_error() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let repository = read(&packer, &MapWanted::default());
    let error = repository.render(&packer, &request(3)).unwrap_err();
    assert!(matches!(error, PackError::Map(_)), "{error}");
    assert!(no_match_map(&packer, &repository, 3).is_none());
    let some = no_match_map(&packer, &repository, 10_000).unwrap();
    assert!(
        some.tokens <= loom_host::NO_MATCH_MAP_TOKENS,
        "{}",
        some.tokens
    );
}

/// The message fits into the budget, with the beginning of the map if there is room for it.
#[test]
fn message_without_a_match_ends_with_the_beginning_of_the_map() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let repository = read(&packer, &MapWanted::default());
    let message = "nothing matches the query in 32 files\n";
    assert_eq!(no_match_text(&packer, 32, &repository, 20), message);
    for budget in [200, 400, 5_000] {
        let text = no_match_text(&packer, 32, &repository, budget);
        assert!(
            text.starts_with(message) && text.len() > message.len(),
            "{text}"
        );
        assert!(
            count(&text, &packer.options().model).upper() <= budget,
            "{budget}"
        );
    }
}

#[test]
fn files_that_differ_from_the_last_commit_are_told() {
    let sandbox = sandbox();
    sandbox.commit_all();
    sandbox
        .write("src/parts/part9.py", "class Part9:\n    pass\n")
        .write("new.py", "x = 1\n");
    let packer = packer(&sandbox, PackOptions::default());
    let wanted = MapWanted {
        changes: true,
        ..MapWanted::default()
    };
    let changed: Vec<String> = read(&packer, &wanted)
        .changed
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(changed, ["new.py", "src/parts/part9.py"]);
    assert!(read(&packer, &MapWanted::default()).changed.is_empty());
    let plain = Sandbox::new();
    plain.write("a.py", "x = 1\n");
    let packer = crate::fixture::packer(&plain, PackOptions::default());
    let result = MapBuilder::new(&packer, &Run::new(), &Cancel::new()).build(&wanted);
    assert!(matches!(result, Err(PackError::History { flag, .. }) if flag == "--changes"));
}

/// Recency is relative to the last commit and fades within months.
#[test]
fn recently_changed_file_comes_forward() {
    let sandbox = Sandbox::new();
    for name in ["a.py", "b.py", "c.py"] {
        sandbox.write(name, format!("def {}():\n    pass\n", &name[..1]));
    }
    let commit = |message: &str, date: &str| {
        sandbox.git(&["add", "-A"]);
        let mut git = sandbox.command("git");
        git.env("GIT_COMMITTER_DATE", date)
            .env("GIT_AUTHOR_DATE", date);
        assert!(
            git.args(["commit", "-qm", message])
                .status()
                .unwrap()
                .success()
        );
    };
    sandbox.git(&["init", "-q"]);
    commit("all", "2024-01-01T00:00:00Z");
    sandbox.write("b.py", "def b():\n    return 1\n");
    commit("b", "2026-01-01T00:00:00Z");
    let packer = packer(&sandbox, PackOptions::default());
    let wanted = MapWanted {
        recency: true,
        ..MapWanted::default()
    };
    let request = MapRequest {
        weights: loom_host::Weights {
            modification_recency: 100.0,
            ..loom_host::Weights::default()
        },
        ..request(2_000)
    };
    let filled = read(&packer, &wanted).render(&packer, &request).unwrap();
    assert_eq!(filled.document.signatures[0].path, "b.py");
    let without = read(&packer, &MapWanted::default())
        .render(&packer, &request)
        .unwrap();
    assert_eq!(without.document.signatures[0].path, "a.py");
}

/// Returns the description of a source of these files.
fn description(files: &[(&str, &str)]) -> Option<String> {
    let sandbox = Sandbox::new();
    sandbox.write("src/a.py", "def a():\n    pass\n");
    for (path, text) in files {
        sandbox.write(path, text);
    }
    let packer = packer(&sandbox, PackOptions::default());
    let repository = read(&packer, &MapWanted::default());
    repository
        .render(&packer, &request(2_000))
        .unwrap()
        .document
        .description
}

#[test]
fn description_comes_from_the_best_readme_or_a_manifest() {
    let readme = |text: &str| format!("# Title\n\n{text}\n");
    let (md, other) = (
        readme("This text is from the readme."),
        readme("This text is from a translation."),
    );
    let cargo = "[package]\nname = \"x\"\ndescription = \"From the manifest.\"\n";
    for (files, expected) in [
        (
            &[("README.md", md.as_str()), ("Cargo.toml", cargo)][..],
            Some("This text is from the readme."),
        ),
        (
            &[("readme.de.md", other.as_str()), ("README.md", &md)],
            Some("This text is from the readme."),
        ),
        (
            &[("readme.de.md", other.as_str())],
            Some("This text is from a translation."),
        ),
        (&[("Cargo.toml", cargo)], Some("From the manifest.")),
        (&[("src/README.md", md.as_str())], None),
        (&[("README.md", "")], None),
        (
            &[("README.md", ""), ("Cargo.toml", cargo)],
            Some("From the manifest."),
        ),
        (&[], None),
    ] {
        assert_eq!(description(files).as_deref(), expected, "{files:?}");
    }
}

#[test]
fn readme_that_is_a_link_is_followed_inside_the_source() {
    let sandbox = Sandbox::new();
    sandbox
        .write("docs/it.md", "# It\n\nThis text is from the documents.\n")
        .write("a.py", "def a():\n    pass\n");
    std::os::unix::fs::symlink("./docs/it.md", sandbox.path("README.md")).unwrap();
    let packer = packer(&sandbox, PackOptions::default());
    let repository = read(&packer, &MapWanted::default());
    let filled = repository.render(&packer, &request(2_000)).unwrap();
    assert_eq!(
        filled.document.description.as_deref(),
        Some("This text is from the documents.")
    );
}

#[test]
fn secret_in_the_description_is_redacted() {
    let text = format!("# It\n\nUse the password \"{}\" here.\n", password());
    let told = description(&[("README.md", &text)]).unwrap();
    assert!(
        told.contains("[REDACTED:") && !told.contains(&password()),
        "{told}"
    );
}

#[test]
fn settings_become_a_request() {
    let read = |text: &str| {
        let layer = Layer::from_toml(&FileOrigin::user("user.toml"), text).unwrap();
        map_request(resolve([layer]).settings())
    };
    let usual = read("");
    assert_eq!(usual.extract, Extract::default());
    assert_eq!(
        (usual.format, usual.algorithm),
        (MapFormat::Xml, Algorithm::Pagerank)
    );
    let chosen = read(
        "[map]\nbudget = 700\nformat = 'plain'\nalgorithm = 'hits'\nfactors = 'seed'\nfile_size = 0.5\nextract = ['classes', 'imports']\n",
    );
    assert_eq!((chosen.budget, chosen.format), (700, MapFormat::Plain));
    assert_eq!(chosen.algorithm, Algorithm::Hits);
    let seed = loom_host::Weights::SEED;
    assert_eq!(
        chosen.weights,
        loom_host::Weights {
            file_size: 0.5,
            ..seed
        }
    );
    assert!(chosen.extract.classes && chosen.extract.imports);
    assert!(!chosen.extract.functions && !chosen.extract.constants && !chosen.extract.types);
    for (name, format) in [
        ("json", MapFormat::Json),
        ("mermaid", MapFormat::Mermaid),
        ("markdown", MapFormat::Markdown),
    ] {
        assert_eq!(read(&format!("[map]\nformat = '{name}'\n")).format, format);
    }
    assert_eq!(
        read("[map]\nalgorithm = 'betweenness'\n").algorithm,
        Algorithm::Betweenness
    );
}

#[test]
fn kinds_of_symbols_are_chosen_and_every_algorithm_gives_a_map() {
    let sandbox = sandbox();
    let packer = packer(&sandbox, PackOptions::default());
    let repository = read(&packer, &MapWanted::default());
    let only_classes = MapRequest {
        extract: Extract {
            classes: true,
            functions: false,
            interfaces: false,
            types: false,
            constants: false,
            imports: false,
        },
        format: MapFormat::Plain,
        ..request(3_000)
    };
    let text = repository.render(&packer, &only_classes).unwrap().text;
    assert!(
        text.contains("class Registry") && !text.contains("def price"),
        "{text}"
    );
    for algorithm in [Algorithm::Hits, Algorithm::Betweenness, Algorithm::Pagerank] {
        let filled = repository
            .render(
                &packer,
                &MapRequest {
                    algorithm,
                    ..request(1_000)
                },
            )
            .unwrap();
        assert!(filled.text.contains("open_registry"), "{algorithm:?}");
    }
}

#[test]
fn generated_files_have_symbols_only_on_request() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "made.py",
        "# Code generated by protoc. DO NOT EDIT.\n\nclass Made:\n    pass\n",
    );
    let packer = packer(&sandbox, PackOptions::default());
    let symbols = |generated: bool| {
        let wanted = MapWanted {
            generated,
            ..MapWanted::default()
        };
        let repository = read(&packer, &wanted);
        let files = &repository.linked().files;
        files.iter().map(|file| file.symbols.len()).sum::<usize>()
    };
    assert_eq!((symbols(false), symbols(true)), (0, 1));
}

#[test]
fn secrets_and_cancellation_end_the_reading() {
    let sandbox = sandbox();
    let options = PackOptions {
        secrets: SecretsOptions::new(SecretsMode::Fail),
        ..PackOptions::default()
    };
    let failing = packer(&sandbox, options);
    let result =
        MapBuilder::new(&failing, &Run::new(), &Cancel::new()).build(&MapWanted::default());
    assert!(matches!(result, Err(PackError::Secrets { found }) if found.len() == 1));
    let cancel = Cancel::new();
    cancel.cancel();
    let packer = packer(&sandbox, PackOptions::default());
    let result = MapBuilder::new(&packer, &Run::new(), &cancel).build(&MapWanted::default());
    assert!(matches!(result, Err(PackError::Cancelled)));
}
