//! The places of a text that have a name, and what each of them can be by the syntax
//! around it: a name by itself, a member of something, the key of a value, or a variable
//! that a function has for itself. What the others mean is told by [`crate::Program`].

#[cfg(feature = "grammars")]
mod bind;
#[cfg(feature = "grammars")]
mod path;
mod qualify;
#[cfg(feature = "grammars")]
mod receiver;
#[cfg(feature = "grammars")]
mod tables;
#[cfg(feature = "grammars")]
mod tree;

use loom_base::ByteSpan;

use crate::{Language, Limits, Structure, extract};

#[cfg(feature = "grammars")]
use crate::extract::refusal;
#[cfg(feature = "grammars")]
use crate::parser;

/// A place that has the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Where the name stands.
    pub span: ByteSpan,
    /// What it is there.
    pub role: Role,
    /// What stands before it, such as `self.parser` in `self.parser.parse()`; of a key
    /// the type of the value, where it is named. Empty where it has no words.
    pub qualifier: Option<String>,
    /// The type that the text gives to what stands before it: `Context` where `ctx:
    /// Context` is a parameter and the place is `ctx.invoke`.
    pub receiver: Option<String>,
    /// Whether what stands before it is a variable of a function, so that it is no module
    /// and no type.
    pub is_of_variable: bool,
    /// Where the variable is bound that a function has under this name.
    pub bound_at: Option<usize>,
    /// Whether it is a key too: `{ name }`.
    pub is_key: bool,
}

/// What a name is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It stands by itself.
    Free,
    /// A parameter or variable of a function has the name.
    Local,
    /// It is a member of what stands before it.
    Member,
    /// It is a key of a value, or names an argument.
    Key,
}

/// The places of a text that have the name, in their order. Comments and strings have
/// none.
pub fn mentions(language: Language, text: &str, name: &str, limits: &Limits) -> Vec<Mention> {
    let places = whole_words(text, name);
    if places.is_empty() {
        return Vec::new();
    }
    #[cfg(feature = "grammars")]
    if let Some(found) = parser::with_bare_tree(language.id(), text, limits, |root, id| {
        tree::mentions(root, id, text, name, &places)
    }) {
        return found;
    }
    let _ = (language, limits);
    places.iter().map(|at| by_text(text, *at, name)).collect()
}

/// What a text holds, and its places that have the name: it is parsed once for both.
pub fn extract_naming(
    language: Language,
    text: &str,
    name: &str,
    limits: &Limits,
) -> (Structure, Vec<Mention>) {
    let places = whole_words(text, name);
    #[cfg(feature = "grammars")]
    if !places.is_empty()
        && refusal(language.id(), text, limits).is_none()
        && let Some(found) = parser::structure_with(language.id(), text, limits, |root, id| {
            tree::mentions(root, id, text, name, &places)
        })
    {
        return found;
    }
    let structure = extract(language, text, limits);
    match places.is_empty() {
        true => (structure, Vec::new()),
        false => (structure, mentions(language, text, name, limits)),
    }
}

/// Whether the name stands by itself anywhere in the text, be it in a comment.
pub fn has_name(text: &str, name: &str) -> bool {
    !whole_words(text, name).is_empty()
}

/// What the text alone says.
fn by_text(text: &str, at: usize, name: &str) -> Mention {
    let qualifier = qualify::before(text, at);
    let role = match qualifier {
        Some(_) => Role::Member,
        None => Role::Free,
    };
    Mention {
        span: ByteSpan::new(at, at + name.len()),
        role,
        qualifier,
        receiver: None,
        is_of_variable: false,
        bound_at: None,
        is_key: false,
    }
}

/// Where the name stands by itself in the text.
fn whole_words(text: &str, name: &str) -> Vec<usize> {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let is_alone = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(|c| c == '$' || is_part(c))
    };
    let all = text.match_indices(name).map(|(at, _)| at);
    match name.is_empty() {
        true => Vec::new(),
        false => all.filter(is_alone).collect(),
    }
}

#[cfg(test)]
#[cfg(feature = "grammars")]
mod tests;
