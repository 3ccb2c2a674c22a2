//! Properties of a text that decide whether and how it is shown.

use loom_base::RepoPath;
use loom_base::codec::{Reader, Writer};
use loom_syntax::Language;

use crate::contents::{Contents, inspect, is_minified};
use crate::file::Note;
use crate::notebook::cells;

/// Differences between a decoded text and its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoding {
    /// The encoding, if it is not plain UTF-8.
    pub encoding: Option<String>,
    /// Number of sequences that could not be decoded.
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

/// Properties of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextInspection {
    /// True for a pointer to contents that Git LFS stores.
    pub is_pointer: bool,
    /// True for the output of an earlier pack.
    pub is_earlier_pack: bool,
    /// True for minified code.
    pub is_minified: bool,
    is_notebook: bool,
    decoding: Decoding,
    /// Its language, if known.
    pub language: Option<Language>,
    /// Number of lines.
    pub lines: usize,
    /// Size in bytes.
    pub bytes: usize,
}

impl TextInspection {
    /// Inspects a text, or the `cells` if it is a notebook.
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

    /// Returns the differences between the text and the file as notes.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = self.decoding.notes();
        if self.is_notebook {
            notes.push(Note::NotebookCells);
        }
        notes
    }

    /// Serializes the properties.
    pub fn write(&self, out: &mut Writer) {
        out.flag(self.is_pointer).flag(self.is_earlier_pack);
        out.flag(self.is_minified).flag(self.is_notebook);
        out.optional_text(self.decoding.encoding.as_deref());
        out.size(self.decoding.replaced);
        out.optional_text(self.language.map(Language::id));
        out.size(self.lines).size(self.bytes);
    }

    /// Deserializes the properties. Returns `None` if the bytes are invalid.
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

/// Returns the cells of a notebook without their outputs; `None` for any other file.
pub fn cells_of(path: &RepoPath, text: &str) -> Option<String> {
    match path.extension() {
        Some(b"ipynb") => cells(text),
        _ => None,
    }
}

/// Counts the lines of a text.
pub fn line_count(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}
