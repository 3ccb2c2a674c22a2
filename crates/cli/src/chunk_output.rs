//! Writes chunks as JSON lines, as one JSON document, or as text for people. The output is flushed
//! after each file.

use std::io::{self, Write};

use loom_base::printable;
use loom_wire::{ChunkInfo, FORMAT_VERSION};

/// Format of chunks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChunkFormat {
    /// One JSON object per line.
    Lines,
    /// One JSON document.
    Json,
    /// Text for people.
    Text,
}

/// Writer that also counts chunks and their tokens.
pub(super) struct ChunkWriter<W> {
    out: W,
    format: ChunkFormat,
    chunks: usize,
    tokens: usize,
}

impl<W: Write> ChunkWriter<W> {
    pub(super) fn new(out: W, format: ChunkFormat) -> Self {
        Self {
            out,
            format,
            chunks: 0,
            tokens: 0,
        }
    }

    pub(super) fn chunks(&self) -> usize {
        self.chunks
    }

    /// Returns the tokens of all chunks, including overlaps.
    pub(super) fn tokens(&self) -> usize {
        self.tokens
    }

    pub(super) fn add(&mut self, chunk: &ChunkInfo) -> io::Result<()> {
        self.write(chunk)?;
        self.chunks += 1;
        self.tokens += chunk.tokens;
        match chunk.index + 1 == chunk.count {
            true => self.out.flush(),
            false => Ok(()),
        }
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

    fn write(&mut self, chunk: &ChunkInfo) -> io::Result<()> {
        if self.format == ChunkFormat::Text {
            return self.write_text(chunk);
        }
        let start = match (self.format, self.chunks) {
            (ChunkFormat::Lines, _) => String::new(),
            (_, 0) => format!("{{\"format_version\":{FORMAT_VERSION},\"chunks\":[\n"),
            _ => ",\n".to_owned(),
        };
        self.out.write_all(start.as_bytes())?;
        serde_json::to_writer(&mut self.out, chunk)?;
        match self.format {
            ChunkFormat::Lines => self.out.write_all(b"\n"),
            _ => Ok(()),
        }
    }

    fn write_text(&mut self, chunk: &ChunkInfo) -> io::Result<()> {
        writeln!(
            self.out,
            "==> {}:{}-{} {} {} tokens {} {}",
            printable(&chunk.path),
            chunk.start_line,
            chunk.end_line,
            chunk.kind,
            chunk.tokens,
            chunk.id,
            printable(&chunk.symbols.join(" "))
        )?;
        self.out.write_all(chunk.context.as_bytes())?;
        self.out.write_all(chunk.text.as_bytes())?;
        let has_end = chunk.text.ends_with('\n');
        let end = if has_end { "\n" } else { "\n\n" };
        self.out.write_all(end.as_bytes())
    }
}
