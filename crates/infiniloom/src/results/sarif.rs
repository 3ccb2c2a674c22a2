//! Findings as SARIF 2.1.0, which code hosts and editors show.

use std::collections::BTreeMap;

use loom_host::{RepoPath, percent_encoded};
use loom_wire::SecretInfo;
use serde_json::{Value, json};

/// Returns a SARIF log with one run and its findings.
pub fn log(found: &[SecretInfo]) -> Value {
    let kinds: BTreeMap<&str, ()> = found.iter().map(|one| (one.kind.as_str(), ())).collect();
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

fn result(one: &SecretInfo) -> Value {
    let level = match one.confidence.as_str() {
        "high" => "error",
        "medium" => "warning",
        _ => "note",
    };
    let file = RepoPath::from_display(&one.path).ok();
    let file = file
        .as_ref()
        .map_or(one.path.as_bytes(), RepoPath::as_bytes);
    let mut result = json!({
        "ruleId": one.kind,
        "level": level,
        "message": {"text": format!("{}: {}", one.kind, one.reasons.join("; "))},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": percent_encoded(file)},
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
