//! A key that is sent and never shown.

use loom_secrets::Redacted;

/// The user's key for a provider.
#[derive(Debug)]
pub(crate) struct Key(Redacted<String>);

impl Key {
    /// `None` where a header cannot carry it.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(Redacted::new(text.to_owned())))
    }

    /// The key itself, for the header alone.
    pub(crate) fn secret(&self) -> &str {
        self.0.expose()
    }

    /// A message from outside, in which the key may be quoted, without it.
    pub(crate) fn hide(&self, message: &str) -> String {
        let hidden = message.replace(self.0.expose(), "(the key)");
        hidden.chars().take(SHOWN).collect()
    }
}

/// The characters of a message from outside that are shown.
const SHOWN: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_never_shown() {
        let key = Key::new(" sk-secret\n").unwrap();
        assert_eq!(key.secret(), "sk-secret");
        assert_eq!(key.hide("wrong: sk-secret!"), "wrong: (the key)!");
        assert!(!format!("{key:?}").contains("secret"));
        assert!(Key::new("two words").is_none() && Key::new("").is_none());
    }
}
