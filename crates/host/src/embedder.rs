//! The embedding service that the user's settings name.

use loom_base::EmbedError;
use loom_llm::{EmbeddingApi, RemoteEmbedder};
use loom_settings::{EmbeddingProvider, Settings};

/// The service that the settings name; nothing where the table that ships with the
/// program is to be used. It is asked for one vector.
///
/// # Errors
/// When the settings do not make sense, or the service does not answer.
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
