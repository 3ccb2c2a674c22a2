//! Runs several queries on the files of a source, which are listed once, with an index that is
//! opened once.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use loom_base::ContentHash;
use loom_lookup::{Keep, KeptText, QueryCache, SearchFiles, SymbolCache, TextCache, hide_names};
use loom_search::Candidates;
use loom_secrets::{Finding, Numbers, Replaced, redact};
use loom_source::{FoundFile, LeftOut, Reason};
use loom_syntax::{Language, Symbol};
use tempfile::TempDir;

use super::freshness::{NO_TEXT, contents};
use super::index::{Built, Index, IndexUpdate, Location, Place};
use super::snapshot_secrets::SnapshotSecrets;
use crate::cache::Memory;
use crate::control::Control;
use crate::ordered::{Lookahead, ordered};
use crate::reading::FileReader;
use crate::source_files::SourceFiles;
use crate::unread::Unread;
use crate::{Cancel, PackError, Packer, Progress, RepoPath};

/// Limits results that wait for earlier ones.
pub(super) const AHEAD: Lookahead = Lookahead {
    items: 256,
    weight: usize::MAX,
};
/// Maximum number of files that are processed on one thread: starting a second one takes longer.
const FEW: usize = 8;
/// Maximum number of new files that are indexed without a request, so few that a user does not
/// notice the time.
pub(super) const BY_THE_WAY: usize = 100;

/// Use of the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexUse {
    /// Uses the existing index and adds a few new files.
    #[default]
    Auto,
    /// Updates the whole index first.
    Update,
    /// Reads every file.
    Off,
}

/// The files of a source, ready for searching.
#[derive(Debug)]
pub struct Searcher {
    pub(crate) packer: Arc<Packer>,
    pub(crate) files: Vec<FoundFile>,
    /// Knowledge about each file.
    pub(super) known: Vec<IndexState>,
    pub(super) index: Index,
    pub(super) location: Option<Location>,
    /// Temporary directory of the index, if it cannot be stored.
    pub(super) own: Option<Arc<TempDir>>,
    pub(super) built: Option<Built>,
    pub(super) cache: QueryCache,
    /// Texts that later searchers for these files reuse.
    pub(super) texts: Arc<TextCache>,
    pub(super) symbols: Arc<SymbolCache>,
    /// True if the index covers every file, so that query results can be cached.
    pub(super) is_all_known: bool,
    /// Known secrets of this snapshot.
    pub(super) secrets: Arc<SnapshotSecrets>,
    /// Unreadable files of this snapshot.
    pub(super) unread: Arc<Unread>,
}

/// Knowledge about a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexState {
    /// The file is not indexed.
    Nothing,
    /// The file is not text.
    NoText,
    /// Position of its contents in the index.
    Indexed(Place),
}

