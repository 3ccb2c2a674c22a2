//! A compiled query that can run on many texts.

use std::ops::{ControlFlow, Range};

use globset::{GlobBuilder, GlobMatcher};

use crate::document::{Document, SymbolSpot};
use crate::found_lines::{LineMatch, lines_of};
use crate::globs::{self, GlobList};
use crate::line_matcher::LineMatcher;
use crate::pattern::{Pattern, PatternKind, SIZE};
use crate::query::{Expr, Query};
use crate::query_error::QueryError;
use crate::sieve::TextPart;

/// A compiled query.
#[derive(Clone, Debug)]
pub struct Program {
    root: Node,
}

/// Result of a query on one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextMatches {
    /// Matching lines; empty if the query searches no text.
    pub lines: Vec<LineMatch>,
}

#[derive(Clone, Debug)]
enum Node {
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
    Text(LineMatcher),
    Path(PathMatcher),
    Language(String),
    Symbol(LineMatcher),
}

#[derive(Clone, Debug)]
enum PathMatcher {
    Part(LineMatcher),
    /// A glob, and a glob for everything in a directory of that name.
    Glob(GlobMatcher, GlobMatcher),
    Globs(GlobList),
}

impl Program {
    /// Compiles a query.
    ///
    /// # Errors
    /// If one of its patterns is invalid.
    pub fn new(query: &Query) -> Result<Self, QueryError> {
        // Many patterns together may use no more memory than a few.
        let room = SIZE / (patterns(&query.expr) / FEW).max(1);
        node(&query.expr, room).map(|root| Self { root })
    }

    /// Returns false if the path or the language excludes the text.
    pub fn may_match(&self, path: &[u8], language: Option<&str>) -> bool {
        self.root.without_text(path, language) != Some(false)
    }

    /// Returns true if the query filters by path or language.
    pub fn has_filters(&self) -> bool {
        self.root
            .any(&|node| matches!(node, Node::Path(_) | Node::Language(_)))
    }

    /// Returns true if the query needs the symbols of texts.
    pub fn asks_for_symbols(&self) -> bool {
        self.root.any(&|node| matches!(node, Node::Symbol(_)))
    }

    /// Returns true if the query searches in texts, not only by path and language.
    pub fn asks_for_text(&self) -> bool {
        self.root
            .any(&|node| matches!(node, Node::Symbol(_) | Node::Text(_)))
    }

    /// Returns true if the document matches.
    pub fn matches(&self, document: &Document<'_>) -> bool {
        self.root.holds(document)
    }

    /// Returns true if the query is a single pattern in lines.
    pub fn is_one_pattern(&self) -> bool {
        matches!(self.root, Node::Text(_))
    }

    /// Returns true if a query with a single pattern matches. Only `parts` of the text can match.
    pub fn matches_in(&self, document: &Document<'_>, parts: &[TextPart]) -> bool {
        let Node::Text(matcher) = &self.root else {
            return self.matches(document);
        };
        let mut parts = parts.iter();
        parts.any(|part| matcher.is_match(&document.text[part.span.clone()]))
    }

    /// Returns up to `most` lines of a query with a single pattern. Only `parts` of the text can
    /// match.
    pub fn run_in(
        &self,
        document: &Document<'_>,
        parts: &[TextPart],
        most: usize,
    ) -> Option<TextMatches> {
        if !self.is_one_pattern() {
            return self.run(document, most);
        }
        let mut lines = Vec::new();
        for part in parts {
            lines.extend(self.lines_in(document, part, most - lines.len()));
        }
        (!lines.is_empty()).then_some(TextMatches { lines })
    }

