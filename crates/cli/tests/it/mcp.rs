//! `infiniloom mcp` as a client meets it: lines of JSON over standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use loom_testkit::Sandbox;
use serde_json::{Value, json};

use crate::mcp_client::{Client, shop};
use crate::packed::BINARY;

#[test]
fn every_tool_answers() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    let tools = client.ask("tools/list", &json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    for name in ["context", "search", "navigate", "read", "map", "pack"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let found = client.ok("search", &json!({"query": "price_of"}));
    assert!(
        found.contains("src/shop.py\n5|         return price_of(item)\n8| def price_of(item):"),
        "{found}"
    );
    let found = client.ok("search", &json!({"query": "def \\w+_of", "kind": "regex"}));
    assert!(found.contains("8| def price_of"));
    let found = client.ok("navigate", &json!({"symbol": "Shop.sell"}));
    assert!(found.contains("src/shop.py:4-5"), "{found}");
    let found = client.ok(
        "navigate",
        &json!({"symbol": "price_of", "what": "callers"}),
    );
    assert!(found.contains("Shop.sell"), "{found}");
    let found = client.ok("read", &json!({"path": "src/shop.py", "lines": "4-5"}));
    assert!(
        found.ends_with("4|     def sell(self, item):\n5|         return price_of(item)"),
        "{found}"
    );
    let found = client.ok("read", &json!({"symbol": "price_of"}));
    assert!(found.contains("9|     return item.price"));
    let found = client.ok(
        "context",
        &json!({"query": "the price of an item is wrong"}),
    );
    assert!(found.contains("| def price_of(item):"), "{found}");
    let found = client.ok("map", &json!({}));
    assert!(found.contains("Shop"), "{found}");
    let found = client.ok("pack", &json!({"include": ["src/**"], "max_tokens": 2000}));
    assert!(found.contains("def sell") && !found.contains("PASSWORD"));
    client.finish();
}

#[test]
fn answers_keep_their_limit_and_see_edits() {
    let sandbox = shop();
    let many: String = (0..500).map(|at| format!("needle number {at}\n")).collect();
    sandbox.write("many.txt", many);
    let mut client = Client::start(&sandbox, &["."]);
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
    client.finish();
}

#[test]
fn nothing_outside_and_no_secret_is_told() {
    let sandbox = shop();
    let outside = sandbox.path("../outside.txt");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, sandbox.path("link.txt")).unwrap();
    let mut client = Client::start(&sandbox, &["."]);
    let full = outside.to_str().unwrap().to_owned();
    let paths = [
        "../outside.txt",
        "src/../../outside.txt",
        "/etc/passwd",
        &full,
        "link.txt",
        "./../outside.txt",
        "src/./../../outside.txt",
        "%2e%2e/outside.txt",
        "..\\outside.txt",
        ".git/config",
        "~/outside.txt",
        "",
    ];
    for path in paths {
        let told = client.refused("read", &json!({"path": path}));
        assert!(!told.contains("outside the root"), "{path}: {told}");
        let told = client.ask(
            "resources/read",
            &json!({"uri": format!("infiniloom://work/file/{path}")}),
        );
        assert!(told.get("error").is_some(), "{path}: {told}");
    }
    let told = client.ask(
        "resources/read",
        &json!({"uri": "infiniloom://work/file/src/main.py"}),
    );
    let text = told["result"]["contents"][0]["text"].as_str();
    assert!(text.unwrap().contains("1| from shop import Shop"), "{told}");
    for (tool, arguments) in [
        ("search", json!({"query": "PASSWORD"})),
        ("read", json!({"path": "config.py"})),
        ("pack", json!({"include": ["config.py"]})),
    ] {
        let told = client.ok(tool, &arguments);
        assert!(
            told.contains("PASSWORD") && !told.contains("Tq8vZr2LmX4wKp"),
            "{told}"
        );
    }
    client.finish();
}

#[test]
fn trouble_is_told_and_harms_nothing() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    assert!(
        client
            .refused("search", &json!({}))
            .contains("`query` is missing")
    );
    assert!(
        client
            .refused("search", &json!({"query": "x", "maxtokens": 5}))
            .contains("maxtokens")
    );
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
    let told = client.ask("tools/call", &json!({"name": "nothing", "arguments": {}}));
    assert!(
        told["error"]["message"]
            .as_str()
            .unwrap()
            .contains("search")
    );
    assert!(
        client
            .ok("search", &json!({"query": "price_of"}))
            .contains("src/shop.py")
    );
    client.finish();
}

