//! Plain text for people: a line of `=` with the path opens a file, the same line without a path
//! closes it. The line is longer than any run of `=` at the start of a line in the file, so the end
//! is unambiguous. Sections before the files have `-`.

use std::fmt::Write;

use super::{Framed, PURPOSE, Renderer};
use crate::{FileMeta, Overview};

pub(super) struct Plain;

/// Long enough to be noticed while scrolling.
const SHORTEST: usize = 16;

impl Renderer for Plain {
    fn signature(&self) -> &'static str {
        "Packed by infiniloom: "
    }

    fn head(&self, overview: &Overview, out: &mut String) {
        out.push_str(self.signature());
        out.push_str(&overview.name.replace(['\n', '\r'], " "));
        if let Some(part) = overview.part {
            let _ = write!(out, ", {part}");
        }
        let _ = writeln!(out, "\n\n{PURPOSE}");
        out.push_str(
            "A line of = with a path opens a file; a line about it, an empty line and its contents \
follow, up to the next line of as many =. The line end before that line belongs to the file unless \
the line about it says \"no line end at the end\".\n\n",
        );
        if let Some(explanation) = overview.explanation() {
            let _ = write!(out, "{explanation}\n\n");
        }
        statistics(overview, out);
        for (name, text) in overview.guidance.parts() {
            section(&format!("{name} from the user"), text, out);
        }
        section("tree, in tokens", &overview.tree.to_text(), out);
        for part in &overview.sections {
            section(&part.headline(), part.text(), out);
        }
    }

    fn file<'t>(&self, file: &FileMeta, text: &'t str, _position: usize) -> Framed<'t> {
        let mut before = String::new();
        let out = &mut before;
        let line = line_for('=', text);
        let _ = write!(out, "\n{line} {}\n", file.path.display());
        let _ = write!(out, "{} lines, {} tokens", file.lines, file.tokens);
        if let Some(language) = file.language_id() {
            let _ = write!(out, ", {language}");
        }
        if let Some(note) = file.note() {
            let _ = write!(out, ", {}", note.replace(['\n', '\r'], " "));
        }
        let ends_in_line = text.is_empty() || text.ends_with('\n');
        if !ends_in_line {
            out.push_str(", no line end at the end");
        }
        out.push_str("\n\n");
        let end = if ends_in_line { "" } else { "\n" };
        Framed::verbatim(before, text, format!("{end}{line}\n"))
    }

    fn tail(&self, _out: &mut String) {}
}

fn statistics(overview: &Overview, out: &mut String) {
    let _ = writeln!(
        out,
        "{} files, {} lines, {} bytes, {} tokens ({})",
        overview.files,
        overview.lines,
        overview.bytes,
        overview.tokens,
        overview.tokenizer.label()
    );
    for revision in &overview.revisions {
        let _ = writeln!(out, "{}", revision.words());
    }
    for share in &overview.languages {
        let _ = writeln!(
            out,
            "{}: {} files, {} lines, {} tokens",
            share.name, share.files, share.lines, share.tokens
        );
    }
    for (at, share) in overview.left_out.iter().enumerate() {
        out.push_str(if at == 0 { "Left out: " } else { ", " });
        out.push_str(&share.words());
    }
    if !overview.left_out.is_empty() {
        out.push('\n');
    }
}

fn section(title: &str, text: &str, out: &mut String) {
    let line = line_for('-', text);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let _ = write!(out, "\n{line} {title}\n{text}{end}{line}\n");
}

/// Returns a line of `mark` with which no line of `text` starts.
fn line_for(mark: char, text: &str) -> String {
    let of_line = |line: &str| line.len() - line.trim_start_matches(mark).len();
    let longest = text.split('\n').map(of_line).max().unwrap_or_default();
    mark.to_string().repeat(SHORTEST.max(longest + 1))
}
