//! The parts of a map.

use loom_host::{FileEntry, MapDocument};
use loom_wire::{
    FORMAT_VERSION, MapDirectory, MapDocumentInfo, MapEdge, MapEntry, MapEntryLine, MapSymbolInfo,
    NoticeInfo,
};

/// Describes a map of which `linked` files have a known language.
pub fn document(map: MapDocument, linked: usize, notices: Vec<NoticeInfo>) -> MapDocumentInfo {
    let languages = map.languages.iter();
    let symbols = map.key_symbols.into_iter();
    let others = map.others.into_iter();
    let edges = map.edges.into_iter();
    MapDocumentInfo {
        format_version: FORMAT_VERSION,
        name: map.name,
        files: map.files,
        lines: map.lines,
        files_without_symbols: map.files.saturating_sub(linked),
        languages: languages.map(|(name, _)| (*name).to_owned()).collect(),
        description: map.description,
        key_symbols: symbols
            .map(|symbol| MapSymbolInfo {
                name: symbol.name,
                kind: symbol.kind.name().to_owned(),
                path: symbol.path,
                line: symbol.line as usize,
            })
            .collect(),
        signatures: map.signatures.into_iter().map(entry).collect(),
        others: others
            .map(|(path, files)| MapDirectory {
                path,
                files: files.into_iter().map(entry).collect(),
            })
            .collect(),
        edges: edges.map(|(from, to)| MapEdge { from, to }).collect(),
        files_not_shown: map.left_out,
        notices,
    }
}

fn entry(file: FileEntry) -> MapEntry {
    let lines = file.lines.into_iter();
    MapEntry {
        path: file.path,
        lines: lines
            .map(|line| MapEntryLine {
                depth: line.depth,
                line: line.line as usize,
                text: line.text,
            })
            .collect(),
        names: file.names,
        not_shown: file.left_out,
    }
}
