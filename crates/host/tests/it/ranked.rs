//! Files in the order of their relevance: for a query, and for a question.

use std::ops::ControlFlow;

use loom_host::{
    Cancel, Detail, FileHits, IndexUse, PackError, PackOptions, Query, QueryOptions, RankOptions,
    RankedHit, Ranking, SearchOptions, Searcher, SecretsMode, SecretsOptions,
};
use loom_testkit::Sandbox;

use crate::fixture::{LINES, cached, open, packer, password};

fn opened(sandbox: &Sandbox) -> Searcher {
    open(packer(sandbox, cached(sandbox)), IndexUse::Update)
}

/// Returns the paths of a query, the best first.
fn best_first(searcher: &Searcher, word: &str, options: &SearchOptions) -> Vec<String> {
    let query = Query::literal(word, &QueryOptions::default()).unwrap();
    let (mut found, mut scores) = (Vec::new(), Vec::new());
    let each = |file: FileHits| {
        found.push(file.path.display().into_owned());
        scores.extend(file.score);
        ControlFlow::Continue(())
    };
    searcher
        .search_best_first(&query, options, &Cancel::new(), each)
        .unwrap();
    assert_eq!(scores.len(), found.len());
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    found
}

#[test]
fn definition_comes_before_uses_and_tests() {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "a/uses.rs",
            "fn main() { widget() }\nfn more() { widget() }\n",
        )
        .write("b/defines.rs", "pub fn widget() {}\n")
        .write("c/tests/widget.rs", "fn test_widget() { widget() }\n");
    let paths = ["b/defines.rs", "a/uses.rs", "c/tests/widget.rs"];
    for usage in [IndexUse::Off, IndexUse::Update] {
        let searcher = open(packer(&sandbox, cached(&sandbox)), usage);
        assert_eq!(best_first(&searcher, "widget", &LINES), paths);
        let limit = SearchOptions {
            limit: Some(1),
            ..LINES
        };
        assert_eq!(best_first(&searcher, "widget", &limit), paths[..1]);
        let only_paths = SearchOptions {
            detail: Detail::Paths,
            ..LINES
        };
        assert_eq!(best_first(&searcher, "widget", &only_paths), paths);
    }
}

/// Beyond the files with most lines, those that define the name are scored, too.
#[test]
fn definition_comes_first_among_many_files() {
    let sandbox = Sandbox::new();
    for number in 0..260 {
        let text = "price = 1\nprice = price + price\nprice\n".repeat(3);
        sandbox.write(format!("a/{number}.py"), text);
    }
    let text = format!("{}def price():\n    pass\n", "x = 1\n".repeat(40));
    sandbox.write("z.py", text);
    assert_eq!(best_first(&opened(&sandbox), "price", &LINES)[0], "z.py");
}

fn cookies() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "src/http/cookies.py",
            "def parse_cookie(text):\n    \"\"\"Parse one.\"\"\"\n    return text.split(';')\n",
        )
        .write("src/other.py", "def other():\n    return 1 # cookie\n")
        .write(
            "tests/test_cookies.py",
            "def test_parse_cookie():\n    pass\n",
        )
        .write(
            "src/headers.py",
            "# 解析请求头，返回字典\ndef headers(text):\n    return {}\n",
        )
        .write(
            "src/store.py",
            "# クッキーを保存する\ndef store(text):\n    return {}\n",
        );
    sandbox
}

fn ranked(searcher: &Searcher, question: &str) -> Vec<RankedHit> {
    searcher.rank(question, &RankOptions::default())
}

#[test]
fn question_finds_the_function_that_answers_it() {
    let sandbox = cookies();
    let searcher = opened(&sandbox);
    let hits = ranked(&searcher, "how are cookies parsed");
    let first = &hits[0];
    assert_eq!(first.path.display(), "src/http/cookies.py");
    assert_eq!((first.start_line, first.end_line), (1, 3), "{hits:?}");
    assert_eq!(first.symbol.as_deref(), Some("parse_cookie"));
    assert!(hits.windows(2).all(|two| two[0].score >= two[1].score));
    for ranking in [Ranking::Bm25, Ranking::TfIdf, Ranking::CodeAware] {
        let options = RankOptions {
            ranking,
            ..RankOptions::default()
        };
        assert!(
            searcher.rank("how are cookies parsed", &options).len() >= 2,
            "{ranking:?}"
        );
    }
    assert!(ranked(&searcher, "xyzzy").is_empty());
    assert!(ranked(&searcher, "").is_empty());
    let one = RankOptions {
        limit: 1,
        ..RankOptions::default()
    };
    assert_eq!(searcher.rank("cookie", &one).len(), 1);
}

/// Text without spaces between words is found by its pairs of characters.
#[test]
fn questions_in_chinese_and_japanese_are_answered() {
    let sandbox = cookies();
    let searcher = opened(&sandbox);
    let first = |question: &str| ranked(&searcher, question)[0].path.display().into_owned();
    assert_eq!(first("怎么解析请求头"), "src/headers.py");
    assert_eq!(first("クッキーの保存"), "src/store.py");
    for question in ["où est la clé", "größe", "ключ", "מפתח", "🔑 clé"] {
        assert!(ranked(&searcher, question).is_empty(), "{question}");
    }
}

#[test]
fn type_that_is_asked_for_comes_before_its_methods() {
    let sandbox = Sandbox::new();
    sandbox
        .write("src/till.py", "class Till:\n    def open_till(self):\n        pass\n\n    def till_total(self):\n        pass\n")
        .write("src/use.py", "from till import Till\n\n\ndef till():\n    return Till()\n");
    let hits = ranked(&opened(&sandbox), "Till");
    assert_eq!(hits[0].path.display(), "src/till.py");
    assert_eq!(hits[0].symbol.as_deref(), Some("Till"));
}

#[test]
fn ranking_is_narrowed_by_path_and_can_be_cancelled() {
    let sandbox = cookies();
    let searcher = opened(&sandbox);
    let options = RankOptions::default();
    let among = |cancel: &Cancel| {
        let is_test = |path: &loom_host::RepoPath| path.display().starts_with("tests/");
        searcher.rank_among("parse cookie", &options, is_test, cancel)
    };
    let hits = among(&Cancel::new()).unwrap();
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].path.display(), "tests/test_cookies.py");
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(matches!(among(&cancel), Err(PackError::Cancelled)));
}

/// The rank must not depend on a secret that is hidden.
#[test]
fn hit_with_a_secret_is_marked_and_its_secret_is_no_word() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox.write(
        "a.py",
        format!("def connect():\n    password = '{password}'\n"),
    );
    sandbox.write("b.py", "def other():\n    pass\n");
    let hits = ranked(&opened(&sandbox), "where does it connect");
    assert!(hits[0].has_secret, "{hits:?}");
    assert!(ranked(&opened(&sandbox), &password).is_empty());
    let options = PackOptions {
        secrets: SecretsOptions::new(SecretsMode::Off),
        ..cached(&sandbox)
    };
    let searcher = open(packer(&sandbox, options), IndexUse::Auto);
    assert!(!ranked(&searcher, "where does it connect")[0].has_secret);
}

/// A required index without a cache directory is built in a temporary one.
#[test]
fn question_is_answered_without_a_cache() {
    let sandbox = cookies();
    let searcher = open(packer(&sandbox, PackOptions::default()), IndexUse::Update);
    assert!(searcher.is_whole());
    assert_eq!(
        ranked(&searcher, "how are cookies parsed")[0]
            .path
            .display(),
        "src/http/cookies.py"
    );
}
