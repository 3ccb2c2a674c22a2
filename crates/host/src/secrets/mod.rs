//! Treatment of secrets in everything that leaves the machine, and the messages about them.
//! `loom-secrets` detects them.

mod known;
mod messages;
mod paths;
mod scan;
mod scan_tree;
mod state;

pub use known::VISIBLE_COPIES;
pub(crate) use known::{SecretLearner, secrets_at_once};
pub use messages::MessageRedactor;
pub use scan::{ScanScope, SecretScan, scan_for_secrets};
pub(crate) use state::{DuplicatePolicy, Secrets, is_known_clean, scanned};
