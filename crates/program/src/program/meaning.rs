//! What the use of a name means: the definitions that it may mean, how likely each is,
//! and how that is known.

use super::DefinitionId;

/// A use means at most this many definitions: more than any function has overloads. Every
/// target of every use is kept, so that a repository would choose a product as the cost.
const MOST_TARGETS: usize = 100;

/// What a name means where it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// How it is known.
    pub by: By,
    /// The definitions, in their order, with shares of at most 1 together. What is
    /// missing to 1 is the doubt that it is any of them.
    pub targets: Vec<(DefinitionId, f32)>,
}

impl Meaning {
    pub(super) fn nothing(by: By) -> Self {
        let targets = Vec::new();
        Self { by, targets }
    }

    /// The same share for each of the definitions, `sum` together. More than
    /// [`MOST_TARGETS`] say nothing.
    pub(super) fn spread(by: By, sum: f32, mut found: Vec<DefinitionId>) -> Self {
        found.sort_unstable();
        found.dedup();
        if found.len() > MOST_TARGETS {
            return Self::nothing(By::Ambiguous);
        }
        let share = sum / found.len().max(1) as f32;
        let targets = found.into_iter().map(|one| (one, share)).collect();
        Self { by, targets }
    }
}

/// How the meaning of a name is known, or why it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum By {
    /// It is defined in the same file, in sight.
    File,
    /// It is a member of the type around the use, or of one that it inherits from.
    Own,
    /// An import names it.
    Import,
    /// It is defined in the same package, or in a file whose names are all seen.
    Package,
    /// It is a member of a type that the qualifier names.
    Member,
    /// It is a member of a type that the value seems to be called after.
    Value,
    /// It is a member of a type that the file names, or has a name that few share.
    Guess,
    /// Nothing in sight has this name, and few definitions of the repository do.
    Global,
    /// Too many definitions have this name to say which is meant.
    Ambiguous,
    /// It comes from outside of the repository.
    Outside,
    /// Nothing of that name is known.
    Unknown,
}

impl By {
    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Own => "own",
            Self::Import => "import",
            Self::Package => "package",
            Self::Member => "member",
            Self::Value => "value",
            Self::Guess => "guess",
            Self::Global => "global",
            Self::Ambiguous => "ambiguous",
            Self::Outside => "outside",
            Self::Unknown => "unknown",
        }
    }

    /// Whether the text says it, so that no other meaning is likely.
    pub fn is_certain(self) -> bool {
        matches!(
            self,
            Self::File | Self::Own | Self::Import | Self::Package | Self::Member
        )
    }
}
