//! The files of a source cut into chunks: read, searched for secrets and cut on several
//! threads, handed out file by file in order, and not kept.

use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_engine::Note;
use loom_models::Ruler;
use loom_secrets::Finding;
use loom_source::{Decoded, FoundFile, LeftOut, Reason};
use loom_syntax::{ChunkOptions, Language, TextChunk, chunks};

use crate::load::{Shown, notes_of, shown};
use crate::ordered::{Ahead, ordered};
use crate::{Cancel, FoundSecret, NoProgress, PackError, Packer, Progress, SecretsMode, Stage};

/// Larger files are read when it is their turn to be handed out, one at a time.
const LARGE: u64 = 4 << 20;

/// What waits behind a slow file is bounded: so many files, none of them large.
const AHEAD: Ahead = Ahead {
    items: 32,
    weight: usize::MAX,
};

/// A file in chunks.
#[derive(Clone, Debug)]
pub struct FileChunks {
    /// Its path.
    pub path: RepoPath,
    /// Its language, where it is known.
    pub language: Option<Language>,
    /// Its text, without its secrets: what the spans of the chunks are in.
    pub text: String,
    /// In what that text differs from the file.
    pub notes: Vec<Note>,
    /// The chunks, in the order of the text.
    pub chunks: Vec<TextChunk>,
}

/// What a run of chunks leaves to tell.
#[derive(Clone, Debug, Default)]
pub struct ChunksTold {
    /// What was found and left out, ordered by path.
    pub left_out: Vec<LeftOut>,
    /// Rules that could not be read, in words.
    pub warnings: Vec<String>,
    /// The secrets that were found.
    pub secrets: Vec<FoundSecret>,
}

/// How far a thread came with a file.
enum Step {
    Done(FileChunks),
    /// Secrets are numbered in the order of the output.
    HasSecrets(Shown, Vec<Finding>),
    /// Too large to wait beside others.
    Large,
    LeftOut(Reason),
}

impl Packer {
    /// Hands out the chunks of every file, ordered by path, as soon as a file is cut.
    ///
    /// # Errors
    /// When a stop was asked for, what git knows cannot be told, or there are secrets
    /// and nothing may be written then.
    pub fn text_chunks(
        &self,
        options: &ChunkOptions,
        progress: &dyn Progress,
        cancel: &Cancel,
        mut emit: impl FnMut(FileChunks) -> ControlFlow<()>,
    ) -> Result<ChunksTold, PackError> {
        if self.options.secrets.mode == SecretsMode::Fail {
            self.survey(&NoProgress, cancel)?;
        }
        progress.begin(Stage::Scan, None);
        self.secrets.forget();
        let mut scan = self.source.scan(&self.options.scan);
        self.past(&mut scan)?;
        if self.options.secrets.mode.hides() {
            self.gather_from(&scan.files);
        }
        progress.begin(Stage::Count, Some(scan.files.len()));
        let mut left_out = std::mem::take(&mut scan.left_out);
        let work = |at: usize| self.step(&scan.files[at], options);
        ordered(
            scan.files.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            work,
            |at, step| {
                progress.advance(1);
                if cancel.is_cancelled() {
                    return ControlFlow::Break(());
                }
                match self.finished(&scan.files[at], step, options) {
                    Ok(file) => emit(file),
                    Err(reason) => {
                        left_out.push(LeftOut {
                            path: scan.files[at].path.clone(),
                            is_dir: false,
                            reason,
                        });
                        ControlFlow::Continue(())
                    }
                }
            },
        );
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        left_out.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(ChunksTold {
            left_out,
            warnings: scan.warnings.into_iter().collect(),
            secrets: self.secrets.found(),
        })
    }

    /// The chunks of a text that is no file, such as standard input.
    ///
    /// # Errors
    /// When there are secrets and nothing may be written then.
    pub fn chunks_of_text(
        &self,
        path: RepoPath,
        decoded: Decoded,
        options: &ChunkOptions,
    ) -> Result<(FileChunks, ChunksTold), PackError> {
        let notes = notes_of(&decoded);
        let text = decoded.text;
        let findings = self.options.secrets.scan(&path, &text);
        let clean = self.clean(&path, Shown { text, notes }, &findings);
        let secrets = self.secrets.found();
        if self.options.secrets.mode == SecretsMode::Fail && !secrets.is_empty() {
            return Err(PackError::Secrets { found: secrets });
        }
        let told = ChunksTold {
            secrets,
            ..ChunksTold::default()
        };
        Ok((self.in_chunks(path, clean, options), told))
    }

    fn step(&self, found: &FoundFile, options: &ChunkOptions) -> Step {
        match self.read_shown(found, self.options.max_file_size.min(LARGE)) {
            Ok((shown, findings)) if findings.is_empty() => {
                Step::Done(self.in_chunks(found.path.clone(), shown, options))
            }
            Ok((shown, findings)) => Step::HasSecrets(shown, findings),
            Err(Reason::TooLarge { size, .. }) if size > LARGE => Step::Large,
            Err(reason) => Step::LeftOut(reason),
        }
    }

    /// What could not be done on another thread.
    fn finished(
        &self,
        found: &FoundFile,
        step: Step,
        options: &ChunkOptions,
    ) -> Result<FileChunks, Reason> {
        let (shown, findings) = match step {
            Step::Done(file) => return Ok(file),
            Step::LeftOut(reason) => return Err(reason),
            Step::HasSecrets(shown, findings) => (shown, findings),
            Step::Large => self.read_shown(found, self.options.max_file_size)?,
        };
        let clean = self.clean(&found.path, shown, &findings);
        Ok(self.in_chunks(found.path.clone(), clean, options))
    }

    fn read_shown(&self, found: &FoundFile, limit: u64) -> Result<(Shown, Vec<Finding>), Reason> {
        self.options.shorten.excludes(&found.path)?;
        let reading = self.source.read(found, limit)?;
        let shown = shown(reading, &self.options, found)?;
        let findings = self.secrets_in(&found.path, &shown.text);
        Ok((shown, findings))
    }

    fn in_chunks(&self, path: RepoPath, shown: Shown, options: &ChunkOptions) -> FileChunks {
        let Shown { text, notes } = shown;
        let language = Language::detect(&path, &text);
        let ruler = Ruler::of(self.options.model.tokenizer, &text);
        let chunks = chunks(&path, language, &text, options, &ruler);
        FileChunks {
            path,
            language,
            text,
            notes,
            chunks,
        }
    }
}
