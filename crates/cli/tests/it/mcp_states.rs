//! `infiniloom mcp` while files and settings change, and where they are wrong.

use loom_testkit::Sandbox;
use serde_json::json;

use crate::mcp_client::{Client, shop, sources};

#[test]
fn secrets_that_stop_everything_are_told() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &[".", "--secrets", "fail"]);
    for (tool, arguments) in [
        ("map", json!({})),
        ("context", json!({"query": "the price of an item"})),
        ("map", json!({})),
    ] {
        let told = client.refused(tool, &arguments);
        assert!(told.contains("config.py:1"), "{tool}: {told}");
        assert!(told.contains("secrets = fail"), "{tool}: {told}");
        assert!(!told.contains("Tq8vZr2LmX4wKp"), "{tool}: {told}");
    }
    client.finish();
}

#[test]
fn a_secret_stays_redacted_while_its_file_is_written() {
    let sandbox = Sandbox::new();
    sandbox
        .write("zz.yml", "DB_PASSWORD: AHsB5g7saqDu7x\n")
        .write("a.py", "# handshake uses AHsB5g7saqDu7x\n");
    let mut client = Client::start(&sandbox, &["."]);
    let search = json!({"query": "handshake"});
    assert!(client.ok("search", &search).contains("[REDACTED"));
    // As an editor leaves it between opening and writing.
    sandbox.write("zz.yml", "");
    for (tool, arguments) in [
        ("search", &search),
        ("read", &json!({"path": "a.py"})),
        ("pack", &json!({})),
        ("context", &json!({"query": "handshake"})),
    ] {
        let told = client.ok(tool, arguments);
        assert!(!told.contains("AHsB5g7saqDu7x"), "{tool}: {told}");
    }
    client.finish();
}

#[test]
fn different_secrets_of_a_pack_have_different_numbers() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.env", "DB_PASSWORD=vK8pq2ZrxQ7\n")
        .write("b.env", "DB_PASSWORD=hR7mZ2qLpWw8\n")
        .write("c.env", "DB_PASSWORD=vK8pq2ZrxQ7\n");
    let mut client = Client::start(&sandbox, &["."]);
    let told = client.ok("pack", &json!({}));
    let count = |number: u32| {
        told.matches(&format!("[REDACTED:password:{number}]"))
            .count()
    };
    assert_eq!((count(1), count(2), count(3)), (2, 1, 0), "{told}");
    client.finish();
}

#[test]
fn settings_that_are_edited_hold_at_the_next_call() {
    let sandbox = shop();
    for at in 0..5 {
        let text = format!("def price_{at}(item):\n    return item.price * {at}\n");
        sandbox.write(format!("src/part{at}.py"), text);
    }
    let ask = json!({"query": "the price of an item"});
    let mut client = Client::start(&sandbox, &["."]);
    assert!(sources(&client.told("context", &ask).1).len() > 2);
    sandbox.write("infiniloom.toml", "[context]\ntop = 1\n");
    assert_eq!(sources(&client.told("context", &ask).1).len(), 1);
    sandbox.write("infiniloom.toml", "[scan]\nexclude = [\"src/part*\"]\n");
    let told = client.ok("search", &json!({"query": "price_3"}));
    assert!(told.starts_with("No line"), "{told}");
    // What is wrong is told with its place, until it is mended.
    sandbox.write("infiniloom.toml", "[context]\ntop = 1\nbudget = \"much\"\n");
    for tool in ["context", "search"] {
        let told = client.refused(tool, &ask);
        assert!(told.contains("infiniloom.toml:3"), "{told}");
    }
    std::fs::remove_file(sandbox.path("infiniloom.toml")).unwrap();
    let told = client.ok("search", &json!({"query": "price_3"}));
    assert!(told.contains("src/part3.py"), "{told}");
    client.finish();
}

#[test]
fn wrong_settings_of_one_root_do_not_stop_the_others() {
    let sandbox = Sandbox::new();
    sandbox.write("one/a.py", "def first_one(): pass\n");
    sandbox.write("two/a.py", "def second_one(): pass\n");
    sandbox.write("two/infiniloom.toml", "[context]\ntop = \"all\"\n");
    let mut client = Client::start(&sandbox, &["two", "one"]);
    let find = |root: &str, name: &str| json!({"query": name, "root": root});
    let told = client.ok("search", &find("one", "first_one"));
    assert!(told.contains("a.py"), "{told}");
    let told = client.refused("search", &find("two", "second_one"));
    assert!(
        told.contains("two") && told.contains("infiniloom.toml:2"),
        "{told}"
    );
    sandbox.write("two/infiniloom.toml", "[context]\ntop = 3\n");
    let told = client.ok("search", &find("two", "second_one"));
    assert!(told.contains("a.py"), "{told}");
    client.finish();
}

