//! What `context` tells beside the context itself: for programs as JSON, for people as a
//! few lines.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use infiniloom::host::{
    ContextAnswer, ContextReason, ContextRepository, ContextRequest, Packer, Piece, Ranked,
    RepoPath, Source,
};
use loom_wire::{
    ContextFileInfo, ContextHitInfo, ContextInfo, ContextPartInfo, ContextPieceInfo,
    ContextSummaryInfo, FORMAT_VERSION, ReasonInfo, ReasonScope,
};

use super::summary::plural;

/// Files that are told, where so many have to do with the question.
const FILES: usize = 300;
/// Files that are explained.
const EXPLAINED: usize = 100;

/// Where the paths of an answer start: at the folder that was asked about.
pub(super) struct Base {
    below: String,
}

impl Base {
    pub(super) fn new(source: &Source, paths: &[PathBuf]) -> Self {
        let roots: Vec<&Path> = source.roots().collect();
        let below = match (roots.as_slice(), paths) {
            ([root], [path]) => path.canonicalize().ok().and_then(|path| {
                let below = path.strip_prefix(root).ok()?.to_str()?.to_owned();
                (path.is_dir() && !below.is_empty()).then(|| format!("{below}/"))
            }),
            _ => None,
        };
        Self {
            below: below.unwrap_or_default(),
        }
    }

    /// What the paths of the source have before those of an answer.
    pub(super) fn below(&self) -> &str {
        &self.below
    }

    /// The files that an earlier answer showed, as paths of the source.
    pub(super) fn shown_in(&self, earlier: &ContextInfo) -> Vec<String> {
        let paths = earlier.pieces.iter();
        let paths = paths.map(|piece| format!("{}{}", self.below, piece.path));
        let mut paths: Vec<String> = paths.collect();
        paths.dedup();
        paths
    }

    /// The file that somebody means by a path, as a path of the source: one as a shell
    /// knows it, as an answer shows it, or from the top of the source.
    pub(super) fn file(
        &self,
        source: &Source,
        repository: &ContextRepository<'_>,
        typed: &str,
    ) -> Option<String> {
        let here = env::current_dir().unwrap_or_default();
        let named = |path: &Path| Some(source.named(path, &here)?.display().into_owned());
        let typed_path = Path::new(typed);
        let resolved = typed_path.canonicalize().ok();
        let plain = typed.trim_start_matches("./");
        let ways = [
            named(typed_path),
            resolved.and_then(|path| named(&path)),
            Some(format!("{}{plain}", self.below)),
            Some(plain.to_owned()),
        ];
        let mut ways = ways.into_iter().flatten();
        ways.find(|way| repository.has_file(way))
    }

    /// What somebody pins, with the file as a path of the source.
    pub(super) fn pin(
        &self,
        source: &Source,
        repository: &ContextRepository<'_>,
        typed: &str,
    ) -> String {
        if let Some(file) = self.file(source, repository, typed) {
            return file;
        }
        let lines = typed.rsplit_once(':').and_then(|(path, lines)| {
            let file = self.file(source, repository, path)?;
            Some(format!("{file}:{lines}"))
        });
        lines.unwrap_or_else(|| typed.to_owned())
    }

    fn path(&self, path: &RepoPath) -> String {
        self.shown(&path.display())
    }

    fn shown(&self, path: &str) -> String {
        match path.strip_prefix(&self.below).unwrap_or(path) {
            // The folder that was asked about.
            "" | "/" => "./".to_owned(),
            below => below.to_owned(),
        }
    }
}

/// All of it, for programs.
pub(super) fn info(
    packer: &Packer,
    base: &Base,
    repository: &ContextRepository<'_>,
    request: &ContextRequest,
    answer: &ContextAnswer,
    explains: bool,
) -> ContextInfo {
    let corpus = repository.corpus();
    let path = |file: u32| base.path(&corpus.files[file as usize].path);
    let files = answer.selection.files.iter().take(FILES);
    ContextInfo {
        format_version: FORMAT_VERSION,
        tokens: answer.fitted.context.tokens(),
        budget: request.budget,
        vocabulary: packer.options().model.tokenizer.label().to_string(),
        query_words: answer.selection.words.all,
        query_words_found: answer.selection.words.found,
        hits: answer
            .hits(repository)
            .iter()
            .map(|hit| ContextHitInfo {
                path: base.path(&hit.path),
                start_line: hit.first,
                end_line: hit.last,
                score: rounded(hit.score),
            })
            .collect(),
        files: files.map(|one| path(one.number)).collect(),
        pieces: answer
            .fitted
            .pieces
            .iter()
            .map(|piece| told(base, piece))
            .collect(),
        summaries: answer
            .fitted
            .rest
            .iter()
            .map(|one| ContextSummaryInfo {
                path: base.shown(&one.path),
                text: one.text.clone(),
            })
            .collect(),
        context: answer.fitted.context.text().to_owned(),
        explained: match explains {
            true => explained(base, repository, answer),
            false => Vec::new(),
        },
    }
}

