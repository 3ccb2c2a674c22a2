//! The description of a vendor's counting endpoint; each vendor has its own file.

use serde_json::Value;

/// Counting endpoint of a vendor.
pub(crate) struct Vendor {
    /// Name in the registry.
    pub(crate) name: &'static str,
    /// Variables that may contain the key; the first one that is set wins.
    pub(crate) keys: &'static [&'static str],
    /// Variable that overrides the URL, for gateways and tests.
    pub(crate) base_variable: &'static str,
    pub(crate) base: &'static str,
    pub(crate) key_header: &'static str,
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) path: fn(model: &str) -> String,
    pub(crate) body: fn(model: &str, text: &str) -> Value,
    /// Field of the response that contains the count.
    pub(crate) count: &'static str,
}

impl std::fmt::Debug for Vendor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
