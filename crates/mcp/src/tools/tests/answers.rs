//! Answers of the tools: they state every place and everything that is missing, and keep their
//! limit.

use loom_testkit::Sandbox;
use serde_json::json;

use super::client::{Client, shop, sources};
use super::find;

#[test]
fn what_is_missing_is_said_and_every_place_is_told() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    let all = ["config.py:1-1", "src/main.py:1-3", "src/shop.py:1-9"];
    let (text, data) = client.told("pack", &json!({}));
    assert_eq!(data["truncated"], false, "{text}");
    assert_eq!(sources(&data), all, "{text}");
    let (text, data) = client.told("map", &json!({}));
    assert_eq!(data["truncated"], false, "{text}");
    for place in ["src/shop.py:1-1", "src/shop.py"] {
        assert!(sources(&data).contains(&place.to_owned()), "{data}");
    }
    let (_, data) = client.told("read", &json!({"path": "src/shop.py"}));
    assert_eq!(data["truncated"], false);
    assert_eq!(sources(&data), ["src/shop.py:1-9"]);
    let (_, data) = client.told("search", &json!({"query": "price_of"}));
    assert_eq!(data["truncated"], false);
    assert_eq!(sources(&data), ["src/shop.py:5-5", "src/shop.py:8-8"]);
    let refs = json!({"symbol": "price_of", "what": "refs"});
    let (_, data) = client.told("navigate", &refs);
    assert_eq!(sources(&data), ["src/shop.py:5-5"]);
    let question = json!({"query": "the price of an item", "kind": "question"});
    let (_, data) = client.told("search", &question);
    let is_shop = |one: &String| one.starts_with("src/shop.py:");
    assert!(sources(&data).iter().any(is_shop), "{data}");
    for at in 0..60 {
        let text = format!("def part_{at}(x):\n    return x\n\n").repeat(3);
        sandbox.write(format!("src/part{at}.py"), text);
    }
    for tool in ["map", "pack"] {
        let (text, data) = client.told(tool, &json!({"max_tokens": 600}));
        assert_eq!(data["truncated"], true, "{text}");
        assert!(!sources(&data).is_empty(), "{text}");
        assert!(data["tokens"].as_u64().unwrap() <= 600);
        for source in sources(&data) {
            let path = source.split(':').next().unwrap();
            let name = path.rsplit('/').next().unwrap();
            assert!(text.contains(name), "{source}: {text}");
        }
    }
    let text = client.ok("pack", &json!({"max_tokens": 600}));
    assert!(text.contains("No room for"), "{text}");
}

#[test]
fn more_lines_than_are_looked_at_and_longer_ones_than_are_shown_are_told() {
    let sandbox = shop();
    sandbox.write("many.txt", "a needle\n".repeat(500));
    let long = format!("{}haystack{}\n", "x ".repeat(3000), " y".repeat(3000));
    sandbox.write("long.txt", &long);
    let client = Client::start(&sandbox, &["."]);
    let query = json!({"query": "needle", "max_tokens": 50000});
    let (text, data) = client.told("search", &query);
    assert!(text.contains("\n400 lines or more"), "{text}");
    assert_eq!(data["truncated"], true);
    let (text, data) = client.told("search", &json!({"query": "haystack"}));
    assert!(text.contains("1| …") && text.contains("haystack"), "{text}");
    assert_eq!(data["truncated"], true);
    let (text, data) = client.told("read", &json!({"path": "long.txt"}));
    assert!(text.contains('…') && text.len() < 900, "{text}");
    assert_eq!(data["truncated"], true);
    let whole = json!({"path": "long.txt", "lines": "1", "max_tokens": 20000});
    let (text, data) = client.told("read", &whole);
    assert!(text.contains(long.trim_end()), "{text}");
    assert_eq!(data["truncated"], false);
}