    /// Returns the first matching lines in a part of a matching text.
    pub fn lines_in(
        &self,
        document: &Document<'_>,
        part: &TextPart,
        most: usize,
    ) -> Vec<LineMatch> {
        let (mut texts, mut symbols) = (Vec::new(), Vec::new());
        self.root.collect_shown(&mut texts, &mut symbols);
        let start = part.span.start;
        let moved = |span: &Range<usize>| span.start - start..span.end - start;
        let spots = document.symbols.iter();
        let spots = spots.filter(|spot| part.span.contains(&spot.name_span.start));
        let spots: Vec<SymbolSpot> = spots
            .map(|spot| SymbolSpot {
                name: spot.name.clone(),
                name_span: moved(&spot.name_span),
                // The definition may start before the part.
                span: spot.span.start.saturating_sub(start)..spot.span.end - start,
            })
            .collect();
        let part_of = Document {
            text: &document.text[part.span.clone()],
            symbols: &spots,
            ..*document
        };
        let found = lines_of(&texts, &symbols, &part_of, most);
        let whole = found.into_iter().map(|found| LineMatch {
            line: found.line + part.line - 1,
            span: start + found.span.start..start + found.span.end,
            places: found.places,
        });
        whole.collect()
    }

    /// Counts the matching lines; returns `None` if the document does not match.
    pub fn count(&self, document: &Document<'_>) -> Option<usize> {
        let Node::Text(matcher) = &self.root else {
            return self
                .run(document, usize::MAX)
                .map(|found| found.lines.len());
        };
        let mut count = 0;
        matcher.lines(document.text, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        (count > 0).then_some(count)
    }

    /// Returns up to `most` matching lines; `None` if the document does not match.
    pub fn run(&self, document: &Document<'_>, most: usize) -> Option<TextMatches> {
        if let Node::Text(matcher) = &self.root {
            let lines = lines_of(&[matcher], &[], document, most);
            return (!lines.is_empty()).then_some(TextMatches { lines });
        }
        if !self.root.holds(document) {
            return None;
        }
        let (mut texts, mut symbols) = (Vec::new(), Vec::new());
        self.root.collect_shown(&mut texts, &mut symbols);
        let lines = lines_of(&texts, &symbols, document, most);
        Some(TextMatches { lines })
    }
}

impl Node {
    fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().any(|part| part.any(test)),
            Self::Not(part) => part.any(test),
            leaf => test(leaf),
        }
    }

    fn holds(&self, document: &Document<'_>) -> bool {
        match self {
            Self::And(parts) => parts.iter().all(|part| part.holds(document)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(document)),
            Self::Not(part) => !part.holds(document),
            Self::Text(matcher) => matcher.is_match(document.text),
            Self::Path(matcher) => matcher.is_match(document.path),
            Self::Language(language) => document.language == Some(language),
            Self::Symbol(matcher) => {
                let mut names = document.symbols.iter().map(|symbol| symbol.name.as_bytes());
                names.any(|name| matcher.is_match(name))
            }
        }
    }

    /// Returns the result if it does not depend on the text.
    fn without_text(&self, path: &[u8], language: Option<&str>) -> Option<bool> {
        let of = |part: &Self| part.without_text(path, language);
        match self {
            Self::And(parts) if parts.iter().any(|part| of(part) == Some(false)) => Some(false),
            Self::And(parts) => parts
                .iter()
                .all(|part| of(part) == Some(true))
                .then_some(true),
            Self::Or(parts) if parts.iter().any(|part| of(part) == Some(true)) => Some(true),
            Self::Or(parts) => parts
                .iter()
                .all(|part| of(part) == Some(false))
                .then_some(false),
            Self::Not(part) => of(part).map(|holds| !holds),
            Self::Text(_) | Self::Symbol(_) => None,
            Self::Path(matcher) => Some(matcher.is_match(path)),
            Self::Language(wanted) => Some(language == Some(wanted)),
        }
    }

    /// Collects the matchers whose matches are shown: those that are not negated.
    fn collect_shown<'a>(
        &'a self,
        texts: &mut Vec<&'a LineMatcher>,
        symbols: &mut Vec<&'a LineMatcher>,
    ) {
        match self {
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.collect_shown(texts, symbols);
                }
            }
            Self::Text(matcher) => texts.push(matcher),
            Self::Symbol(matcher) => symbols.push(matcher),
            Self::Not(_) | Self::Path(_) | Self::Language(_) => {}
        }
    }
}

