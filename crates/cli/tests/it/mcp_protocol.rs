//! Errors over standard input and output: the server answers or rejects broken, excessive,
//! reordered or interrupted messages, and keeps working.

use loom_testkit::{Sandbox, shop, until};
use serde_json::{Value, json};

use crate::mcp_client::Client;

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
    // These messages expect no response.
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

/// Returns the peak memory of a process.
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
    // Some clients write the id first, some last.
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
    // A message below the limit is answered.
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
    // Before the index is built, results are partial.
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
    // The input ends while calls are running, and in the middle of a message.
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
        // The system closes the input like this when a client ends.
        let Client {
            mut child, input, ..
        } = client;
        drop(input);
        let status = child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

/// The client is a separate process that is killed: the server must end, too.
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

/// Progress begins, grows and ends, each for its own call.
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

/// Progress also grows while files are scanned for secrets and indexed, and never shrinks. Between
/// the first call and its result, every file was read at least once.
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
