//! Collects the known secrets before any text is shown: those of the shown files, and those of the
//! surrounding work tree. It includes credential files that ignore rules skip; their text is never
//! shown.

use std::path::PathBuf;

use loom_base::{ContentHash, Stamp};
use loom_secrets::Copies;
use loom_source::{FoundFile, Reason, Scan, Source};

use super::state::{Scanned, scanned};
use crate::control::Control;
use crate::options::SecretsScope;
use crate::ordered::ordered_by_result;
use crate::reading::{FileReader, SourceFile};
use crate::source_files::{SourceFiles, Stamps, wide_options, wide_scan};
use crate::{PackError, Packer, Stage};

/// Begin of each warning about a credential file whose copies are shown.
pub const VISIBLE_COPIES: &str = "copies of secrets in";

/// Secrets of files, and the scanned version of each file.
#[derive(Debug, Default)]
pub(crate) struct KnownSecrets {
    pub(crate) copies: Copies,
    /// Versions by file number. `None` if a file has no text to show.
    pub(crate) versions: Vec<Option<ContentHash>>,
}

/// The kernel stamps a file with the time of its last clock tick, in nanoseconds: at most 10 ms
/// ago, and as much again for a busy machine.
const CLOCK_TICK: i64 = 20_000_000;

/// Learns the secrets that a run must know before it shows a text.
#[derive(Clone, Copy)]
pub(crate) struct SecretLearner<'a> {
    packer: &'a Packer,
    control: Control<'a>,
}

impl<'a> SecretLearner<'a> {
    pub(crate) fn new(packer: &'a Packer, control: Control<'a>) -> Self {
        Self { packer, control }
    }

    /// Returns the secrets of `files`. Reads only those at `which`; all others are known to contain
    /// none. If the reader has a pool, it leaves the texts to the next pass.
    ///
    /// # Errors
    /// If the caller cancels: an incomplete list must not be used.
    pub(crate) fn of_files(
        self,
        files: &[FoundFile],
        which: &[usize],
        reader: FileReader<'_>,
    ) -> Result<KnownSecrets, PackError> {
        let Control { progress, .. } = self.control;
        let mut known = KnownSecrets {
            copies: Copies::default(),
            versions: vec![None; files.len()],
        };
        progress.begin(Stage::Secrets, Some(which.len()));
        let work = |at: usize| scanned(reader.file(&files[which[at]], which[at]));
        let held = |scanned: &Result<Scanned, Reason>| {
            let text = scanned.as_ref().ok().and_then(|one| one.text.as_ref());
            text.map_or(0, String::capacity)
        };
        ordered_by_result(
            which.len(),
            self.packer.options.thread_count(),
            self.packer.options.memory().waiting(256),
            held,
            work,
            |at, scanned| {
                progress.advance(1);
                if let Err(Reason::KeptChanging | Reason::Vanished) = scanned {
                    let file = reader.file(&files[which[at]], which[at]);
                    known.copies.extend(&secrets_at_once(file));
                }
                if let Ok(scanned) = scanned {
                    known.versions[which[at]] = scanned.hash;
                    if let Some(text) = scanned.text {
                        known.copies.add(&text, &scanned.findings);
                    }
                }
                self.control.flow()
            },
        );
        self.control.check()?;
        Ok(known)
    }

    /// Returns the secrets of files that are in the same work trees as those of `scan`, but not in
    /// `scan`. Warns about unreadable credential files.
    ///
    /// # Errors
    /// If the caller cancels.
    pub(crate) fn elsewhere(self, scan: &Scan) -> Result<Copies, PackError> {
        let wide = match self.packer.secrets_mode().hides() {
            true => wide_scan(self.packer, scan, Stamps::Missing),
            false => None,
        };
        self.surrounding(scan, wide.as_ref())
    }

    /// The same for files that were listed before.
    pub(crate) fn beside_listed(self, listed: &SourceFiles) -> Result<Copies, PackError> {
        self.surrounding(&listed.scan, listed.wide.as_ref())
    }

    /// Returns the secrets of files that are new or changed since they were `listed`, if one of the
    /// files `read` may have changed since the time `began` before the listing. A file is read after
    /// it was listed, so its text may contain a copy of a secret whose own file is newer than the
    /// list.
    pub(crate) fn since(
        self,
        listed: &[FoundFile],
        began: i64,
        read: &[FoundFile],
    ) -> Result<Copies, PackError> {
        let mut copies = Copies::default();
        let is_newer = |stamp: &Stamp| stamp.changed >= began.saturating_sub(CLOCK_TICK);
        let mut stamps = self.packer.stamps(read).into_iter().flatten();
        if !self.packer.secrets_mode().hides() || !stamps.any(|stamp| is_newer(&stamp)) {
            return Ok(copies);
        }
        let now = SourceFiles::list(self.packer);
        let mut known: Vec<&FoundFile> = listed.iter().collect();
        known.sort_by(|a, b| a.order_in_source(b));
        let is_changed = |file: &&FoundFile| {
            let at = known.binary_search_by(|known| known.order_in_source(file));
            match at.map(|at| known[at].stamp()) {
                Err(_) => true,
                Ok(Some(before)) => file.stamp() != Some(before),
                // Listed without a stamp.
                Ok(None) => file.stamp().is_some_and(|now| now.changed >= began),
            }
        };
        let changed: Vec<FoundFile> = now.files().iter().filter(is_changed).cloned().collect();
        copies.extend(&self.of_others(&changed)?);
        copies.extend(&self.beside_listed(&now)?);
        Ok(copies)
    }

