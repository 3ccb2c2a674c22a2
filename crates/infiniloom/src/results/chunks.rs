//! One chunk of a file, with its source and its token count.

use loom_host::{FileChunks, Language, Severities};
use loom_wire::{ChunkInfo, FORMAT_VERSION, SeverityInfo};

/// Describes chunk `index` of `file`. `is_exact` says whether tokens are counted or estimated.
pub fn info(file: &FileChunks, index: usize, is_exact: bool) -> ChunkInfo {
    let chunk = &file.chunks[index];
    let has_records = !chunk.roles.is_empty() || chunk.records > 0;
    ChunkInfo {
        format_version: FORMAT_VERSION,
        id: chunk.id.clone(),
        path: file.path.display().into_owned(),
        path_quoted: file.path.display().as_bytes() != file.path.as_bytes(),
        index,
        count: file.chunks.len(),
        kind: chunk.kind.name().to_owned(),
        language: file.language.map(Language::id).map(str::to_owned),
        start_byte: chunk.span.start,
        end_byte: chunk.span.end,
        start_line: chunk.lines.first,
        end_line: chunk.lines.last,
        overlap_bytes: chunk.overlap,
        tokens: chunk.tokens,
        estimated: !is_exact,
        sha256: chunk.sha256.clone(),
        symbols: chunk.symbols.clone(),
        roles: chunk.roles.clone(),
        records: has_records.then_some(chunk.records),
        severity: chunk.severities.as_ref().map(severity),
        notes: file.notes.iter().map(ToString::to_string).collect(),
        context: chunk.context.clone(),
        text: file.text[chunk.span.range()].to_owned(),
    }
}

fn severity(severities: &Severities) -> SeverityInfo {
    let counts = severities.counts();
    SeverityInfo {
        highest: severities.highest().map(|one| one.name().to_owned()),
        counts: counts
            .map(|(severity, count)| (severity.name().to_owned(), count))
            .collect(),
    }
}
