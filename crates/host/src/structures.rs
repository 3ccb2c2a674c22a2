//! Extracts the structures of a source's files: reads, decodes and parses them on several threads,
//! and delivers them in order without keeping them.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use loom_base::{ContentHash, RepoPath};
use loom_engine::line_count;
use loom_lookup::{FileStructure, StructureOptions};
use loom_secrets::{Copies, Finding, Numbers, Replaced, redact};
use loom_source::{FoundFile, Reason};
use loom_syntax::{Language, Limits, Structure};

use crate::cache::{CacheEntries, CacheSession, ScanTarget};
use crate::ordered::ordered_by_result;
use crate::past::keep_changed_files;
use crate::reading::{FileReader, SourceFile, TextPool};
use crate::secrets::SecretLearner;
use crate::{Cancel, PackError, Packer, Run, Stage};

/// Maximum number of files that are parsed without looking them up in the cache.
const FEW: usize = 32;

/// A text from which a value is derived.
pub(crate) struct Material<'a> {
    pub(crate) text: &'a str,
    pub(crate) language: Option<Language>,
    pub(crate) structure: &'a Structure,
    /// Limits of the parse.
    pub(crate) limits: &'a Limits,
    /// Cache entries for values that are derived from the text.
    pub(crate) entries: Option<CacheEntries<'a>>,
}

/// A value that is derived from a text and waits for those of earlier files.
pub(crate) trait Waiting {
    /// Estimates its memory in bytes.
    fn held_bytes(&self) -> usize;
}

impl Waiting for () {
    fn held_bytes(&self) -> usize {
        0
    }
}

/// A text that contains secrets.
struct Secrets {
    text: String,
    findings: Vec<Finding>,
}

/// One pass over files for their structures.
#[derive(Debug)]
pub struct StructureRun<'a> {
    packer: &'a Packer,
    options: StructureOptions,
    run: &'a Run,
    cancel: &'a Cancel,
}

/// Results of the scan for secrets, which precedes the first text. Empty if nothing is redacted.
#[derive(Default)]
struct Scanned {
    /// Redacted paths, by file number.
    paths: HashMap<usize, RepoPath>,
    /// Content hashes of the scanned versions.
    versions: Option<Vec<Option<ContentHash>>>,
    /// Secrets of other texts.
    copies: Option<Arc<Copies>>,
}

/// A file with the value derived from its text, or its secrets if the value must be derived from
/// the redacted text.
type Read<D> = (FileStructure, Result<D, Secrets>);

impl<'a> StructureRun<'a> {
    /// Begins a pass over files for their structures.
    pub fn new(
        packer: &'a Packer,
        options: &StructureOptions,
        run: &'a Run,
        cancel: &'a Cancel,
    ) -> Self {
        Self {
            packer,
            options: StructureOptions {
                limits: packer.options.within_memory(options.limits),
                ..options.clone()
            },
            run,
            cancel,
        }
    }

    /// Passes the structure of every file to `emit`, ordered by path. Passes over files that are
    /// skipped, unreadable or not text; the run records the unreadable ones.
    ///
    /// # Errors
    /// If the caller cancels.
    pub fn each(
        &self,
        emit: impl FnMut(FileStructure) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let (packer, run) = (self.packer, self.run);
        let mut scan = packer.listed(&packer.options.scan);
        keep_changed_files(packer, &mut scan)?;
        run.unread.note_directories(&scan);
        run.unread
            .note_large(&scan.files, packer.options.max_file_size);
        let learner = SecretLearner::new(packer, run.control(self.cancel));
        run.secrets.know(&learner.elsewhere(&scan)?);
        self.of(&scan.files, emit)
    }

    /// Passes the structures of these files to `emit`.
    ///
    /// # Errors
    /// If the caller cancels.
    pub(crate) fn of(
        &self,
        files: &[FoundFile],
        mut emit: impl FnMut(FileStructure) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        self.with(files, |_| (), |_, file, ()| emit(file))
    }

    /// Passes the structures of a few files to `emit`. Parsing them is faster than looking up the
    /// cache entries of all files.
    ///
    /// # Errors
    /// If the caller cancels.
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

