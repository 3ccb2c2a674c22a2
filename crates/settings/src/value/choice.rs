//! One of several words. A type of this kind is one use of `choices!`.

/// Word that a setting accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Choice {
    /// The word.
    pub name: &'static str,
    pub(crate) doc: &'static str,
}

impl Choice {
    pub(crate) const fn new(name: &'static str, doc: &'static str) -> Self {
        Self { name, doc }
    }

    /// Returns its meaning, without the final full stop.
    pub fn summary(&self) -> &'static str {
        self.doc.trim().trim_end_matches('.')
    }
}

/// Declares an enum whose variants are words that a setting accepts. Each variant has a comment of
/// one line.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $type:ident {
            $( #[doc = $doc:literal] $variant:ident = $name:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $type {
            $( #[doc = $doc] $variant, )+
        }

        impl $type {
            const CHOICES: &'static [$crate::Choice] =
                &[$($crate::Choice::new($name, $doc)),+];

            /// Returns the word.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $name, )+
                }
            }
        }

        impl $crate::value::Value for $type {
            const SHAPE: $crate::Shape = $crate::Shape::Choice(Self::CHOICES);

            fn from_text(text: &str) -> Result<Self, $crate::value::InvalidValue> {
                match text {
                    $( $name => Ok(Self::$variant), )+
                    _ => Err($crate::value::no_choice(Self::CHOICES, text)),
                }
            }

            fn from_toml(value: &toml_edit::Value) -> Result<Self, $crate::value::InvalidValue> {
                match value.as_str() {
                    Some(text) => Self::from_text(text),
                    None => Err($crate::value::InvalidValue::toml(
                        $crate::value::one_of(Self::CHOICES),
                        value,
                    )),
                }
            }

            fn show(&self) -> String {
                self.name().to_owned()
            }

            fn to_toml(&self) -> toml_edit::Value {
                self.name().into()
            }

            fn schema() -> serde_json::Value {
                serde_json::json!({ "enum": [$($name),+] })
            }
        }
    };
}

pub(crate) use choices;

use super::InvalidValue;
use crate::nearest::nearest;
use crate::quote::quoted;

/// Returns the error for an unknown word.
pub(crate) fn no_choice(choices: &[Choice], found: &str) -> InvalidValue {
    let names = choices.iter().map(|choice| choice.name);
    InvalidValue {
        nearest: nearest(found, names).map(ToOwned::to_owned),
        ..InvalidValue::new(one_of(choices), quoted(found))
    }
}

/// Lists the choices in words: `xml, markdown or json`.
pub(crate) fn one_of(choices: &[Choice]) -> String {
    let names: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}
