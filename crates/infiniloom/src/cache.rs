//! The cache of derived data: its size, its check and its removal.

use std::path::{Path, PathBuf};

use loom_host::{
    Stats, Store, StoreOptions, cache_options, remove_search_index, search_index_bytes,
    verify_search_index,
};
use loom_wire::{CacheRemovedInfo, CacheVerifiedInfo, FORMAT_VERSION, StoreInfo};

use crate::config::{Cache, Engine};
use crate::error::ErrorKind;
use crate::{Error, Infiniloom, Result, results};

impl Infiniloom {
    /// Returns the directory of the cache. It may not exist yet.
    ///
    /// # Errors
    /// If the engine has no cache, or no directory is known for it.
    pub fn cache_directory(&self) -> Result<PathBuf> {
        Ok(Location::find(self.engine())?.directory)
    }

    /// Returns the size of the cache and its contents. An empty cache is valid.
    ///
    /// # Errors
    /// If the engine has no cache, or the cache cannot be read.
    pub fn cache_stats(&self) -> Result<StoreInfo> {
        let location = Location::find(self.engine())?;
        let stats = match location.open()? {
            Some(store) => store.stats().ok_or_else(|| broken(&store))?,
            None => Stats::default(),
        };
        let limit = location.options.limit;
        Ok(results::cache::info(&location.directory, &stats, limit))
    }

    /// Checks every value of the cache and the search index, and removes the wrong ones.
    ///
    /// # Errors
    /// If the engine has no cache, or the cache cannot be read or changed.
    pub fn verify_cache(&self) -> Result<CacheVerifiedInfo> {
        let location = Location::find(self.engine())?;
        let index = verify_search_index(&location.directory).map_err(|error| {
            let directory = location.directory.display();
            Error::io(format!("cannot remove from {directory}"), error)
        })?;
        let mut info = CacheVerifiedInfo {
            format_version: FORMAT_VERSION,
            folder: location.directory.display().to_string(),
            has_store: false,
            was_broken: false,
            values: 0,
            wrong_values: 0,
            index_files: index.files,
            wrong_index_files: index.wrong,
        };
        if let Some(store) = location.open()? {
            let verified = store.verify().ok_or_else(|| broken(&store))?;
            info.has_store = true;
            info.was_broken = verified.was_broken;
            info.values = verified.values;
            info.wrong_values = verified.wrong;
        }
        Ok(info)
    }

    /// Removes the least recently used data until at most `bytes` remain. Without a number, the
    /// limit of the settings applies.
    ///
    /// # Errors
    /// If the engine has no cache, or the cache cannot be changed.
    pub fn prune_cache(&self, bytes: Option<u64>) -> Result<CacheRemovedInfo> {
        let location = Location::find(self.engine())?;
        let limit = bytes.unwrap_or(location.options.limit);
        // The search index is one piece: it is removed if it exceeds the limit.
        let mut index_bytes = search_index_bytes(&location.directory);
        let mut freed = location.remove(Store::remove_earlier)?;
        if index_bytes > limit {
            freed += location.remove(remove_search_index)?;
            index_bytes = 0;
        }
        let mut contents = 0;
        if let Some(store) = location.open()? {
            let pruned = store.prune(limit - index_bytes);
            if store.trouble().is_some() {
                return Err(broken(&store));
            }
            contents = pruned.contents;
            freed += pruned.bytes;
        }
        Ok(location.removed(Some(contents), freed))
    }

    /// Removes the whole cache. Later runs rebuild it.
    ///
    /// # Errors
    /// If the engine has no cache, or a file cannot be removed.
    pub fn clean_cache(&self) -> Result<CacheRemovedInfo> {
        let location = Location::find(self.engine())?;
        let freed = location.remove(Store::remove)? + location.remove(remove_search_index)?;
        Ok(location.removed(None, freed))
    }
}

/// The directory of a cache, and the options of its store.
struct Location {
    directory: PathBuf,
    options: StoreOptions,
}

impl Location {
    fn find(engine: &Engine) -> Result<Self> {
        let mut settings = engine.settings.settings().clone();
        // The settings may disable a cache that exists.
        settings.cache.enabled = true;
        let options = cache_options(&settings);
        let directory = match &engine.cache {
            Cache::Off => None,
            Cache::Directory(directory) => Some(directory.clone()),
            Cache::User => match options.as_ref().and_then(|options| options.folder.clone()) {
                Some(directory) => Some(directory),
                None => return Err(Error::no_cache_directory()),
            },
        };
        let directory = directory.ok_or_else(|| {
            Error::invalid("no_cache", "the engine has no cache")
                .with_hint("build the engine with a cache".to_owned())
        })?;
        Ok(Self {
            directory,
            options: options.map_or_else(StoreOptions::default, |options| options.store),
        })
    }

    /// Opens the store. Returns `None` if the database does not exist.
    fn open(&self) -> Result<Option<Store>> {
        if !Store::file_in(&self.directory).exists() {
            return Ok(None);
        }
        let opened = Store::open(&self.directory, self.options);
        opened
            .map(Some)
            .map_err(|error| Error::with_cause(ErrorKind::Unavailable, "unusable_cache", error))
    }

    fn remove(&self, remove: impl FnOnce(&Path) -> std::io::Result<u64>) -> Result<u64> {
        remove(&self.directory).map_err(|error| {
            let directory = self.directory.display();
            Error::io(format!("cannot remove {directory}"), error)
        })
    }

    fn removed(&self, contents: Option<usize>, bytes: u64) -> CacheRemovedInfo {
        CacheRemovedInfo {
            format_version: FORMAT_VERSION,
            folder: self.directory.display().to_string(),
            contents,
            bytes,
        }
    }
}

fn broken(store: &Store) -> Error {
    let reason = store
        .trouble()
        .unwrap_or_else(|| "no reason is known".to_owned());
    let message = format!("the store cannot be used: {reason}");
    Error::with_message(ErrorKind::Unavailable, "unusable_cache", message)
        .with_hint("clean the cache; nothing but time is lost".to_owned())
}
