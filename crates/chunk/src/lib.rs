//! Cuts a text into chunks of a limited number of tokens, at the boundaries of its contents. It
//! returns positions; the callers use the chunks.
//!
//! A strategy turns a text into nested units (`unit`): symbols, sections, messages, records. `join`
//! keeps each unit that fits, splits units that do not fit, and joins neighbours again while they
//! fit. The words around a seam decide which neighbours are joined first, and the text before does
//! not, so that an edit moves only the nearest seams.
//!
//! The caller's [`Measure`] counts tokens: the crate knows no vocabulary. Without the grammars of
//! `loom-syntax`, code is cut by its lines.
//!
//! ```
//! use std::ops::Range;
//!
//! use loom_base::{Measure, RepoPath};
//! use loom_chunk::{ChunkOptions, Strategy, chunks};
//!
//! /// Counts each byte as a token.
//! struct Bytes;
//!
//! impl Measure for Bytes {
//!     fn within(&self, before: &str, part: Range<usize>, limit: usize) -> Option<usize> {
//!         Some(before.len() + part.len()).filter(|tokens| *tokens <= limit)
//!     }
//! }
//!
//! let path = RepoPath::new("notes.txt").unwrap();
//! let options = ChunkOptions::new(Strategy::Fixed, 32, Some(0)).unwrap();
//! let text = "The first line of a text.\nThe second line.\n";
//! let found = chunks(&path, None, text, &options, &Bytes);
//! assert_eq!(found.len(), 2);
//! assert_eq!(&text[found[1].span.range()], "The second line.\n");
//! ```

mod conversation;
mod document;
mod fixed;
mod identity;
mod join;
mod json_spans;
mod kind;
mod line_starts;
mod log;
mod log_record;
mod options;
mod outline;
mod overlap;
mod pieces;
mod reassemble;
mod semantic;
mod stored;
mod symbol;
mod unit;

use std::cell::RefCell;

use loom_base::{ByteSpan, LineSpan, Measure, RepoPath};
use loom_syntax::{Language, extract};

pub use kind::ContentKind;
pub use log::Severities;
pub use log_record::Severity;
pub use options::{ChunkOptions, ChunkOptionsError, Strategy};
pub use reassemble::reassemble;

use identity::Identities;
use kind::Contents;
use line_starts::LineStarts;
use outline::Outline;
use pieces::Pieces;

/// Chunk of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChunk {
    /// Identifier, derived from the path and the chunk's own bytes: an edit in another chunk does
    /// not change it.
    pub id: String,
    /// Byte range in the text, including the overlap with the chunk before.
    pub span: ByteSpan,
    /// Number of bytes at the start that repeat the end of the chunk before.
    pub overlap: usize,
    /// Lines of `span`.
    pub lines: LineSpan,
    /// Headings of the enclosing definitions, outermost first, one per line. They are read before
    /// the chunk.
    pub context: String,
    /// Tokens of `context` and the text of `span` together.
    pub tokens: usize,
    /// The SHA-256 of the text of `span`, in hexadecimal digits.
    pub sha256: String,
    /// Kind of contents.
    pub kind: ContentKind,
    /// Qualified names of the symbols that are defined in it, without the overlap.
    pub symbols: Vec<String>,
    /// Roles in a conversation, in the order of their first message.
    pub roles: Vec<String>,
    /// Number of messages or records that it contains, completely or partly.
    pub records: usize,
    /// Severities of the records of a log.
    pub severities: Option<Severities>,
}

impl TextChunk {
    /// Returns the byte range that no earlier chunk contains.
    pub fn own(&self) -> ByteSpan {
        ByteSpan::new(self.span.start + self.overlap, self.span.end)
    }
}

/// Cuts `text`, the contents of `path`, according to the options. `measure` counts ranges of the
/// same text.
///
/// The chunks without their overlaps are together the text, byte for byte. No chunk has more tokens
/// than the options allow.
pub fn chunks(
    path: &RepoPath,
    language: Option<Language>,
    text: &str,
    options: &ChunkOptions,
    measure: &dyn Measure,
) -> Vec<TextChunk> {
    if text.is_empty() {
        return Vec::new();
    }
    let lines = LineStarts::new(text);
    let contents = Contents::detect(language, text, &lines);
    let outline = match (&contents, language) {
        (Contents::Code | Contents::Data, Some(language)) => {
            let structure = extract(language, text, &options.limits());
            semantic::outline(&structure, text, &lines)
        }
        (Contents::Document, _) => document::outline(text, &lines),
        _ => Outline::default(),
    };
    let pieces = Pieces {
        text,
        lines: &lines,
        outline: &outline,
        options,
        measure,
        records: contents.ranges(),
        contexts: RefCell::default(),
    };
    let owned = pieces.all();
    let mut identities = Identities::new(path);
    let mut previous = 0;
    let finish = |own: &std::ops::Range<usize>| {
        let (context, start, tokens) = pieces.with_overlap(previous, own);
        previous = own.start;
        let span = ByteSpan::new(start, own.end);
        let (roles, records, severities) = contents.describe(own);
        TextChunk {
            id: identities.next(&text[own.clone()]),
            span,
            overlap: own.start - start,
            lines: LineSpan::new(lines.line_of(start), lines.line_of(own.end - 1)),
            context,
            tokens,
            sha256: identity::sha256(&text[span.range()]),
            kind: contents.kind(),
            symbols: outline.names(own),
            roles,
            records,
            severities,
        }
    };
    owned.iter().map(finish).collect()
}
