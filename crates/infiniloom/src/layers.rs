//! The derived parts of the snapshots of one repository, and how each is built. Values depend on
//! the files and the settings; findings of a query never get here.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use loom_host::{
    Cancel, ContextBuilder, ContextRepository, KeptSyntax, LeftOut, MapBuilder, MapRepository,
    MapWanted, Packer, Run, Searcher,
};

use crate::background::Background;
use crate::work_counter::WorkCounter;
use crate::{Layer, Result};

/// The layers that the snapshots of one repository share: the newest value of each.
#[derive(Debug)]
pub(crate) struct SharedLayers {
    pub(crate) map: Arc<Background<MapLayer>>,
    pub(crate) context: Arc<Background<ContextLayer>>,
    /// Whether the search layer is built first, to know whether contents changed.
    is_search_warm: AtomicBool,
    versions: AtomicU64,
    counter: Arc<WorkCounter>,
}

/// The files with their known secrets, ready to be searched.
#[derive(Debug)]
pub(crate) struct SearchLayer {
    searcher: Searcher,
    /// The syntax of files that queries parsed.
    pub(crate) syntax: Arc<KeptSyntax>,
    /// Equal for snapshots with the same contents.
    pub(crate) version: u64,
}

/// The files as pieces of code.
#[derive(Debug)]
pub(crate) struct ContextLayer {
    pub(crate) repository: ContextRepository,
    pub(crate) remarks: Remarks,
}

/// The files with their symbols and links.
#[derive(Debug)]
pub(crate) struct MapLayer {
    pub(crate) repository: MapRepository,
    pub(crate) remarks: Remarks,
}

/// The remarks about one snapshot, which every query on it reports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remarks {
    pub(crate) unread: Vec<LeftOut>,
    pub(crate) warnings: Vec<String>,
}

impl Remarks {
    /// Collects the remarks about the files of a search.
    pub(crate) fn of_search(searcher: &Searcher) -> Self {
        Self {
            unread: searcher.unread(),
            warnings: searcher.warnings(),
        }
    }

    /// Collects the remarks of a run that built a layer.
    pub(crate) fn of_run(run: &Run) -> Self {
        Self {
            unread: run.unread(),
            warnings: run.warnings(),
        }
    }

    /// Adds the remarks of a run on the layer.
    pub(crate) fn with_run(&self, run: &Run) -> Self {
        self.with(&Self::of_run(run))
    }

    /// Adds other remarks, without duplicates.
    pub(crate) fn with(&self, others: &Self) -> Self {
        let mut remarks = self.clone();
        for left in &others.unread {
            if !remarks.unread.iter().any(|known| known.path == left.path) {
                remarks.unread.push(left.clone());
            }
        }
        remarks.unread.sort_by(|a, b| a.path.cmp(&b.path));
        for warning in &others.warnings {
            if !remarks.warnings.contains(warning) {
                remarks.warnings.push(warning.clone());
            }
        }
        remarks
    }
}

impl SharedLayers {
    pub(crate) fn new(counter: Arc<WorkCounter>) -> Arc<Self> {
        Arc::new(Self {
            counter,
            map: Background::new(),
            context: Background::new(),
            is_search_warm: AtomicBool::new(false),
            versions: AtomicU64::new(0),
        })
    }

    /// Returns layers without values. The same layers are kept warm.
    pub(crate) fn renewed(&self) -> Arc<Self> {
        let layers = Self::new(Arc::clone(&self.counter));
        layers.set_warm(Layer::Search, self.is_search_warm());
        layers.set_warm(Layer::Map, self.map.is_warm());
        layers.set_warm(Layer::Context, self.context.is_warm());
        layers
    }

    /// Cancels the builds that no caller waits for.
    pub(crate) fn release(&self) {
        for layer in Layer::ALL {
            self.set_warm(layer, false);
        }
    }

    /// Returns a version for one more snapshot.
    pub(crate) fn next_version(&self) -> u64 {
        self.versions.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Returns the counter of the work ahead of queries.
    pub(crate) fn counter(&self) -> &WorkCounter {
        &self.counter
    }

    pub(crate) fn is_search_warm(&self) -> bool {
        self.is_search_warm.load(Ordering::Relaxed)
    }

    /// Decides whether builds of a layer continue after their last caller stopped waiting.
    pub(crate) fn set_warm(&self, layer: Layer, is_warm: bool) {
        match layer {
            Layer::Search | Layer::Symbols => self.is_search_warm.store(is_warm, Ordering::Relaxed),
            Layer::Map => self.map.set_warm(is_warm),
            Layer::Context => self.context.set_warm(is_warm),
        }
    }
}

impl SearchLayer {
    pub(crate) fn new(searcher: Searcher, version: u64) -> Self {
        Self {
            searcher,
            syntax: Arc::default(),
            version,
        }
    }
}

impl Deref for SearchLayer {
    type Target = Searcher;

    fn deref(&self) -> &Searcher {
        &self.searcher
    }
}

impl ContextLayer {
    pub(crate) fn build(packer: &Packer, run: &Run, cancel: &Cancel) -> Result<Self> {
        let repository = ContextBuilder::new(packer, run, cancel).build()?;
        let remarks = Remarks::of_run(run);
        Ok(Self {
            repository,
            remarks,
        })
    }
}

impl MapLayer {
    pub(crate) fn build(
        packer: &Packer,
        wanted: &MapWanted,
        run: &Run,
        cancel: &Cancel,
    ) -> Result<Self> {
        let repository = MapBuilder::new(packer, run, cancel).build(wanted)?;
        let remarks = Remarks::of_run(run);
        Ok(Self {
            repository,
            remarks,
        })
    }
}
