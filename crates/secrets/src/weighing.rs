//! How much speaks for a value that is given to a name: what the name promises, what
//! the value looks like, how it is written and where. Each adds or takes points; the
//! sum is at most 79: for more, another engine has to agree.

use crate::assigned::Form;
use crate::names::Promise;
use crate::place::{Place, Purpose, Syntax};
use crate::value::Nature;

/// Everything that is known about a value.
pub(crate) struct Evidence<'a> {
    pub(crate) promise: Promise,
    pub(crate) nature: Nature,
    pub(crate) form: Form,
    /// Whether the name of an authorization scheme stands before it.
    pub(crate) has_scheme: bool,
    pub(crate) place: Place,
    pub(crate) found: &'a [u8],
}

impl Evidence<'_> {
    /// The sum; `None` when something rules a secret out.
    pub(crate) fn points(&self) -> Option<i32> {
        let sum = self.looks()? + self.named() + self.written()? + self.purpose()?;
        // Alone, a name is never sure.
        Some(sum.min(79))
    }

    fn looks(&self) -> Option<i32> {
        Some(match (self.nature, self.promise) {
            (Nature::Nothing | Nature::Placeholder | Nature::Reference, _) => return None,
            (Nature::Drawn, Promise::Key | Promise::Salt) if self.found.len() < 20 => 30,
            (Nature::Drawn, Promise::Key | Promise::Salt) => 45,
            (Nature::Drawn, _) => 42,
            (Nature::Uuid, Promise::Password | Promise::Credential) => 20,
            (Nature::Uuid, Promise::Key | Promise::Auth | Promise::Salt) => 5,
            (Nature::Uuid, _) => 30,
            (Nature::MadeUp, Promise::Password) => 25,
            (Nature::MadeUp, Promise::Key | Promise::Salt | Promise::Auth) => -5,
            (Nature::MadeUp, _) if self.found.len() < 6 => -10,
            (Nature::MadeUp, _) => 15,
            (Nature::Number, Promise::Password) => 15,
            (Nature::Number, _) => -20,
            (Nature::Word, Promise::Password) => 10,
            (Nature::Word, Promise::Secret) => -15,
            (Nature::Name, Promise::Password) => -8,
            (Nature::Name, Promise::Secret) => -22,
            (Nature::Word | Nature::Name, _) => -30,
            // Two words may be a pass phrase; more are a text.
            (Nature::Sentence, Promise::Password) if is_two_words(self.found) => -10,
            (Nature::Sentence | Nature::Address, _) => return None,
        })
    }

    fn named(&self) -> i32 {
        match self.promise {
            Promise::Password => 38,
            Promise::Secret | Promise::ApiKey => 34,
            Promise::Token => 30,
            Promise::Credential => 26,
            Promise::Auth if self.has_scheme => 34,
            Promise::Auth => 12,
            Promise::Key | Promise::Salt => 5,
        }
    }

    fn written(&self) -> Option<i32> {
        Some(match (self.form, self.nature) {
            (Form::Quoted, _) => 8,
            (Form::Wrapped | Form::Spaced, Nature::Word | Nature::Name) => return None,
            (Form::Spaced, _) => 4,
            (Form::Wrapped, _) => -8,
            (Form::Listed, Nature::Drawn) => -4,
            (Form::Listed, _) => return None,
            (Form::Compared, _) => -5,
            (Form::Bare | Form::Loose | Form::Tight, Nature::Sentence) => return None,
            (Form::Bare, Nature::Word | Nature::Name) if self.place.syntax == Syntax::Prose => -25,
            (Form::Bare, _) if self.place.syntax == Syntax::Prose => -10,
            (Form::Bare | Form::Tight, _) => 2,
            (Form::Loose, Nature::Drawn) => -4,
            (Form::Loose, _) if self.has_scheme => -4,
            (Form::Loose, _) => return None,
        })
    }

    fn purpose(&self) -> Option<i32> {
        Some(match (self.place.purpose, self.nature) {
            (Purpose::Plain, _) => 0,
            (Purpose::Keeper, _) => 10,
            (Purpose::Translation, Nature::Word | Nature::Name) => return None,
            (_, Nature::Drawn) => -5,
            (Purpose::Test, Nature::MadeUp) => -20,
            (Purpose::Test, _) => -24,
            (Purpose::Example | Purpose::Translation, _) => -18,
        })
    }
}

fn is_two_words(found: &[u8]) -> bool {
    let mut words = found.split(|byte| *byte == b' ');
    let is_word = |word: Option<&[u8]>| {
        word.is_some_and(|word| word.len() > 2 && word.iter().all(u8::is_ascii_lowercase))
    };
    is_word(words.next()) && is_word(words.next()) && words.next().is_none()
}
