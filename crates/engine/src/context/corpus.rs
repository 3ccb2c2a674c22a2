//! All files of a repository as the selection sees them: their parts with term counts in flat
//! columns, so that one pass answers a query.

use std::collections::HashMap;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use loom_base::{Column, ColumnBuilder, ColumnLost, RepoPath, Scratch};
use loom_program::{DefinitionId, FileId, Program};
use loom_search::{identifiers, is_aside, term_parts_in};
use loom_syntax::Language;

use super::cut::{Cut, DocLines, FIELDS, keys_in, term_key};
use crate::FileRole;

/// A file of the corpus.
#[derive(Clone, Debug)]
pub struct CorpusFile {
    /// Its path.
    pub path: RepoPath,
    /// Its language.
    pub language: Option<Language>,
    /// Role of the file.
    pub kind: FileRole,
    /// True for a test, an example or the like.
    pub is_aside: bool,
    /// Number of lines.
    pub lines: u32,
    /// Range of its parts in all parts.
    pub parts: Range<u32>,
    /// Terms of its name, and of its directories.
    pub(super) stem: Vec<u32>,
    pub(super) folders: Vec<u32>,
    /// Terms that refer to the file.
    pub(super) called: Vec<u32>,
    /// For each symbol, the part with its name, relative to the parts of the file.
    pub(super) symbols: Vec<u32>,
    /// The file's id in the program.
    pub(super) program: Option<FileId>,
}

/// A part of a file, without its terms.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct CorpusPart {
    /// Index of its file.
    pub file: u32,
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Size in bytes.
    pub bytes: u32,
    /// Index of the symbol that it is or that contains it, plus 1; 0 without one.
    pub(super) symbol: u32,
    /// 1 if it is the whole symbol, otherwise 0.
    pub(super) is_whole: u32,
    /// Line with the name of that symbol; 0 unless it is the whole symbol.
    pub name_line: u32,
    /// Long documentation in it.
    pub doc: DocLines,
    /// Number of terms in each field: the whole text, names, documentation.
    pub words: [u32; FIELDS],
    /// End of its terms in the column of all terms.
    pub(super) terms_end: u32,
}

impl CorpusPart {
    /// Returns the index in its file of the symbol that it is or that contains it.
    pub fn symbol(&self) -> Option<u32> {
        self.symbol.checked_sub(1)
    }

    /// Returns true if it is the whole symbol.
    pub fn is_whole(&self) -> bool {
        self.is_whole == 1
    }
}

/// Files of a repository, and the resolution of their names.
#[derive(Debug)]
pub struct Corpus {
    /// The files.
    pub files: Vec<CorpusFile>,
    /// Parts of all files, one file after the other.
    pub parts: Column<CorpusPart>,
    /// Name resolution.
    pub program: Program,
    pub(super) keys: Column<u32>,
    pub(super) counts: Column<[u8; FIELDS]>,
    /// Files by name.
    pub(super) by_name: HashMap<String, Vec<u32>>,
    /// Index in the corpus of each file of the program.
    pub(super) of_program: Vec<u32>,
}

/// Builds a corpus.
#[derive(Debug)]
pub struct CorpusBuilder<'a> {
    files: Vec<CorpusFile>,
    parts: ColumnBuilder<'a, CorpusPart>,
    keys: ColumnBuilder<'a, u32>,
    counts: ColumnBuilder<'a, [u8; FIELDS]>,
    of_program: Vec<u32>,
}

impl<'a> CorpusBuilder<'a> {
    /// Creates an empty builder.
    pub fn new(scratch: &'a dyn Scratch) -> Self {
        Self {
            files: Vec::new(),
            parts: ColumnBuilder::new(scratch),
            keys: ColumnBuilder::new(scratch),
            counts: ColumnBuilder::new(scratch),
            of_program: Vec::new(),
        }
    }

