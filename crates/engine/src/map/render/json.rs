//! JSON for programs.

use loom_wire::{FORMAT_VERSION, MapEdge, MapFileInfo, MapInfo, MapLine, MapStats, MapSymbolInfo};

use crate::map::document::{FileEntry, MapDocument};

pub(super) fn write(document: &MapDocument, tokens: usize) -> String {
    let mut files: Vec<MapFileInfo> = document
        .signatures
        .iter()
        .map(|one| file("", one))
        .collect();
    for (folder, entries) in &document.others {
        files.extend(entries.iter().map(|one| file(folder, one)));
    }
    let symbols = document.key_symbols.iter().map(|symbol| MapSymbolInfo {
        name: symbol.name.clone(),
        kind: symbol.kind.name().to_owned(),
        path: symbol.path.clone(),
        line: symbol.line as usize,
    });
    let edges = document.edges.iter().map(|(from, to)| MapEdge {
        from: from.clone(),
        to: to.clone(),
    });
    let info = MapInfo {
        format_version: FORMAT_VERSION,
        name: document.name.clone(),
        tokens,
        stats: MapStats {
            files: document.files,
            lines: document.lines,
            tokens: document.tokens,
            languages: document.languages.len(),
        },
        description: document.description.clone(),
        summary: document.summary.clone(),
        key_symbols: symbols.collect(),
        files,
        edges: edges.collect(),
        files_not_shown: document.left_out,
    };
    let mut text = serde_json::to_string(&info).unwrap_or_default();
    text.push('\n');
    text
}

fn file(folder: &str, entry: &FileEntry) -> MapFileInfo {
    let path = match folder {
        "" => entry.path.clone(),
        folder => format!("{folder}/{}", entry.path),
    };
    MapFileInfo {
        path,
        importance: entry.level.map_or("low", |level| level.name()).to_owned(),
        signatures: entry
            .lines
            .iter()
            .map(|line| MapLine {
                kind: line.kind.name().to_owned(),
                name: line.name.clone(),
                line: line.line as usize,
                signature: line.text.clone(),
            })
            .collect(),
        names: entry.names.clone(),
        not_shown: entry.left_out,
    }
}
