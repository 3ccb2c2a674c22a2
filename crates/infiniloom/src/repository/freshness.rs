//! Decides whether the latest snapshot is still current: a quiet watch and unchanged settings files
//! prove it without a walk.

use std::time::Instant;

use loom_host::FolderWatch;

use crate::config::SettingsTexts;
use crate::session::Reader;

/// Evidence of changes to files or settings since the last listing.
#[derive(Debug, Default)]
pub(super) struct Freshness {
    /// Whether the program asks often enough that a watch is worth its walk.
    is_wanted: bool,
    watch: Option<FolderWatch>,
    /// Whether a watch was tried: directories that cannot be watched are not tried again.
    is_tried: bool,
    /// Whether a listing began and did not end: it consumed the events of the watch, and its result
    /// is lost.
    is_torn: bool,
    /// The start of the last listing. A caller that began earlier can use its result.
    looked: Option<Instant>,
    settings: Option<SettingsTexts>,
}

impl Freshness {
    /// Watches from the second listing on: the first caller need not wait for a second walk.
    pub(super) fn follow(&mut self) {
        self.is_wanted = true;
    }

    /// Returns whether the settings of a reader are still current.
    pub(super) fn has_settings(&self, reader: &Reader) -> bool {
        let is_same = || {
            self.settings
                .as_ref()
                .is_some_and(SettingsTexts::is_current)
        };
        self.is_wanted && reader.is_checked() && is_same()
    }

    pub(super) fn know_settings(&mut self, texts: SettingsTexts) {
        self.settings = Some(texts);
    }

    /// Returns whether nothing changed since the last listing, for a caller that came at `began`.
    pub(super) fn is_fresh(&self, began: Instant) -> bool {
        let is_quiet = || self.watch.as_ref().is_some_and(FolderWatch::is_quiet);
        let is_later = self.looked.is_some_and(|looked| began <= looked);
        self.is_wanted && !self.is_torn && (is_later || is_quiet())
    }

    /// Begins a listing. An existing watch reports all later changes.
    pub(super) fn begin_look(&mut self, reader: &Reader, is_repeated: bool) -> Instant {
        self.is_torn = true;
        let is_outdated = self.watch.as_ref().is_some_and(FolderWatch::is_outdated);
        if self.is_wanted && is_repeated && (!self.is_tried || is_outdated) {
            self.watch = reader.packer.watch();
            self.is_tried = true;
        }
        Instant::now()
    }

    /// Ends the listing that began at `looked`.
    pub(super) fn end_look(&mut self, looked: Instant) {
        self.is_torn = false;
        self.looked = Some(looked);
    }

    /// Returns whether to accept a watch that another thread began.
    pub(super) fn lacks_watch(&self) -> bool {
        self.is_wanted && !self.is_tried && !self.is_torn
    }

    /// Accepts a watch that was created before the listing that began at `looked`.
    pub(super) fn take_watch(&mut self, watch: Option<FolderWatch>, looked: Instant) {
        (self.watch, self.is_tried, self.looked) = (watch, true, Some(looked));
    }

    /// Discards the last listing, after a change that the watch does not report.
    pub(super) fn forget_look(&mut self) {
        self.is_torn = true;
    }

    /// Discards the watch, which covers other directories.
    pub(super) fn forget_watch(&mut self) {
        (self.watch, self.is_tried, self.looked) = (None, false, None);
    }
}
