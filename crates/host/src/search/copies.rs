//! The known secrets during a search: complete for one snapshot before any line is shown. A file
//! may contain a copy of a secret without any word that identifies it as one.

use std::ops::ControlFlow;
use std::sync::Arc;

use loom_base::ContentHash;
use loom_secrets::{Copies, Finding, Numbers, Replaced, redact};
use loom_source::Reason;

use super::Searcher;
use super::freshness::NO_TEXT;
use super::searcher::IndexState;
use super::snapshot_secrets::{Learned, SnapshotSecrets};
use crate::cache::CacheSession;
use crate::control::Control;
use crate::reading::FileReader;
use crate::secrets::{MessageRedactor, SecretLearner, scanned, secrets_at_once};
use crate::source_files::SourceFiles;
use crate::surveyor::Surveyor;
use crate::{Cancel, NoProgress, PackError, Packer, Progress, RepoPath, Run, Stage, Survey};

impl Searcher {
    /// Surveys the files that `is_wanted` selects for a packer of the same source, without listing
    /// directories.
    ///
    /// # Errors
    /// As [`PackRun::survey`](crate::PackRun::survey).
    pub fn survey_among(
        &self,
        packer: &Packer,
        is_wanted: impl Fn(&RepoPath) -> bool,
        cancel: &Cancel,
    ) -> Result<Survey, PackError> {
        let wanted = self.files.iter().filter(|file| is_wanted(&file.path));
        let files = wanted.cloned().collect();
        Surveyor::new(packer, &NoProgress, cancel).survey_listed(files, self.known_secrets())
    }

    /// Returns the secrets that are redacted in every text.
    pub(crate) fn known_secrets(&self) -> &Copies {
        &self.secrets.copies
    }

    /// Creates a run with the secrets of this snapshot.
    pub fn begin_run(&self) -> Run {
        let run = Run::new();
        run.secrets.know(&self.secrets.copies);
        run
    }

    /// Redacts the known secrets in a text that combines several texts. Returns `None` if it
    /// contains none.
    pub fn redact_known(&self, text: &str) -> Option<String> {
        let secrets = &self.packer.options.secrets;
        let findings = match secrets.mode.hides() {
            true => self.secrets.copies.find(text),
            false => Vec::new(),
        };
        let plan = Replaced::plan(text, &findings, &mut Numbers::default());
        (!plan.is_empty()).then(|| redact(text, &plan))
    }

    /// Redacts messages about this state of the files.
    pub fn message_redactor(&self) -> MessageRedactor {
        MessageRedactor::new(&self.packer.options.secrets, &self.secrets.copies)
    }

    /// Adds copies of the secrets of other files to `findings`.
    pub(super) fn with_copies(
        &self,
        path: &RepoPath,
        text: &str,
        findings: Vec<Finding>,
    ) -> Vec<Finding> {
        let secrets = &self.packer.options.secrets;
        secrets.with_copies(path, text, findings, &self.secrets.copies)
    }

    /// Returns true if `hash` is the scanned version of a file. Another version may contain copies
    /// of secrets that are still unknown, and must not be shown.
    pub(super) fn is_known_version(&self, number: usize, hash: ContentHash) -> bool {
        let place = self.known[number].place();
        let indexed = place.and_then(|place| self.index.hash(place));
        let known = indexed.or_else(|| self.secrets.versions.get(&number).copied());
        known == Some(hash) || !self.packer.options.secrets.mode.hides()
    }

