//! What can go wrong between an address and its files, told from what git says,
//! and what a person can do about it.

use std::io;

use super::address::Address;
use crate::objects::ObjectsError;
use crate::root::OpenError;

/// A remote that could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The program is not there.
    #[error("cannot read {address}: git is not installed")]
    NoGit {
        /// Without credentials.
        address: String,
    },
    /// The host does not answer.
    #[error("cannot reach the host of {address}: {message}")]
    Unreachable {
        /// Without credentials.
        address: String,
        /// What git said.
        message: String,
    },
    /// The host does not let us in.
    #[error("no access to {address}: {message}")]
    Refused {
        /// Without credentials.
        address: String,
        /// What git said.
        message: String,
        /// Whether keys are asked for, and not a name and a password.
        is_ssh: bool,
    },
    /// The key of the host is not known.
    #[error("the key of the host of {address} is not known")]
    HostKey {
        /// Without credentials.
        address: String,
    },
    /// The host has no such repository.
    #[error("no repository at {address}: {message}")]
    NoRepository {
        /// Without credentials.
        address: String,
        /// What git said.
        message: String,
    },
    /// The repository has no such branch or tag.
    #[error("no branch or tag {name} at {address}")]
    NoBranch {
        /// Without credentials.
        address: String,
        /// As asked for.
        name: String,
        /// Branches and tags with a similar name, the nearest first.
        near: Vec<String>,
    },
    /// The host does not give out that commit.
    #[error("no commit {hash} at {address}")]
    NoCommit {
        /// Without credentials.
        address: String,
        /// As asked for.
        hash: String,
    },
    /// Git failed in another way.
    #[error("git could not fetch {address}: {message}")]
    Failed {
        /// Without credentials.
        address: String,
        /// What git said.
        message: String,
    },
    /// There is no room for the copy, or no folder for it.
    #[error("no temporary folder for {address}")]
    Folder {
        /// Without credentials.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// What was fetched cannot be read, or has no such path.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Somebody asked for a stop.
    #[error("interrupted")]
    Cancelled,
}

impl From<ObjectsError> for RemoteError {
    fn from(error: ObjectsError) -> Self {
        Self::Open(error.into())
    }
}

/// What git's words stand for, the first that match.
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
    /// What git's words about `address` mean; `wanted` is the branch or commit that
    /// was asked for.
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

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoGit { .. } => "install git, or clone elsewhere and pack the folder",
            Self::Unreachable { .. } => {
                "check the address and the network; git's own settings hold (proxy, url.insteadOf)"
            }
            Self::Refused { is_ssh: true, .. } => {
                "it is private, or not there: load your key (`ssh-add`), and see that `ssh -T` to the host greets you"
            }
            Self::Refused { .. } => {
                "it is private, or not there: sign in with a credential helper (`gh auth login`, `glab auth login`, `git credential approve`), or use its ssh address"
            }
            Self::HostKey { .. } => "connect once with `ssh` to the host and compare its key",
            Self::NoRepository { .. } => "check the spelling of the address",
            Self::NoBranch { near, .. } if !near.is_empty() => {
                return Some(format!("there is {}", near.join(", ")));
            }
            Self::NoBranch { name, .. } if is_part_of_a_hash(name) => {
                "a commit of a remote needs its full hash"
            }
            Self::NoBranch { .. } => "`git ls-remote` with the address lists what there is",
            Self::NoCommit { .. } => {
                "give the full hash of a commit that a branch or tag leads to, or the branch with --branch"
            }
            Self::Failed { message, .. } if message.contains("dubious ownership") => {
                "it belongs to somebody else: `git config --global --add safe.directory FOLDER` trusts it"
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

/// The lines of git's that matter, on one line.
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