#[test]
fn places_can_be_asked_for_again() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    let calls = [
        ("context", json!({"query": "what does an item cost"})),
        ("search", json!({"query": "price_of", "context": 1})),
        ("navigate", json!({"symbol": "Shop.sell"})),
        ("read", json!({"symbol": "price_of"})),
        ("map", json!({})),
        ("pack", json!({})),
    ];
    for (tool, arguments) in calls {
        let (_, data) = client.told(tool, &arguments);
        let sources = sources(&data);
        assert!(!sources.is_empty(), "{tool}");
        for id in sources {
            let (text, again) = client.told("read", &json!({"path": id}));
            let shown = again["sources"][0].as_str().unwrap();
            let is_it = id == shown || shown.starts_with(&format!("{id}:"));
            assert!(is_it, "{id}: {text}");
        }
    }
    // The definition in those lines is meant.
    for id in ["src/shop.py:4-5", "src/shop.py:3-9", "src/shop.py:4"] {
        let told = client.ok("navigate", &json!({"symbol": id}));
        assert!(
            told.contains("src/shop.py:4-5 method Shop.sell"),
            "{id}: {told}"
        );
        let told = client.ok("navigate", &json!({"symbol": id, "what": "callers"}));
        assert!(told.contains("src/main.py"), "{told}");
        let told = client.ok("read", &json!({"symbol": id}));
        assert!(told.ends_with("return price_of(item)\ncomplete"), "{told}");
    }
}

#[test]
fn qualified_names_of_every_language_are_understood() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.rb",
        "module Shop\n  class Cart\n    def add(x)\n    end\n  end\nend\nclass Shop::Order\n  def self.place\n  end\nend\n",
    );
    sandbox.write(
        "a.cpp",
        "namespace shop { class Till { public: void open(int x); }; }\nvoid shop::Till::open(int x) { }\n",
    );
    sandbox.write(
        "a.rs",
        "pub mod store {\n    pub struct Box;\n    impl Box {\n        pub fn fill(&self) {}\n    }\n}\n",
    );
    let client = Client::start(&sandbox, &["."]);
    for (symbol, place) in [
        ("Shop::Cart", "a.rb:2-"),
        ("Shop::Cart#add", "a.rb:3-"),
        ("Shop::Cart::add", "a.rb:3-"),
        ("Shop::Order", "a.rb:7-"),
        ("Shop::Order.place", "a.rb:8-"),
        ("shop::Till::open", "a.cpp:2-"),
        ("store::Box::fill", "a.rs:4-"),
        ("Box::fill", "a.rs:4-"),
    ] {
        let told = client.ok("navigate", &json!({"symbol": symbol}));
        assert!(told.contains(place), "{symbol}: {told}");
        let told = client.ok("read", &json!({"symbol": symbol}));
        assert!(
            told.contains(&format!("file| {}", &place[..4])),
            "{symbol}: {told}"
        );
    }
}

#[test]
fn full_paths_choose_the_root_and_paths_narrow_questions() {
    let sandbox = Sandbox::new();
    for (path, name) in [
        ("one/src/a.py", "first_price"),
        ("two/src/a.py", "second_price"),
        ("two/lib/a.py", "third_price"),
    ] {
        sandbox.write(path, format!("def {name}(item):\n    return item.price\n"));
    }
    let client = Client::start(&sandbox, &["one", "two"]);
    let full = |path: &str| {
        let full = sandbox.path(path).canonicalize().unwrap();
        full.display().to_string()
    };
    let told = client.refused("read", &json!({"path": "src/a.py"}));
    assert!(told.contains("which `root`"), "{told}");
    for (path, name) in [
        ("one/src/a.py", "first_price"),
        ("two/src/a.py", "second_price"),
    ] {
        let told = client.ok("read", &json!({"path": full(path)}));
        assert!(told.contains(name), "{told}");
        let id = format!("{}:1-1", full(path));
        assert!(client.ok("read", &json!({"path": id})).contains(name));
        let place = format!("{}:1:6", full(path));
        let told = client.ok("navigate", &json!({"symbol": place}));
        assert!(told.contains(name), "{told}");
        let pinned = json!({"query": "price", "pin": [full(path)]});
        let told = client.ok("context", &pinned);
        assert!(told.contains(name) && !told.contains("Not here"), "{told}");
    }
    let outside = client.refused("read", &json!({"path": "/etc/passwd"}));
    assert!(outside.contains("which `root`"), "{outside}");
    let named = json!({"path": "src/a.py", "root": full("two")});
    assert!(client.ok("read", &named).contains("second_price"));
    for (path, other) in [("lib/", "src/a.py"), ("src/", "lib/a.py")] {
        let ask = json!({"query": "the price of an item", "kind": "question", "root": "two", "path": path});
        let (text, data) = client.told("search", &ask);
        assert!(text.contains(path) && !text.contains(other), "{text}");
        assert!(!sources(&data).is_empty(), "{text}");
    }
}

