//! The meaning of a name at a use: the definitions that it may refer to, their likelihoods, and the
//! evidence.

use super::DefinitionId;

/// Maximum number of definitions that a use refers to: more than any function has overloads. Every
/// target of every use is stored, so without a limit a repository could choose a quadratic cost.
const MOST_TARGETS: usize = 100;

/// Resolution of a name at a use.
#[derive(Clone, Debug, PartialEq)]
pub struct NameResolution {
    /// Evidence for the meaning.
    pub by: ResolvedBy,
    /// Definitions in their order, with shares whose sum is at most 1. The rest is the doubt that
    /// none of them is meant.
    pub targets: Vec<(DefinitionId, f32)>,
}

impl NameResolution {
    pub(super) fn unresolved(by: ResolvedBy) -> Self {
        let targets = Vec::new();
        Self { by, targets }
    }

    /// Gives the same share to each definition, `sum` in total. More than [`MOST_TARGETS`]
    /// definitions are ambiguous.
    pub(super) fn spread(by: ResolvedBy, sum: f32, mut found: Vec<DefinitionId>) -> Self {
        found.sort_unstable();
        found.dedup();
        if found.len() > MOST_TARGETS {
            return Self::unresolved(ResolvedBy::Ambiguous);
        }
        let share = sum / found.len().max(1) as f32;
        let targets = found.into_iter().map(|one| (one, share)).collect();
        Self { by, targets }
    }
}

/// Evidence for the meaning of a name, or the reason why it is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ResolvedBy {
    /// It is defined in the same file, in a visible scope.
    File,
    /// It is a member of the enclosing type, or of one of its bases.
    Own,
    /// An import names it.
    Import,
    /// It is defined in the same package, or in a file whose names are all visible.
    Package,
    /// It is a member of a type that the qualifier names.
    Member,
    /// It is a member of a type after which the value is named.
    Value,
    /// It is a member of a type that the file names, or has a name that few definitions share.
    Guess,
    /// No visible definition has this name, and few definitions of the repository have it.
    Global,
    /// Too many definitions have this name.
    Ambiguous,
    /// It is defined outside of the repository.
    Outside,
    /// No definition has this name.
    Unknown,
}

impl ResolvedBy {
    /// Returns the name for programs.
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

    /// Returns whether the text itself is the evidence, so that no other meaning is likely.
    pub fn is_certain(self) -> bool {
        matches!(
            self,
            Self::File | Self::Own | Self::Import | Self::Package | Self::Member
        )
    }
}
