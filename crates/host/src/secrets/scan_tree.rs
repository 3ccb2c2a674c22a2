//! Scans the files of a source for secrets, and for copies of the secrets of other files. `scan`
//! owns commits and staged changes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use loom_base::{ContentHash, RepoPath};
use loom_engine::FoundSecret;
use loom_secrets::{Copies, Finding};
use loom_source::{FoundFile, Reason, Scan};

use super::known::SecretLearner;
use super::scan::{AHEAD, ScannedText, SecretScan, SecretScanner};
use super::state::scanned_with_text;
use crate::cache::ScanTarget;
use crate::control::Control;
use crate::ordered::{ordered, ordered_by_result};
use crate::reading::{FileReader, SourceFile};
use crate::{PackError, Stage};

impl SecretScanner<'_> {
    /// Scans the files, and then searches them for copies of their secrets and of those of the work
    /// tree. Between the two passes, texts stay in memory up to a limit.
    pub(super) fn scan_tree(self, scan: &Scan, result: &mut SecretScan) -> Result<(), PackError> {
        let Control { progress, .. } = self.control;
        let reader = FileReader::uncached(self.packer, self.control.unread);
        let skipped = scan.left_out.iter();
        let skipped = skipped.filter(|left| !left.reason.is_expected());
        let skipped = skipped.map(|left| (left.path.clone(), left.reason.clone()));
        result.skipped.extend(skipped);
        let looks = self.scan_files(&scan.files, result)?;
        let elsewhere = SecretLearner::new(&self.hiding(), self.quiet()).elsewhere(scan)?;
        result.copies.extend(&elsewhere);
        if result.copies.is_empty() {
            return Ok(());
        }
        let mut first: HashMap<RepoPath, Vec<FoundSecret>> = HashMap::new();
        for one in std::mem::take(&mut result.found) {
            first.entry(one.file.clone()).or_default().push(one);
        }
        let files = &scan.files;
        let looks = looks.into_iter().map(|look| Mutex::new(Some(look)));
        let looks: Vec<Mutex<Option<FirstLook>>> = looks.collect();
        let copies = &result.copies;
        let found = &mut result.found;
        progress.begin(Stage::Secrets, Some(files.len()));
        ordered(
            files.len(),
            self.packer.options.thread_count(),
            AHEAD,
            |_| 1,
            |at| {
                let look = looks[at]
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .take()?;
                self.scan_with_copies(reader.file(&files[at], at), look, copies)
            },
            |at, again| {
                progress.advance(1);
                // A file that disappeared keeps the findings of the first pass.
                let before = || first.get(&files[at].path).cloned();
                found.extend(again.or_else(before).unwrap_or_default());
                self.control.flow()
            },
        );
        self.control.check()
    }

    /// Returns the secrets of a file, including copies of those of other files. Returns `None` if
    /// the file can no longer be read as text.
    fn scan_with_copies(
        self,
        file: SourceFile<'_>,
        look: FirstLook,
        copies: &Copies,
    ) -> Option<Vec<FoundSecret>> {
        let secrets = &self.packer.options.secrets;
        let path = file.path();
        let (text, findings) = match look {
            FirstLook::Skipped => return None,
            FirstLook::Kept { text, findings } => (text, findings),
            FirstLook::Read { hash, findings } => {
                match file.read_within(self.packer.options.learning_limit()) {
                    Ok(text) if Some(text.hash()) == hash => (text.into_text(), findings),
                    Ok(text) => {
                        let findings = text.findings(ScanTarget::File).to_vec();
                        (text.into_text(), findings)
                    }
                    Err(Reason::KeptChanging) => file.read_at_once().ok()?,
                    Err(_) => return None,
                }
            }
        };
        let findings = secrets.with_copies(path, &text, findings, copies);
        Some(FoundSecret::all(path, &text, &findings))
    }

    /// Scans the files. Returns the data of each for the second pass.
    fn scan_files(
        self,
        files: &[FoundFile],
        result: &mut SecretScan,
    ) -> Result<Vec<FirstLook>, PackError> {
        let Control { progress, .. } = self.control;
        progress.begin(Stage::Count, Some(files.len()));
        let mut looks: Vec<FirstLook> = Vec::with_capacity(files.len());
        let recall = self.packer.recall(files);
        let reader = FileReader::new(self.packer, &recall, self.control.unread);
        let memory = self.packer.options.memory();
        let mut room = memory.kept();
        let held = |scanned: &Result<(ScannedText, FirstLook), Reason>| {
            scanned.as_ref().map_or(0, |(_, look)| look.held())
        };
        ordered_by_result(
            files.len(),
            self.packer.options.thread_count(),
            memory.waiting(AHEAD.items),
            held,
            |at| scan_file(reader.file(&files[at], at)),
            |at, scanned| {
                progress.advance(1);
                let look = match scanned {
                    Ok((scanned, look)) => {
                        let look = look.within(room, scanned.hash);
                        room -= look.held();
                        result.add(scanned);
                        look
                    }
                    Err(reason) => {
                        result.skipped.push((files[at].path.clone(), reason));
                        FirstLook::Skipped
                    }
                };
                looks.push(look);
                self.control.flow()
            },
        );
        recall.finish();
        self.control.check()?;
        Ok(looks)
    }
}

/// Data of a file from the first pass for the second one.
enum FirstLook {
    /// The file has no readable text.
    Skipped,
    /// Its text and its own secrets.
    Kept {
        text: String,
        findings: Vec<Finding>,
    },
    /// Its version and its own secrets. The text must be read again, or was not read.
    Read {
        hash: Option<ContentHash>,
        findings: Vec<Finding>,
    },
}

impl FirstLook {
    /// Returns the bytes of kept text.
    fn held(&self) -> usize {
        match self {
            Self::Kept { text, .. } => text.capacity(),
            _ => 0,
        }
    }

    /// Drops the text if it does not fit into `room`.
    fn within(self, room: usize, hash: Option<ContentHash>) -> Self {
        match self {
            Self::Kept { text, findings } if text.capacity() > room => {
                Self::Read { hash, findings }
            }
            look => look,
        }
    }
}

fn scan_file(file: SourceFile<'_>) -> Result<(ScannedText, FirstLook), Reason> {
    let scanned = match scanned_with_text(file) {
        // Any version of a file that is being written is better than none.
        Err(Reason::KeptChanging) => {
            let (text, findings) = file.read_at_once()?;
            let scanned = ScannedText::new(text.len(), file.path(), &text, &findings);
            return Ok((scanned, FirstLook::Kept { text, findings }));
        }
        scanned => scanned?,
    };
    let size = usize::try_from(scanned.size).unwrap_or(usize::MAX);
    let (hash, findings) = (scanned.hash, scanned.findings);
    let text = scanned.text.as_deref().unwrap_or_default();
    let first = ScannedText::new(size, file.path(), text, &findings).with_hash(hash);
    let look = match scanned.text {
        Some(text) => FirstLook::Kept { text, findings },
        None => FirstLook::Read { hash, findings },
    };
    Ok((first, look))
}

#[cfg(test)]
mod tests;
