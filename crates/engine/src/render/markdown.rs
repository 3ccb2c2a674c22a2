//! Markdown: a heading and a fence for each file. The fence is longer than any run of backticks in
//! the text.

use std::fmt::Write;

use super::{Framed, PURPOSE, Renderer};
use crate::{FileMeta, LeftOutShare, Overview};

pub(super) struct Markdown;

impl Renderer for Markdown {
    fn signature(&self) -> &'static str {
        "<!-- infiniloom: a packed repository -->\n"
    }

    fn head(&self, overview: &Overview, out: &mut String) {
        out.push_str(self.signature());
        let _ = writeln!(out, "# {}\n\n{PURPOSE}", heading(&overview.name));
        out.push_str(
            "Each file has a heading with its path and a line with its lines and tokens; its contents \
stand in the fence below. The line end before the closing fence belongs to the file unless that \
line says `no line end at the end`.\n\n",
        );
        if let Some(explanation) = overview.explanation() {
            let _ = write!(out, "{explanation}\n\n");
        }
        if let Some(part) = overview.part {
            let _ = write!(out, "This is {part}.\n\n");
        }
        for (name, text) in overview.guidance.parts() {
            let fence = fence_for(text);
            let _ = write!(
                out,
                "## The user's {name}\n\n{fence}text\n{text}\n{fence}\n\n"
            );
        }
        statistics(overview, out);
        out.push_str("\n## Tree\n\nWith tokens.\n\n");
        let tree = overview.tree.to_text();
        let fence = fence_for(&tree);
        let _ = write!(out, "{fence}text\n{tree}{fence}\n\n");
        for section in &overview.sections {
            let (text, fence) = (section.text(), fence_for(section.text()));
            let _ = write!(
                out,
                "## {}{}\n\n{fence}{}\n{text}{fence}\n\n",
                if section.is_of_git() { "Git " } else { "" },
                heading(&section.heading()),
                section.kind().fence()
            );
        }
        out.push_str("## Files\n");
    }

    fn file<'t>(&self, file: &FileMeta, text: &'t str, _position: usize) -> Framed<'t> {
        let mut before = String::new();
        let out = &mut before;
        let _ = write!(
            out,
            "\n### {}\n\n{} lines, {} tokens",
            heading(&file.path.display()),
            file.lines,
            file.tokens
        );
        if let Some(note) = file.note() {
            let _ = write!(out, ", {note}");
        }
        let ends_in_line = text.is_empty() || text.ends_with('\n');
        if !ends_in_line {
            out.push_str(", no line end at the end");
        }
        let fence = fence_for(text);
        let language = file.language_id().unwrap_or_default();
        let _ = write!(out, "\n\n{fence}{language}\n");
        let end = if ends_in_line { "" } else { "\n" };
        Framed::verbatim(before, text, format!("{end}{fence}\n"))
    }

    fn tail(&self, _out: &mut String) {}
}

fn statistics(overview: &Overview, out: &mut String) {
    let _ = writeln!(
        out,
        "## Statistics\n\n{} files, {} lines, {} bytes, {} tokens ({}).\n",
        overview.files,
        overview.lines,
        overview.bytes,
        overview.tokens,
        overview.tokenizer.label()
    );
    for revision in &overview.revisions {
        let _ = writeln!(out, "{}\n", heading(&revision.words()));
    }
    out.push_str("| language | files | lines | tokens |\n|---|---|---|---|\n");
    for share in &overview.languages {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            share.name, share.files, share.lines, share.tokens
        );
    }
    let left_out: Vec<_> = overview.left_out.iter().map(LeftOutShare::words).collect();
    if !left_out.is_empty() {
        let _ = writeln!(out, "\nLeft out: {}.", left_out.join(", "));
    }
}

/// Formats a name as inline code, so that no part of it acts as markup.
fn heading(name: &str) -> String {
    let fence = "`".repeat(longest_run(name) + 1);
    let pad = if name.starts_with('`') || name.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{name}{pad}{fence}")
}

fn fence_for(text: &str) -> String {
    "`".repeat((longest_run(text) + 1).max(3))
}

fn longest_run(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut longest = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + found;
        let run = bytes[start..]
            .iter()
            .take_while(|&&byte| byte == b'`')
            .count();
        longest = longest.max(run);
        at = start + run;
    }
    longest
}
