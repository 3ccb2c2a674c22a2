//! Findings as SARIF 2.1.0, which code hosts and editors show.

use std::collections::BTreeMap;

use loom_host::{Confidence, FoundSecret, percent_encoded};
use serde_json::{Value, json};

/// Returns a SARIF log with one run and its findings.
pub fn log(found: &[FoundSecret]) -> Value {
    let kinds: BTreeMap<&str, ()> = found.iter().map(|one| (one.kind, ())).collect();
    let rules: Vec<Value> = kinds.keys().map(|kind| rule(kind)).collect();
    let results: Vec<Value> = found.iter().map(result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "infiniloom",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(kind: &str) -> Value {
    json!({
        "id": kind,
        "shortDescription": {"text": format!("A secret: {kind}")},
        "help": {"text": "Take it out, make a new one where it was in use, or allow it: `infiniloom:allow` in a comment on its line, or a baseline."},
    })
}

fn result(one: &FoundSecret) -> Value {
    let level = match one.confidence {
        Confidence::High => "error",
        Confidence::Medium => "warning",
        Confidence::Low => "note",
    };
    let mut result = json!({
        "ruleId": one.kind,
        "level": level,
        "message": {"text": format!("{}: {}", one.kind, one.reasons.join("; "))},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": percent_encoded(one.file.as_bytes())},
            "region": {
                "startLine": one.line,
                "startColumn": one.column,
                "endLine": one.end_line,
                "endColumn": one.end_column,
            },
        }}],
    });
    if let Some(commit) = &one.commit {
        result["properties"] = json!({"commit": commit});
    }
    result
}