    fn surrounding(self, scan: &Scan, wide: Option<&Scan>) -> Result<Copies, PackError> {
        let source = &self.packer.source;
        let mut copies = Copies::default();
        if !self.packer.secrets_mode().hides() {
            return Ok(copies);
        }
        let (others, credentials) = match wide {
            Some(wide) => (files_beside(&wide.files, &scan.files), &wide.credentials),
            None => (Vec::new(), &scan.credentials),
        };
        copies.extend(&self.of_others(&others)?);
        copies.extend(&self.of_credentials(source, credentials));
        let work_trees: Vec<PathBuf> = source.outer_work_trees().into_iter().collect();
        if self.packer.options.secrets.scope == SecretsScope::WorkTree
            && !work_trees.is_empty()
            && let Ok(on_disk) = Source::open(&work_trees)
        {
            let on_disk = self.packer.with_source(on_disk);
            let scan = on_disk.source.scan(&wide_options(&on_disk.options));
            let outer = SecretLearner::new(&on_disk, self.control);
            copies.extend(&outer.of_others(&scan.files)?);
            copies.extend(&outer.of_credentials(&on_disk.source, &scan.credentials));
        }
        Ok(copies)
    }

    /// Returns the secrets of all files that a survey does not scan itself: files skipped because
    /// of their contents, and files outside its scan.
    ///
    /// # Errors
    /// If the caller cancels.
    pub(crate) fn not_surveyed(
        self,
        scan: &Scan,
        unscanned: &[FoundFile],
    ) -> Result<Copies, PackError> {
        let mut copies = self.elsewhere(scan)?;
        if self.packer.secrets_mode().hides() {
            copies.extend(&self.of_others(unscanned)?);
        }
        Ok(copies)
    }

    /// Returns the secrets of the files of a listing, and of those around it.
    ///
    /// # Errors
    /// If the caller cancels.
    pub(crate) fn of_scan(self, scan: &Scan) -> Result<Copies, PackError> {
        let mut copies = self.elsewhere(scan)?;
        copies.extend(&self.of_others(&scan.files)?);
        Ok(copies)
    }

    /// Returns the secrets of files that no other pass reads.
    ///
    /// # Errors
    /// If the caller cancels.
    pub(crate) fn of_others(self, files: &[FoundFile]) -> Result<Copies, PackError> {
        if files.is_empty() {
            return Ok(Copies::default());
        }
        let recall = self.packer.recall(files);
        let all: Vec<usize> = (0..files.len()).collect();
        let reader = FileReader::new(self.packer, &recall, self.control.unread);
        let known = self.of_files(files, &all, reader)?;
        recall.finish();
        Ok(known.copies)
    }

    /// Collects the secrets of credential files that ignore rules skip. Warns about an unreadable
    /// file, because copies of its secrets would be shown. The cache contains nothing about these
    /// files, because they are private.
    fn of_credentials(self, source: &Source, files: &[FoundFile]) -> Copies {
        let mut copies = Copies::default();
        let limit = self.packer.options.learning_limit();
        for file in files {
            let bytes = match source.read(file, limit) {
                Ok(reading) => Ok(reading.bytes),
                // The file is being written: all its versions contribute secrets.
                Err(Reason::KeptChanging) => {
                    let learn = |bytes| self.learn_credentials(file, bytes, &mut copies);
                    source.each_version(file, limit, learn);
                    continue;
                }
                // The file was replaced or is not valid text: any version of it contributes
                // secrets.
                Err(reason) => source.read_once(file, limit).ok_or(reason),
            };
            match bytes {
                Ok(bytes) => self.learn_credentials(file, bytes, &mut copies),
                Err(Reason::Vanished) => {}
                Err(reason) => self.control.unread.warn([format!(
                    "{VISIBLE_COPIES} {} are not redacted: {reason}",
                    file.path
                )]),
            }
        }
        copies
    }

    /// Adds the secrets of a credential file. Its text is never shown, so invalid bytes are
    /// dropped.
    fn learn_credentials(self, file: &FoundFile, bytes: Vec<u8>, copies: &mut Copies) {
        let lossy = String::from_utf8_lossy(&bytes).replace('\0', "");
        let text = loom_source::decode(bytes).map_or(lossy, |decoded| decoded.text);
        let findings = self.packer.options.secrets.scan(&file.path, &text);
        copies.add(&text, &findings);
    }
}

/// Collects the secrets of a file that is being replaced from all its versions, of which none is
/// shown.
pub(crate) fn secrets_at_once(file: SourceFile<'_>) -> Copies {
    let mut copies = Copies::default();
    file.each_version(|text, findings| copies.add(text, findings));
    copies
}

/// Returns the files of `wide` that are not in `shown`; both are ordered by path.
fn files_beside(wide: &[FoundFile], shown: &[FoundFile]) -> Vec<FoundFile> {
    let mut known: Vec<&FoundFile> = shown.iter().collect();
    known.sort_by(|a, b| a.order_in_source(b));
    let is_other = |file: &&FoundFile| {
        let at = known.binary_search_by(|known| known.order_in_source(file));
        at.is_err()
    };
    wide.iter().filter(is_other).cloned().collect()
}
