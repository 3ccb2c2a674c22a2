//! Chunks as JSON lines, as one JSON document, or as text for people. Each file leaves as
//! soon as it comes.

use std::io::{self, Write};

use infiniloom::host::{FileChunks, Language, Severities, TextChunk, printable};
use loom_wire::{ChunkInfo, FORMAT_VERSION, SeverityInfo};

/// How chunks are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChunkFormat {
    /// A JSON object a line.
    Lines,
    /// One JSON document.
    Json,
    /// For people.
    Text,
}

/// Writes chunks, and counts them.
pub(super) struct ChunkWriter<W> {
    out: W,
    format: ChunkFormat,
    is_exact: bool,
    files: usize,
    chunks: usize,
    tokens: usize,
    bytes: usize,
}

impl<W: Write> ChunkWriter<W> {
    pub(super) fn new(out: W, format: ChunkFormat, is_exact: bool) -> Self {
        Self {
            out,
            format,
            is_exact,
            files: 0,
            chunks: 0,
            tokens: 0,
            bytes: 0,
        }
    }

    pub(super) fn files(&self) -> usize {
        self.files
    }

    pub(super) fn chunks(&self) -> usize {
        self.chunks
    }

    /// The tokens of all chunks, what repeats among them.
    pub(super) fn tokens(&self) -> usize {
        self.tokens
    }

    /// The bytes of the files.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn add(&mut self, file: &FileChunks) -> io::Result<()> {
        for (index, chunk) in file.chunks.iter().enumerate() {
            self.write(file, index, chunk)?;
            self.chunks += 1;
            self.tokens += chunk.tokens;
        }
        self.files += 1;
        self.bytes += file.text.len();
        self.out.flush()
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        match self.format {
            ChunkFormat::Json if self.chunks == 0 => {
                writeln!(
                    self.out,
                    "{{\"format_version\":{FORMAT_VERSION},\"chunks\":[]}}"
                )?;
            }
            ChunkFormat::Json => self.out.write_all(b"\n]}\n")?,
            ChunkFormat::Lines | ChunkFormat::Text => {}
        }
        self.out.flush()
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }

    fn write(&mut self, file: &FileChunks, index: usize, chunk: &TextChunk) -> io::Result<()> {
        if self.format == ChunkFormat::Text {
            return self.write_text(file, chunk);
        }
        let start = match (self.format, self.chunks) {
            (ChunkFormat::Lines, _) => String::new(),
            (_, 0) => format!("{{\"format_version\":{FORMAT_VERSION},\"chunks\":[\n"),
            _ => ",\n".to_owned(),
        };
        self.out.write_all(start.as_bytes())?;
        let info = self.info(file, index, chunk);
        serde_json::to_writer(&mut self.out, &info)?;
        match self.format {
            ChunkFormat::Lines => self.out.write_all(b"\n"),
            _ => Ok(()),
        }
    }

    fn write_text(&mut self, file: &FileChunks, chunk: &TextChunk) -> io::Result<()> {
        let path = printable(&file.path.display()).into_owned();
        let lines = format!("{}-{}", chunk.lines.first, chunk.lines.last);
        writeln!(
            self.out,
            "==> {path}:{lines} {} {} tokens {} {}",
            chunk.kind,
            chunk.tokens,
            chunk.id,
            printable(&chunk.symbols.join(" "))
        )?;
        let text = &file.text[chunk.span.range()];
        self.out.write_all(chunk.context.as_bytes())?;
        self.out.write_all(text.as_bytes())?;
        let end = if text.ends_with('\n') { "\n" } else { "\n\n" };
        self.out.write_all(end.as_bytes())
    }

    fn info(&self, file: &FileChunks, index: usize, chunk: &TextChunk) -> ChunkInfo {
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
            estimated: !self.is_exact,
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
