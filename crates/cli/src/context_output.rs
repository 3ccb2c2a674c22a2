//! Formats the lines of `context` for people.

use std::fmt::Write;

use loom_wire::{ContextInfo, ReasonScope};

use super::numbers::plural;

/// Summarises the context in two lines.
pub(super) fn summary(info: &ContextInfo) -> String {
    let mut files: Vec<&str> = info
        .pieces
        .iter()
        .map(|piece| piece.path.as_str())
        .collect();
    files.dedup();
    format!(
        "Selected {} of {} out of {} ({} of {} tokens)\n{} of {} found",
        plural(info.pieces.len(), "piece", "pieces"),
        plural(files.len(), "file", "files"),
        info.files_searched,
        info.tokens,
        info.budget,
        info.query_words_found,
        plural(info.query_words, "query word", "query words"),
    )
}

/// Lists the reasons for each piece.
pub(super) fn reasons(info: &ContextInfo) -> String {
    let mut out = String::new();
    for piece in &info.pieces {
        let _ = writeln!(
            out,
            "{}  {} tokens, score {}",
            piece.id, piece.tokens, piece.score
        );
        for reason in &piece.reasons {
            let whose = match reason.of {
                ReasonScope::File => "its file: ",
                ReasonScope::Piece => "",
            };
            let _ = writeln!(
                out,
                "    {whose}{} ({} {})",
                reason.words, reason.signal, reason.value
            );
        }
    }
    out.trim_end().to_owned()
}
