//! Walks a root. Does not read contents; the result does not depend on the order of the walk.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use loom_base::RepoPath;

use crate::credentials::is_credential_path;
use crate::decide::{Decision, DirContext, Rules};
use crate::entry::{Contents, Entry, EntryKind, Stamps};
use crate::folder::{Folder, Folders, IgnoreFiles, Repository};
use crate::native;
use crate::outcome::{LeftOut, Reason};
use crate::root::{self, Root, Scope};
use crate::rules::{FilterKind, Filters, Level, Rule, RuleSource, Siblings, default_for};
use crate::scan::{FoundFile, Reach, Scan, ScanOptions};
use crate::tree::Tree;
use crate::work_queue::WorkQueue;

/// Deeper directories are skipped with a reason. No project is that deep, and each level makes all
/// paths below it longer.
const DEPTH_LIMIT: usize = 1000;

/// With more pending directories, several threads are faster.
const MANY_FOLDERS: usize = 32;

/// A walk of one root.
pub(crate) struct Walk<'a> {
    pub(crate) root: &'a Root,
    number: usize,
    options: &'a ScanOptions,
    pub(crate) folders: Folders<'a>,
    pub(crate) rules: Rules,
    pub(crate) repositories: Vec<Arc<Repository>>,
    pub(crate) scan: Scan,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IsDir {
    Yes,
    No,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        root: &'a Root,
        tree: &'a Tree,
        number: usize,
        options: &'a ScanOptions,
    ) -> Self {
        let ignore_files = if options.ignore_files {
            IgnoreFiles::Read
        } else {
            IgnoreFiles::Skip
        };
        Self {
            root,
            number,
            options,
            folders: Folders {
                dir: &root.dir,
                tree,
                ignore_files,
                warnings: RefCell::default(),
            },
            rules: Rules {
                filters: Filters::new(&options.filters),
                default_ignore: options.default_ignore,
            },
            repositories: Vec::new(),
            scan: Scan::default(),
        }
    }

    /// Walks everything that the user named in this root.
    pub(crate) fn run(mut self) -> Scan {
        let top = self.top();
        let whole = [Scope::whole()];
        let scopes = match self.options.reach == Reach::WorkTree && top.is_git_top() {
            true => whole.as_slice(),
            false => self.root.scopes.as_slice(),
        };
        for scope in scopes {
            if scope.is_dir {
                let folder = self.enter(&top, &scope.path);
                self.walk(folder);
            } else {
                self.take_named(scope);
            }
        }
        self.find_credentials();
        self.leave_unread(&top);
        self.take_back_named();
        self.scan.sort();
        self.report_missing();
        self.scan.warnings = self.folders.warnings.take();
        self.scan.has_credentials = self.options.credentials;
        let known = self.repositories.iter().filter(|one| one.git().is_some());
        let tops: BTreeSet<_> = known.map(|one| one.top.clone()).collect();
        self.scan.repositories = tops.into_iter().map(|top| (self.number, top)).collect();
        self.scan
    }

    /// Returns the top of the root.
    pub(crate) fn top(&mut self) -> Folder {
        let top = self.folders.top(RepoPath::root(), None);
        self.repositories.push(Arc::clone(&top.repository));
        top
    }

    /// Returns the directory `path`, even if the rules above it skip it.
    fn enter(&mut self, top: &Folder, path: &RepoPath) -> Folder {
        let mut folder = self.folders.child(top, &top.level, top.path.clone(), None);
        folder.depth = 0;
        for part in path.components() {
            let Ok(next) = folder.path.child(part) else {
                break;
            };
            let level = self.level_in(&folder);
            let below = self.folders.child(&folder, &level, next, None);
            folder = self.own_repository(below);
        }
        folder
    }

    /// Returns the ignore files of a directory that was not listed.
    pub(crate) fn level_in(&self, folder: &Folder) -> Arc<Level> {
        let entries = self.entries(folder).unwrap_or_default();
        let names = entries.iter().map(|entry| entry.name.as_slice());
        self.folders.level_in(folder, names)
    }

    /// Returns the directory as the top of a repository, if it is one.
    pub(crate) fn own_repository(&mut self, folder: Folder) -> Folder {
        let is_own = self.folders.tree.commit().is_none()
            && folder.path != folder.repository.top
            && root::is_git_top(&native::below(&self.root.dir, &folder.path));
        if !is_own {
            return folder;
        }
        let top = self.folders.top(folder.path.clone(), Some(&folder));
        self.repositories.push(Arc::clone(&top.repository));
        top
    }

    fn walk(&mut self, start: Folder) {
        let mut folders = vec![start];
        while let Some(folder) = folders.pop() {
            folders.append(&mut self.list(folder));
            if self.options.threads > 1 && folders.len() > MANY_FOLDERS {
                return self.walk_together(folders);
            }
        }
    }

    /// Walks on several threads, each with its own walk.
    fn walk_together(&mut self, folders: Vec<Folder>) {
        let (root, tree, options) = (self.root, self.folders.tree, self.options);
        let number = self.number;
        let queue = WorkQueue::new(folders);
        let take_part = || {
            let mut part = Walk::new(root, tree, number, options);
            while let Some((folder, guard)) = queue.pop() {
                queue.push_all(part.list(folder));
                drop(guard);
            }
            part.scan.warnings = part.folders.warnings.take();
            (part.scan, part.repositories)
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..options.threads)
                .map(|_| scope.spawn(take_part))
                .collect();
            let (scan, repositories) = take_part();
            self.append(scan, repositories);
            for other in others {
                match other.join() {
                    Ok((scan, repositories)) => self.append(scan, repositories),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        // The thread that lists a directory is random, so the order is, too.
        self.scan.folders.sort();
        self.repositories.sort_by(|a, b| a.top.cmp(&b.top));
    }

    fn append(&mut self, mut scan: Scan, mut repositories: Vec<Arc<Repository>>) {
        let warnings = std::mem::take(&mut scan.warnings);
        self.folders.warnings.borrow_mut().extend(warnings);
        self.scan.append(scan);
        self.repositories.append(&mut repositories);
    }

    /// Decides about the entries of one directory and returns its subdirectories.
    fn list(&mut self, folder: Folder) -> Vec<Folder> {
        let entries = match self.entries(&folder) {
            Ok(entries) => entries,
            Err(reason) => {
                self.leave(&folder.path, IsDir::Yes, reason);
                return Vec::new();
            }
        };
        self.scan.folders.push((self.number, folder.path.clone()));
        let names = entries.iter().map(|entry| entry.name.as_slice());
        let has_git = names.clone().any(|name| name == b".git");
        let folder = if has_git {
            self.own_repository(folder)
        } else {
            folder
        };
        let siblings = Siblings::of(names.clone(), folder.is_git_top());
        let folder = match self.marked(&folder, &siblings) {
            Some(rule) if !self.rules.reaches_into(&folder, &folder.path, &rule) => {
                self.leave(&folder.path, IsDir::Yes, Reason::Rule(rule));
                return Vec::new();
            }
            Some(rule) => folder.left_out_by(rule),
            None => folder,
        };
        let level = self.folders.level_in(&folder, names);
        let here = DirContext {
            folder: &folder,
            level: &level,
            siblings: &siblings,
        };
        let mut below = Vec::new();
        for entry in &entries {
            if let Some((path, left_out_by)) = self.entry(&here, entry) {
                below.push(self.folders.child(&folder, &level, path, left_out_by));
            }
        }
        below
    }

    /// Lists the entries of a directory, sorted by name.
    pub(crate) fn entries(&self, folder: &Folder) -> Result<Vec<Entry>, Reason> {
        if folder.depth > DEPTH_LIMIT {
            let message = format!("more than {DEPTH_LIMIT} folders deep");
            return Err(Reason::Unreadable { message });
        }
        let stamps = match self.options.stamps {
            true => Stamps::Take,
            false => Stamps::Skip,
        };
        self.folders.tree.list(&folder.path, stamps)
    }

    /// Includes or skips one entry. Returns a directory to enter, with the rule that skips it if
    /// only parts of it are included.
    fn entry(&mut self, here: &DirContext<'_>, entry: &Entry) -> Option<(RepoPath, Option<Rule>)> {
        if entry.name == b".git" {
            return None;
        }
        let path = here.folder.path.child(&entry.name).ok()?;
        let is_dir = entry.kind == EntryKind::Folder;
        if is_dir && self.is_written(&path) {
            self.leave(&path, IsDir::Yes, Reason::Cache);
            return None;
        }
        match (self.rules.decide(here, &path, is_dir), is_dir) {
            (Decision::Leave(rule), true) => {
                if self.rules.reaches_into(here.folder, &path, &rule) {
                    return Some((path, Some(rule)));
                }
                if self.options.credentials && !is_built_in(&rule, &path, here.siblings) {
                    self.scan.ignored.push((self.number, path.clone()));
                }
                self.leave(&path, IsDir::Yes, Reason::Rule(rule));
            }
            (_, true) => return Some((path, None)),
            (Decision::Leave(rule), false) => {
                self.keep_credentials(&path, entry);
                self.leave(&path, IsDir::No, Reason::Rule(rule));
            }
            (Decision::Keep(rule), false) => {
                let is_included = rule.is_some_and(|rule| rule.source == RuleSource::Include);
                self.keep(path, entry, is_included);
            }
            (Decision::KeepTracked(_), false) => self.keep(path, entry, false),
        }
        None
    }

    /// Keeps a file, link or special file that the rules include.
    fn keep(&mut self, path: RepoPath, entry: &Entry, is_included: bool) {
        let reason = match entry.kind {
            EntryKind::File | EntryKind::Folder => {
                return self.take(path, entry.contents, is_included);
            }
            EntryKind::Link => {
                self.keep_credentials(&path, entry);
                self.folders.tree.link(&path)
            }
            EntryKind::Submodule => Reason::SubmoduleMissing,
            EntryKind::Special(kind) => Reason::Special(kind),
        };
        self.leave(&path, IsDir::No, reason);
    }

    fn take(&mut self, path: RepoPath, contents: Contents, is_included: bool) {
        let is_on_disk = contents.object.is_none() && contents.text_hash.is_none();
        if is_on_disk && self.is_written(&path) {
            return self.leave(&path, IsDir::No, Reason::OutputFile);
        }
        let file = self.found(path, contents, is_included);
        self.scan.files.push(file);
    }

    fn found(&self, path: RepoPath, contents: Contents, is_included: bool) -> FoundFile {
        FoundFile {
            path: self.root.prefix.join(&path),
            wanted: is_included,
            root: self.number,
            relative: path,
            contents,
            actual: None,
        }
    }

    /// Records a skipped file for the scanner if its name suggests credentials. For a link, records
    /// its target in the same root.
    fn keep_credentials(&mut self, path: &RepoPath, entry: &Entry) {
        if !self.options.credentials || !is_credential_path(path.as_bytes()) {
            return;
        }
        let (path, contents) = match entry.kind {
            EntryKind::File => (path.clone(), entry.contents),
            EntryKind::Link => match self.linked(path) {
                Some(target) => (target, Contents::default()),
                None => return,
            },
            _ => return,
        };
        if !self.is_written(&path) {
            let file = self.found(path, contents, false);
            self.scan.credentials.push(file);
        }
    }

    /// Returns the path in this root that a link points to.
    fn linked(&self, path: &RepoPath) -> Option<RepoPath> {
        let Reason::Symlink { target } = self.folders.tree.link(path) else {
            return None;
        };
        let link = native::below(&self.root.dir, path);
        let full = crate::revision::lexical(&link.parent()?.join(target));
        native::repo_path(&self.root.dir, &full)
    }

    /// Finds credential files in the skipped directories, except in those that the built-in rules
    /// skip.
    fn find_credentials(&mut self) {
        let mut directories: Vec<(RepoPath, usize)> = std::mem::take(&mut self.scan.ignored)
            .into_iter()
            .map(|(_, path)| (path, 0))
            .collect();
        while let Some((directory, depth)) = directories.pop() {
            let stamps = match self.options.stamps {
                true => Stamps::Take,
                false => Stamps::Skip,
            };
            let Ok(entries) = self.folders.tree.list(&directory, stamps) else {
                continue;
            };
            let names = entries.iter().map(|entry| entry.name.as_slice());
            let siblings = Siblings::of(names, false);
            if siblings.mark.is_some() || depth > DEPTH_LIMIT {
                continue;
            }
            // A new credential file may appear in it.
            self.scan.folders.push((self.number, directory.clone()));
            for entry in &entries {
                let Ok(path) = directory.child(&entry.name) else {
                    continue;
                };
                match entry.kind {
                    EntryKind::Folder if entry.name == b".git" => {}
                    EntryKind::Folder if default_for(&entry.name, true, &siblings).is_some() => {}
                    EntryKind::Folder if self.is_written(&path) => {}
                    EntryKind::Folder => directories.push((path, depth + 1)),
                    _ => self.keep_credentials(&path, entry),
                }
            }
        }
        self.find_addresses();
        self.scan.credentials.sort_by(FoundFile::order_in_source);
        self.scan.credentials.dedup_by(|a, b| a.is_same_file(b));
    }

    /// Finds git's settings: the address of a remote may contain a password.
    fn find_addresses(&mut self) {
        if !self.options.credentials {
            return;
        }
        let stamps = match self.options.stamps {
            true => Stamps::Take,
            false => Stamps::Skip,
        };
        let tops: BTreeSet<_> = self
            .repositories
            .iter()
            .map(|one| one.top.clone())
            .collect();
        for top in tops {
            let Ok(directory) = top.child(b".git") else {
                continue;
            };
            let entries = self
                .folders
                .tree
                .list(&directory, stamps)
                .unwrap_or_default();
            let settings = entries.into_iter().find(|entry| entry.name == b"config");
            if let Some(entry) = settings.filter(|entry| entry.kind == EntryKind::File)
                && let Ok(path) = directory.child(b"config")
            {
                let file = self.found(path, entry.contents, false);
                self.scan.credentials.push(file);
            }
        }
    }

    /// Returns true if Infiniloom writes to the path.
    fn is_written(&self, path: &RepoPath) -> bool {
        let outputs = &self.options.outputs;
        !outputs.is_empty() && outputs.contains(&native::below(&self.root.dir, path))
    }

    /// Includes a file that the user named, even if an ignore file excludes it.
    fn take_named(&mut self, scope: &Scope) {
        match self.rules.filters.decide(&scope.path, false) {
            Some((FilterKind::Exclude, rule)) => {
                self.leave(&scope.path, IsDir::No, Reason::Rule(rule));
            }
            _ => {
                let contents = self.folders.tree.contents(&scope.path, scope.object);
                self.take(scope.path.clone(), contents, true);
            }
        }
    }

    /// Reports listed paths that are missing, or not a plain file or directory.
    fn leave_unread(&mut self, top: &Folder) {
        for path in &self.root.unread {
            let tree = self.folders.tree;
            let reason = match tree.kind(path) {
                Some(EntryKind::Link) => tree.link(path),
                Some(EntryKind::Submodule) => Reason::SubmoduleMissing,
                Some(EntryKind::Special(kind)) => Reason::Special(kind),
                Some(EntryKind::File | EntryKind::Folder) => Reason::KeptChanging,
                None => self
                    .absence(&top.repository, path)
                    .unwrap_or(Reason::Absent),
            };
            self.leave(path, IsDir::No, reason);
        }
    }

    /// Removes named directories from the skipped ones, if the walk of another scope skipped them.
    fn take_back_named(&mut self) {
        let named: HashSet<_> = self
            .root
            .scopes
            .iter()
            .map(|scope| self.root.prefix.join(&scope.path))
            .collect();
        let by_rule = |left: &LeftOut| left.is_dir && matches!(left.reason, Reason::Rule(_));
        let left_out = &mut self.scan.left_out;
        left_out.retain(|left| !by_rule(left) || !named.contains(&left.path));
    }

    /// Returns the rule that skips a directory because of a file in it. A directory that the user
    /// named is entered anyway.
    pub(crate) fn marked(&self, folder: &Folder, siblings: &Siblings) -> Option<Rule> {
        if self.root.names(&folder.path) {
            return None;
        }
        self.rules.by_mark(folder, siblings)
    }

    fn leave(&mut self, path: &RepoPath, is_dir: IsDir, reason: Reason) {
        self.scan.left_out.push(LeftOut {
            path: self.root.prefix.join(path),
            is_dir: is_dir == IsDir::Yes,
            reason,
        });
    }
}

/// Returns true if the built-in rules skip the directory, even if another rule decided first.
fn is_built_in(rule: &Rule, path: &RepoPath, siblings: &Siblings) -> bool {
    rule.source == RuleSource::Default || default_for(path.file_name(), true, siblings).is_some()
}
