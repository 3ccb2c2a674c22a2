//! Work ahead of queries: a thread brings the cache up to date, and builds the layers that are
//! kept warm.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use loom_host::{IndexOptions, Packer, Run, update_index};

use super::Shared;
use super::indexing::Indexing;
use crate::snapshot::{Listing, Snapshot};
use crate::work_counter::WorkCounter;
use crate::{Cancel, Control, Layer};

/// Delay before the cache is updated, so that the first queries have the machine for themselves.
const QUIET: Duration = Duration::from_secs(1);

/// Maximum number of files to read ahead at once, so that a change is noticed soon.
const AT_ONCE: usize = 500;

/// The layers that are kept warm.
#[derive(Debug)]
pub(super) struct Warmth {
    pub(super) indexing: Indexing,
    warm_layers: Mutex<WarmLayers>,
}

#[derive(Debug, Default)]
struct WarmLayers {
    layers: BTreeSet<Layer>,
    /// Ends the thread. Another reader gets another thread.
    stop: Option<Cancel>,
    is_over: bool,
}

impl Warmth {
    /// Reports its work to a counter.
    pub(super) fn new(counter: Arc<WorkCounter>) -> Self {
        Self {
            indexing: Indexing::new(counter),
            warm_layers: Mutex::default(),
        }
    }

    fn warm_layers(&self) -> MutexGuard<'_, WarmLayers> {
        self.warm_layers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Adds layers to those that are kept warm.
    pub(super) fn keep_warm(self: &Arc<Self>, layers: Vec<Layer>) {
        let mut latest = self.latest();
        latest.freshness.follow();
        for layer in &layers {
            latest.layers.set_warm(*layer, true);
        }
        latest.layers.set_warm(Layer::Search, true);
        drop(latest);
        let mut warm_layers = self.warmth.warm_layers();
        warm_layers.layers.extend(layers);
        if warm_layers.stop.is_none() && !warm_layers.is_over {
            self.start(&mut warm_layers);
        }
    }

    /// Starts the same work for a new reader.
    pub(super) fn warm_again(self: &Arc<Self>) {
        let mut warm_layers = self.warmth.warm_layers();
        let Some(stop) = warm_layers.stop.take() else {
            return;
        };
        stop.cancel();
        self.start(&mut warm_layers);
    }

    /// Ends the work in the background.
    pub(super) fn stop(&self) {
        let mut warm_layers = self.warmth.warm_layers();
        warm_layers.is_over = true;
        if let Some(stop) = warm_layers.stop.take() {
            stop.cancel();
        }
        drop(warm_layers);
        self.latest().layers.release();
    }

    fn start(self: &Arc<Self>, warm_layers: &mut WarmLayers) {
        let cancel = Cancel::new();
        warm_layers.stop = Some(cancel.clone());
        self.warmth.indexing.begin_building();
        let control = Control::new().with_cancel(&cancel);
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            // If the build panics, callers must not wait for its index.
            let done = control.run(|| {
                shared.work_ahead(&control);
                Ok(())
            });
            if done.is_err() && control.check().is_ok() {
                shared.warmth.indexing.end(true);
            }
        });
    }

    /// Works ahead of queries. It ignores errors: the first query meets and reports the same one.
    fn work_ahead(self: &Arc<Self>, control: &Control) {
        // If the index already has every file, callers need not wait.
        let is_whole = self.has_whole_index(control);
        let packer = Arc::clone(&self.latest().reader.packer);
        if is_whole {
            self.end_index(&packer, false);
            self.watch_ahead(control);
            self.build_ahead(control);
            std::thread::sleep(QUIET);
        }
        if packer.options().cache.is_some() {
            // Without an index, queries read the files: slower, with the same results.
            let _ = update_index(
                &packer,
                &IndexOptions::default(),
                &Run::new(),
                self.warmth.indexing.counter(),
                &control.token(),
            );
        }
        if !is_whole {
            self.end_index(&packer, true);
            self.build_ahead(control);
        }
        while self.read_ahead(control) {}
    }

    fn has_whole_index(self: &Arc<Self>, control: &Control) -> bool {
        let Ok(snapshot) = control.run(|| self.refresh(control)) else {
            return false;
        };
        let is_built = snapshot.build(Layer::Search, control).is_ok();
        let search = snapshot.search_layer().filter(|_| is_built);
        search.is_some_and(|search| search.is_whole())
    }

    /// Marks the index of the files of `packer` as built.
    fn end_index(&self, packer: &Arc<Packer>, is_new: bool) {
        let latest = self.latest();
        if Arc::ptr_eq(packer, &latest.reader.packer) {
            self.warmth.indexing.end(is_new);
        }
    }

    /// Watches the files, and lists them once more, because the watch does not report changes from
    /// before it began. Callers do not wait for this.
    pub(super) fn watch_ahead(&self, control: &Control) {
        let latest = self.latest();
        let (reader, known) = (latest.reader.clone(), latest.snapshot.clone());
        drop(latest);
        let Some(known) = known else {
            return;
        };
        let watch = reader.packer.watch();
        let began = Instant::now();
        let listing = Listing::new(&reader);
        let mut latest = self.latest();
        let is_same = |latest: &Snapshot| latest.is_same(&known);
        // Another caller listed the files in the meantime.
        if control.check().is_err()
            || !latest.snapshot.as_ref().is_some_and(is_same)
            || !latest.freshness.lacks_watch()
        {
            return;
        }
        latest.freshness.take_watch(watch, began);
        if listing.id != known.id() {
            latest.replace(listing);
        }
    }

    /// Builds the layers that are kept warm, one after the other.
    fn build_ahead(self: &Arc<Self>, control: &Control) {
        let layers = self.warmth.warm_layers().layers.clone();
        // Queries usually need contexts first.
        for layer in [Layer::Context, Layer::Map] {
            if layers.contains(&layer)
                && let Ok(snapshot) = control.run(|| self.refresh(control))
            {
                let _ = snapshot.build(layer, control);
            }
        }
    }

    /// Reads texts that queries will need. Returns whether more remain.
    fn read_ahead(&self, control: &Control) -> bool {
        let snapshot = self.latest().snapshot.clone();
        let search = snapshot.and_then(|snapshot| snapshot.search_layer());
        search.is_some_and(|search| search.warm(AT_ONCE, 1, &control.token()))
    }
}
