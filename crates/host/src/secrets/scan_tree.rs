//! Scans the files of a tree for secrets, and for copies of those that other files teach.
//! Commits and staged changes belong to `scan`.

use std::collections::HashMap;

use loom_base::{ContentHash, RepoPath};
use loom_secrets::Copies;
use loom_source::{FoundFile, Reason, Scan, decode};

use super::scan::{AHEAD, ScannedText, done, stop};
use super::{FoundSecret, SecretScan};
use crate::cache::Recall;
use crate::ordered::ordered;
use crate::unread::Unread;
use crate::{Cancel, NoProgress, PackError, Packer, Progress, Stage};

impl Packer {
    /// Scans the files, and then looks for copies of the secrets that they and the rest of
    /// the work tree have.
    pub(super) fn scan_tree(
        &self,
        scan: &Scan,
        unread: &Unread,
        result: &mut SecretScan,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<(), PackError> {
        let skipped = scan.left_out.iter();
        let skipped = skipped.filter(|left| !left.reason.is_expected());
        let skipped = skipped.map(|left| (left.path.clone(), left.reason.clone()));
        result.skipped.extend(skipped);
        let versions = self.scan_files(&scan.files, result, progress, cancel)?;
        let control: (&dyn Progress, &Cancel) = (&NoProgress, cancel);
        let elsewhere = self.hiding().secrets_elsewhere(scan, unread, control)?;
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
                self.scan_with_copies(&files[at], known, copies)
            },
            |at, again| {
                progress.advance(1);
                // A file that is gone keeps the findings of the first look.
                let before = || first.get(&files[at].path).cloned();
                found.extend(again.or_else(before).unwrap_or_default());
                stop(cancel)
            },
        );
        done(cancel)
    }

    /// The secrets of a file with copies of those of other files. The version `clean` of the
    /// file has none itself. `None` if the file can no longer be read as text.
    fn scan_with_copies(
        &self,
        file: &FoundFile,
        clean: Option<ContentHash>,
        copies: &Copies,
    ) -> Option<Vec<FoundSecret>> {
        let secrets = &self.options.secrets;
        let limit = self.learning_limit();
        let (bytes, hash) = match self.source.read(file, limit) {
            Ok(reading) => (reading.bytes, Some(reading.hash)),
            Err(Reason::KeptChanging) => (self.source.read_once(file, limit)?, None),
            Err(_) => return None,
        };
        let text = decode(bytes).ok()?.text;
        let findings = match hash.is_some() && hash == clean {
            true => Vec::new(),
            false => secrets.scan(&file.path, &text),
        };
        let findings = secrets.with_copies(&file.path, &text, findings, copies);
        Some(FoundSecret::all(&file.path, &text, &findings))
    }

    /// Scans the files. Returns their versions.
    fn scan_files(
        &self,
        files: &[FoundFile],
        result: &mut SecretScan,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Vec<Option<ContentHash>>, PackError> {
        progress.begin(Stage::Count, Some(files.len()));
        let mut versions = vec![None; files.len()];
        let recall = self.recall(files);
        ordered(
            files.len(),
            self.options.thread_count(),
            AHEAD,
            |_| 1,
            |at| self.scan_file(&files[at], (&recall, at)),
            |at, scanned| {
                progress.advance(1);
                match scanned {
                    Ok(scanned) => {
                        versions[at] = scanned.hash;
                        result.add(scanned);
                    }
                    Err(reason) => result.skipped.push((files[at].path.clone(), reason)),
                }
                stop(cancel)
            },
        );
        recall.finish();
        done(cancel)?;
        Ok(versions)
    }

    fn scan_file(
        &self,
        file: &FoundFile,
        recall: (&Recall<'_>, usize),
    ) -> Result<ScannedText, Reason> {
        let scanned = match self.scanned(file, recall) {
            // Any version of a file that is being written is better than none.
            Err(Reason::KeptChanging) => return self.scan_at_once(file),
            scanned => scanned?,
        };
        let size = usize::try_from(scanned.size).unwrap_or(usize::MAX);
        let text = scanned.text.unwrap_or_default();
        let text = ScannedText::new(size, &file.path, &text, &scanned.findings);
        Ok(text.with_hash(scanned.hash))
    }

    fn scan_at_once(&self, file: &FoundFile) -> Result<ScannedText, Reason> {
        let bytes = self.source.read_once(file, self.learning_limit());
        let bytes = bytes.ok_or(Reason::KeptChanging)?;
        let text = decode(bytes).map_err(|_| Reason::Binary)?.text;
        let findings = self.options.secrets.scan(&file.path, &text);
        Ok(ScannedText::new(text.len(), &file.path, &text, &findings))
    }
}
