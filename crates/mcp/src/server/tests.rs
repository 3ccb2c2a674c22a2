//! Limits of concurrent calls, and their cancellation.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use infiniloom::Infiniloom;
use loom_testkit::Sandbox;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

use super::*;
use crate::opener::Opener;
use crate::root::tests::opened;

/// As many are taken as said, no more, and again when one is gone.
#[test]
fn calls_at_a_time_are_bounded() {
    let places = Places::default();
    let mut taken: Vec<_> = (0..IN_FLIGHT).map(|_| places.enter().unwrap()).collect();
    let wrong = places.enter().unwrap_err();
    assert!(wrong.0.contains("ask again"), "{wrong}");
    taken.pop();
    taken.push(places.enter().unwrap());
    assert!(places.enter().is_err());
}

/// Who finds none waits, and is next.
#[test]
fn calls_wait_for_those_that_are_worked_on() {
    let places = Places::default();
    let mut context = Context::from_waker(Waker::noop());
    let mut working = Vec::new();
    for _ in 0..WORKING {
        let Poll::Ready(Ok(place)) = pin!(places.work()).poll(&mut context) else {
            panic!("there is a place");
        };
        working.push(place);
    }
    let mut next = pin!(places.work());
    assert!(next.as_mut().poll(&mut context).is_pending());
    working.pop();
    assert!(matches!(next.poll(&mut context), Poll::Ready(Ok(_))));
}

/// A client on the other end of a server.
struct Client {
    stream: BufReader<DuplexStream>,
}

impl Client {
    /// Starts a server and connects to it.
    fn connect(server: &Server) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(far);
        let server = server.clone();
        tokio::spawn(async move {
            let running = server.serve(Lines::new(input, output)).await.unwrap();
            running.waiting().await.unwrap();
        });
        Self {
            stream: BufReader::new(near),
        }
    }

    async fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.stream.write_all(line.as_bytes()).await.unwrap();
    }

    /// Returns the next answer. Passes over notifications.
    async fn receive(&mut self) -> Value {
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await.unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message.get("method").is_none() {
                return message;
            }
        }
    }

    /// Sends a request, and checks that the next answer is its own.
    async fn ask(&mut self, request: &Value) -> Value {
        self.write(request).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], request["id"], "{answer}");
        answer
    }
}

fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Cancels a call that waits for an index that is never built. Only the cancellation ends its work.
fn check_cancel(start: &[Value], meta: &Value, cancel: &Value) {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def price_of(item):\n    return item.price\n");
    let opener: Opener = Arc::new(|path| Infiniloom::new().open(path));
    let roots = Roots::new(opener).with_root(opened(&sandbox));
    let mut server = Server::new(Arc::new(roots));
    server.patience = Duration::from_secs(86_400);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(async {
        let mut client = Client::connect(&server);
        for message in start {
            match message.get("id") {
                Some(_) => drop(client.ask(message).await),
                None => client.write(message).await,
            }
        }
        let navigate =
            json!({"name": "navigate", "arguments": {"symbol": "price_of"}, "_meta": meta});
        client.write(&request(7, "tools/call", &navigate)).await;
        let working = &server.places.working;
        while working.available_permits() == WORKING {
            tokio::task::yield_now().await;
        }
        client.write(cancel).await;
        // The permit comes back when the thread ends.
        let all = working.acquire_many(WORKING as u32).await.unwrap();
        drop(all);
        let list = json!({"_meta": meta});
        let answer = client.ask(&request(8, "tools/list", &list)).await;
        assert!(answer["result"]["tools"].is_array(), "{answer}");
        client.ask(&request(9, "prompts/list", &list)).await;
    });
}

#[test]
fn cancellation_of_codex_ends_the_work_without_an_answer() {
    let hello = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "codex-mcp-client", "version": "0.166.0"},
    });
    let start = [
        request(0, "initialize", &hello),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    let params = json!({"requestId": 7, "reason": "MCP response future dropped"});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    // The limit of this client is less than the patience of the test, and far away.
    check_cancel(&start, &json!({"progressToken": 1}), &cancel);
}

#[test]
fn cancellation_of_claude_code_ends_the_work_without_an_answer() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2.1.325"},
        "io.modelcontextprotocol/clientCapabilities": {"roots": {"listChanged": true}},
    });
    let start = [request(0, "server/discover", &json!({"_meta": meta}))];
    let reason = "AbortError: user-cancel";
    let params = json!({"requestId": 7, "reason": reason, "_meta": meta});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    check_cancel(&start, &meta, &cancel);
}
