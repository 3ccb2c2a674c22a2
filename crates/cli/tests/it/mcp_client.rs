//! A client of a server of its own, over standard input and output, and a small
//! repository.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use loom_testkit::Sandbox;
use serde_json::{Value, json};

use crate::packed::BINARY;

/// So often a partial answer is asked for again: each waits for seconds.
const TRIES: usize = 100;

/// A client of a server of its own.
pub(crate) struct Client {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
    /// The folders that the client has open, where it says so.
    pub(crate) roots: Option<Vec<PathBuf>>,
    /// Whether it does not say so when it is asked.
    pub(crate) is_silent: bool,
    /// What the server said beside answers.
    pub(crate) heard: Vec<Value>,
    /// The request for directories that a silent client has not answered.
    unanswered: Option<Value>,
}

impl Client {
    pub(crate) fn start(sandbox: &Sandbox, roots: &[&str]) -> Self {
        Self::start_in(sandbox, &sandbox.path("."), roots)
    }

    pub(crate) fn start_in(sandbox: &Sandbox, folder: &Path, roots: &[&str]) -> Self {
        let mut client = Self::spawn(sandbox, folder, roots);
        client.greet();
        client
    }

    /// One that lists folders, as editors do.
    pub(crate) fn with_roots(sandbox: &Sandbox, named: &[&str], roots: &[PathBuf]) -> Self {
        let mut client = Self::spawn(sandbox, &sandbox.path("."), named);
        client.roots = Some(roots.to_vec());
        client.greet();
        client
    }

    /// One that has not said anything yet.
    pub(crate) fn spawn(sandbox: &Sandbox, folder: &Path, roots: &[&str]) -> Self {
        let mut child = Command::new(BINARY)
            .arg("mcp")
            .args(roots)
            .current_dir(folder)
            .env_clear()
            .env("HOME", sandbox.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            input: child.stdin.take(),
            child,
            output,
            next: 0,
            roots: None,
            is_silent: false,
            heard: Vec::new(),
            unanswered: None,
        }
    }

    pub(crate) fn greet(&mut self) {
        let capabilities = match self.roots.is_some() {
            true => json!({"roots": {"listChanged": true}}),
            false => json!({}),
        };
        let told = self.ask(
            "initialize",
            &json!({
                "protocolVersion": "2025-06-18",
                "capabilities": capabilities,
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        assert_eq!(told["result"]["serverInfo"]["name"], "infiniloom");
        assert_eq!(told["result"]["protocolVersion"], "2025-06-18");
        self.notify("notifications/initialized");
    }

    pub(crate) fn notify(&mut self, method: &str) {
        self.write(&json!({"jsonrpc": "2.0", "method": method}).to_string());
    }

    pub(crate) fn write(&mut self, line: &str) {
        self.write_bytes(line.as_bytes());
    }

    /// A line of whatever bytes.
    pub(crate) fn write_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        let id = self.next;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.write(&request.to_string());
        id
    }

    /// The next answer, whatever it is to.
    pub(crate) fn receive(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server went"
            );
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["method"] == "roots/list" {
                self.unanswered = Some(message);
                if !self.is_silent {
                    self.tell_roots();
                }
            } else if message.get("method").is_some() {
                self.heard.push(message);
            } else {
                return message;
            }
        }
    }

    /// Answers the request for directories.
    pub(crate) fn tell_roots(&mut self) {
        let Some(request) = self.unanswered.take() else {
            return;
        };
        let uri = |path: &PathBuf| {
            let path = path.to_str().unwrap().replace(' ', "%20");
            json!({"uri": format!("file://{path}")})
        };
        let roots: Vec<Value> = self.roots.iter().flatten().map(uri).collect();
        let id = &request["id"];
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"roots": roots}});
        self.write(&answer.to_string());
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        loop {
            let answer = self.receive();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> (bool, String) {
        for _ in 0..TRIES {
            let told = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
            let result = &told["result"];
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            // A slow machine makes partial answers before the index is there.
            if !can_wait(text) {
                let is_ok = !result["isError"].as_bool().unwrap_or(false);
                // Clients pass on structured content instead of the text.
                assert!(result["structuredContent"].is_null(), "{result}");
                return (is_ok, text.to_owned());
            }
        }
        let told = format!("{tool} {arguments}: partial after {TRIES} calls");
        (false, told)
    }

    pub(crate) fn ok(&mut self, tool: &str, arguments: &Value) -> String {
        let (is_ok, text) = self.call(tool, arguments);
        assert!(is_ok, "{tool} {arguments}: {text}");
        text
    }

    pub(crate) fn refused(&mut self, tool: &str, arguments: &Value) -> String {
        let (is_ok, text) = self.call(tool, arguments);
        assert!(!is_ok, "{tool} {arguments}: {text}");
        text
    }

    /// Goes, and waits for the server to go.
    pub(crate) fn finish(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

/// Returns true for an answer that is complete a moment later.
pub(crate) fn can_wait(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.starts_with("partial: ") && first.contains("ask again")
}

pub(crate) fn shop() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q"]);
    sandbox.write(
        "src/shop.py",
        "class Shop:\n    \"\"\"Sells things.\"\"\"\n\n    def sell(self, item):\n        return price_of(item)\n\n\ndef price_of(item):\n    return item.price\n",
    );
    sandbox.write(
        "src/main.py",
        "from shop import Shop\n\nShop().sell(None)\n",
    );
    sandbox.write("config.py", "PASSWORD = 'Tq8vZr2LmX4wKp'\n");
    sandbox.write("../outside.txt", "outside the root\n");
    sandbox.commit_all();
    sandbox
}
