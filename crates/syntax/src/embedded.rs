//! Embedded languages: scripts and styles in HTML, fenced code in Markdown. Code in strings is
//! ignored, because SQL cannot be distinguished from a sentence.

use loom_base::{ByteSpan, LineSpan};

use crate::{Language, Structure};

/// Part of a text in another language.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) language: &'static str,
    pub(crate) span: ByteSpan,
}

/// Returns whether texts of a language can contain parts in others.
pub(crate) fn is_host(id: &str) -> bool {
    matches!(id, "markdown" | "html" | "vue" | "svelte")
}

/// Counter of the newlines before positions of a text. It reads each byte once if the positions
/// ascend.
pub(crate) struct LineCount<'t> {
    text: &'t str,
    at: usize,
    lines: usize,
}

impl<'t> LineCount<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            lines: 0,
        }
    }

    /// Returns the number of newlines before that position.
    pub(crate) fn before(&mut self, at: usize) -> usize {
        if at < self.at {
            (self.at, self.lines) = (0, 0);
        }
        let between = self.text.get(self.at..at).unwrap_or_default();
        self.lines += between.matches('\n').count();
        self.at = at;
        self.lines
    }
}

/// Adds the structure of a part to the whole, `lines` lines below the start.
pub(crate) fn join(whole: &mut Structure, part: Structure, region: &Region, lines: usize) {
    let bytes = region.span.start;
    let symbols = whole.symbols.len();
    let moved = |span: ByteSpan| ByteSpan::new(span.start + bytes, span.end + bytes);
    for mut symbol in part.symbols {
        symbol.span = moved(symbol.span);
        symbol.name_span = moved(symbol.name_span);
        symbol.body = symbol.body.map(moved);
        symbol.lead += bytes;
        symbol.lines = LineSpan::new(symbol.lines.first + lines, symbol.lines.last + lines);
        symbol.name_line += lines;
        symbol.parent = symbol.parent.map(|at| at + symbols);
        symbol.language = symbol.language.or(Some(region.language));
        whole.symbols.push(symbol);
    }
    for mut reference in part.references {
        reference.span = moved(reference.span);
        reference.line += lines;
        reference.from = reference.from.map(|at| at + symbols);
        whole.references.push(reference);
    }
    for mut import in part.imports {
        import.span = moved(import.span);
        import.line += lines;
        whole.imports.push(import);
    }
    whole.comments.extend(part.comments.into_iter().map(moved));
    whole.default = whole.default.take().or(part.default);
}

/// Returns the language that a fence or an attribute names.
pub(crate) fn named(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let id = match word.as_str() {
        "js" | "mjs" | "cjs" | "node" => "javascript",
        "ts" => "typescript",
        "py" | "python3" => "python",
        "rs" => "rust",
        "golang" => "go",
        "sh" | "shell" | "zsh" => "bash",
        "yml" => "yaml",
        "c++" | "cc" => "cpp",
        "c#" | "cs" => "csharp",
        "rb" => "ruby",
        "kt" => "kotlin",
        other => other,
    };
    Language::from_id(id).map(Language::id)
}