/// A folder is known by the name under which it was given, too.
#[cfg(unix)]
#[test]
fn a_root_behind_a_link_is_known_by_both_names() {
    let sandbox = Sandbox::new();
    sandbox.write("real/src/a.py", "def first_one():\n    pass\n");
    sandbox.write("other/a.py", "def second_one(): pass\n");
    std::os::unix::fs::symlink(sandbox.path("real"), sandbox.path("link")).unwrap();
    let mut client = Client::start(&sandbox, &["link", "other"]);
    let linked = sandbox.path("link").display().to_string();
    let real = sandbox.path("real").canonicalize().unwrap();
    let real = real.display().to_string();
    for root in ["link", "real", &linked, &real] {
        let told = client.ok("search", &json!({"query": "first_one", "root": root}));
        assert!(told.contains("src/a.py"), "{root}: {told}");
    }
    for top in [&linked, &real] {
        let path = format!("{top}/src/a.py");
        let told = client.ok("read", &json!({ "path": path }));
        assert!(told.contains("def first_one"), "{path}: {told}");
        let told = client.ok("navigate", &json!({"symbol": format!("{path}:1:5")}));
        assert!(told.contains("src/a.py:1-2"), "{path}: {told}");
    }
    client.finish();
}

#[test]
fn lines_of_a_symbol_are_shown_and_the_last_line_of_a_file() {
    let sandbox = shop();
    sandbox.write(
        "src/end.py",
        "def first_end():\n    return 1\n\n\ndef last_end():\n    a = 2\n    return a",
    );
    let mut client = Client::start(&sandbox, &["."]);
    let last = "7|     return a";
    let told = client.ok("read", &json!({"symbol": "last_end", "lines": "6-"}));
    assert!(told.ends_with(&format!("6|     a = 2\n{last}")), "{told}");
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
    client.finish();
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
    let mut client = Client::start(&sandbox, &["."]);
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
    client.finish();
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_the_call() {
    let sandbox = shop();
    sandbox.write("long.py", "price = 'of an item'\n".repeat(400));
    let mut client = Client::start(&sandbox, &["."]);
    let pinned = json!({"query": "price", "pin": ["long.py"], "max_tokens": 100});
    let told = client.refused("context", &pinned);
    assert!(
        told.contains("`max_tokens`") && !told.contains("budget"),
        "{told}"
    );
    let told = client.ok("pack", &json!({"include": ["nowhere/**"]}));
    assert!(told.starts_with("No file is at these paths"), "{told}");
    let told = client.refused("search", &json!({"query": "x", "y".repeat(200_000): 1}));
    assert!(told.starts_with("there is no argument") && told.len() < 20_000);
    sandbox.write("infiniloom.toml", "[context]\nbudget = 1\n");
    let told = client.refused("context", &json!({"query": "price"}));
    assert!(told.contains("[context] budget = 1"), "{told}");
    client.finish();
}

/// What is not shown is said to be, with a way to it.
#[test]
fn whatever_is_truncated_says_how_to_get_more() {
    let sandbox = shop();
    for at in 0..60 {
        let text = format!("def price_{at}(item):\n    return item.price * {at}\n\n").repeat(4);
        sandbox.write(format!("src/part{at}.py"), text);
    }
    let mut client = Client::start(&sandbox, &["."]);
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
        let is_told = text.contains("left out") || text.contains("Not all is shown");
        assert_eq!(data["truncated"], is_told, "{tool} {arguments}: {text}");
        if is_told {
            assert!(
                text.contains("max_tokens") || text.contains("`lines`"),
                "{text}"
            );
        }
    }
    client.finish();
}

/// However many requests come at once, each is answered or refused.
#[test]
fn more_requests_than_are_taken_at_once_are_told() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    client.ok("navigate", &json!({"symbol": "price_of"}));
    let call = json!({"name": "read", "arguments": {"path": "src/shop.py"}});
    let mut sent: std::collections::HashSet<u64> = (0..1500)
        .map(|_| client.send("tools/call", &call))
        .collect();
    while !sent.is_empty() {
        let told = client.receive();
        assert!(sent.remove(&told["id"].as_u64().unwrap()));
        let text = told["result"]["content"][0]["text"].as_str().unwrap();
        let is_answer = text.contains("def price_of") || text.contains("ask again");
        assert!(is_answer, "{text}");
    }
    client.ok("read", &json!({"path": "src/shop.py"}));
    client.finish();
}

