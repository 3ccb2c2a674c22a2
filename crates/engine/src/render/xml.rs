//! XML that a strict parser accepts for any contents.
//!
//! A CDATA section cannot contain every text. `]]>` is split over two sections. Parsers convert
//! `\r\n` to `\n`, so a file in which every line ends with it is written with `\n` and
//! `newlines="crlf"`. Characters that XML forbids, and other carriage returns, are written `␛{hex}`
//! in a file with `escaped="␛"`, in which `␛` itself is `␛{241B}`.

use std::borrow::Cow;
use std::fmt::Write;

use super::{Framed, PURPOSE, Renderer};
use crate::{FileMeta, Overview, Section};

pub(super) struct Xml;

const ESCAPE: char = '\u{241b}';

impl Renderer for Xml {
    fn signature(&self) -> &'static str {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<repository generator=\"infiniloom\""
    }

    fn head(&self, overview: &Overview, out: &mut String) {
        out.push_str(self.signature());
        attribute(out, "name", &overview.name);
        if let Some(part) = overview.part {
            let _ = write!(out, " part=\"{}\" parts=\"{}\"", part.number, part.total);
        }
        out.push_str(">\n<about>\n");
        out.push_str(PURPOSE);
        out.push_str(
            "\nEach file element holds one file: path, language, lines and tokens of its contents. \
The contents start on the line after CDATA[ and end before ]]. newlines=\"crlf\": lines end with \
CR LF in the file. escaped=\"␛\": ␛{hex} stands for the character with that code.\n",
        );
        if let Some(explanation) = overview.explanation() {
            push_text(out, &explanation);
            out.push('\n');
        }
        out.push_str("</about>\n");
        for (name, text) in overview.guidance.parts() {
            user_text(name, text, out);
        }
        statistics(overview, out);
        out.push_str("<tree unit=\"tokens\"><![CDATA[\n");
        push_cdata(out, &overview.tree.to_text());
        out.push_str("]]></tree>\n");
        for part in &overview.sections {
            section(part, out);
        }
        out.push_str("<files>\n");
    }

    fn file<'t>(&self, file: &FileMeta, text: &'t str, _position: usize) -> Framed<'t> {
        let mut before = String::new();
        let out = &mut before;
        let encoded = encode(text);
        out.push_str("<file");
        attribute(out, "path", &file.path.display());
        if let Some(language) = file.language_id() {
            attribute(out, "language", language);
        }
        let _ = write!(out, " lines=\"{}\" tokens=\"{}\"", file.lines, file.tokens);
        out.push_str(encoded.attributes);
        if let Some(note) = file.note() {
            attribute(out, "note", &note);
        }
        out.push_str("><![CDATA[\n");
        Framed {
            before,
            text: cdata(encoded.text),
            after: "]]></file>\n".to_owned(),
        }
    }

    fn tail(&self, out: &mut String) {
        out.push_str("</files>\n</repository>\n");
    }
}

/// Appends a text of the user, encoded like contents.
fn user_text(name: &str, text: &str, out: &mut String) {
    let encoded = encode(text);
    out.extend([
        "<",
        name,
        " from=\"user\"",
        encoded.attributes,
        "><![CDATA[\n",
    ]);
    push_cdata(out, &encoded.text);
    out.extend(["\n]]></", name, ">\n"]);
}

/// Appends a section, encoded like contents.
fn section(section: &Section, out: &mut String) {
    let encoded = encode(section.text());
    out.push_str("<section");
    attribute(out, "kind", section.kind().name());
    if let Some(repository) = section.repository() {
        attribute(out, "repository", repository);
    }
    attribute(out, "title", section.title());
    out.extend([encoded.attributes, "><![CDATA[\n"]);
    push_cdata(out, &encoded.text);
    out.push_str("]]></section>\n");
}

fn statistics(overview: &Overview, out: &mut String) {
    let _ = writeln!(
        out,
        "<statistics files=\"{}\" lines=\"{}\" bytes=\"{}\" tokens=\"{}\" vocabulary=\"{}\">",
        overview.files,
        overview.lines,
        overview.bytes,
        overview.tokens,
        overview.tokenizer.label()
    );
    for share in &overview.languages {
        out.push_str("<language");
        attribute(out, "name", share.name);
        let _ = writeln!(
            out,
            " files=\"{}\" lines=\"{}\" tokens=\"{}\"/>",
            share.files, share.lines, share.tokens
        );
    }
    for revision in &overview.revisions {
        out.push_str("<revision");
        if let Some(tree) = &revision.tree {
            attribute(out, "tree", tree);
        }
        attribute(out, "name", &revision.name);
        attribute(out, "commit", &revision.commit);
        out.push_str("/>\n");
    }
    for share in &overview.left_out {
        let (reason, count) = (share.reason, share.count);
        let _ = write!(out, "<left_out reason=\"{reason}\" count=\"{count}\"");
        if share.directories > 0 {
            let _ = write!(out, " directories=\"{}\"", share.directories);
        }
        out.push_str("/>\n");
    }
    out.push_str("</statistics>\n");
}

pub(crate) fn attribute(out: &mut String, name: &str, value: &str) {
    out.extend([" ", name, "=\""]);
    push_text(out, value);
    out.push('"');
}

/// Appends text between tags or quotes.
pub(crate) fn push_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if is_forbidden(c) || matches!(c, '\t' | '\n' | '\r') => out.push(' '),
            c => out.push(c),
        }
    }
}

/// A text encoded for a CDATA section, with the attributes that declare the encoding.
struct Encoded<'a> {
    text: Cow<'a, str>,
    attributes: &'static str,
}

fn encode(text: &str) -> Encoded<'_> {
    let has_forbidden = text.bytes().any(may_be_forbidden) && text.chars().any(is_forbidden);
    let returns = memchr::memchr_iter(b'\r', text.as_bytes()).count();
    if !has_forbidden && returns == 0 {
        return Encoded {
            text: Cow::Borrowed(text),
            attributes: "",
        };
    }
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    if !has_forbidden && returns == ends && text.matches("\r\n").count() == ends {
        return Encoded {
            text: Cow::Owned(text.replace("\r\n", "\n")),
            attributes: " newlines=\"crlf\"",
        };
    }
    Encoded {
        text: Cow::Owned(escape(text)),
        attributes: " escaped=\"␛\"",
    }
}

/// Tests a byte quickly: control characters, and the first byte of U+FFFE.
fn may_be_forbidden(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 0xef
}

/// Returns true for characters that XML 1.0 forbids in any form.
fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        if is_forbidden(c) || c == '\r' || c == ESCAPE {
            let _ = write!(escaped, "{ESCAPE}{{{:X}}}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Splits every end marker of a section over two sections.
fn cdata(text: Cow<'_, str>) -> Cow<'_, str> {
    match memchr::memmem::find(text.as_bytes(), b"]]>") {
        None => text,
        Some(_) => Cow::Owned(text.replace("]]>", "]]]]><![CDATA[>")),
    }
}

pub(crate) fn push_cdata(out: &mut String, text: &str) {
    let mut parts = text.split("]]>");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        out.push_str("]]]]><![CDATA[>");
        out.push_str(part);
    }
}
