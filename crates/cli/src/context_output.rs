//! The paths that a user types for `context`, and its lines for people.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use infiniloom::host::{ContextAnswer, ContextRepository, ContextRequest, Source};
use infiniloom::results::context::{PathBase, piece};
use loom_wire::{ContextInfo, ReasonScope};

use super::numbers::plural;

/// The directory that was asked about, where the paths of an answer start.
pub(super) struct Base {
    paths: PathBase,
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
            paths: PathBase::new(below.unwrap_or_default()),
        }
    }

    /// How paths of the source are shown.
    pub(super) fn paths(&self) -> &PathBase {
        &self.paths
    }

    /// The files that an earlier answer showed, as paths of the source.
    pub(super) fn shown_in(&self, earlier: &ContextInfo) -> Vec<String> {
        let paths = earlier.pieces.iter();
        let paths = paths.map(|piece| format!("{}{}", self.paths.below(), piece.path));
        let mut paths: Vec<String> = paths.collect();
        paths.dedup();
        paths
    }

    /// The file that somebody means by a path, as a path of the source: one as a shell
    /// knows it, as an answer shows it, or from the top of the source.
    pub(super) fn file(
        &self,
        source: &Source,
        repository: &ContextRepository,
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
            Some(format!("{}{plain}", self.paths.below())),
            Some(plain.to_owned()),
        ];
        let mut ways = ways.into_iter().flatten();
        ways.find(|way| repository.has_file(way))
    }

    /// What somebody pins, with the file as a path of the source.
    pub(super) fn pin(
        &self,
        source: &Source,
        repository: &ContextRepository,
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
}

/// Two lines for people.
pub(super) fn summary(
    repository: &ContextRepository,
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
    for one in &answer.fitted.pieces {
        let told = piece(base.paths(), one);
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
