//! Failures of reading a remote, classified by git's messages, and advice for the user.

use std::io;

use super::address::Address;
use crate::objects::{ObjectsError, alternatives};
use crate::root::OpenError;

/// Reasons why a remote could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// git is not installed.
    #[error("cannot read {address}: git is not installed")]
    NoGit {
        /// The URL without credentials.
        address: String,
    },
    /// The host does not answer.
    #[error("cannot reach the host of {address}: {message}")]
    Unreachable {
        /// The URL without credentials.
        address: String,
        /// Git's message.
        message: String,
    },
    /// The host denies access.
    #[error("no access to {address}: {message}")]
    Refused {
        /// The URL without credentials.
        address: String,
        /// Git's message.
        message: String,
        /// True if the host expects a key, not a user name and password.
        is_ssh: bool,
    },
    /// The key of the host is unknown.
    #[error("unknown host key: {address}")]
    HostKey {
        /// The URL without credentials.
        address: String,
    },
    /// The host has no such repository.
    #[error("no repository at {address}: {message}")]
    NoRepository {
        /// The URL without credentials.
        address: String,
        /// Git's message.
        message: String,
    },
    /// The repository has no such branch or tag.
    #[error("no branch or tag {name} at {address}")]
    NoBranch {
        /// The URL without credentials.
        address: String,
        /// The name that was requested.
        name: String,
        /// Similar names of branches and tags, the nearest first.
        near: Vec<String>,
    },
    /// The host does not serve that commit.
    #[error("no commit {hash} at {address}")]
    NoCommit {
        /// The URL without credentials.
        address: String,
        /// The hash that was requested.
        hash: String,
    },
    /// Git failed in another way.
    #[error("git could not fetch {address}: {message}")]
    Failed {
        /// The URL without credentials.
        address: String,
        /// Git's message.
        message: String,
    },
    /// The temporary directory cannot be created or is full.
    #[error("cannot create a temporary directory for {address}")]
    Folder {
        /// The URL without credentials.
        address: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The fetched copy cannot be read, or lacks the path.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The caller cancelled the fetch.
    #[error("interrupted")]
    Cancelled,
}

impl From<ObjectsError> for RemoteError {
    fn from(error: ObjectsError) -> Self {
        Self::Open(error.into())
    }
}

/// Phrases in git's messages, and the failures they indicate; the first match decides.
const SIGNS: [(Sign, &[&str]); 7] = [
    (
        Sign::HostKey,
        &[
            "Host key verification failed",
            "REMOTE HOST IDENTIFICATION HAS CHANGED",
        ],
    ),
    (
        Sign::Unreachable,
        &[
            "Could not resolve host",
            "Failed to connect",
            "Couldn't connect",
            "Connection refused",
            "Connection timed out",
            "Connection reset",
            "Network is unreachable",
            "No route to host",
            "unable to connect to",
            "unable to look up",
            "Operation timed out",
            "Empty reply from server",
        ],
    ),
    (
        Sign::Refused,
        &[
            "Authentication failed",
            "could not read Username",
            "could not read Password",
            "terminal prompts disabled",
            "Permission denied",
            "Access denied",
            "access denied",
            "error: 401",
            "error: 403",
            "Too many authentication failures",
            "not exported",
        ],
    ),
    (
        Sign::NoBranch,
        &[
            "Remote branch",
            "couldn't find remote ref",
            "Could not find remote branch",
        ],
    ),
    (
        Sign::NoCommit,
        &[
            "not our ref",
            "unadvertised object",
            "did not send all necessary objects",
        ],
    ),
    (
        Sign::NoRepository,
        &[
            "not found",
            "does not appear to be a git repository",
            "does not exist",
            "not a git repository",
            "Repository not found",
            "No such file or directory",
            "error: 404",
            "not valid: is this a git repository?",
        ],
    ),
    (Sign::Other, &[""]),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    HostKey,
    Unreachable,
    Refused,
    NoBranch,
    NoCommit,
    NoRepository,
    Other,
}

impl RemoteError {
    /// Classifies git's message about `address`; `wanted` is the requested branch or commit.
    pub(super) fn from_git(address: &Address, words: &str, wanted: &str) -> Self {
        let words = address.without_credentials_in(words);
        let message = shortened(&words);
        let says = |(_, marks): &&(Sign, &[&str])| marks.iter().any(|mark| words.contains(mark));
        let sign = SIGNS
            .iter()
            .find(says)
            .map_or(Sign::Other, |(sign, _)| *sign);
        let is_ssh = address.is_ssh();
        let address = address.to_string();
        match sign {
            Sign::HostKey => Self::HostKey { address },
            Sign::Unreachable => Self::Unreachable { address, message },
            Sign::Refused => Self::Refused {
                address,
                message,
                is_ssh,
            },
            Sign::NoBranch => Self::NoBranch {
                address,
                name: wanted.to_owned(),
                near: Vec::new(),
            },
            Sign::NoCommit => Self::NoCommit {
                address,
                hash: wanted.to_owned(),
            },
            Sign::NoRepository => Self::NoRepository { address, message },
            Sign::Other => Self::Failed { address, message },
        }
    }

    /// Returns advice for the user.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoGit { .. } => {
                "install git, or clone the repository elsewhere and pass its directory"
            }
            Self::Unreachable { .. } => {
                "check the URL and the network; git's own settings apply (proxy, url.insteadOf)"
            }
            Self::Refused { is_ssh: true, .. } => {
                "the repository is private or does not exist: load your key with `ssh-add`, and test it with `ssh -T` to the host"
            }
            Self::Refused { .. } => {
                "the repository is private or does not exist: sign in with a credential helper (`gh auth login`, `glab auth login`, `git credential approve`), or use its ssh URL"
            }
            Self::HostKey { .. } => "connect once with `ssh` to the host and compare its key",
            Self::NoRepository { .. } => "check the spelling of the URL",
            Self::NoBranch { near, .. } if !near.is_empty() => {
                return alternatives(near).map(|near| format!("did you mean {near}?"));
            }
            Self::NoBranch { name, .. } if is_part_of_a_hash(name) => {
                "pass the full hash of the commit"
            }
            Self::NoBranch { .. } => "run `git ls-remote` with the URL to list branches and tags",
            Self::NoCommit { .. } => {
                "pass the full hash of a commit that a branch or tag contains, or pass the branch with `--branch`"
            }
            Self::Failed { message, .. } if message.contains("dubious ownership") => {
                "the repository belongs to another user: run `git config --global --add safe.directory DIRECTORY` to trust it"
            }
            Self::Open(OpenError::Objects(error)) => return error.hint(),
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

fn is_part_of_a_hash(name: &str) -> bool {
    name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the relevant lines of git's message, joined to one line.
fn shortened(words: &str) -> String {
    let lines = words.lines().map(str::trim).filter(|line| !line.is_empty());
    let told: Vec<_> = lines
        .clone()
        .filter_map(|line| {
            let marks = ["fatal: ", "error: ", "remote: ", "ssh: "];
            marks.iter().find_map(|mark| line.strip_prefix(mark))
        })
        .filter(|line| !line.starts_with("Could not read from remote"))
        .collect();
    let told = if told.is_empty() {
        lines.collect()
    } else {
        told
    };
    let told = told.into_iter().take(3).collect::<Vec<_>>().join("; ");
    told.chars().take(500).collect()
}
