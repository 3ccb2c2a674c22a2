//! Embeddings from an HTTP service with the API of OpenAI or Ollama. The caller reads the settings
//! and ensures that a repository's own config file names no service and that texts contain no
//! secrets.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom_base::{EmbedError, Embedder, printable};
use serde_json::{Value, json};

use crate::base::Base;
use crate::client::Client;
use crate::key::Key;

/// Maximum number of texts in one request.
const TEXTS: usize = 64;
/// Maximum bytes of a text; models accept no more. If a service rejects a text as too long, the
/// embedder halves this limit, down to `LEAST`: a shorter text says too little about its code.
const LONGEST: usize = 6000;
const LEAST: usize = 300;
/// Maximum bytes of a response with the embeddings of that many texts.
const ANSWER: u64 = 16 << 20;

const OPENAI: &str = "https://api.openai.com/v1";
const OLLAMA: &str = "http://127.0.0.1:11434";

/// API of an embedding service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddingApi {
    /// The API of OpenAI.
    OpenAi,
    /// The API of Ollama.
    Ollama,
}

impl EmbeddingApi {
    fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
        }
    }

    fn usual_address(self) -> &'static str {
        match self {
            Self::OpenAi => OPENAI,
            Self::Ollama => OLLAMA,
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/embeddings",
            Self::Ollama => "/api/embed",
        }
    }
}

/// Variables with the key: the first for any service, the second only for OpenAI.
const KEY: &str = "INFINILOOM_EMBEDDING_KEY";
const OPENAI_KEY: &str = "OPENAI_API_KEY";

/// An embedder that calls an HTTP service.
#[derive(Debug)]
pub struct RemoteEmbedder {
    api: EmbeddingApi,
    base: Base,
    key: Option<Key>,
    model: String,
    id: String,
    dimensions: usize,
    /// Bytes of a text that the service accepts, as far as observed.
    longest: AtomicUsize,
    /// Texts in one request that the service accepts, as far as observed.
    most: AtomicUsize,
}

/// Reason why a request returned no embeddings.
enum Refused {
    /// A text exceeds the limit of the model.
    TooLong(EmbedError),
    /// The request has more texts than the service accepts.
    TooMany(EmbedError),
    Other(EmbedError),
}

impl RemoteEmbedder {
    /// Connects to the service at `address`, or at the default URL, and requests one embedding to
    /// check it.
    ///
    /// # Errors
    /// If the URL is invalid, or the service does not answer.
    pub fn connect(
        api: EmbeddingApi,
        model: &str,
        address: Option<&str>,
    ) -> Result<Self, EmbedError> {
        let address = address.unwrap_or(api.usual_address());
        let base = Base::parse(address).ok_or_else(|| EmbedError {
            from: "the settings".to_owned(),
            reason: "embedding.address: expected one such as https://gateway.example/v1".to_owned(),
        })?;
        let mut names = vec![KEY];
        // The OpenAI key goes only to OpenAI, even if the settings name another URL.
        if address == OPENAI {
            names.push(OPENAI_KEY);
        }
        let key = names.iter().find_map(|name| env::var(name).ok());
        let key = key.as_deref().and_then(Key::new);
        // Two servers may use the same name for different models.
        let id = format!("{}/{model} at {}", api.name(), base.place());
        let mut embedder = Self {
            api,
            base,
            key,
            model: model.to_owned(),
            id,
            dimensions: 0,
            longest: AtomicUsize::new(LONGEST),
            most: AtomicUsize::new(TEXTS),
        };
        let first = embedder.embed(&["code"])?;
        embedder.dimensions = first.first().map_or(0, Vec::len);
        Ok(embedder)
    }

    /// Requests the embeddings of the first texts. Sends shorter or fewer texts until the service
    /// accepts them.
    fn vectors(&self, client: &Client, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        loop {
            let longest = self.longest.load(Ordering::Relaxed);
            let most = self.most.load(Ordering::Relaxed);
            let some = &texts[..texts.len().min(most)];
            match self.ask(client, some, longest) {
                Ok(vectors) => return Ok(vectors),
                Err(Refused::TooLong(_)) if longest / 2 >= LEAST => {
                    self.longest.store(longest / 2, Ordering::Relaxed);
                }
                Err(Refused::TooMany(_)) if some.len() > 1 => {
                    self.most.store(some.len() / 2, Ordering::Relaxed);
                }
                Err(Refused::TooLong(error) | Refused::TooMany(error) | Refused::Other(error)) => {
                    return Err(error);
                }
            }
        }
    }