impl PathMatcher {
    fn is_match(&self, path: &[u8]) -> bool {
        match self {
            Self::Part(matcher) => matcher.is_match(path),
            Self::Glob(glob, inside) => {
                let path = String::from_utf8_lossy(path);
                glob.is_match(path.as_ref()) || inside.is_match(path.as_ref())
            }
            Self::Globs(globs) => globs.is_match(path),
        }
    }
}

/// Number of patterns that may each have the maximum size.
const FEW: usize = 8;

/// Counts the patterns of an expression.
fn patterns(expr: &Expr) -> usize {
    match expr {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().map(patterns).sum(),
        Expr::Not(part) => patterns(part),
        Expr::Language(_) | Expr::Globs(_) => 0,
        Expr::Text(_) | Expr::Path(_) | Expr::Symbol(_) | Expr::Definition(_) => 1,
    }
}

/// Compiles an expression; each pattern may use `room` bytes.
fn node(expr: &Expr, room: usize) -> Result<Node, QueryError> {
    let nodes = |parts: &[Expr]| {
        let nodes = parts.iter().map(|part| node(part, room));
        nodes.collect::<Result<Vec<_>, _>>()
    };
    Ok(match expr {
        Expr::And(parts) => Node::And(nodes(parts)?),
        Expr::Or(parts) => Node::Or(nodes(parts)?),
        Expr::Not(part) => Node::Not(Box::new(node(part, room)?)),
        Expr::Text(pattern) => Node::Text(compiled(pattern, room)?),
        Expr::Path(pattern) => Node::Path(path(pattern, room)?),
        Expr::Globs(globs) => Node::Path(PathMatcher::Globs(globs.compiled()?)),
        Expr::Language(name) => Node::Language(name.clone()),
        Expr::Symbol(pattern) => Node::Symbol(compiled(pattern, room)?),
        Expr::Definition(pattern) => Node::Symbol(compiled(&whole(pattern), room)?),
    })
}

/// Returns the pattern for a whole name.
fn whole(pattern: &Pattern) -> Pattern {
    Pattern {
        text: format!("^(?:{})$", pattern.source()),
        kind: PatternKind::Regex,
        ..pattern.clone()
    }
}

/// The engine's message for a pattern that requires a newline.
const LINE_END: &str = "literal \"\\n\" is not allowed";

/// The engine's message for a pattern that is too large.
const TOO_LARGE: &str = "size limit";

fn compiled(pattern: &Pattern, room: usize) -> Result<LineMatcher, QueryError> {
    pattern.compile_within(room).map_err(|error| {
        let at = error.at.unwrap_or(0..pattern.text.len());
        let asks_for_line_end = error.message.contains(LINE_END);
        let is_large = error.message.contains(TOO_LARGE);
        let hint = match pattern.kind {
            _ if asks_for_line_end => {
                Some("lines are searched one by one; pass -f FILE with one pattern per line")
            }
            _ if is_large => Some("use fewer or shorter patterns, or several searches"),
            PatternKind::Regex => Some("-F searches for the whole query literally"),
            PatternKind::Literal => None,
        };
        let message = match pattern.kind {
            _ if asks_for_line_end => "a pattern cannot contain a newline".to_owned(),
            _ if is_large => "it is too large: a pattern takes at most 10 MiB compiled".to_owned(),
            PatternKind::Regex => format!("wrong regular expression: {}", error.message),
            PatternKind::Literal => error.message,
        };
        QueryError::new(at, message)
            .with_hint(hint)
            .within(&pattern.text)
    })
}

