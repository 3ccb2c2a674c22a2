//! The kind of a text for cutting: code, data, a document, a conversation or a log.

use std::fmt;
use std::ops::Range;

use loom_syntax::Language;

use crate::conversation::{self, Message};
use crate::line_starts::LineStarts;
use crate::log::{self, Record, Severities};

/// Kind of a chunk's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ContentKind {
    /// Program or part of one.
    Code,
    /// Keys and values, or tables.
    Data,
    /// Prose.
    Document,
    /// Messages of people and models.
    Conversation,
    /// Log records.
    Log,
}

impl ContentKind {
    /// Returns the name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Data => "data",
            Self::Document => "document",
            Self::Conversation => "conversation",
            Self::Log => "log",
        }
    }

    /// Returns the kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Self::Code,
            Self::Data,
            Self::Document,
            Self::Conversation,
            Self::Log,
        ];
        all.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for ContentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const DOCUMENTS: &[&str] = &["latex", "markdown", "mdx", "rst", "text", "typst", "bibtex"];
const DATA: &[&str] = &[
    "csv", "dotenv", "gettext", "gomod", "ini", "json", "jsonl", "jupyter", "svg", "toml", "tsv",
    "xml", "yaml",
];

/// Kind of a text, with its messages or records.
#[derive(Debug)]
pub(crate) enum Contents {
    Code,
    Data,
    Document,
    Conversation(Vec<Message>),
    Log(Vec<Record>),
}

impl Contents {
    pub(crate) fn detect(language: Option<Language>, text: &str, lines: &LineStarts) -> Self {
        let id = language.map(Language::id);
        let may_be_json = matches!(id, Some("json" | "jsonl" | "log") | None);
        if may_be_json && let Some(messages) = conversation::json(text, lines) {
            return Self::Conversation(messages);
        }
        let is_prose = matches!(id, Some("markdown" | "text" | "rst" | "log") | None);
        if is_prose && let Some(messages) = conversation::transcript(text, lines) {
            return Self::Conversation(messages);
        }
        let certainty = match id {
            Some("log") => log::Certainty::Named,
            Some("text" | "jsonl") | None => log::Certainty::Guessed,
            _ => return Self::plain(id),
        };
        match log::records(text, lines, certainty) {
            Some(records) => Self::Log(records),
            None => Self::plain(id),
        }
    }

    fn plain(id: Option<&str>) -> Self {
        match id {
            None => Self::Document,
            Some(id) if DOCUMENTS.contains(&id) => Self::Document,
            Some(id) if DATA.contains(&id) => Self::Data,
            Some(_) => Self::Code,
        }
    }

    pub(crate) fn kind(&self) -> ContentKind {
        match self {
            Self::Code => ContentKind::Code,
            Self::Data => ContentKind::Data,
            Self::Document => ContentKind::Document,
            Self::Conversation(_) => ContentKind::Conversation,
            Self::Log(_) => ContentKind::Log,
        }
    }

    /// Returns the ranges of messages or records, if there are any.
    pub(crate) fn ranges(&self) -> Option<Vec<Range<usize>>> {
        match self {
            Self::Conversation(messages) => {
                Some(messages.iter().map(|one| one.range.clone()).collect())
            }
            Self::Log(records) => Some(records.iter().map(|one| one.range.clone()).collect()),
            _ => None,
        }
    }

    /// Returns the roles, the number of messages or records, and the severities in a range.
    pub(crate) fn describe(&self, part: &Range<usize>) -> (Vec<String>, usize, Option<Severities>) {
        match self {
            Self::Conversation(messages) => {
                let inside = inside(messages, part, |message| &message.range);
                let mut roles: Vec<String> = Vec::new();
                for role in inside.iter().filter_map(|message| message.role.as_ref()) {
                    if !roles.contains(role) {
                        roles.push(role.clone());
                    }
                }
                (roles, inside.len(), None)
            }
            Self::Log(records) => {
                let inside = inside(records, part, |record| &record.range);
                let severities =
                    Severities::from_severities(inside.iter().filter_map(|one| one.severity));
                (Vec::new(), inside.len(), Some(severities))
            }
            _ => (Vec::new(), 0, None),
        }
    }
}

/// Returns the items that share a byte with a range.
fn inside<'a, T>(
    all: &'a [T],
    part: &Range<usize>,
    range: impl Fn(&T) -> &Range<usize>,
) -> &'a [T] {
    let first = all.partition_point(|one| range(one).end <= part.start);
    let last = all.partition_point(|one| range(one).start < part.end);
    all.get(first..last).unwrap_or_default()
}
