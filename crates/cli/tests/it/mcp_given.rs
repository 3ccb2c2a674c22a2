//! What calls of `infiniloom mcp` are given, and what is said of what is not shown.

use serde_json::json;

use crate::mcp_client::{Client, shop, sources};

/// Paths and globs go from the root that was given, and from the top of its repository.
#[test]
fn paths_go_from_a_root_below_the_top_of_its_repository() {
    let sandbox = shop();
    sandbox.write("lib/part.py", "def only_in_lib(item):\n    return item\n");
    sandbox.write("lib/deep/more.py", "def further_down():\n    pass\n");
    sandbox.commit_all();
    let mut client = Client::start(&sandbox, &["lib"]);
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
    client.finish();
}

/// A file that no map can show does not make it one of which something is missing.
#[test]
fn a_map_is_whole_with_files_in_no_known_language() {
    let sandbox = shop();
    sandbox.write("data/table.qqq", "1;2;3\n");
    sandbox.write("data/other.zzz", "4;5;6\n");
    sandbox.commit_all();
    let mut client = Client::start(&sandbox, &["."]);
    let (text, data) = client.told("map", &json!({}));
    assert_eq!(data["truncated"], false, "{text}");
    assert!(text.contains("2 files in no known language"), "{text}");
    let (text, data) = client.told("map", &json!({"max_tokens": 100}));
    assert_eq!(data["truncated"], true, "{text}");
    client.finish();
}

#[test]
fn what_is_not_shown_for_what_it_is_is_told() {
    let sandbox = shop();
    sandbox.write("media/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\0".as_slice());
    sandbox.write("media/large.txt", "price of an item\n".repeat(1000));
    sandbox.write("media/small.txt", "price\n");
    sandbox.write("infiniloom.toml", "[scan]\nmax_file_size = 5000\n");
    sandbox.commit_all();
    let mut client = Client::start(&sandbox, &["."]);
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
    client.finish();
}

#[test]
fn numbers_are_taken_as_they_are_written() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    for lines in [json!(8), json!(8.0), json!("8"), json!("8-8")] {
        let told = client.ok("read", &json!({"path": "src/shop.py", "lines": lines}));
        assert!(told.ends_with("8| def price_of(item):"), "{told}");
    }
    let (text, data) = client.told("map", &json!({"max_tokens": 100.0}));
    assert!(data["tokens"].as_u64().unwrap() <= 100, "{text}");
    for wrong in [json!(8.5), json!(-8), json!([8])] {
        client.refused("read", &json!({"path": "src/shop.py", "lines": wrong}));
    }
    client.finish();
}
