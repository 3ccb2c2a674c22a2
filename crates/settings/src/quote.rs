//! Text from outside in messages: safe for a terminal, and short.

/// Describes a TOML value; text is quoted.
pub(crate) fn found_in(value: &toml_edit::Value) -> String {
    match value {
        toml_edit::Value::String(text) => quoted(text.value()),
        toml_edit::Value::Array(_) => "an array".to_owned(),
        toml_edit::Value::InlineTable(_) => "a table".to_owned(),
        toml_edit::Value::Boolean(value) => value.value().to_string(),
        toml_edit::Value::Integer(value) => value.value().to_string(),
        toml_edit::Value::Float(value) => format!("the float {}", value.value()),
        toml_edit::Value::Datetime(value) => format!("the date {}", value.value()),
    }
}

/// Quotes text from outside, safe for a terminal.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", plain(text).replace('"', "\\\""))
}

/// Escapes control characters in text from outside, and truncates it to the length of a line.
pub(crate) fn plain(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut escaped = String::new();
    for c in text.chars().take(LONGEST) {
        match c {
            '\'' | '"' | '\\' => escaped.push(c),
            c => escaped.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        escaped.push('…');
    }
    escaped
}
