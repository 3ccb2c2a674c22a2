//! A pattern as a user wrote it, and how it is read. The rules are ripgrep's, because
//! its own engine compiles them: a line is matched at a time, `^` and `$` are its ends,
//! and a pattern that asks for a line end is refused.

use std::ops::Range;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_syntax::hir::Hir;

use crate::line_matcher::LineMatcher;

/// A compiled pattern takes at most so many bytes, 10 MiB: what the `regex` crate
/// takes unless told otherwise. Ten times more makes matching one long line a matter
/// of minutes.
pub(crate) const SIZE: usize = 10 << 20;
/// What a thread keeps of the automaton that it builds while matching.
const DFA_SIZE: usize = 32 << 20;
/// Signs of an expression that are no plain text. Reading each takes time and memory that
/// the size of the compiled expression does not show: half a million `\w` take gigabytes.
const SIGNS: usize = 5_000;
/// So many alternatives take no more than one other sign.
const ALTERNATIVES: usize = 50;
/// In any case, every letter stands for several.
const ANY_CASE: usize = 100_000;
/// Nested groups: ripgrep's own bound.
const NESTED: u32 = 250;

/// Which case a pattern is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// As written.
    #[default]
    Sensitive,
    /// Any.
    Insensitive,
    /// As written where the pattern holds an upper-case letter, else any.
    Smart,
}

/// How a pattern is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatternKind {
    /// Every character stands for itself.
    Literal,
    /// A regular expression.
    Regex,
}

/// What is looked for in a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// As written.
    pub text: String,
    /// How it is written.
    pub kind: PatternKind,
    /// Which case it is in.
    pub case: Case,
    /// True if a match must be whole words.
    pub is_word: bool,
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    pub(crate) message: String,
    /// Where, in the pattern's own bytes; `None` for all of it.
    pub(crate) at: Option<Range<usize>>,
}

impl Pattern {
    /// A literal in the case it is written in.
    pub fn literal(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: PatternKind::Literal,
            case: Case::Sensitive,
            is_word: false,
        }
    }

    /// The expression that this is, in the syntax of `regex`.
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

    /// Compiles it, where it takes at most `room` bytes.
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

    /// The syntax alone, for an error that says where.
    pub(crate) fn check(&self) -> Result<(), PatternError> {
        self.parsed().map(|_| ())
    }

    /// As one of several that are joined with `|`.
    pub(crate) fn alternative(&self) -> String {
        let source = self.source();
        // What a group says about its flags holds for what stands behind it.
        match self.kind == PatternKind::Regex && source.contains("(?") {
            true => format!("(?:{source})"),
            false => source,
        }
    }

    /// Returns true if reading it would take too long.
    fn is_heavy(&self) -> bool {
        let cost = match self.kind {
            PatternKind::Literal => 0,
            PatternKind::Regex => cost(self.text.as_bytes()),
        };
        cost > SIGNS * ALTERNATIVES || (self.case != Case::Sensitive && self.text.len() > ANY_CASE)
    }

    /// What the expression means, without its words' ends.
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
            // More texts may match than really do: whoever plans with it verifies.
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

/// What reading an expression takes, in alternatives.
fn cost(text: &[u8]) -> usize {
    let (mut cost, mut at) = (0, 0);
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            // What stands for itself behind it costs nothing.
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
