//! A local token counting server that follows the documentation of Anthropic's and Google's APIs.
//! The test defines the count of each text.

use std::io::{self, BufReader};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::http::{HttpServer, Request, read_request, write_json};

/// A provider that runs until the test ends.
#[derive(Debug)]
pub struct ProviderServer {
    server: HttpServer,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    texts: Vec<String>,
    refusals: Vec<u16>,
}

impl ProviderServer {
    /// Starts a server that requires `key`.
    pub fn start(key: &str, count: impl Fn(&str) -> usize + Send + Sync + 'static) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let (key, count, shared) = (key.to_owned(), Arc::new(count), Arc::clone(&state));
        let server = HttpServer::answer_with(move |stream| {
            // A client that disconnects is not a failure of the server.
            let _ = serve(stream, &key, &*count, &shared);
        });
        Self { server, state }
    }

    /// Answers the next requests with these statuses, in order, before it counts again.
    pub fn refuse(&self, statuses: &[u16]) {
        lock(&self.state).refusals = statuses.iter().rev().copied().collect();
    }

    /// Returns the URL for the variables of gateways.
    pub fn url(&self) -> String {
        self.server.url("")
    }

    /// Returns the texts counted so far.
    pub fn texts(&self) -> Vec<String> {
        lock(&self.state).texts.clone()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(
    stream: TcpStream,
    key: &str,
    count: &dyn Fn(&str) -> usize,
    state: &Mutex<State>,
) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let request = read_request(&mut reader)?;
    let (status, answer) = answer(&request, key, count, state);
    write_json(reader.into_inner(), status, &answer)
}

fn answer(
    request: &Request,
    key: &str,
    count: &dyn Fn(&str) -> usize,
    state: &Mutex<State>,
) -> (u16, Value) {
    let is_google = request.path.contains("/models/");
    let refuse = |status: u16, message: &str| match is_google {
        true => (
            status,
            json!({"error": {"code": status, "message": message, "status": "X"}}),
        ),
        false => (
            status,
            json!({"type": "error", "error": {"type": "x", "message": message}}),
        ),
    };
    let sent = request.header(if is_google {
        "x-goog-api-key"
    } else {
        "x-api-key"
    });
    if sent != key {
        return refuse(401, &format!("invalid key {sent}"));
    }
    if let Some(status) = lock(state).refusals.pop() {
        return refuse(status, "not now");
    }
    let body = serde_json::from_slice(&request.body).unwrap_or_default();
    let Some(text) = text(request, &body, is_google) else {
        return refuse(404, "no such endpoint, model or field");
    };
    lock(state).texts.push(text.to_owned());
    let field = if is_google {
        "totalTokens"
    } else {
        "input_tokens"
    };
    (200, json!({ field: count(text) }))
}

/// Returns the text of a request in the documented format.
fn text<'a>(request: &Request, body: &'a Value, is_google: bool) -> Option<&'a str> {
    let is_json = request.header("content-type") == "application/json";
    let path = request.path.trim_start_matches('/');
    let (is_right, place) = if is_google {
        let model = path.strip_prefix("v1beta/models/");
        let model = model.and_then(|model| model.strip_suffix(":countTokens"));
        let is_right = model.is_some_and(|model| model.starts_with("gemini-"));
        (is_right, "/contents/0/parts/0/text")
    } else {
        let is_right = path == "v1/messages/count_tokens"
            && request.header("anthropic-version") == "2023-06-01"
            && body["model"]
                .as_str()
                .is_some_and(|model| model.starts_with("claude-"))
            && body["messages"][0]["role"] == "user";
        (is_right, "/messages/0/content")
    };
    let is_right = is_right && is_json && request.method == "POST";
    body.pointer(place)?.as_str().filter(|_| is_right)
}
