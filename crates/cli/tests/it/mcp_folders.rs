//! The directories that a server serves: those of the client, work trees, and parts of repositories.

use loom_testkit::{Sandbox, shop};
use serde_json::{Value, json};

use crate::mcp_client::Client;

#[test]
fn folders_that_the_client_closes_are_served_no_more() {
    let sandbox = Sandbox::new();
    sandbox.write("one/a.py", "def first_one(): pass\n");
    sandbox.write("two b/a.py", "def second_one(): pass\n");
    let folder = |name: &str| sandbox.path(name).canonicalize().unwrap();
    let find = |client: &mut Client, root: &str, name: &str| {
        let (is_ok, text) = client.call("search", &json!({"query": name, "root": root}));
        (is_ok, text.contains("a.py"))
    };
    let mut client = Client::with_roots(&sandbox, &[], &[folder("one"), folder("two b")]);
    assert_eq!(find(&mut client, "one", "first_one"), (true, true));
    assert_eq!(find(&mut client, "two b", "second_one"), (true, true));
    let listed = client.ask("resources/list", &json!({}));
    let uri = "infiniloom://two%20b/map";
    assert_eq!(listed["result"]["resources"][1]["uri"], uri);
    let map = client.ask("resources/read", &json!({"uri": uri}));
    assert!(map["result"]["contents"][0]["text"].is_string(), "{map}");
    // The server requests the roots, and receives them while the client waits for the next
    // response.
    let change = |client: &mut Client, roots: &[std::path::PathBuf]| {
        let before = client.ask("resources/list", &json!({}));
        client.roots = Some(roots.to_vec());
        client.notify("notifications/roots/list_changed");
        while client.ask("resources/list", &json!({}))["result"] == before["result"] {}
    };
    change(&mut client, &[folder("two b")]);
    assert_eq!(find(&mut client, "one", "first_one"), (false, false));
    assert_eq!(find(&mut client, "two b", "second_one"), (true, true));
    change(&mut client, &[sandbox.path("not there"), folder("one")]);
    while find(&mut client, "one", "first_one") != (true, true) {}
    assert_eq!(find(&mut client, "two b", "second_one"), (false, false));
    let is_log = |one: &&Value| one["method"] == "notifications/message";
    let heard = client.heard.iter().find(is_log).unwrap();
    let heard = heard["params"]["data"].to_string();
    assert!(heard.contains("not served"), "{heard}");
    client.finish();
    // The roots of the user stay, and the client's list does not matter.
    let mut client = Client::with_roots(&sandbox, &["one"], &[folder("two b")]);
    assert_eq!(find(&mut client, "one", "first_one"), (true, true));
    client.notify("notifications/roots/list_changed");
    assert_eq!(find(&mut client, "one", "first_one"), (true, true));
    assert_eq!(find(&mut client, "two b", "second_one"), (false, false));
    client.finish();
}

#[test]
fn folders_that_cannot_be_served_leave_nothing_served() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def first_one(): pass\n");
    let asked = json!({"query": "first_one"});
    let mut client = Client::with_roots(&sandbox, &[], &[sandbox.path("not there")]);
    let (is_ok, text) = client.call("search", &asked);
    assert!(!is_ok && !text.contains("a.py"), "{text}");
    client.finish();
    // If a client lists no directories, the server serves its working directory.
    let mut client = Client::with_roots(&sandbox, &[], &[]);
    assert!(client.ok("search", &asked).contains("a.py"));
    // The server does not wait for a client that does not respond.
    client.is_silent = true;
    client.notify("notifications/roots/list_changed");
    assert!(client.ok("search", &asked).contains("a.py"));
    client.finish();
}

