//! Kinds of symbols in a map.

use loom_syntax::SymbolKind;

/// Kinds of symbols to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extract {
    /// Functions, methods and macros.
    pub functions: bool,
    /// Classes, structs and enumerations.
    pub classes: bool,
    /// Interfaces, traits and protocols.
    pub interfaces: bool,
    /// Type aliases, tables.
    pub types: bool,
    /// Constants and variables outside of functions.
    pub constants: bool,
    /// References between files.
    pub imports: bool,
}

impl Default for Extract {
    fn default() -> Self {
        Self {
            functions: true,
            classes: true,
            interfaces: true,
            types: true,
            constants: true,
            imports: true,
        }
    }
}

impl Extract {
    /// Returns true if any kind of symbol is shown.
    pub(super) fn has_symbols(&self) -> bool {
        self.functions || self.classes || self.interfaces || self.types || self.constants
    }

    pub(super) fn shows(&self, kind: SymbolKind) -> bool {
        match kind {
            SymbolKind::Interface | SymbolKind::Trait => self.interfaces,
            SymbolKind::Type | SymbolKind::Table => self.types,
            SymbolKind::Constant | SymbolKind::Variable => self.constants,
            kind if kind.is_type() => self.classes,
            _ => self.functions,
        }
    }
}
