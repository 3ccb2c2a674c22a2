//! A search as a call of `wire`.

use std::path::PathBuf;
use std::time::Duration;

use loom_host::SearchText;
use loom_wire::{AroundCall, SearchCall};

use super::{Kind, LineDetail, Search};
use crate::choices::{Case, IndexUse, Sort};
use crate::query::call::{choice, path_text, unknown_word};
use crate::query::milliseconds;
use crate::session::Choices;
use crate::{Infiniloom, Result};

impl Search {
    pub(in crate::query) fn call(&self) -> Result<SearchCall> {
        let Self {
            choices,
            text,
            kind,
            case,
            is_word,
            languages,
            types,
            paths,
            other_paths,
            globs,
            directory,
            expected,
            detail,
            has_symbols,
            limit,
            per_file,
            sort,
            index,
            path_case,
            search_text,
            time_limit,
        } = self;
        let expected = expected.iter().map(|path| path_text(path));
        Ok(SearchCall {
            text: text.clone(),
            kind: kind_name(*kind).to_owned(),
            settings: choices.values.call()?,
            case: (*case != Case::Sensitive).then(|| case.name().to_owned()),
            whole_words: *is_word,
            languages: languages.clone(),
            file_types: types.clone(),
            within: paths.clone(),
            not_within: other_paths.clone(),
            globs: globs.clone(),
            directory: directory.as_deref().map(path_text).transpose()?,
            expected: expected.collect::<Result<_>>()?,
            no_symbols: !*has_symbols,
            index: (*index != IndexUse::Auto).then(|| index.name().to_owned()),
            lines_around: match *detail {
                LineDetail::Lines { before, after } if before + after > 0 => {
                    Some(AroundCall { before, after })
                }
                _ => None,
            },
            paths_only: *detail == LineDetail::Paths,
            counts_only: *detail == LineDetail::Counts,
            limit: *limit,
            limit_per_file: *per_file,
            sort: (*sort != Sort::Path).then(|| sort.name().to_owned()),
            path_case: path_case.map(|case| case.name().to_owned()),
            redacted: *search_text == SearchText::Redacted,
            time_limit_ms: time_limit.map(milliseconds),
        })
    }

    pub(in crate::query) fn of_call(call: &SearchCall, engine: &Infiniloom) -> Result<Self> {
        let SearchCall {
            text,
            kind,
            settings,
            case,
            whole_words,
            languages,
            file_types,
            within,
            not_within,
            globs,
            directory,
            expected,
            no_symbols,
            index,
            lines_around,
            paths_only,
            counts_only,
            limit,
            limit_per_file,
            sort,
            path_case,
            redacted,
            time_limit_ms,
        } = call;
        let kind = kind_named(kind)?;
        let around = lines_around.map_or((0, 0), |lines| (lines.before, lines.after));
        Ok(Self {
            choices: Choices::of_call(settings, None, engine)?,
            case: choice(case.as_ref())?.unwrap_or(Case::Sensitive),
            is_word: *whole_words,
            languages: languages.clone(),
            types: file_types.clone(),
            paths: within.clone(),
            other_paths: not_within.clone(),
            globs: globs.clone(),
            directory: directory.as_ref().map(PathBuf::from),
            expected: expected.iter().map(PathBuf::from).collect(),
            has_symbols: !no_symbols,
            index: choice(index.as_ref())?.unwrap_or(IndexUse::Auto),
            detail: match (paths_only, counts_only) {
                (true, _) => LineDetail::Paths,
                (false, true) => LineDetail::Counts,
                (false, false) => LineDetail::Lines {
                    before: around.0,
                    after: around.1,
                },
            },
            limit: *limit,
            per_file: *limit_per_file,
            sort: choice(sort.as_ref())?.unwrap_or(Sort::Path),
            path_case: choice(path_case.as_ref())?,
            time_limit: time_limit_ms.map(Duration::from_millis),
            ..Self::new(text.clone(), kind).redacted(*redacted)
        })
    }
}

const KINDS: [(Kind, &str); 5] = [
    (Kind::Text, "text"),
    (Kind::Regex, "regex"),
    (Kind::Query, "query"),
    (Kind::AnyText, "any_text"),
    (Kind::AnyRegex, "any_regex"),
];

fn kind_name(kind: Kind) -> &'static str {
    let found = KINDS.iter().find(|(one, _)| *one == kind);
    found.map_or("query", |(_, name)| name)
}

fn kind_named(name: &str) -> Result<Kind> {
    let found = KINDS.iter().find(|(_, one)| *one == name);
    let names = KINDS.map(|(_, name)| name).join(", ");
    found
        .map(|(kind, _)| *kind)
        .ok_or_else(|| unknown_word("kind", name, &names))
}
