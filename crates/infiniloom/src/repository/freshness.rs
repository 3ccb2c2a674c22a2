//! Whether the latest snapshot is still right: a quiet watch and unchanged settings files say
//! so without a walk.

use std::time::Instant;

use loom_host::FolderWatch;

use crate::config::SettingsTexts;
use crate::session::Reader;

/// Tells whether files or settings changed since the last look.
#[derive(Debug, Default)]
pub(super) struct Freshness {
    /// Whether a program asks so often that a watch is worth its walk.
    is_wanted: bool,
    watch: Option<FolderWatch>,
    /// Whether a watch was tried: directories that cannot be watched are not tried again.
    is_tried: bool,
    /// Whether a look began and did not end: the watch was asked, and its answer is lost.
    is_torn: bool,
    /// A caller that began before this sees all that was there then.
    looked: Option<Instant>,
    settings: Option<SettingsTexts>,
}

impl Freshness {
    /// Watches from the second look on: the first caller need not wait for a second walk.
    pub(super) fn follow(&mut self) {
        self.is_wanted = true;
    }

    /// Returns whether the settings of a reader are still right.
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

    /// Returns whether nothing changed since the last look, for a caller that came at `began`.
    pub(super) fn is_fresh(&self, began: Instant) -> bool {
        let is_quiet = || self.watch.as_ref().is_some_and(FolderWatch::is_quiet);
        let is_later = self.looked.is_some_and(|looked| began <= looked);
        self.is_wanted && !self.is_torn && (is_later || is_quiet())
    }

    /// Begins a look. A watch that is there before reports all later changes.
    pub(super) fn begin_look(&mut self, reader: &Reader, is_repeated: bool) -> Instant {
        self.is_torn = true;
        let is_outdated = self.watch.as_ref().is_some_and(FolderWatch::is_outdated);
        if self.is_wanted && is_repeated && (!self.is_tried || is_outdated) {
            self.watch = reader.packer.watch();
            self.is_tried = true;
        }
        Instant::now()
    }

    /// Ends the look that began at `looked`.
    pub(super) fn end_look(&mut self, looked: Instant) {
        self.is_torn = false;
        self.looked = Some(looked);
    }

    /// Returns whether a watch that was begun outside may be taken.
    pub(super) fn lacks_watch(&self) -> bool {
        self.is_wanted && !self.is_tried && !self.is_torn
    }

    /// Takes a watch that was there before the look that began at `looked`.
    pub(super) fn take_watch(&mut self, watch: Option<FolderWatch>, looked: Instant) {
        (self.watch, self.is_tried, self.looked) = (watch, true, Some(looked));
    }

    /// Forgets the last look: a change was made that no watch sees.
    pub(super) fn forget_look(&mut self) {
        self.is_torn = true;
    }

    /// Forgets the watch: it is over other directories.
    pub(super) fn forget_watch(&mut self) {
        (self.watch, self.is_tried, self.looked) = (None, false, None);
    }
}
