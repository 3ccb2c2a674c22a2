//! A pattern of a user, and its syntax. The rules are ripgrep's, because its engine compiles the
//! patterns: it matches one line at a time, `^` and `$` match the ends of the line, and a pattern
//! that requires a newline is rejected.

use std::ops::Range;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_syntax::hir::Hir;

use crate::line_matcher::LineMatcher;

/// Maximum size of a compiled pattern: 10 MiB, the default of the `regex` crate. With ten times
/// more, matching one long line would take minutes.
pub(crate) const SIZE: usize = 10 << 20;
/// Memory per thread for the automaton that is built while matching.
const DFA_SIZE: usize = 32 << 20;
/// Maximum number of operators in an expression. Parsing each takes time and memory that the size
/// of the compiled expression does not show: half a million `\w` take gigabytes.
const SIGNS: usize = 5_000;
/// Number of alternatives that cost as much as one other operator.
const ALTERNATIVES: usize = 50;
/// Maximum cost of a case-insensitive expression, in which each letter has several forms.
const ANY_CASE: usize = 100_000;
/// Maximum nesting of groups, the same as ripgrep's.
const NESTED: u32 = 250;

/// Case sensitivity of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// Case-sensitive.
    #[default]
    Sensitive,
    /// Case-insensitive.
    Insensitive,
    /// Case-sensitive if the pattern contains a capital.
    Smart,
}

/// Syntax of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatternKind {
    /// Every character is literal.
    Literal,
    /// A regular expression.
    Regex,
}

/// A pattern to search in a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The text of the pattern.
    pub text: String,
    /// Its syntax.
    pub kind: PatternKind,
    /// Its case sensitivity.
    pub case: Case,
    /// True if a match must consist of whole words.
    pub is_word: bool,
}

/// An invalid pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    pub(crate) message: String,
    /// Byte range in the pattern; `None` for the whole pattern.
    pub(crate) at: Option<Range<usize>>,
}

impl Pattern {
    /// Creates a case-sensitive literal.
    pub fn literal(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: PatternKind::Literal,
            case: Case::Sensitive,
            is_word: false,
        }
    }

    /// Returns the pattern as an expression in the syntax of `regex`.
    pub(crate) fn source(&self) -> String {
        match self.kind {
            PatternKind::Literal => regex_syntax::escape(&self.text),
            PatternKind::Regex => self.text.clone(),
        }
    }

    #[cfg(test)]
    pub(crate) fn compile(&self) -> Result<LineMatcher, PatternError> {
        self.compile_within(SIZE)
    }

    /// Compiles the pattern within `room` bytes.
    pub(crate) fn compile_within(&self, room: usize) -> Result<LineMatcher, PatternError> {
        self.check()?;
        let built = self.builder().size_limit(room).build(&self.text);
        let matcher: RegexMatcher = built.map_err(|error| PatternError {
            message: one_line(&error.to_string()),
            at: None,
        })?;
        Ok(LineMatcher::new(matcher))
    }

    fn builder(&self) -> RegexMatcherBuilder {
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .unicode(true)
            .octal(false)
            .fixed_strings(self.kind == PatternKind::Literal)
            .word(self.is_word)
            .line_terminator(Some(b'\n'))
            .nest_limit(NESTED)
            .dfa_size_limit(DFA_SIZE)
            .case_insensitive(self.case == Case::Insensitive)
            .case_smart(self.case == Case::Smart);
        builder
    }

    /// Checks only the syntax, for an error with a position.
    pub(crate) fn check(&self) -> Result<(), PatternError> {
        self.parsed().map(|_| ())
    }

    /// Returns the pattern as an alternative that can be joined with `|`.
    pub(crate) fn alternative(&self) -> String {
        let source = self.source();
        // Flags inside a group would also apply to the patterns after it.
        match self.kind == PatternKind::Regex && source.contains("(?") {
            true => format!("(?:{source})"),
            false => source,
        }
    }

    /// Returns true if parsing would take too long.
    fn is_heavy(&self) -> bool {
        let cost = match self.kind {
            PatternKind::Literal => 0,
            PatternKind::Regex => cost(self.text.as_bytes()),
        };
        cost > SIGNS * ALTERNATIVES || (self.case != Case::Sensitive && self.text.len() > ANY_CASE)
    }

    /// Parses the expression, without word boundaries.
    pub(crate) fn parsed(&self) -> Result<Hir, PatternError> {
        if self.is_heavy() {
            return Err(PatternError {
                message: format!(
                    "it asks for too much: at most {SIGNS} signs that are no plain text, and {} \
                     alternatives; in any case, {ANY_CASE} bytes",
                    SIGNS * ALTERNATIVES
                ),
                at: None,
            });
        }
        let is_insensitive = match self.case {
            Case::Sensitive => false,
            Case::Insensitive => true,
            // The plan may select too many texts; the caller verifies each match.
            Case::Smart => true,
        };
        regex_syntax::ParserBuilder::new()
            .multi_line(true)
            .unicode(true)
            .utf8(false)
            .octal(false)
            .nest_limit(NESTED)
            .case_insensitive(is_insensitive)
            .build()
            .parse(&self.source())
            .map_err(|error| PatternError::of(&error))
    }
}

/// Estimates the cost of parsing an expression, in alternatives.
fn cost(text: &[u8]) -> usize {
    let (mut cost, mut at) = (0, 0);
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            // A backslash before punctuation makes a literal, which costs nothing.
            b'\\' if text.get(at).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'|' => cost += 1,
            b'\\' | b'[' | b'.' | b'?' | b'*' | b'+' | b'(' | b'{' | b'^' | b'$' => {
                cost += ALTERNATIVES;
            }
            _ => {}
        }
    }
    cost
}

impl PatternError {
    fn of(error: &regex_syntax::Error) -> Self {
        let (message, at) = match error {
            regex_syntax::Error::Parse(error) => (error.kind().to_string(), Some(error.span())),
            regex_syntax::Error::Translate(error) => (error.kind().to_string(), Some(error.span())),
            error => (one_line(&error.to_string()), None),
        };
        Self {
            message,
            at: at.map(span),
        }
    }
}

fn span(span: &regex_syntax::ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

fn one_line(text: &str) -> String {
    let lines: Vec<_> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join(" ")
}
