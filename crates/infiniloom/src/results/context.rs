//! The pieces of a context, with their sources, scores and reasons.

use loom_host::{
    ContextAnswer, ContextReason, ContextRepository, Piece, Ranked, RepoPath, Tokenizer,
};
use loom_wire::{
    ContextFileInfo, ContextHitInfo, ContextInfo, ContextPartInfo, ContextPieceInfo,
    ContextSummaryInfo, FORMAT_VERSION, ReasonInfo, ReasonScope,
};

use super::rounding::to_four_decimals;

/// A result lists at most this many relevant files: a broad query matches thousands.
const FILES: usize = 300;
/// An explained result describes this many files.
const EXPLAINED_FILES: usize = 100;

/// The directory that a query is about: paths of the result start there.
#[derive(Clone, Debug, Default)]
pub struct PathBase {
    below: String,
}

impl PathBase {
    /// `below` is the path of the directory from the root of the source, with a slash at its
    /// end, or empty for the root itself.
    pub fn new(below: String) -> Self {
        Self { below }
    }

    /// The part of the source's paths that a result omits.
    pub fn below(&self) -> &str {
        &self.below
    }

    /// Returns a path of the source as a result shows it.
    pub fn shown(&self, path: &str) -> String {
        match path.strip_prefix(&self.below).unwrap_or(path) {
            // The directory that the query is about.
            "" | "/" => "./".to_owned(),
            below => below.to_owned(),
        }
    }

    fn path(&self, path: &RepoPath) -> String {
        self.shown(&path.display())
    }
}

/// How much a result explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Pieces with their reasons.
    Pieces,
    /// All candidates with their scores, too.
    Explained,
}

/// Describes a context that was made for `budget` tokens.
pub fn info(
    base: &PathBase,
    repository: &ContextRepository,
    answer: &ContextAnswer,
    tokenizer: Tokenizer,
    budget: usize,
    detail: Detail,
) -> ContextInfo {
    let corpus = repository.corpus();
    let path = |file: u32| base.path(&corpus.files[file as usize].path);
    let hits = answer.hits(repository);
    let fitted = &answer.fitted;
    let files = answer.selection.files.iter().take(FILES);
    let shown: usize = fitted.pieces.iter().map(|piece| piece.parts.len()).sum();
    ContextInfo {
        format_version: FORMAT_VERSION,
        tokens: fitted.context.tokens(),
        budget,
        vocabulary: tokenizer.label().to_string(),
        query_words: answer.selection.words.all,
        query_words_found: answer.selection.words.found,
        files_searched: corpus.files.len(),
        hits: hits
            .iter()
            .map(|hit| ContextHitInfo {
                path: base.path(&hit.path),
                start_line: hit.first,
                end_line: hit.last,
                score: to_four_decimals(hit.score),
            })
            .collect(),
        files: files.map(|one| path(one.number)).collect(),
        pieces: fitted
            .pieces
            .iter()
            .map(|one| ContextPieceInfo {
                text: answer.text(one).to_owned(),
                ..piece(base, one)
            })
            .collect(),
        summaries: fitted
            .rest
            .iter()
            .map(|one| ContextSummaryInfo {
                path: base.shown(&one.path),
                text: one.text.clone(),
            })
            .collect(),
        context: fitted.context.text().to_owned(),
        explained: match detail {
            Detail::Explained => explained(base, repository, answer),
            Detail::Pieces => Vec::new(),
        },
        notices: Vec::new(),
        truncated: shown < answer.selection.parts.len(),
    }
}

/// Describes a context without a match: `text` says so.
pub fn no_match_info(info: ContextInfo, tokenizer: Tokenizer, text: &str) -> ContextInfo {
    ContextInfo {
        tokens: tokenizer.count(text).upper(),
        summaries: Vec::new(),
        context: text.to_owned(),
        ..info
    }
}

/// Describes one piece.
pub fn piece(base: &PathBase, piece: &Piece) -> ContextPieceInfo {
    let path = base.path(&piece.path);
    ContextPieceInfo {
        id: format!("{path}:{}-{}", piece.first, piece.last),
        path,
        start_line: piece.first as usize,
        end_line: piece.last as usize,
        tokens: piece.tokens,
        score: to_four_decimals(piece.score),
        reasons: piece.reasons.iter().map(reason).collect(),
        text: String::new(),
    }
}

fn reason(reason: &ContextReason) -> ReasonInfo {
    ReasonInfo {
        signal: reason.name.to_owned(),
        words: reason.words.to_owned(),
        value: to_four_decimals(reason.value),
        of: reason.of,
    }
}

fn reasons_of(ranked: &Ranked, scope: ReasonScope) -> Vec<ReasonInfo> {
    let reasons = ContextReason::of(ranked, scope);
    reasons.iter().map(reason).collect()
}

fn explained(
    base: &PathBase,
    repository: &ContextRepository,
    answer: &ContextAnswer,
) -> Vec<ContextFileInfo> {
    let corpus = repository.corpus();
    let selected = &answer.selection.files;
    let selected = &selected[..selected.len().min(EXPLAINED_FILES)];
    let files = selected.iter().map(|file| ContextFileInfo {
        path: base.path(&corpus.files[file.number as usize].path),
        score: to_four_decimals(file.score),
        standing: file.standing,
        reasons: reasons_of(file, ReasonScope::File),
        parts: Vec::new(),
    });
    let mut files: Vec<ContextFileInfo> = files.collect();
    for part in &answer.selection.parts {
        let one = &corpus.parts[part.number as usize];
        if let Some(at) = selected.iter().position(|file| file.number == one.file) {
            files[at].parts.push(ContextPartInfo {
                start_line: one.first as usize,
                end_line: one.last as usize,
                bytes: one.bytes as usize,
                doc_start_line: one.doc.first as usize,
                doc_end_line: one.doc.last as usize,
                doc_bytes: one.doc.bytes as usize,
                is_whole: one.is_whole(),
                score: to_four_decimals(part.score),
                reasons: reasons_of(part, ReasonScope::Piece),
            });
        }
    }
    files
}