impl Searcher {
    /// Lists the files and opens the index.
    ///
    /// # Errors
    /// If the caller cancels, or the git data to select changed files is not available.
    pub fn open(
        packer: Arc<Packer>,
        usage: IndexUse,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Self, PackError> {
        let files = packer.source_files();
        Self::open_listed(packer, &files, usage, progress, cancel)
    }

    /// The same for files that were listed before.
    ///
    /// # Errors
    /// As [`Searcher::open`].
    pub fn open_listed(
        packer: Arc<Packer>,
        listed: &SourceFiles,
        usage: IndexUse,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Self, PackError> {
        let unread = Arc::<Unread>::default();
        let (scan, memory) = packer.remember_listed(listed, &unread)?;
        let files = scan.files.clone();
        let location = match usage {
            IndexUse::Off => None,
            IndexUse::Auto | IndexUse::Update => Location::of(&packer),
        };
        // A required index without a directory is built in a temporary one.
        let own = match (usage, &location) {
            (IndexUse::Update, None) => tempfile::tempdir().ok().map(Arc::new),
            _ => None,
        };
        let location = location.or_else(|| {
            let folder = own.as_deref()?.path();
            Some(Location::new(folder, Path::new("")))
        });
        let mut searcher = Self {
            packer,
            known: vec![IndexState::Nothing; files.len()],
            files,
            index: Index::default(),
            location,
            own,
            built: None,
            cache: QueryCache::default(),
            texts: Arc::default(),
            symbols: Arc::default(),
            is_all_known: false,
            secrets: Arc::default(),
            unread,
        };
        let read = searcher.use_index(usage, memory, progress, cancel)?;
        searcher.learn_secrets(&read, listed, None, progress, cancel)?;
        Ok(searcher)
    }

    /// Opens the index and updates it. Returns the numbers of the files whose contents were unknown
    /// by their stamps: they are read after the listing.
    pub(super) fn use_index(
        &mut self,
        usage: IndexUse,
        memory: Memory,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Vec<usize>, PackError> {
        let Some(location) = self.location.clone() else {
            return Ok(self.unknown());
        };
        self.index = Index::open(&location);
        let packer = Arc::clone(&self.packer);
        let recall = packer.recall_from(&self.files, memory);
        let contents = contents(&recall, self.files.len());
        self.look_up(&contents);
        let unknown = self.unknown();
        if !wants_update(usage, unknown.len()) {
            return Ok(unknown);
        }
        let unread = Arc::clone(&self.unread);
        let control = Control {
            progress,
            cancel,
            unread: &unread,
        };
        let index = std::mem::take(&mut self.index);
        let update = IndexUpdate::begin(&packer, index, location, &contents);
        let reader = FileReader::new(&packer, &recall, &unread);
        update.read_all(reader, &self.files, &contents, control);
        recall.finish();
        control.check()?;
        let updated = update.finish(&contents);
        self.index = updated.index;
        // The update may have moved contents to other segments.
        self.look_up(&contents);
        match updated.built {
            Ok(built) => {
                self.built = Some(built);
                for (at, hash) in updated.read {
                    self.known[at] = self.known_by(hash);
                }
            }
            Err(error) => {
                packer.cache_failed(&error);
                // A required index is built in a temporary directory; otherwise the files are read.
                if usage == IndexUse::Update && self.own.is_none() {
                    self.use_temporary_index();
                    return self.use_index(usage, Memory::default(), progress, cancel);
                }
            }
        }
        self.is_all_known = !self.known.contains(&IndexState::Nothing);
        Ok(unknown)
    }

    /// Returns the numbers of the files that the index does not know.
    fn unknown(&self) -> Vec<usize> {
        let numbers = 0..self.known.len();
        numbers
            .filter(|at| self.known[*at] == IndexState::Nothing)
            .collect()
    }

    pub(super) fn use_temporary_index(&mut self) {
        self.own = tempfile::tempdir().ok().map(Arc::new);
        let folder = self.own.as_deref().map(TempDir::path);
        self.location = folder.map(|folder| Location::new(folder, Path::new("")));
    }

    fn look_up(&mut self, contents: &[Option<ContentHash>]) {
        for (at, hash) in contents.iter().enumerate() {
            self.known[at] = hash.map_or(IndexState::Nothing, |hash| self.known_by(hash));
        }
        self.is_all_known = !self.known.contains(&IndexState::Nothing);
    }

    fn known_by(&self, hash: ContentHash) -> IndexState {
        match self.index.place(&hash) {
            _ if hash == NO_TEXT => IndexState::NoText,
            Some(place) => IndexState::Indexed(place),
            None => IndexState::Nothing,
        }
    }

    /// Returns the packer of the source.
    pub fn packer(&self) -> &Packer {
        &self.packer
    }

    /// Returns the result of the index update, if there was one.
    pub fn built(&self) -> Option<Built> {
        self.built
    }

    /// Returns true if the index covers every file.
    pub fn is_whole(&self) -> bool {
        self.is_all_known
    }

    /// Returns the files that are unreadable or too large, or that changed during a search.
    pub fn unread(&self) -> Vec<LeftOut> {
        self.unread.all()
    }

    /// Returns true if the file at a path that the user typed is unreadable or too large.
    pub fn is_unread(&self, typed: &str) -> bool {
        let number = self.number(typed);
        number.is_some_and(|number| self.unread.has(&self.files[number].path))
    }

    pub(crate) fn noted(&self) -> &Unread {
        &self.unread
    }

    /// Returns warnings about exceeded limits and unusable ignore files.
    pub fn warnings(&self) -> Vec<String> {
        self.unread.warnings()
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns true if there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Calls `work` for each number below `count`, and `take` with the results in order.
    pub(super) fn each<R: Send>(
        &self,
        count: usize,
        cancel: &Cancel,
        work: impl Fn(usize) -> R + Sync,
        mut take: impl FnMut(usize, R) -> ControlFlow<()>,
    ) -> Result<(), PackError> {
        let threads = match count {
            0..=FEW => 1,
            _ => self.packer.options.thread_count(),
        };
        let take = |at: usize, result: R| match cancel.is_cancelled() {
            true => ControlFlow::Break(()),
            false => take(at, result),
        };
        ordered(count, threads, AHEAD, |_| 1, work, take);
        match cancel.is_cancelled() {
            true => Err(PackError::Cancelled),
            false => Ok(()),
        }
    }

    /// Returns the numbers of files that can match, ordered by path.
    pub(super) fn candidates(&self, candidates: &Candidates) -> Vec<u32> {
        let flags = self.index.candidates(candidates);
        let may_match = |known: &IndexState| match *known {
            IndexState::Nothing => true,
            IndexState::NoText => false,
            IndexState::Indexed(place) => flags[place.segment as usize][place.content as usize],
        };
        let numbers = self.known.iter().enumerate();
        let numbers = numbers.filter(|(_, known)| may_match(known));
        let mut found: Vec<u32> = numbers.map(|(number, _)| number as u32).collect();
        self.texts.retain(candidates, &mut found, |number| {
            let place = self.known[*number as usize].place()?;
            let is_always = self.index.is_always(place);
            is_always.then(|| self.index.hash(place)).flatten()
        });
        found
    }

    /// Returns true if a file is known to contain no secret.
    pub(super) fn is_clean(&self, number: usize) -> bool {
        let place = self.known[number].place();
        place.is_some_and(|place| self.index.holds_for(place, &self.files[number].path))
    }

    /// Returns the secrets of a file, unless scanning is off.
    pub(super) fn findings(&self, number: usize, kept: &KeptText) -> Vec<Finding> {
        let secrets = &self.packer.options.secrets;
        if !secrets.mode.looks() {
            return Vec::new();
        }
        let path = &self.files[number].path;
        let is_clean = kept.is_indexed && secrets.is_usual() && self.is_clean(number);
        let findings = match is_clean {
            true => Vec::new(),
            false => secrets.scan(path, &kept.text),
        };
        self.with_copies(path, &kept.text, findings)
    }

    /// Redacts a text if the mode hides secrets.
    pub(super) fn without_secrets(&self, number: usize, kept: KeptText) -> KeptText {
        match self.packer.options.secrets.mode.hides() {
            true => self.without(&self.findings(number, &kept), kept),
            false => kept,
        }
    }

    /// Redacts `findings` in a text if the mode hides secrets.
    pub(super) fn without(&self, findings: &[Finding], kept: KeptText) -> KeptText {
        if findings.is_empty() || !self.packer.options.secrets.mode.hides() {
            return kept;
        }
        let plan = Replaced::plan(&kept.text, findings, &mut Numbers::default());
        KeptText::new(redact(&kept.text, &plan))
    }

    /// Redacts the names of a file's symbols if the mode hides secrets.
    pub(super) fn hide_names(&self, number: usize, kept: &KeptText, symbols: &mut [Symbol]) {
        if self.packer.options.secrets.mode.hides() && !symbols.is_empty() {
            hide_names(symbols, &kept.text, &self.findings(number, kept));
        }
    }

    /// Returns the text of a file from the cache or from disk; `None` if it has none.
    pub(super) fn text(&self, number: usize, keep: Keep) -> Option<KeptText> {
        let found = &self.files[number];
        let place = self.known[number].place();
        let hash = place.and_then(|place| self.index.hash(place));
        if let Some(hash) = hash
            && let Some(mut kept) = self.texts.get(&hash)
        {
            self.packer.options.shorten.excludes(&found.path).ok()?;
            if place.is_some_and(|place| self.index.is_always(place)) {
                self.texts.sift(&hash, &mut kept);
            }
            return Some(kept);
        }
        let kept = self.read(number)?;
        if let Some(hash) = hash.filter(|_| keep == Keep::Yes && kept.is_indexed) {
            self.texts.put(hash, &kept);
        }
        Some(kept)
    }

    /// Reads the current text of a file.
    pub(super) fn read(&self, number: usize) -> Option<KeptText> {
        let place = self.known[number].place();
        let hash = place.and_then(|place| self.index.hash(place));
        let (text, read) = search_text(&self.packer, &self.unread, &self.files[number])?;
        if !self.is_known_version(number, read) {
            self.unread.note(&self.files[number], &Reason::KeptChanging);
            return None;
        }
        Some(KeptText {
            is_indexed: hash == Some(read),
            ..KeptText::new(text)
        })
    }
}

impl SearchFiles for Searcher {
    fn path(&self, number: usize) -> &RepoPath {
        &self.files[number].path
    }

    fn text(&self, number: usize, keep: Keep) -> Option<KeptText> {
        self.text(number, keep)
    }

    fn findings(&self, number: usize, kept: &KeptText) -> Vec<Finding> {
        self.findings(number, kept)
    }

    fn without_secrets(&self, number: usize, kept: KeptText) -> KeptText {
        self.without_secrets(number, kept)
    }

    fn hide_names(&self, number: usize, kept: &KeptText, symbols: &mut [Symbol]) {
        self.hide_names(number, kept, symbols);
    }

    fn hides(&self) -> bool {
        self.packer.options.secrets.mode.hides()
    }

    fn symbols(&self, language: Language, text: &str) -> Vec<Symbol> {
        let limits = self.packer.options.parse_limits();
        self.packer.extract(language, text, &limits).symbols
    }
}

impl IndexState {
    pub(super) fn place(self) -> Option<Place> {
        match self {
            Self::Indexed(place) => Some(place),
            Self::Nothing | Self::NoText => None,
        }
    }
}

/// Reads the text of a file and the hash of its contents; `None` if it is not text.
pub(crate) fn search_text(
    packer: &Packer,
    unread: &Unread,
    found: &FoundFile,
) -> Option<(String, ContentHash)> {
    packer.options.shorten.excludes(&found.path).ok()?;
    let text = FileReader::uncached(packer, unread).file(found, 0).read();
    let text = text.inspect_err(|reason| unread.note(found, reason)).ok()?;
    let hash = text.hash();
    Some((text.into_text(), hash))
}

/// Returns true if this number of new contents is to be added to the index.
fn wants_update(usage: IndexUse, new: usize) -> bool {
    match new {
        0 => false,
        new => usage == IndexUse::Update || new <= BY_THE_WAY,
    }
}
