//! Chunks as JSON lines, as one JSON document, or as text for people. Each file leaves as
//! soon as it comes.

use std::io::{self, Write};

use infiniloom::host::{FileChunks, TextChunk, printable};
use infiniloom::results;
use loom_wire::FORMAT_VERSION;

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
        let info = results::chunks::info(file, index, self.is_exact);
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
}
