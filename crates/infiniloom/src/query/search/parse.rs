//! The query of a search: its text in the query language, narrowed by the values of the search.

use std::path::Path;

use loom_host::{
    Expr, Globs, Language, Pattern, PatternKind, Query, QueryError, QueryOptions, SearchError,
    Source,
};

use super::file_types::type_of;
use super::{Kind, Search};
use crate::choices::Case;
use crate::error::ErrorPlace;
use crate::query::{check, languages};
use crate::{Error, ErrorProblem, Result};

impl Search {
    pub(super) fn parsed(&self) -> Result<Query> {
        let language =
            |name: &str| Language::from_id(&name.to_lowercase()).map(|one| one.id().to_owned());
        let case = host_case(self.case);
        let options = QueryOptions {
            case,
            is_word: self.is_word,
            language: &language,
        };
        let mut problems = Vec::new();
        let kinds = self.kinds(&mut problems);
        let parsed = match self.kind {
            Kind::Text => Query::literal(&self.text, &options),
            Kind::Regex => Query::regex(&self.text, &options),
            Kind::Query => Query::parse(&self.text, &options),
            Kind::AnyText => Query::any_line(&self.text, PatternKind::Literal, &options),
            Kind::AnyRegex => Query::any_line(&self.text, PatternKind::Regex, &options),
        };
        let parsed = parsed.map_err(|error| match problems.is_empty() {
            true => self.explained(error.into()),
            false => {
                let mut problems = std::mem::take(&mut problems);
                problems.push(ErrorProblem {
                    message: error.to_string(),
                    hint: error.hint().map(str::to_owned),
                });
                Error::with_problems(problems)
            }
        });
        let mut query = parsed?;
        check(problems)?;
        if !kinds.is_empty() {
            query = query.within(Expr::Or(kinds));
        }
        let case = self.path_case.map_or(case, host_case);
        let paths = |paths: &[String]| {
            let patterns = paths
                .iter()
                .map(|path| Expr::Path(path_pattern(path, case)));
            Expr::Or(patterns.collect())
        };
        if !self.paths.is_empty() {
            query = query.within(paths(&self.paths));
        }
        if !self.other_paths.is_empty() {
            query = query.within(Expr::Not(Box::new(paths(&self.other_paths))));
        }
        Ok(query)
    }

    /// Returns the filters for languages and types, and adds the unknown ones to `problems`.
    fn kinds(&self, problems: &mut Vec<ErrorProblem>) -> Vec<Expr> {
        let languages = languages(&self.languages, problems).into_iter();
        let languages = languages.map(|one| Expr::Language(one.id().to_owned()));
        let mut kinds: Vec<Expr> = languages.collect();
        for name in &self.types {
            let found = type_of(&name.to_lowercase());
            if found.is_empty() {
                problems.push(ErrorProblem {
                    message: format!("no type {name}"),
                    hint: Some("a language or a glob such as *.xyz narrows files, too".to_owned()),
                });
            }
            kinds.extend(found);
        }
        kinds
    }

    /// Narrows the query by the globs, which start at the directory of the search.
    pub(super) fn within_globs(&self, query: Query, source: &Source) -> Query {
        if self.globs.is_empty() {
            return query;
        }
        let directory = self.directory.as_deref();
        let places = directory.and_then(|directory| places(source, directory));
        let (here, top) = places.unwrap_or_default();
        let list = self.globs.clone();
        query.within(Expr::Globs(Globs { list, here, top }))
    }

    /// Converts the error, with the hint of the query language and the invalid part of the query.
    pub(super) fn explained(&self, error: SearchError) -> Error {
        let SearchError::Query(query) = &error else {
            return error.into();
        };
        let hint = query.hint().map(str::to_owned);
        let place = self.place(query);
        let error = Error::from(error).with_place(place);
        match hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }

    fn place(&self, error: &QueryError) -> ErrorPlace {
        // The position of the pattern in the query, or the pattern itself.
        let (text, offset) = match error.pattern() {
            None => (self.text.as_str(), 0),
            Some(pattern) => match self.text.find(pattern) {
                Some(offset) if !pattern.is_empty() => (self.text.as_str(), offset),
                _ => (pattern, 0),
            },
        };
        let clamped = |at: usize| {
            let mut at = (at + offset).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (clamped(error.at().start), clamped(error.at().end));
        ErrorPlace {
            text: text.to_owned(),
            start,
            end: end.max(start),
        }
    }
}

/// Returns the path of the directory from the root, and of the root from the directory.
fn places(source: &Source, directory: &Path) -> Option<(String, String)> {
    let roots: Vec<&Path> = source.roots().collect();
    let [root] = roots.as_slice() else {
        return None;
    };
    let here = directory.canonicalize().ok()?;
    let name = |path: &Path| match path.to_str() {
        Some("") | None => String::new(),
        Some(path) => format!("{path}/"),
    };
    match (here.strip_prefix(root), root.strip_prefix(&here)) {
        (Ok(inside), _) => Some((name(inside), String::new())),
        (_, Ok(below)) => Some((String::new(), name(below))),
        _ => None,
    }
}

/// Returns the pattern for a path: a text or glob, or a regular expression between slashes.
fn path_pattern(word: &str, case: loom_host::Case) -> Pattern {
    let inside = word
        .strip_prefix('/')
        .and_then(|word| word.strip_suffix('/'));
    let (text, kind) = match inside.filter(|inside| !inside.is_empty()) {
        Some(inside) => (inside, PatternKind::Regex),
        // Paths start at the root.
        None => (
            word.strip_prefix("./").unwrap_or(word),
            PatternKind::Literal,
        ),
    };
    Pattern {
        kind,
        case,
        ..Pattern::literal(text)
    }
}

fn host_case(case: Case) -> loom_host::Case {
    match case {
        Case::Sensitive => loom_host::Case::Sensitive,
        Case::Insensitive => loom_host::Case::Insensitive,
        Case::Smart => loom_host::Case::Smart,
    }
}
