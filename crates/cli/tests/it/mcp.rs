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
    let told = client.ask("tools/call", &json!({"name": "nothing", "arguments": {}}));
    let message = told["error"]["message"].as_str().unwrap();
    assert!(message.contains("search"), "{message}");
    let read = json!({"uri": "infiniloom://work/file/src/main.py"});
    let told = client.ask("resources/read", &read);
    let text = told["result"]["contents"][0]["text"].as_str();
    assert!(text.unwrap().contains("1| from shop import Shop"), "{told}");
    let read = json!({"uri": "infiniloom://work/file/../outside.txt"});
    let told = client.ask("resources/read", &read);
    assert!(told.get("error").is_some(), "{told}");
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
        found.contains("\n4|     def sell(self, item):\n5|         return price_of(item)\n"),
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
            "context", question, repository, "--budget", "3200", "--format", "json",
        ];
        let told: Value = serde_json::from_str(&sandbox.run(BINARY, &args).ok()).unwrap();
        let pieces = told["pieces"].as_array().unwrap().iter();
        let place = |piece: &Value| {
            let path = piece["path"].as_str().unwrap();
            format!("{path}:{}-{}", piece["start_line"], piece["end_line"])
        };
        let command: Vec<String> = pieces.map(place).collect();
        let text = client.ok("context", &json!({"query": question, "max_tokens": 4000}));
        let heads = text
            .lines()
            .filter_map(|line| line.strip_prefix("file| crates/mcp/"));
        // The server names files from the top of the repository.
        let server: Vec<&str> = heads.collect();
        // Of the last one may be missing what numbers of lines take.
        let shown = server.len();
        assert!(
            shown * 10 >= command.len() * 8 && shown > 0,
            "{text}: {command:?}"
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
