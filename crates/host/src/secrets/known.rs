//! Collects the known secrets before any text is shown: those of the shown files, and those of the
//! surrounding work tree. It includes credential files that ignore rules skip; their text is never
//! shown.

use std::path::PathBuf;

use loom_base::{ContentHash, Stamp};
use loom_secrets::Copies;
use loom_source::{FoundFile, Reach, Reason, Scan, ScanOptions, Source};

use super::state::{Scanned, scanned};
use crate::cache::now;
use crate::control::Control;
use crate::options::SecretsScope;
use crate::ordered::ordered_by_result;
use crate::reading::{FileReader, SourceFile};
use crate::source_files::SourceFiles;
use crate::unread::Unread;
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

/// Whether files are listed with their stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stamps {
    Taken,
    Missing,
}

impl Packer {
    /// Returns the secrets of `files`. Reads only those at `which`; all others are known to contain
    /// none. If the reader has a pool, it leaves the texts to the next pass.
    ///
    /// # Errors
    /// If the caller cancels: an incomplete list must not be used.
    pub(crate) fn secrets_of(
        &self,
        files: &[FoundFile],
        which: &[usize],
        reader: FileReader<'_>,
        control: Control<'_>,
    ) -> Result<KnownSecrets, PackError> {
        let progress = control.progress;
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
            self.options.thread_count(),
            self.options.memory().waiting(256),
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
                control.flow()
            },
        );
        control.check()?;
        Ok(known)
    }

    /// Returns the secrets of files that are in the same work trees as those of `scan`, but not in
    /// `scan`. Warns about unreadable credential files.
    ///
    /// # Errors
    /// If the caller cancels.
    pub(crate) fn secrets_elsewhere(
        &self,
        scan: &Scan,
        control: Control<'_>,
    ) -> Result<Copies, PackError> {
        let wide = match self.options.secrets.mode.hides() {
            true => self.wide_scan(scan, Stamps::Missing),
            false => None,
        };
        self.secrets_around(scan, wide.as_ref(), control)
    }

    /// The same for files that were listed before.
    pub(crate) fn secrets_beside_listed(
        &self,
        listed: &SourceFiles,
        control: Control<'_>,
    ) -> Result<Copies, PackError> {
        self.secrets_around(&listed.scan, listed.wide.as_ref(), control)
    }

    /// Returns the secrets of files that are new or changed since they were `listed`, if one of the
    /// files `read` may have changed since the time `began` before the listing. A file is read after
    /// it was listed, so its text may contain a copy of a secret whose own file is newer than the
    /// list.
    pub(crate) fn secrets_since(
        &self,
        listed: &[FoundFile],
        began: i64,
        read: &[FoundFile],
        control: Control<'_>,
    ) -> Result<Copies, PackError> {
        let mut copies = Copies::default();
        let is_newer = |stamp: &Stamp| stamp.changed >= began.saturating_sub(CLOCK_TICK);
        let mut stamps = self.stamps(read).into_iter().flatten();
        if !self.options.secrets.mode.hides() || !stamps.any(|stamp| is_newer(&stamp)) {
            return Ok(copies);
        }
        let now = self.source_files();
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
        copies.extend(&self.secrets_of_others(&changed, control)?);
        copies.extend(&self.secrets_beside_listed(&now, control)?);
        Ok(copies)
    }

    fn secrets_around(
        &self,
        scan: &Scan,
        wide: Option<&Scan>,
        control: Control<'_>,
    ) -> Result<Copies, PackError> {
        let unread = control.unread;
        let mut copies = Copies::default();
        if !self.options.secrets.mode.hides() {
            return Ok(copies);
        }
        let (others, credentials) = match wide {
            Some(wide) => (files_beside(&wide.files, &scan.files), &wide.credentials),
            None => (Vec::new(), &scan.credentials),
        };
        copies.extend(&self.secrets_of_others(&others, control)?);
        copies.extend(&self.secrets_of_credentials(&self.source, credentials, unread));
        let work_trees: Vec<PathBuf> = self.source.outer_work_trees().into_iter().collect();
        if self.options.secrets.scope == SecretsScope::WorkTree
            && !work_trees.is_empty()
            && let Ok(on_disk) = Source::open(&work_trees)
        {
            let on_disk = self.with_source(on_disk);
            let scan = on_disk.source.scan(&on_disk.wide_options());
            copies.extend(&on_disk.secrets_of_others(&scan.files, control)?);
            let credentials = &scan.credentials;
            copies.extend(&self.secrets_of_credentials(&on_disk.source, credentials, unread));
        }
        Ok(copies)
    }

    /// Returns the secrets of all files that a survey does not scan itself: files skipped because
    /// of their contents, and files outside its scan.
    ///
    /// # Errors
    /// If the caller cancels.
    pub(crate) fn secrets_beside(
        &self,
        scan: &Scan,
        unscanned: &[FoundFile],
        control: Control<'_>,
    ) -> Result<Copies, PackError> {
        let mut copies = self.secrets_elsewhere(scan, control)?;
        if self.options.secrets.mode.hides() {
            copies.extend(&self.secrets_of_others(unscanned, control)?);
        }
        Ok(copies)
    }

    /// Lists the files of the source with their stamps, and the files whose secrets are redacted. A
    /// result stays valid while none of them changes.
    pub fn source_files(&self) -> SourceFiles {
        let began = now();
        let stamped = |options: ScanOptions| ScanOptions {
            stamps: true,
            ..options
        };
        let scan = self.listed(&stamped(self.options.scan.clone()));
        let (mut wide, mut outer) = (None, Vec::new());
        if self.options.secrets.mode.hides() {
            wide = self.wide_scan(&scan, Stamps::Taken);
            let work_trees: Vec<PathBuf> = self.source.outer_work_trees().into_iter().collect();
            if self.options.secrets.scope == SecretsScope::WorkTree
                && !work_trees.is_empty()
                && let Ok(on_disk) = Source::open(&work_trees)
            {
                let scan = on_disk.scan(&stamped(self.wide_options()));
                outer.extend(scan.files);
                outer.extend(scan.credentials);
            }
        }
        SourceFiles {
            scan,
            wide,
            outer,
            began,
        }
    }

    /// Lists all files of the work trees; `None` if `scan` already covers them.
    fn wide_scan(&self, scan: &Scan, stamps: Stamps) -> Option<Scan> {
        let covers = match self.options.secrets.scope {
            SecretsScope::WorkTree => self.source.covers_work_trees(),
            SecretsScope::Roots => true,
        };
        let is_whole = covers
            && scan.has_credentials
            && self.options.scan.filters.is_empty()
            && self.options.history.changed.is_none();
        (!is_whole).then(|| {
            self.source.scan(&ScanOptions {
                stamps: stamps == Stamps::Taken,
                ..self.wide_options()
            })
        })
    }

    fn wide_options(&self) -> ScanOptions {
        ScanOptions {
            filters: Vec::new(),
            reach: match self.options.secrets.scope {
                SecretsScope::WorkTree => Reach::WorkTree,
                SecretsScope::Roots => Reach::Named,
            },
            credentials: true,
            ..self.options.scan.clone()
        }
    }

    pub(crate) fn secrets_of_others(
        &self,
        files: &[FoundFile],
        control: Control<'_>,
    ) -> Result<Copies, PackError> {
        if files.is_empty() {
            return Ok(Copies::default());
        }
        let recall = self.recall(files);
        let all: Vec<usize> = (0..files.len()).collect();
        let reader = FileReader::new(self, &recall, control.unread);
        let known = self.secrets_of(files, &all, reader, control)?;
        recall.finish();
        Ok(known.copies)
    }

    /// Collects the secrets of credential files that ignore rules skip. Warns about an unreadable
    /// file, because copies of its secrets would be shown. The cache contains nothing about these
    /// files, because they are private.
    fn secrets_of_credentials(
        &self,
        source: &Source,
        files: &[FoundFile],
        unread: &Unread,
    ) -> Copies {
        let mut copies = Copies::default();
        let limit = self.options.learning_limit();
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
                Err(reason) => unread.warn([format!(
                    "{VISIBLE_COPIES} {} are not redacted: {reason}",
                    file.path
                )]),
            }
        }
        copies
    }

    /// Adds the secrets of a credential file. Its text is never shown, so invalid bytes are
    /// dropped.
    fn learn_credentials(&self, file: &FoundFile, bytes: Vec<u8>, copies: &mut Copies) {
        let lossy = String::from_utf8_lossy(&bytes).replace('\0', "");
        let text = loom_source::decode(bytes).map_or(lossy, |decoded| decoded.text);
        let findings = self.options.secrets.scan(&file.path, &text);
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