/// A folder that was replaced is not answered from.
#[test]
fn another_folder_in_the_place_of_a_root_is_served() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/a.py", "def first_one(): pass\n");
    let mut client = Client::start(&sandbox, &["repo"]);
    let find = |client: &mut Client, name: &str| client.ok("search", &json!({"query": name}));
    assert!(find(&mut client, "first_one").contains("a.py"));
    std::fs::rename(sandbox.path("repo"), sandbox.path("old")).unwrap();
    let gone = client.refused("search", &json!({"query": "first_one"}));
    assert!(gone.contains("no longer there"), "{gone}");
    sandbox.write("repo/b.py", "def second_one(): pass\n");
    assert!(find(&mut client, "second_one").contains("b.py"));
    assert!(!find(&mut client, "first_one").contains("a.py"));
    client.finish();
}

/// On a real repository, this one: all places, in their order.
#[test]
fn a_context_is_the_one_of_the_command() {
    let sandbox = Sandbox::new();
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../mcp");
    let mut client = Client::start(&sandbox, &[repository]);
    for question in [
        "an answer is cut to its tokens",
        "`IdFinder` does not find the id of a broken message",
        "where are requests of other hosts refused",
        "uninstall removes a file that was there before",
    ] {
        let args = [
            "context", question, repository, "--budget", "2800", "--format", "json",
        ];
        let told: Value = serde_json::from_str(&sandbox.run(BINARY, &args).ok()).unwrap();
        let pieces = told["pieces"].as_array().unwrap().iter();
        let place = |piece: &Value| {
            let path = piece["path"].as_str().unwrap();
            format!("{path}:{}-{}", piece["start_line"], piece["end_line"])
        };
        let command: Vec<String> = pieces.map(place).collect();
        let (text, data) = client.told("context", &json!({"query": question, "max_tokens": 4000}));
        let heads = text
            .lines()
            .filter_map(|line| line.strip_prefix("file| crates/mcp/"));
        // The server names files from the top of the repository.
        let server: Vec<&str> = heads.collect();
        // Of the last one may be missing what numbers of lines take.
        let shown = server.len();
        assert!(
            shown * 10 >= command.len() * 8 && shown > 0,
            "{data}: {command:?}"
        );
        assert_eq!(server, command[..shown], "{question}");
    }
    client.finish();
}

#[test]
fn without_a_root_the_disk_and_the_home_are_not_served() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.home().join("private.txt"), "private\n").unwrap();
    let home = sandbox.home();
    for folder in [home.as_path(), std::path::Path::new("/")] {
        let mut client = Client::start_in(&sandbox, folder, &[]);
        let told = client.refused("search", &json!({"query": "private"}));
        assert!(told.contains("no folder is served"), "{told}");
        client.finish();
    }
}

#[test]
fn folders_of_the_client_are_served_even_to_a_hasty_one() {
    let sandbox = shop();
    let root = sandbox.path("src").canonicalize().unwrap();
    let mut child = Command::new(BINARY)
        .arg("mcp")
        .current_dir(sandbox.path("."))
        .env_clear()
        .env("HOME", sandbox.home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut say = |message: Value| writeln!(input, "{message}").unwrap();
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"roots": {}}, "clientInfo": {"name": "t", "version": "1"}});
    say(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}));
    say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    // The call comes before the client has said what it has open.
    let read = |path: &str| json!({"name": "read", "arguments": {"path": path}});
    for (id, path) in [(2, "src/main.py"), (3, "config.py")] {
        say(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": read(path)}));
    }
    let mut answers = 0;
    loop {
        let mut line = String::new();
        assert!(output.read_line(&mut line).unwrap() > 0);
        let told: Value = serde_json::from_str(&line).unwrap();
        if told["method"] == "roots/list" {
            let roots = json!({"roots": [{"uri": format!("file://{}", root.display())}]});
            say(json!({"jsonrpc": "2.0", "id": told["id"], "result": roots}));
        } else if told["id"] == 2 || told["id"] == 3 {
            let text = told["result"]["content"][0]["text"].as_str().unwrap();
            // What lies beside the folder is not served.
            assert_eq!(
                text.contains("Shop().sell(None)"),
                told["id"] == 2,
                "{told}"
            );
            assert_eq!(
                text.contains("there is no text at"),
                told["id"] == 3,
                "{told}"
            );
            answers += 1;
        }
        if answers == 2 {
            break;
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_file_with_many_matches_is_shown_as_far_as_there_is_room() {
    let sandbox = shop();
    sandbox.write("long.txt", "a needle in a haystack of words\n".repeat(300));
    let mut server = Client::start(&sandbox, &["."]);
    let (is_ok, text, data) = server.call("search", &json!({"query": "needle", "max_tokens": 400}));
    assert!(is_ok && text.matches("a needle in").count() > 15, "{text}");
    assert!(text.contains("more left out"), "{text}");
    assert_eq!(data["truncated"], true);
    assert_eq!(data["text"], text.as_str());
    assert_eq!(data["sources"].as_array().unwrap().len(), 1);
    server.finish();
}
