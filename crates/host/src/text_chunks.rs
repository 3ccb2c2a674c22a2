//! Splits the files of a source into chunks: reads, scans and splits them on several threads, and
//! delivers them file by file in order without keeping them.

use std::ops::ControlFlow;

use loom_base::{ContentHash, RepoPath};
use loom_chunk::{ChunkOptions, TextChunk, chunks};
use loom_engine::Note;
use loom_models::Ruler;
use loom_secrets::Finding;
use loom_source::{Decoded, FoundFile, LeftOut, Reason, Scan};
use loom_syntax::Language;

use crate::cache::{ScanTarget, cut_variant};
use crate::control::Control;
use crate::load::DecodedFile;
use crate::look::{decoding, left_out_by_looks};
use crate::ordered::ordered_by_result;
use crate::past::Past;
use crate::reading::{FileReader, FileText, SourceFile, TextPool};
use crate::redaction::TextRedactor;
use crate::secrets::SecretLearner;
use crate::surveyor::Surveyor;
use crate::{
    Cancel, FoundSecret, NoProgress, PackError, Packer, Progress, Run, SecretsMode, Stage,
};

/// Files above this size in bytes are read one at a time, when their turn comes.
const LARGE: u64 = 4 << 20;

/// A file in chunks.
#[derive(Clone, Debug)]
pub struct FileChunks {
    /// Path of the file.
    pub path: RepoPath,
    /// Its language, if known.
    pub language: Option<Language>,
    /// The redacted text. The spans of the chunks are positions in it.
    pub text: String,
    /// Differences between the text and the file.
    pub notes: Vec<Note>,
    /// The chunks, in the order of the text.
    pub chunks: Vec<TextChunk>,
}

/// Skipped files, warnings and secrets of a run.
#[derive(Clone, Debug, Default)]
pub struct ChunkReport {
    /// Skipped paths, ordered by path.
    pub left_out: Vec<LeftOut>,
    /// Warnings about unreadable rules.
    pub warnings: Vec<String>,
    /// Secrets found by the run.
    pub secrets: Vec<FoundSecret>,
}

/// Progress of a thread with a file.
enum Step {
    Done(FileChunks),
    /// Has secrets, which are numbered later, in the order of the output.
    HasSecrets(DecodedFile, Vec<Finding>),
    /// Too large to be kept while other files wait.
    Large,
    LeftOut(Reason),
}

impl Step {
    /// Estimates its memory in bytes.
    fn held_bytes(&self) -> usize {
        match self {
            Self::Done(file) => file.text.capacity() + size_of_val(file.chunks.as_slice()),
            Self::HasSecrets(shown, _) => shown.text.capacity(),
            Self::Large | Self::LeftOut(_) => 0,
        }
    }
}

/// Returns a file without chunks, with the reason.
fn skipped(file: &FoundFile, reason: Reason) -> LeftOut {
    LeftOut {
        path: file.path.clone(),
        is_dir: false,
        reason,
    }
}

/// Splits texts into chunks.
#[derive(Debug)]
pub struct TextChunker<'a> {
    packer: &'a Packer,
    options: ChunkOptions,
}

/// One pass over files for their chunks.
struct ChunkRun<'a> {
    chunker: &'a TextChunker<'a>,
    run: &'a Run,
    /// Content hashes of the versions that were scanned for secrets; `None` without a scan.
    versions: Option<Vec<Option<ContentHash>>>,
}

impl<'a> TextChunker<'a> {
    /// Creates a chunker. Its parses stay within the memory of the packer.
    pub fn new(packer: &'a Packer, options: &ChunkOptions) -> Self {
        Self {
            packer,
            options: options.with_parse_memory(packer.options.parse_limits().memory),
        }
    }

    /// Passes the chunks of every file to `emit`, ordered by path, each file as soon as it is
    /// complete.
    ///
    /// # Errors
    /// If the caller cancels, git data is not available, or the run finds secrets in mode `fail`.
    pub fn split_files(
        &self,
        progress: &dyn Progress,
        cancel: &Cancel,
        emit: impl FnMut(FileChunks) -> ControlFlow<()>,
    ) -> Result<ChunkReport, PackError> {
        if self.packer.options.secrets.mode == SecretsMode::Fail {
            Surveyor::new(self.packer, &NoProgress, cancel).survey()?;
        }
        let run = Run::new();
        let control = Control {
            progress,
            cancel,
            unread: &run.unread,
        };
        self.split_files_of(&run, control, emit)
    }

