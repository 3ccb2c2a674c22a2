//! Scans the files of a tree for secrets, and for copies of those that other files teach.
//! Commits and staged changes belong to `scan`.

use std::collections::HashMap;

use loom_base::{ContentHash, RepoPath};
use loom_secrets::Copies;
use loom_source::{FoundFile, Reason, Scan};

use super::scan::{AHEAD, ScannedText};
use super::taken::scanned;
use super::{FoundSecret, SecretScan};
use crate::cache::Looked;
use crate::control::Control;
use crate::ordered::ordered;
use crate::reading::{FileReader, SourceFile};
use crate::{PackError, Packer, Stage};

impl Packer {
    /// Scans the files, and then looks for copies of the secrets that they and the rest of
    /// the work tree have.
    pub(super) fn scan_tree(
        &self,
        scan: &Scan,
        result: &mut SecretScan,
        control: Control<'_>,
    ) -> Result<(), PackError> {
        let Control { progress, .. } = control;
        let reader = FileReader::uncached(self, control.unread);
        let skipped = scan.left_out.iter();
        let skipped = skipped.filter(|left| !left.reason.is_expected());
        let skipped = skipped.map(|left| (left.path.clone(), left.reason.clone()));
        result.skipped.extend(skipped);
        let versions = self.scan_files(&scan.files, result, control)?;
        let quiet = Control::quiet(control.cancel, control.unread);
        let elsewhere = self.hiding().secrets_elsewhere(scan, quiet)?;
        result.copies.extend(&elsewhere);
        if result.copies.is_empty() {
            return Ok(());
        }
        let mut first: HashMap<RepoPath, Vec<FoundSecret>> = HashMap::new();
        for one in std::mem::take(&mut result.found) {
            first.entry(one.file.clone()).or_default().push(one);
        }
        let files = &scan.files;
        let copies = &result.copies;
        let found = &mut result.found;
        progress.begin(Stage::Secrets, Some(files.len()));
        ordered(
            files.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            |at| {
                let known = versions[at].filter(|_| !first.contains_key(&files[at].path));
                self.scan_with_copies(reader.file(&files[at], at), known, copies)
            },
            |at, again| {
                progress.advance(1);
                // A file that is gone keeps the findings of the first look.
                let before = || first.get(&files[at].path).cloned();
                found.extend(again.or_else(before).unwrap_or_default());
                control.flow()
            },
        );
        control.check()
    }

    /// The secrets of a file with copies of those of other files. The version `clean` of the
    /// file has none itself. `None` if the file can no longer be read as text.
    fn scan_with_copies(
        &self,
        file: SourceFile<'_>,
        clean: Option<ContentHash>,
        copies: &Copies,
    ) -> Option<Vec<FoundSecret>> {
        let secrets = &self.options.secrets;
        let path = file.path();
        let (text, findings) = match file.read_within(self.options.learning_limit()) {
            Ok(text) => {
                let findings = match Some(text.hash()) == clean {
                    true => Vec::new(),
                    false => text.findings(Looked::File).to_vec(),
                };
                (text.into_text(), findings)
            }
            Err(Reason::KeptChanging) => file.read_at_once().ok()?,
            Err(_) => return None,
        };
        let findings = secrets.with_copies(path, &text, findings, copies);
        Some(FoundSecret::all(path, &text, &findings))
    }

    /// Scans the files. Returns their versions.
    fn scan_files(
        &self,
        files: &[FoundFile],
        result: &mut SecretScan,
        control: Control<'_>,
    ) -> Result<Vec<Option<ContentHash>>, PackError> {
        let Control { progress, .. } = control;
        progress.begin(Stage::Count, Some(files.len()));
        let mut versions = vec![None; files.len()];
        let recall = self.recall(files);
        let reader = FileReader::new(self, &recall, control.unread);
        ordered(
            files.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            |at| scan_file(reader.file(&files[at], at)),
            |at, scanned| {
                progress.advance(1);
                match scanned {
                    Ok(scanned) => {
                        versions[at] = scanned.hash;
                        result.add(scanned);
                    }
                    Err(reason) => result.skipped.push((files[at].path.clone(), reason)),
                }
                control.flow()
            },
        );
        recall.finish();
        control.check()?;
        Ok(versions)
    }
}

fn scan_file(file: SourceFile<'_>) -> Result<ScannedText, Reason> {
    let scanned = match scanned(file) {
        // Any version of a file that is being written is better than none.
        Err(Reason::KeptChanging) => {
            let (text, findings) = file.read_at_once()?;
            return Ok(ScannedText::new(text.len(), file.path(), &text, &findings));
        }
        scanned => scanned?,
    };
    let size = usize::try_from(scanned.size).unwrap_or(usize::MAX);
    let text = scanned.text.unwrap_or_default();
    let text = ScannedText::new(size, file.path(), &text, &scanned.findings);
    Ok(text.with_hash(scanned.hash))
}
