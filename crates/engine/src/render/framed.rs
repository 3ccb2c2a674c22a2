//! A file as a format writes it. Contents that stand as they are stay where they
//! are: only what is around them is made.

use std::borrow::Cow;

/// What stands before the contents, the contents, and what stands after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framed<'t> {
    /// The heading.
    pub before: String,
    /// The contents: borrowed where they stand unchanged, so that their tokens need
    /// not be counted again.
    pub text: Cow<'t, str>,
    /// The end.
    pub after: String,
}

impl<'t> Framed<'t> {
    /// Contents that stand unchanged.
    pub(super) fn verbatim(before: String, text: &'t str, after: impl Into<String>) -> Self {
        Self {
            before,
            text: Cow::Borrowed(text),
            after: after.into(),
        }
    }

    /// All in one, where contents had to be written differently.
    pub(super) fn altered(whole: String) -> Self {
        Self {
            before: whole,
            text: Cow::Owned(String::new()),
            after: String::new(),
        }
    }

    /// Returns true if the contents stand unchanged.
    pub fn is_verbatim(&self) -> bool {
        matches!(self.text, Cow::Borrowed(_))
    }

    /// Appends all of it.
    pub fn push_to(&self, out: &mut String) {
        out.extend([&*self.before, &*self.text, &*self.after]);
    }
}
