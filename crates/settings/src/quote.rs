//! Text from outside as messages show it: safe for a terminal, and short.

/// A TOML value in words: the text itself where it is text.
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

/// Text from outside in quotes, safe for a terminal.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", plain(text).replace('"', "\\\""))
}

/// Text from outside without control characters, cut where it is longer than a
/// line of a message should be.
pub(crate) fn plain(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut shown = String::new();
    for c in text.chars().take(LONGEST) {
        match c {
            '\'' | '"' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
