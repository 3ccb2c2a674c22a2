//! Result of compressing a file: its level, its original size, and the original numbers of its
//! lines.

use loom_syntax::{Compressed, Elided, Level, LevelFallback, LineMap};
use loom_wire::{CompressionInfo, ElidedInfo};

/// How a file was compressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// Name of the level or the transform.
    pub form: &'static str,
    /// Original number of tokens.
    pub tokens: usize,
    /// Original number of lines.
    pub lines: usize,
    /// Elided parts; removed white space is not listed.
    pub elided: Vec<Elided>,
    /// Original numbers of its lines.
    pub numbers: LineMap,
    /// The requested level and the reason for the fallback, if a weaker level was used.
    pub gentler: Option<(Level, LevelFallback)>,
}

impl Shortened {
    /// Describes a compressed file whose original had these tokens and lines.
    pub fn new(form: &'static str, tokens: usize, lines: usize, compressed: &Compressed) -> Self {
        Self {
            form,
            tokens,
            lines,
            elided: compressed.elided.clone(),
            numbers: compressed.lines.clone(),
            gentler: compressed.gentler,
        }
    }

    /// Returns the number of elided lines, according to the markers.
    pub fn elided_lines(&self) -> usize {
        self.elided.iter().map(|part| part.marked).sum()
    }

    /// Converts the result for programs.
    pub fn to_wire(&self) -> CompressionInfo {
        let elided = |part: &Elided| ElidedInfo {
            what: part.what.name().to_owned(),
            first_line: part.lines.first,
            last_line: part.lines.last,
        };
        CompressionInfo {
            form: self.form.to_owned(),
            asked: self.gentler.map(|(level, _)| level.name().to_owned()),
            why: self.gentler.map(|(_, why)| why.reason().to_owned()),
            tokens_before: self.tokens,
            lines_before: self.lines,
            elided: self.elided.iter().map(elided).collect(),
        }
    }
}
