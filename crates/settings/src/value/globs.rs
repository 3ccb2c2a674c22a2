//! A list of globs. The scanner validates each of them, because it knows the rules of its matcher.

use serde_json::json;

use super::{InvalidValue, Shape, Value};

/// Globs in their order. Commas separate them in text; a comma inside `{…}` or `[…]`, or after a
/// backslash, belongs to its glob.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Globs(Vec<String>);

impl Globs {
    /// Returns the globs.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl<S: Into<String>> FromIterator<S> for Globs {
    fn from_iter<I: IntoIterator<Item = S>>(globs: I) -> Self {
        Self(globs.into_iter().map(Into::into).collect())
    }
}

impl IntoIterator for Globs {
    type Item = String;
    type IntoIter = std::vec::IntoIter<String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

const EXPECTED: &str = "a list of globs";

/// Maximum number of globs in one list of a repository's file. Each is compiled and compared with
/// every path, so the file would choose the work per path; a thousand globs take about a tenth of a
/// second to compile.
pub(crate) const MOST_GLOBS: usize = 1000;

impl Value for Globs {
    const SHAPE: Shape = Shape::Globs;

    fn from_text(text: &str) -> Result<Self, InvalidValue> {
        let parts = split(text).into_iter().map(trim);
        Ok(parts.filter(|glob| !glob.is_empty()).collect())
    }

    fn from_toml(value: &toml_edit::Value) -> Result<Self, InvalidValue> {
        match value {
            toml_edit::Value::String(text) => Self::from_text(text.value()),
            toml_edit::Value::Array(globs) => globs.iter().map(one_glob).collect(),
            _ => Err(InvalidValue::toml(EXPECTED, value)),
        }
    }

    fn show(&self) -> String {
        let globs: Vec<String> = self.0.iter().map(|glob| escape(glob)).collect();
        globs.join(",")
    }

    fn to_toml(&self) -> toml_edit::Value {
        toml_edit::Value::Array(self.0.iter().collect())
    }

    fn too_costly(&self) -> Option<InvalidValue> {
        let expected = format!("at most {MOST_GLOBS} globs in a repository's file");
        (self.0.len() > MOST_GLOBS).then(|| InvalidValue::new(expected, self.0.len().to_string()))
    }

    fn schema() -> serde_json::Value {
        let glob = json!({ "type": "string", "pattern": "\\S" });
        json!({ "anyOf": [{ "type": "array", "items": glob }, { "type": "string" }] })
    }
}

fn one_glob(value: &toml_edit::Value) -> Result<String, InvalidValue> {
    match value.as_str().map(trim) {
        Some(glob) if !glob.is_empty() => Ok(glob.to_owned()),
        _ => Err(InvalidValue::toml("a glob", value)),
    }
}

/// Trims the space around a glob, unless a backslash makes it part of the glob.
fn trim(glob: &str) -> &str {
    let glob = glob.trim_start();
    let trimmed = glob.trim_end();
    match trimmed.ends_with('\\') {
        true => glob,
        false => trimmed,
    }
}

/// Splits at the commas that separate globs.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for comma in separators(text) {
        parts.push(&text[start..comma]);
        start = comma + 1;
    }
    parts.push(&text[start..]);
    parts
}

/// Escapes each comma that would separate globs with a backslash, which keeps the meaning.
fn escape(glob: &str) -> String {
    split(glob).join("\\,")
}

/// Returns the positions of the commas that are not part of a glob.
fn separators(text: &str) -> Vec<usize> {
    let mut commas = Vec::new();
    let mut braces = 0usize;
    let mut in_class = false;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => {
                escaped = false;
                continue;
            }
            '\\' => escaped = true,
            ']' => in_class = false,
            '[' => in_class = true,
            '{' if !in_class => braces += 1,
            '}' if !in_class => braces = braces.saturating_sub(1),
            ',' if !in_class && braces == 0 => commas.push(at),
            _ => {}
        }
    }
    commas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_inside_a_glob_do_not_separate() {
        let check = |text: &str, globs: &[&str]| {
            assert_eq!(Globs::from_text(text).unwrap().as_slice(), globs, "{text}");
        };
        check("*.rs", &["*.rs"]);
        check("*.rs,*.py", &["*.rs", "*.py"]);
        check(" *.rs , *.py ,", &["*.rs", "*.py"]);
        check("src/{a,b}/*.rs,docs/**", &["src/{a,b}/*.rs", "docs/**"]);
        check("{a,{b,c}},d", &["{a,{b,c}}", "d"]);
        check("[,]x,y", &["[,]x", "y"]);
        check("[{]x,y", &["[{]x", "y"]);
        check(r"a\,b,c", &[r"a\,b", "c"]);
        check(r"\{a,b", &[r"\{a", "b"]);
        check("", &[]);
        check("é,ü", &["é", "ü"]);
    }

    #[test]
    fn comma_in_a_file_is_part_of_the_glob() {
        let globs: Globs = ["a,b", "{c,d}"].into_iter().collect();
        assert_eq!(globs.show(), r"a\,b,{c,d}");
    }
}
