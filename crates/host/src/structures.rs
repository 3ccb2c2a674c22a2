//! What the files of a source hold, one after another: read, decoded and parsed on
//! several threads, handed out in order, and not kept.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_engine::line_count;
use loom_lookup::{FileStructure, StructureOptions};
use loom_secrets::{Copies, Finding, Numbers, Replaced, redact};
use loom_source::{FoundFile, Reason};
use loom_syntax::{Language, Limits, Structure};

use crate::cache::{CacheEntries, CacheSession, Looked};
use crate::ordered::ordered_by_result;
use crate::reading::{FileReader, SourceFile};
use crate::{Cancel, PackError, Packer, Run, Stage};

/// Of so few files nothing is looked up.
const FEW: usize = 32;

/// A text that something is made of.
pub(crate) struct Material<'a> {
    pub(crate) text: &'a str,
    pub(crate) language: Option<Language>,
    pub(crate) structure: &'a Structure,
    /// How far it was parsed.
    pub(crate) limits: &'a Limits,
    /// Where values that are made of it are cached.
    pub(crate) entries: Option<CacheEntries<'a>>,
}

/// A value that is made of a text and waits until it is its turn.
pub(crate) trait Waiting {
    /// Estimates the bytes of memory that it holds.
    fn held_bytes(&self) -> usize;
}

impl Waiting for () {
    fn held_bytes(&self) -> usize {
        0
    }
}

/// A text with secrets in it.
struct Secrets {
    text: String,
    findings: Vec<Finding>,
}

/// One pass over files for their structures.
pub(crate) struct StructureRun<'a> {
    packer: &'a Packer,
    options: StructureOptions,
    run: &'a Run,
    cancel: &'a Cancel,
}

/// What was learnt before any text is handed out; nothing if no secret is redacted.
#[derive(Default)]
struct Scanned {
    /// The redacted paths, by the numbers of the files.
    paths: HashMap<usize, RepoPath>,
    /// The versions that were scanned.
    versions: Option<Vec<Option<ContentHash>>>,
    /// The secrets of other texts.
    copies: Option<Arc<Copies>>,
}

/// A file with what was made of its text; of one with secrets nothing is made yet.
type Read<D> = (FileStructure, Result<D, Secrets>);

impl Packer {
    /// Hands out the structure of every file, ordered by path. Files that are left out,
    /// cannot be read or are not text are passed over; the run notes which could not be
    /// read.
    ///
    /// # Errors
    /// When a stop was asked for.
    pub fn structures(
        &self,
        options: &StructureOptions,
        run: &Run,
        cancel: &Cancel,
        emit: impl FnMut(FileStructure) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let mut scan = self.listed(&self.options.scan);
        run.unread.note_directories(&scan);
        self.keep_changed(&mut scan)?;
        run.unread
            .note_large(&scan.files, self.options.max_file_size);
        let elsewhere = self.secrets_elsewhere(&scan, run.control(cancel))?;
        run.secrets.know(&elsewhere);
        self.structure_run(options, run, cancel)
            .of(&scan.files, emit)
    }

    /// Begins a pass over files for their structures.
    pub(crate) fn structure_run<'a>(
        &'a self,
        options: &StructureOptions,
        run: &'a Run,
        cancel: &'a Cancel,
    ) -> StructureRun<'a> {
        StructureRun {
            packer: self,
            options: StructureOptions {
                limits: self.options.within_memory(options.limits),
                ..options.clone()
            },
            run,
            cancel,
        }
    }
}