    fn ask(
        &self,
        client: &Client,
        texts: &[&str],
        longest: usize,
    ) -> Result<Vec<Vec<f32>>, Refused> {
        let texts: Vec<&str> = texts.iter().map(|text| start_of(text, longest)).collect();
        let body = json!({"model": self.model, "input": texts}).to_string();
        let bearer = self
            .key
            .as_ref()
            .map(|key| format!("Bearer {}", key.secret()));
        let headers: Vec<(&str, &str)> = bearer
            .iter()
            .map(|bearer| ("authorization", bearer.as_str()))
            .collect();
        let answer = client
            .post(&self.base.join(self.api.path()), &headers, &body)
            .map_err(|reason| Refused::Other(self.failed(&reason)))?;
        let json: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        if answer.status != 200 {
            let told = reason_in(&json).unwrap_or("no reason given");
            let error = self.failed(&format!("it answered {}: {told}", answer.status));
            return Err(match too_much(answer.status, told) {
                Some(TooMuch::Long) => Refused::TooLong(error),
                Some(TooMuch::Many) => Refused::TooMany(error),
                None => Refused::Other(error),
            });
        }
        let vectors = vectors_in(&json, texts.len());
        let odd = || self.failed("its answer has not a vector for each text");
        vectors.ok_or_else(|| Refused::Other(odd()))
    }

    fn failed(&self, reason: &str) -> EmbedError {
        // Puts the message of a service on one line.
        let words: Vec<&str> = reason.split_whitespace().collect();
        let reason = printable(&words.join(" ")).into_owned();
        let hidden = self.key.as_ref().map(|key| key.hide(&reason));
        EmbedError {
            from: self.base.host().to_owned(),
            reason: hidden.unwrap_or(reason),
        }
    }
}

impl Embedder for RemoteEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let client =
            Client::with_limit(&self.base, ANSWER).map_err(|reason| self.failed(&reason))?;
        let mut vectors = Vec::with_capacity(texts.len());
        while vectors.len() < texts.len() {
            vectors.extend(self.vectors(&client, &texts[vectors.len()..])?);
        }
        let is_odd = |vector: &Vec<f32>| vector.len() != vectors[0].len();
        if vectors.iter().any(is_odd) {
            return Err(self.failed("its vectors are of several lengths"));
        }
        let is_empty = |vector: &Vec<f32>| {
            let sum: f32 = vector.iter().map(|one| one.abs()).sum();
            !(sum.is_finite() && sum > 0.0)
        };
        match vectors.iter().any(is_empty) {
            true => Err(self.failed("one of its vectors has no direction")),
            false => Ok(vectors),
        }
    }
}

/// Returns the service's reason for a refusal. Services put it in different fields.
fn reason_in(json: &Value) -> Option<&str> {
    const PLACES: &[&str] = &[
        "/error/message",
        "/error",
        "/message",
        "/detail",
        "/detail/0/msg",
        "/0/error/message",
        "/0/error",
    ];
    PLACES
        .iter()
        .find_map(|place| json.pointer(place)?.as_str())
}

/// The limit that a request exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TooMuch {
    /// The length of one text.
    Long,
    /// The number of texts.
    Many,
}

/// Returns the limit that the error message of a service names.
fn too_much(status: u16, told: &str) -> Option<TooMuch> {
    const WORDS: &[&str] = &[
        "too large",
        "too long",
        "too many",
        "maximum",
        "exceed",
        "at most",
        "larger than",
    ];
    const TEXT: &[&str] = &["token", "context", "length", "sequence"];
    const TEXTS: &[&str] = &["batch", "inputs", "texts", "items"];
    let told = told.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| told.contains(word));
    let is_refused = matches!(status, 400 | 413 | 422 | 500);
    match (is_refused, has(WORDS)) {
        (true, true) if has(TEXT) => Some(TooMuch::Long),
        (true, true) if has(TEXTS) => Some(TooMuch::Many),
        (true, true) if told.contains("input") => Some(TooMuch::Long),
        _ if status == 413 => Some(TooMuch::Many),
        _ => None,
    }
}

