//! Parameters and local variables, which shadow definitions of the same name. They are not symbols:
//! only a location leads to one.

use loom_syntax::{Mention, Role, Symbol, SymbolKind, Visibility, mentions};

use super::file::CodeFile;
use super::navigator::Navigator;
use super::types::{Certainty, Definition, Use};
use crate::CodeFiles;

/// Returns the occurrences of a name in a file.
fn named(file: &CodeFile, name: &str) -> Vec<Mention> {
    mentions(file.language, &file.text, name, &file.limits)
}

impl CodeFile {
    /// Returns the definition of a local variable or parameter at a byte.
    pub(super) fn local_at(&self, name: &str, at: usize) -> Option<Definition> {
        let holds = |one: &&Mention| one.span.start <= at && at <= one.span.end;
        let named = named(self, name);
        let mention = named.iter().find(holds)?;
        let bound = mention.bound_at.filter(|_| mention.role == Role::Local)?;
        let mut symbols = self.structure.symbols.iter();
        let is_it = |one: &&Symbol| one.name_span.start == bound;
        if let Some(symbol) = symbols.find(is_it) {
            return Some(self.definition(symbol));
        }
        let mut imports = self.structure.imports.iter();
        // An imported name is defined in another file.
        let is_imported = imports.any(|one| one.span.start <= bound && bound < one.span.end);
        (!is_imported).then(|| self.local(name, bound))
    }

    fn local(&self, name: &str, bound: usize) -> Definition {
        let (place, line) = (self.place(bound), self.line(bound));
        let around = self.around(bound);
        Definition {
            end_line: place.line,
            place,
            name: name.to_owned(),
            qualified: name.to_owned(),
            kind: SymbolKind::Variable,
            visibility: Visibility::Private,
            signature: line.text,
            doc: None,
            is_test: around.is_some_and(|one| one.is_test),
            is_declaration: false,
            is_local: true,
            has_secret: line.has_secret,
        }
    }
}

impl<F: CodeFiles> Navigator<F> {
    /// Returns the uses of a parameter or local variable in its function.
    pub(super) fn local_uses(&self, of: &Definition) -> Vec<Use> {
        let number = self.files.number_of(&of.place.path);
        let Some(file) = number.and_then(|number| self.file(number)) else {
            return Vec::new();
        };
        let bound = file.offset(of.place.line, of.place.column);
        let is_use = |one: &Mention| one.bound_at == bound && Some(one.span.start) != bound;
        let references = &file.structure.references;
        let used = |at: usize| {
            let reference = references.iter().find(|one| one.span.start == at);
            let line = file.line(at);
            Use {
                name: of.name.clone(),
                place: file.place(at),
                kind: reference.map_or("name", |one| one.kind.name()),
                certainty: Certainty::Resolved,
                from: file.around(at).map(|one| one.qualified.clone()),
                text: line.text,
                has_secret: line.has_secret,
            }
        };
        let uses = named(&file, &of.name).into_iter().filter(is_use);
        uses.map(|one| used(one.span.start)).collect()
    }
}
