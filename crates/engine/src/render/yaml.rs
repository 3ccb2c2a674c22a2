//! YAML 1.2 from which every parser reads the same text. Contents are in a literal block if YAML
//! can carry them unchanged, otherwise in double quotes with escapes: for control characters,
//! carriage returns, and characters that are newlines only to older parsers.

use std::fmt::Write;

use loom_wire::FORMAT_VERSION;

use super::{Framed, PURPOSE, Renderer};
use crate::{FileMeta, Overview, Section};

pub(super) struct Yaml;

/// Indentation of a block below a key of a file or section: two more than the key.
const BELOW_FILE: usize = 4;

/// Indentation of a block below a key of the header.
const BELOW_TOP: usize = 2;

impl Renderer for Yaml {
    fn signature(&self) -> &'static str {
        "# infiniloom: a packed repository\nformat_version: "
    }

    fn head(&self, overview: &Overview, out: &mut String) {
        out.push_str(self.signature());
        let _ = write!(out, "{FORMAT_VERSION}\nname: ");
        push_quoted(out, &overview.name);
        if let Some(part) = overview.part {
            let _ = write!(out, "\npart: {}\nparts: {}", part.number, part.total);
        }
        out.push_str("\nabout: ");
        push_quoted(out, PURPOSE);
        out.push('\n');
        if let Some(explanation) = overview.explanation() {
            out.push_str("marks: ");
            push_quoted(out, &explanation);
            out.push('\n');
        }
        for (name, text) in overview.guidance.parts() {
            out.extend([name, ": "]);
            push_text(out, text, BELOW_TOP);
        }
        statistics(overview, out);
        out.push_str("tree: ");
        push_text(out, &overview.tree.to_text(), BELOW_TOP);
        if !overview.sections.is_empty() {
            out.push_str("sections:\n");
        }
        for part in &overview.sections {
            section(part, out);
        }
        out.push_str(if overview.files == 0 {
            "files: []\n"
        } else {
            "files:\n"
        });
    }

    fn file<'t>(&self, file: &FileMeta, text: &'t str, _position: usize) -> Framed<'t> {
        let mut whole = String::with_capacity(text.len() + text.len() / 4 + 256);
        let out = &mut whole;
        out.push_str("- path: ");
        push_quoted(out, &file.path.display());
        if let Some(language) = file.language_id() {
            out.push_str("\n  language: ");
            push_quoted(out, language);
        }
        let _ = write!(out, "\n  lines: {}\n  tokens: {}", file.lines, file.tokens);
        if let Some(note) = file.note() {
            out.push_str("\n  note: ");
            push_quoted(out, &note);
        }
        out.push_str("\n  content: ");
        push_text(out, text, BELOW_FILE);
        // Every line is indented.
        Framed::altered(whole)
    }

    fn tail(&self, _out: &mut String) {}
}

fn section(section: &Section, out: &mut String) {
    let _ = write!(out, "- kind: {}\n  title: ", section.kind().name());
    push_quoted(out, section.title());
    if let Some(repository) = section.repository() {
        out.push_str("\n  repository: ");
        push_quoted(out, repository);
    }
    out.push_str("\n  text: ");
    push_text(out, section.text(), BELOW_FILE);
}

fn statistics(overview: &Overview, out: &mut String) {
    let _ = write!(
        out,
        "statistics:\n  files: {}\n  lines: {}\n  bytes: {}\n  tokens: {}\n  vocabulary: ",
        overview.files, overview.lines, overview.bytes, overview.tokens,
    );
    push_quoted(out, &overview.tokenizer.label());
    revisions(overview, out);
    out.push_str("\n  languages:");
    out.push_str(if overview.languages.is_empty() {
        " []\n"
    } else {
        "\n"
    });
    for share in &overview.languages {
        out.push_str("  - {name: ");
        push_quoted(out, share.name);
        let _ = writeln!(
            out,
            ", files: {}, lines: {}, tokens: {}}}",
            share.files, share.lines, share.tokens
        );
    }
    out.push_str("  left_out:");
    out.push_str(if overview.left_out.is_empty() {
        " []\n"
    } else {
        "\n"
    });
    for share in &overview.left_out {
        out.push_str("  - {reason: ");
        push_quoted(out, share.reason);
        let (count, directories) = (share.count, share.directories);
        let _ = writeln!(out, ", count: {count}, directories: {directories}}}");
    }
}

fn revisions(overview: &Overview, out: &mut String) {
    if overview.revisions.is_empty() {
        return;
    }
    out.push_str("\n  revisions:");
    for revision in &overview.revisions {
        out.push_str("\n  - {");
        if let Some(tree) = &revision.tree {
            out.push_str("tree: ");
            push_quoted(out, tree);
            out.push_str(", ");
        }
        out.push_str("name: ");
        push_quoted(out, &revision.name);
        out.push_str(", commit: ");
        push_quoted(out, &revision.commit);
        out.push('}');
    }
}

/// Appends the text as the value of a key, with a newline after it.
fn push_text(out: &mut String, text: &str, indent: usize) {
    if fits_a_block(text) {
        push_block(out, text, indent);
    } else {
        push_quoted(out, text);
        out.push('\n');
    }
}

/// Returns true if a literal block carries the text unchanged. A text that ends in white space is
/// quoted, because parsers disagree most about the end of such a block.
fn fits_a_block(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or_default();
    let ends_clearly = last.is_empty() || !last.trim_matches([' ', '\t']).is_empty();
    let says_something = !text.trim_matches([' ', '\t', '\n']).is_empty();
    let is_suspect = |byte: u8| byte < 0x20 && byte != b'\n' && byte != b'\t' || byte >= 0x7f;
    let is_carried = !text.bytes().any(is_suspect) || text.chars().all(is_carried);
    ends_clearly && says_something && is_carried
}

/// Returns true for characters that are literal in a block, in YAML 1.1, too: U+0085, U+2028 and
/// U+2029 are newlines there.
fn is_carried(c: char) -> bool {
    match c {
        '\t' | '\n' | ' '..='~' => true,
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        c => c >= '\u{a0}',
    }
}

fn push_block(out: &mut String, text: &str, indent: usize) {
    out.push('|');
    // Otherwise a parser takes leading white space for indentation.
    if text.starts_with([' ', '\t', '\n']) {
        out.push('2');
    }
    if text.ends_with("\n\n") {
        out.push('+');
    } else if !text.ends_with('\n') {
        out.push('-');
    }
    out.push('\n');
    out.reserve(text.len() + text.len() / 8);
    for line in text.split_inclusive('\n') {
        if line != "\n" {
            out.extend(std::iter::repeat_n(' ', indent));
        }
        out.push_str(line);
    }
    if !text.ends_with('\n') {
        out.push('\n');
    }
}

fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_carried(c) => out.push(c),
            c if u32::from(c) < 0x100 => {
                let _ = write!(out, "\\x{:02X}", u32::from(c));
            }
            c => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
        }
    }
    out.push('"');
}
