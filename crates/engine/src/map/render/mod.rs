//! The formats of a map, one file each.

mod html;
mod json;
mod markdown;
mod mermaid;
mod plain;
mod xml;

use super::document::{FileEntry, MapDocument};

pub use html::{PageHead, page};

/// The form of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapFormat {
    /// XML.
    #[default]
    Xml,
    /// Markdown.
    Markdown,
    /// JSON.
    Json,
    /// Text for people, with the fewest tokens.
    Plain,
    /// A diagram of which files use which.
    Mermaid,
}

impl MapFormat {
    /// The map as text; `tokens` is what it says about itself.
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

/// The signatures of a file, and after them further names, a line each.
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

/// Files with names alone: `name: symbol, symbol`, a line each.
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

/// A folder as a line; the top has none of its own.
fn folder(name: &str) -> String {
    match name {
        "" => "./".to_owned(),
        name => format!("{name}/"),
    }
}