    /// Adds a file. Files with a language must be in the program, in the same order.
    pub fn add(&mut self, path: &RepoPath, language: Option<Language>, cut: &Cut) {
        let number = self.files.len() as u32;
        let first = self.parts.len() as u32;
        for part in &cut.parts {
            for (key, counts) in &part.terms {
                self.keys.push(*key);
                self.counts.push(*counts);
            }
            self.parts.push(CorpusPart {
                file: number,
                first: part.first,
                last: part.last,
                bytes: part.bytes,
                symbol: part.symbol.map_or(0, |symbol| symbol.saturating_add(1)),
                is_whole: part.is_whole.into(),
                name_line: part.name_line,
                doc: part.doc,
                words: part.words,
                terms_end: self.keys.len() as u32,
            });
        }
        let program = language.map(|_| {
            self.of_program.push(number);
            FileId(self.of_program.len() as u32 - 1)
        });
        let shown = path.display();
        let (folders, name) = shown.rsplit_once('/').unwrap_or(("", &shown));
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        self.files.push(CorpusFile {
            path: path.clone(),
            language,
            kind: FileRole::of_path(path, language.map(Language::id)),
            is_aside: is_aside(&shown),
            lines: cut.lines,
            parts: first..self.parts.len() as u32,
            stem: keys(if stem.is_empty() { name } else { stem }),
            folders: keys(folders),
            called: called(folders, stem),
            symbols: cut.symbols.clone(),
            program,
        });
    }

    /// Returns the corpus of all files.
    ///
    /// # Errors
    /// If the scratch space lost values.
    pub fn finish(self, program: Program) -> Result<Corpus, ColumnLost> {
        Ok(Corpus {
            by_name: by_name(&self.files),
            files: self.files,
            parts: self.parts.finish()?,
            program,
            keys: self.keys.finish()?,
            counts: self.counts.finish()?,
            of_program: self.of_program,
        })
    }
}

/// Groups the files by name.
pub(super) fn by_name(files: &[CorpusFile]) -> HashMap<String, Vec<u32>> {
    let mut by_name: HashMap<String, Vec<u32>> = HashMap::new();
    for (at, file) in files.iter().enumerate() {
        let name = String::from_utf8_lossy(file.path.file_name()).to_lowercase();
        by_name.entry(name).or_default().push(at as u32);
    }
    by_name
}

/// Names that most directories have: the directory supplies the name of the file.
const NAMELESS: &[&str] = &["index", "init", "lib", "main", "mod", "package", "readme"];

fn called(folders: &str, stem: &str) -> Vec<u32> {
    let folder = folders.rsplit('/').next().unwrap_or_default();
    let is_nameless = |stem: &str| {
        let bare = stem.trim_matches('_');
        bare.is_empty() || NAMELESS.iter().any(|one| bare.eq_ignore_ascii_case(one))
    };
    let name = if is_nameless(stem) { folder } else { stem };
    let mut keys = Vec::new();
    for identifier in identifiers(name) {
        term_parts_in(identifier, |term| keys.push(term_key(term)));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn keys(text: &str) -> Vec<u32> {
    let mut keys = Vec::new();
    keys_in(text, |key| keys.push(key));
    keys
}

impl Corpus {
    /// Returns the parts of a file.
    pub fn parts_of(&self, file: u32) -> &[CorpusPart] {
        let range = &self.files[file as usize].parts;
        &self.parts[range.start as usize..range.end as usize]
    }

    /// Returns the parts with the definitions of a name, which may include its type.
    pub fn parts_named(&self, name: &str) -> Vec<u32> {
        let mut words = name.rsplit(['.', ':', '#']).filter(|word| !word.is_empty());
        let (Some(name), owner) = (words.next(), words.next()) else {
            return Vec::new();
        };
        let fits = |id: &DefinitionId| owner.is_none() || self.program.owner(*id) == owner;
        let found = self.program.named(name).iter().copied().filter(fits);
        found.filter_map(|id| self.part_of(id)).collect()
    }

    /// Returns the part of a file with a line.
    pub(super) fn part_at(&self, file: u32, line: u32) -> Option<u32> {
        let parts = self.parts_of(file);
        let at = parts.partition_point(|part| part.last < line);
        let range = &self.files[file as usize].parts;
        (at < parts.len()).then(|| range.start + at as u32)
    }

    /// Returns the part with the name of a definition.
    pub(super) fn part_of(&self, id: DefinitionId) -> Option<u32> {
        let definition = self.program.definition(id);
        let file = *self.of_program.get(definition.file.0 as usize)?;
        let file = &self.files[file as usize];
        let part = *file.symbols.get(definition.symbol as usize)?;
        let part = file.parts.start + part;
        (part < file.parts.end).then_some(part)
    }

    /// Returns the definition that a part is, as a whole or as its header.
    pub(super) fn definition_of(&self, part: u32) -> Option<DefinitionId> {
        let part = &self.parts[part as usize];
        let file = self.files[part.file as usize].program?;
        self.program.definition_of(file, part.symbol()? as usize)
    }
}