#[test]
fn worktrees_and_submodules_are_served_and_confined() {
    let sandbox = shop();
    sandbox.git(&["worktree", "add", "-q", "../tree", "-b", "other"]);
    sandbox.write("../tree/new.py", "def only_in_tree(): pass\n");
    sandbox.git(&["init", "-q", "../part"]);
    sandbox.write("../part/part.py", "def only_in_part(): pass\n");
    sandbox.git_in("../part", &["add", "-A"]);
    sandbox.git_in("../part", &["commit", "-q", "-m", "part"]);
    let allowed = "protocol.file.allow=always";
    sandbox.git(&["-c", allowed, "submodule", "add", "-q", "../part", "sub"]);
    let tree = sandbox.path("../tree").canonicalize().unwrap();
    let mut client = Client::start(&sandbox, &[tree.to_str().unwrap()]);
    let told = client.ok("search", &json!({"query": "only_in_tree"}));
    assert!(told.contains("new.py"), "{told}");
    let told = client.ok("read", &json!({"path": "src/shop.py"}));
    assert!(told.contains("price_of"), "{told}");
    let outside = [".git", "../work/src/shop.py", "../work/.git/config"];
    for path in outside.into_iter().chain(["sub/part.py"]) {
        client.refused("read", &json!({"path": path}));
    }
    client.finish();
    let mut client = Client::start(&sandbox, &["."]);
    let told = client.ok("read", &json!({"path": "sub/part.py"}));
    assert!(told.contains("only_in_part"), "{told}");
    let told = client.ok("navigate", &json!({"symbol": "only_in_part"}));
    assert!(told.contains("sub/part.py"), "{told}");
    for path in ["sub/.git", "sub/../../outside.txt", "../tree/new.py"] {
        client.refused("read", &json!({"path": path}));
    }
    client.finish();
    let mut client = Client::start(&sandbox, &["sub"]);
    let told = client.ok("read", &json!({"path": "part.py"}));
    assert!(told.contains("only_in_part"), "{told}");
    client.refused("read", &json!({"path": "../src/shop.py"}));
    let told = client.ok("search", &json!({"query": "price_of"}));
    assert!(told.starts_with("No line"), "{told}");
    client.finish();
}

/// A root inside a repository is served without the rest of it.
#[test]
fn a_folder_of_a_repository_is_served_without_the_rest() {
    let sandbox = shop();
    sandbox.write("lib/part.py", "def only_in_lib(item):\n    return item\n");
    sandbox.commit_all();
    let full = sandbox.path("lib/part.py").canonicalize().unwrap();
    let calls = [
        ("context", json!({"query": "what is the price of an item"})),
        ("context", json!({"query": "item", "pin": ["src/shop.py"]})),
        ("search", json!({"query": "item"})),
        ("search", json!({"query": "price item", "kind": "question"})),
        ("navigate", json!({"symbol": "price_of"})),
        ("map", json!({})),
        ("pack", json!({})),
        ("pack", json!({"include": ["src/**"]})),
        (
            "pack",
            json!({"include": ["**/*.py", "config.py"], "max_tokens": 150}),
        ),
        ("pack", json!({"include": [full]})),
    ];
    let mut client = Client::start(&sandbox, &["lib"]);
    for (tool, arguments) in calls {
        let (_, text) = client.call(tool, &arguments);
        for outside in ["src/shop.py:", "shop.py (", "def price_of", "PASSWORD"] {
            assert!(!text.contains(outside), "{tool} {arguments}: {text}");
        }
        let heads = text.lines().filter_map(|line| line.strip_prefix("file| "));
        for path in heads {
            assert!(path.starts_with("lib"), "{tool} {arguments}: {text}");
        }
    }
    let told = client.ok("pack", &json!({"include": [full]}));
    assert!(told.contains("1| def only_in_lib"), "{told}");
    let told = client.ok("context", &json!({"query": "item", "pin": [full]}));
    assert!(!told.contains("Not here"), "{told}");
    // Paths may also start at the given root.
    for path in ["part.py", "./part.py:1-2", "lib/part.py"] {
        let told = client.ok("read", &json!({"path": path}));
        assert!(told.contains("1| def only_in_lib"), "{path}: {told}");
    }
    let told = client.ok("navigate", &json!({"symbol": "part.py:1:6"}));
    assert!(told.contains("lib/part.py:1-2"), "{told}");
    let told = client.ok("context", &json!({"query": "item", "pin": ["part.py:1-2"]}));
    assert!(!told.contains("Not here"), "{told}");
    for path in ["src/shop.py", "config.py", "../config.py"] {
        client.refused("read", &json!({"path": path}));
    }
    client.finish();
}

#[test]
fn addresses_of_resources_are_decoded_once() {
    let sandbox = shop();
    sandbox.write("a b/größe %20.py", "def odd_name(): pass\n");
    let mut client = Client::start(&sandbox, &["."]);
    let read = |client: &mut Client, address: &str| {
        let uri = format!("infiniloom://work/{address}");
        let told = client.ask("resources/read", &json!({"uri": uri}));
        let text = told["result"]["contents"][0]["text"].as_str();
        text.map(str::to_owned)
    };
    let text = read(&mut client, "file/a%20b/gr%C3%B6%C3%9Fe%20%2520.py");
    assert!(text.unwrap().contains("odd_name"));
    // Before the index is built, a symbol is found by the lines with its name.
    let text = read(&mut client, "symbol/Shop%2Esell");
    assert!(text.unwrap().contains("def sell"));
    for path in [
        "%2e%2e/outside.txt",
        "%252e%252e/outside.txt",
        "src%2F..%2F..%2Foutside.txt",
        "%2Fetc%2Fpasswd",
    ] {
        let address = format!("file/{path}");
        assert_eq!(read(&mut client, &address), None, "{path}");
    }
    client.finish();
}
