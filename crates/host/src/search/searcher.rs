//! Asks queries of the files of a source, one after the other: the files are listed and
//! the index is opened once.

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
use crate::secrets::SourceFiles;
use crate::unread::Unread;
use crate::{Cancel, PackError, Packer, Progress, RepoPath};

/// Results that wait for those before them.
pub(super) const AHEAD: Lookahead = Lookahead {
    items: 256,
    weight: usize::MAX,
};
/// With fewer files to read, a second thread takes longer to start than they take.
const FEW: usize = 8;
/// Up to so many files are put into the index by the way: what takes less time than a
/// person notices.
pub(super) const BY_THE_WAY: usize = 100;

/// What is done with the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexUse {
    /// What there is of it is used, and a few new files are added.
    #[default]
    Auto,
    /// All of it is brought up to date first.
    Update,
    /// Every file is read.
    Off,
}

/// The files of a source, ready to be searched.
#[derive(Debug)]
pub struct Searcher {
    pub(crate) packer: Arc<Packer>,
    pub(crate) files: Vec<FoundFile>,
    /// What is known of each file.
    pub(super) known: Vec<IndexState>,
    pub(super) index: Index,
    location: Option<Location>,
    /// Holds the index where nothing is to be remembered.
    own: Option<Arc<TempDir>>,
    built: Option<Built>,
    pub(super) cache: QueryCache,
    /// What another look at the same files goes on with.
    pub(super) texts: Arc<TextCache>,
    pub(super) symbols: Arc<SymbolCache>,
    /// Whether the index knows every file, so that queries can be remembered.
    pub(super) is_all_known: bool,
    /// The secrets that are known in this state of the files.
    pub(super) secrets: Arc<SnapshotSecrets>,
    /// The files of this state that could not be read.
    pub(super) unread: Arc<Unread>,
}

/// What is known of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexState {
    /// Nothing.
    Nothing,
    /// It is no text.
    NoText,
    /// What the index says about its contents.
    Indexed(Place),
}

