//! Finds the local names of an import that differ from the imported ones: `as`, the name of a
//! default import, an alias before a path. It parses the words of the statement, in the same way
//! for all languages.

/// Returns pairs of a name and its local name. `*` is the module itself, `default` its default
/// export.
pub(super) fn locals(language: &str, before: &str, text: &str) -> Vec<(String, String)> {
    let mut found = match language {
        "go" => alias(text),
        "csharp" => assigned(text),
        "javascript" | "jsx" | "typescript" | "tsx" | "vue" | "svelte" => script(before, text),
        _ => Vec::new(),
    };
    for (at, _) in text.match_indices(" as ") {
        let name = text[..at]
            .rsplit(|c| !is_name(c))
            .next()
            .unwrap_or_default();
        let name = if name.is_empty() { "*" } else { name };
        found.extend(first_name(&text[at + 4..]).map(|local| pair(name, local)));
    }
    found
}

fn pair(name: &str, local: &str) -> (String, String) {
    (name.to_owned(), local.to_owned())
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn first_name(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

/// Parses `alias "path"` of Go.
fn alias(text: &str) -> Vec<(String, String)> {
    let name = first_name(text).map(|name| pair("*", name));
    name.into_iter().collect()
}

/// Parses `using Name = Path;` of C#.
fn assigned(text: &str) -> Vec<(String, String)> {
    let name = text.split_once('=').and_then(|(start, _)| {
        let last = start.split_whitespace().next_back()?;
        Some(pair("*", last))
    });
    name.into_iter().collect()
}

/// Parses `import Name from`, and the names before `= require(…)`.
fn script(before: &str, text: &str) -> Vec<(String, String)> {
    if let Some(rest) = text.strip_prefix("import ") {
        let rest = rest.trim_start();
        let rest = match rest.strip_prefix("type ") {
            Some(inner) if !inner.starts_with("from ") => inner,
            _ => rest,
        };
        let name = first_name(rest).map(|name| pair("default", name));
        return name.into_iter().collect();
    }
    let before = before.trim_end();
    let before = before.strip_suffix("await").unwrap_or(before).trim_end();
    let Some(before) = before.strip_suffix('=').map(str::trim_end) else {
        return Vec::new();
    };
    if let Some(inside) = before.strip_suffix('}') {
        let list = inside.rsplit('{').next().unwrap_or_default();
        return list.split(',').filter_map(destructured).collect();
    }
    let name = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
    let names = ["*", "default"].into_iter().filter(|_| !name.is_empty());
    names.map(|one| pair(one, name)).collect()
}

/// Parses one of the names in `{ a, b: c }`.
fn destructured(part: &str) -> Option<(String, String)> {
    let name = first_name(part)?;
    let local = part
        .split_once(':')
        .and_then(|(_, local)| first_name(local));
    Some(pair(name, local.unwrap_or(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: &str, before: &str, text: &str, expected: &str) {
        let found = locals(language, before, text);
        let found: Vec<_> = found.iter().map(|(a, b)| format!("{a}={b}")).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn local_names_are_found() {
        check("python", "", "from a import b as c, d", "b=c");
        check("python", "", "import a.b as c", "b=c");
        check("go", "", "v1 \"k8s.io/api/core/v1\"", "*=v1");
        check("go", "", "\"fmt\"", "");
        check("tsx", "", "import A, {b as c} from './a'", "default=A b=c");
        check("tsx", "", "import type {B} from './a'", "");
        check("tsx", "", "import * as ns from './a'", "*=ns");
        check("javascript", "const a = ", "require('b')", "*=a default=a");
        check(
            "javascript",
            "const {a, b: c} = ",
            "require('b')",
            "a=a b=c",
        );
        check("rust", "", "use a::{b as c};", "b=c");
        check("csharp", "", "using X = A.B;", "*=X");
    }
}
