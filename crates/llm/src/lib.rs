//! Calls to providers of language models, and calibration of estimates by their counts. The caller
//! chooses the texts, retries between models and conversations.
//!
//! Only the feature `http`, on by default, opens connections. Without it every request is
//! [`ProviderError::NoHttp`].
//!
//! Keys come only from the environment, and no message contains one.
//!
//! ```
//! use loom_llm::{Endpoint, ProviderError};
//!
//! let model = loom_models::resolve("gpt-5").unwrap();
//! let refused = Endpoint::from_environment(model, "gpt-5").unwrap_err();
//! assert!(matches!(refused, ProviderError::CountedHere { .. }));
//! ```

mod anthropic;
mod base;
mod calibration;
#[cfg(feature = "http")]
mod client;
#[cfg(not(feature = "http"))]
#[path = "no_client.rs"]
mod client;
mod embedding;
mod endpoint;
mod error;
mod google;
mod key;
mod vendor;

pub use calibration::{CalibrationError, Calibrations, Measured, Samples, push_lines};
pub use embedding::{EmbeddingApi, RemoteEmbedder};
pub use endpoint::Endpoint;
pub use error::ProviderError;
