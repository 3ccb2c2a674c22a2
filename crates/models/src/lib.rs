//! What is known about the models that a context is made for: how they count
//! and how much they take. No network, no prices invented.
//!
//! ```
//! let model = loom_models::resolve("gpt-4o")?;
//! assert_eq!(model.window, 128_000);
//! assert_eq!(loom_models::count("hello world", model), 2);
//! # Ok::<(), loom_models::UnknownModel>(())
//! ```

mod registry;

pub use loom_tokens::{Tally, Vocabulary};
pub use registry::{DEFAULT, Model, UnknownModel, all, resolve};

/// The number of tokens that `text` has for `model`.
pub fn count(text: &str, model: &Model) -> usize {
    model.vocabulary.count(text)
}
