//! The description of one vendor's counting endpoint; each vendor fills it in a file of
//! its own.

use serde_json::Value;

/// How a vendor counts. One file for each.
pub(crate) struct Vendor {
    /// As the registry names it.
    pub(crate) name: &'static str,
    /// The variables that may hold the key, the first one that is set wins.
    pub(crate) keys: &'static [&'static str],
    /// The variable that names another address, for gateways and tests.
    pub(crate) base_variable: &'static str,
    pub(crate) base: &'static str,
    pub(crate) key_header: &'static str,
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) path: fn(model: &str) -> String,
    pub(crate) body: fn(model: &str, text: &str) -> Value,
    /// The field of the answer that holds the count.
    pub(crate) count: &'static str,
}

impl std::fmt::Debug for Vendor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
