//! The last commits in the order of `git log`: the newest first, and commits of the same second in
//! the order of discovery. Reads no more than requested.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use gix::ObjectId;
use gix::objs::CommitRef;

use super::{Change, History, HistoryError, trees};
use crate::objects::{Commit, ObjectsError, find};

/// One commit.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// Its hash.
    pub id: ObjectId,
    /// Hashes of its parents; several for a merge.
    pub parents: Vec<ObjectId>,
    /// The name of its author, on one line.
    pub author: String,
    /// Commit date in the committer's time zone; `None` if it is invalid.
    pub date: Option<String>,
    /// Commit date in seconds since 1970.
    pub seconds: Option<i64>,
    /// Its message, decoded.
    pub message: String,
    /// True if the clone is shallow here, so that the changes are unknown.
    pub is_cut: bool,
    /// Files that it changes; none for a merge.
    pub files: Vec<Change>,
}

/// A commit in the queue, ordered by time, then by discovery.
type Queued = (i64, Reverse<usize>, ObjectId);

impl History {
    /// Returns the boundary commits of a shallow clone, whose parents are missing.
    pub fn cut(&self) -> Vec<ObjectId> {
        match self.objects.handle().shallow_commits() {
            Ok(Some(commits)) => commits.iter().copied().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the last `count` commits reachable from `start`.
    ///
    /// # Errors
    /// If a commit or a tree cannot be read.
    pub fn log(&self, start: Commit, count: usize) -> Result<Vec<LogEntry>, HistoryError> {
        let repository = self.objects.handle();
        let cut: HashSet<ObjectId> = self.cut().into_iter().collect();
        let mut queue: BinaryHeap<Queued> = BinaryHeap::new();
        let mut visited = HashSet::from([start.id]);
        queue.push((0, Reverse(0), start.id));
        let mut log = Vec::new();
        while log.len() < count
            && let Some((_, _, id)) = queue.pop()
        {
            let mut entry = entry(&repository, id)?;
            entry.is_cut = cut.contains(&id);
            if !entry.is_cut {
                for parent in &entry.parents {
                    if visited.insert(*parent) {
                        let order = Reverse(visited.len());
                        queue.push((time(&repository, *parent)?, order, *parent));
                    }
                }
            }
            log.push(entry);
        }
        Ok(log)
    }

    /// Returns the decoded message of a commit.
    ///
    /// # Errors
    /// If the commit cannot be read.
    pub fn message(&self, id: ObjectId) -> Result<String, HistoryError> {
        let repository = self.objects.handle();
        let object = find(&repository, id)?;
        let commit = parsed(&object.data, id)?;
        let encoding = commit.encoding.map(AsRef::as_ref);
        Ok(decoded(commit.message.as_ref(), encoding))
    }

    /// Returns the files that differ between two trees.
    ///
    /// # Errors
    /// If a tree cannot be read.
    pub fn between(
        &self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
    ) -> Result<Vec<Change>, HistoryError> {
        Ok(trees::changes(&self.objects.handle(), old, new)?)
    }
}

fn entry(repository: &gix::Repository, id: ObjectId) -> Result<LogEntry, ObjectsError> {
    let object = find(repository, id)?;
    let commit = parsed(&object.data, id)?;
    let text = |bytes: &[u8]| decoded(bytes, commit.encoding.map(AsRef::as_ref));
    let author = commit.author().map(|author| text(author.name.as_ref()));
    let parents: Vec<ObjectId> = commit.parents().collect();
    let date = commit.committer().ok().and_then(|who| who.time().ok());
    let seconds = date.map(|time| time.seconds);
    let date = date.and_then(|time| time.format(gix::date::time::format::ISO8601_STRICT).ok());
    let files = match parents.as_slice() {
        [] => trees::changes(repository, None, Some(commit.tree()))?,
        [parent] => match tree_of(repository, *parent) {
            Some(tree) => trees::changes(repository, Some(tree), Some(commit.tree()))?,
            None => Vec::new(),
        },
        _ => Vec::new(),
    };
    Ok(LogEntry {
        id,
        author: one_line(&author.unwrap_or_default()),
        date,
        seconds,
        message: text(commit.message.as_ref()),
        is_cut: false,
        parents,
        files,
    })
}

fn parsed(data: &[u8], id: ObjectId) -> Result<CommitRef<'_>, ObjectsError> {
    CommitRef::from_bytes(data, id.kind()).map_err(|error| ObjectsError::Broken {
        id,
        message: error.to_string(),
    })
}

/// Returns the time of a commit; a commit without a valid date is the oldest.
fn time(repository: &gix::Repository, id: ObjectId) -> Result<i64, ObjectsError> {
    let object = find(repository, id)?;
    let commit = parsed(&object.data, id)?;
    Ok(commit.time().map_or(0, |time| time.seconds))
}

/// Returns the parents of a commit.
pub(super) fn parents(
    repository: &gix::Repository,
    id: ObjectId,
) -> Result<Vec<ObjectId>, HistoryError> {
    let object = find(repository, id)?;
    Ok(parsed(&object.data, id)?.parents().collect())
}

/// Returns the tree of a commit; `None` if it is missing.
pub(super) fn tree_of(repository: &gix::Repository, id: ObjectId) -> Option<ObjectId> {
    let object = find(repository, id).ok()?;
    Some(parsed(&object.data, id).ok()?.tree())
}

/// Decodes text in the encoding that the commit names; the default is UTF-8.
fn decoded(bytes: &[u8], encoding: Option<&[u8]>) -> String {
    let named = encoding.and_then(encoding_rs::Encoding::for_label);
    let (text, ..) = named.unwrap_or(encoding_rs::UTF_8).decode(bytes);
    text.into_owned()
}

fn one_line(text: &str) -> String {
    let parts = text.split(char::is_control).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ").trim().to_owned()
}