fn told(base: &Base, piece: &Piece) -> ContextPieceInfo {
    let path = base.path(&piece.path);
    ContextPieceInfo {
        id: format!("{path}:{}-{}", piece.first, piece.last),
        path,
        start_line: piece.first as usize,
        end_line: piece.last as usize,
        tokens: piece.tokens,
        score: rounded(piece.score),
        reasons: piece.reasons.iter().map(reason).collect(),
    }
}

fn reason(reason: &ContextReason) -> ReasonInfo {
    ReasonInfo {
        signal: reason.name.to_owned(),
        words: reason.words.to_owned(),
        value: rounded(reason.value),
        of: reason.of,
    }
}

fn reasons_of(ranked: &Ranked, scope: ReasonScope) -> Vec<ReasonInfo> {
    let reasons = ContextReason::of(ranked, scope);
    reasons.iter().map(reason).collect()
}

fn explained(
    base: &Base,
    repository: &ContextRepository<'_>,
    answer: &ContextAnswer,
) -> Vec<ContextFileInfo> {
    let corpus = repository.corpus();
    let files = answer.selection.files.iter().take(EXPLAINED);
    let mut told: Vec<ContextFileInfo> = files
        .map(|file| ContextFileInfo {
            path: base.path(&corpus.files[file.number as usize].path),
            score: rounded(file.score),
            standing: file.standing,
            reasons: reasons_of(file, ReasonScope::File),
            parts: Vec::new(),
        })
        .collect();
    for part in &answer.selection.parts {
        let one = &corpus.parts[part.number as usize];
        let at = answer
            .selection
            .files
            .iter()
            .take(EXPLAINED)
            .position(|file| file.number == one.file);
        if let Some(at) = at {
            told[at].parts.push(ContextPartInfo {
                start_line: one.first as usize,
                end_line: one.last as usize,
                bytes: one.bytes as usize,
                doc_start_line: one.doc.first as usize,
                doc_end_line: one.doc.last as usize,
                doc_bytes: one.doc.bytes as usize,
                is_whole: one.is_whole(),
                score: rounded(part.score),
                reasons: reasons_of(part, ReasonScope::Piece),
            });
        }
    }
    told
}

/// The same where nothing matches: `text` says so.
pub(super) fn no_match_info(packer: &Packer, text: &str, info: ContextInfo) -> ContextInfo {
    ContextInfo {
        tokens: packer.options().model.tokenizer.count(text).upper(),
        summaries: Vec::new(),
        context: text.to_owned(),
        ..info
    }
}

/// Two lines for people.
pub(super) fn summary(
    repository: &ContextRepository<'_>,
    request: &ContextRequest,
    answer: &ContextAnswer,
) -> String {
    let mut files: Vec<u32> = answer
        .fitted
        .pieces
        .iter()
        .map(|piece| piece.file)
        .collect();
    files.dedup();
    format!(
        "Selected {} of {} out of {} ({} of {} tokens)\n{} of {} found",
        plural(answer.fitted.pieces.len(), "piece", "pieces"),
        plural(files.len(), "file", "files"),
        repository.corpus().files.len(),
        answer.fitted.context.tokens(),
        request.budget,
        answer.selection.words.found,
        plural(answer.selection.words.all, "query word", "query words"),
    )
}

/// Why everything was chosen, for people.
pub(super) fn reasons(base: &Base, answer: &ContextAnswer) -> String {
    let mut out = String::new();
    for piece in &answer.fitted.pieces {
        let told = told(base, piece);
        let _ = writeln!(
            out,
            "{}  {} tokens, score {}",
            told.id, told.tokens, told.score
        );
        for reason in &told.reasons {
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

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
