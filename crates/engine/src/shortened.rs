//! What is known about a file of which something was left out: in which form it is,
//! what it had before, and which lines its lines were.

use loom_syntax::{Compressed, Elided, Level, LevelFallback, LineMap};
use loom_wire::{CompressionInfo, ElidedInfo};

/// How a file was made shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The level or the transform, by its name.
    pub form: &'static str,
    /// The tokens that the file had.
    pub tokens: usize,
    /// The lines that the file had.
    pub lines: usize,
    /// What was left out; white space is not listed.
    pub elided: Vec<Elided>,
    /// Which lines its lines were.
    pub numbers: LineMap,
    /// The level that was asked for, where a gentler one was taken, and why.
    pub gentler: Option<(Level, LevelFallback)>,
}

impl Shortened {
    /// Describes what a form left of a file that had so many tokens and lines before.
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

    /// The lines that the marks say were left out.
    pub fn elided_lines(&self) -> usize {
        self.elided.iter().map(|part| part.marked).sum()
    }

    /// The same for programs.
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
