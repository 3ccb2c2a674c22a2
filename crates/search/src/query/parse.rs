//! Parses the tokens of a query. Stores groups on its own stack, so that deep nesting cannot
//! overflow the call stack.

use std::ops::Range;

use super::lex::{Field, Token, TokenKind, ValueForm, Word, tokens};
use super::{Expr, Query, QueryOptions};
use crate::pattern::{Case, Pattern, PatternKind};
use crate::query_error::QueryError;

/// Maximum nesting of groups: later stages walk the query recursively, and deeper groups add no
/// meaning.
const NESTED: usize = 100;

pub(super) fn parse(text: &str, options: &QueryOptions<'_>) -> Result<Query, QueryError> {
    let tokens = tokens(text)?;
    let mut options = *options;
    let tokens = take_case(tokens, &mut options)?;
    let mut parser = Parser {
        options: &options,
        groups: vec![Group::default()],
    };
    for token in tokens {
        parser.add(token)?;
    }
    let whole = 0..text.len();
    parser.finish(whole).map(|expr| Query { expr })
}

/// Applies `case:`, which affects the whole query at any position.
fn take_case(tokens: Vec<Token>, options: &mut QueryOptions<'_>) -> Result<Vec<Token>, QueryError> {
    let mut rest = Vec::with_capacity(tokens.len());
    for token in tokens {
        match &token.kind {
            TokenKind::Word(word) if word.field == Some(Field::Case) => {
                if rest
                    .last()
                    .is_some_and(|last: &Token| matches!(last.kind, TokenKind::Not))
                {
                    let message = "case: applies to the whole query and cannot be negated";
                    let told = QueryError::new(token.at.clone(), message);
                    return Err(told.with_hint("use case:yes or case:no"));
                }
                options.case = case(word)?;
            }
            _ => rest.push(token),
        }
    }
    Ok(rest)
}

fn case(word: &Word) -> Result<Case, QueryError> {
    match word.value.as_str() {
        "yes" => Ok(Case::Sensitive),
        "no" => Ok(Case::Insensitive),
        "auto" => Ok(Case::Smart),
        other => Err(QueryError::new(
            word.value_at.clone(),
            format!("case: expected yes, no or auto, found {other:?}"),
        )),
    }
}

/// An open group.
#[derive(Default)]
struct Group {
    /// Position of the parenthesis.
    opened: Option<Range<usize>>,
    /// True if `-` precedes it.
    is_negated: bool,
    /// The parts before each `or`.
    alternatives: Vec<Expr>,
    parts: Vec<Expr>,
    /// The last `or` without a following part.
    last_or: Option<Range<usize>>,
    /// The last `-` without a following part.
    not: Option<Range<usize>>,
}

struct Parser<'a> {
    options: &'a QueryOptions<'a>,
    groups: Vec<Group>,
}

