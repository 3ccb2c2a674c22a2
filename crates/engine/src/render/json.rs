//! One JSON object with one line per file, so that readers can process it as it arrives.

use std::io;

use loom_wire::{FORMAT_VERSION, PackFile};
use serde::Serialize;

use super::{Framed, PURPOSE, Renderer};
use crate::{FileMeta, Overview, Section};

pub(super) struct Json;

impl Renderer for Json {
    fn signature(&self) -> &'static str {
        "{\"generator\":\"infiniloom\","
    }

    fn head(&self, overview: &Overview, out: &mut String) {
        out.push_str(self.signature());
        member(out, "format_version", &FORMAT_VERSION);
        member(out, "name", &overview.name);
        if let Some(part) = overview.part {
            member(out, "part", &part.number);
            member(out, "parts", &part.total);
        }
        member(out, "about", PURPOSE);
        if let Some(explanation) = overview.explanation() {
            member(out, "marks", &explanation);
        }
        for (name, text) in overview.guidance.parts() {
            member(out, name, text);
        }
        member(out, "statistics", &overview.to_wire());
        let tree = overview.tree.to_text();
        member(out, "tree", &tree.lines().collect::<Vec<_>>());
        if !overview.sections.is_empty() {
            let sections = overview.sections.iter().map(Section::to_wire);
            member(out, "sections", &sections.collect::<Vec<_>>());
        }
        out.push_str("\n\"files\":[");
    }

    fn file<'t>(&self, file: &FileMeta, text: &'t str, position: usize) -> Framed<'t> {
        let mut whole = String::with_capacity(text.len() + text.len() / 8 + 256);
        let out = &mut whole;
        out.push_str(if position == 0 { "\n" } else { ",\n" });
        let mut info = file.to_wire();
        // The list of elided lines belongs in a report: here it would cost the tokens that
        // compression saved.
        if let Some(compression) = &mut info.compression {
            compression.elided.clear();
        }
        push(
            out,
            &PackFile {
                info,
                content: text.into(),
            },
        );
        Framed::altered(whole)
    }

    fn tail(&self, out: &mut String) {
        out.push_str("\n]}\n");
    }
}

fn member<T: Serialize + ?Sized>(out: &mut String, key: &str, value: &T) {
    out.extend(["\n\"", key, "\":"]);
    push(out, value);
    out.push(',');
}

fn push<T: Serialize + ?Sized>(out: &mut String, value: &T) {
    // Serialising plain structs of strings and numbers cannot fail.
    let _ = serde_json::to_writer(Utf8(out), value);
}

/// Receives the JSON in pieces, so that a large text is in memory only once.
struct Utf8<'a>(&'a mut String);

impl io::Write for Utf8<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Each piece consists of whole characters.
        let piece = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.push_str(piece);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
