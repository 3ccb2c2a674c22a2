//! Where a text was cut into chunks, as bytes. It quotes the text, so it is only ever
//! kept sealed.

use loom_base::RepoPath;
use loom_base::codec::{Reader, Writer};
use loom_chunk::{ChunkOptions, ContentKind, Severities, Severity, TextChunk};
use loom_models::{Tokenizer, Vocabulary};
use loom_store::ValueKind;
use loom_syntax::Language;

use super::structure::{
    many, read_lines, read_span, read_texts, write_lines, write_span, write_texts,
};
use super::{CacheEntries, kind, variant};

const CUT: ValueKind = kind("chunks");

/// How a text was cut; `None` where that depends on more.
pub(crate) fn cut_variant(
    path: &RepoPath,
    language: Option<Language>,
    options: &ChunkOptions,
    tokenizer: Tokenizer,
) -> Option<i64> {
    if matches!(tokenizer, Tokenizer::Exact(Vocabulary::Loaded(_))) {
        return None;
    }
    let how = format!("{options:?} {tokenizer:?}");
    let language = language.map_or("", Language::id);
    Some(variant(&[
        // The ids of chunks depend on it.
        path.as_bytes(),
        language.as_bytes(),
        how.as_bytes(),
    ]))
}

impl CacheEntries<'_> {
    /// Where the text was cut before.
    pub(crate) fn cut(self, variant: i64) -> Option<Vec<TextChunk>> {
        let value = self.get(CUT, variant)?;
        let mut from = Reader::new(&value);
        let chunks = many(&mut from, read_chunk)?;
        from.is_at_end().then_some(chunks)
    }

    /// Remembers where the text was cut, for those who have the text.
    pub(crate) fn keep_cut(self, variant: i64, chunks: &[TextChunk]) {
        let mut out = Writer::new();
        out.size(chunks.len());
        for chunk in chunks {
            write_chunk(&mut out, chunk);
        }
        self.keep(CUT, variant, &out.finish());
    }
}

fn write_chunk(out: &mut Writer, chunk: &TextChunk) {
    out.text(&chunk.id);
    write_span(out, chunk.span);
    out.size(chunk.overlap);
    write_lines(out, chunk.lines);
    out.text(&chunk.context).size(chunk.tokens);
    out.text(&chunk.sha256).text(chunk.kind.name());
    write_texts(out, &chunk.symbols);
    write_texts(out, &chunk.roles);
    out.size(chunk.records);
    out.flag(chunk.severities.is_some());
    if let Some(severities) = &chunk.severities {
        out.size(severities.counts().count());
        for (severity, count) in severities.counts() {
            out.text(severity.name()).size(count);
        }
    }
}

fn read_chunk(from: &mut Reader<'_>) -> Option<TextChunk> {
    Some(TextChunk {
        id: from.text()?.to_owned(),
        span: read_span(from)?,
        overlap: from.size()?,
        lines: read_lines(from)?,
        context: from.text()?.to_owned(),
        tokens: from.size()?,
        sha256: from.text()?.to_owned(),
        kind: ContentKind::from_name(from.text()?)?,
        symbols: read_texts(from)?,
        roles: read_texts(from)?,
        records: from.size()?,
        severities: match from.flag()? {
            true => {
                let counts = many(from, |from| {
                    let name = from.text()?;
                    let mut all = Severity::ALL.into_iter();
                    Some((all.find(|one| one.name() == name)?, from.size()?))
                })?;
                Some(Severities::from_counts(counts))
            }
            false => None,
        },
    })
}
