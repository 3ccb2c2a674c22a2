//! What is known about one file: its language, size and tokens, and what
//! happened to it on the way.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_models::Tokenizer;
use loom_syntax::Language;
use loom_wire::FileInfo;

use crate::{Marks, Shortened};

/// One file, without its text.
#[derive(Clone, Debug)]
pub struct FileMeta {
    /// Its path.
    pub path: RepoPath,
    /// Its language, where it is known.
    pub language: Option<Language>,
    /// Its lines; a last line without a line end counts.
    pub lines: usize,
    /// The bytes of its text.
    pub bytes: usize,
    /// The tokens of its text.
    pub tokens: usize,
    /// The least tokens that its text is taken to have: the lower end of the band
    /// where they are estimated.
    pub lower: usize,
    /// The most tokens that its text is taken to have: the upper end of the band
    /// where they are estimated.
    pub upper: usize,
    /// The version of its raw contents.
    pub hash: ContentHash,
    /// The number of its first line: 1 unless it is a part of a file.
    pub first_line: usize,
    /// What happened to it on the way.
    pub notes: Vec<Note>,
    /// What changed in it, where that is to be shown.
    pub marks: Option<Arc<Marks>>,
    /// How it was made shorter, where that was asked for.
    pub shortened: Option<Arc<Shortened>>,
}

/// Something that a reader of the text has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The file was not plain UTF-8; the encoding it had.
    Encoding(String),
    /// So many places could not be decoded.
    Replaced(usize),
    /// A notebook: its cells without their outputs.
    NotebookCells,
    /// So many secrets were taken out of it.
    Redacted(usize),
    /// Something was left out of it.
    Shortened {
        /// The level or the transform.
        form: &'static str,
        /// How many lines its marks say were left out.
        lines: usize,
    },
    /// Something of each of its lines was left out.
    ShortenedLines {
        /// The level.
        form: &'static str,
        /// How many lines it had.
        lines: usize,
    },
    /// Its lines start with marks that show what changed.
    Marked,
    /// It was not there before the changes that are marked.
    New,
    /// Only these lines of the file are here.
    Lines {
        /// The first.
        first: usize,
        /// The last.
        last: usize,
        /// How many the file has.
        total: usize,
    },
    /// It was chosen for a question.
    Chosen {
        /// How well it fits against the best, in percent.
        percent: u32,
        /// Why, the weightiest first.
        why: Vec<&'static str>,
    },
    /// It changed after the statistics were made.
    Changed,
    /// It could not be read a second time; why.
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

/// Reasons that a note tells.
const REASONS: usize = 3;

impl Note {
    /// Says that something was chosen with this score, for the reasons of these names.
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

/// Describes a file whose decoded text is `text`.
///
/// Tokens are the likely figure where the tokenizer estimates.
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
    /// The name that fences and programs use for its language.
    pub fn language_id(&self) -> Option<&'static str> {
        self.language.map(Language::id)
    }

    /// The name of its language for people.
    pub(crate) fn language_name(&self) -> &'static str {
        self.language.map_or("Other", Language::name)
    }

    /// The text as it is shown, `shown`, with marks where changes are marked.
    pub fn with_marks<'a>(&self, shown: Cow<'a, str>) -> Cow<'a, str> {
        match &self.marks {
            Some(marks) => Cow::Owned(marks.apply(&shown, self.first_line)),
            None => shown,
        }
    }

    /// Returns true if marks in it stand for lines that were left out.
    pub(crate) fn has_marks_for_lines(&self) -> bool {
        self.notes.iter().any(|note| {
            matches!(
                note,
                Note::Shortened { lines: 1.., .. } | Note::ShortenedLines { .. }
            )
        })
    }

    /// The number of a line, counted from 0 in the text that is here, in the file.
    pub fn number_of(&self, line: usize) -> usize {
        let line = self.first_line + line;
        match &self.shortened {
            Some(shortened) => shortened.numbers.original(line),
            None => line,
        }
    }

    /// The lines of the whole file, of which this may be a part.
    pub fn whole_lines(&self) -> usize {
        let total = |note: &Note| match note {
            Note::Lines { total, .. } => Some(*total),
            _ => None,
        };
        self.notes.iter().find_map(total).unwrap_or(self.lines)
    }

    /// All notes as one phrase.
    pub fn note(&self) -> Option<String> {
        let notes: Vec<_> = self.notes.iter().map(ToString::to_string).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// The same for programs.
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
