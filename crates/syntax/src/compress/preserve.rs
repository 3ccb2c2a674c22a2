//! Sets of kinds of text that stay at any level.

use std::fmt;

/// Kind of text that stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PreservedKind {
    /// Documentation of symbols.
    Docstrings,
    /// Definitions of types.
    Types,
    /// Comments about open tasks: `TODO`, `FIXME`, `HACK`, `XXX`.
    CommentsWithTodo,
    /// All comments.
    Comments,
    /// Public functions, with their bodies.
    Public,
    /// Tests, with their bodies.
    Tests,
    /// Imports.
    Imports,
    /// Data literals.
    Literals,
    /// The licence at the start of a file.
    Licence,
}

impl PreservedKind {
    /// All kinds, with their names.
    pub const ALL: &[(&'static str, Self)] = &[
        ("docstrings", Self::Docstrings),
        ("types", Self::Types),
        ("comments_with_todo", Self::CommentsWithTodo),
        ("comments", Self::Comments),
        ("public", Self::Public),
        ("tests", Self::Tests),
        ("imports", Self::Imports),
        ("literals", Self::Literals),
        ("licence", Self::Licence),
    ];

    /// Returns the kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, kept)| *kept)
    }
}

/// Set of kinds that stay.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Preserve(u16);

impl Preserve {
    /// Empty set.
    pub const NOTHING: Self = Self(0);

    /// Adds a kind.
    #[must_use]
    pub const fn with(self, kept: PreservedKind) -> Self {
        Self(self.0 | 1 << kept as u16)
    }

    /// Returns whether that kind stays.
    pub const fn keeps(self, kept: PreservedKind) -> bool {
        self.0 & 1 << kept as u16 != 0
    }
}

impl FromIterator<PreservedKind> for Preserve {
    fn from_iter<I: IntoIterator<Item = PreservedKind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Self::NOTHING, Self::with)
    }
}

impl fmt::Debug for Preserve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = PreservedKind::ALL
            .iter()
            .filter(|(_, kept)| self.keeps(*kept));
        f.debug_set().entries(kinds.map(|(name, _)| name)).finish()
    }
}
