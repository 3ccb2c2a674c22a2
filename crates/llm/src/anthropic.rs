//! `count_tokens` of Anthropic's messages API.

use serde_json::json;

use crate::vendor::Vendor;

pub(crate) const VENDOR: Vendor = Vendor {
    name: "anthropic",
    keys: &["ANTHROPIC_API_KEY"],
    base_variable: "ANTHROPIC_BASE_URL",
    base: "https://api.anthropic.com",
    key_header: "x-api-key",
    headers: &[("anthropic-version", "2023-06-01")],
    path: |_| "/v1/messages/count_tokens".to_owned(),
    body: |model, text| json!({"model": model, "messages": [{"role": "user", "content": text}]}),
    count: "input_tokens",
};
