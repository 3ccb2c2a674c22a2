//! A file with its structure, as navigation needs it.

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

/// Of a longer line, what stands around the place is shown.
const LONGEST_LINE: usize = 1000;

/// A file that was read and parsed.
pub(super) struct CodeFile {
    pub(super) path: RepoPath,
    pub(super) text: String,
    pub(super) language: Language,
    pub(super) structure: Structure,
    findings: Vec<Finding>,
    /// Whether what was found is not shown.
    hides: bool,
    /// Where lines start.
    starts: Vec<usize>,
    pub(super) limits: Limits,
}

/// A line as it is shown.
pub(super) struct CodeLine {
    pub(super) text: String,
    /// Whether it holds a secret, hidden or not.
    pub(super) has_secret: bool,
}

impl CodeFile {
    /// Parses a file; `None` where it is no code.
    pub(super) fn parse(code: Code, files: &impl CodeFiles) -> Option<Self> {
        let language = code.language.filter(|language| has_grammar(*language))?;
        let limits = files.limits();
        let structure = files.extract(language, &code.text, &limits);
        Some(Self::new(code, language, structure, limits))
    }

    /// A file that was parsed.
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

    /// The byte at a line and a column.
    pub(super) fn offset(&self, line: usize, column: usize) -> Option<usize> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let text = &self.text[start..];
        let text = text.split('\n').next().unwrap_or_default();
        let inside = text.char_indices().nth(column.saturating_sub(1));
        Some(start + inside.map_or(text.len(), |(at, _)| at))
    }

    /// The line around a byte as it is shown.
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

    /// What stands around a byte of a long line, with the secrets that it reaches as a whole.
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
        // What is shown ends where the body begins.
        let has_secret = reaches(symbol.body.map_or(symbol.span.end, |body| body.start));
        Definition {
            has_secret,
            place: self.place(symbol.name_span.start),
            name: symbol.name.clone(),
            qualified: symbol.qualified.clone(),
            kind: symbol.kind,
            visibility: symbol.visibility,
            // The first line, from which secrets are taken out, in the place of both.
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

    /// Whether what it declares is there elsewhere: in headers and stubs, and before a
    /// function of TypeScript that takes several kinds of arguments.
    fn is_declaration(&self, symbol: &Symbol) -> bool {
        let name = self.path.file_name();
        if name.ends_with(b".d.ts") || name.ends_with(b".pyi") {
            return true;
        }
        let text = self.text.get(symbol.span.start..symbol.span.end);
        // Some grammars leave the semicolon out of the declaration.
        let has_end = text.is_none_or(|text| text.trim_end().trim_end_matches(';').ends_with('}'));
        let is_function = symbol.kind.is_function();
        match self.language.id() {
            "c" | "cpp" => (is_function || symbol.kind.is_type()) && !has_end,
            "typescript" | "tsx" => symbol.kind == SymbolKind::Function && symbol.body.is_none(),
            _ => false,
        }
    }

    /// The innermost symbol around a byte.
    pub(super) fn around(&self, at: usize) -> Option<&Symbol> {
        self.structure.symbols.get(self.around_number(at)?)
    }

    /// The same, by its place among the symbols of the file.
    pub(super) fn around_number(&self, at: usize) -> Option<usize> {
        let symbols = self.structure.symbols.iter().enumerate();
        let inside = symbols.filter(|(_, one)| one.span.start <= at && at < one.span.end);
        inside
            .min_by_key(|(_, one)| one.span.len())
            .map(|(number, _)| number)
    }

    /// Whether a byte is in a comment.
    pub(super) fn is_in_comment(&self, at: usize) -> bool {
        let comments = &self.structure.comments;
        let before = comments.partition_point(|one| one.start <= at);
        let last = before.checked_sub(1);
        last.is_some_and(|last| at < comments[last].end)
    }

    /// The identifier at a byte.
    pub(super) fn identifier(&self, at: usize) -> Option<&str> {
        let behind = &self.text[self.name_start(at)?..];
        let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
        behind.get(..end).filter(|name| !name.is_empty())
    }

    /// Where those calls are that call a variable of the function around them: a name that
    /// hides what has it elsewhere.
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

    /// Whether a name stands in more places than those that use, define and import it.
    fn may_be_bound(&self, name: &str) -> bool {
        let structure = &self.structure;
        let used = structure.references.iter().filter(|one| one.name == name);
        let defined = structure.symbols.iter().filter(|one| one.name == name);
        let imported = structure.imports.iter().flat_map(|one| &one.names);
        let imported = imported.filter(|one| *one == name);
        let known = used.count() + defined.count() + imported.count();
        self.text.matches(name).count() > known
    }

    /// Where the identifier at a byte begins.
    pub(super) fn identifier_place(&self, at: usize) -> CodePlace {
        self.place(self.name_start(at).unwrap_or(at))
    }

    fn name_start(&self, at: usize) -> Option<usize> {
        let before = self.text.get(..at)?;
        Some(before.trim_end_matches(is_part).len())
    }
}

/// Whether a name can have the letter.
fn is_part(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric()
}
