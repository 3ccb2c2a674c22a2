//! Levels of compression, from none to one line per symbol.

use std::fmt;

/// Level of compression. Each level elides everything that the one before it does, and more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The original text.
    #[default]
    None,
    /// Elides trailing space, runs of blank lines, and licence headers.
    Minimal,
    /// Also elides long bodies, long data literals, and comments without value.
    Balanced,
    /// Keeps signatures, documentation and types.
    Aggressive,
    /// Keeps one line per symbol.
    Extreme,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Minimal,
        Self::Balanced,
        Self::Aggressive,
        Self::Extreme,
    ];

    /// Returns the name for people and programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Balanced => "balanced",
            Self::Aggressive => "aggressive",
            Self::Extreme => "extreme",
        }
    }

    /// Returns the level with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Returns the next weaker level.
    #[must_use]
    pub const fn gentler(self) -> Self {
        match self {
            Self::None | Self::Minimal => Self::None,
            Self::Balanced => Self::Minimal,
            Self::Aggressive => Self::Balanced,
            Self::Extreme => Self::Aggressive,
        }
    }

    /// Returns the maximum number of lines of a function body; longer ones are elided.
    #[cfg(feature = "grammars")]
    pub(super) const fn longest_body(self) -> usize {
        match self {
            Self::None | Self::Minimal => usize::MAX,
            // Half of a screen: a reader takes in a shorter body at a glance.
            Self::Balanced => 12,
            Self::Aggressive | Self::Extreme => 1,
        }
    }

    /// Returns the maximum number of lines of a data literal; longer ones are elided after their
    /// first elements.
    #[cfg(feature = "grammars")]
    pub(super) const fn longest_literal(self) -> usize {
        match self {
            Self::None | Self::Minimal => usize::MAX,
            Self::Balanced => 12,
            Self::Aggressive | Self::Extreme => 4,
        }
    }

    /// Returns the number of elements of an elided literal that stay, so that a reader sees their
    /// form.
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
