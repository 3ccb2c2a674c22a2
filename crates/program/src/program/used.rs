//! A use of a name, as a record of fixed size: a repository has millions, and they may be stored in
//! a file.

use bytemuck::{Pod, Zeroable};
use loom_syntax::ReferenceKind;

use super::intern::Name;

/// Maximum count of a record. Further uses are not counted.
const MOST: u32 = (1 << KIND) - 1;
/// Number of bits below the kind.
const KIND: u32 = 24;

/// Uses of one name in one symbol that have everything in common that decides their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Use {
    name: u32,
    /// Number of the qualifier plus 1, or 0.
    qualifier: u32,
    /// Index of the enclosing symbol plus 1, or 0.
    from: u32,
    /// Position of the kind in [`ReferenceKind::ALL`], then the count.
    kind_and_count: u32,
}

impl Use {
    pub(super) fn new(
        name: Name,
        qualifier: Option<Name>,
        from: Option<u32>,
        kind: ReferenceKind,
    ) -> Self {
        let plus_one = |number: Option<u32>| number.map_or(0, |number| number.saturating_add(1));
        let kind = ReferenceKind::ALL.iter().position(|one| *one == kind);
        Self {
            name: name.0,
            qualifier: plus_one(qualifier.map(|name| name.0)),
            from: plus_one(from),
            kind_and_count: u32::try_from(kind.unwrap_or(0)).unwrap_or(0) << KIND | 1,
        }
    }

    /// Adds the count of an equal use. Returns whether it is equal.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let key = |one: &Self| {
            (
                one.name,
                one.qualifier,
                one.from,
                one.kind_and_count >> KIND,
            )
        };
        let is_same = key(self) == key(other);
        if is_same {
            let count = (self.count() + other.count()).min(MOST);
            self.kind_and_count = self.kind_and_count & !MOST | count;
        }
        is_same
    }

    pub(super) fn name(&self) -> Name {
        Name(self.name)
    }

    pub(super) fn qualifier(&self) -> Option<Name> {
        self.qualifier.checked_sub(1).map(Name)
    }

    /// Returns the number of the name, among [`Program::names`].
    ///
    /// [`Program::names`]: super::Program::names
    pub fn name_number(&self) -> u32 {
        self.name
    }

    /// Returns the enclosing symbol, by its index in the file.
    pub fn from(&self) -> Option<u32> {
        self.from.checked_sub(1)
    }

    /// Returns the kind of reference.
    pub fn kind(&self) -> ReferenceKind {
        let at = (self.kind_and_count >> KIND) as usize;
        // `has_kind` rejects stored records with another number.
        let kind = ReferenceKind::ALL.get(at).copied();
        kind.unwrap_or(ReferenceKind::ALL[0])
    }

    /// Returns the number of uses in that symbol.
    pub fn count(&self) -> u32 {
        self.kind_and_count & MOST
    }

    /// Returns whether the kind of a stored record exists.
    pub(super) fn has_kind(&self) -> bool {
        ((self.kind_and_count >> KIND) as usize) < ReferenceKind::ALL.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_returns_its_fields() {
        for kind in ReferenceKind::ALL {
            let one = Use::new(Name(7), Some(Name(0)), Some(3), *kind);
            assert_eq!((one.name(), one.qualifier()), (Name(7), Some(Name(0))));
            assert_eq!((one.from(), one.kind(), one.count()), (Some(3), *kind, 1));
            let bare = Use::new(Name(7), None, None, *kind);
            assert_eq!((bare.qualifier(), bare.from()), (None, None));
        }
    }

    #[test]
    fn counts_add_up_to_a_limit() {
        let one = Use::new(Name(1), None, None, ReferenceKind::ALL[1]);
        let mut sum = one;
        assert!(sum.join(&one) && sum.count() == 2);
        sum.kind_and_count |= MOST;
        assert!(sum.join(&one));
        assert_eq!((sum.count(), sum.kind()), (MOST, ReferenceKind::ALL[1]));
        assert!(!sum.join(&Use::new(Name(2), None, None, ReferenceKind::ALL[1])));
    }
}
