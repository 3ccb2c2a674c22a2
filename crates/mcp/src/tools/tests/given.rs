//! Arguments of calls in every form that models write, and answers about files that are not
//! shown.

use serde_json::json;

use super::client::{Client, shop, sources};

/// Paths and globs go from the root that was given, and from the top of its repository.
#[test]
fn paths_go_from_a_root_below_the_top_of_its_repository() {
    let sandbox = shop();
    sandbox.write("lib/part.py", "def only_in_lib(item):\n    return item\n");
    sandbox.write("lib/deep/more.py", "def further_down():\n    pass\n");
    sandbox.commit_all();
    let client = Client::start(&sandbox, &["lib"]);
    let both = ["lib/deep/more.py:1-2", "lib/part.py:1-2"];
    for (arguments, shown) in [
        (json!({"include": ["deep/**"]}), &both[..1]),
        (json!({"include": ["./deep/more.py"]}), &both[..1]),
        (json!({"include": ["lib/deep/**"]}), &both[..1]),
        (json!({"exclude": ["deep/**"]}), &both[1..]),
        (json!({"include": ["*.py"]}), &both),
        (
            json!({"include": ["*.py"], "exclude": ["deep/"]}),
            &both[1..],
        ),
        (json!({"include": ["../src/**"]}), &[]),
        (json!({"include": ["src/**"]}), &[]),
    ] {
        let (text, data) = client.told("pack", &arguments);
        assert_eq!(sources(&data), shown, "{arguments}: {text}");
    }
    for focus in ["deep/more.py", "./deep/more.py", "lib/deep/more.py", "deep"] {
        let told = client.ok("map", &json!({"focus": [focus]}));
        assert!(!told.contains("Not here"), "{focus}: {told}");
    }
    let full = sandbox.work().canonicalize().unwrap();
    let full = full.join("lib/deep").display().to_string();
    for (path, shown) in [
        ("deep/**", &["lib/deep/more.py:1-1"][..]),
        ("./deep", &["lib/deep/more.py:1-1"]),
        (full.as_str(), &["lib/deep/more.py:1-1"]),
        ("lib/*.py", &["lib/part.py:1-1"]),
        ("none/**", &[]),
    ] {
        let asked = json!({"query": "def ", "path": path});
        let (text, data) = client.told("search", &asked);
        assert_eq!(sources(&data), shown, "{path}: {text}");
    }
    for focus in ["more.py", "src/shop.py"] {
        let told = client.ok("map", &json!({"focus": [focus]}));
        assert!(
            told.contains(&format!("Not here: {focus}")),
            "{focus}: {told}"
        );
    }
}

/// A file that no map can show does not make it one of which something is missing.
#[test]
fn a_map_is_whole_with_files_in_no_known_language() {
    let sandbox = shop();
    sandbox.write("data/table.qqq", "1;2;3\n");
    sandbox.write("data/other.zzz", "4;5;6\n");
    sandbox.commit_all();
    let client = Client::start(&sandbox, &["."]);
    let (text, data) = client.told("map", &json!({}));
    assert_eq!(data["truncated"], false, "{text}");
    assert!(text.contains("2 files in no known language"), "{text}");
    let (text, data) = client.told("map", &json!({"max_tokens": 100}));
    assert_eq!(data["truncated"], true, "{text}");
}

#[test]
fn what_is_not_shown_for_what_it_is_is_told() {
    let sandbox = shop();
    sandbox.write("media/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\0".as_slice());
    sandbox.write("media/large.txt", "price of an item\n".repeat(1000));
    sandbox.write("media/small.txt", "price\n");
    sandbox.write("infiniloom.toml", "[scan]\nmax_file_size = 5000\n");
    sandbox.commit_all();
    let client = Client::start(&sandbox, &["."]);
    let (text, data) = client.told("pack", &json!({"include": ["media/**"]}));
    assert_eq!(sources(&data), ["media/small.txt:1-1"], "{text}");
    assert!(text.contains("media/logo.png (binary)"), "{text}");
    assert!(text.contains("media/large.txt (17000 bytes"), "{text}");
    let text = client.ok("pack", &json!({"include": ["media/logo.png"]}));
    assert!(text.starts_with("No text is at these paths"), "{text}");
    for (path, why) in [
        ("media/logo.png", "binary"),
        (
            "media/large.txt",
            "17000 bytes, more than the limit of 5000",
        ),
    ] {
        let text = client.refused("read", &json!({ "path": path }));
        assert!(text.contains(why), "{path}: {text}");
    }
    let text = client.ok("search", &json!({"query": "nowhere at all"}));
    assert!(
        text.contains("larger than 5000 bytes are not searched: 1"),
        "{text}"
    );
}

#[test]
fn numbers_are_taken_as_they_are_written() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    for lines in [json!(8), json!(8.0), json!("8"), json!("8-8")] {
        let told = client.ok("read", &json!({"path": "src/shop.py", "lines": lines}));
        assert!(told.contains("\n8| def price_of(item):\n"), "{told}");
        assert!(!told.contains("\n9| "), "{told}");
    }
    let (text, data) = client.told("map", &json!({"max_tokens": 100.0}));
    assert!(data["tokens"].as_u64().unwrap() <= 100, "{text}");
    for wrong in [json!(8.5), json!(-8), json!([8])] {
        client.refused("read", &json!({"path": "src/shop.py", "lines": wrong}));
    }
}

