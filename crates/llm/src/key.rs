//! An API key that is sent but never printed.

use loom_secrets::Redacted;

/// The user's key for a provider.
#[derive(Debug)]
pub(crate) struct Key(Redacted<String>);

impl Key {
    /// Returns `None` if a header cannot carry the text.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(Redacted::new(text.to_owned())))
    }

    /// Returns the key itself, only for the header.
    pub(crate) fn secret(&self) -> &str {
        self.0.expose()
    }

    /// Removes the key from a message of a provider, which may quote it.
    pub(crate) fn hide(&self, message: &str) -> String {
        let hidden = message.replace(self.0.expose(), "(the key)");
        hidden.chars().take(SHOWN).collect()
    }
}

/// Maximum characters of a provider's message that are printed.
const SHOWN: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_never_printed() {
        let key = Key::new(" sk-secret\n").unwrap();
        assert_eq!(key.secret(), "sk-secret");
        assert_eq!(key.hide("wrong: sk-secret!"), "wrong: (the key)!");
        assert!(!format!("{key:?}").contains("secret"));
        assert!(Key::new("two words").is_none() && Key::new("").is_none());
    }
}
