//! `infiniloom mcp --http` as programs and web pages use it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use loom_testkit::Sandbox;
use serde_json::{Value, json};

use crate::packed::BINARY;

const TOKEN: &str = "a-token-of-some-length";

struct Http {
    child: Child,
    address: String,
    session: Option<String>,
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Http {
    fn start(sandbox: &Sandbox, address: &str, token: Option<&str>) -> Self {
        let mut command = sandbox.command(BINARY);
        command.args(["mcp", "--http", address, "."]);
        if let Some(token) = token {
            command.env("INFINILOOM_MCP_TOKEN", token);
        }
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        said.read_line(&mut line).unwrap();
        let place = line.trim().strip_prefix("listening on http://").unwrap();
        let address = place.strip_suffix("/mcp").unwrap().to_owned();
        Self {
            child,
            address,
            session: None,
        }
    }

    /// Sends a message. Returns the status, the session and the response.
    fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> (u16, String, Value) {
        let port = self.address.rsplit(':').next().unwrap();
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        let body = body.to_string();
        let mut head = format!(
            "POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: 127.0.0.1:{port}\r\n"));
        }
        let session = self.session.as_deref();
        let session = session.map(|session| ("Mcp-Session-Id", session));
        for (name, value) in headers.iter().copied().chain(session) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{head}\r\n{body}").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let message = answer.lines().find_map(|line| {
            let line = line.strip_prefix("data:").unwrap_or(line).trim();
            serde_json::from_str::<Value>(line)
                .ok()
                .filter(|message| message.get("jsonrpc").is_some())
        });
        (status, answer, message.unwrap_or_default())
    }

    fn initialize(&mut self, headers: &[(&str, &str)]) -> u16 {
        let (status, answer, message) = self.post("/mcp", headers, &hello());
        if status == 200 {
            assert_eq!(message["result"]["serverInfo"]["name"], "infiniloom");
            let named = answer.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                let is_session = name.eq_ignore_ascii_case("mcp-session-id");
                is_session.then(|| value.trim().to_owned())
            });
            self.session = named;
            let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            assert_eq!(self.post("/mcp", headers, &done).0, 202);
        }
        status
    }
}

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "test", "version": "1"},
    }})
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/shop.py", "def sell(part):\n    return part.price\n");
    sandbox.write("../outside.py", "def outside(): pass\n");
    sandbox
}

#[test]
fn tools_answer_over_http() {
    let sandbox = sandbox();
    let mut http = Http::start(&sandbox, "127.0.0.1:0", None);
    assert_eq!(http.initialize(&[]), 200);
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}});
    let (_, _, told) = http.post("/mcp", &[], &list);
    let tools = told["result"]["tools"].as_array().unwrap();
    assert!(tools.len() >= 6, "{told}");
    let call = |tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
        let (_, _, told) = http.post("/mcp", &[], &call);
        told["result"]["content"][0]["text"].to_string()
    };
    assert!(call("search", json!({"query": "price"})).contains("src/shop.py"));
    assert!(call("read", json!({"path": "src/shop.py"})).contains("def sell"));
    assert!(!call("read", json!({"path": "../outside.py"})).contains("def outside"));
}

#[test]
fn others_are_refused() {
    let sandbox = sandbox();
    let mut http = Http::start(&sandbox, "0", None);
    // A page of another site, and a foreign host name for this machine.
    assert_eq!(http.initialize(&[("Origin", "https://example.com")]), 403);
    assert_eq!(http.initialize(&[("Origin", "null")]), 403);
    assert_eq!(http.initialize(&[("Host", "attacker.example")]), 403);
    // A page on another port has another origin.
    assert_eq!(http.initialize(&[("Origin", "http://localhost:1")]), 403);
    let own = http.address.replace("127.0.0.1", "http://localhost");
    assert_eq!(http.initialize(&[("Origin", &own)]), 200);
    assert_eq!(http.post("/", &[], &hello()).0, 404);
    // Invalid messages do no harm.
    for body in [json!(1), json!({}), json!({"jsonrpc": "2.0"})] {
        let status = http.post("/mcp", &[], &body).0;
        assert!((400..500).contains(&status), "{body}: {status}");
    }
    http.session = None;
    assert_eq!(http.initialize(&[]), 200);
}

