//! The names in a question: words written as code writes them.

/// So many names of a question are looked up.
const NAMES: usize = 32;

/// A name that a question says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedName {
    /// As it is written.
    pub text: String,
    /// True if the question says nothing else.
    pub is_all: bool,
}

/// The names in `text`, each once; `is_stop` tells words that name nothing.
pub(super) fn names(text: &str, is_stop: impl Fn(&str) -> bool) -> Vec<AskedName> {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let mut words = text
        .split(|c: char| !is_part(c))
        .filter(|word| word.starts_with(|c: char| c == '_' || c.is_alphabetic()));
    if text.split_whitespace().nth(1).is_none() {
        // Of `Module::name` and `file.name`, the last.
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

/// `camelCase`, `snake_case`, or `Word`: an upper case letter at the start of an English
/// sentence does no harm, since only what is defined counts.
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