impl Searcher {
    /// Lists the files and opens the index.
    ///
    /// # Errors
    /// When a stop was asked for, or an index that was asked for cannot be written.
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
        // What has to be indexed and has no place is indexed for this once.
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
        searcher.use_index(usage, memory, progress, cancel)?;
        searcher.learn_secrets(listed, None, progress, cancel)?;
        Ok(searcher)
    }

    fn use_index(
        &mut self,
        usage: IndexUse,
        memory: Memory,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<(), PackError> {
        let Some(location) = self.location.clone() else {
            return Ok(());
        };
        self.index = Index::open(&location);
        let packer = Arc::clone(&self.packer);
        let recall = packer.recall_from(&self.files, memory);
        let contents = contents(&recall, self.files.len());
        self.look_up(&contents);
        let new = self
            .known
            .iter()
            .filter(|known| **known == IndexState::Nothing);
        let wants = match new.count() {
            0 => false,
            new => usage == IndexUse::Update || new <= BY_THE_WAY,
        };
        if !wants {
            return Ok(());
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
        // Places may be others now.
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
                // What has to be indexed is indexed for this once; else files are read.
                if usage == IndexUse::Update && self.own.is_none() {
                    self.own = tempfile::tempdir().ok().map(Arc::new);
                    let folder = self.own.as_deref().map(TempDir::path);
                    self.location = folder.map(|folder| Location::new(folder, Path::new("")));
                    return self.use_index(usage, Memory::default(), progress, cancel);
                }
            }
        }
        self.is_all_known = !self.known.contains(&IndexState::Nothing);
        Ok(())
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

    /// What the files are of.
    pub fn packer(&self) -> &Packer {
        &self.packer
    }

    /// What bringing the index up to date did, where that was done.
    pub fn built(&self) -> Option<Built> {
        self.built
    }

    /// Whether the index knows every file.
    pub fn is_whole(&self) -> bool {
        self.is_all_known
    }

    /// The files that could not be read, are too large, or changed while they were searched.
    pub fn unread(&self) -> Vec<LeftOut> {
        self.unread.all()
    }

    /// Whether the file at a path as somebody typed it could not be read or is too large.
    pub fn is_unread(&self, typed: &str) -> bool {
        let number = self.number(typed);
        number.is_some_and(|number| self.unread.has(&self.files[number].path))
    }

    pub(crate) fn noted(&self) -> &Unread {
        &self.unread
    }

    /// Warnings about limits that were met and ignore files that could not be used.
    pub fn warnings(&self) -> Vec<String> {
        self.unread.warnings()
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Does something with each of so many files, and takes the results in order.
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

    /// The files as they are now; `None` where nothing changed. Who works with these goes
    /// on with them.
    ///
    /// # Errors
    /// When a stop was asked for.
    pub fn refreshed(&self, cancel: &Cancel) -> Result<Option<Self>, PackError> {
        self.refreshed_listed(&self.packer.source_files(), cancel)
    }

    /// The same for files that were listed before.
    ///
    /// # Errors
    /// When a stop was asked for.
    pub fn refreshed_listed(
        &self,
        listed: &SourceFiles,
        cancel: &Cancel,
    ) -> Result<Option<Self>, PackError> {
        let unread = Arc::<Unread>::default();
        let (scan, memory) = self.packer.remember_listed(listed, &unread)?;
        let mut now = Self {
            packer: Arc::clone(&self.packer),
            known: vec![IndexState::Nothing; scan.files.len()],
            files: scan.files.clone(),
            index: Index::default(),
            location: self.location.clone(),
            own: self.own.clone(),
            built: None,
            cache: QueryCache::default(),
            texts: Arc::clone(&self.texts),
            symbols: Arc::clone(&self.symbols),
            is_all_known: false,
            secrets: Arc::default(),
            unread,
        };
        now.use_index(IndexUse::Auto, memory, &crate::NoProgress, cancel)?;
        now.learn_secrets(listed, Some(self), &crate::NoProgress, cancel)?;
        let is_same = self.files == now.files
            && self.known == now.known
            && now.is_all_known
            && self.known_secrets().digest() == now.known_secrets().digest();
        Ok((!is_same).then_some(now))
    }

    /// The numbers of files that can match, in the order of paths.
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

    /// Whether it is known that a file holds no secret.
    pub(super) fn is_clean(&self, number: usize) -> bool {
        let place = self.known[number].place();
        place.is_some_and(|place| self.index.holds_for(place, &self.files[number].path))
    }

    /// The secrets of a file, where anybody looks for them.
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

    /// A text as it is shown: without its secrets, where they are hidden.
    pub(super) fn without_secrets(&self, number: usize, kept: KeptText) -> KeptText {
        match self.packer.options.secrets.mode.hides() {
            true => self.without(&self.findings(number, &kept), kept),
            false => kept,
        }
    }

    /// The same, where the secrets of the text are known.
    pub(super) fn without(&self, findings: &[Finding], kept: KeptText) -> KeptText {
        if findings.is_empty() || !self.packer.options.secrets.mode.hides() {
            return kept;
        }
        let plan = Replaced::plan(&kept.text, findings, &mut Numbers::default());
        KeptText::new(redact(&kept.text, &plan))
    }

    /// Takes secrets out of the names of a file's symbols, where they are hidden.
    pub(super) fn hide_names(&self, number: usize, kept: &KeptText, symbols: &mut [Symbol]) {
        if self.packer.options.secrets.mode.hides() && !symbols.is_empty() {
            hide_names(symbols, &kept.text, &self.findings(number, kept));
        }
    }

    /// The text of a file as it was when files were last looked at, or as it is now;
    /// `None` where it is none.
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

    /// The text of a file as it is now.
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

/// The text of a file, where it is one, and the hash of its contents.
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
