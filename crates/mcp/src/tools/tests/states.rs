//! Answers while files and settings change, and while they are invalid.

use infiniloom::{Options, Secrets};
use loom_testkit::{Sandbox, shop};
use serde_json::json;

use super::client::{Client, sources};

#[test]
fn secrets_that_stop_everything_are_told() {
    let sandbox = shop();
    let client = Client::with_options(&sandbox, &["."], Options::new().secrets(Secrets::Fail));
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
}

#[test]
fn a_secret_stays_redacted_while_its_file_is_written() {
    let sandbox = Sandbox::new();
    sandbox
        .write("zz.yml", "DB_PASSWORD: AHsB5g7saqDu7x\n")
        .write("a.py", "# handshake uses AHsB5g7saqDu7x\n");
    let client = Client::start(&sandbox, &["."]);
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
}

#[test]
fn different_secrets_of_a_pack_have_different_numbers() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.env", "DB_PASSWORD=vK8pq2ZrxQ7\n")
        .write("b.env", "DB_PASSWORD=hR7mZ2qLpWw8\n")
        .write("c.env", "DB_PASSWORD=vK8pq2ZrxQ7\n");
    let client = Client::start(&sandbox, &["."]);
    let told = client.ok("pack", &json!({}));
    let count = |number: u32| {
        told.matches(&format!("[REDACTED:password:{number}]"))
            .count()
    };
    assert_eq!((count(1), count(2), count(3)), (2, 1, 0), "{told}");
}

#[test]
fn settings_that_are_edited_hold_at_the_next_call() {
    let sandbox = shop();
    for at in 0..5 {
        let text = format!("def price_{at}(item):\n    return item.price * {at}\n");
        sandbox.write(format!("src/part{at}.py"), text);
    }
    let ask = json!({"query": "the price of an item"});
    let client = Client::start(&sandbox, &["."]);
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
}

#[test]
fn wrong_settings_of_one_root_do_not_stop_the_others() {
    let sandbox = Sandbox::new();
    sandbox.write("one/a.py", "def first_one(): pass\n");
    sandbox.write("two/a.py", "def second_one(): pass\n");
    sandbox.write("two/infiniloom.toml", "[context]\ntop = \"all\"\n");
    let client = Client::start(&sandbox, &["two", "one"]);
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
}

/// A folder is known by the name under which it was given, too.
#[cfg(unix)]
#[test]
fn a_root_behind_a_link_is_known_by_both_names() {
    let sandbox = Sandbox::new();
    sandbox.write("real/src/a.py", "def first_one():\n    pass\n");
    sandbox.write("other/a.py", "def second_one(): pass\n");
    std::os::unix::fs::symlink(sandbox.path("real"), sandbox.path("link")).unwrap();
    let client = Client::start(&sandbox, &["link", "other"]);
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
}

/// Each answer repeats the warning about invalid settings once, until they are valid.
#[test]
fn warnings_about_settings_are_in_every_answer() {
    let sandbox = shop();
    sandbox.write("infiniloom.toml", "#".repeat((1 << 20) + 1));
    let client = Client::start(&sandbox, &["."]);
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
}

/// A folder that was replaced is not answered from.
#[test]
fn another_folder_in_the_place_of_a_root_is_served() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/a.py", "def first_one(): pass\n");
    let client = Client::start(&sandbox, &["repo"]);
    let find = |client: &Client, name: &str| client.ok("search", &json!({"query": name}));
    assert!(find(&client, "first_one").contains("a.py"));
    std::fs::rename(sandbox.path("repo"), sandbox.path("old")).unwrap();
    let gone = client.refused("search", &json!({"query": "first_one"}));
    assert!(gone.contains("no longer there"), "{gone}");
    sandbox.write("repo/b.py", "def second_one(): pass\n");
    assert!(find(&client, "second_one").contains("b.py"));
    assert!(!find(&client, "first_one").contains("a.py"));
}
