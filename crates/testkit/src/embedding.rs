//! A local embedding server that follows the documentation of OpenAI's and Ollama's APIs. The test
//! defines the embedding of each text.

use std::io::{self, BufReader};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::http::{HttpServer, Request, read_request, write_json};

/// An embedding service that runs until the test ends.
#[derive(Debug)]
pub struct EmbeddingServer {
    server: HttpServer,
    texts: Arc<Mutex<Vec<String>>>,
}

impl EmbeddingServer {
    /// Starts a server that requires `key`. A text with an empty embedding counts as too long.
    pub fn start(key: &str, vector: impl Fn(&str) -> Vec<f32> + Send + Sync + 'static) -> Self {
        let texts = Arc::new(Mutex::new(Vec::new()));
        let (key, vector, shared) = (key.to_owned(), Arc::new(vector), Arc::clone(&texts));
        let server = HttpServer::answer_with(move |stream| {
            // A client that disconnects is not a failure of the server.
            let _ = serve(stream, &key, &*vector, &shared);
        });
        Self { server, texts }
    }

    /// Returns the URL.
    pub fn url(&self) -> String {
        self.server.url("")
    }

    /// Returns the texts received so far.
    pub fn texts(&self) -> Vec<String> {
        let texts = self.texts.lock();
        texts.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve(
    stream: TcpStream,
    key: &str,
    vector: &dyn Fn(&str) -> Vec<f32>,
    texts: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let request = read_request(&mut reader)?;
    let (status, answer) = answer(&request, key, vector, texts);
    write_json(reader.into_inner(), status, &answer)
}

fn answer(
    request: &Request,
    key: &str,
    vector: &dyn Fn(&str) -> Vec<f32>,
    texts: &Mutex<Vec<String>>,
) -> (u16, Value) {
    if request.header("authorization") != format!("Bearer {key}") {
        return (
            401,
            json!({"error": {"message": "Incorrect API key provided"}}),
        );
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let input = body["input"].as_array().cloned().unwrap_or_default();
    let input: Vec<&str> = input.iter().filter_map(Value::as_str).collect();
    if body["model"] != "tiny" || input.iter().any(|text| text.is_empty()) {
        return (
            400,
            json!({"error": {"message": "no such model, or no text"}}),
        );
    }
    if input.iter().any(|text| vector(text).is_empty()) {
        let told = "the input is longer than the maximum context length of this model";
        return (400, json!({"error": {"message": told}}));
    }
    let mut got = texts.lock().unwrap_or_else(PoisonError::into_inner);
    got.extend(input.iter().map(|text| (*text).to_owned()));
    match request.path.as_str() {
        "/v1/embeddings" => {
            // In reverse order: the index identifies each embedding.
            let one = |(at, text): (usize, &&str)| json!({"object": "embedding", "index": at, "embedding": vector(text)});
            let data: Vec<Value> = input.iter().enumerate().rev().map(one).collect();
            (
                200,
                json!({"object": "list", "data": data, "model": "tiny"}),
            )
        }
        "/api/embed" => {
            let all: Vec<Vec<f32>> = input.iter().map(|text| vector(text)).collect();
            (200, json!({"model": "tiny", "embeddings": all}))
        }
        _ => (404, json!({"error": {"message": "no such endpoint"}})),
    }
}
