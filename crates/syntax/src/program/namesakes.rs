//! The definitions of each name, in two flat lists.

use super::build::can_be_meant;
use super::intern::Name;
use super::{Definition, DefinitionId};

/// The definitions that each name can mean, in their order.
#[derive(Debug, Default)]
pub(super) struct Namesakes {
    /// Where the definitions of each name begin, and the end of all.
    starts: Vec<u32>,
    ids: Vec<DefinitionId>,
}

impl Namesakes {
    /// Sorts definitions by their names, of which there are `names`. Returns `None` if a
    /// definition has another name.
    pub(super) fn new(definitions: &[Definition], names: usize) -> Option<Self> {
        let mut starts = vec![0_u32; names + 1];
        for one in definitions {
            let end = starts.get_mut(one.name.0 as usize + 1)?;
            *end += u32::from(can_be_meant(one.kind));
        }
        for at in 0..names {
            starts[at + 1] += starts[at];
        }
        let mut ids = vec![DefinitionId(0); starts[names] as usize];
        let mut next = starts.clone();
        for (one, id) in definitions.iter().zip(0..) {
            if can_be_meant(one.kind) {
                let at = &mut next[one.name.0 as usize];
                ids[*at as usize] = DefinitionId(id);
                *at += 1;
            }
        }
        Some(Self { starts, ids })
    }

    /// Returns the definitions of a name.
    pub(super) fn of(&self, name: Name) -> &[DefinitionId] {
        let at = name.0 as usize;
        match (self.starts.get(at), self.starts.get(at.saturating_add(1))) {
            (Some(start), Some(end)) => &self.ids[*start as usize..*end as usize],
            _ => &[],
        }
    }
}
