//! A file as somebody may see it: without its secrets, whole or as few lines.

use loom_secrets::{Numbers as SecretNumbers, Replaced, redact};
use loom_source::{FoundFile, Reason};
use loom_syntax::{Compression, Language, Level, compress};

use super::Searcher;
use crate::RepoPath;
use crate::load::load;
use crate::reading::FileReader;

/// The text of a file, line by line, without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownText {
    /// The file.
    pub path: RepoPath,
    /// The identifier of its language, where it is known.
    pub language: Option<&'static str>,
    /// Its lines without their ends, each with its number in the file; one that stands
    /// for several has the number of the first.
    pub lines: Vec<(usize, String)>,
    /// How many lines the file has.
    pub total: usize,
}

impl Searcher {
    /// Returns the redacted text of the file at a path as somebody typed it, at a level of
    /// compression. Texts that share `numbers` have the same placeholder for the same secret.
    /// `None` if the source has no such text.
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

    /// Why a file that is there has no text that could be shown; `None` where it has one,
    /// or there is none.
    pub fn why_no_text(&self, typed: &str) -> Option<Reason> {
        let found = &self.files[self.number(typed)?];
        let reader = FileReader::uncached(&self.packer, &self.unread);
        load(reader.file(found, 0)).err()
    }

    /// How many files are larger than what is read, and what that is in bytes.
    pub fn too_large(&self) -> (usize, u64) {
        let limit = self.packer.options.max_file_size;
        let is_larger = |file: &&FoundFile| file.stamp().is_some_and(|stamp| stamp.size > limit);
        (self.files.iter().filter(is_larger).count(), limit)
    }

    /// The paths of all files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.files.iter().map(|file| &file.path)
    }
}