#[test]
fn contexts_follow_the_settings() {
    let sandbox = shop();
    for at in 0..5 {
        let text = format!("def price_{at}(item):\n    return item.price * {at}\n");
        sandbox.write(format!("src/part{at}.py"), text);
    }
    let ask = json!({"query": "the price of an item"});
    let client = Client::start(&sandbox, &["."]);
    assert!(sources(&client.told("context", &ask).1).len() > 2);
    sandbox.write("infiniloom.toml", "[context]\ntop = 1\n");
    let client = Client::start(&sandbox, &["."]);
    assert_eq!(sources(&client.told("context", &ask).1).len(), 1);
    sandbox.write("infiniloom.toml", "[context]\nbudget = 200\n");
    let client = Client::start(&sandbox, &["."]);
    let (text, data) = client.told("context", &ask);
    assert!(data["tokens"].as_u64().unwrap() <= 200, "{text}");
    assert_eq!(data["truncated"], true);
    let more = json!({"query": "the price of an item", "max_tokens": 4000});
    let (_, data) = client.told("context", &more);
    assert!(data["tokens"].as_u64().unwrap() > 200);
}

#[test]
fn a_value_of_the_wrong_kind_is_told() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    for (tool, arguments, told) in [
        (
            "read",
            json!({"paths": 5}),
            "`paths` must be a list of texts",
        ),
        ("read", json!({"path": "src/shop.py:20-30"}), "9 lines"),
        ("navigate", json!({"symbol": "::"}), "no name"),
        ("pack", json!({"include": {"a": 1}}), "list of texts"),
    ] {
        let text = client.refused(tool, &arguments);
        assert!(text.contains(told), "{tool}: {text}");
    }
}

#[test]
fn answers_keep_their_limit_and_see_edits() {
    let sandbox = shop();
    let many: String = (0..500).map(|at| format!("needle number {at}\n")).collect();
    sandbox.write("many.txt", many);
    let client = Client::start(&sandbox, &["."]);
    for limit in [100, 300, 1000] {
        let (_, text, data) =
            client.call("search", &json!({"query": "needle", "max_tokens": limit}));
        assert!(data["tokens"].as_u64().unwrap() <= limit, "{data} {text}");
        let (_, _, data) = client.call("read", &json!({"path": "many.txt", "max_tokens": limit}));
        assert!(data["tokens"].as_u64().unwrap() <= limit);
        assert_eq!(data["truncated"], true);
    }
    for turn in 0..5 {
        sandbox.write("src/new.py", format!("def fresh_{turn}():\n    pass\n"));
        let found = client.ok("search", &json!({"query": format!("fresh_{turn}")}));
        assert!(found.contains("src/new.py"), "{found}");
        let found = client.ok("navigate", &json!({"symbol": format!("fresh_{turn}")}));
        assert!(found.contains("src/new.py:1"), "{found}");
    }
}

#[test]
fn trouble_is_told_and_harms_nothing() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    assert!(
        client
            .refused("search", &json!({}))
            .contains("`query` is missing")
    );
    let told = client.ok("search", &json!({"query": "price_of", "maxtokens": 5}));
    assert!(told.contains("ignored: `maxtokens`"), "{told}");
    let told = client.refused("search", &json!({"query": "(", "kind": "regex"}));
    assert!(told.contains("unclosed"), "{told}");
    assert!(
        client
            .refused("read", &json!({"path": "shop.py"}))
            .contains("src/shop.py")
    );
    assert!(
        client
            .refused("read", &json!({"path": "src/shop.py", "lines": "900"}))
            .contains("9 lines")
    );
    assert!(
        client
            .refused("map", &json!({"root": "other"}))
            .contains("no root")
    );
    assert!(find("nothing").is_none());
    assert!(
        client
            .ok("search", &json!({"query": "price_of"}))
            .contains("src/shop.py")
    );
}

#[test]
fn a_file_with_many_matches_is_shown_as_far_as_there_is_room() {
    let sandbox = shop();
    sandbox.write("long.txt", "a needle in a haystack of words\n".repeat(300));
    let server = Client::start(&sandbox, &["."]);
    let (is_ok, text, data) = server.call("search", &json!({"query": "needle", "max_tokens": 400}));
    assert!(is_ok && text.matches("a needle in").count() > 15, "{text}");
    assert!(text.contains("more left out"), "{text}");
    assert_eq!(data["truncated"], true);
    assert_eq!(data["sources"].as_array().unwrap().len(), 1);
}