#[test]
fn lines_of_a_symbol_are_shown_and_the_last_line_of_a_file() {
    let sandbox = shop();
    sandbox.write(
        "src/end.py",
        "def first_end():\n    return 1\n\n\ndef last_end():\n    a = 2\n    return a",
    );
    let client = Client::start(&sandbox, &["."]);
    let last = "7|     return a";
    let told = client.ok("read", &json!({"symbol": "last_end", "lines": "6-"}));
    assert!(told.contains(&format!("6|     a = 2\n{last}\n")), "{told}");
    assert!(!told.contains("def "), "{told}");
    let told = client.refused("read", &json!({"symbol": "last_end", "lines": "1-3"}));
    assert!(told.contains("src/end.py:5-7"), "{told}");
    for (tool, arguments) in [
        ("read", json!({"path": "src/end.py"})),
        ("read", json!({"path": "src/end.py", "compress": "minimal"})),
        ("read", json!({"symbol": "last_end"})),
        ("pack", json!({"include": ["src/end.py"]})),
        (
            "context",
            json!({"query": "last_end returns the wrong number"}),
        ),
        ("search", json!({"query": "return a"})),
    ] {
        let told = client.ok(tool, &arguments);
        assert!(told.contains(last), "{tool} {arguments}: {told}");
    }
}

#[test]
fn ids_of_every_kind_are_understood() {
    let sandbox = shop();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"bytes\xff.py");
        sandbox.write(name, "def odd_bytes():\n    pass\n");
        sandbox.write("line\nbreak.py", "def odd_break():\n    pass\n");
    }
    sandbox.write("größe 1:2.py", "def odd_colon():\n    pass\n");
    let client = Client::start(&sandbox, &["."]);
    let names: &[&str] = match cfg!(unix) {
        true => &["odd_bytes", "odd_break", "odd_colon"],
        false => &["odd_colon"],
    };
    for name in names {
        let (text, data) = client.told("search", &json!({ "query": name }));
        let id = &sources(&data)[0];
        let told = client.ok("read", &json!({ "path": id }));
        assert!(told.contains(name), "{id}: {told} {text}");
        let told = client.ok("navigate", &json!({ "symbol": id }));
        assert!(told.contains(&format!("function {name}")), "{id}: {told}");
        let told = client.ok("context", &json!({"query": "odd", "pin": [id]}));
        assert!(
            told.contains(name) && !told.contains("Not here"),
            "{id}: {told}"
        );
    }
    // A file, and lines in which nothing begins.
    let told = client.ok("navigate", &json!({"symbol": "src/shop.py"}));
    for name in ["class Shop", "method Shop.sell", "function price_of"] {
        assert!(told.contains(name), "{told}");
    }
    let told = client.ok("navigate", &json!({"symbol": "src/shop.py:5-5"}));
    assert!(told.contains("src/shop.py:4-5 method Shop.sell"), "{told}");
    let callers = json!({"symbol": "src/shop.py:9-9", "what": "callers"});
    let told = client.ok("navigate", &callers);
    assert!(told.contains("Shop.sell → price_of"), "{told}");
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_the_call() {
    let sandbox = shop();
    sandbox.write("long.py", "price = 'of an item'\n".repeat(400));
    let client = Client::start(&sandbox, &["."]);
    let pinned = json!({"query": "price", "pin": ["long.py"], "max_tokens": 100});
    let told = client.refused("context", &pinned);
    assert!(told.contains("more than `budget`: about"), "{told}");
    let told = client.ok("pack", &json!({"include": ["nowhere/**"]}));
    assert!(told.starts_with("No file is at these paths"), "{told}");
    let told = client.ok("search", &json!({"query": "x", "y".repeat(200_000): 1}));
    assert!(told.contains("ignored: `yyy") && told.len() < 2000);
    let told = client.refused("search", &json!({"quer": "x"}));
    assert!(
        told.starts_with("there is no argument `quer`; this tool takes"),
        "{told}"
    );
    assert!(
        told.contains("query") && told.contains("`query` is missing"),
        "{told}"
    );
    sandbox.write("infiniloom.toml", "[context]\nbudget = 1\n");
    let told = client.refused("context", &json!({"query": "price"}));
    assert!(told.contains("[context] budget = 1"), "{told}");
}

/// The answer names files without text, and a way to get them.
#[test]
fn whatever_is_truncated_says_how_to_get_more() {
    let sandbox = shop();
    for at in 0..60 {
        let text = format!("def price_{at}(item):\n    return item.price * {at}\n\n").repeat(4);
        sandbox.write(format!("src/part{at}.py"), text);
    }
    let client = Client::start(&sandbox, &["."]);
    for (tool, arguments) in [
        (
            "context",
            json!({"query": "the price of an item", "max_tokens": 600}),
        ),
        ("map", json!({"max_tokens": 600})),
        ("pack", json!({"max_tokens": 600})),
        (
            "search",
            json!({"query": "the price of an item", "kind": "question"}),
        ),
        ("search", json!({"query": "price", "max_tokens": 50_000})),
        ("read", json!({"path": "src/part1.py", "max_tokens": 100})),
        (
            "navigate",
            json!({"symbol": "price_1", "what": "refs", "max_tokens": 100}),
        ),
    ] {
        let (text, data) = client.told(tool, &arguments);
        let is_told = text.starts_with("partial: ");
        assert_eq!(data["truncated"], is_told, "{tool} {arguments}: {text}");
        assert_eq!(text.ends_with("\ncomplete"), !is_told, "{text}");
        if is_told {
            assert!(
                text.contains("`budget`") || text.contains("`lines"),
                "{text}"
            );
        }
    }
}