/// Returns the start of a text, at most `longest` bytes.
fn start_of(text: &str, longest: usize) -> &str {
    let mut end = text.len().min(longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // Services refuse an empty text.
    if text[..end].trim().is_empty() {
        "-"
    } else {
        &text[..end]
    }
}

/// Reads one embedding per text: with an index each in OpenAI's format, in order in Ollama's.
fn vectors_in(json: &Value, count: usize) -> Option<Vec<Vec<f32>>> {
    let numbers = |value: &Value| -> Option<Vec<f32>> {
        let numbers = value.as_array()?.iter();
        let vector: Vec<f32> = numbers
            .map(|one| Some(one.as_f64()? as f32))
            .collect::<Option<_>>()?;
        (!vector.is_empty()).then_some(vector)
    };
    let mut found: Vec<Option<Vec<f32>>> = vec![None; count];
    if let Some(data) = json.get("data").and_then(Value::as_array) {
        for (order, one) in data.iter().enumerate() {
            let place = one.get("index").and_then(Value::as_u64);
            let place = place.map_or(Some(order), |place| usize::try_from(place).ok())?;
            *found.get_mut(place)? = Some(numbers(one.get("embedding")?)?);
        }
    } else {
        let all = json.get("embeddings").and_then(Value::as_array)?;
        for (place, one) in all.iter().enumerate() {
            *found.get_mut(place)? = Some(numbers(one)?);
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_forms_are_read() {
        let openai = json!({"data": [
            {"index": 1, "embedding": [0.5, 1]},
            {"index": 0, "embedding": [0.25, 2]},
        ]});
        let expected = vec![vec![0.25, 2.0], vec![0.5, 1.0]];
        assert_eq!(vectors_in(&openai, 2), Some(expected.clone()));
        let ollama = json!({"embeddings": [[0.25, 2], [0.5, 1]]});
        assert_eq!(vectors_in(&ollama, 2), Some(expected));
        for odd in [
            json!({"data": [{"index": 0, "embedding": [1]}]}),
            json!({"data": [{"index": 7, "embedding": [1]}, {"index": 0, "embedding": [1]}]}),
            json!({"embeddings": [[1], []]}),
            json!({"embeddings": [[1], ["a"]]}),
            json!([]),
        ] {
            assert_eq!(vectors_in(&odd, 2), None, "{odd}");
        }
    }

    #[test]
    fn error_messages_of_services_name_the_exceeded_limit() {
        use TooMuch::{Long, Many};
        for (status, told, expected) in [
            (
                500,
                "input (1321 tokens) is too large to process. increase the physical batch size",
                Some(Long),
            ),
            (
                400,
                "This model's maximum context length is 8192 tokens",
                Some(Long),
            ),
            (
                400,
                "the input length exceeds the context length",
                Some(Long),
            ),
            (
                422,
                "batch size 34 > maximum allowed batch size 32",
                Some(Many),
            ),
            (
                400,
                "batch size is invalid, it should not be larger than 10",
                Some(Many),
            ),
            (413, "no reason given", Some(Many)),
            (401, "Incorrect API key: too many tokens", None),
            (404, "no such model", None),
            (400, "no such model, or no text", None),
            (500, "out of memory", None),
        ] {
            assert_eq!(too_much(status, told), expected, "{status} {told}");
        }
    }

    #[test]
    fn reason_is_found_in_every_field() {
        for json in [
            json!({"error": {"message": "why"}}),
            json!({"error": "why"}),
            json!({"object": "error", "message": "why"}),
            json!({"detail": "why"}),
            json!({"detail": [{"msg": "why"}]}),
            json!([{"error": "why"}]),
        ] {
            assert_eq!(reason_in(&json), Some("why"), "{json}");
        }
        assert_eq!(reason_in(&json!({"code": 3})), None);
    }

    proptest! {
        #[test]
        fn any_text_has_a_start(text in "\\PC{0,9000}") {
            for longest in [LEAST, LONGEST] {
                let start = start_of(&text, longest);
                prop_assert!(!start.is_empty() && start.len() <= longest);
            }
        }
    }
}
