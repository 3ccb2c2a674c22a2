//! Compares the index with the working tree. Like git, it reads only files whose size or times
//! differ from the index.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZero;

use gix::ObjectId;
use gix::index::entry::{Flags, Mode, Stat};
use gix::index::{Entry, State};
use loom_base::RepoPath;

use super::{History, VersionKind};
use crate::native;

/// Settings for comparing the working tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trust {
    pub(super) stat: gix::index::entry::stat::Options,
    /// True if the executable bit is meaningful.
    pub(super) executable_bit: bool,
}

/// An entry of the index whose file may have changed.
pub(super) struct Suspect {
    /// Index of the entry.
    pub(super) at: usize,
    pub(super) path: RepoPath,
    pub(super) found: Option<WorkTreeFile>,
}

/// A file in the working tree.
pub(super) struct WorkTreeFile {
    pub(super) kind: VersionKind,
    /// Hash of its unconverted bytes.
    pub(super) raw: Option<ObjectId>,
}

/// Caches whether the directory of the last file is real, with no link on its path. Files of one
/// directory are adjacent in the index.
#[derive(Default)]
struct ParentDirCheck {
    folder: Option<RepoPath>,
    is_plain: bool,
}

impl ParentDirCheck {
    fn is_plain(&mut self, history: &History, path: &RepoPath) -> bool {
        let folder = path.parent();
        if folder != self.folder || folder.is_none() {
            let mut above = std::iter::successors(folder.clone(), RepoPath::parent);
            let is_folder = |path: RepoPath| {
                let meta = history.on_disk(&path).symlink_metadata();
                path.is_root() || meta.is_ok_and(|meta| meta.is_dir())
            };
            self.is_plain = above.all(is_folder);
            self.folder = folder;
        }
        self.is_plain
    }
}

/// More threads would only wait for the disk.
const MOST_THREADS: usize = 8;

impl History {
    /// Returns the entries that may have changed, in the order of the index.
    pub(super) fn suspects(&self, index: &State, trust: Trust) -> Vec<Suspect> {
        let count = index.entries().len();
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = cores.min(MOST_THREADS).min(count / 1000 + 1);
        let size = count.div_ceil(threads).max(1);
        let part = |start: usize| {
            let end = (start + size).min(count);
            let mut parent = ParentDirCheck::default();
            let check = |at| self.suspect(index, at, trust, &mut parent);
            (start..end).filter_map(check).collect::<Vec<_>>()
        };
        std::thread::scope(|scope| {
            let starts = (0..count).step_by(size);
            let workers: Vec<_> = starts
                .map(|start| scope.spawn(move || part(start)))
                .collect();
            let joined = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_default());
            joined.flatten().collect()
        })
    }

    fn suspect(
        &self,
        index: &State,
        at: usize,
        trust: Trust,
        parent: &mut ParentDirCheck,
    ) -> Option<Suspect> {
        let entry = &index.entries()[at];
        let untouched = Flags::SKIP_WORKTREE | Flags::ASSUME_VALID;
        let kind = VersionKind::of_index(entry.mode)?;
        // A submodule compares its own files.
        if entry.flags.intersects(untouched) || kind == VersionKind::Submodule {
            return None;
        }
        let is_first = at == 0 || index.entries()[at - 1].path(index) != entry.path(index);
        let path = RepoPath::new(entry.path(index)).ok().filter(|_| is_first)?;
        let meta = gix::index::fs::Metadata::from_path_no_follow(&self.on_disk(&path)).ok();
        let meta = meta.filter(|_| parent.is_plain(self, &path));
        let Some(found) = meta.as_ref().and_then(|meta| self.kind(meta, entry, trust)) else {
            return Some(Suspect {
                at,
                path,
                found: None,
            });
        };
        let stat = meta.and_then(|meta| Stat::from_fs(&meta).ok());
        let is_settled = entry.stage_raw() == 0 && !entry.flags.contains(Flags::INTENT_TO_ADD);
        let is_same = |stat: Stat| {
            entry.stat.matches(&stat, trust.stat)
                && !entry.stat.is_racy(index.timestamp(), trust.stat)
        };
        if is_settled && found == kind && stat.is_some_and(is_same) {
            return None;
        }
        let raw = self.raw_hash(&path, found, entry.id.kind());
        if is_settled && found == kind && raw == Some(entry.id) {
            return None;
        }
        let found = Some(WorkTreeFile { kind: found, raw });
        Some(Suspect { at, path, found })
    }

    fn kind(
        &self,
        meta: &gix::index::fs::Metadata,
        entry: &Entry,
        trust: Trust,
    ) -> Option<VersionKind> {
        let is_executable = match trust.executable_bit {
            true => meta.is_executable(),
            false => entry.mode == Mode::FILE_EXECUTABLE,
        };
        match (meta.is_symlink(), meta.is_file()) {
            (true, _) => Some(VersionKind::Link),
            (false, true) if is_executable => Some(VersionKind::Executable),
            (false, true) => Some(VersionKind::Plain),
            (false, false) => None,
        }
    }

    /// Hashes a file of any size in pieces, without conversion.
    pub(super) fn raw_hash(
        &self,
        path: &RepoPath,
        kind: VersionKind,
        hash: gix::hash::Kind,
    ) -> Option<ObjectId> {
        if kind == VersionKind::Link {
            let target = self.link_target(path).ok()?;
            return gix::objs::compute_hash(hash, gix::objs::Kind::Blob, &target).ok();
        }
        let file = self.beneath()?.file(path).ok()?;
        let length = file
            .metadata()
            .ok()
            .filter(std::fs::Metadata::is_file)?
            .len();
        hash_of(file, length, hash)
    }

    /// Returns the target of a link in the bytes that git stores.
    pub(super) fn link_target(&self, path: &RepoPath) -> io::Result<Vec<u8>> {
        let target = std::fs::read_link(self.on_disk(path))?;
        Ok(native::name_bytes(target.as_os_str()))
    }
}

fn hash_of(file: File, length: u64, hash: gix::hash::Kind) -> Option<ObjectId> {
    let header = gix::objs::encode::loose_header(gix::objs::Kind::Blob, length);
    let mut hasher = gix::hash::hasher(hash);
    hasher.update(&header);
    let mut piece = vec![0; 1 << 16];
    let mut rest = file.take(length);
    loop {
        match rest.read(&mut piece).ok()? {
            0 => break,
            read => hasher.update(&piece[..read]),
        }
    }
    hasher.try_finalize().ok().filter(|_| rest.limit() == 0)
}
