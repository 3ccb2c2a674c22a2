//! Which kinds of symbols a map shows.

use loom_syntax::SymbolKind;

/// Which kinds of symbols are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extract {
    /// Functions, methods and macros.
    pub functions: bool,
    /// Classes, structs and enumerations.
    pub classes: bool,
    /// Interfaces, traits and protocols.
    pub interfaces: bool,
    /// Aliases of types, tables.
    pub types: bool,
    /// Constants and variables outside of functions.
    pub constants: bool,
    /// Which files use which.
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
    /// Returns true if anything but the graph is asked for.
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
