//! Trouble over standard input and output: what is broken, too much, out of order or gone
//! is answered or refused, and the rest goes on.

use loom_testkit::{Sandbox, until};
use serde_json::{Value, json};

use crate::mcp_client::{Client, shop};

fn is_well(client: &mut Client) {
    let told = client.ok("search", &json!({"query": "def price_of"}));
    assert!(told.contains("src/shop.py\n8| def price_of"), "{told}");
}

#[test]
fn what_is_no_message_is_refused_and_the_next_is_answered() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{}{}}}"#,
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    let lines: [(&[u8], i64, Value); 8] = [
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":701,\"method\":\"\xff\xfe\"}",
            -32700,
            json!(701),
        ),
        (deep.as_bytes(), -32700, json!("deep")),
        (br#"{"jsonrpc":"2.0","id":702,"#, -32700, json!(702)),
        (b"hello", -32700, Value::Null),
        (
            br#"{"jsonrpc":"2.0","method":"ping","id":703}}"#,
            -32700,
            json!(703),
        ),
        (b"[]", -32600, Value::Null),
        (br#"{"id":704}"#, -32600, json!(704)),
        (b"7", -32600, Value::Null),
    ];
    for (line, code, id) in lines {
        client.write_bytes(line);
        let told = client.receive();
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        assert_eq!(told["error"]["code"], code, "{shown}: {told}");
        assert_eq!(told["id"], id, "{shown}: {told}");
        is_well(&mut client);
    }
    // Nobody waits for an answer to these.
    for line in [
        "",
        "\r",
        r#"{"jsonrpc":"2.0","method":"notifications/unknown"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9999}}"#,
        r#"{"jsonrpc":"2.0","id":9999,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
    ] {
        client.write(line);
        let told = client.ask("ping", &json!({}));
        assert!(told.get("result").is_some(), "{line}: {told}");
    }
    is_well(&mut client);
    client.finish();
}

