//! The interface between callers that compare texts by meaning and models that turn texts into
//! embeddings.

use thiserror::Error;

/// Model that turns texts into vectors; texts with a similar meaning get similar vectors.
pub trait Embedder: Send + Sync {
    /// Returns the model and its version: vectors of two models cannot be compared.
    fn id(&self) -> &str;

    /// Returns the number of dimensions of a vector.
    fn dimensions(&self) -> usize;

    /// Returns the vector of each text, in the same order. A text without any known word gets a
    /// vector of zeros.
    ///
    /// # Errors
    /// Returns an error if the embedding service fails.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Failure of an embedding service.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no vectors from {from}: {reason}")]
pub struct EmbedError {
    /// Name of the service.
    pub from: String,
    /// Cause of the failure.
    pub reason: String,
}
