//! State that all parsers of a settings file share: positions in its text, and the problems found
//! so far.

use std::ops::Range;
use std::sync::Arc;

use toml_edit::Key;

use super::line_index::LineIndex;
use crate::nearest_key::nearest_key;
use crate::quote::plain;
use crate::{FileOrigin, Origin, Problem};

pub(super) struct Reader<'a> {
    pub(super) file: Arc<FileOrigin>,
    lines: LineIndex<'a>,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &FileOrigin, text: &'a str) -> Self {
        Self {
            file: Arc::new(file.clone()),
            lines: LineIndex::new(text),
            problems: Vec::new(),
        }
    }

    /// Returns whether the limit of problems is reached. A hostile file can have as many problems
    /// as lines, and a person corrects the first ones first.
    pub(super) fn is_full(&self) -> bool {
        const MOST_PROBLEMS: usize = 50;
        self.problems.len() >= MOST_PROBLEMS
    }

    pub(super) fn unknown_key(&mut self, key: &str, origin: Origin) {
        self.problems.push(Problem::UnknownKey {
            origin,
            key: plain(key),
            nearest: nearest_key(key).map(ToOwned::to_owned),
        });
    }

    pub(super) fn syntax(&mut self, error: &toml_edit::TomlError) {
        let origin = self.origin(&error.span().unwrap_or(0..0));
        self.problems.push(Problem::Syntax {
            origin,
            message: plain(error.message()),
        });
    }

    pub(super) fn key_origin(&self, key: Option<&Key>) -> Origin {
        let span = key.and_then(Key::span);
        self.origin(&span.unwrap_or(0..0))
    }

    pub(super) fn origin(&self, span: &Range<usize>) -> Origin {
        let (line, before) = self.lines.locate(span.start);
        Origin::File {
            file: Arc::clone(&self.file),
            line,
            column: before.chars().count() + 1,
        }
    }
}
