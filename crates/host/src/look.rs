//! What a text looks like, as far as it decides whether and how the text is shown.

use loom_base::RepoPath;
use loom_base::codec::{Reader, Writer};
use loom_engine::{Contents, Note, cells, inspect, is_minified};
use loom_source::{Decoded, FoundFile, Reason};
use loom_syntax::Language;

use crate::PackOptions;

/// What a text looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    is_pointer: bool,
    is_earlier_pack: bool,
    is_minified: bool,
    is_notebook: bool,
    /// The encoding, where it is not plain UTF-8.
    encoding: Option<String>,
    /// Places that could not be decoded.
    replaced: usize,
    pub(crate) language: Option<Language>,
    pub(crate) lines: usize,
    pub(crate) bytes: usize,
}

impl Look {
    /// Inspects a decoded text; of a notebook, its `cells`.
    pub(crate) fn of(path: &RepoPath, decoded: &Decoded, cells: Option<&str>) -> Self {
        let encoding = match decoded.encoding.is_plain() {
            true => None,
            false => Some(decoded.encoding.to_string()),
        };
        let text = cells.unwrap_or(&decoded.text);
        let contents = inspect(text);
        let language = Language::detect(path, text);
        let lines = line_count(text);
        Self {
            is_pointer: contents == Contents::LfsPointer,
            is_earlier_pack: contents == Contents::EarlierPack,
            is_minified: is_minified(language.map(Language::id), text, lines),
            is_notebook: cells.is_some(),
            encoding,
            replaced: decoded.replaced,
            language,
            lines,
            bytes: text.len(),
        }
    }

    /// The reason for which the file is left out, if there is one.
    pub(crate) fn left_out(&self, file: &FoundFile, options: &PackOptions) -> Option<Reason> {
        // Whoever asks for an earlier pack by name gets it.
        let guesses = options.scan.default_ignore && !file.wanted;
        if self.is_pointer {
            Some(Reason::LfsPointer)
        } else if self.is_earlier_pack && !file.wanted {
            Some(Reason::EarlierPack)
        } else if self.is_minified && guesses {
            Some(Reason::Minified)
        } else {
            None
        }
    }

    /// In what the text differs from the file.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        notes.extend(self.encoding.clone().map(Note::Encoding));
        if self.replaced > 0 {
            notes.push(Note::Replaced(self.replaced));
        }
        if self.is_notebook {
            notes.push(Note::NotebookCells);
        }
        notes
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        out.flag(self.is_pointer).flag(self.is_earlier_pack);
        out.flag(self.is_minified).flag(self.is_notebook);
        out.optional_text(self.encoding.as_deref());
        out.size(self.replaced);
        out.optional_text(self.language.map(Language::id));
        out.size(self.lines).size(self.bytes);
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            is_pointer: from.flag()?,
            is_earlier_pack: from.flag()?,
            is_minified: from.flag()?,
            is_notebook: from.flag()?,
            encoding: from.optional_text()?.map(str::to_owned),
            replaced: from.size()?,
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
pub(crate) fn cells_of(path: &RepoPath, text: &str) -> Option<String> {
    match path.extension() {
        Some(b"ipynb") => cells(text),
        _ => None,
    }
}

/// The lines of a text.
pub(crate) fn line_count(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// In what a decoded text differs from the bytes that it had.
pub(crate) fn notes_of(decoded: &Decoded) -> Vec<Note> {
    let mut notes = Vec::new();
    if !decoded.encoding.is_plain() {
        notes.push(Note::Encoding(decoded.encoding.to_string()));
    }
    if decoded.replaced > 0 {
        notes.push(Note::Replaced(decoded.replaced));
    }
    notes
}
