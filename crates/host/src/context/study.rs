//! The analysis of one text for contexts: its candidates and their embeddings.

use loom_embed::{CodeTable, Vectors};
use loom_engine::FileSummary;
use loom_engine::context::{Cut, CutPart};
use loom_syntax::Structure;

use crate::structures::{Material, Waiting};

/// Analysis of one text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileAnalysis {
    /// Its candidates.
    pub(crate) cut: Cut,
    /// Embedding of each candidate.
    pub(crate) vectors: Vectors,
    /// Summary of the text.
    pub(crate) summary: String,
    /// Embedding of the summary.
    pub(crate) about: Vectors,
}

impl FileAnalysis {
    /// Returns the analysis of a text from the cache, or makes and caches it.
    pub(super) fn remembered(of: &Material<'_>) -> Self {
        let make = || Self::of(of.text, of.structure);
        let Some(entries) = of.entries else {
            return make();
        };
        entries.study(of.language, of.limits).unwrap_or_else(|| {
            let made = make();
            entries.keep_study(of.language, of.limits, &made);
            made
        })
    }

    /// Analyzes a text with this structure.
    pub(crate) fn of(text: &str, structure: &Structure) -> Self {
        let cut = Cut::of(text, structure);
        let mut vectors = Vectors::new(CodeTable::DIMENSIONS);
        let mut lines = text.split_inclusive('\n');
        let mut start = 0;
        for part in &cut.parts {
            let count = (part.last + 1 - part.first) as usize;
            let bytes: usize = lines.by_ref().take(count).map(str::len).sum();
            vectors.push(&CodeTable.vector(&text[start..start + bytes]));
            start += bytes;
        }
        let summary = FileSummary::of(text, structure).line();
        let mut about = Vectors::new(CodeTable::DIMENSIONS);
        about.push(&CodeTable.vector(&summary));
        Self {
            cut,
            vectors,
            summary,
            about,
        }
    }
}

impl Waiting for FileAnalysis {
    fn held_bytes(&self) -> usize {
        let part = |one: &CutPart| size_of::<CutPart>() + size_of_val(one.terms.as_slice());
        let parts: usize = self.cut.parts.iter().map(part).sum();
        let vectors = (self.vectors.len() + self.about.len()) * CodeTable::DIMENSIONS;
        parts + size_of_val(self.cut.symbols.as_slice()) + vectors + self.summary.capacity()
    }
}
