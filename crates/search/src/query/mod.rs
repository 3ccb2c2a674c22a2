//! The query language: words, fields and operators.
//!
//! Words are literal, and a file must contain all of them. `"…"` is a phrase, `/…/` a regular
//! expression; `path:`, `lang:`, `sym:`, `def:`, `text:`, `regex:` and `case:` name the field of a
//! part; `-` negates a part, `or` joins alternatives, parentheses group.

mod lex;
mod parse;

use crate::globs::Globs;
use crate::pattern::{Case, Pattern, PatternKind};
use crate::query_error::QueryError;

/// Maximum length of a query: 1 MiB, for a list of words from a program.
pub const MAX_QUERY: usize = 1 << 20;

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expr {
    /// All of them.
    And(Vec<Expr>),
    /// Any of them.
    Or(Vec<Expr>),
    /// Negation.
    Not(Box<Expr>),
    /// A line of the text matches.
    Text(Pattern),
    /// The path matches; a literal with `*`, `?`, `[` or `{` is a glob.
    Path(Pattern),
    /// The globs include the path.
    Globs(Globs),
    /// The file is in this language.
    Language(String),
    /// The name of a symbol matches.
    Symbol(Pattern),
    /// A symbol has exactly this name.
    Definition(Pattern),
}

/// A parsed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The condition.
    pub expr: Expr,
}

impl Query {
    /// Returns true if the query searches lines, not only files.
    pub fn shows_lines(&self) -> bool {
        fn of(expr: &Expr) -> bool {
            match expr {
                Expr::And(parts) | Expr::Or(parts) => parts.iter().any(of),
                Expr::Text(_) | Expr::Symbol(_) | Expr::Definition(_) => true,
                Expr::Not(_) | Expr::Path(_) | Expr::Globs(_) | Expr::Language(_) => false,
            }
        }
        of(&self.expr)
    }

    /// Returns the size of its patterns in bytes.
    pub fn bytes(&self) -> usize {
        fn of(expr: &Expr) -> usize {
            match expr {
                Expr::And(parts) | Expr::Or(parts) => parts.iter().map(of).sum(),
                Expr::Not(part) => of(part),
                Expr::Language(name) => name.len(),
                Expr::Globs(globs) => globs.bytes(),
                Expr::Text(one) | Expr::Path(one) | Expr::Symbol(one) | Expr::Definition(one) => {
                    one.text.len()
                }
            }
        }
        of(&self.expr)
    }
}

/// Options for parsing a query.
#[derive(Clone, Copy)]
pub struct QueryOptions<'a> {
    /// Default case sensitivity, unless the query sets it.
    pub case: Case,
    /// True if matches must consist of whole words.
    pub is_word: bool,
    /// Returns the identifier of the language with a name, if there is one.
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
    /// Parses the query language.
    ///
    /// # Errors
    /// If the syntax is invalid; the error has the position.
    pub fn parse(text: &str, options: &QueryOptions<'_>) -> Result<Self, QueryError> {
        check_length(text)?;
        parse::parse(text, options)
    }

    /// Creates a query from `text` as one regular expression.
    ///
    /// # Errors
    /// If it is too long. Compiling the query finds errors in the expression.
    pub fn regex(text: &str, options: &QueryOptions<'_>) -> Result<Self, QueryError> {
        Self::whole(text, PatternKind::Regex, options)
    }

    /// Creates a query from `text` as a literal.
    ///
    /// # Errors
    /// If it is too long.
    pub fn literal(text: &str, options: &QueryOptions<'_>) -> Result<Self, QueryError> {
        Self::whole(text, PatternKind::Literal, options)
    }

    /// Creates a query from the lines of `text`, each a pattern of this kind; any of them may
    /// match.
    ///
    /// # Errors
    /// If it is too long, or a pattern is invalid; the error has the position.
    pub fn any_line(
        text: &str,
        kind: PatternKind,
        options: &QueryOptions<'_>,
    ) -> Result<Self, QueryError> {
        check_length(text)?;
        let (mut joined, mut start) = (Vec::new(), 0);
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let line = line.strip_suffix('\n').unwrap_or(line);
            let pattern = Pattern {
                text: line.strip_suffix('\r').unwrap_or(line).to_owned(),
                kind,
                case: options.case,
                is_word: options.is_word,
            };
            pattern.check().map_err(|error| {
                let at = error.at.unwrap_or(0..line.len());
                let message = format!("line {}: {}", number + 1, error.message);
                QueryError::new(start + at.start..start + at.end, message)
            })?;
            joined.push(pattern.alternative());
            start += line.len() + 1;
        }
        if joined.is_empty() {
            let expr = Expr::Or(Vec::new());
            return Ok(Self { expr });
        }
        Self::one(joined.join("|"), PatternKind::Regex, options)
    }

    /// Restricts the query to files that match `filter`, too.
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
        Self::one(text.to_owned(), kind, options)
    }

    fn one(
        text: String,
        kind: PatternKind,
        options: &QueryOptions<'_>,
    ) -> Result<Self, QueryError> {
        let expr = Expr::Text(Pattern {
            text,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Program};

    fn any_line(text: &str, kind: PatternKind) -> Result<Query, QueryError> {
        Query::any_line(text, kind, &QueryOptions::default())
    }

    fn check(patterns: &str, kind: PatternKind, expected: &[usize]) {
        let query = any_line(patterns, kind).unwrap();
        let text = b"a.c\nabc\nA|B\n\n(x)\n";
        let document = Document::new(b"a", None, text);
        let found = Program::new(&query).unwrap().run(&document, usize::MAX);
        let lines: Vec<_> = found.unwrap_or_default().lines;
        let lines: Vec<usize> = lines.iter().map(|line| line.line).collect();
        assert_eq!(lines, expected, "{patterns:?}");
    }

    #[test]
    fn any_line_may_match() {
        use PatternKind::{Literal, Regex};
        check("a.c\n(x)", Literal, &[1, 5]);
        check("a.c\r\n\\(x\r\n", Regex, &[1, 2, 5]);
        check("(?i)a\\|b\nX", Regex, &[3]);
        check("(?-i)a|zz\nx", Regex, &[1, 2, 5]);
        check("zz\n\n", Literal, &[1, 2, 3, 4, 5]);
        check("", Literal, &[]);
        check("A|B", Literal, &[3]);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = any_line("ok\na(b\nc", PatternKind::Regex).unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
        assert_eq!(error.at().start, 4);
    }

    #[test]
    fn long_lists_of_patterns_match() {
        let words: String = (0..60_000).map(|number| format!("w{number}.x\n")).collect();
        let query = any_line(&words, PatternKind::Literal).unwrap();
        let document = Document::new(b"a", None, b"w1_x\nw59999.x\n");
        let found = Program::new(&query)
            .unwrap()
            .run(&document, usize::MAX)
            .unwrap();
        assert_eq!(found.lines[0].line, 2);
    }
}
