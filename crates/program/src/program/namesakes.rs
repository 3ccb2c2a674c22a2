//! The definitions of each name, in two flat lists.

use loom_syntax::SymbolKind;

use super::intern::Name;
use super::{Definition, DefinitionId};

/// Limit of definitions of a name, in one file, or in the repository if the file has no nearer
/// ones; beyond it, the name is ambiguous. Each use compares all of them, so without a limit a
/// repository could choose a cost that is the product of uses and definitions.
pub(super) const MOST_NAMESAKES: usize = 2_000;

/// Definitions that each name can refer to, in their order.
#[derive(Debug, Default)]
pub(super) struct Namesakes {
    /// Start of each name's definitions, and the end of all.
    starts: Vec<u32>,
    ids: Vec<DefinitionId>,
}

impl Namesakes {
    /// Groups definitions by their names, of which there are `names`. Returns `None` if a
    /// definition has a name beyond them.
    pub(super) fn new(definitions: &[Definition], names: usize) -> Option<Self> {
        let mut starts = vec![0_u32; names + 1];
        for one in definitions {
            let end = starts.get_mut(one.name.0 as usize + 1)?;
            *end += u32::from(can_be_referenced(one.kind));
        }
        for at in 0..names {
            starts[at + 1] += starts[at];
        }
        let mut ids = vec![DefinitionId(0); starts[names] as usize];
        let mut next = starts.clone();
        for (one, id) in definitions.iter().zip(0..) {
            if can_be_referenced(one.kind) {
                let at = &mut next[one.name.0 as usize];
                ids[*at as usize] = DefinitionId(id);
                *at += 1;
            }
        }
        Some(Self { starts, ids })
    }

    /// Returns the definitions of a name.
    pub(super) fn get(&self, name: Name) -> &[DefinitionId] {
        let at = name.0 as usize;
        match (self.starts.get(at), self.starts.get(at.saturating_add(1))) {
            (Some(start), Some(end)) => &self.ids[*start as usize..*end as usize],
            _ => &[],
        }
    }
}

/// Returns whether code refers to such a symbol by its name.
pub(super) fn can_be_referenced(kind: SymbolKind) -> bool {
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
