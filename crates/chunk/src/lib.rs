//! Cuts a text into chunks that fit a number of tokens, at the places where its
//! contents allow it. Says where; what is done with the chunks is told elsewhere.
//!
//! A strategy turns a text into nested units (`unit`): symbols, sections, messages,
//! records. `join` keeps each unit that fits whole, takes apart what does not fit, and
//! joins neighbours again while they fit. Which neighbours are joined first depends on
//! the words around the seam and not on what lies before, so that an edit moves only
//! the seams beside it.
//!
//! Tokens are counted by the caller's [`Measure`]: the crate knows no vocabulary. Without
//! the grammars of `loom-syntax` code is cut by the outline of its lines.
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

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChunk {
    /// Depends on the path and on the bytes that only this chunk has: an edit in
    /// another chunk leaves it.
    pub id: String,
    /// Its bytes in the text, with those that repeat the chunk before it.
    pub span: ByteSpan,
    /// How many bytes at its start repeat the end of the chunk before it.
    pub overlap: usize,
    /// The lines of `span`.
    pub lines: LineSpan,
    /// What it lies in, outermost first, a line each: to be read before the chunk.
    pub context: String,
    /// The tokens of `context` and the text of `span` together.
    pub tokens: usize,
    /// The SHA-256 of the text of `span`, in hexadecimal digits.
    pub sha256: String,
    /// What it is.
    pub kind: ContentKind,
    /// What is defined in it, without the overlap, by qualified names.
    pub symbols: Vec<String>,
    /// Who speaks in a conversation, in the order of their first message.
    pub roles: Vec<String>,
    /// How many messages or records it holds or is a part of.
    pub records: usize,
    /// How severe the records of a log are.
    pub severities: Option<Severities>,
}

impl TextChunk {
    /// The bytes that no chunk before it has.
    pub fn own(&self) -> ByteSpan {
        ByteSpan::new(self.span.start + self.overlap, self.span.end)
    }
}

/// Cuts `text`, the contents of `path`, as the options say. `measure` counts parts of
/// that very text.
///
/// The parts of the chunks without their overlaps are the text, byte for byte. None has
/// more tokens than the options allow.
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
    let lines = LineStarts::of(text);
    let contents = Contents::of(language, text, &lines);
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
        let (roles, records, severities) = contents.told(own);
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
