//! What is known about one file: its language, size and tokens, and what
//! happened to it on the way.

use std::fmt;

use loom_base::{ContentHash, RepoPath};
use loom_models::Tokenizer;
use loom_syntax::Language;
use loom_wire::FileInfo;

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
    /// The most tokens that its text is taken to have: the upper end of the band
    /// where they are estimated.
    pub upper: usize,
    /// The version of its raw contents.
    pub hash: ContentHash,
    /// What happened to it on the way.
    pub notes: Vec<Note>,
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
            Self::NotebookCells => f.write_str("notebook cells without outputs"),
            Self::Gone(why) => write!(f, "could not be read again: {why}"),
            Self::Changed => f.write_str("changed after the statistics were made"),
        }
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
        upper: counted.upper(),
        path,
        hash,
        notes: Vec::new(),
    }
}

fn count_lines(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

impl FileMeta {
    /// The name that fences and programs use for its language.
    pub fn language_id(&self) -> Option<&'static str> {
        self.language.map(Language::id)
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