    /// Scans all files that may contain secrets. Versions from the `earlier` snapshot are not read
    /// again. The files `read` were unknown when they were listed.
    pub(super) fn learn_secrets(
        &mut self,
        read: &[usize],
        listed: &SourceFiles,
        earlier: Option<&Self>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<(), PackError> {
        if !self.packer.options.secrets.mode.looks() {
            return Ok(());
        }
        let packer = Arc::clone(&self.packer);
        let unread = Arc::clone(&self.unread);
        let control = Control {
            progress,
            cancel,
            unread: &unread,
        };
        let learner = SecretLearner::new(&packer, control);
        let mut secrets = SnapshotSecrets {
            copies: learner.beside_listed(listed)?,
            ..SnapshotSecrets::default()
        };
        let numbers: Vec<usize> = (0..self.files.len())
            .filter(|number| self.may_have_secrets(*number))
            .collect();
        let has_unknown = numbers
            .iter()
            .any(|number| self.known[*number] == IndexState::Nothing);
        let recall = match has_unknown {
            true => packer.recall(&self.files),
            false => CacheSession::nothing(),
        };
        progress.begin(Stage::Secrets, Some(numbers.len()));
        let reader = FileReader::new(&packer, &recall, &unread);
        let learn = |at: usize| self.learned(numbers[at], reader, earlier);
        self.each(numbers.len(), cancel, learn, |_, learned| {
            progress.advance(1);
            if let Some(learned) = learned {
                secrets.add(self.files[learned.number].actual_path(), learned);
            }
            ControlFlow::Continue(())
        })?;
        recall.finish();
        let read = read.iter().chain(&numbers);
        let read: Vec<_> = read.map(|at| self.files[*at].clone()).collect();
        secrets
            .copies
            .extend(&learner.since(listed.files(), listed.began, &read)?);
        // A file that is being written may be empty for a moment, so the secrets of the earlier
        // snapshot stay known.
        if let Some(earlier) = earlier {
            secrets.copies.remember(&earlier.secrets.copies);
        }
        self.redact_paths(&secrets.copies);
        self.secrets = Arc::new(secrets);
        Ok(())
    }

    /// Redacts the secrets in paths.
    fn redact_paths(&mut self, copies: &Copies) {
        let secrets = &self.packer.options.secrets;
        let paths = self.files.iter().map(|file| &file.path);
        for (at, path) in secrets.redacted_paths(paths, copies) {
            self.files[at].show_as(path);
        }
    }

    /// Returns true unless the file is known to contain no secret.
    fn may_have_secrets(&self, number: usize) -> bool {
        let is_usual = self.packer.options.secrets.is_usual();
        match self.known[number] {
            // The index contains no text of a file above the limit, which may contain secrets.
            IndexState::NoText => self.is_above_limit(number),
            IndexState::Nothing => true,
            IndexState::Indexed(_) => !(is_usual && self.is_clean(number)),
        }
    }

    fn is_above_limit(&self, number: usize) -> bool {
        let stamp = self.files[number].stamp();
        stamp.is_none_or(|stamp| stamp.size > self.packer.options.max_file_size)
    }

    fn learned(
        &self,
        number: usize,
        reader: FileReader<'_>,
        earlier: Option<&Self>,
    ) -> Option<Learned> {
        let file = &self.files[number];
        let place = self.known[number].place();
        if let Some(hash) = place.and_then(|place| self.index.hash(place))
            && let Some(earlier) = earlier
            && let Some(copies) = earlier
                .secrets
                .of_files
                .get(&(file.actual_path().clone(), hash))
        {
            return Some(Learned {
                number,
                hash,
                copies: Some(Arc::clone(copies)),
            });
        }
        let scanned = match scanned(reader.file(file, number)) {
            Ok(scanned) => scanned,
            // The file is being replaced: all its versions contribute secrets, and none is shown.
            Err(Reason::KeptChanging | Reason::Vanished) => {
                let copies = secrets_at_once(reader.file(file, number));
                return Some(Learned {
                    number,
                    hash: NO_TEXT,
                    copies: Some(Arc::new(copies)),
                });
            }
            Err(_) => return None,
        };
        let copies = scanned.text.map(|text| {
            let mut copies = Copies::default();
            copies.add(&text, &scanned.findings);
            Arc::new(copies)
        });
        Some(Learned {
            number,
            hash: scanned.hash?,
            copies,
        })
    }
}
