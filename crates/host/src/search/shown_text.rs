//! The redacted text of a file as a user may see it: whole or compressed.

use loom_secrets::{Numbers as SecretNumbers, Replaced, redact};
use loom_source::{FoundFile, Reason};
use loom_syntax::{Compression, Language, Level, compress};

use super::Searcher;
use crate::RepoPath;
use crate::load::load;
use crate::reading::FileReader;

/// The redacted text of a file, line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownText {
    /// Path of the file.
    pub path: RepoPath,
    /// Identifier of its language, if known.
    pub language: Option<&'static str>,
    /// Lines without their line endings, each with its number in the file. A line that represents
    /// several has the number of the first.
    pub lines: Vec<(usize, String)>,
    /// Number of lines in the file.
    pub total: usize,
}

impl Searcher {
    /// Returns the redacted text of the file at a path that the user typed, at a compression level.
    /// Texts that share `numbers` have the same placeholder for the same secret. Returns `None` if
    /// the source has no such text.
    pub fn shown_text(
        &self,
        typed: &str,
        level: Level,
        numbers: &mut SecretNumbers,
    ) -> Option<ShownText> {
        let code = self.code(self.number(typed)?)?;
        let (path, language) = (code.path, code.language);
        let text = match code.findings.is_empty() || !code.hides {
            true => code.text,
            false => {
                let plan = Replaced::plan(&code.text, &code.findings, numbers);
                redact(&code.text, &plan)
            }
        };
        let total = text.lines().count();
        let (text, numbers) = match level {
            Level::None => (text, None),
            level => {
                let how = Compression::at(level);
                let limits = self.packer.options.parse_limits();
                let short = self
                    .packer
                    .parsing(text.len(), || compress(language, &text, &how, &limits));
                (short.text, Some(short.lines))
            }
        };
        let number = |at: usize| match &numbers {
            Some(numbers) => numbers.original(at + 1),
            None => at + 1,
        };
        let lines = text.lines().enumerate();
        Some(ShownText {
            path,
            language: language.map(Language::id),
            lines: lines
                .map(|(at, line)| (number(at), line.to_owned()))
                .collect(),
            total,
        })
    }

    /// Returns the reason why an existing file has no text to show. Returns `None` if it has one,
    /// or does not exist.
    pub fn why_no_text(&self, typed: &str) -> Option<Reason> {
        let found = &self.files[self.number(typed)?];
        let reader = FileReader::uncached(&self.packer, &self.unread);
        load(reader.file(found, 0)).err()
    }

    /// Returns the number of files above the size limit, and that limit in bytes.
    pub fn too_large(&self) -> (usize, u64) {
        let limit = self.packer.options.max_file_size;
        let is_larger = |file: &&FoundFile| file.stamp().is_some_and(|stamp| stamp.size > limit);
        (self.files.iter().filter(is_larger).count(), limit)
    }

    /// Returns the paths of all files in order.
    pub fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.files.iter().map(|file| &file.path)
    }
}
