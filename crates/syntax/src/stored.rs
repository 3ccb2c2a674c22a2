//! The structure of a file as bytes.

use loom_base::codec::{Reader, Writer};

use crate::{
    Depth, Finding, FindingKind, Import, ImportKind, Language, Reference, ReferenceKind, Structure,
    Symbol, SymbolKind, Visibility,
};

impl Structure {
    /// Writes all of it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new();
        let depth = match self.depth {
            Depth::Grammar => 2,
            Depth::Lines => 1,
            _ => 0,
        };
        out.size(depth);
        out.size(self.symbols.len());
        for symbol in &self.symbols {
            write_symbol(&mut out, symbol);
        }
        out.size(self.references.len());
        let mut last = 0;
        for reference in &self.references {
            write_reference(&mut out, reference, &mut last);
        }
        out.size(self.imports.len());
        for import in &self.imports {
            import.write(&mut out);
        }
        out.size(self.comments.len());
        for comment in &self.comments {
            out.span(*comment);
        }
        out.texts(&self.packages);
        out.optional_text(self.default.as_deref());
        out.size(self.findings.len());
        for finding in &self.findings {
            out.text(finding.kind.name()).optional(finding.line);
        }
        out.finish()
    }

    /// Reads it back. Returns `None` for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let depth = match from.size()? {
            0 => Depth::Nothing,
            1 => Depth::Lines,
            2 => Depth::Grammar,
            _ => return None,
        };
        let symbols = from.many(read_symbol)?;
        let mut last = 0;
        let references = from.many(|from| read_reference(from, &mut last))?;
        let structure = Self {
            depth,
            symbols,
            references,
            imports: from.many(Import::read)?,
            comments: from.many(Reader::span)?,
            packages: from.texts()?,
            default: from.optional_text()?.map(str::to_owned),
            findings: from.many(|from| {
                Some(Finding {
                    kind: FindingKind::from_name(from.text()?)?,
                    line: from.optional()?,
                })
            })?,
        };
        from.is_at_end().then_some(structure)
    }
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
    out.span(symbol.span);
    out.lines(symbol.lines);
    out.size(symbol.lead);
    out.span(symbol.name_span);
    out.size(symbol.name_line);
    out.flag(symbol.body.is_some());
    if let Some(body) = symbol.body {
        out.span(body);
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
        span: from.span()?,
        lines: from.lines()?,
        lead: from.size()?,
        name_span: from.span()?,
        name_line: from.size()?,
        body: match from.flag()? {
            true => Some(from.span()?),
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
    out.span(reference.span);
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
        span: from.span()?,
        line: {
            *last = last.wrapping_add(from.size()?);
            *last
        },
        from: from.optional()?,
    })
}

impl Import {
    /// Writes it.
    pub fn write(&self, out: &mut Writer) {
        out.text(self.kind.name()).text(&self.module);
        out.texts(&self.names);
        out.size(self.locals.len());
        for (name, local) in &self.locals {
            out.text(name).text(local);
        }
        out.size(self.modules);
        out.span(self.span);
        out.size(self.line);
    }

    /// Reads it back.
    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            kind: ImportKind::from_name(from.text()?)?,
            module: from.text()?.to_owned(),
            names: from.texts()?,
            locals: from.many(|from| Some((from.text()?.to_owned(), from.text()?.to_owned())))?,
            modules: from.size()?,
            span: from.span()?,
            line: from.size()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;
    use proptest::prelude::*;

    use super::*;
    use crate::Limits;

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
            let structure = crate::extract(language, text, &limits);
            let bytes = structure.to_bytes();
            assert_eq!(Structure::from_bytes(&bytes), Some(structure), "{name}");
            for end in 0..bytes.len() {
                assert_eq!(Structure::from_bytes(&bytes[..end]), None, "{name} {end}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read(bytes: Vec<u8>) {
            let _ = Structure::from_bytes(&bytes);
        }
    }
}
