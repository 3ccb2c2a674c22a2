//! What the files of a source hold, one after another: read, decoded and parsed on
//! several threads, handed out in order, and not kept.

use std::collections::HashMap;
use std::ops::ControlFlow;

use loom_base::{ContentHash, RepoPath};
use loom_secrets::{Finding, Numbers, Replaced, redact};
use loom_source::{FoundFile, Reason};
use loom_store::Seal;
use loom_syntax::{Language, Limits, Structure};

use crate::cache::{Met, Recall};
use crate::ordered::ordered_by_result;
use crate::secrets::KnownSecrets;
use crate::{Cancel, PackError, Packer, Run, Stage};

/// Of so few files nothing is looked up.
const FEW: usize = 32;

/// A file with what it holds.
#[derive(Clone, Debug)]
pub struct FileStructure {
    /// Its path.
    pub path: RepoPath,
    /// Its language, where it is known.
    pub language: Option<Language>,
    /// What it holds; nothing where the language is not known.
    pub structure: Structure,
    /// The version of its contents.
    pub hash: ContentHash,
    /// Its lines.
    pub lines: usize,
}

/// Which files are parsed, and how far.
#[derive(Clone, Debug, Default)]
pub struct StructureOptions {
    /// Only files in these languages; all of them when empty.
    pub languages: Vec<Language>,
    /// The bounds for each file.
    pub limits: Limits,
    /// Whether secrets are taken out of signatures and documentation: for what is
    /// handed to programs.
    pub redacts: bool,
}

/// A text that something is made of.
pub(crate) struct Material<'a> {
    pub(crate) text: &'a str,
    pub(crate) language: Option<Language>,
    pub(crate) structure: &'a Structure,
    /// How far it was parsed.
    pub(crate) limits: &'a Limits,
    /// Where what is made of it can be remembered.
    pub(crate) memory: Option<(&'a Recall<'a>, &'a Met, &'a Seal)>,
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

/// A file with what was made of its text; of one with secrets nothing is made yet.
type Read<D> = (FileStructure, Result<D, Secrets>);

