//! Splits a query into parentheses, `or`, and words with their prefixes.

use std::ops::Range;

use crate::query_error::QueryError;

/// A token of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open,
    Close,
    Or,
    /// `-` before a part.
    Not,
    Word(Word),
}

/// A value with its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) field: Option<Field>,
    pub(super) value: String,
    pub(super) form: ValueForm,
    /// Byte range of the value.
    pub(super) value_at: Range<usize>,
}

/// Syntax of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueForm {
    Bare,
    Quoted,
    /// Between slashes.
    Regex,
}

/// Subject of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Path,
    Language,
    Symbol,
    Definition,
    Case,
    Text,
    Regex,
}

impl Field {
    const NAMES: &[(&str, Self)] = &[
        ("path", Self::Path),
        ("file", Self::Path),
        ("f", Self::Path),
        ("lang", Self::Language),
        ("language", Self::Language),
        ("l", Self::Language),
        ("sym", Self::Symbol),
        ("symbol", Self::Symbol),
        ("def", Self::Definition),
        ("definition", Self::Definition),
        ("case", Self::Case),
        ("text", Self::Text),
        ("content", Self::Text),
        ("regex", Self::Regex),
        ("re", Self::Regex),
    ];

    /// Parses the field at the start of `text`. Returns it with the length of its name and colon.
    fn at_start(text: &str) -> Option<(Self, usize)> {
        // Searches no further than the longest name, because a query can be long.
        let colon = text.bytes().take(16).position(|byte| byte == b':')?;
        // `std::vec` is text.
        if text[colon + 1..].starts_with(':') {
            return None;
        }
        let found = Self::NAMES.iter().find(|(name, _)| *name == &text[..colon]);
        found.map(|(_, field)| (*field, colon + 1))
    }
}

/// Maximum number of parts, each of which is matched against every file; use an expression with `|`
/// for more.
const PARTS: usize = 200;
/// Maximum number of parts and operators.
const TOKENS: usize = 10 * PARTS;

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, QueryError> {
    let mut lexer = Lexer {
        text,
        at: 0,
        depth: 0,
        parts: 0,
        tokens: Vec::new(),
    };
    while lexer.step()? {
        if lexer.parts > PARTS || lexer.tokens.len() > TOKENS {
            let last = lexer.tokens.last().map_or(0..0, |token| token.at.clone());
            let message = format!("a query has at most {PARTS} parts");
            return Err(QueryError::new(last, message)
                .with_hint("use one expression for many words: /one|two|three/"));
        }
    }
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Number of open groups.
    depth: usize,
    /// Number of words so far.
    parts: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let at = self.at..self.at + length;
        self.at = at.end;
        self.parts += usize::from(matches!(kind, TokenKind::Word(_)));
        self.tokens.push(Token { kind, at });
    }

    /// Reads one token; returns false at the end.
    fn step(&mut self) -> Result<bool, QueryError> {
        let space = self.rest().len() - self.rest().trim_start().len();
        self.at += space;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(false);
        };
        match first {
            '(' => {
                self.depth += 1;
                self.push(TokenKind::Open, 1);
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.push(TokenKind::Close, 1);
            }
            '-' if negates(&rest[1..]) => self.push(TokenKind::Not, 1),
            _ => self.word()?,
        }
        Ok(true)
    }

    fn word(&mut self) -> Result<(), QueryError> {
        let start = self.at;
        let field = Field::at_start(self.rest());
        let value_start = start + field.map_or(0, |(_, length)| length);
        let (value, form, end) = self.value(value_start)?;
        let is_or = field.is_none() && form == ValueForm::Bare && (value == "or" || value == "OR");
        let kind = match is_or {
            true => TokenKind::Or,
            false => TokenKind::Word(Word {
                field: field.map(|(field, _)| field),
                value,
                form,
                value_at: value_start..end,
            }),
        };
        self.push(kind, end - start);
        Ok(())
    }

    /// Returns the value at `start`, and its end.
    fn value(&self, start: usize) -> Result<(String, ValueForm, usize), QueryError> {
        let rest = &self.text[start..];
        if rest.starts_with('"') {
            let (value, length) = quoted(rest).ok_or_else(|| {
                QueryError::new(start..self.text.len(), "no closing quote").with_hint(
                    "\\\" is a quote inside quotes; -F searches for the whole query literally",
                )
            })?;
            return Ok((value, ValueForm::Quoted, start + length));
        }
        if let Some((value, length)) = slashed(rest) {
            return Ok((value, ValueForm::Regex, start + length));
        }
        let length = word_length(rest, self.depth);
        Ok((rest[..length].to_owned(), ValueForm::Bare, start + length))
    }
}

/// Returns true if a `-` before this negates: `->`, `--all` and a single `-` are text.
fn negates(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '(' | '/' | '_'))
}

/// Returns a quoted text, and its length with the quotes.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, at + 1)),
            '\\' => match chars.next()? {
                (_, escaped @ ('"' | '\\')) => value.push(escaped),
                (_, other) => value.extend(['\\', other]),
            },
            c => value.push(c),
        }
    }
    None
}

/// Parses an expression between slashes. The second slash must end the word, so that a path does
/// not match.
fn slashed(text: &str) -> Option<(String, usize)> {
    let inside = text.strip_prefix('/')?;
    let mut value = String::new();
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '/' => {
                let behind = inside[at + 1..].chars().next();
                let ends = behind.is_none_or(|c| c.is_whitespace() || c == ')');
                return (ends && at > 0).then_some((value, at + 2));
            }
            '\\' => match chars.next()? {
                (_, '/') => value.push('/'),
                (_, other) => value.extend(['\\', other]),
            },
            c => value.push(c),
        }
    }
    None
}

/// Returns the length of a word: up to the next space, or to a parenthesis that closes a group.
fn word_length(text: &str, depth: usize) -> usize {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            c if c.is_whitespace() => return at,
            '(' => open += 1,
            ')' if open > 0 => open -= 1,
            ')' if depth > 0 => return at,
            _ => {}
        }
    }
    text.len()
}
