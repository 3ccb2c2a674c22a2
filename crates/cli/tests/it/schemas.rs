//! The JSON of each command has exactly the fields of its schema in `docs/reference`.

use loom_testkit::Sandbox;
use serde_json::Value;

use crate::packed::loom;

fn check(schema: &str, answer: &str) {
    let path = format!(
        "{}/../../docs/reference/{schema}.schema.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let whole: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for value in serde_json::Deserializer::from_str(answer).into_iter::<Value>() {
        let value = value.unwrap();
        // A list contains one result for each argument.
        let answers = match value {
            Value::Array(answers) if whole["type"] == "object" => answers,
            value => vec![value],
        };
        for one in &answers {
            let wrong = mismatch(one, &whole, &whole, schema);
            assert_eq!(wrong, None, "{one}");
        }
    }
}

/// Returns the first difference between a value and its schema.
fn mismatch(value: &Value, schema: &Value, whole: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let known = whole.pointer(name.trim_start_matches('#')).unwrap();
        return mismatch(value, known, whole, at);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let fits = any
            .iter()
            .any(|one| mismatch(value, one, whole, at).is_none());
        return (!fits).then(|| format!("{at}: none of the shapes"));
    }
    let is_type = |name: &Value| match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => true,
    };
    let types = &schema["type"];
    let fits = match types.as_array() {
        Some(any) => any.iter().any(is_type),
        None => is_type(types),
    };
    if !fits {
        return Some(format!("{at}: {value} is not {types}"));
    }
    let required = schema["required"].as_array().into_iter().flatten();
    let missing = required
        .filter_map(Value::as_str)
        .find(|name| value.get(name).is_none());
    if let Some(missing) = missing {
        return Some(format!("{at}: without {missing}"));
    }
    let members = value.as_object().into_iter().flatten();
    let members = members.map(|(name, inner)| (name, inner, schema["properties"].get(name)));
    for (name, inner, known) in members {
        let known = known.or(schema.get("additionalProperties"));
        let Some(known) = known else {
            return Some(format!("{at}: {name} is not known"));
        };
        let wrong = mismatch(inner, known, whole, &format!("{at}.{name}"));
        if wrong.is_some() {
            return wrong;
        }
    }
    let items = value.as_array().into_iter().flatten();
    items.enumerate().find_map(|(number, inner)| {
        let known = schema["prefixItems"].get(number).or(schema.get("items"))?;
        mismatch(inner, known, whole, &format!("{at}[{number}]"))
    })
}

#[test]
fn answers_have_the_promised_shapes() {
    let sandbox = Sandbox::new();
    sandbox
        .write("README.md", "# Demo\n\nA demo of some parts.\n")
        .write("Makefile", "all:\n\techo\n")
        .write("notes", "plain words\n")
        .write(
            "a.py",
            "import b\n\ndef first(x):\n    return b.second(x)\n",
        )
        .write(
            "b.py",
            "def second(y):\n    \"\"\"Says y.\"\"\"\n    return y\n",
        )
        .write("data.bin", [0u8, 1, 2, 0]);
    for (schema, args) in [
        ("map", &["map", "--format", "json"][..]),
        (
            "context",
            &["context", "what does second say?", "--format", "json"],
        ),
        ("search", &["search", "second", "--format", "json"]),
        ("ranked", &["search", "second", "--ask", "--format", "json"]),
        ("navigation", &["def", "second", "--format", "json"]),
        ("navigation", &["refs", "second", "--format", "json"]),
        ("symbols", &["symbols", "--format", "json"]),
        ("chunks", &["chunk", "--format", "json"]),
        ("tokens", &["tokens", "--format", "json"]),
        ("scan", &["scan", "--format", "json"]),
        ("index", &["index", "--format", "json"]),
        ("store", &["cache", "stats", "--format", "json"]),
        ("why", &["why", "a.py", "--format", "json"]),
    ] {
        check(schema, &loom(&sandbox, args).ok());
    }
}
