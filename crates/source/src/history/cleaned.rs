//! Converts the contents of a file to git's stored form: line endings, encodings and keywords, as
//! the attributes say. Never runs the programs that attributes name.

use std::path::PathBuf;

use gix::bstr::{BStr, ByteSlice};
use gix::filter::plumbing::pipeline::{CrlfRoundTripCheck, Options};
use gix::index::State;
use gix::worktree::stack::State as StackState;
use gix::worktree::stack::state::Attributes;
use gix::worktree::stack::state::attributes::Source;
use loom_base::RepoPath;

use crate::native;

/// Larger attribute files are not read.
const LARGEST_FILE: u64 = 1 << 20;

/// An attribute file with a pattern that has more `**` is not read.
const MOST_DOUBLE_STARS: usize = 3;

/// Converts contents of the working tree to git's stored form.
pub(super) struct Cleaner {
    pipeline: gix::filter::plumbing::Pipeline,
    stack: gix::worktree::Stack,
    /// Attribute files that are ignored, each with the reason.
    pub(super) skipped: Vec<SkippedAttributes>,
}

/// An attribute file that is not read.
#[derive(Clone, Debug)]
pub(super) struct SkippedAttributes {
    /// Its path in the repository, or on disk.
    pub(super) path: PathBuf,
    pub(super) reason: &'static str,
}

/// Contents in git's stored form.
pub(super) struct Cleaned {
    pub(super) bytes: Vec<u8>,
    /// The filter that git would run; it was not run.
    pub(super) filter: Option<String>,
}

impl Cleaner {
    /// Loads the attributes from the index and the user's file, so that it opens no file of the
    /// working tree.
    pub(super) fn new(repository: &gix::Repository, index: &State, dir: PathBuf) -> Option<Self> {
        let mut options = gix::filter::Pipeline::options(repository).unwrap_or_default();
        options = Options {
            drivers: Vec::new(),
            crlf_roundtrip_check: CrlfRoundTripCheck::Skip,
            encodings_with_roundtrip_check: Vec::new(),
            ..options
        };
        let hash = repository.object_hash();
        let pipeline = gix::filter::plumbing::Pipeline::new(Default::default(), hash, options);
        let mut buffer = Vec::new();
        let mut names = gix::attrs::search::MetadataCollection::default();
        let mut skipped = Vec::new();
        let own = crate::git::user_attributes(repository);
        let own = own.filter(|path| is_small(path, &mut skipped));
        let globals = gix::attrs::Search::new_globals(own, &mut buffer, &mut names).ok()?;
        let info = repository.common_dir().join("info").join("attributes");
        let info = Some(info).filter(|path| is_small(path, &mut skipped));
        let attributes = Attributes::new(globals, info, Source::IdMapping, names);
        let state = StackState::AttributesStack(attributes);
        let case = gix::glob::pattern::Case::Sensitive;
        let mut files = state.id_mappings_from_index(index, index.path_backing(), case);
        files.retain(|(path, id)| match costly(repository, *id) {
            Some(reason) => {
                let path = native::path(path.as_slice());
                skipped.push(SkippedAttributes { path, reason });
                false
            }
            None => true,
        });
        let stack = gix::worktree::Stack::new(dir, state, case, buffer, files);
        Some(Self {
            pipeline,
            stack,
            skipped,
        })
    }

    /// Converts the `bytes` of the file at `path`; `stored` are those of the index, whose line
    /// endings decide.
    pub(super) fn clean(
        &mut self,
        repository: &gix::Repository,
        path: &RepoPath,
        bytes: Vec<u8>,
        stored: &[u8],
    ) -> Cleaned {
        let mut filter = None;
        let stack = &mut self.stack;
        let mut attributes = |path: &BStr, found: &mut gix::attrs::search::Outcome| {
            if let Ok(platform) = stack.at_entry(path, None, &repository.objects) {
                platform.matching_attributes(found);
                filter = filter_of(found);
            }
        };
        let mut index_object = |buffer: &mut Vec<u8>| {
            buffer.clear();
            buffer.extend_from_slice(stored);
            Ok(Some(()))
        };
        let converted = self.pipeline.convert_to_git(
            bytes.as_slice(),
            &native::relative(path),
            &mut attributes,
            &mut index_object,
        );
        let changed = match converted {
            Ok(gix::filter::plumbing::pipeline::convert::ToGitOutcome::Buffer(changed)) => {
                Some(changed.to_vec())
            }
            _ => None,
        };
        Cleaned {
            bytes: changed.unwrap_or(bytes),
            filter,
        }
    }
}

fn filter_of(found: &gix::attrs::search::Outcome) -> Option<String> {
    let mut selected = found.iter_selected();
    let filter = selected.find(|found| found.assignment.name.as_str() == "filter")?;
    let name = filter.assignment.state.as_bstr()?;
    Some(name.to_string())
}

/// The reasons why an attribute file is not read.
const TOO_LARGE: &str = "has more than 1 MiB";
const TOO_COSTLY: &str = "has a pattern with more than 3 `**`";
const UNREADABLE: &str = "cannot be read";

/// Returns the reason why an attribute file of the index is not read; `None` for a small one whose
/// patterns take little time.
fn costly(repository: &gix::Repository, id: gix::ObjectId) -> Option<&'static str> {
    match repository.find_header(id) {
        Ok(header) if header.size() > LARGEST_FILE => return Some(TOO_LARGE),
        Ok(_) => {}
        Err(_) => return Some(UNREADABLE),
    }
    match repository.find_object(id) {
        Ok(object) if has_cheap_patterns(&object.data) => None,
        Ok(_) => Some(TOO_COSTLY),
        Err(_) => Some(UNREADABLE),
    }
}

/// Returns true if every pattern has few `**`. Git's attributes are matched by backtracking; its
/// time grows with the number of directories of a path to the power of the number of `**`.
fn has_cheap_patterns(attributes: &[u8]) -> bool {
    let stars = |line: &[u8]| line.find_iter("**").take(MOST_DOUBLE_STARS + 1).count();
    attributes
        .lines()
        .all(|line| stars(line) <= MOST_DOUBLE_STARS)
}

/// Returns true if a file on disk is plain and small. Adds a large one to `skipped`.
fn is_small(path: &PathBuf, skipped: &mut Vec<SkippedAttributes>) -> bool {
    let Ok(meta) = std::fs::metadata(path) else {
        return false;
    };
    let is_large = meta.is_file() && meta.len() > LARGEST_FILE;
    if is_large {
        skipped.push(SkippedAttributes {
            path: path.clone(),
            reason: TOO_LARGE,
        });
    }
    meta.is_file() && !is_large
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_with_many_double_stars_are_not_read() {
        for cheap in [
            "",
            "* text=auto\n",
            "a/**/b/**/*.c diff=c\n",
            "**/a/**/b/** -text",
        ] {
            assert!(has_cheap_patterns(cheap.as_bytes()), "{cheap}");
        }
        let costly = format!("* text=auto\n{}b text\n", "**/a/".repeat(30));
        assert!(!has_cheap_patterns(costly.as_bytes()));
    }
}
