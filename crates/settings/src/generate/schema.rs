//! The JSON schema of `infiniloom.toml`, with which editors complete and validate.

use serde_json::{Map, Value, json};

use crate::choices::{Action, Compress, TransformName};
use crate::layer::{OWN_MODEL_KEYS, OWN_MODELS_DOC, RULE_TABLES};
use crate::setting::paragraphs;
use crate::{Group, Setting, of_group};

/// Returns the schema, draft 2020-12.
pub fn json_schema() -> Value {
    let groups = Group::ALL.iter();
    let tables: Map<String, Value> = groups
        .map(|&group| (group.name().to_owned(), table(group)))
        .chain([("models".to_owned(), models())])
        .chain(
            RULE_TABLES
                .iter()
                .map(|(name, doc, keys)| ((*name).to_owned(), rules(doc, keys))),
        )
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "infiniloom.toml",
        "description": "Settings of Infiniloom, for a user or a repository.",
        "type": "object",
        "properties": tables,
        "additionalProperties": false,
    })
}

fn table(group: Group) -> Value {
    let settings: Map<String, Value> = of_group(group)
        .map(|setting| (setting.name().to_owned(), property(setting)))
        .collect();
    json!({
        "description": paragraphs(group.doc()).collect::<Vec<_>>().join("\n\n"),
        "type": "object",
        "properties": settings,
        "additionalProperties": false,
    })
}

/// Returns the schema of the models that a user describes.
fn models() -> Value {
    let property = |&(key, doc, _): &(&str, &str, &str)| {
        let kind = match key {
            "window" | "input" | "output" => json!("integer"),
            "input_price" | "output_price" => json!(["number", "string"]),
            _ => json!("string"),
        };
        (key.to_owned(), json!({ "type": kind, "description": doc }))
    };
    let properties: Map<String, Value> = OWN_MODEL_KEYS.iter().map(property).collect();
    json!({
        "description": OWN_MODELS_DOC,
        "type": "array",
        "items": {
            "type": "object",
            "properties": properties,
            "required": ["name"],
            "additionalProperties": false,
        },
    })
}

/// Returns the schema of rules for some files.
fn rules(doc: &str, keys: &[(&str, &str)]) -> Value {
    use crate::value::Value as _;
    let property = |&(key, doc): &(&str, &str)| {
        let mut property = match key {
            "level" => Compress::schema(),
            "action" => Action::schema(),
            "transform" => TransformName::schema(),
            _ => json!({ "type": "string" }),
        };
        property["description"] = json!(doc);
        (key.to_owned(), property)
    };
    let properties: Map<String, Value> = keys.iter().map(property).collect();
    let is_optional = |key: &str| matches!(key, "name" | "transform");
    let keys = keys.iter().map(|(key, _)| *key);
    let required: Vec<&str> = keys.filter(|key| !is_optional(key)).collect();
    json!({
        "description": doc,
        "type": "array",
        "items": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
    })
}

fn property(setting: &Setting) -> Value {
    let mut property = setting.schema();
    property["description"] = json!(setting.documentation());
    property["default"] = default(&setting.default_toml());
    property
}

/// Converts a default to JSON; dates and tables are never defaults.
fn default(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => json!(text.value()),
        toml_edit::Value::Integer(number) => json!(number.value()),
        toml_edit::Value::Boolean(value) => json!(value.value()),
        toml_edit::Value::Array(values) => values.iter().map(default).collect(),
        other => json!(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_there() {
        let schema = json_schema();
        for setting in crate::all() {
            let (group, name) = setting.key.split_once('.').unwrap();
            let property = &schema["properties"][group]["properties"][name];
            assert!(property["description"].is_string(), "{}", setting.key);
            let typed = ["type", "enum", "anyOf"].iter();
            assert_eq!(typed.filter(|word| !property[**word].is_null()).count(), 1);
        }
        let format = &schema["properties"]["pack"]["properties"]["format"];
        assert_eq!(
            format["enum"],
            json!(["xml", "markdown", "json", "yaml", "plain", "compact"])
        );
        assert_eq!(format["default"], json!("xml"));
    }
}
