//! Names in a question: words in the syntax of identifiers.

/// Maximum number of names in a question that are looked up.
const NAMES: usize = 32;

/// A name in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedName {
    /// The name as written.
    pub text: String,
    /// True if the question is only this name.
    pub is_all: bool,
}

/// Returns the distinct names in `text`; `is_stop` returns true for words that name nothing.
pub(super) fn names(text: &str, is_stop: impl Fn(&str) -> bool) -> Vec<AskedName> {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let mut words = text
        .split(|c: char| !is_part(c))
        .filter(|word| word.starts_with(|c: char| c == '_' || c.is_alphabetic()));
    if text.split_whitespace().nth(1).is_none() {
        // For `Module::name` and `file.name`, the last component.
        let last = words.next_back().map(str::to_owned);
        return Vec::from_iter(last.map(|text| AskedName { text, is_all: true }));
    }
    let mut found: Vec<AskedName> = Vec::new();
    for word in words.by_ref() {
        let is_known = found.iter().any(|one| one.text == word);
        if !is_known && is_name(word) && !is_stop(word) {
            found.push(AskedName {
                text: word.to_owned(),
                is_all: false,
            });
        }
        if found.len() == NAMES {
            break;
        }
    }
    found
}

/// Returns true for `camelCase`, `snake_case`, or `Word`. The capital at the start of an English
/// sentence does no harm, because only defined names count.
fn is_name(word: &str) -> bool {
    let mut before: Option<char> = None;
    for c in word.chars() {
        let is_seam = before.is_some_and(|before| {
            (c.is_uppercase() && !before.is_uppercase() && before != '_')
                || (before == '_' && c.is_alphanumeric() && !word.starts_with('_'))
        });
        if is_seam {
            return true;
        }
        before = Some(c);
    }
    let mut chars = word.chars();
    let starts_upper = chars.next().is_some_and(char::is_uppercase);
    starts_upper && chars.clone().count() >= 3 && chars.all(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = names(text, |word| word == "How");
        let found: Vec<_> = found.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn names_are_written_as_in_code() {
        check(
            "How does parseHeaders call read_all",
            "parseHeaders read_all",
        );
        check("the Visitor of HTTP and IO", "Visitor");
        check("Sinatra::Base", "Base");
        check("distill", "distill");
        check("what 12 is", "");
        check("", "");
        assert!(names("retry", |_| false)[0].is_all);
    }
}