    fn split_files_of(
        &self,
        run: &Run,
        control: Control<'_>,
        mut emit: impl FnMut(FileChunks) -> ControlFlow<()>,
    ) -> Result<ChunkReport, PackError> {
        let Control {
            progress, cancel, ..
        } = control;
        progress.begin(Stage::Scan, None);
        let packer = self.packer;
        let mut scan = packer.listed(&packer.options.scan);
        Past::read(packer, &mut scan)?;
        let recall = packer.recall(&scan.files);
        // The scan leaves its texts to the second pass. Beyond the share of the memory, files are
        // read again.
        let pool = TextPool::new(self.packer.options.memory().kept());
        let reader = FileReader::new(packer, &recall, &run.unread).with_pool(&pool);
        let versions = self.learn_secrets(run, &mut scan, reader, control)?;
        let chunks = ChunkRun {
            chunker: self,
            run,
            versions,
        };
        progress.begin(Stage::Count, Some(scan.files.len()));
        let mut left_out = std::mem::take(&mut scan.left_out);
        let work = |at: usize| chunks.step(reader.file(&scan.files[at], at));
        ordered_by_result(
            scan.files.len(),
            self.packer.options.thread_count(),
            self.packer.options.memory().waiting(32),
            Step::held_bytes,
            work,
            |at, step| {
                progress.advance(1);
                if cancel.is_cancelled() {
                    return ControlFlow::Break(());
                }
                match chunks.finished(reader.file(&scan.files[at], at), step) {
                    Ok(file) => emit(file),
                    Err(reason) => {
                        left_out.push(skipped(&scan.files[at], reason));
                        ControlFlow::Continue(())
                    }
                }
            },
        );
        recall.finish();
        control.check()?;
        Ok(self.chunk_report(run, scan, left_out))
    }

    /// Reports a pass: skipped files, warnings and secrets, with redacted messages.
    fn chunk_report(&self, run: &Run, scan: Scan, left_out: Vec<LeftOut>) -> ChunkReport {
        let mut report = ChunkReport {
            left_out,
            warnings: scan.warnings.into_iter().chain(run.warnings()).collect(),
            secrets: run.secrets.found(),
        };
        self.redact_report(run, &mut report);
        report
    }

    /// Redacts the messages that accompany the chunks.
    fn redact_report(&self, run: &Run, report: &mut ChunkReport) {
        let (secrets, copies) = (&self.packer.options.secrets, run.secrets.copies());
        if secrets.mode.hides() {
            secrets.redact_left_out(&mut report.left_out, &copies);
            secrets.redact_messages(report.warnings.iter_mut(), &copies);
        }
        report.left_out.sort_by(|a, b| a.path.cmp(&b.path));
    }

    /// Collects the secrets of all files before any file is split. Returns the content hashes of
    /// the scanned versions. Redacts paths that contain secrets.
    fn learn_secrets(
        &self,
        run: &Run,
        scan: &mut Scan,
        reader: FileReader<'_>,
        control: Control<'_>,
    ) -> Result<Option<Vec<Option<ContentHash>>>, PackError> {
        if !self.packer.options.secrets.mode.hides() {
            return Ok(None);
        }
        let learner = SecretLearner::new(self.packer, control);
        let elsewhere = learner.elsewhere(scan)?;
        run.secrets.know(&elsewhere);
        let all: Vec<usize> = (0..scan.files.len()).collect();
        let known = learner.of_files(&scan.files, &all, reader)?;
        run.secrets.know(&known.copies);
        let newer = learner.since(&scan.files, run.began, &scan.files)?;
        run.secrets.know(&newer);
        let paths = scan.files.iter().map(|file| &file.path);
        let secrets = &self.packer.options.secrets;
        for (at, path) in secrets.redacted_paths(paths, &run.secrets.copies()) {
            scan.files[at].show_as(path);
        }
        Ok(Some(known.versions))
    }

    /// Splits a text that is not a file, such as standard input, into chunks.
    ///
    /// # Errors
    /// If the text contains secrets and the mode is `fail`.
    pub fn split_text(
        &self,
        path: RepoPath,
        decoded: Decoded,
    ) -> Result<(FileChunks, ChunkReport), PackError> {
        let notes = decoding(&decoded).notes();
        let text = decoded.text;
        let findings = self.packer.options.secrets.scan(&path, &text);
        let run = Run::new();
        let clean = TextRedactor::new(self.packer, &run).clean(
            &path,
            DecodedFile { text, notes },
            &findings,
        );
        let secrets = run.secrets.found();
        if self.packer.options.secrets.mode == SecretsMode::Fail && !secrets.is_empty() {
            return Err(PackError::Secrets { found: secrets });
        }
        let report = ChunkReport {
            secrets,
            ..ChunkReport::default()
        };
        Ok((self.in_chunks(path, clean), report))
    }