fn path(pattern: &Pattern, room: usize) -> Result<PathMatcher, QueryError> {
    let is_glob =
        pattern.kind == PatternKind::Literal && pattern.text.contains(['*', '?', '[', '{']);
    if !is_glob {
        return compiled(pattern, room).map(PathMatcher::Part);
    }
    if pattern.text.len() > globs::LONGEST {
        let message = format!("a glob has at most {} bytes", globs::LONGEST);
        let error = QueryError::new(0..pattern.text.len(), message);
        return Err(error.within(&pattern.text));
    }
    if pattern.text.matches('{').count() > globs::MOST_BRACES {
        let message = format!("a glob has at most {} braces", globs::MOST_BRACES);
        let error = QueryError::new(0..pattern.text.len(), message);
        return Err(error.within(&pattern.text));
    }
    let text = pattern.text.trim_end_matches('/');
    let rooted = match text.strip_prefix('/') {
        Some(rooted) => rooted.to_owned(),
        None if text.contains('/') => text.to_owned(),
        None => format!("**/{text}"),
    };
    let glob = |text: &str| {
        let built = GlobBuilder::new(text).literal_separator(true).build();
        built.map(|glob| glob.compile_matcher()).map_err(|error| {
            let error = QueryError::new(0..pattern.text.len(), error.kind().to_string());
            error.within(&pattern.text)
        })
    };
    Ok(PathMatcher::Glob(
        glob(&rooted)?,
        glob(&format!("{rooted}/**"))?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::QueryOptions;

    const TEXT: &[u8] = b"fn alpha() {}\nfn beta() { alpha() }\n// gamma\n";

    fn check(query: &str, expected: Option<&[usize]>) {
        let query = Query::parse(query, &QueryOptions::default()).unwrap();
        let program = Program::new(&query).unwrap();
        let symbols = [("alpha", 3), ("beta", 17)].map(|(name, at)| SymbolSpot {
            name: name.to_owned(),
            name_span: at..at + name.len(),
            span: at..at + name.len(),
        });
        let document = Document {
            symbols: &symbols,
            ..Document::new(b"src/deep/a.rs", Some("rust"), TEXT)
        };
        let found = program.run(&document, usize::MAX);
        let lines = found.map(|found| found.lines.iter().map(|line| line.line).collect::<Vec<_>>());
        assert_eq!(lines.as_deref(), expected, "{query:?}");
        if expected.is_some() {
            assert!(program.may_match(document.path, document.language));
        }
    }

    #[test]
    fn parts_are_joined_by_file_and_shown_by_line() {
        check("alpha", Some(&[1, 2]));
        check("alpha beta", Some(&[1, 2]));
        check("beta gamma", Some(&[2, 3]));
        check("alpha delta", None);
        check("alpha or delta", Some(&[1, 2]));
        check("gamma -delta", Some(&[3]));
        check("gamma -alpha", None);
        check("gamma path:src", Some(&[3]));
        check("gamma path:*.rs", Some(&[3]));
        check("gamma path:src/*.rs", None);
        check("gamma path:src/**/*.rs", Some(&[3]));
        check("gamma path:*eep", Some(&[3]));
        check("gamma -path:src", None);
        check("gamma lang:rust", Some(&[3]));
        check("gamma lang:go", None);
        check("sym:alp", Some(&[1]));
        check("def:alp", None);
        check("def:alpha", Some(&[1]));
        check("def:alpha gamma", Some(&[1, 3]));
        check("path:src lang:rust", Some(&[]));
    }

    #[test]
    fn path_filter_excludes_without_reading() {
        let of = |query: &str| {
            let query = Query::parse(query, &QueryOptions::default()).unwrap();
            Program::new(&query)
                .unwrap()
                .may_match(b"a/b.rs", Some("rust"))
        };
        assert!(!of("x path:c"));
        assert!(!of("x lang:go"));
        assert!(of("x or path:c"));
        assert!(!of("path:q or lang:go"));
        assert!(of("-path:q"));
    }
}
