//! Searches: the same answers with and without an index, freshness, secrets and cancellation.

use std::fs;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use loom_host::{
    Cancel, Detail, FileHits, HistoryOptions, IndexUse, PackError, PackOptions, Query,
    QueryOptions, SearchError, SearchOptions, SearchText, Searched, Searcher, SecretNumbers,
    SecretsMode, SecretsOptions,
};
use loom_syntax::Level;
use loom_testkit::Sandbox;

use crate::fixture::{
    LINES, Meddling, cached, lines, open, other_password, packer, password, shown,
};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "src/a.rs",
            "fn alpha() {\n    beta(1);\n}\n\nfn beta(x: u8) {}\n",
        )
        .write(
            "src/b.py",
            "def alpha():\n    return 'Beta'\n# gamma delta\n",
        )
        .write("tests/a.rs", "fn test_alpha() { alpha() }\n")
        .write("notes.txt", "alpha\r\nnaïve BETA\r\n")
        .write("data.bin", "alpha\0");
    sandbox
}

const USES: [IndexUse; 4] = [
    IndexUse::Off,
    IndexUse::Update,
    IndexUse::Auto,
    IndexUse::Auto,
];

fn asked(searcher: &Searcher, query: &str, options: &SearchOptions) -> (Vec<String>, Searched) {
    let language = |name: &str| loom_host::Language::from_id(name).map(|one| one.id().to_owned());
    let query_options = QueryOptions {
        language: &language,
        ..QueryOptions::default()
    };
    let query = Query::parse(query, &query_options).unwrap();
    let mut found = Vec::new();
    let each = |file: FileHits| {
        match options.detail {
            Detail::Lines { .. } => found.extend(shown(&file)),
            _ => found.push(format!("{} {}", file.path.display(), file.count)),
        }
        ControlFlow::Continue(())
    };
    let totals = searcher
        .search(&query, options, &Cancel::new(), each)
        .unwrap();
    (found, totals)
}

#[test]
fn index_changes_no_answer() {
    let sandbox = sandbox();
    let details = [LINES.detail, Detail::Paths, Detail::Counts];
    let queries = [
        "alpha",
        "alpha lang:python",
        "alpha -path:tests",
        "(gamma or \"u8\") path:src/**",
        "def:alpha",
        "sym:alpha lang:rust",
        "path:/\\.py$/",
        "ï",
        "/^fn b\\w+\\(/",
        "nothing",
    ];
    for query in queries {
        for detail in details {
            let options = SearchOptions { detail, ..LINES };
            let answers: Vec<_> = USES
                .iter()
                .map(|usage| {
                    asked(
                        &open(packer(&sandbox, cached(&sandbox)), *usage),
                        query,
                        &options,
                    )
                    .0
                })
                .collect();
            assert!(
                answers.windows(2).all(|two| two[0] == two[1]),
                "{query}: {answers:?}"
            );
            if detail == Detail::Paths {
                assert_eq!(answers[0].is_empty(), query == "nothing", "{query}");
            }
        }
    }
}

/// The index excludes files, and a repeated query reads only the files that matched.
#[test]
fn index_and_repeated_queries_read_fewer_files() {
    let sandbox = sandbox();
    for at in 0..40 {
        sandbox.write(format!("more/{at}.txt"), format!("line {at}\n"));
    }
    let read = |searcher: &Searcher, query: &str| asked(searcher, query, &LINES).1.read;
    let without = open(packer(&sandbox, cached(&sandbox)), IndexUse::Off);
    assert_eq!(read(&without, "gamma"), 44);
    let with = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
    assert!(with.is_whole() && !without.is_whole());
    assert_eq!(with.built().unwrap().indexed, 44);
    assert!(read(&with, "gamma") < 5);
    assert!(read(&with, "/a.*a/") > 1);
    assert_eq!(
        read(&with, "/a.*a/"),
        asked(&with, "/a.*a/", &LINES).1.files
    );
}

#[test]
fn small_new_part_is_indexed_by_the_way_and_a_large_one_is_read() {
    let sandbox = Sandbox::new();
    for at in 0..120 {
        sandbox.write(format!("{at:03}.txt"), format!("word {at}\n"));
    }
    let auto = || open(packer(&sandbox, cached(&sandbox)), IndexUse::Auto);
    assert!(!auto().is_whole() && auto().built().is_none());
    assert_eq!(lines(&auto(), "word 77"), ["077.txt:1:word 77"]);
    assert!(open(packer(&sandbox, cached(&sandbox)), IndexUse::Update).is_whole());
    sandbox.write("new.txt", "word new\n");
    let again = auto();
    assert!(again.is_whole());
    assert_eq!(again.built().unwrap().indexed, 1);
}

