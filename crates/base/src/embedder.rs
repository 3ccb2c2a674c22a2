//! The seam between whoever compares texts by meaning and whoever turns them into
//! vectors.

use thiserror::Error;

/// Turns texts into vectors, such that texts that mean alike lie close together.
pub trait Embedder: Send + Sync {
    /// The model and its version: vectors of two models cannot be compared.
    fn id(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// The vector of each text, in their order. A text that says nothing to the model
    /// has zeros.
    ///
    /// # Errors
    /// When a service that is asked for them fails.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Why there are no vectors.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no vectors from {from}: {reason}")]
pub struct EmbedError {
    /// The service that was asked.
    pub from: String,
    /// What went wrong.
    pub reason: String,
}
