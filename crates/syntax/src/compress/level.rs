//! How much of a text is left out: the levels, from nothing to one line a symbol.

use std::fmt;

/// How much is left out. Each level leaves out what the one before it does, and more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing: the text as it is.
    #[default]
    None,
    /// Space at line ends, runs of blank lines, licence headers.
    Minimal,
    /// Also long bodies, long data literals, and comments that say nothing.
    Balanced,
    /// Signatures, documentation and types.
    Aggressive,
    /// One line a symbol.
    Extreme,
}

impl Level {
    /// All of them, the gentlest first.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Minimal,
        Self::Balanced,
        Self::Aggressive,
        Self::Extreme,
    ];

    /// The word for people and programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Balanced => "balanced",
            Self::Aggressive => "aggressive",
            Self::Extreme => "extreme",
        }
    }

    /// The level of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The next one down, which leaves out less.
    #[must_use]
    pub const fn gentler(self) -> Self {
        match self {
            Self::None | Self::Minimal => Self::None,
            Self::Balanced => Self::Minimal,
            Self::Aggressive => Self::Balanced,
            Self::Extreme => Self::Aggressive,
        }
    }

    /// A function body of more lines than this is left out.
    #[cfg(feature = "grammars")]
    pub(super) const fn longest_body(self) -> usize {
        match self {
            Self::None | Self::Minimal => usize::MAX,
            // Half of a screen: what is shorter is read at a glance.
            Self::Balanced => 12,
            Self::Aggressive | Self::Extreme => 1,
        }
    }

    /// A data literal of more lines than this is cut after its first elements.
    #[cfg(feature = "grammars")]
    pub(super) const fn longest_literal(self) -> usize {
        match self {
            Self::None | Self::Minimal => usize::MAX,
            Self::Balanced => 12,
            Self::Aggressive | Self::Extreme => 4,
        }
    }

    /// How many elements of a cut literal stay, so that a reader sees their form.
    #[cfg(feature = "grammars")]
    pub(super) const fn shown_elements(self) -> usize {
        match self {
            Self::Aggressive | Self::Extreme => 1,
            _ => 3,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
