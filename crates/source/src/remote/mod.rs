//! Reads a remote repository. The user's git makes a shallow copy of one branch in a temporary
//! directory, which is read as a commit: nothing is checked out, and no program of the repository
//! is run. Dropping the source removes the directory.

mod address;
mod error;
mod git;
mod place;
mod web;

use std::path::Path;
use std::sync::Arc;

use loom_base::RepoPath;

pub use address::{Address, AddressError};
pub use error::RemoteError;

use crate::commit_tree::CommitTree;
use crate::copy_folder::CopyFolder;
use crate::objects::{Objects, nearest};
use crate::revision;
use crate::root::Root;
use crate::source::Source;
use crate::tree::Tree;
use git::{Answer, Git, NoAnswer};
use place::RepoLocation;

/// Name of the copy in its directory.
const COPY: &str = "copy.git";

/// Options for a remote, without its URL.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemoteChoice<'a> {
    /// A branch or tag.
    pub branch: Option<&'a str>,
    /// A full hash, a branch or a tag; `HEAD` is the default branch.
    pub revision: Option<&'a str>,
    /// Number of commits to fetch; 0 means one.
    pub commits: usize,
}

/// Observes the fetch of a remote.
pub trait FetchObserver {
    /// Returns true if the caller cancelled the fetch.
    fn is_cancelled(&self) -> bool;

    /// Returns true if a person can answer questions about passwords.
    fn is_interactive(&self) -> bool;

    /// Reports git's progress message.
    fn progress(&self, words: &str);

    /// Reports a new temporary directory, which must not outlive the process.
    fn made_folder(&self, folder: &Path);
}

/// The reference to fetch, and the path in it.
struct FetchTarget {
    reference: RemoteRef,
    path: RepoPath,
}

enum RemoteRef {
    /// The default branch.
    Default,
    /// A branch or tag.
    Branch(String),
    /// A commit by its full hash.
    Commit(String),
}

impl Source {
    /// Fetches the repository that `address` and `choice` name, and opens it.
    ///
    /// # Errors
    /// If git is missing, the host is unreachable or denies access, or the repository, branch,
    /// commit or path does not exist.
    pub fn open_remote(
        address: &Address,
        choice: RemoteChoice<'_>,
        watch: &dyn FetchObserver,
    ) -> Result<Self, RemoteError> {
        let failed = |source| RemoteError::Folder {
            address: address.to_string(),
            source,
        };
        let folder = CopyFolder::new().map_err(failed)?;
        watch.made_folder(folder.path());
        let remote = Remote {
            address,
            depth: format!("--depth={}", choice.commits.max(1)),
            git: Git {
                program: git::find().ok_or_else(|| RemoteError::NoGit {
                    address: address.to_string(),
                })?,
                folder: folder.path(),
                watch,
            },
        };
        let choice = RemoteChoice {
            revision: choice.revision.filter(|&name| name != "HEAD"),
            ..choice
        };
        let target = remote.target(choice)?;
        remote.fetch(&target.reference)?;
        let (root, tree) = remote.open(&target)?;
        Ok(Self::of_copy(root, tree, folder))
    }
}

/// One URL, and the git that fetches it.
struct Remote<'a> {
    address: &'a Address,
    /// `--depth` for git.
    depth: String,
    git: Git<'a>,
}

