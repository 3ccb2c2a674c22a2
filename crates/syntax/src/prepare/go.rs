//! Go: rewrites `new` of a value, which the grammar parses as `new` of a type.

use std::borrow::Cow;

use super::is_name;

/// Rewrites `new("a")` and `new(f(x))` to calls of a function with another name.
pub(super) fn prepared(text: &str) -> Cow<'_, str> {
    let mut prepared = Cow::Borrowed(text);
    for (at, word) in text.match_indices("new(") {
        let is_word = at == 0 || !is_name(text.as_bytes()[at - 1]);
        if is_word && is_value(&text[at + word.len()..]) {
            prepared.to_mut().replace_range(at..at + 3, "neW");
        }
    }
    prepared
}

/// Returns whether a literal follows, or a path and the bracket of a call.
fn is_value(text: &str) -> bool {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let end = text.find(|c| !is_path(c)).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    match path {
        "" => rest.starts_with(['"', '`', '\'', '-', '!', '&']),
        "func" => false,
        _ => path.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with('('),
    }
}

#[cfg(test)]
mod tests {
    use super::prepared;

    #[test]
    fn values_differ_from_types() {
        let check = |text: &str, expected: &str| assert_eq!(prepared(text), expected);
        check("new(\"a\")", "neW(\"a\")");
        check("new(5)", "neW(5)");
        check("new(a.b(c))", "neW(a.b(c))");
        check("new(a.B)", "new(a.B)");
        check("new([]a)", "new([]a)");
        check("new(func())", "new(func())");
        check("renew(5)", "renew(5)");
    }
}