/// The most memory that a process had.
#[cfg(target_os = "linux")]
fn peak_kib(client: &Client) -> u64 {
    let status = format!("/proc/{}/status", client.child.id());
    let status = std::fs::read_to_string(status).unwrap();
    let mut lines = status.lines();
    let line = lines.find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_message_of_thirty_megabytes_is_refused_and_not_held() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    is_well(&mut client);
    client.ok("context", &json!({"query": "price"}));
    #[cfg(target_os = "linux")]
    let before = peak_kib(&client);
    let query = "x".repeat(30 << 20);
    let params = format!(r#"{{"name":"search","arguments":{{"query":"{query}"}}}}"#);
    let method = r#""jsonrpc":"2.0","method":"tools/call""#;
    // Some clients say the id first, some last.
    for (id, line) in [
        (801, format!(r#"{{"id":801,{method},"params":{params}}}"#)),
        (802, format!(r#"{{{method},"params":{params},"id":802}}"#)),
    ] {
        client.write(&line);
        let told = client.receive();
        assert_eq!(told["error"]["code"], -32600, "{told}");
        assert_eq!(told["id"], id);
        is_well(&mut client);
    }
    #[cfg(target_os = "linux")]
    {
        let grown = peak_kib(&client) - before;
        assert!(grown < 20 << 10, "{grown} KiB more");
    }
    // One that is not too long is answered, whatever it asks.
    client.refused("search", &json!({"query": "x".repeat(1 << 20)}));
    is_well(&mut client);
    client.finish();
}

#[test]
fn wrong_parameters_are_told_from_unknown_methods() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    for (method, params, code) in [
        ("tools/call", json!({"name": 5}), -32602),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({"name": "nothing"}), -32602),
        (
            "tools/call",
            json!({"name": "search", "arguments": 5}),
            -32602,
        ),
        ("resources/read", json!({}), -32602),
        ("prompts/get", json!({"arguments": {}}), -32602),
        ("prompts/get", json!({"name": "nothing"}), -32602),
        ("logging/setLevel", json!({"level": "loud"}), -32602),
        ("tools/nothing", json!({}), -32601),
    ] {
        let told = client.ask(method, &params);
        assert_eq!(told["error"]["code"], code, "{method} {params}: {told}");
    }
    is_well(&mut client);
    client.finish();
}

#[test]
fn requests_before_the_greeting_are_refused_and_it_can_follow() {
    let sandbox = shop();
    let mut client = Client::spawn(&sandbox, &sandbox.path("."), &["."]);
    client.write_bytes(b"\xff");
    assert_eq!(client.receive()["error"]["code"], -32700);
    let told = client.ask("tools/list", &json!({}));
    assert!(told.get("error").is_some(), "{told}");
    let told = client.ask("ping", &json!({}));
    assert!(told.get("result").is_some(), "{told}");
    client.greet();
    is_well(&mut client);
    client.finish();
}

#[test]
fn a_hundred_requests_at_once_get_each_its_own_answer() {
    let sandbox = shop();
    for at in 0..100 {
        let text = format!("def marker_{at}_x():\n    return {at}\n");
        sandbox.write(format!("many/m{at}.py"), text);
    }
    let mut client = Client::start(&sandbox, &["."]);
    // Until the index is there, answers are partial.
    client.ok("navigate", &json!({"symbol": "price_of"}));
    let mut sent = std::collections::HashMap::new();
    for at in 0..100 {
        let name = format!("marker_{at}_x");
        let (tool, arguments) = match at % 4 {
            0 => ("search", json!({"query": name})),
            1 => ("read", json!({"path": format!("many/m{at}.py")})),
            2 => ("navigate", json!({"symbol": name})),
            _ => ("read", json!({"symbol": name})),
        };
        let call = json!({"name": tool, "arguments": arguments});
        sent.insert(client.send("tools/call", &call), at);
    }
    while !sent.is_empty() {
        let told = client.receive();
        let at = sent.remove(&told["id"].as_u64().unwrap()).unwrap();
        let text = told["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(&format!("1| def marker_{at}_x()")), "{text}");
        assert_eq!(text.matches("def marker_").count(), 1, "{at}: {text}");
    }
    is_well(&mut client);
    client.finish();
}

#[test]
fn a_server_goes_with_its_client() {
    use std::io::Write;
    let sandbox = shop();
    for at in 0..300 {
        let text = format!("def price_{at}(item):\n    return {at}\n");
        sandbox.write(format!("many/m{at}.py"), text);
    }
    // In the middle of answers, and in the middle of a message.
    for is_whole in [true, false] {
        let mut client = Client::start(&sandbox, &["."]);
        for _ in 0..20 {
            let call = json!({"name": "context", "arguments": {"query": "price"}});
            client.send("tools/call", &call);
        }
        if !is_whole {
            let input = client.input.as_mut().unwrap();
            input.write_all(br#"{"jsonrpc":"2.0","id":1,"met"#).unwrap();
            input.flush().unwrap();
        }
        // As the system does with all that a process had open.
        let Client {
            mut child, input, ..
        } = client;
        drop(input);
        let status = child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

/// The client is a process of its own and is killed: nothing of it is left.
#[cfg(target_os = "linux")]
#[test]
fn no_server_is_left_when_a_client_is_killed() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let sandbox = shop();
    let binary = crate::packed::BINARY;
    let script = format!(
        "mkfifo in; '{binary}' mcp . < in > out & echo $!; exec 3> in; \
         echo '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}' >&3; read forever"
    );
    let mut shell = sandbox.command("sh");
    let shell = shell.args(["-c", &script]).stdin(Stdio::piped());
    let mut shell = shell.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut told = BufReader::new(shell.stdout.take().unwrap());
    told.read_line(&mut line).unwrap();
    let state = format!("/proc/{}/stat", line.trim());
    let is_there = || {
        let state = std::fs::read_to_string(&state).unwrap_or_default();
        !state.is_empty() && !state.contains(") Z ")
    };
    until(|| {
        assert!(is_there());
        sandbox.path("out").exists() && !sandbox.read("out").is_empty()
    });
    shell.kill().unwrap();
    shell.wait().unwrap();
    until(|| !is_there());
}

/// Progress begins, grows and ends, each for the call that asked for it.
#[test]
fn progress_is_told_to_its_end() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    client.ok("navigate", &json!({"symbol": "price_of"}));
    client.heard.clear();
    let meta = json!({"progressToken": "mine"});
    let call = json!({"name": "map", "arguments": {}, "_meta": meta});
    client.ask("tools/call", &call);
    let told: Vec<(&Value, f64)> = client
        .heard
        .iter()
        .filter(|one| one["method"] == "notifications/progress")
        .map(|one| (&one["params"], one["params"]["progress"].as_f64().unwrap()))
        .collect();
    assert!(told.iter().all(|(one, _)| one["progressToken"] == "mine"));
    let steps: Vec<f64> = told.iter().map(|(_, far)| *far).collect();
    assert_eq!(steps, [0.0, 1.0], "{told:?}");
    assert_eq!(told[1].0["total"], 1.0);
    client.finish();
}

/// While files are read for secrets and indexed it grows too, and never shrinks. Between the first
/// call and its answer every file was read at least once.
#[test]
fn progress_never_shrinks() {
    let sandbox = shop();
    for at in 0..400 {
        let text = format!("def made_{at}(a):\n    return a + {at}\n").repeat(20);
        sandbox.write(format!("made/m{at}.py"), text);
    }
    let mut client = Client::start(&sandbox, &["."]);
    let meta = json!({"progressToken": "mine"});
    let call = json!({"name": "context", "arguments": {"query": "made_7"}, "_meta": meta});
    client.ask("tools/call", &call);
    let told = client.heard.iter();
    let told = told.filter(|one| one["method"] == "notifications/progress");
    let steps: Vec<f64> = told
        .map(|one| one["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(
        steps.len() >= 2 && steps.is_sorted_by(|a, b| a < b),
        "{steps:?}"
    );
    client.finish();
}

#[test]
fn a_client_hears_as_much_as_it_wants() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    is_well(&mut client);
    assert!(client.heard.is_empty(), "{:?}", client.heard);
    let told = client.ask("logging/setLevel", &json!({"level": "debug"}));
    assert!(told.get("result").is_some(), "{told}");
    is_well(&mut client);
    let heard = client.heard.first().unwrap();
    assert_eq!(heard["method"], "notifications/message");
    assert_eq!(heard["params"]["level"], "debug");
    assert_eq!(heard["params"]["data"]["tool"], "search");
    client.ask("logging/setLevel", &json!({"level": "error"}));
    client.heard.clear();
    is_well(&mut client);
    assert!(client.heard.is_empty());
    client.finish();
}

/// The server answers the first lists before the client names its directories.
#[test]
fn lists_do_not_wait_for_the_folders_of_the_client() {
    let sandbox = Sandbox::new();
    sandbox.write("here/a.py", "def first_one(): pass\n");
    sandbox.write("there/a.py", "def second_one(): pass\n");
    let folder = |name: &str| sandbox.path(name).canonicalize().unwrap();
    let mut client = Client::spawn(&sandbox, &folder("here"), &[]);
    client.roots = Some(vec![folder("there")]);
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"roots": {}}, "clientInfo": {"name": "t", "version": "1"}});
    let told = client.ask("initialize", &hello);
    let resources = &told["result"]["capabilities"]["resources"];
    assert_eq!(resources["listChanged"], true, "{told}");
    client.notify("notifications/initialized");
    // The client names its directories after the lists.
    client.is_silent = true;
    for method in ["tools/list", "prompts/list"] {
        assert!(client.ask(method, &json!({})).get("result").is_some());
    }
    let listed = client.ask("resources/list", &json!({}));
    let uri = |told: &Value| told["result"]["resources"][0]["uri"].clone();
    assert_eq!(uri(&listed), "infiniloom://here/map");
    client.is_silent = false;
    client.tell_roots();
    let is_change = |one: &Value| one["method"] == "notifications/resources/list_changed";
    loop {
        let listed = client.ask("resources/list", &json!({}));
        let is_there = uri(&listed) == "infiniloom://there/map";
        if is_there && client.heard.iter().any(is_change) {
            break;
        }
        // A server that has waited too long asks again.
        client.notify("notifications/roots/list_changed");
    }
    client.finish();
}

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
    // The server asks, and is told while the next answer is waited for.
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
    // What the user named stays, whatever the client lists.
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
    // A client that lists none means the folder that it started the server in.
    let mut client = Client::with_roots(&sandbox, &[], &[]);
    assert!(client.ok("search", &asked).contains("a.py"));
    // One that does not answer is not waited for.
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

/// A root that lies in a repository is served alone.
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
    // Paths go from the root that was given, too.
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
    // Until the index is there, a symbol is told by the lines with its name.
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