/// Who cancels a call gets no answer of it, and the next one is answered.
#[test]
fn a_cancelled_call_is_not_answered() {
    let sandbox = shop();
    for at in 0..3000 {
        let text = format!("def price_{at}(item):\n    return {at}\n");
        sandbox.write(format!("many/m{at}.py"), text);
    }
    let mut client = Client::start(&sandbox, &["."]);
    // Files are being read: it would wait for them.
    let call = json!({"name": "context", "arguments": {"query": "the price of an item"}});
    let id = client.send("tools/call", &call);
    let params = json!({"requestId": id, "reason": "no longer wanted"});
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    client.write(&cancelled.to_string());
    let asked = client.send("tools/call", &call);
    loop {
        let told = client.receive();
        let text = told["result"]["content"][0]["text"].as_str();
        if told["id"] == id {
            assert_eq!(text.unwrap_or("cancelled"), "cancelled", "{told}");
            continue;
        }
        assert_eq!(told["id"], asked);
        assert!(text.is_some_and(|text| text.contains("price")), "{told}");
        break;
    }
    client.ok("read", &json!({"path": "src/shop.py"}));
    client.finish();
}

/// A settings file that does not hold is told by each answer, once, until it holds.
#[test]
fn warnings_about_settings_are_in_every_answer() {
    let sandbox = shop();
    sandbox.write("infiniloom.toml", "#".repeat((1 << 20) + 1));
    let mut client = Client::start(&sandbox, &["."]);
    let warning = "Warning: ignoring the repository's settings in infiniloom.toml: it has 1048577";
    let calls = [
        ("search", json!({"query": "price_of"})),
        ("search", json!({"query": "not_there"})),
        ("context", json!({"query": "what is the price of an item"})),
        ("context", json!({"query": "xkcdvbn"})),
        ("navigate", json!({"symbol": "price_of"})),
        ("read", json!({"path": "src/shop.py"})),
        ("map", json!({})),
        ("pack", json!({})),
    ];
    for (tool, arguments) in &calls {
        let told = client.ok(tool, arguments);
        assert_eq!(told.matches(warning).count(), 1, "{tool}: {told}");
    }
    sandbox.write("infiniloom.toml", "[context]\ntop = 1\n");
    let (tool, arguments) = &calls[0];
    let told = client.ok(tool, arguments);
    assert!(!told.contains("Warning"), "{told}");
    client.finish();
}

#[test]
fn navigate_says_that_it_follows_fewer_steps_than_asked() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    for (depth, is_said) in [(5, false), (6, true)] {
        let arguments = json!({"symbol": "price_of", "what": "callers", "depth": depth});
        let told = client.ok("navigate", &arguments);
        let said = told.contains("More than 5 steps are not followed.");
        assert_eq!(said, is_said, "{told}");
    }
    client.finish();
}

/// The warning about secrets that stay visible comes first, whatever the files are called.
#[test]
fn limits_that_files_met_are_in_every_answer() {
    let sandbox = shop();
    sandbox
        .write("infiniloom.toml", "[scan]\nmax_file_size = \"32mb\"\n")
        .write(".gitignore", ".env\n")
        .write(".env", " ".repeat((32 << 20) + 1))
        .write("large.txt", " ".repeat(32_000_001))
        .write("package.json", " ".repeat(1_100_000))
        .write("web/pay.ts", "import { a } from \"@1/a\";\n")
        .git(&["init", "-q"]);
    let mut client = Client::start(&sandbox, &["."]);
    // The imports are followed for contexts.
    client.ok("context", &json!({"query": "the price of an item"}));
    for (tool, arguments) in [
        ("context", json!({"query": "the price of an item"})),
        ("map", json!({})),
        ("navigate", json!({"symbol": "price_of"})),
        ("read", json!({"path": "src/shop.py"})),
        ("search", json!({"query": "price_of"})),
        ("pack", json!({})),
    ] {
        let told = client.ok(tool, &arguments);
        let at = |warning: &str| {
            let at = told.find(warning);
            at.unwrap_or_else(|| panic!("{tool}: no {warning:?} in {told}"))
        };
        let secrets = at("Warning: copies of secrets in .env are not redacted");
        let imports = at("Warning: following imports without package.json");
        let size = at("Warning: large.txt is left out");
        assert!(secrets < imports && imports < size, "{tool}: {told}");
    }
    client.finish();
}
