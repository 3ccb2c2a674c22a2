//! A parsed file for navigation.

use std::collections::HashSet;
use std::ops::Range;

use loom_base::RepoPath;
use loom_secrets::Finding;
use loom_syntax::{
    Language, Limits, Reference, Role, Structure, Symbol, SymbolKind, has_grammar, mentions,
};

use super::types::{CodePlace, Definition};
use crate::code::{Code, CodeFiles};
use crate::redaction::{hide_names, hide_references};
use crate::search::LineSource;

/// Maximum number of bytes to display of a line. A longer line is truncated around the location.
const LONGEST_LINE: usize = 1000;

/// A file that was read and parsed.
pub(super) struct CodeFile {
    pub(super) path: RepoPath,
    pub(super) text: String,
    pub(super) language: Language,
    pub(super) structure: Structure,
    findings: Vec<Finding>,
    /// True if secrets are hidden.
    hides: bool,
    /// Byte offsets of the line starts.
    starts: Vec<usize>,
    pub(super) limits: Limits,
}

/// A displayed line.
pub(super) struct CodeLine {
    pub(super) text: String,
    /// True if it contains a secret, hidden or not.
    pub(super) has_secret: bool,
}

impl CodeFile {
    /// Parses a file. Returns `None` if it is not code.
    pub(super) fn parse(code: Code, files: &impl CodeFiles) -> Option<Self> {
        let language = code.language.filter(|language| has_grammar(*language))?;
        let limits = files.limits();
        let structure = files.extract(language, &code.text, &limits);
        Some(Self::new(code, language, structure, limits))
    }

    /// Creates the value from a parsed structure.
    pub(super) fn new(
        code: Code,
        language: Language,
        mut structure: Structure,
        limits: Limits,
    ) -> Self {
        let (path, text, findings) = (code.path, code.text, code.findings);
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        if code.hides {
            hide_names(&mut structure.symbols, &text, &findings);
            hide_references(&mut structure.references, &findings);
        }
        Self {
            path,
            text,
            language,
            structure,
            findings,
            hides: code.hides,
            starts,
            limits,
        }
    }