#[test]
fn changes_are_seen_by_the_next_searcher() {
    let sandbox = sandbox();
    for usage in USES {
        assert!(lines(&open(packer(&sandbox, cached(&sandbox)), usage), "omega").is_empty());
    }
    sandbox
        .write("src/a.rs", "fn omega() {}\n")
        .write("new.txt", "omega too\n");
    fs::remove_file(sandbox.path("notes.txt")).unwrap();
    for usage in USES {
        let searcher = open(packer(&sandbox, cached(&sandbox)), usage);
        assert_eq!(
            lines(&searcher, "omega"),
            ["new.txt:1:omega too", "src/a.rs:1:fn omega() {}"]
        );
        assert_eq!(lines(&searcher, "alpha").len(), 2);
        assert_eq!((searcher.len(), searcher.is_empty()), (5, false));
    }
}

#[test]
fn refreshed_searcher_exists_only_if_something_changed() {
    let sandbox = sandbox();
    loom_testkit::tick(&sandbox.path(".."));
    let searcher = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
    let refreshed = |searcher: &Searcher| searcher.refreshed(&Cancel::new()).unwrap();
    assert!(refreshed(&searcher).is_none());
    sandbox.write("new.txt", "omega\n");
    let now = refreshed(&searcher).unwrap();
    assert_eq!(lines(&now, "omega"), ["new.txt:1:omega"]);
    assert!(lines(&searcher, "omega").is_empty());
    fs::remove_file(sandbox.path("src/b.py")).unwrap();
    let then = refreshed(&now).unwrap();
    assert!(lines(&then, "gamma").is_empty());
    assert!(then.paths().all(|path| path.display() != "src/b.py"));
}

/// A file that changed since it was listed may contain a copy of an unknown secret.
#[test]
fn version_that_was_not_scanned_is_not_shown() {
    let sandbox = sandbox();
    for usage in [IndexUse::Off, IndexUse::Update] {
        let searcher = open(packer(&sandbox, cached(&sandbox)), usage);
        let before = sandbox.read("src/b.py");
        sandbox.write("src/b.py", "gamma in another version\n");
        assert!(lines(&searcher, "gamma").is_empty(), "{usage:?}");
        assert!(searcher.is_unread("src/b.py"));
        sandbox.write("src/b.py", before);
    }
    let options = PackOptions {
        secrets: SecretsOptions::new(SecretsMode::Off),
        ..PackOptions::default()
    };
    let searcher = open(packer(&sandbox, options), IndexUse::Off);
    sandbox.write("src/b.py", "gamma in another version\n");
    assert_eq!(lines(&searcher, "gamma").len(), 1);
}

#[test]
fn copies_of_secrets_are_redacted_with_and_without_an_index() {
    let sandbox = sandbox();
    let password = password();
    sandbox
        .write(".gitignore", ".env\n")
        .write(".env", format!("DB_PASSWORD={password}\n"))
        .write("notes.md", format!("see {password} there\n"))
        .git(&["init", "-q"]);
    for usage in USES {
        let searcher = open(packer(&sandbox, cached(&sandbox)), usage);
        assert_eq!(
            lines(&searcher, "there"),
            ["notes.md:1:see [REDACTED:password] there"]
        );
        let known = searcher.redact_known(&format!("{password} again")).unwrap();
        assert_eq!(known, "[REDACTED:password:1] again");
        assert_eq!(searcher.redact_known("nothing"), None);
    }
    let options = PackOptions {
        secrets: SecretsOptions::new(SecretsMode::Off),
        ..cached(&sandbox)
    };
    let searcher = open(packer(&sandbox, options), IndexUse::Auto);
    assert_eq!(
        lines(&searcher, "there"),
        [format!("notes.md:1:see {password} there")]
    );
}