impl Remote<'_> {
    /// Combines the URL and the options. The options override the branch of a web page's URL, but
    /// not its path.
    fn target(&self, choice: RemoteChoice<'_>) -> Result<FetchTarget, RemoteError> {
        let (reference, path) = match &self.address.place {
            RepoLocation::Whole => (RemoteRef::Default, Vec::new()),
            RepoLocation::Commit(hash, path) => (RemoteRef::Commit(hash.clone()), path.clone()),
            RepoLocation::Named(parts) if parts.len() == 1 => {
                (RemoteRef::Branch(parts[0].clone()), Vec::new())
            }
            RepoLocation::Named(parts) => {
                let (branch, path) = self.split(parts)?;
                (RemoteRef::Branch(branch), path)
            }
        };
        let chosen = match (choice.revision, choice.branch) {
            (Some(hash), _) if web::is_hash(hash) => {
                Some(RemoteRef::Commit(hash.to_ascii_lowercase()))
            }
            (Some(name), _) | (None, Some(name)) => Some(RemoteRef::Branch(name.to_owned())),
            (None, None) => None,
        };
        let shown = || crate::OpenError::NotInRevision {
            path: path.join("/").into(),
            revision: self.address.to_string(),
        };
        Ok(FetchTarget {
            reference: chosen.unwrap_or(reference),
            path: RepoPath::new(path.join("/")).map_err(|_| shown())?,
        })
    }

    /// Splits the path of a web page into the longest branch or tag that exists, and the rest.
    fn split(&self, parts: &[String]) -> Result<(String, Vec<String>), RemoteError> {
        let names = self.names()?;
        let found = (1..=parts.len()).rev().find(|length| {
            let name = parts[..*length].join("/");
            names.contains(&name)
        });
        match found {
            Some(length) => Ok((parts[..length].join("/"), parts[length..].to_vec())),
            None => Err(RemoteError::NoBranch {
                address: self.address.to_string(),
                near: nearest(&parts[0], &names),
                name: parts.join("/"),
            }),
        }
    }

    /// Lists the branches and tags of the remote.
    fn names(&self) -> Result<Vec<String>, RemoteError> {
        let url = self.address.url();
        let args = [
            "ls-remote",
            "--quiet",
            "--heads",
            "--tags",
            "--refs",
            "--",
            url,
        ];
        let answer = self.run(&args, "")?;
        let text = String::from_utf8_lossy(&answer.output).into_owned();
        let short = |line: &str| {
            let name = line.split_once('\t')?.1;
            let kinds = ["refs/heads/", "refs/tags/"];
            let short = kinds.iter().find_map(|kind| name.strip_prefix(kind));
            short.map(str::to_owned)
        };
        Ok(text.lines().filter_map(short).collect())
    }

    fn fetch(&self, reference: &RemoteRef) -> Result<(), RemoteError> {
        match reference {
            RemoteRef::Commit(hash) => self.fetch_commit(hash),
            RemoteRef::Default => self.clone_branch(None),
            RemoteRef::Branch(name) => self.clone_branch(Some(name)).map_err(|error| match error {
                RemoteError::NoBranch { address, name, .. } => RemoteError::NoBranch {
                    near: self
                        .names()
                        .map_or(Vec::new(), |names| nearest(&name, &names)),
                    address,
                    name,
                },
                error => error,
            }),
        }
    }

    fn clone_branch(&self, name: Option<&str>) -> Result<(), RemoteError> {
        let branch = name.map(|name| format!("--branch={name}"));
        let mut args = vec![
            "clone",
            "--bare",
            "--single-branch",
            "--no-tags",
            "--template=",
        ];
        args.push(self.progress());
        args.extend(branch.as_deref());
        let mut shallow = args.clone();
        shallow.push(&self.depth);
        for args in [&mut shallow, &mut args] {
            args.extend(["--", self.address.url(), COPY]);
        }
        match self.run(&shallow, name.unwrap_or("HEAD")) {
            // Hosts that only serve files cannot make a shallow copy.
            Err(RemoteError::Failed { message, .. }) if message.contains("shallow") => {
                self.run(&args, name.unwrap_or("HEAD")).map(drop)
            }
            other => other.map(drop),
        }
    }

    fn fetch_commit(&self, hash: &str) -> Result<(), RemoteError> {
        let kind = if hash.len() == 64 { "sha256" } else { "sha1" };
        let kind = format!("--object-format={kind}");
        self.run(
            &["init", "--bare", "--quiet", "--template=", &kind, COPY],
            hash,
        )?;
        let args = [
            "--git-dir",
            COPY,
            "fetch",
            &self.depth,
            "--no-tags",
            "--no-recurse-submodules",
            self.progress(),
            "--",
            self.address.url(),
            hash,
        ];
        self.run(&args, hash)
            .map(drop)
            .map_err(|error| match error {
                RemoteError::NoBranch { address, name, .. } => RemoteError::NoCommit {
                    address,
                    hash: name,
                },
                error => error,
            })
    }

    fn open(&self, target: &FetchTarget) -> Result<(Root, Tree), RemoteError> {
        let dir = self.git.folder.join(COPY);
        let objects = Objects::open(&dir)?;
        let (name, found) = match &target.reference {
            RemoteRef::Default => {
                let name = objects.head_branch().unwrap_or_else(|| "HEAD".to_owned());
                (name, "HEAD")
            }
            RemoteRef::Branch(name) => (name.clone(), "HEAD"),
            RemoteRef::Commit(hash) => (hash.clone(), hash.as_str()),
        };
        let commit = objects.resolve(found)?;
        let tree = Tree::Commit(CommitTree::new(Arc::new(objects), commit, &name));
        let mut root = Root::without_scopes(dir);
        root.label = self.address.label().to_owned();
        let shown = crate::native::relative(&target.path);
        let place = format!("{name} of {}", self.address);
        let scope = revision::scope(&tree, target.path.clone(), &shown, &place)?;
        root.scopes.push(scope);
        Ok((root, tree))
    }

    fn progress(&self) -> &'static str {
        match self.git.watch.is_interactive() {
            true => "--progress",
            false => "--quiet",
        }
    }

    fn run(&self, args: &[&str], wanted: &str) -> Result<Answer, RemoteError> {
        match self.git.run(args) {
            Ok(answer) if answer.status.success() => Ok(answer),
            Ok(answer) => Err(RemoteError::from_git(self.address, &answer.words, wanted)),
            Err(NoAnswer::Cancelled) => Err(RemoteError::Cancelled),
            Err(NoAnswer::Io(error)) => Err(RemoteError::Failed {
                address: self.address.to_string(),
                message: crate::read::plain_message(&error),
            }),
        }
    }
}
