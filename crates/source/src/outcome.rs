//! Every reason why something in a repository is not packed. There is exactly
//! one for each thing left out, and a report can count and name them all.

use std::fmt;

use loom_base::{RepoPath, printable};

use crate::rules::Rule;

/// Something that was found and not taken.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The file, or a whole folder when a rule covers it.
    pub path: RepoPath,
    /// Whether `path` is a folder.
    pub is_dir: bool,
    /// Why it was left out.
    pub reason: Reason,
}

/// Why something was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// An ignore file, a built-in default or a filter of the user.
    Rule(Rule),
    /// The contents are not text.
    Binary,
    /// The file is larger than the limit.
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// A bundle in a few very long lines.
    Minified,
    /// The permissions or the disk do not allow reading it.
    Unreadable {
        /// What the system said.
        message: String,
    },
    /// It was there when the folder was listed and gone when it was read.
    Vanished,
    /// It changed during every attempt to read it.
    KeptChanging,
    /// A symbolic link; links are never followed.
    Symlink {
        /// Where it points, as written.
        target: String,
    },
    /// Something that is neither file, folder nor link.
    Special(SpecialKind),
    /// A pointer to contents that git LFS keeps elsewhere.
    LfsPointer,
    /// A submodule that is not checked out.
    SubmoduleMissing,
    /// Tracked by git, outside the sparse checkout.
    SparseCheckout,
    /// Tracked by git, deleted from the working tree.
    Deleted,
    /// Somebody listed it, and there is nothing there.
    Absent,
    /// The file that this run writes.
    OutputFile,
    /// The folder in which this program remembers what it derived.
    Cache,
    /// An earlier output of this program.
    EarlierPack,
    /// There was no room for it within the budget.
    OverBudget,
}

/// What a special file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpecialKind {
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A character or block device.
    Device,
    /// Something else the platform knows.
    Other,
}

impl Reason {
    /// A stable short name of the kind of reason, for counting and for programs.
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
            Self::Absent => "absent",
            Self::OutputFile => "output-file",
            Self::Cache => "cache",
            Self::EarlierPack => "earlier-pack",
            Self::OverBudget => "over-budget",
        }
    }

    /// Its parts that quote the repository or the system: patterns, paths, messages.
    pub fn quoted(&mut self) -> Vec<&mut String> {
        match self {
            Self::Rule(rule) => rule.quoted(),
            Self::Unreadable { message } => vec![message],
            Self::Symlink { target } => vec![target],
            _ => Vec::new(),
        }
    }

    /// Whether a person wanted it out, or nobody wants it, so that a summary may
    /// count it without a warning.
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
