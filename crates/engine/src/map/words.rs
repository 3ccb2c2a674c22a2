//! Words of names and texts, and detection of code in a text.

use loom_search::words_of_run;

/// Splits a name or text into lower-case words: `parseURLFast`, `parse_url_fast` and
/// `parse url fast` have three. Skips single letters. In scripts without spaces, two adjacent
/// characters are a word, as in the search.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_next_small = rest.peek().is_some_and(|next| next.is_lowercase());
        let is_hump =
            c.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && is_next_small));
        if (is_hump || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            // The small letter of `İ` is an `i` and a mark, which is no part of a word.
            word.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
        }
        before = c;
    }
    words.push(word);
    let cut = words.iter().flat_map(|word| words_of_run(word));
    let cut = cut.filter(|word| word.chars().nth(1).is_some());
    cut.map(str::to_owned).collect()
}

/// Returns the distinct words of a text that look like code or paths, in order. Skips words of
/// plain language.
pub fn mentions(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, line) in text.split('`').enumerate() {
        // Text in backticks is code, even if a word looks plain.
        let is_code = at % 2 == 1 && !line.contains('\n') && line.len() < 120;
        // A call without arguments is a name: `client().send()`.
        let line = line.replace("()", "");
        for token in line.split(|c: char| !is_name(c) && !"./\\:-#>$".contains(c)) {
            let token = token.trim_matches(|c: char| !is_name(c));
            for one in [token].into_iter().chain(names_of(token)) {
                let is_one = looks_like_code(one) || (is_code && is_word(one));
                if is_one && !found.iter().any(|before| before == one) {
                    found.push(one.to_owned());
                }
            }
        }
    }
    found
}

fn names_of(token: &str) -> impl Iterator<Item = &str> {
    token
        .split(|c: char| !is_name(c))
        .filter(|one| !one.is_empty())
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_word(text: &str) -> bool {
    text.len() > 2 && text.chars().all(is_name)
}

/// Returns true if a word does not occur in plain language: `parse_url`, `parseUrl`, `src/url.py`,
/// `HTTPError`.
fn looks_like_code(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let is_long = letters.len() > 2;
    let has_hump = letters
        .windows(2)
        .any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    let has_inner = |mark: char| word.trim_matches(mark).contains(mark);
    let has_dot = word.split('.').filter(|part| part.len() > 1).count() > 1;
    let has_letter = letters.iter().any(|c| c.is_alphabetic());
    is_long && has_letter && (has_hump || has_inner('_') || has_inner('/') || has_dot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_have_words() {
        assert_eq!(words("parseURLFast"), ["parse", "url", "fast"]);
        assert_eq!(words("src/flask_app.py"), ["src", "flask", "app", "py"]);
        assert_eq!(words("İki"), ["iki"]);
        assert!(words("a b").is_empty());
        assert_eq!(
            words("解析请求 parseUrl"),
            ["解析", "析请", "请求", "parse", "url"]
        );
    }

    #[test]
    fn code_is_distinguished_from_prose() {
        let found = mentions(
            "The parser fails in src/url.py when `get` calls parse_url(x) or HttpClient.send. See it.",
        );
        assert_eq!(
            found,
            [
                "src/url.py",
                "get",
                "parse_url",
                "HttpClient.send",
                "HttpClient"
            ]
        );
    }
}