    fn in_chunks(&self, path: RepoPath, shown: DecodedFile) -> FileChunks {
        let language = Language::detect(&path, &shown.text);
        let DecodedFile { text, notes } = as_in_file(shown);
        let ruler = Ruler::new(self.packer.options.model.tokenizer, &text);
        let make = || chunks(&path, language, &text, &self.options, &ruler);
        let chunks = self.packer.parsing(text.len(), make);
        FileChunks {
            path,
            language,
            text,
            notes,
            chunks,
        }
    }
}

impl ChunkRun<'_> {
    fn step(&self, file: SourceFile<'_>) -> Step {
        match self.read(file, file.options().max_file_size.min(LARGE)) {
            Ok(text) => {
                let findings = text.findings_with(ScanTarget::Shown, &self.run.secrets.copies());
                match findings.is_empty() {
                    true => Step::Done(self.in_chunks_again(text)),
                    false => Step::HasSecrets(DecodedFile::of(text), findings),
                }
            }
            Err(Reason::TooLarge { size, .. }) if size > LARGE => Step::Large,
            Err(reason) => Step::LeftOut(reason),
        }
    }

    /// Completes a file in order, on this thread: redacts it, or reads it if it is large.
    fn finished(&self, file: SourceFile<'_>, step: Step) -> Result<FileChunks, Reason> {
        let (shown, findings) = match step {
            Step::Done(file) => return Ok(file),
            Step::LeftOut(reason) => return Err(reason),
            Step::HasSecrets(shown, findings) => (shown, findings),
            Step::Large => {
                let text = self.read(file, file.options().max_file_size)?;
                let findings = text.findings_with(ScanTarget::Shown, &self.run.secrets.copies());
                (DecodedFile::of(text), findings)
            }
        };
        let redactor = TextRedactor::new(self.chunker.packer, self.run);
        let clean = redactor.clean(file.path(), shown, &findings);
        Ok(self.chunker.in_chunks(file.path().clone(), clean))
    }

    /// Reads a file for chunks, or returns the reason for skipping it.
    fn read<'f>(&self, file: SourceFile<'f>, limit: u64) -> Result<FileText<'f>, Reason> {
        let options = file.options();
        options.shorten.excludes(file.path())?;
        let text = file.read_within(limit)?;
        if let Some(reason) = left_out_by_looks(&text.look(), file.found(), options) {
            return Err(reason);
        }
        let versions = self.versions.as_ref();
        match versions.is_some_and(|versions| versions[file.number()] != Some(text.hash())) {
            true => Err(Reason::KeptChanging),
            false => Ok(text),
        }
    }

    /// Returns the chunks of a text without secrets, from the cache if possible.
    fn in_chunks_again(&self, text: FileText<'_>) -> FileChunks {
        let (path, recall) = (text.path().clone(), text.recall());
        let language = Language::detect(&path, text.shown());
        let tokenizer = self.chunker.packer.options.model.tokenizer;
        let variant = cut_variant(&path, language, &self.chunker.options, tokenizer);
        let key = variant.and_then(|variant| Some((text.key()?, variant)));
        let shown = DecodedFile::of(text);
        let Some((key, variant)) = key else {
            return self.chunker.in_chunks(path, shown);
        };
        let entries = key.entries(recall);
        let Some(chunks) = entries.cut(variant) else {
            let file = self.chunker.in_chunks(path, shown);
            entries.keep_cut(variant, &file.chunks);
            return file;
        };
        let shown = as_in_file(shown);
        FileChunks {
            path,
            language,
            text: shown.text,
            notes: shown.notes,
            chunks,
        }
    }
}

/// Restores the byte order mark of a UTF-8 file: the chunks reproduce all bytes of the file.
fn as_in_file(mut shown: DecodedFile) -> DecodedFile {
    let had_mark = Note::Encoding("utf-8 with BOM".to_owned());
    let is_other = shown.notes.contains(&Note::NotebookCells);
    if let Some(at) = shown.notes.iter().position(|note| *note == had_mark)
        && !is_other
    {
        shown.notes.remove(at);
        shown.text.insert(0, '\u{feff}');
    }
    shown
}

#[cfg(test)]
mod tests;
