//! Units of similarity search: files, types, functions, or the parts for selection.

use std::collections::BTreeMap;

use loom_program::DefinitionId;
use loom_syntax::SymbolKind;

use super::corpus::Corpus;

/// Size of the units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Granularity {
    /// Whole files.
    File,
    /// Classes and other types, with all their members.
    Class,
    /// Functions and methods.
    Function,
    /// Parts: functions, headers of types, and the text between them. Every line is in one.
    #[default]
    Chunk,
}

impl Granularity {
    /// All sizes.
    pub const ALL: [Self; 4] = [Self::File, Self::Class, Self::Function, Self::Chunk];

    /// Returns the name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Class => "class",
            Self::Function => "function",
            Self::Chunk => "chunk",
        }
    }

    /// Returns the size with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// Parts of a file that share one embedding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The file.
    pub file: u32,
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Qualified name of its symbol.
    pub symbol: Option<String>,
    /// Its parts.
    pub parts: Vec<u32>,
}

/// No code nests deeper.
const DEEPEST: usize = 64;

/// Identity of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    File(u32),
    Symbol(DefinitionId),
    Part(u32),
}

impl Corpus {
    /// Returns all units of a size, in the order of files and lines.
    pub fn units(&self, granularity: Granularity) -> Vec<Unit> {
        let mut units: BTreeMap<(u32, Key), Unit> = BTreeMap::new();
        for (number, part) in (0..).zip(self.parts.iter()) {
            let own = self.definition_of(number);
            let key = match granularity {
                Granularity::File => Some(Key::File(part.file)),
                Granularity::Chunk => Some(Key::Part(number)),
                Granularity::Class => self.enclosing(own, is_class).map(Key::Symbol),
                Granularity::Function => self
                    .enclosing(own, SymbolKind::is_function)
                    .map(Key::Symbol),
            };
            let Some(key) = key else { continue };
            let symbol = match key {
                Key::File(_) => None,
                Key::Symbol(id) => Some(id),
                Key::Part(_) => own,
            };
            let unit = units.entry((part.file, key)).or_insert_with(|| Unit {
                file: part.file,
                first: part.first,
                last: part.last,
                symbol: symbol.map(|id| self.full_name(id)),
                parts: Vec::new(),
            });
            unit.last = unit.last.max(part.last);
            unit.parts.push(number);
        }
        let mut units: Vec<Unit> = units.into_values().collect();
        units.sort_by_key(|unit| (unit.file, unit.first, unit.last));
        units
    }

    /// Returns the definition, or the nearest one around it, of a wanted kind.
    fn enclosing(
        &self,
        mut id: Option<DefinitionId>,
        is_wanted: fn(SymbolKind) -> bool,
    ) -> Option<DefinitionId> {
        for _ in 0..DEEPEST {
            let one = id?;
            if is_wanted(self.program.definition(one).kind) {
                return Some(one);
            }
            id = self.program.parent(one);
        }
        None
    }

    fn full_name(&self, id: DefinitionId) -> String {
        let name = self.program.name(id);
        match self.program.owner(id) {
            Some(owner) => format!("{owner}.{name}"),
            None => name.to_owned(),
        }
    }
}

/// Returns true for a type with members.
fn is_class(kind: SymbolKind) -> bool {
    kind.is_type()
}
