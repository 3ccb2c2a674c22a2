//! From a file on disk to its description and text, or to the one reason for
//! which it is left out.

use std::sync::Arc;

use loom_base::ContentHash;
use loom_engine::{Contents, FileMeta, Note, cells, describe, inspect, is_minified};
use loom_secrets::{Finding, Replaced};
use loom_source::{Decoded, FoundFile, Reading, Reason, Source, decode};
use loom_syntax::Language;

use crate::PackOptions;

/// A file that was read.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub(crate) meta: FileMeta,
    pub(crate) text: String,
    /// The secrets in its text.
    pub(crate) findings: Vec<Finding>,
    /// What was taken out of it.
    pub(crate) replaced: Arc<[Replaced]>,
}

/// What a second read found.
pub(crate) enum Again {
    /// The same contents: their text.
    Same(String),
    /// Other contents.
    Changed(Loaded),
}

/// Reads, decodes and describes one file of at most `limit` bytes.
pub(crate) fn load(
    source: &Source,
    options: &PackOptions,
    file: &FoundFile,
    limit: u64,
) -> Result<Loaded, Reason> {
    options.shorten.excludes(&file.path)?;
    let reading = source.read(file, limit)?;
    describe_reading(reading, options, file)
}

/// Reads a file whose contents had the hash `known`. Unchanged contents are not
/// counted and described again.
pub(crate) fn load_again(
    source: &Source,
    options: &PackOptions,
    file: &FoundFile,
    known: ContentHash,
) -> Result<Again, Reason> {
    let reading = source.read(file, options.max_file_size)?;
    if reading.hash != known {
        return describe_reading(reading, options, file).map(Again::Changed);
    }
    let decoded = decode(reading.bytes).map_err(|_| Reason::Binary)?;
    Ok(Again::Same(without_outputs(file, decoded.text).0))
}

fn describe_reading(
    reading: Reading,
    options: &PackOptions,
    file: &FoundFile,
) -> Result<Loaded, Reason> {
    let hash = reading.hash;
    let Shown { text, notes } = shown(reading, options, file)?;
    let tokenizer = options.model.tokenizer;
    let mut meta = describe(file.path.clone(), &text, hash, tokenizer);
    meta.notes = notes;
    let findings = options.secrets.scan(&meta.path, &text);
    Ok(Loaded {
        meta,
        text,
        findings,
        replaced: Arc::default(),
    })
}

/// The text of a file as it is shown, before secrets are taken out.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) text: String,
    /// In what it differs from the file.
    pub(crate) notes: Vec<Note>,
}

/// Decodes what was read, and leaves out what nobody wants to read.
pub(crate) fn shown(
    reading: Reading,
    options: &PackOptions,
    file: &FoundFile,
) -> Result<Shown, Reason> {
    let decoded = decode(reading.bytes).map_err(|_| Reason::Binary)?;
    let mut notes = notes_of(&decoded);
    let (text, is_notebook) = without_outputs(file, decoded.text);
    notes.extend(is_notebook);
    match inspect(&text) {
        Contents::Text => {}
        Contents::LfsPointer => return Err(Reason::LfsPointer),
        Contents::EarlierPack if !file.wanted => return Err(Reason::EarlierPack),
        // Whoever asks for an earlier pack by name gets it.
        Contents::EarlierPack => {}
    }
    let guess = options.scan.default_ignore && !file.wanted;
    if guess {
        let language = Language::detect(&file.path, &text).map(Language::id);
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let lines = ends + usize::from(!text.is_empty() && !text.ends_with('\n'));
        if is_minified(language, &text, lines) {
            return Err(Reason::Minified);
        }
    }
    Ok(Shown { text, notes })
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

fn without_outputs(file: &FoundFile, text: String) -> (String, Option<Note>) {
    if file.path.extension() != Some(b"ipynb") {
        return (text, None);
    }
    match cells(&text) {
        Some(cells) => (cells, Some(Note::NotebookCells)),
        None => (text, None),
    }
}
