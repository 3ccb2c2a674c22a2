//! Serialisation of a corpus: numbers and names to separate outputs, as in
//! [`loom_program::Program::write`], and its columns unchanged.

use std::ops::Range;

use loom_base::codec::{Reader, Writer};
use loom_base::{Column, RepoPath};
use loom_program::{FileId, Program, Use};
use loom_search::is_aside;
use loom_syntax::Language;

use super::corpus::{Corpus, CorpusFile, CorpusPart, by_name};
use super::cut::FIELDS;
use super::past::{Past, PastCommit};
use crate::FileRole;

/// Columns of a corpus, which a caller stores and maps unchanged.
#[derive(Clone, Debug)]
pub struct CorpusColumns {
    /// The parts of all files.
    pub parts: Column<CorpusPart>,
    /// Terms of all parts.
    pub keys: Column<u32>,
    /// Counts of a term in each field of a part.
    pub counts: Column<[u8; FIELDS]>,
    /// Uses of names in all files.
    pub uses: Column<Use>,
}

impl Corpus {
    /// Returns the columns, which [`Self::write`] does not write.
    pub fn columns(&self) -> CorpusColumns {
        CorpusColumns {
            parts: self.parts.clone(),
            keys: self.keys.clone(),
            counts: self.counts.clone(),
            uses: self.program.use_column().clone(),
        }
    }

    /// Writes everything except the columns.
    pub fn write(&self, out: &mut Writer, texts: &mut Writer) {
        out.size(self.files.len());
        for file in &self.files {
            write_file(out, file);
        }
        out.numbers(&self.of_program);
        self.program.write(out, texts);
    }

    /// Reads a corpus with these columns. Returns `None` if the bytes are invalid.
    pub fn read(
        from: &mut Reader<'_>,
        texts: &mut Reader<'_>,
        columns: CorpusColumns,
    ) -> Option<Self> {
        let count = from.count()?;
        let mut files = Vec::with_capacity(count);
        for _ in 0..count {
            files.push(read_file(from)?);
        }
        let of_program = from.numbers()?;
        let program = Program::read(from, texts, columns.uses)?;
        let corpus = Self {
            by_name: by_name(&files),
            files,
            parts: columns.parts,
            program,
            keys: columns.keys,
            counts: columns.counts,
            of_program,
        };
        corpus.is_whole().then_some(corpus)
    }

    /// Returns true if all indices are valid.
    fn is_whole(&self) -> bool {
        let files = self.files.len() as u32;
        let ends = self.parts.iter().map(|part| part.terms_end);
        self.keys.len() == self.counts.len()
            && ends.clone().is_sorted()
            && ends.max().unwrap_or(0) as usize == self.keys.len()
            && self.parts_follow_files()
            && self.files_match_program()
            && self.of_program.len() == self.program.file_count()
            && self.of_program.iter().all(|file| *file < files)
    }

    /// Returns whether the files divide the parts among them, one after the other.
    fn parts_follow_files(&self) -> bool {
        let mut end = 0;
        for (number, file) in (0..).zip(&self.files) {
            let parts = self.parts.get(end..file.parts.end as usize);
            let is_own = |parts: &[CorpusPart]| parts.iter().all(|part| part.file == number);
            if file.parts.start as usize != end || !parts.is_some_and(is_own) {
                return false;
            }
            end = file.parts.end as usize;
        }
        end == self.parts.len()
    }

    /// Returns whether each file of the program is that file of the corpus.
    fn files_match_program(&self) -> bool {
        let own = |id: FileId| self.of_program.get(id.0 as usize).copied();
        let matches = |(number, file): (u32, &CorpusFile)| {
            file.program.is_none_or(|id| own(id) == Some(number))
        };
        (0..).zip(&self.files).all(matches)
    }
}

impl Past {
    /// Writes the history.
    pub fn write(&self, out: &mut Writer) {
        out.size(self.commits.len());
        for commit in &self.commits {
            out.numbers(&commit.terms).numbers(&commit.files);
        }
    }

    /// Reads a written history.
    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut commits = Vec::new();
        for _ in 0..from.count()? {
            commits.push(PastCommit {
                terms: from.numbers()?,
                files: from.numbers()?,
            });
        }
        Some(Self { commits })
    }
}

fn write_file(out: &mut Writer, file: &CorpusFile) {
    out.bytes(file.path.as_bytes());
    out.optional_text(file.language.map(Language::id));
    out.number(file.lines.into());
    out.number(file.parts.start.into())
        .number(file.parts.end.into());
    for keys in [&file.stem, &file.folders, &file.called, &file.symbols] {
        out.numbers(keys);
    }
    out.optional(file.program.map(|id| id.0 as usize));
}

fn read_file(from: &mut Reader<'_>) -> Option<CorpusFile> {
    let path = RepoPath::new(from.bytes()?).ok()?;
    let language = match from.optional_text()? {
        Some(id) => Some(Language::from_id(id)?),
        None => None,
    };
    Some(CorpusFile {
        language,
        kind: FileRole::of_path(&path, language.map(Language::id)),
        is_aside: is_aside(&path.display()),
        path,
        lines: small(from)?,
        parts: Range {
            start: small(from)?,
            end: small(from)?,
        },
        stem: from.numbers()?,
        folders: from.numbers()?,
        called: from.numbers()?,
        symbols: from.numbers()?,
        program: match from.optional()? {
            Some(id) => Some(FileId(u32::try_from(id).ok()?)),
            None => None,
        },
    })
}

fn small(from: &mut Reader<'_>) -> Option<u32> {
    u32::try_from(from.number()?).ok()
}