/// Above 100 new files a search builds no index. The limit never turns redaction off.
#[test]
fn copies_of_secrets_are_redacted_above_the_limit_of_implicit_indexing() {
    let key = ["3f9a1c0b7e52d86f", "4b10e9c7a2d35f81", "6e0c94ab"].concat();
    for (small_files, ignored) in [(101, ""), (101, ".env\n"), (140, ""), (140, ".env\n")] {
        let sandbox = Sandbox::new();
        sandbox
            .write(".gitignore", ignored)
            .write(".env", format!("LEDGER_API_KEY={key}\n"))
            .write("note.py", format!("# handshake uses {key}\n"))
            .git(&["init", "-q"]);
        for at in 0..small_files {
            sandbox.write(format!("small/{at:03}.txt"), format!("line {at}\n"));
        }
        // The second run with a cache finds the results of the first.
        let no_cache = PackOptions::default();
        for options in [no_cache, cached(&sandbox), cached(&sandbox)] {
            let searcher = open(packer(&sandbox, options), IndexUse::Auto);
            assert!(!searcher.is_whole(), "{small_files} {ignored:?}");
            assert_eq!(
                lines(&searcher, "handshake"),
                ["note.py:1:# handshake uses [REDACTED:api-key]"],
                "{small_files} {ignored:?}"
            );
        }
    }
}

/// A query on the redacted text cannot confirm a guess, also from its own cache.
#[test]
fn redacted_text_confirms_no_guess() {
    let sandbox = sandbox();
    let password = password();
    sandbox.write("app.env", format!("DB_PASSWORD={password}\n"));
    let searcher = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
    let guess = format!("\"{password}\"");
    for _ in 0..2 {
        let with = |search_text: SearchText| {
            asked(
                &searcher,
                &guess,
                &SearchOptions {
                    search_text,
                    ..LINES
                },
            )
            .0
        };
        assert_eq!(
            with(SearchText::Raw),
            ["app.env:1:DB_PASSWORD=[REDACTED:password]"]
        );
        assert!(with(SearchText::Redacted).is_empty());
    }
}

/// An editor leaves an empty file between opening and writing it.
#[test]
fn secret_stays_known_while_its_file_is_written() {
    let sandbox = sandbox();
    let password = password();
    sandbox
        .write("zz.env", format!("DB_PASSWORD={password}\n"))
        .write("notes.md", format!("see {password} there\n"));
    let searcher = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
    sandbox.write("zz.env", "");
    let now = searcher.refreshed(&Cancel::new()).unwrap().unwrap();
    assert_eq!(
        lines(&now, "there"),
        ["notes.md:1:see [REDACTED:password] there"]
    );
    let fresh = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
    assert_eq!(
        lines(&fresh, "there"),
        [format!("notes.md:1:see {password} there")]
    );
}

#[test]
fn only_changed_files_are_searched_if_the_options_say_so() {
    let sandbox = sandbox();
    sandbox.commit_all().write("src/b.py", "alpha = 1\n");
    let options = PackOptions {
        history: HistoryOptions {
            changed: Some("HEAD".to_owned()),
            ..HistoryOptions::default()
        },
        ..cached(&sandbox)
    };
    let searcher = open(packer(&sandbox, options), IndexUse::Update);
    assert_eq!(lines(&searcher, "alpha"), ["src/b.py:1:alpha = 1"]);
    // The index of a part does not stand for the whole.
    let whole = open(packer(&sandbox, cached(&sandbox)), IndexUse::Auto);
    assert_eq!(lines(&whole, "alpha").len(), 4);
}

#[test]
fn text_of_a_file_is_shown_by_any_spelling_of_its_path() {
    let sandbox = sandbox();
    let searcher = open(packer(&sandbox, PackOptions::default()), IndexUse::Off);
    let full = sandbox.path("src/a.rs").display().to_string();
    for typed in ["src/a.rs", "./src/a.rs", &full] {
        let text = searcher
            .shown_text(typed, Level::None, &mut SecretNumbers::default())
            .unwrap();
        assert_eq!(
            (text.path.display().into_owned(), text.language),
            ("src/a.rs".to_owned(), Some("rust"))
        );
        assert_eq!((text.total, text.lines.len()), (5, 5));
        assert_eq!(text.lines[1], (2, "    beta(1);".to_owned()));
    }
    for typed in ["nowhere.rs", "data.bin", "../work", ""] {
        let text = searcher.shown_text(typed, Level::None, &mut SecretNumbers::default());
        assert_eq!(text, None, "{typed}");
    }
}

