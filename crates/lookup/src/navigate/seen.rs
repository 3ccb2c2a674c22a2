//! Occurrences of a name in one file, with the line of each. The text itself is dropped.

use loom_base::RepoPath;
use loom_syntax::{
    Import, Language, Mention, ReferenceKind, Structure, SymbolKind, extract_naming, has_grammar,
    has_name, mentions,
};

use super::file::{CodeFile, CodeLine};
use super::navigator::Navigator;
use super::types::CodePlace;
use crate::CodeFiles;

/// A file that contains the name.
pub(super) struct SeenFile {
    pub(super) path: RepoPath,
    pub(super) language: Language,
    pub(super) structure: Structure,
    /// The symbols with the name: location and index of each.
    pub(super) own: Vec<(CodePlace, usize)>,
    pub(super) places: Vec<SeenPlace>,
    /// Occurrences of aliases under which the file imports the name, each with its alias.
    pub(super) aliased: Vec<(String, SeenPlace)>,
}

/// An occurrence of the name that is not its definition.
pub(super) struct SeenPlace {
    pub(super) mention: Mention,
    pub(super) place: CodePlace,
    /// Kind of use: `call`, `type`, `inherit`, `implement`, `import`, or `name`.
    pub(super) kind: &'static str,
    pub(super) used_as: Option<ReferenceKind>,
    /// Index of the import that contains it.
    pub(super) import: Option<usize>,
    /// Index of the symbol around it.
    pub(super) from: Option<usize>,
    /// The displayed line.
    pub(super) line: CodeLine,
    /// Index of the symbol that defines the bound variable.
    pub(super) bound: Option<usize>,
}

impl<F: CodeFiles> Navigator<F> {
    /// Reads a file. Returns `None` if it is not code or does not contain the name. With
    /// `is_default`, a default import in JavaScript counts as the name.
    pub(super) fn seen(&self, number: usize, name: &str, is_default: bool) -> Option<SeenFile> {
        if !self.has_time() {
            return None;
        }
        let code = self.files.code(number)?;
        let language = code.language.filter(|language| has_grammar(*language))?;
        let may_import = is_default && code.text.contains("import");
        if !may_import && !has_name(&code.text, name) {
            return None;
        }
        let limits = self.files.limits();
        let (structure, found) = self.files.parsing(code.text.len(), || {
            extract_naming(language, &code.text, name, &limits)
        });
        let file = CodeFile::new(code, language, structure, limits);
        let aliased = aliased(&file, name, is_default);
        if found.is_empty() && aliased.is_empty() {
            return None;
        }
        let symbols = file.structure.symbols.iter().enumerate();
        // An `impl` uses the name of its type and does not define it.
        let own = symbols.filter(|(_, one)| one.name == name && one.kind != SymbolKind::Impl);
        let own: Vec<(usize, usize)> = own.map(|(at, one)| (one.name_span.start, at)).collect();
        let is_own = |at: usize| own.iter().any(|(start, _)| *start == at);
        let places = found
            .into_iter()
            .filter(|one| !is_own(one.span.start) && !file.is_in_comment(one.span.start))
            .map(|mention| seen_place(&file, mention, &own));
        Some(SeenFile {
            places: places.collect(),
            aliased,
            own: own
                .iter()
                .map(|(at, symbol)| (file.place(*at), *symbol))
                .collect(),
            path: file.path,
            language,
            structure: file.structure,
        })
    }
}

/// Returns occurrences of aliases of the name: `g` in `from a import f as g`, and with `is_default`
/// in `import g from './a'`.
fn aliased(file: &CodeFile, name: &str, is_default: bool) -> Vec<(String, SeenPlace)> {
    let locals = file.structure.imports.iter().flat_map(|one| &one.locals);
    let is_alias = |one: &str| one == name || (is_default && one == "default");
    let mut aliases: Vec<(&String, &String)> = locals
        .filter(|(one, local)| is_alias(one) && local != name)
        .map(|(one, local)| (local, one))
        .collect();
    aliases.sort_unstable();
    aliases.dedup();
    let mut found = Vec::new();
    for (alias, original) in aliases {
        for mention in mentions(file.language, &file.text, alias, &file.limits) {
            let place = seen_place(file, mention, &[]);
            // An import with the original name is already an occurrence of that name.
            let is_told = place.import.is_some() && original == name;
            if !file.is_in_comment(place.mention.span.start) && !is_told {
                found.push((alias.clone(), place));
            }
        }
    }
    found
}

fn seen_place(file: &CodeFile, mention: Mention, own: &[(usize, usize)]) -> SeenPlace {
    let at = mention.span.start;
    let references = &file.structure.references;
    let reference = references.iter().find(|one| one.span.start == at);
    let holds = |one: &Import| one.span.start <= at && at < one.span.end;
    let imports = &file.structure.imports;
    // A statement may import several names, each with its own record.
    let import = imports.iter().position(|one| {
        let names = one.names.iter().chain([&one.module]);
        let text = &file.text[at..mention.span.end];
        holds(one)
            && names
                .into_iter()
                .any(|name| name.split(['.', ':', '/', '\\']).any(|part| part == text))
    });
    let import = import.or_else(|| imports.iter().position(holds));
    let kind = match reference {
        Some(reference) => reference.kind.name(),
        None if import.is_some() => "import",
        None => "name",
    };
    let bound = mention.bound_at;
    SeenPlace {
        place: file.place(at),
        kind,
        used_as: reference.map(|one| one.kind),
        import: import.filter(|_| reference.is_none()),
        from: file.around_number(at),
        line: file.line(at),
        bound: own
            .iter()
            .find(|(start, _)| Some(*start) == bound)
            .map(|(_, symbol)| *symbol),
        mention,
    }
}
