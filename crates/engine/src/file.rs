//! Metadata of one file: language, size, tokens, and how it was processed.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_models::Tokenizer;
use loom_syntax::Language;
use loom_wire::FileInfo;

use crate::{Marks, Shortened};

/// A file without its text.
#[derive(Clone, Debug)]
pub struct FileMeta {
    /// Its path.
    pub path: RepoPath,
    /// Its language, if known.
    pub language: Option<Language>,
    /// Number of lines; a last line without a newline counts.
    pub lines: usize,
    /// Bytes of its text.
    pub bytes: usize,
    /// Tokens of its text.
    pub tokens: usize,
    /// Lower bound of its tokens: the lower end of the range if they are estimated.
    pub lower: usize,
    /// Upper bound of its tokens: the upper end of the range if they are estimated.
    pub upper: usize,
    /// Hash of its raw contents.
    pub hash: ContentHash,
    /// Number of its first line: 1 unless it is a part of a file.
    pub first_line: usize,
    /// Notes for the reader about its processing.
    pub notes: Vec<Note>,
    /// Changes to mark in its text, if requested.
    pub marks: Option<Arc<Marks>>,
    /// How it was compressed, if requested.
    pub shortened: Option<Arc<Shortened>>,
}

/// A fact that the reader of the text needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The original encoding of a file that was not plain UTF-8.
    Encoding(String),
    /// Number of sequences that could not be decoded.
    Replaced(usize),
    /// The cells of a notebook, without their outputs.
    NotebookCells,
    /// Number of secrets that were redacted.
    Redacted(usize),
    /// Parts of it were elided.
    Shortened {
        /// Name of the level or the transform.
        form: &'static str,
        /// Number of elided lines, according to its markers.
        lines: usize,
    },
    /// A part of each of its lines was elided.
    ShortenedLines {
        /// Name of the level.
        form: &'static str,
        /// Original number of lines.
        lines: usize,
    },
    /// Its lines start with marks that show changes.
    Marked,
    /// The marked changes add the file.
    New,
    /// The text consists of these lines of the file.
    Lines {
        /// First line.
        first: usize,
        /// Last line.
        last: usize,
        /// Number of lines of the file.
        total: usize,
    },
    /// It was selected for a query.
    Chosen {
        /// Score relative to the best, in percent.
        percent: u32,
        /// Names of the reasons, the most important first.
        why: Vec<&'static str>,
    },
    /// It changed after the statistics were computed.
    Changed,
    /// It could not be read a second time, for this reason.
    Gone(String),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding(name) => write!(f, "decoded from {name}"),
            Self::Replaced(1) => f.write_str("1 broken character replaced"),
            Self::Replaced(count) => write!(f, "{count} broken characters replaced"),
            Self::Redacted(1) => f.write_str("1 secret redacted"),
            Self::Redacted(count) => write!(f, "{count} secrets redacted"),
            Self::NotebookCells => f.write_str("notebook cells without outputs"),
            Self::Shortened { form, lines: 0 } => {
                write!(f, "{form}: only white space and short comments left out")
            }
            Self::Shortened { form, lines: 1 } => write!(f, "{form}: 1 line left out"),
            Self::Shortened { form, lines } => write!(f, "{form}: {lines} lines left out"),
            Self::ShortenedLines { form, lines: 1 } => {
                write!(f, "{form}: parts of 1 line left out")
            }
            Self::ShortenedLines { form, lines } => {
                write!(f, "{form}: parts of {lines} lines left out")
            }
            Self::Marked => f.write_str("changes marked"),
            Self::New => f.write_str("new file"),
            Self::Lines { first, last, total } => write!(f, "lines {first} to {last} of {total}"),
            Self::Chosen { percent, why } => {
                write!(f, "score {}.{:02}", percent / 100, percent % 100)?;
                match why.is_empty() {
                    true => Ok(()),
                    false => write!(f, ": {}", why.join(", ")),
                }
            }
            Self::Gone(why) => write!(f, "could not be read again: {why}"),
            Self::Changed => f.write_str("changed after the statistics were made"),
        }
    }
}

/// Maximum number of reasons in a note.
const REASONS: usize = 3;

impl Note {
    /// Creates the note of a selected piece with its score and the names of the reasons.
    pub(crate) fn chosen(score: f64, reasons: impl Iterator<Item = &'static str>) -> Self {
        let mut why: Vec<&'static str> = Vec::new();
        for reason in reasons {
            if why.len() < REASONS && !why.contains(&reason) {
                why.push(reason);
            }
        }
        Self::Chosen {
            percent: (score * 100.0).round() as u32,
            why,
        }
    }

    pub(crate) fn is_lines(&self) -> bool {
        matches!(self, Self::Lines { .. })
    }
}

/// Describes a file with the decoded text `text`.
///
/// The token count is the expected value if the tokenizer estimates.
pub fn describe(
    path: RepoPath,
    text: &str,
    hash: ContentHash,
    tokenizer: impl Into<Tokenizer>,
) -> FileMeta {
    let counted = tokenizer.into().count(text);
    FileMeta {
        language: Language::detect(&path, text),
        lines: count_lines(text),
        bytes: text.len(),
        tokens: counted.likely(),
        lower: counted.lower(),
        upper: counted.upper(),
        path,
        hash,
        first_line: 1,
        notes: Vec::new(),
        marks: None,
        shortened: None,
    }
}

pub(crate) fn count_lines(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

impl FileMeta {
    /// Returns the identifier of its language for code fences and programs.
    pub fn language_id(&self) -> Option<&'static str> {
        self.language.map(Language::id)
    }

    /// Returns the name of its language for people.
    pub(crate) fn language_name(&self) -> &'static str {
        self.language.map_or("Other", Language::name)
    }

    /// Adds the marks of changes to the output text `shown`, if there are any.
    pub fn with_marks<'a>(&self, shown: Cow<'a, str>) -> Cow<'a, str> {
        match &self.marks {
            Some(marks) => Cow::Owned(marks.apply(&shown, self.first_line)),
            None => shown,
        }
    }

    /// Returns true if markers in the text represent elided lines.
    pub(crate) fn has_marks_for_lines(&self) -> bool {
        self.notes.iter().any(|note| {
            matches!(
                note,
                Note::Shortened { lines: 1.., .. } | Note::ShortenedLines { .. }
            )
        })
    }

    /// Returns the number in the file of a line of this text, which is counted from 0.
    pub fn number_of(&self, line: usize) -> usize {
        let line = self.first_line + line;
        match &self.shortened {
            Some(shortened) => shortened.numbers.original(line),
            None => line,
        }
    }

    /// Returns the number of lines of the whole file, of which this may be a part.
    pub fn whole_lines(&self) -> usize {
        let total = |note: &Note| match note {
            Note::Lines { total, .. } => Some(*total),
            _ => None,
        };
        self.notes.iter().find_map(total).unwrap_or(self.lines)
    }

    /// Joins all notes to one phrase.
    pub fn note(&self) -> Option<String> {
        let notes: Vec<_> = self.notes.iter().map(ToString::to_string).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Converts the metadata for programs.
    pub fn to_wire(&self) -> FileInfo {
        FileInfo {
            path: self.path.display().into_owned(),
            language: self.language_id().map(str::to_owned),
            lines: self.lines,
            tokens: self.tokens,
            note: self.note(),
            compression: self.shortened.as_ref().map(|how| how.to_wire()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)] {
            assert_eq!(count_lines(text), lines, "{text:?}");
        }
    }
}