    /// Passes the structures to `emit` with the number of each file and the value that `derive`
    /// makes of its text. If secrets are redacted, `derive` gets the redacted text.
    ///
    /// # Errors
    /// If the caller cancels.
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
        // The scan leaves its texts to the second pass. Beyond the share of the memory, files are
        // read again.
        let pool = TextPool::new(self.packer.options.memory().kept());
        let limits = self.options.limits;
        let reader = FileReader::new(self.packer, recall, &run.unread)
            .with_limits(limits)
            .with_pool(&pool);
        let scanned = self.scanned(files, reader)?;
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

    /// Collects the secrets of all files, if they are redacted.
    fn scanned(&self, files: &[FoundFile], reader: FileReader<'_>) -> Result<Scanned, PackError> {
        let secrets = &self.packer.options.secrets;
        if !self.options.redacts || !secrets.mode.hides() {
            return Ok(Scanned::default());
        }
        let all: Vec<usize> = (0..files.len()).collect();
        let control = self.run.control(self.cancel);
        let learner = SecretLearner::new(self.packer, control);
        let known = learner.of_files(files, &all, reader)?;
        self.run.secrets.know(&known.copies);
        let newer = learner.since(files, self.run.began, files)?;
        self.run.secrets.know(&newer);
        let copies = self.run.secrets.copies();
        let paths = files.iter().map(|file| &file.path);
        Ok(Scanned {
            paths: secrets.redacted_paths(paths, &copies),
            versions: Some(known.versions),
            copies: Some(copies),
        })
    }

    /// Reads a file and derives its value, or returns its secrets.
    fn structure<D>(
        &self,
        file: SourceFile<'_>,
        scanned: &Scanned,
        derive: &(impl Fn(Material<'_>) -> D + Sync),
    ) -> Result<Option<Read<D>>, Reason> {
        file.options().shorten.excludes(file.path())?;
        let mut text = file.read()?;
        // Another version than the scanned one may contain copies of secrets that are still
        // unknown.
        let versions = scanned.versions.as_ref();
        if versions.is_some_and(|versions| versions[file.number()] != Some(text.hash())) {
            return Err(Reason::KeptChanging);
        }
        if !self.options.wants(text.language()) {
            return Ok(None);
        }
        let findings = match &scanned.copies {
            Some(copies) => text.findings_with(ScanTarget::File, copies),
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

/// Estimates the memory in bytes of a file that waits for earlier ones.
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

/// Returns the file under its redacted path, if it has one.
fn renamed<D>((mut file, derived): Read<D>, path: Option<&RepoPath>) -> Read<D> {
    if let Some(path) = path {
        file.path = path.clone();
    }
    (file, derived)
}

/// Replaces the names and texts of a structure by those of the redacted text. If the redacted text
/// parses differently, takes over its whole structure.
fn hide(structure: &mut Structure, safe: Structure) {
    let is_same = safe.symbols.len() == structure.symbols.len()
        && safe.references.len() == structure.references.len()
        && safe.imports.len() == structure.imports.len();
    if !is_same {
        // The positions are those of the redacted text: lines are the same, bytes are not.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Structure {
        let language = Language::from_id("python").unwrap();
        loom_syntax::extract(language, text, &Limits::default())
    }

    /// Names come from the redacted text, positions stay those of the file.
    #[test]
    fn names_are_those_of_the_redacted_text() {
        let mut structure =
            parsed("import sesame\n\n\ndef f(key=\"sesame\"):\n    return sesame(1)\n");
        let before = structure.clone();
        let safe = parsed("import [X]\n\n\ndef f(key=\"[X]\"):\n    return other(1)\n");
        let is_same = safe.imports.len() == structure.imports.len();
        hide(&mut structure, safe.clone());
        match is_same {
            true => assert_eq!(structure.symbols[0].span, before.symbols[0].span),
            false => assert_eq!(structure.symbols, safe.symbols),
        }
        assert!(
            !format!("{structure:?}").contains("sesame"),
            "{structure:?}"
        );
    }

    /// Redaction can join or split definitions: nothing of the first parse may stay.
    #[test]
    fn structure_of_a_text_that_parses_differently_is_replaced() {
        let mut structure = parsed("def sesame():\n    pass\n\n\ndef g():\n    pass\n");
        let safe = parsed("def f():\n    pass\n");
        hide(&mut structure, safe.clone());
        assert_eq!(structure.symbols, safe.symbols);
    }
}