impl StructureRun<'_> {
    /// Hands out the structures of these files.
    ///
    /// # Errors
    /// When the run is cancelled.
    pub(crate) fn of(
        &self,
        files: &[FoundFile],
        mut emit: impl FnMut(FileStructure) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        self.with(files, |_| (), |_, file, ()| emit(file))
    }

    /// The same of a few files: they are parsed sooner than what is remembered of all is
    /// looked up.
    ///
    /// # Errors
    /// When the run is cancelled.
    pub(crate) fn of_few(
        &self,
        files: &[FoundFile],
        mut emit: impl FnMut(FileStructure) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let recall = match files.len() {
            0..=FEW => CacheSession::nothing(),
            _ => self.packer.recall(files),
        };
        self.recalling(&recall, files, |_| (), |_, file, ()| emit(file))
    }

    /// The same, with the number of each file and with what `derive` makes of its text; of
    /// that without secrets, where they are taken out.
    ///
    /// # Errors
    /// When the run is cancelled.
    pub(crate) fn with<D: Send + Waiting>(
        &self,
        files: &[FoundFile],
        derive: impl Fn(Material<'_>) -> D + Sync,
        emit: impl FnMut(usize, FileStructure, D) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let recall = self.packer.recall(files);
        self.recalling(&recall, files, derive, emit)
    }

    fn recalling<D: Send + Waiting>(
        &self,
        recall: &CacheSession,
        files: &[FoundFile],
        derive: impl Fn(Material<'_>) -> D + Sync,
        mut emit: impl FnMut(usize, FileStructure, D) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let (run, cancel) = (self.run, self.cancel);
        let scanned = self.scanned(files, recall)?;
        let limits = self.options.limits;
        let reader = FileReader::new(self.packer, recall, &run.unread).with_limits(limits);
        let work = |at: usize| self.structure(reader.file(&files[at], at), &scanned, &derive);
        let mut numbers = Numbers::default();
        run.progress().begin(Stage::Parse, Some(files.len()));
        ordered_by_result(
            files.len(),
            self.packer.options.thread_count(),
            self.packer.options.memory().structures(),
            held_bytes,
            work,
            |at, file| {
                run.progress().advance(1);
                match file {
                    _ if cancel.is_cancelled() => ControlFlow::Break(()),
                    Ok(Some(file)) => {
                        let (mut file, derived) = renamed(file, scanned.paths.get(&at));
                        let derived = derived.unwrap_or_else(|secrets| {
                            self.derived_without(&mut file, &secrets, &mut numbers, &derive)
                        });
                        emit(at, file, derived)
                    }
                    Ok(None) => ControlFlow::Continue(()),
                    Err(reason) => {
                        run.unread.note(&files[at], &reason);
                        ControlFlow::Continue(())
                    }
                }
            },
        );
        recall.finish();
        run.control(cancel).check()
    }

    /// Learns the secrets of all files, if they are redacted.
    fn scanned(&self, files: &[FoundFile], recall: &CacheSession) -> Result<Scanned, PackError> {
        let secrets = &self.packer.options.secrets;
        if !self.options.redacts || !secrets.mode.hides() {
            return Ok(Scanned::default());
        }
        let all: Vec<usize> = (0..files.len()).collect();
        let control = self.run.control(self.cancel);
        let known = self.packer.secrets_of(files, &all, recall, control)?;
        self.run.secrets.know(&known.copies);
        let copies = self.run.secrets.copies();
        let paths = files.iter().map(|file| &file.path);
        Ok(Scanned {
            paths: secrets.redacted_paths(paths, &copies),
            versions: Some(known.versions),
            copies: Some(copies),
        })
    }

    /// Reads a file and derives its value, or says that it has secrets.
    fn structure<D>(
        &self,
        file: SourceFile<'_>,
        scanned: &Scanned,
        derive: &(impl Fn(Material<'_>) -> D + Sync),
    ) -> Result<Option<Read<D>>, Reason> {
        file.options().shorten.excludes(file.path())?;
        let mut text = file.read()?;
        // Text of another version than the one that was scanned may have copies of secrets
        // that are not known yet.
        let versions = scanned.versions.as_ref();
        if versions.is_some_and(|versions| versions[file.number()] != Some(text.hash())) {
            return Err(Reason::KeptChanging);
        }
        if !self.options.wants(text.language()) {
            return Ok(None);
        }
        let findings = match &scanned.copies {
            Some(copies) => text.findings_with(Looked::File, copies),
            None => Vec::new(),
        };
        let derived = findings.is_empty().then(|| {
            derive(Material {
                text: text.text(),
                language: text.language(),
                structure: text.structure(),
                limits: &self.options.limits,
                entries: text.entries(),
            })
        });
        let read = FileStructure {
            path: text.path().clone(),
            language: text.language(),
            hash: text.hash(),
            lines: line_count(text.text()),
            structure: text.take_structure(),
        };
        let derived = derived.ok_or_else(|| Secrets {
            text: text.into_text(),
            findings,
        });
        Ok(Some((read, derived)))
    }

    /// Derives a value from the redacted text of a file, and redacts its structure.
    fn derived_without<D>(
        &self,
        file: &mut FileStructure,
        secrets: &Secrets,
        numbers: &mut Numbers,
        derive: &impl Fn(Material<'_>) -> D,
    ) -> D {
        let limits = &self.options.limits;
        let plan = Replaced::plan(&secrets.text, &secrets.findings, numbers);
        let clean = redact(&secrets.text, &plan);
        let safe = match file.language {
            Some(language) => self.packer.extract(language, &clean, limits),
            None => Structure::default(),
        };
        let derived = derive(Material {
            text: &clean,
            language: file.language,
            structure: &safe,
            limits,
            entries: None,
        });
        hide(&mut file.structure, safe);
        derived
    }
}

/// The bytes that a file holds while it waits for earlier ones.
fn held_bytes<D: Waiting>(read: &Result<Option<Read<D>>, Reason>) -> usize {
    let Ok(Some((file, derived))) = read else {
        return 0;
    };
    let beside = match derived {
        Ok(derived) => derived.held_bytes(),
        Err(secrets) => secrets.text.capacity(),
    };
    file.structure.held_bytes() + beside
}

/// The file under its redacted path, if it has one.
fn renamed<D>((mut file, derived): Read<D>, path: Option<&RepoPath>) -> Read<D> {
    if let Some(path) = path {
        file.path = path.clone();
    }
    (file, derived)
}

/// Takes secrets out of what is told about a file: what is told is taken from the text
/// without them. Where that text reads differently, its own places are told.
fn hide(structure: &mut Structure, safe: Structure) {
    let is_same = safe.symbols.len() == structure.symbols.len()
        && safe.references.len() == structure.references.len()
        && safe.imports.len() == structure.imports.len();
    if !is_same {
        // Places of another text: lines are the same, bytes are not.
        *structure = safe;
        return;
    }
    for (symbol, safe) in structure.symbols.iter_mut().zip(safe.symbols) {
        symbol.name = safe.name;
        symbol.qualified = safe.qualified;
        symbol.signature = safe.signature;
        symbol.doc = safe.doc;
    }
    for (import, safe) in structure.imports.iter_mut().zip(safe.imports) {
        import.module = safe.module;
        import.names = safe.names;
        import.locals = safe.locals;
    }
    for (reference, safe) in structure.references.iter_mut().zip(safe.references) {
        reference.name = safe.name;
        reference.qualifier = safe.qualifier;
    }
    structure.packages = safe.packages;
}