impl Parser<'_> {
    /// Returns the innermost group. The outermost one stays until the end.
    fn group(&mut self) -> &mut Group {
        if self.groups.is_empty() {
            self.groups.push(Group::default());
        }
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    fn add(&mut self, token: Token) -> Result<(), QueryError> {
        let at = token.at;
        match token.kind {
            TokenKind::Not => self.group().not = Some(at),
            TokenKind::Open => {
                if self.groups.len() > NESTED {
                    return Err(QueryError::new(at, "groups are nested too deep"));
                }
                let is_negated = self.group().not.take().is_some();
                self.groups.push(Group {
                    opened: Some(at),
                    is_negated,
                    ..Group::default()
                });
            }
            TokenKind::Close => self.close(at)?,
            TokenKind::Or => {
                let group = self.group();
                if group.parts.is_empty() {
                    return Err(nothing_beside(at));
                }
                let parts = std::mem::take(&mut group.parts);
                group.alternatives.push(all(parts));
                group.last_or = Some(at);
            }
            TokenKind::Word(word) => {
                let expr = self.word(&word, &at)?;
                self.part(expr);
            }
        }
        Ok(())
    }

    fn part(&mut self, expr: Expr) {
        let group = self.group();
        let expr = match group.not.take() {
            Some(_) => Expr::Not(Box::new(expr)),
            None => expr,
        };
        group.last_or = None;
        group.parts.push(expr);
    }

    fn close(&mut self, at: Range<usize>) -> Result<(), QueryError> {
        if self.groups.len() < 2 {
            return Err(QueryError::new(at, "no group is open here")
                .with_hint("put text with parentheses in quotes, or use -F"));
        }
        let Some(group) = self.groups.pop() else {
            return Ok(());
        };
        let is_negated = group.is_negated;
        let opened = group.opened.clone().map_or(at.start, |open| open.start);
        let expr = group.finish(opened..at.end)?;
        self.part(match is_negated {
            true => Expr::Not(Box::new(expr)),
            false => expr,
        });
        Ok(())
    }

    fn finish(mut self, whole: Range<usize>) -> Result<Expr, QueryError> {
        if self.groups.len() > 1
            && let Some(opened) = self.groups.pop().and_then(|group| group.opened)
        {
            return Err(QueryError::new(opened, "this group is not closed")
                .with_hint("put text with parentheses in quotes, or use -F"));
        }
        match self.groups.pop() {
            Some(group) => group.finish(whole),
            None => Err(empty(whole)),
        }
    }

    fn word(&self, word: &Word, at: &Range<usize>) -> Result<Expr, QueryError> {
        if word.value.is_empty() && word.field.is_some() {
            return Err(QueryError::new(
                at.clone(),
                "expected a value after the colon",
            ));
        }
        let pattern = |kind| Pattern {
            text: word.value.clone(),
            kind,
            case: self.options.case,
            is_word: self.options.is_word,
        };
        let kind = match word.form {
            ValueForm::Regex => PatternKind::Regex,
            ValueForm::Bare | ValueForm::Quoted => PatternKind::Literal,
        };
        let unworded = |kind| Pattern {
            is_word: false,
            ..pattern(kind)
        };
        Ok(match word.field {
            None | Some(Field::Text) => Expr::Text(pattern(kind)),
            Some(Field::Regex) => Expr::Text(pattern(PatternKind::Regex)),
            Some(Field::Path) => Expr::Path(unworded(kind)),
            Some(Field::Symbol) => Expr::Symbol(pattern(kind)),
            Some(Field::Definition) => Expr::Definition(unworded(kind)),
            Some(Field::Language) => Expr::Language(self.language(word)?),
            Some(Field::Case) => Expr::And(Vec::new()),
        })
    }

    fn language(&self, word: &Word) -> Result<String, QueryError> {
        (self.options.language)(&word.value).ok_or_else(|| {
            QueryError::new(
                word.value_at.clone(),
                format!("no language {:?}", word.value),
            )
            .with_hint("names are lower case, such as rust, python, typescript, csharp, cpp")
        })
    }
}

impl Group {
    fn finish(mut self, whole: Range<usize>) -> Result<Expr, QueryError> {
        if let Some(not) = self.not {
            return Err(QueryError::new(not, "expected a term after -"));
        }
        if let Some(or) = self.last_or {
            return Err(nothing_beside(or));
        }
        if self.parts.is_empty() {
            return Err(empty(whole));
        }
        if self.alternatives.is_empty() {
            return Ok(all(self.parts));
        }
        self.alternatives.push(all(self.parts));
        Ok(Expr::Or(self.alternatives))
    }
}

fn nothing_beside(or: Range<usize>) -> QueryError {
    QueryError::new(or, "`or` needs a part on both sides").with_hint("\"or\" in quotes is a word")
}

fn empty(whole: Range<usize>) -> QueryError {
    QueryError::new(whole, "the query is empty")
}

