//! The query language: what is looked for, where, and how parts are joined.
//!
//! Words stand for themselves, and all of them must be in a file. `"…"` is a phrase,
//! `/…/` a regular expression; `path:`, `lang:`, `sym:`, `def:`, `text:`, `regex:` and
//! `case:` say what a part is about; `-` before a part means without it, `or` between
//! parts means either, parentheses group.

mod error;
mod lex;
mod parse;

pub use error::QueryError;

use crate::pattern::{Case, Pattern, PatternKind};

/// The longest query that is read, 1 MiB: a list of words from a program, not more.
pub const MAX_QUERY: usize = 1 << 20;

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expr {
    /// All of them.
    And(Vec<Expr>),
    /// Any of them.
    Or(Vec<Expr>),
    /// Files in which it does not hold.
    Not(Box<Expr>),
    /// A line of the text matches.
    Text(Pattern),
    /// The path matches; a literal with `*`, `?`, `[` or `{` is a glob.
    Path(Pattern),
    /// The file is in this language.
    Language(String),
    /// The name of a symbol matches.
    Symbol(Pattern),
    /// The name of a symbol is this one, as a whole.
    Definition(Pattern),
}

/// A query that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// What must hold.
    pub expr: Expr,
}

/// What flags say about a query.
#[derive(Clone, Copy)]
pub struct QueryOptions<'a> {
    /// Which case patterns are in, where the query does not say.
    pub case: Case,
    /// Whether matches must be whole words.
    pub is_word: bool,
    /// The identifier of the language with this name, where there is one.
    pub language: &'a dyn Fn(&str) -> Option<String>,
}

impl Default for QueryOptions<'_> {
    fn default() -> Self {
        Self {
            case: Case::Sensitive,
            is_word: false,
            language: &|name| Some(name.to_lowercase()),
        }
    }
}

impl std::fmt::Debug for QueryOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { case, is_word, .. } = self;
        write!(f, "QueryOptions({case:?}, {is_word})")
    }
}

impl Query {
    /// Reads the query language.
    ///
    /// # Errors
    /// When it does not follow the language; the error says where.
    pub fn parse(text: &str, options: &QueryOptions<'_>) -> Result<Self, QueryError> {
        check_length(text)?;
        parse::parse(text, options)
    }

    /// Takes all of `text` as one regular expression.
    ///
    /// # Errors
    /// When it is too long. What the expression gets wrong is found when it is compiled.
    pub fn regex(text: &str, options: &QueryOptions<'_>) -> Result<Self, QueryError> {
        Self::whole(text, PatternKind::Regex, options)
    }

    /// Takes all of `text` as it is.
    ///
    /// # Errors
    /// When it is too long.
    pub fn literal(text: &str, options: &QueryOptions<'_>) -> Result<Self, QueryError> {
        Self::whole(text, PatternKind::Literal, options)
    }

    /// The same, of files for which `filter` holds too.
    #[must_use]
    pub fn within(self, filter: Expr) -> Self {
        Self {
            expr: Expr::And(vec![self.expr, filter]),
        }
    }

    fn whole(
        text: &str,
        kind: PatternKind,
        options: &QueryOptions<'_>,
    ) -> Result<Self, QueryError> {
        check_length(text)?;
        let expr = Expr::Text(Pattern {
            text: text.to_owned(),
            kind,
            case: options.case,
            is_word: options.is_word,
        });
        Ok(Self { expr })
    }
}

fn check_length(text: &str) -> Result<(), QueryError> {
    match text.len() <= MAX_QUERY {
        true => Ok(()),
        false => Err(QueryError::new(
            MAX_QUERY..text.len(),
            format!("a query has at most 1 MiB, this has {} bytes", text.len()),
        )),
    }
}