    pub(super) fn place(&self, at: usize) -> CodePlace {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line - 1];
        let before = self.text.get(start..at).unwrap_or_default();
        CodePlace {
            path: self.path.clone(),
            language: self.language.id(),
            line,
            column: 1 + before.chars().count(),
        }
    }

    /// Returns the byte offset of a line and a column.
    pub(super) fn offset(&self, line: usize, column: usize) -> Option<usize> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let text = &self.text[start..];
        let text = text.split('\n').next().unwrap_or_default();
        let inside = text.char_indices().nth(column.saturating_sub(1));
        Some(start + inside.map_or(text.len(), |(at, _)| at))
    }

    /// Returns the displayed line around a byte.
    pub(super) fn line(&self, at: usize) -> CodeLine {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line - 1];
        let end = self.text[start..]
            .find('\n')
            .map_or(self.text.len(), |end| start + end);
        let near = match end - start <= LONGEST_LINE {
            true => start..end,
            false => self.near(at, start..end),
        };
        let lines = LineSource {
            text: &self.text,
            findings: &self.findings,
            hides: self.hides,
            symbols: &[],
        };
        let (text, has_secret) = lines.line(near.clone());
        let before = if near.start > start { "…" } else { "" };
        let behind = if near.end < end { "…" } else { "" };
        CodeLine {
            text: format!("{before}{}{behind}", text.trim()),
            has_secret,
        }
    }

    /// Returns the range to display around a byte of a long line. A secret that overlaps the range
    /// is included whole, so that its redaction covers all of it.
    fn near(&self, at: usize, line: Range<usize>) -> Range<usize> {
        let mut start = at.saturating_sub(LONGEST_LINE / 2).max(line.start);
        let mut end = (at + LONGEST_LINE / 2).min(line.end);
        for one in &self.findings {
            if one.span.start < end && start < one.span.end {
                start = start.min(one.span.start.max(line.start));
                end = end.max(one.span.end.min(line.end));
            }
        }
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }

    pub(super) fn definition(&self, symbol: &Symbol) -> Definition {
        let reaches = |end: usize| {
            let findings = self.findings.iter();
            let mut inside = findings.filter(|one| one.span.start < end);
            inside.any(|one| symbol.lead < one.span.end)
        };
        let is_hidden = reaches(symbol.span.end) && self.hides;
        // The displayed definition ends before its body.
        let has_secret = reaches(symbol.body.map_or(symbol.span.end, |body| body.start));
        Definition {
            has_secret,
            place: self.place(symbol.name_span.start),
            name: symbol.name.clone(),
            qualified: symbol.qualified.clone(),
            kind: symbol.kind,
            visibility: symbol.visibility,
            // A redacted first line replaces both signature and doc.
            signature: match is_hidden {
                true => self.line(symbol.name_span.start).text,
                false => symbol.signature.clone(),
            },
            doc: symbol.doc.clone().filter(|_| !is_hidden),
            end_line: symbol.lines.last,
            is_test: symbol.is_test,
            is_declaration: self.is_declaration(symbol),
            is_local: false,
        }
    }

    /// Returns true if the symbol only declares a definition that is elsewhere: in headers and
    /// stubs, and in TypeScript overloads.
    fn is_declaration(&self, symbol: &Symbol) -> bool {
        let name = self.path.file_name();
        if name.ends_with(b".d.ts") || name.ends_with(b".pyi") {
            return true;
        }
        let text = self.text.get(symbol.span.start..symbol.span.end);
        // Some grammars exclude the semicolon from the span of the declaration.
        let has_end = text.is_none_or(|text| text.trim_end().trim_end_matches(';').ends_with('}'));
        let is_function = symbol.kind.is_function();
        match self.language.id() {
            "c" | "cpp" => (is_function || symbol.kind.is_type()) && !has_end,
            "typescript" | "tsx" => symbol.kind == SymbolKind::Function && symbol.body.is_none(),
            _ => false,
        }
    }

    /// Returns the innermost symbol around a byte.
    pub(super) fn around(&self, at: usize) -> Option<&Symbol> {
        self.structure.symbols.get(self.around_number(at)?)
    }

    /// Returns the index of the innermost symbol around a byte.
    pub(super) fn around_number(&self, at: usize) -> Option<usize> {
        let symbols = self.structure.symbols.iter().enumerate();
        let inside = symbols.filter(|(_, one)| one.span.start <= at && at < one.span.end);
        inside
            .min_by_key(|(_, one)| one.span.len())
            .map(|(number, _)| number)
    }

    /// Returns true if a byte is in a comment.
    pub(super) fn is_in_comment(&self, at: usize) -> bool {
        let comments = &self.structure.comments;
        let before = comments.partition_point(|one| one.start <= at);
        let last = before.checked_sub(1);
        last.is_some_and(|last| at < comments[last].end)
    }

    /// Returns the identifier at a byte.
    pub(super) fn identifier(&self, at: usize) -> Option<&str> {
        let behind = &self.text[self.name_start(at)?..];
        let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
        behind.get(..end).filter(|name| !name.is_empty())
    }

    /// Returns the positions of calls to a local variable, which shadows a definition of the same
    /// name.
    pub(super) fn called_variables(&self, calls: &[&Reference]) -> HashSet<usize> {
        let mut found = HashSet::new();
        let mut met = HashSet::new();
        let by_name = calls.iter().filter(|call| call.qualifier.is_none());
        let by_name = by_name.filter(|call| met.insert(call.name.as_str()));
        for call in by_name.filter(|call| self.may_be_bound(&call.name)) {
            let named = mentions(self.language, &self.text, &call.name, &self.limits);
            let symbols = &self.structure.symbols;
            let is_symbol = |at: usize| symbols.iter().any(|one| one.name_span.start == at);
            let variables = named
                .into_iter()
                .filter(|one| one.role == Role::Local && !one.bound_at.is_some_and(is_symbol));
            found.extend(variables.map(|one| one.span.start));
        }
        found
    }

    /// Returns true if a name occurs more often than its known references, definitions and imports.
    fn may_be_bound(&self, name: &str) -> bool {
        let structure = &self.structure;
        let used = structure.references.iter().filter(|one| one.name == name);
        let defined = structure.symbols.iter().filter(|one| one.name == name);
        let imported = structure.imports.iter().flat_map(|one| &one.names);
        let imported = imported.filter(|one| *one == name);
        let known = used.count() + defined.count() + imported.count();
        self.text.matches(name).count() > known
    }

    /// Returns the location of the identifier at a byte.
    pub(super) fn identifier_place(&self, at: usize) -> CodePlace {
        self.place(self.name_start(at).unwrap_or(at))
    }

    fn name_start(&self, at: usize) -> Option<usize> {
        let before = self.text.get(..at)?;
        Some(before.trim_end_matches(is_part).len())
    }
}

/// Returns true if a name can contain the character.
fn is_part(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric()
}
