//! A corpus as bytes: numbers to one place, names to another, as in
//! [`loom_syntax::Program::write`].

use std::ops::Range;

use loom_base::RepoPath;
use loom_base::codec::{Reader, Writer};
use loom_search::is_aside;
use loom_syntax::{FileId, Language, Program};

use super::corpus::{Corpus, CorpusFile, CorpusPart, by_name};
use super::cut::{DocLines, FIELDS};
use super::past::{Past, PastCommit};
use crate::Kind;

/// Numbers of a part.
const PART: usize = 14;

impl Corpus {
    /// Writes it.
    pub fn write(&self, out: &mut Writer, texts: &mut Writer) {
        out.size(self.files.len());
        for file in &self.files {
            write_file(out, file);
        }
        let parts: Vec<u32> = self.parts.iter().flat_map(part).collect();
        out.numbers(&parts).numbers(&self.keys);
        out.bytes(self.counts.as_flattened());
        out.numbers(&self.of_program);
        self.program.write(out, texts);
    }

    /// Reads what was written; `None` where it is something else.
    pub fn read(from: &mut Reader<'_>, texts: &mut Reader<'_>) -> Option<Self> {
        let count = from.count()?;
        let mut files = Vec::with_capacity(count);
        for _ in 0..count {
            files.push(read_file(from)?);
        }
        let parts = from.numbers()?;
        let parts: Vec<CorpusPart> = parts.as_chunks::<PART>().0.iter().map(read_part).collect();
        let keys = from.numbers()?;
        let counts = from.bytes()?.as_chunks::<FIELDS>().0.to_vec();
        let of_program = from.numbers()?;
        let program = Program::read(from, texts)?;
        let corpus = Self {
            by_name: by_name(&files),
            files,
            parts,
            program,
            keys,
            counts,
            of_program,
        };
        corpus.is_whole().then_some(corpus)
    }

    /// Whether all numbers of one place mean something in the others.
    fn is_whole(&self) -> bool {
        let (files, parts) = (self.files.len() as u32, self.parts.len() as u32);
        let ends = self.parts.iter().map(|part| part.terms_end);
        self.keys.len() == self.counts.len()
            && ends.clone().is_sorted()
            && ends.max().unwrap_or(0) as usize == self.keys.len()
            && self.parts.iter().all(|part| part.file < files)
            && self
                .files
                .iter()
                .all(|file| file.parts.start <= file.parts.end && file.parts.end <= parts)
            && self.of_program.len() == self.program.file_count()
            && self.of_program.iter().all(|file| *file < files)
    }
}

impl Past {
    /// Writes it.
    pub fn write(&self, out: &mut Writer) {
        out.size(self.commits.len());
        for commit in &self.commits {
            out.numbers(&commit.terms).numbers(&commit.files);
        }
    }

    /// Reads what was written.
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
        kind: Kind::of_path(&path, language.map(Language::id)),
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

fn part(one: &CorpusPart) -> [u32; PART] {
    [
        one.file,
        one.first,
        one.last,
        one.bytes,
        one.symbol.map_or(0, |symbol| symbol.saturating_add(1)),
        u32::from(one.is_whole),
        one.name_line,
        one.doc.first,
        one.doc.last,
        one.doc.bytes,
        one.words[0],
        one.words[1],
        one.words[2],
        one.terms_end,
    ]
}

fn read_part(row: &[u32; PART]) -> CorpusPart {
    let [file, first, last, bytes, symbol, is_whole, name_line, ..] = *row;
    let [
        ..,
        doc_first,
        doc_last,
        doc_bytes,
        text,
        names,
        docs,
        terms_end,
    ] = *row;
    CorpusPart {
        file,
        first,
        last,
        bytes,
        symbol: symbol.checked_sub(1),
        is_whole: is_whole == 1,
        name_line,
        doc: DocLines {
            first: doc_first,
            last: doc_last,
            bytes: doc_bytes,
        },
        words: [text, names, docs],
        terms_end,
    }
}

fn small(from: &mut Reader<'_>) -> Option<u32> {
    u32::try_from(from.number()?).ok()
}