impl StructureOptions {
    fn wants(&self, language: Option<Language>) -> bool {
        self.languages.is_empty() || language.is_some_and(|one| self.languages.contains(&one))
    }
}

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
        let control = (run.progress(), cancel);
        let elsewhere = self.secrets_elsewhere(&scan, &run.unread, control)?;
        run.secrets.know(&elsewhere);
        self.structures_of(&scan.files, options, (run, cancel), emit)
    }

    /// The same of these files.
    pub(crate) fn structures_of(
        &self,
        files: &[FoundFile],
        options: &StructureOptions,
        control: (&Run, &Cancel),
        mut emit: impl FnMut(FileStructure) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        self.structures_with(files, options, control, |_| (), |_, file, ()| emit(file))
    }

    /// The same of a few files: they are parsed sooner than what is remembered of all is
    /// looked up.
    pub(crate) fn structures_of_few(
        &self,
        files: &[FoundFile],
        options: &StructureOptions,
        control: (&Run, &Cancel),
        mut emit: impl FnMut(FileStructure) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let recall = match files.len() {
            0..=FEW => Recall::nothing(),
            _ => self.recall(files),
        };
        let emit = |_, file, ()| emit(file);
        self.structures_recalling(&recall, files, (options, control), |_| (), emit)
    }

    /// The same, with the number of each file and with what `derive` makes of its text; of
    /// that without secrets, where they are taken out.
    pub(crate) fn structures_with<D: Send + Waiting>(
        &self,
        files: &[FoundFile],
        options: &StructureOptions,
        control: (&Run, &Cancel),
        derive: impl Fn(Material<'_>) -> D + Sync,
        emit: impl FnMut(usize, FileStructure, D) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let recall = self.recall(files);
        self.structures_recalling(&recall, files, (options, control), derive, emit)
    }

    fn structures_recalling<D: Send + Waiting>(
        &self,
        recall: &Recall<'_>,
        files: &[FoundFile],
        (options, (run, cancel)): (&StructureOptions, (&Run, &Cancel)),
        derive: impl Fn(Material<'_>) -> D + Sync,
        mut emit: impl FnMut(usize, FileStructure, D) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let (known, redacted) = match options.redacts && self.options.secrets.mode.hides() {
            true => {
                let (known, redacted) = self.known_and_redacted(files, recall, (run, cancel))?;
                (Some(known), redacted)
            }
            false => (None, HashMap::new()),
        };
        let known = known.as_ref();
        let options = &self.within_memory(options);
        let work =
            |at: usize| self.structure(&files[at], (options, run, known), (recall, at), &derive);
        let mut numbers = Numbers::default();
        run.progress().begin(Stage::Parse, Some(files.len()));
        ordered_by_result(
            files.len(),
            self.options.thread_count(),
            self.options.memory().structures(),
            held_bytes,
            work,
            |at, file| {
                run.progress().advance(1);
                match file {
                    _ if cancel.is_cancelled() => ControlFlow::Break(()),
                    Ok(Some(file)) => {
                        let (mut file, derived) = renamed(file, redacted.get(&at));
                        let derived = derived.unwrap_or_else(|secrets| {
                            self.derived_without(
                                &mut file,
                                &secrets,
                                options,
                                &mut numbers,
                                &derive,
                            )
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
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        Ok(())
    }

    /// The same options, with parses within the memory of a run.
    fn within_memory(&self, options: &StructureOptions) -> StructureOptions {
        StructureOptions {
            limits: self.options.within_memory(options.limits),
            ..options.clone()
        }
    }

    /// Learns the secrets of all files, and the redacted paths of those that need one.
    fn known_and_redacted(
        &self,
        files: &[FoundFile],
        recall: &Recall<'_>,
        (run, cancel): (&Run, &Cancel),
    ) -> Result<(KnownSecrets, HashMap<usize, RepoPath>), PackError> {
        let all: Vec<usize> = (0..files.len()).collect();
        let known = self.secrets_of(files, &all, recall, (run.progress(), cancel))?;
        run.secrets.know(&known.copies);
        let paths = files.iter().map(|file| &file.path);
        let secrets = &self.options.secrets;
        let redacted = secrets.redacted_paths(paths, &run.secrets.copies());
        Ok((known, redacted))
    }

    fn structure<D>(
        &self,
        found: &FoundFile,
        (options, run, known): (&StructureOptions, &Run, Option<&KnownSecrets>),
        (recall, at): (&Recall<'_>, usize),
        derive: &(impl Fn(Material<'_>) -> D + Sync),
    ) -> Result<Option<Read<D>>, Reason> {
        self.options.shorten.excludes(&found.path)?;
        let limit = self.options.max_file_size;
        let (reading, _held) = self.read_in_turn(found, limit, (recall, at))?;
        let hash = reading.hash;
        let met = recall.met(at, &reading);
        let seal = met.as_ref().map(|_| Seal::of(&reading.bytes));
        let text = recall.decoded(at, reading)?.text;
        // Text of another version than the one that was scanned may have copies of secrets
        // that are not known yet.
        if known.is_some_and(|known| known.versions[at] != Some(hash)) {
            return Err(Reason::KeptChanging);
        }
        let language = Language::detect(&found.path, &text);
        if !options.wants(language) {
            return Ok(None);
        }
        let structure = match (language, &met, &seal) {
            (None, ..) => Structure::default(),
            (Some(language), Some(met), Some(seal)) => {
                let limits = &options.limits;
                let known = recall.structure(met, seal, language, limits);
                known.unwrap_or_else(|| {
                    let structure = self.extract(language, &text, limits);
                    recall.keep_structure(met, seal, language, limits, &structure);
                    structure
                })
            }
            (Some(language), ..) => self.extract(language, &text, &options.limits),
        };
        let findings = match options.redacts && self.options.secrets.mode.hides() {
            true => self.secrets_in(run, (&found.path, &text), (recall, at, met.as_ref())),
            false => Vec::new(),
        };
        let derived = findings.is_empty().then(|| {
            let memory = met.as_ref().zip(seal.as_ref());
            derive(Material {
                text: &text,
                language,
                structure: &structure,
                limits: &options.limits,
                memory: memory.map(|(met, seal)| (recall, met, seal)),
            })
        });
        let file = FileStructure {
            path: found.path.clone(),
            language,
            structure,
            hash,
            lines: line_count(&text),
        };
        let derived = derived.ok_or(Secrets { text, findings });
        Ok(Some((file, derived)))
    }

    /// Derives a value from the redacted text of a file, and redacts its structure.
    fn derived_without<D>(
        &self,
        file: &mut FileStructure,
        secrets: &Secrets,
        options: &StructureOptions,
        numbers: &mut Numbers,
        derive: &impl Fn(Material<'_>) -> D,
    ) -> D {
        let (clean, safe) = self.redacted_structure(file, secrets, &options.limits, numbers);
        let derived = derive(Material {
            text: &clean,
            language: file.language,
            structure: &safe,
            limits: &options.limits,
            memory: None,
        });
        hide(&mut file.structure, safe);
        derived
    }

    /// The text of a file without its secrets, and what that holds.
    fn redacted_structure(
        &self,
        file: &FileStructure,
        secrets: &Secrets,
        limits: &Limits,
        numbers: &mut Numbers,
    ) -> (String, Structure) {
        let plan = Replaced::plan(&secrets.text, &secrets.findings, numbers);
        let clean = redact(&secrets.text, &plan);
        let safe = match file.language {
            Some(language) => self.extract(language, &clean, limits),
            None => Structure::default(),
        };
        (clean, safe)
    }
}

fn line_count(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
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
