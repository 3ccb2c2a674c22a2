//! `countTokens` of Google's Gemini API.

use serde_json::json;

use crate::vendor::Vendor;

pub(crate) const VENDOR: Vendor = Vendor {
    name: "google",
    keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    base_variable: "GOOGLE_GEMINI_BASE_URL",
    base: "https://generativelanguage.googleapis.com",
    key_header: "x-goog-api-key",
    headers: &[],
    path: |model| format!("/v1beta/models/{model}:countTokens"),
    body: |_, text| json!({"contents": [{"parts": [{"text": text}]}]}),
    count: "totalTokens",
};
