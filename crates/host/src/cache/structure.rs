//! The structure of a file as bytes. It quotes the file, so it is only ever kept
//! sealed.

use loom_base::codec::{Reader, Writer};
use loom_base::{ByteSpan, LineSpan};
use loom_store::ValueKind;
use loom_syntax::{
    Depth, Finding, FindingKind, Import, ImportKind, Language, Limits, Reference, ReferenceKind,
    Structure, Symbol, SymbolKind, Visibility,
};

use super::{kind, variant};

pub(super) const STRUCTURE: ValueKind = kind("structure");

/// How a text was read.
pub(crate) fn structure_variant(language: Language, limits: &Limits) -> i64 {
    let limits = format!("{limits:?}");
    variant(&[language.id().as_bytes(), limits.as_bytes()])
}

/// All of it.
pub(super) fn write_structure(structure: &Structure) -> Vec<u8> {
    let mut out = Writer::new();
    let depth = match structure.depth {
        Depth::Grammar => 2,
        Depth::Lines => 1,
        _ => 0,
    };
    out.size(depth);
    out.size(structure.symbols.len());
    for symbol in &structure.symbols {
        write_symbol(&mut out, symbol);
    }
    out.size(structure.references.len());
    let mut last = 0;
    for reference in &structure.references {
        write_reference(&mut out, reference, &mut last);
    }
    out.size(structure.imports.len());
    for import in &structure.imports {
        write_import(&mut out, import);
    }
    out.size(structure.comments.len());
    for comment in &structure.comments {
        write_span(&mut out, *comment);
    }
    write_texts(&mut out, &structure.packages);
    out.optional_text(structure.default.as_deref());
    out.size(structure.findings.len());
    for finding in &structure.findings {
        out.text(finding.kind.name()).optional(finding.line);
    }
    out.finish()
}

/// The same back; `None` for anything else.
pub(super) fn read_structure(bytes: &[u8]) -> Option<Structure> {
    let mut from = Reader::new(bytes);
    let depth = match from.size()? {
        0 => Depth::Nothing,
        1 => Depth::Lines,
        2 => Depth::Grammar,
        _ => return None,
    };
    let symbols = many(&mut from, read_symbol)?;
    let mut last = 0;
    let references = many(&mut from, |from| read_reference(from, &mut last))?;
    let structure = Structure {
        depth,
        symbols,
        references,
        imports: many(&mut from, read_import)?,
        comments: many(&mut from, read_span)?,
        packages: read_texts(&mut from)?,
        default: from.optional_text()?.map(str::to_owned),
        findings: many(&mut from, |from| {
            Some(Finding {
                kind: FindingKind::from_name(from.text()?)?,
                line: from.optional()?,
            })
        })?,
    };
    from.is_at_end().then_some(structure)
}

pub(crate) fn many<'a, T>(
    from: &mut Reader<'a>,
    mut one: impl FnMut(&mut Reader<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let count = from.count()?;
    (0..count).map(|_| one(from)).collect()
}

pub(super) fn write_texts(out: &mut Writer, texts: &[String]) {
    out.size(texts.len());
    for text in texts {
        out.text(text);
    }
}

pub(super) fn read_texts(from: &mut Reader<'_>) -> Option<Vec<String>> {
    many(from, |from| from.text().map(str::to_owned))
}

pub(super) fn write_span(out: &mut Writer, span: ByteSpan) {
    out.size(span.start).size(span.end.wrapping_sub(span.start));
}

pub(super) fn read_span(from: &mut Reader<'_>) -> Option<ByteSpan> {
    let start = from.size()?;
    let end = start.checked_add(from.size()?)?;
    Some(ByteSpan::new(start, end))
}

pub(super) fn write_lines(out: &mut Writer, lines: LineSpan) {
    out.size(lines.first)
        .size(lines.last.wrapping_sub(lines.first));
}

pub(super) fn read_lines(from: &mut Reader<'_>) -> Option<LineSpan> {
    let first = from.size()?;
    let last = first.checked_add(from.size()?)?;
    Some(LineSpan::new(first, last))
}

fn write_symbol(out: &mut Writer, symbol: &Symbol) {
    out.text(symbol.kind.name()).text(&symbol.name);
    // Most qualified names end in the name.
    match symbol.qualified.strip_suffix(&symbol.name) {
        Some(around) => out.flag(true).text(around),
        None => out.flag(false).text(&symbol.qualified),
    };
    out.text(&symbol.signature);
    out.optional_text(symbol.doc.as_deref());
    out.text(symbol.visibility.name());
    write_span(out, symbol.span);
    write_lines(out, symbol.lines);
    out.size(symbol.lead);
    write_span(out, symbol.name_span);
    out.size(symbol.name_line);
    out.flag(symbol.body.is_some());
    if let Some(body) = symbol.body {
        write_span(out, body);
    }
    out.optional(symbol.parent);
    out.optional(symbol.complexity.map(|complexity| complexity as usize));
    out.flag(symbol.is_test);
    out.optional_text(symbol.language);
}

