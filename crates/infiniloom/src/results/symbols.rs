//! The symbols, references and imports of one file.

use loom_host::{FileStructure, Import, Resolution, Subject, Symbol, Tested};
use loom_wire::{FileSymbols, FindingInfo, ImportInfo, ReferenceInfo, SubjectInfo, SymbolInfo};

/// Describes a file, with the symbols that `shown` marks.
pub fn file(file: &FileStructure, shown: &[bool], tested: &Tested) -> FileSymbols {
    let structure = &file.structure;
    let symbols = structure.symbols.iter().zip(shown).enumerate();
    let tests = |at: usize| tested.symbols.get(&at).map(|all| subjects(all));
    let finding = |finding: &loom_host::Finding| FindingInfo {
        kind: finding.kind.to_string(),
        line: finding.line,
    };
    FileSymbols {
        path: file.path.to_string(),
        language: file.language.map(|language| language.id().to_owned()),
        read_by: structure.depth.name().to_owned(),
        findings: structure.findings.iter().map(finding).collect(),
        symbols: symbols
            .filter(|(_, (_, shown))| **shown)
            .map(|(at, (symbol, _))| SymbolInfo {
                tests: tests(at).unwrap_or_default(),
                depth: depth(&structure.symbols, symbol, shown),
                ..info(&structure.symbols, symbol)
            })
            .collect(),
        imports: None,
        references: None,
        tests: subjects(&tested.files),
        hidden: shown.iter().filter(|shown| !**shown).count(),
        last_line: structure.symbols.last().map_or(0, |last| last.lines.last),
    }
}

/// Counts the shown symbols around one. A parent comes before its member, or is a type that the
/// file defines elsewhere.
fn depth(symbols: &[Symbol], symbol: &Symbol, shown: &[bool]) -> usize {
    let mut depth = 0;
    let mut parent = symbol.parent;
    while let Some(at) = parent {
        depth += usize::from(shown[at]);
        let above = symbols[at].parent;
        parent = above.filter(|above| *above != at && depth < 32);
    }
    depth
}

fn info(symbols: &[Symbol], symbol: &Symbol) -> SymbolInfo {
    SymbolInfo {
        name: symbol.name.clone(),
        kind: symbol.kind.to_string(),
        qualified_name: symbol.qualified.clone(),
        signature: symbol.signature.clone(),
        doc: symbol.doc.clone(),
        visibility: symbol.visibility.to_string(),
        start_line: symbol.lines.first,
        end_line: symbol.lines.last,
        line: symbol.name_line,
        start_byte: symbol.span.start,
        end_byte: symbol.span.end,
        parent: symbol.parent.map(|at| symbols[at].qualified.clone()),
        complexity: symbol.complexity,
        test: symbol.is_test,
        tests: Vec::new(),
        depth: 0,
        language: symbol.language.map(str::to_owned),
    }
}

fn subjects(all: &[Subject]) -> Vec<SubjectInfo> {
    let info = |subject: &Subject| SubjectInfo {
        path: subject.path.to_string(),
        name: subject.name.clone(),
        by: subject.by.iter().map(|one| one.name().to_owned()).collect(),
    };
    all.iter().map(info).collect()
}

/// Describes the references of a file.
pub fn references(file: &FileStructure) -> Vec<ReferenceInfo> {
    let symbols = &file.structure.symbols;
    let references = file.structure.references.iter();
    let info = |reference: &loom_host::Reference| ReferenceInfo {
        kind: reference.kind.to_string(),
        name: reference.name.clone(),
        qualifier: reference.qualifier.clone(),
        line: reference.line,
        from: reference.from.map(|at| symbols[at].qualified.clone()),
    };
    references.map(info).collect()
}

/// Describes the imports of a file, with the files that they mean.
pub fn imports(imports: &[(Import, Resolution)]) -> Vec<ImportInfo> {
    let info = |(import, meaning): &(Import, Resolution)| {
        let (files, unresolved) = match meaning {
            Resolution::Files(files) => (files.iter().map(ToString::to_string).collect(), None),
            Resolution::Unresolved(reason) => (Vec::new(), Some(reason.name().to_owned())),
        };
        ImportInfo {
            kind: import.kind.to_string(),
            module: import.module.clone(),
            names: import.names.clone(),
            line: import.line,
            files,
            unresolved,
        }
    };
    imports.iter().map(info).collect()
}
