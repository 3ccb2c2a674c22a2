//! XML: overview, key symbols, signatures of files, further files, and references between files.

use std::fmt::Write;

use super::{folder, mermaid, names, signatures};
use crate::map::document::MapDocument;
use crate::render::xml_text::{attribute, push_cdata, push_text};

pub(super) fn write(document: &MapDocument, tokens: usize) -> String {
    let mut out = String::new();
    out.push_str("<repository_map");
    attribute(&mut out, "name", &document.name);
    let _ = writeln!(out, " tokens=\"{tokens}\">");
    overview(document, &mut out);
    key_symbols(document, &mut out);
    files(document, &mut out);
    if !document.edges.is_empty() {
        out.push_str("  <dependency_graph format=\"mermaid\"><![CDATA[\n");
        push_cdata(&mut out, &mermaid::graph(&document.edges));
        out.push_str("]]></dependency_graph>\n");
    }
    out.push_str("</repository_map>\n");
    out
}

fn overview(document: &MapDocument, out: &mut String) {
    out.push_str("  <overview>\n");
    let _ = writeln!(
        out,
        "    <stats files=\"{}\" lines=\"{}\" languages=\"{}\" />",
        document.files,
        document.lines,
        document.languages.len()
    );
    if let Some(description) = &document.description {
        out.push_str("    <description>");
        push_text(out, description);
        out.push_str("</description>\n");
    }
    out.push_str("  </overview>\n");
}

fn key_symbols(document: &MapDocument, out: &mut String) {
    if document.key_symbols.is_empty() {
        return;
    }
    out.push_str("  <key_symbols>\n");
    for symbol in &document.key_symbols {
        out.push_str("    <symbol");
        attribute(out, "name", &symbol.name);
        attribute(out, "type", symbol.kind.name());
        attribute(out, "file", &symbol.path);
        out.push_str(" />\n");
    }
    out.push_str("  </key_symbols>\n");
}

fn files(document: &MapDocument, out: &mut String) {
    if !document.signatures.is_empty() {
        out.push_str("  <file_signatures>\n");
        for entry in &document.signatures {
            out.push_str("    <file");
            attribute(out, "path", &entry.path);
            attribute(
                out,
                "importance",
                entry.level.map_or("low", |level| level.name()),
            );
            out.push_str("><![CDATA[\n");
            let mut inner = String::new();
            signatures(entry, &mut inner);
            push_cdata(out, &inner);
            out.push_str("]]></file>\n");
        }
        out.push_str("  </file_signatures>\n");
    }
    if document.others.is_empty() && document.left_out == 0 {
        return;
    }
    let _ = write!(out, "  <more_files not_shown=\"{}\">", document.left_out);
    if !document.others.is_empty() {
        out.push_str("<![CDATA[\n");
        let mut inner = String::new();
        for (name, files) in &document.others {
            let _ = writeln!(inner, "{}", folder(name));
            names(files, &mut inner);
        }
        push_cdata(out, &inner);
        out.push_str("]]>");
    }
    out.push_str("</more_files>\n");
}
