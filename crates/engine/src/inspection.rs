//! What a text looks like, as far as it decides whether and how the text is shown.

use loom_base::RepoPath;
use loom_base::codec::{Reader, Writer};
use loom_syntax::Language;

use crate::contents::{Contents, inspect, is_minified};
use crate::file::Note;
use crate::notebook::cells;

/// In what a decoded text differs from the bytes that it had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoding {
    /// The encoding, if it is not plain UTF-8.
    pub encoding: Option<String>,
    /// Places that could not be decoded.
    pub replaced: usize,
}

impl Decoding {
    /// Returns the differences as notes.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        notes.extend(self.encoding.clone().map(Note::Encoding));
        if self.replaced > 0 {
            notes.push(Note::Replaced(self.replaced));
        }
        notes
    }
}

/// What a text looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextInspection {
    /// Whether it points to contents that Git LFS has.
    pub is_pointer: bool,
    /// Whether it is the output of an earlier pack.
    pub is_earlier_pack: bool,
    /// Whether it is minified code.
    pub is_minified: bool,
    is_notebook: bool,
    decoding: Decoding,
    /// Its language, if it is known.
    pub language: Option<Language>,
    /// Its lines.
    pub lines: usize,
    /// Its bytes.
    pub bytes: usize,
}

impl TextInspection {
    /// Inspects a text; of a notebook, its `cells`.
    pub fn new(path: &RepoPath, text: &str, cells: Option<&str>, decoding: Decoding) -> Self {
        let text = cells.unwrap_or(text);
        let contents = inspect(text);
        let language = Language::detect(path, text);
        let lines = line_count(text);
        Self {
            is_pointer: contents == Contents::LfsPointer,
            is_earlier_pack: contents == Contents::EarlierPack,
            is_minified: is_minified(language.map(Language::id), text, lines),
            is_notebook: cells.is_some(),
            decoding,
            language,
            lines,
            bytes: text.len(),
        }
    }

    /// In what the text differs from the file.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = self.decoding.notes();
        if self.is_notebook {
            notes.push(Note::NotebookCells);
        }
        notes
    }

    /// Writes it.
    pub fn write(&self, out: &mut Writer) {
        out.flag(self.is_pointer).flag(self.is_earlier_pack);
        out.flag(self.is_minified).flag(self.is_notebook);
        out.optional_text(self.decoding.encoding.as_deref());
        out.size(self.decoding.replaced);
        out.optional_text(self.language.map(Language::id));
        out.size(self.lines).size(self.bytes);
    }

    /// Reads it back.
    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            is_pointer: from.flag()?,
            is_earlier_pack: from.flag()?,
            is_minified: from.flag()?,
            is_notebook: from.flag()?,
            decoding: Decoding {
                encoding: from.optional_text()?.map(str::to_owned),
                replaced: from.size()?,
            },
            language: match from.optional_text()? {
                Some(id) => Some(Language::from_id(id)?),
                None => None,
            },
            lines: from.size()?,
            bytes: from.size()?,
        })
    }
}

/// The cells of a notebook without their outputs. `None` for any other file.
pub fn cells_of(path: &RepoPath, text: &str) -> Option<String> {
    match path.extension() {
        Some(b"ipynb") => cells(text),
        _ => None,
    }
}

/// The lines of a text.
pub fn line_count(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}
