//! What is done about secrets in what leaves the machine, and what is told about
//! them. Which are found is the business of `loom-secrets`.

mod known;
mod messages;
mod paths;
mod scan;
mod scan_tree;
mod state;

pub use known::SourceFiles;
pub(crate) use known::secrets_at_once;
pub use messages::MessageRedactor;
pub use scan::{ScanScope, SecretScan};
pub(crate) use state::{DuplicatePolicy, Secrets, is_known_clean, scanned};