fn all(mut parts: Vec<Expr>) -> Expr {
    match parts.len() {
        1 => parts.remove(0),
        _ => Expr::And(parts),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn show(expr: &Expr) -> String {
        let list = |word: &str, parts: &[Expr]| {
            let parts: Vec<_> = parts.iter().map(show).collect();
            format!("({word} {})", parts.join(" "))
        };
        let pattern = |pattern: &Pattern| match pattern.kind {
            PatternKind::Literal => format!("{:?}", pattern.text),
            PatternKind::Regex => format!("/{}/", pattern.text),
        };
        match expr {
            Expr::And(parts) => list("and", parts),
            Expr::Or(parts) => list("or", parts),
            Expr::Not(part) => format!("(not {})", show(part)),
            Expr::Text(text) => pattern(text),
            Expr::Path(path) => format!("path:{}", pattern(path)),
            Expr::Language(name) => format!("lang:{name}"),
            Expr::Symbol(name) => format!("sym:{}", pattern(name)),
            Expr::Definition(name) => format!("def:{}", pattern(name)),
            Expr::Globs(globs) => format!("globs:{}", globs.list.join(",")),
        }
    }

    fn check(query: &str, expected: &str) {
        let shown = match Query::parse(query, &QueryOptions::default()) {
            Ok(query) => show(&query.expr),
            Err(error) => format!("{:?} {error}", error.at()),
        };
        assert_eq!(shown, expected, "{query}");
    }

    #[test]
    fn queries_are_parsed() {
        check("foo", "\"foo\"");
        check("foo bar", "(and \"foo\" \"bar\")");
        check("\"foo bar\"", "\"foo bar\"");
        check(r#""a \"b\" \n""#, r#""a \"b\" \\n""#);
        check("/a.*b/ c", "(and /a.*b/ \"c\")");
        check(r"/a\/b/", "/a/b/");
        check("/usr/bin", "\"/usr/bin\"");
        check("foo or bar baz", "(or \"foo\" (and \"bar\" \"baz\"))");
        check("(a or b) c", "(and (or \"a\" \"b\") \"c\")");
        check(
            "-path:test -(a or b)",
            "(and (not path:\"test\") (not (or \"a\" \"b\")))",
        );
        check("f(x) g()", "(and \"f(x)\" \"g()\")");
        check("(f(x))", "\"f(x)\"");
        check(
            "std::vec -> --all -",
            "(and \"std::vec\" \"->\" \"--all\" \"-\")",
        );
        check(
            "lang:Rust sym:Foo def:bar",
            "(and lang:rust sym:\"Foo\" def:\"bar\")",
        );
        check("path:/^src/ re:a+", "(and path:/^src/ /a+/)");
        check("http://x", "\"http://x\"");
        check("\"or\"", "\"or\"");
    }

    #[test]
    fn errors_have_a_position() {
        check("", "0..0 the query is empty");
        check("a \"b", "2..4 no closing quote");
        check("(a", "0..1 this group is not closed");
        check("a )", "2..3 no group is open here");
        check("or a", "0..2 `or` needs a part on both sides");
        check("a or", "2..4 `or` needs a part on both sides");
        check("lang: a", "0..5 expected a value after the colon");
        check(
            "case:maybe a",
            "5..10 case: expected yes, no or auto, found \"maybe\"",
        );
        check("()", "0..2 the query is empty");
        check(&"(".repeat(200), "100..101 groups are nested too deep");
    }

    #[test]
    fn case_applies_to_the_whole_query() {
        let query = Query::parse("a case:no b", &QueryOptions::default()).unwrap();
        let Expr::And(parts) = query.expr else {
            panic!()
        };
        for part in parts {
            assert!(matches!(part, Expr::Text(pattern) if pattern.case == Case::Insensitive));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_rejected(text in "[a-c():\"/ \\\\-]{0,24}|\\PC{0,24}") {
            if let Err(error) = Query::parse(&text, &QueryOptions::default()) {
                prop_assert!(error.at().end <= text.len());
                prop_assert!(text.get(error.at()).is_some());
            }
        }
    }
}
