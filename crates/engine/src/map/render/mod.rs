//! The formats of a map, one file each.

mod html;
mod json;
mod markdown;
mod mermaid;
mod plain;
mod xml;

use super::document::{FileEntry, MapDocument};

pub use html::{PageHead, page};

/// Format of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapFormat {
    /// XML.
    #[default]
    Xml,
    /// Markdown.
    Markdown,
    /// JSON.
    Json,
    /// Plain text with the fewest tokens.
    Plain,
    /// A diagram of references between files.
    Mermaid,
}

impl MapFormat {
    /// Formats the map; `tokens` is the count in its own text.
    pub(super) fn write(self, document: &MapDocument, tokens: usize) -> String {
        match self {
            Self::Xml => xml::write(document, tokens),
            Self::Markdown => markdown::write(document, tokens),
            Self::Json => json::write(document, tokens),
            Self::Plain => plain::write(document),
            Self::Mermaid => mermaid::write(document),
        }
    }
}

/// Writes the signatures of a file and then further names, one per line.
fn signatures(entry: &FileEntry, out: &mut String) {
    for line in &entry.lines {
        for _ in 0..line.depth {
            out.push_str("  ");
        }
        out.push_str(&line.text);
        out.push('\n');
    }
    if !entry.names.is_empty() {
        out.push_str("also: ");
        out.push_str(&entry.names.join(", "));
        out.push('\n');
    }
}

/// Writes files without signatures: `name: symbol, symbol`, one per line.
fn names(files: &[FileEntry], out: &mut String) {
    for file in files {
        out.push_str("  ");
        out.push_str(&file.path);
        if !file.names.is_empty() {
            out.push_str(": ");
            out.push_str(&file.names.join(", "));
        }
        out.push('\n');
    }
}

/// Formats a directory; the root is `./`.
fn folder(name: &str) -> String {
    match name {
        "" => "./".to_owned(),
        name => format!("{name}/"),
    }
}
