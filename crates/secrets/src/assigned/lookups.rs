//! Defaults of environment variables in source code: `os.getenv("NAME", "…")`,
//! `process.env.NAME || "…"`, `ENV["NAME"] || "…"`.

use std::ops::Range;

use super::Cursor;
use super::operators::Operator;
use super::strings::QUOTES;

/// Maximum distance from the name back to the start of the function that looks it up.
const BACK: usize = 40;

/// Returns true if the name at `name` is looked up in the environment.
pub(crate) fn is_environment(bytes: &[u8], name: &Range<usize>) -> bool {
    let word = &bytes[name.clone()];
    let dot = memchr::memrchr(b'.', word);
    let (owner, word) = dot.map_or((&b""[..], word), |dot| (&word[..dot], &word[dot + 1..]));
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    if word.len() < 3 || !word.iter().all(is_upper) {
        return false;
    }
    if !owner.is_empty() {
        return owner == b"env" || owner.ends_with(b".env") || owner.ends_with(b"$env");
    }
    let before = &bytes[name.start.saturating_sub(BACK)..name.start];
    let Some((quote, before)) = before.split_last() else {
        return false;
    };
    let Some((b'(' | b'[', before)) = before.split_last() else {
        return false;
    };
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:".contains(byte);
    let length = before.iter().rev().take_while(is_part).count();
    let callee = before[before.len() - length..].to_ascii_lowercase();
    QUOTES.contains(quote) && memchr::memmem::find(&callee, b"env").is_some()
}

impl Cursor<'_> {
    /// Matches `|| "…"`, `or "…"` after a name that is looked up in the environment.
    pub(super) fn fallback_of_lookup(&mut self, name: &Range<usize>) -> Option<Operator> {
        let signs = [&b"|| "[..], b"?? ", b"?: ", b"or "];
        let sign = signs.into_iter().find(|sign| self.starts_with(sign))?;
        let quote = self.bytes.get(self.at + sign.len())?;
        if !QUOTES.contains(quote) || !is_environment(self.bytes, name) {
            return None;
        }
        self.at += sign.len();
        Some(Operator::Assigns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_environment_variables() {
        for (text, name, expected) in [
            ("os.getenv('DB_PASSWORD', 'x')", "DB_PASSWORD", true),
            ("os.environ.get(\"TOKEN\")", "TOKEN", true),
            ("ENV['TOKEN']", "TOKEN", true),
            ("std::env::var(\"TOKEN\")", "TOKEN", true),
            ("process.env.TOKEN", "process.env.TOKEN", true),
            ("process.env.token", "process.env.token", false),
            ("put('TOKEN', 'x')", "TOKEN", false),
            ("TOKEN || 'x'", "TOKEN", false),
        ] {
            let start = text.find(name).unwrap();
            let found = is_environment(text.as_bytes(), &(start..start + name.len()));
            assert_eq!(found, expected, "{text}");
        }
    }
}
