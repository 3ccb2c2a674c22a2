//! Connects to the embedding service that the user's settings name.

use loom_base::EmbedError;
use loom_llm::{EmbeddingApi, RemoteEmbedder};
use loom_settings::{EmbeddingProvider, Settings};

/// Connects to the embedding service in the settings and requests one embedding as a test. Returns
/// `None` if the built-in table is to be used.
///
/// # Errors
/// If the settings are incomplete, or the service does not answer.
pub fn remote_embedder(settings: &Settings) -> Result<Option<RemoteEmbedder>, EmbedError> {
    let chosen = &settings.embedding;
    let api = match chosen.provider {
        EmbeddingProvider::Openai => EmbeddingApi::OpenAi,
        EmbeddingProvider::Ollama => EmbeddingApi::Ollama,
        _ => return Ok(None),
    };
    let model = chosen.model.as_deref().ok_or_else(|| EmbedError {
        from: "the settings".to_owned(),
        reason: "embedding.model names no model".to_owned(),
    })?;
    RemoteEmbedder::connect(api, model, chosen.address.as_deref()).map(Some)
}
