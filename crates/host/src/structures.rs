//! What the files of a source hold, one after another: read, decoded and parsed on
//! several threads, handed out in order, and not kept.

use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_secrets::{Finding, Numbers, Replaced, redact};
use loom_source::{FoundFile, Reason, decode};
use loom_syntax::{Language, Limits, Structure, extract};

use crate::ordered::{Ahead, ordered};
use crate::{Cancel, PackError, Packer};

/// What waits behind a slow file is bounded: structures are about as large as their
/// files.
const AHEAD: Ahead = Ahead {
    items: 64,
    weight: usize::MAX,
};

/// A file with what it holds.
#[derive(Clone, Debug)]
pub struct FileStructure {
    /// Its path.
    pub path: RepoPath,
    /// Its language, where it is known.
    pub language: Option<Language>,
    /// What it holds; nothing where the language is not known.
    pub structure: Structure,
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

/// A secret and what it is taken for.
type Secret = (String, &'static str);

impl StructureOptions {
    fn wants(&self, language: Option<Language>) -> bool {
        self.languages.is_empty() || language.is_some_and(|one| self.languages.contains(&one))
    }
}

impl Packer {
    /// Hands out the structure of every file, ordered by path. Files that are left out,
    /// cannot be read or are not text are passed over.
    ///
    /// # Errors
    /// When a stop was asked for.
    pub fn structures(
        &self,
        options: &StructureOptions,
        cancel: &Cancel,
        mut emit: impl FnMut(FileStructure) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let scan = self.source.scan(&self.options.scan);
        let work = |at: usize| self.structure(&scan.files[at], options);
        let mut numbers = Numbers::default();
        ordered(
            scan.files.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            work,
            |_, file| match file {
                _ if cancel.is_cancelled() => ControlFlow::Break(()),
                Ok(Some((mut file, secrets))) => {
                    self.hide(&mut file, &secrets, &mut numbers);
                    emit(file)
                }
                Ok(None) | Err(_) => ControlFlow::Continue(()),
            },
        );
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        Ok(())
    }

    fn structure(
        &self,
        found: &FoundFile,
        options: &StructureOptions,
    ) -> Result<Option<(FileStructure, Vec<Secret>)>, Reason> {
        let reading = self.source.read(found, self.options.max_file_size)?;
        let text = decode(reading.bytes).map_err(|_| Reason::Binary)?.text;
        let language = Language::detect(&found.path, &text);
        if !options.wants(language) {
            return Ok(None);
        }
        let structure = match language {
            Some(language) => extract(language, &text, &options.limits),
            None => Structure::default(),
        };
        let secrets = match options.redacts && self.options.secrets.mode.hides() {
            true => self.options.secrets.scan(&found.path, &text),
            false => Vec::new(),
        };
        let secret = |finding: &Finding| (text[finding.span.clone()].to_owned(), finding.kind);
        let secrets = secrets.iter().map(secret).collect();
        let file = FileStructure {
            path: found.path.clone(),
            language,
            structure,
        };
        Ok(Some((file, secrets)))
    }

    /// Takes the secrets of a file out of what is told about it. What is cut there, or
    /// put together from several lines, is looked at again.
    fn hide(&self, file: &mut FileStructure, secrets: &[Secret], numbers: &mut Numbers) {
        if secrets.is_empty() {
            return;
        }
        let path = &file.path;
        let mut hide = |text: &mut String| {
            for (secret, kind) in secrets {
                if text.contains(secret) {
                    let number = numbers.number(kind, secret);
                    *text = text.replace(secret, &format!("[REDACTED:{kind}:{number}]"));
                }
            }
            let findings = self.options.secrets.scan(path, text);
            if !findings.is_empty() {
                *text = redact(text, &Replaced::plan(text, &findings, numbers));
            }
        };
        for symbol in &mut file.structure.symbols {
            hide(&mut symbol.name);
            hide(&mut symbol.qualified);
            hide(&mut symbol.signature);
            symbol.doc.iter_mut().for_each(&mut hide);
        }
        for import in &mut file.structure.imports {
            hide(&mut import.module);
        }
        for reference in &mut file.structure.references {
            hide(&mut reference.name);
            reference.qualifier.iter_mut().for_each(&mut hide);
        }
    }
}
