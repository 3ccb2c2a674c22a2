//! Where names are used, and what implements them.

use loom_base::ByteSpan;
use loom_syntax::{ReferenceKind, SymbolKind};

use super::file::CodeFile;
use super::{Definition, SyntaxNavigator, Use};

/// Languages that call each other by the same names.
const FAMILIES: &[&[&str]] = &[
    &["c", "cpp", "objective-c"],
    &[
        "javascript",
        "jsx",
        "typescript",
        "tsx",
        "vue",
        "svelte",
        "html",
    ],
    &["java", "kotlin", "scala"],
];

/// Whether code in one language can use a name of the other.
pub(super) fn is_related(one: &str, other: &str) -> bool {
    let share = |family: &&&[&str]| family.contains(&one) && family.contains(&other);
    one == other || FAMILIES.iter().any(|family| share(&family))
}

impl SyntaxNavigator<'_> {
    /// Every place in code that names one of the definitions, except where they are
    /// defined: not in comments, and not in strings of one line.
    pub(super) fn uses(&self, of: &[Definition]) -> Vec<Use> {
        let mut found = Vec::new();
        let mut names: Vec<&str> = of.iter().map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let wanted: Vec<&Definition> = of.iter().filter(|one| one.name == name).collect();
            for number in self.searcher.naming(name) {
                let Some(file) = self.file(number) else {
                    continue;
                };
                let language = file.language.id();
                if wanted
                    .iter()
                    .any(|one| is_related(one.place.language, language))
                {
                    uses_in(&file, name, &wanted, &mut found);
                }
            }
        }
        found
    }

    /// Types that inherit from or implement a type, and methods of such types that have
    /// the name of a method.
    pub(super) fn implementing(&self, of: &[Definition]) -> Vec<Definition> {
        let mut found = Vec::new();
        for one in of {
            let names = super::target::names(&one.qualified);
            let owner = names.len().checked_sub(2).map(|at| names[at].clone());
            match one.kind.is_function() {
                false => found.extend(self.implementing_types(&one.name, one.place.language)),
                true => {
                    let Some(owner) = owner else { continue };
                    found.extend(self.overriding(&owner, one));
                }
            }
        }
        found
    }

    fn implementing_types(&self, name: &str, language: &str) -> Vec<Definition> {
        let mut found = Vec::new();
        for number in self.searcher.naming(name) {
            let Some(file) = self.file(number) else {
                continue;
            };
            if !is_related(language, file.language.id()) {
                continue;
            }
            let is_above = |kind| matches!(kind, ReferenceKind::Inherit | ReferenceKind::Implement);
            for reference in &file.structure.references {
                if reference.name != name || !is_above(reference.kind) {
                    continue;
                }
                let symbol = match reference.from {
                    Some(at) => file.structure.symbols.get(at),
                    None => file.around(reference.span.start),
                };
                found.extend(symbol.map(|symbol| file.definition(symbol)));
            }
        }
        found
    }

    fn overriding(&self, owner: &str, method: &Definition) -> Vec<Definition> {
        let mut found = Vec::new();
        for kind in self.implementing_types(owner, method.place.language) {
            let Some(number) = self.searcher.number_of(&kind.place.path) else {
                continue;
            };
            let Some(file) = self.file(number) else {
                continue;
            };
            let lines = kind.place.line..=kind.end_line;
            let methods = file.structure.symbols.iter().filter(|one| {
                let is_method = one.kind.is_function() || one.kind == SymbolKind::Property;
                is_method && one.name == method.name && lines.contains(&one.name_line)
            });
            found.extend(methods.map(|one| file.definition(one)));
        }
        found
    }
}

/// The places in one file.
fn uses_in(file: &CodeFile, name: &str, wanted: &[&Definition], found: &mut Vec<Use>) {
    let own: Vec<ByteSpan> = file
        .structure
        .symbols
        .iter()
        .filter(|one| one.name == name)
        .map(|one| one.name_span)
        .collect();
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    for (at, _) in file.text.match_indices(name) {
        let before = file.text[..at].chars().next_back();
        let behind = file.text[at + name.len()..].chars().next();
        if before.is_some_and(is_part) || behind.is_some_and(is_part) {
            continue;
        }
        let is_own = own.iter().any(|span| span.start <= at && at < span.end);
        if is_own || is_in_comment(file, at) || is_in_string(file, at) {
            continue;
        }
        let reference = file
            .structure
            .references
            .iter()
            .find(|one| one.span.start == at);
        let is_import = file
            .structure
            .imports
            .iter()
            .any(|one| one.span.start <= at && at < one.span.end);
        let kind = match reference {
            Some(reference) => reference.kind.name(),
            None if is_import => "import",
            None => "name",
        };
        if !can_mean(file, at, kind, wanted) {
            continue;
        }
        found.push(Use {
            place: file.place(at),
            kind,
            from: file.around(at).map(|symbol| symbol.qualified.clone()),
            text: file.line(at),
        });
    }
}

/// Whether a place in a file that defines the name itself can mean one of `wanted`: a
/// private definition is used in its own file alone.
fn can_mean(file: &CodeFile, _at: usize, kind: &str, wanted: &[&Definition]) -> bool {
    let is_near = |one: &&&Definition| {
        let is_private = one.visibility == loom_syntax::Visibility::Private;
        !is_private || one.place.path == file.path || shares_folder(one, file)
    };
    let is_call = kind == "call";
    let callable = |one: &&&Definition| !is_call || one.kind != SymbolKind::Key;
    wanted.iter().filter(is_near).any(|one| callable(&one))
}

/// Private names of Go and Rust are seen in the whole folder, or below it.
fn shares_folder(one: &Definition, file: &CodeFile) -> bool {
    match one.place.path.parent() {
        Some(folder) => file.path.starts_with(&folder),
        None => true,
    }
}

fn is_in_comment(file: &CodeFile, at: usize) -> bool {
    let comments = &file.structure.comments;
    let before = comments.partition_point(|one| one.start <= at);
    before
        .checked_sub(1)
        .is_some_and(|last| at < comments[last].end)
}

/// Whether an odd number of quotes stands before the place in its line.
fn is_in_string(file: &CodeFile, at: usize) -> bool {
    let start = file.text[..at].rfind('\n').map_or(0, |end| end + 1);
    let (mut open, mut is_escaped) = (None, false);
    for c in file.text[start..at].chars() {
        match (c, open) {
            _ if is_escaped => is_escaped = false,
            ('\\', Some(_)) => is_escaped = true,
            ('"' | '`', None) => open = Some(c),
            (c, Some(quote)) if c == quote => open = None,
            _ => {}
        }
    }
    // A template has code inside.
    open == Some('"') || (open == Some('`') && !file.text[start..at].contains("${"))
}
