//! Facts about the models that a context is made for: tokenizer, limits, prices and prompt caching.
//! No network, and no fact without its source; the sources are in `data/`.
//!
//! ```
//! let model = loom_models::resolve("us.anthropic.claude-sonnet-4-5-20250929-v1:0")?;
//! assert_eq!(model.name, "claude-sonnet-4-5");
//! assert_eq!(model.limits.effective_budget(), 129_200);
//!
//! // Its tokenizer is not public, so a count is an estimate with a range.
//! let tokens = loom_models::count("hello world", model);
//! assert!(!tokens.is_exact());
//! assert!(tokens.upper() > tokens.likely());
//! # Ok::<(), loom_models::UnknownModel>(())
//! ```

mod cache;
mod data;
mod fits;
mod limits;
mod model;
mod name;
mod own;
mod price;
mod registry;
mod table;
mod unknown;

pub use cache::{CacheKind, CacheRule};
pub use fits::{Fits, TooMany};
pub use limits::Limits;
pub use loom_tokens::NOTICES as VOCABULARY_NOTICES;
pub use loom_tokens::{
    Calibration, Counted, Estimate, Estimator, FileKind, LoadError, Ruler, Tally, Tokenizer,
    Vocabulary,
};
pub use model::{Modality, Model, Source};
pub use own::{OwnModel, OwnModelError};
pub use price::{Cost, Price, Prices, Rates, Tier};
pub use registry::{ModelMatch, NameMatch, Registry, all, default_model, resolve};
pub use unknown::UnknownModel;

/// Returns the kind of vocabulary file that turns the estimates of `tokenizer` into exact counts.
pub fn file_kind(tokenizer: Tokenizer) -> Option<FileKind> {
    FileKind::from_name(tokenizer.name()).filter(|_| tokenizer.estimator().is_some())
}

/// Counts the tokens of `text` for `model`.
pub fn count(text: &str, model: &Model) -> Counted {
    model.tokenizer.count(text)
}
