//! Vectors from a service that the user named in their own settings: one that speaks as
//! OpenAI's does, or Ollama. A repository can name none, and texts are sent without secrets.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom_base::{EmbedError, Embedder};
use loom_settings::{EmbeddingProvider, Settings};
use serde_json::{Value, json};

use super::base::Base;
use super::client::Client;
use super::key::Key;

/// Texts that are sent at once.
const TEXTS: usize = 64;
/// Bytes of a text that are sent: models take no more. Where one takes less and says so,
/// half is sent, down to the least.
const LONGEST: usize = 6000;
const LEAST: usize = 300;
/// Bytes of an answer: numbers for that many texts.
const ANSWER: u64 = 16 << 20;

const OPENAI: &str = "https://api.openai.com/v1";
const OLLAMA: &str = "http://127.0.0.1:11434";

/// The key for any service, and the one that OpenAI alone gets.
const KEY: &str = "INFINILOOM_EMBEDDING_KEY";
const OPENAI_KEY: &str = "OPENAI_API_KEY";

/// An embedder that is asked over HTTP.
#[derive(Debug)]
pub struct RemoteEmbedder {
    provider: EmbeddingProvider,
    base: Base,
    key: Option<Key>,
    model: String,
    id: String,
    dimensions: usize,
    /// Bytes of a text that the service takes, as far as is known.
    longest: AtomicUsize,
}

/// Why there are no vectors.
enum Refused {
    /// A text has more than the model takes.
    TooLong(EmbedError),
    Other(EmbedError),
}

impl RemoteEmbedder {
    /// The service that the settings name; nothing where the table that ships with the
    /// program is to be used. It is asked for one vector.
    ///
    /// # Errors
    /// When the settings do not make sense, or the service does not answer.
    pub fn from_settings(settings: &Settings) -> Result<Option<Self>, EmbedError> {
        let chosen = &settings.embedding;
        let usual = match chosen.provider {
            EmbeddingProvider::Openai => OPENAI,
            EmbeddingProvider::Ollama => OLLAMA,
            _ => return Ok(None),
        };
        let wrong = |reason: &str| EmbedError {
            from: "the settings".to_owned(),
            reason: reason.to_owned(),
        };
        let model = chosen.model.clone();
        let model = model.ok_or_else(|| wrong("embedding.model names no model"))?;
        let address = chosen.address.as_deref().unwrap_or(usual);
        let base = Base::parse(address).ok_or_else(|| {
            wrong("embedding.address: expected one such as https://gateway.example/v1")
        })?;
        let mut names = vec![KEY];
        // A key goes to who gave it, whatever the settings say.
        if address == OPENAI {
            names.push(OPENAI_KEY);
        }
        let key = names.iter().find_map(|name| env::var(name).ok());
        let key = key.as_deref().and_then(Key::new);
        // Two servers may call two models alike.
        let id = format!("{}/{model} at {}", chosen.provider.name(), base.place());
        let mut embedder = Self {
            provider: chosen.provider,
            base,
            key,
            model,
            id,
            dimensions: 0,
            longest: AtomicUsize::new(LONGEST),
        };
        let first = embedder.embed(&["code"])?;
        embedder.dimensions = first.first().map_or(0, Vec::len);
        Ok(Some(embedder))
    }

    /// The vectors of texts, of which less is sent while they are too long.
    fn vectors(&self, client: &Client, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        loop {
            let longest = self.longest.load(Ordering::Relaxed);
            match self.ask(client, texts, longest) {
                Ok(vectors) => return Ok(vectors),
                Err(Refused::TooLong(_)) if longest / 2 >= LEAST => {
                    self.longest.store(longest / 2, Ordering::Relaxed);
                }
                Err(Refused::TooLong(error) | Refused::Other(error)) => return Err(error),
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
        let path = match self.provider {
            EmbeddingProvider::Ollama => "/api/embed",
            _ => "/embeddings",
        };
        let bearer = self
            .key
            .as_ref()
            .map(|key| format!("Bearer {}", key.secret()));
        let headers: Vec<(&str, &str)> = bearer
            .iter()
            .map(|bearer| ("authorization", bearer.as_str()))
            .collect();
        let answer = client
            .post(&self.base.join(path), &headers, &body)
            .map_err(|reason| Refused::Other(self.failed(&reason)))?;
        let json: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        if answer.status != 200 {
            let told = json.pointer("/error/message").or_else(|| json.get("error"));
            let told = told.and_then(Value::as_str).unwrap_or("no reason given");
            let error = self.failed(&format!("it answered {}: {told}", answer.status));
            return Err(match is_too_long(answer.status, told) {
                true => Refused::TooLong(error),
                false => Refused::Other(error),
            });
        }
        let vectors = vectors_in(&json, texts.len());
        let odd = || self.failed("its answer has not a vector for each text");
        vectors.ok_or_else(|| Refused::Other(odd()))
    }

    fn failed(&self, reason: &str) -> EmbedError {
        let hidden = self.key.as_ref().map(|key| key.hide(reason));
        EmbedError {
            from: self.base.host().to_owned(),
            reason: hidden.unwrap_or_else(|| reason.to_owned()),
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
        for some in texts.chunks(TEXTS) {
            vectors.extend(self.vectors(&client, some)?);
        }
        let sizes = |vector: &Vec<f32>| vector.len() == vectors[0].len();
        match vectors.iter().all(sizes) {
            true => Ok(vectors),
            false => Err(self.failed("its vectors are of several lengths")),
        }
    }
}

/// Whether a service says that a text is longer than its model takes.
fn is_too_long(status: u16, told: &str) -> bool {
    const WORDS: &[&str] = &["too large", "too long", "too many", "maximum", "exceed"];
    const ABOUT: &[&str] = &["token", "input", "context", "length", "sequence", "batch"];
    let told = told.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| told.contains(word));
    status == 413 || (matches!(status, 400 | 422 | 500) && has(WORDS) && has(ABOUT))
}

/// The start of a text, up to what models take.
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

/// One vector for each text: in the form of OpenAI, with a place each, or of Ollama.
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
    fn services_say_in_many_words_that_a_text_is_too_long() {
        for (status, told, is_so) in [
            (
                500,
                "input (1321 tokens) is too large to process. increase the physical batch size",
                true,
            ),
            (
                400,
                "This model's maximum context length is 8192 tokens",
                true,
            ),
            (400, "the input length exceeds the context length", true),
            (413, "no reason given", true),
            (401, "Incorrect API key: too many tokens", false),
            (404, "no such model", false),
            (400, "no such model, or no text", false),
            (500, "out of memory", false),
        ] {
            assert_eq!(is_too_long(status, told), is_so, "{status} {told}");
        }
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
