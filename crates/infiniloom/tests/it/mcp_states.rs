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
