//! Reasons for skipping a file. Each skipped file has exactly one, so that a report can count and
//! list all of them.

use std::fmt;

use loom_base::{RepoPath, printable};

use crate::rules::Rule;

/// A file or directory that was found and skipped.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The file, or a whole directory if a rule covers it.
    pub path: RepoPath,
    /// True if `path` is a directory.
    pub is_dir: bool,
    /// The reason for skipping it.
    pub reason: Reason,
}

/// Reason for skipping a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// An ignore file, a built-in rule, or a filter of the user.
    Rule(Rule),
    /// The contents are not text.
    Binary,
    /// The file is larger than the limit.
    TooLarge {
        /// Size in bytes.
        size: u64,
        /// Limit in bytes.
        limit: u64,
    },
    /// Minified code: a bundle in a few very long lines.
    Minified,
    /// Permissions or the disk prevent reading.
    Unreadable {
        /// The error of the operating system.
        message: String,
    },
    /// It existed when the directory was listed, but not when it was read.
    Vanished,
    /// It changed during every attempt to read it.
    KeptChanging,
    /// A symbolic link; links are never followed.
    Symlink {
        /// The target as written.
        target: String,
    },
    /// Neither a file, a directory nor a link.
    Special(SpecialKind),
    /// A pointer to contents that git LFS stores elsewhere.
    LfsPointer,
    /// A submodule that is not checked out.
    SubmoduleMissing,
    /// Tracked by git, outside the sparse checkout.
    SparseCheckout,
    /// Tracked by git, deleted from the working tree.
    Deleted,
    /// Known to git, but it has another path now.
    Renamed {
        /// The new path as displayed.
        to: String,
    },
    /// A list names it, but it does not exist.
    Absent,
    /// The file that this run writes.
    OutputFile,
    /// The cache directory.
    Cache,
    /// An earlier output of Infiniloom.
    EarlierPack,
    /// The budget has no space for it.
    OverBudget,
}

/// Kind of a special file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpecialKind {
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A character or block device.
    Device,
    /// Another kind that the platform knows.
    Other,
}

impl Reason {
    /// Returns a stable short name of the reason, for counting and for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.source.kind(),
            Self::Binary => "binary",
            Self::TooLarge { .. } => "too-large",
            Self::Minified => "minified",
            Self::Unreadable { .. } => "unreadable",
            Self::Vanished => "vanished",
            Self::KeptChanging => "kept-changing",
            Self::Symlink { .. } => "symlink",
            Self::Special(_) => "special-file",
            Self::LfsPointer => "lfs-pointer",
            Self::SubmoduleMissing => "submodule-not-checked-out",
            Self::SparseCheckout => "outside-sparse-checkout",
            Self::Deleted => "deleted",
            Self::Renamed { .. } => "renamed",
            Self::Absent => "absent",
            Self::OutputFile => "output-file",
            Self::Cache => "cache",
            Self::EarlierPack => "earlier-pack",
            Self::OverBudget => "over-budget",
        }
    }

    /// Returns the strings that quote the repository or the system: patterns, paths, messages.
    pub fn quoted(&mut self) -> Vec<&mut String> {
        match self {
            Self::Rule(rule) => rule.quoted(),
            Self::Unreadable { message } => vec![message],
            Self::Symlink { target } => vec![target],
            Self::Renamed { to } => vec![to],
            _ => Vec::new(),
        }
    }

    /// Returns true if a person or a common default excluded the file, so that a summary may count
    /// it without a warning.
    pub fn is_expected(&self) -> bool {
        !matches!(
            self,
            Self::Unreadable { .. }
                | Self::Vanished
                | Self::KeptChanging
                | Self::TooLarge { .. }
                | Self::Absent
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => rule.fmt(f),
            Self::Binary => f.write_str("binary"),
            Self::TooLarge { size, limit } => {
                write!(f, "{size} bytes, more than the limit of {limit}")
            }
            Self::Minified => f.write_str("minified"),
            Self::Unreadable { message } => write!(f, "unreadable: {message}"),
            Self::Vanished => f.write_str("vanished before it was read"),
            Self::KeptChanging => f.write_str("kept changing while it was read"),
            Self::Symlink { target } => {
                write!(f, "symbolic link to {}, not followed", printable(target))
            }
            Self::Special(kind) => kind.fmt(f),
            Self::LfsPointer => f.write_str("git LFS pointer, contents not checked out"),
            Self::SubmoduleMissing => f.write_str("submodule, not checked out"),
            Self::SparseCheckout => f.write_str("outside the sparse checkout"),
            Self::Renamed { to } => write!(f, "renamed to {to}"),
            Self::Deleted => f.write_str("tracked by git, deleted from the working tree"),
            Self::Absent => f.write_str("not there"),
            Self::OutputFile => f.write_str("the output of this run"),
            Self::Cache => f.write_str("what this program remembers between runs"),
            Self::EarlierPack => f.write_str("an earlier pack"),
            Self::OverBudget => f.write_str("no room for it within the budget"),
        }
    }
}

impl fmt::Display for SpecialKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fifo => "named pipe, not read",
            Self::Socket => "socket, not read",
            Self::Device => "device, not read",
            Self::Other => "special file, not read",
        })
    }
}
