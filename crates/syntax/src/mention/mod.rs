//! Finds the occurrences of a name in a text, and their roles by the syntax around them: a free
//! name, a member, the key of a value, or a local variable of a function. The crate `loom-program`
//! resolves them.

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

/// Occurrence of the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Byte range of the name.
    pub span: ByteSpan,
    /// Role of the name.
    pub role: Role,
    /// Text before it, such as `self.parser` in `self.parser.parse()`; for a key, the type of the
    /// value, if the text names it. Empty if it contains no words.
    pub qualifier: Option<String>,
    /// Type of the qualifier, if the text declares it: `Context` for `ctx.invoke` if `ctx: Context`
    /// is a parameter.
    pub receiver: Option<String>,
    /// True if the qualifier is a variable of a function, so that it is neither a module nor a
    /// type.
    pub is_of_variable: bool,
    /// Position of the binding, if a variable of a function has this name.
    pub bound_at: Option<usize>,
    /// True if it is also a key: `{ name }`.
    pub is_key: bool,
}

/// Role of an occurrence of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Name without a qualifier.
    Free,
    /// Parameter or variable of a function.
    Local,
    /// Member of its qualifier.
    Member,
    /// Key of a value, or name of an argument.
    Key,
}

/// Returns the occurrences of the name in a text, in their order, except in comments and strings.
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

/// Returns the structure of a text and the occurrences of the name, from a single parse.
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

/// Returns whether the text contains the name as a whole word, even in a comment.
pub fn has_name(text: &str, name: &str) -> bool {
    !whole_words(text, name).is_empty()
}

/// Returns the mention at a position, found without syntax.
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

/// Returns the positions of the name as a whole word.
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