fn read_symbol(from: &mut Reader<'_>) -> Option<Symbol> {
    let kind = SymbolKind::from_name(from.text()?)?;
    let name = from.text()?.to_owned();
    let qualified = match from.flag()? {
        true => format!("{}{name}", from.text()?),
        false => from.text()?.to_owned(),
    };
    Some(Symbol {
        kind,
        qualified,
        name,
        signature: from.text()?.to_owned(),
        doc: from.optional_text()?.map(str::to_owned),
        visibility: Visibility::from_name(from.text()?)?,
        span: read_span(from)?,
        lines: read_lines(from)?,
        lead: from.size()?,
        name_span: read_span(from)?,
        name_line: from.size()?,
        body: match from.flag()? {
            true => Some(read_span(from)?),
            false => None,
        },
        parent: from.optional()?,
        complexity: match from.optional()? {
            Some(complexity) => Some(u32::try_from(complexity).ok()?),
            None => None,
        },
        is_test: from.flag()?,
        language: match from.optional_text()? {
            Some(id) => Some(Language::from_id(id)?.id()),
            None => None,
        },
    })
}

fn write_reference(out: &mut Writer, reference: &Reference, last: &mut usize) {
    out.text(reference.kind.name()).text(&reference.name);
    out.optional_text(reference.qualifier.as_deref());
    write_span(out, reference.span);
    // In the order of the text, lines mostly grow by little.
    out.size(reference.line.wrapping_sub(*last));
    *last = reference.line;
    out.optional(reference.from);
}

fn read_reference(from: &mut Reader<'_>, last: &mut usize) -> Option<Reference> {
    Some(Reference {
        kind: ReferenceKind::from_name(from.text()?)?,
        name: from.text()?.to_owned(),
        qualifier: from.optional_text()?.map(str::to_owned),
        span: read_span(from)?,
        line: {
            *last = last.wrapping_add(from.size()?);
            *last
        },
        from: from.optional()?,
    })
}

pub(crate) fn write_import(out: &mut Writer, import: &Import) {
    out.text(import.kind.name()).text(&import.module);
    write_texts(out, &import.names);
    out.size(import.locals.len());
    for (name, local) in &import.locals {
        out.text(name).text(local);
    }
    out.size(import.modules);
    write_span(out, import.span);
    out.size(import.line);
}

pub(crate) fn read_import(from: &mut Reader<'_>) -> Option<Import> {
    Some(Import {
        kind: ImportKind::from_name(from.text()?)?,
        module: from.text()?.to_owned(),
        names: read_texts(from)?,
        locals: many(from, |from| {
            Some((from.text()?.to_owned(), from.text()?.to_owned()))
        })?,
        modules: from.size()?,
        span: read_span(from)?,
        line: from.size()?,
    })
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_structure_comes_back() {
        let limits = Limits::default();
        for (name, text) in [
            (
                "a.rs",
                "//! x\nuse std::fmt::{self as f, Debug};\n/// Doc.\npub struct A<T> { b: T }\nimpl A<u8> { fn c(&self) -> u8 { if self.b > 1 { g(2) } else { 3 } } }\n#[test]\nfn t() { A::c(1) }\n",
            ),
            (
                "a.py",
                "import os, sys as s\nfrom .x import *\nclass A(B):\n    '''Doc'''\n    def f(self): return g(self.x)\n",
            ),
            (
                "a.html",
                "<script>function f() { return g(); }</script><p id=x>",
            ),
            (
                "a.go",
                "package x\nimport \"fmt\"\nfunc (a *A) F() { fmt.Println() }\n",
            ),
            ("a.js", "function f() {}\nexport { f as default };\n"),
            ("a.unknown", "nothing"),
            ("broken.c", "int f( { {{{ \n"),
        ] {
            let path = RepoPath::new(name).unwrap();
            let Some(language) = Language::detect(&path, text) else {
                continue;
            };
            let structure = loom_syntax::extract(language, text, &limits);
            let bytes = write_structure(&structure);
            assert_eq!(read_structure(&bytes), Some(structure), "{name}");
            for end in 0..bytes.len() {
                assert_eq!(read_structure(&bytes[..end]), None, "{name} {end}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read(bytes: Vec<u8>) {
            let _ = read_structure(&bytes);
        }
    }
}