#[test]
fn shown_text_is_redacted_and_compressed_with_true_line_numbers() {
    let sandbox = Sandbox::new();
    let body = "    total = total + 1\n".repeat(20);
    let text = format!(
        "def first():\n{body}    return total\n\n\nPASSWORD = '{}'\n\n\ndef second():\n    pass\n",
        password()
    );
    sandbox
        .write("a.py", text)
        .write("b.py", format!("PASSWORD = '{}'\n", other_password()));
    let searcher = open(packer(&sandbox, PackOptions::default()), IndexUse::Off);
    let mut numbers = SecretNumbers::default();
    let short = searcher
        .shown_text("a.py", Level::Aggressive, &mut numbers)
        .unwrap();
    assert!(short.lines.len() < 20 && short.total == 29, "{short:?}");
    let second = short
        .lines
        .iter()
        .find(|(_, line)| line.starts_with("def second"));
    assert_eq!(second.unwrap().0, 28);
    let whole = searcher
        .shown_text("b.py", Level::None, &mut numbers)
        .unwrap();
    assert_eq!(
        whole.lines[0].1, "PASSWORD = '[REDACTED:password:2]'",
        "numbers are shared"
    );
}

#[test]
fn cancelled_search_is_an_error_and_leaves_no_partial_answer_in_the_cache() {
    let sandbox = sandbox();
    let searcher = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
    let query = Query::literal("alpha", &QueryOptions::default()).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let result = searcher.search(&query, &LINES, &cancel, |_| ControlFlow::Continue(()));
    assert!(matches!(
        result,
        Err(SearchError::Pack(PackError::Cancelled))
    ));
    // A consumer that ends early leaves no partial answer either.
    let first = searcher.search(&query, &LINES, &Cancel::new(), |_| ControlFlow::Break(()));
    assert_eq!(first.unwrap().files, 1);
    assert_eq!(lines(&searcher, "alpha").len(), 4);
    let meddling = Meddling::cancelling(1);
    let opened = Searcher::open(
        Arc::new(packer(&sandbox, PackOptions::default())),
        IndexUse::Update,
        &meddling,
        &meddling.cancel,
    );
    assert!(matches!(opened, Err(PackError::Cancelled)));
}

/// Files change while searchers are opened and refreshed: no answer shows a known secret.
#[test]
fn no_answer_shows_a_secret_while_files_change() {
    let sandbox = Sandbox::new();
    let password = password();
    for at in 0..4 {
        sandbox.write(format!("{at}.txt"), format!("handshake {at}\n"));
    }
    sandbox.write("zz.env", format!("DB_PASSWORD={password}\n"));
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut round = 0;
            while !is_done.load(Ordering::Relaxed) {
                let at = round % 4;
                let text = match round % 3 {
                    0 => format!("handshake {at} uses {password}\n"),
                    1 => format!("handshake {at}\n"),
                    _ => format!("a longer text, handshake with {password} and more\n"),
                };
                // The file of the secret is replaced whole, so that every version has it.
                let secret = format!("# {round}\nDB_PASSWORD={password}\n");
                sandbox.write("../new.env", secret);
                fs::rename(sandbox.path("../new.env"), sandbox.path("zz.env")).unwrap();
                sandbox.write(format!("{at}.txt"), text);
                round += 1;
            }
        });
        let _done = SetOnDrop(&is_done);
        for usage in [IndexUse::Off, IndexUse::Update, IndexUse::Auto] {
            let searcher = open(packer(&sandbox, cached(&sandbox)), usage);
            let now = searcher.refreshed(&Cancel::new()).unwrap();
            let found = lines(&searcher, "handshake").into_iter();
            let later = now.map(|now| lines(&now, "handshake")).unwrap_or_default();
            for line in found.chain(later) {
                assert!(!line.contains(&password), "{line}");
            }
        }
    });
}

/// Ends the changes, also if a check fails: the scope waits for their thread.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn parallel_queries_on_one_searcher_agree() {
    let sandbox = sandbox();
    let searcher = open(packer(&sandbox, cached(&sandbox)), IndexUse::Update);
    let expected = lines(&searcher, "alpha");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(lines(&searcher, "alpha"), expected);
                    searcher.warm(3, 2, &Cancel::new());
                }
            });
        }
    });
}
