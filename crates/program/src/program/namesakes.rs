//! The definitions of each name, in two flat lists.

use loom_syntax::SymbolKind;

use super::intern::Name;
use super::{Definition, DefinitionId};

/// A name with more definitions in one file, or in the repository where the file says
/// nothing nearer, is ambiguous. Each use looks at all of them, so that a repository
/// would choose a cost that is the product of uses and definitions.
pub(super) const MOST_NAMESAKES: usize = 2_000;

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

/// Whether the name of such a symbol is used to mean it.
pub(super) fn can_be_meant(kind: SymbolKind) -> bool {
    kind.is_function()
        || (kind.is_type() && kind != SymbolKind::Impl)
        || matches!(
            kind,
            SymbolKind::Type
                | SymbolKind::Macro
                | SymbolKind::Constant
                | SymbolKind::Variable
                | SymbolKind::Property
                | SymbolKind::Field
                | SymbolKind::EnumMember
                | SymbolKind::Module
        )
}