#[test]
fn a_token_opens() {
    let sandbox = sandbox();
    let mut http = Http::start(&sandbox, "0.0.0.0:0", Some(TOKEN));
    assert_eq!(http.initialize(&[]), 401);
    assert_eq!(http.initialize(&[("Authorization", "Bearer wrong")]), 401);
    let right = format!("Bearer {TOKEN}");
    let right = ("Authorization", right.as_str());
    assert_eq!(http.initialize(&[right]), 200);
    http.session = None;
    let lower = format!("bearer  {TOKEN}");
    assert_eq!(http.initialize(&[("Authorization", &lower)]), 200);
    http.session = None;
    // A page with the token may come from this machine only.
    let page = ("Origin", "http://localhost:6274");
    assert_eq!(http.initialize(&[right, page]), 200);
    http.session = None;
    let page = ("Origin", "https://example.com");
    assert_eq!(http.initialize(&[right, page]), 403);
    // Foreign host names for this machine are rejected.
    for (host, status) in [
        ("attacker.example", 403),
        ("attacker.example:80", 403),
        ("192.0.2.7:80", 200),
        ("localhost", 200),
    ] {
        http.session = None;
        assert_eq!(http.initialize(&[right, ("Host", host)]), status, "{host}");
    }
    for (args, told) in [
        (
            &["mcp", "--http", "0.0.0.0:0"][..],
            "without a token: other machines can reach it",
        ),
        (&["mcp", "--http", "nowhere"], "no address to listen on"),
    ] {
        let refused = sandbox.run(BINARY, args);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains(told), "{}", refused.stderr);
    }
    sandbox.write("../token", "short");
    let args = ["mcp", "--http", "0", "--token-file", "../token"];
    assert!(sandbox.run(BINARY, &args).stderr.contains("fewer than"));
}

/// Sends a request whose body is these bytes.
fn raw(http: &Http, length: usize, body: &[u8]) -> TcpStream {
    let port = http.address.rsplit(':').next().unwrap();
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    // A server that rejects a body does not read all of it.
    let _ = stream.write_all(body);
    stream
}

fn status(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn bodies_that_do_not_come_or_do_not_end_are_refused() {
    let sandbox = sandbox();
    let mut http = Http::start(&sandbox, "127.0.0.1:0", None);
    let slow: Vec<TcpStream> = (0..8).map(|_| raw(&http, 1000, b"{\"jsonrpc\"")).collect();
    // Other clients are served at the same time.
    assert_eq!(http.initialize(&[]), 200);
    let large = raw(&http, 64 << 20, &vec![b' '; 6 << 20]);
    assert!(status(large).contains("413"));
    let deep = "[".repeat(200_000);
    let deep = raw(&http, deep.len(), deep.as_bytes());
    let mut first = [0; 12];
    let mut deep = deep;
    deep.read_exact(&mut first).unwrap();
    assert!(first.starts_with(b"HTTP/1.1 4"), "{first:?}");
    for stream in slow {
        let told = status(stream);
        assert!(told.contains("408"), "{told}");
    }
    http.session = None;
    assert_eq!(http.initialize(&[]), 200);
}

#[test]
fn what_is_no_message_is_refused_with_its_id() {
    let sandbox = sandbox();
    let mut http = Http::start(&sandbox, "127.0.0.1:0", None);
    for (body, code, id) in [
        ("hello", "-32700", "null"),
        (r#"{"jsonrpc":"2.0","id":7,"#, "-32700", "7"),
        (r#"{"jsonrpc":"2.0","id":"a","method":"#, "-32700", "\"a\""),
        ("[]", "-32600", "null"),
        (r#"{"id":8}"#, "-32600", "8"),
    ] {
        let stream = raw(&http, body.len(), body.as_bytes());
        stream
            .set_read_timeout(Some(std::time::Duration::from_secs(60)))
            .unwrap();
        let mut stream = BufReader::new(stream);
        let mut answer = String::new();
        while !answer.contains("\"jsonrpc\"") {
            let mut part = [0; 512];
            let read = stream.read(&mut part).unwrap();
            assert!(read > 0, "{body}: {answer}");
            answer.push_str(&String::from_utf8_lossy(&part[..read]));
        }
        assert!(answer.starts_with("HTTP/1.1 400"), "{body}: {answer}");
        assert!(
            answer.contains(&format!("\"code\":{code}")),
            "{body}: {answer}"
        );
        let is_told = answer.contains(&format!("\"id\":{id}"));
        assert!(is_told || id == "null", "{body}: {answer}");
    }
    assert_eq!(http.initialize(&[]), 200);
}

/// Earlier, 256 clients that disappeared silently blocked new ones.
#[test]
fn idle_clients_keep_no_new_one_out() {
    let sandbox = sandbox();
    let http = Http::start(&sandbox, "127.0.0.1:0", None);
    let mut statuses = (0..260).map(|_| http.post("/mcp", &[], &hello()).0);
    assert!(statuses.all(|status| status == 200));
}
