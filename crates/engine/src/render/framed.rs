//! A formatted file. Unchanged contents are borrowed: only the text around them is built.

use std::borrow::Cow;

/// Text before the contents, the contents, and text after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framed<'t> {
    /// Text before the contents.
    pub before: String,
    /// Contents: borrowed if unchanged, so that their tokens need not be counted again.
    pub text: Cow<'t, str>,
    /// Text after the contents.
    pub after: String,
}

impl<'t> Framed<'t> {
    /// Frames unchanged contents.
    pub(super) fn verbatim(before: String, text: &'t str, after: impl Into<String>) -> Self {
        Self {
            before,
            text: Cow::Borrowed(text),
            after: after.into(),
        }
    }

    /// Returns a whole text whose contents had to be changed.
    pub(super) fn altered(whole: String) -> Self {
        Self {
            before: whole,
            text: Cow::Owned(String::new()),
            after: String::new(),
        }
    }

    /// Returns true if the contents are unchanged.
    pub fn is_verbatim(&self) -> bool {
        matches!(self.text, Cow::Borrowed(_))
    }

    /// Appends all parts.
    pub fn push_to(&self, out: &mut String) {
        out.extend([&*self.before, &*self.text, &*self.after]);
    }
}
