//! Members of values with an unknown type: `reader.next()`. The evidence is the name of the value,
//! the types that the file mentions, and the number of members with the name.

use loom_syntax::{SymbolKind, Visibility};

use super::intern::{Name, is_compound, is_named_after};
use super::meaning::{NameResolution, ResolvedBy};
use super::namesakes::MOST_NAMESAKES;
use super::scope::Scope;
use super::{Definition, DefinitionId};

/// Maximum number of types with a member of that name; a more common name proves nothing.
const MOST: usize = 8;

/// Shares of all candidates together, for each kind of evidence. Only their order is certain: a
/// value with a known type proves more than a value, and a type alone least. They stay below 1,
/// because a name without a declaration may always mean another definition.
const VALUE_AND_TYPE: f32 = 0.9;
const VALUE: f32 = 0.6;
const TYPE_AND_NAME: f32 = 0.5;
const TYPE: f32 = 0.15;
const NAME: f32 = 0.35;

/// Compound names that values of standard libraries have, too: in Rust, Java and C#, JavaScript,
/// Python.
const EVERYWHERE: &[&str] = &[
    "as_ref",
    "as_mut",
    "as_str",
    "as_bytes",
    "as_slice",
    "as_deref",
    "is_none",
    "is_some",
    "is_ok",
    "is_err",
    "is_empty",
    "is_file",
    "is_dir",
    "to_string",
    "to_owned",
    "to_vec",
    "into_iter",
    "into_inner",
    "and_then",
    "or_else",
    "map_err",
    "get_mut",
    "starts_with",
    "ends_with",
    "push_str",
    "write_all",
    "write_str",
    "read_line",
    "size_hint",
    "from_str",
    "file_name",
    "toString",
    "hashCode",
    "getClass",
    "getName",
    "getKey",
    "getValue",
    "isEmpty",
    "addAll",
    "putAll",
    "containsKey",
    "forEach",
    "indexOf",
    "startsWith",
    "endsWith",
    "hasOwnProperty",
    "ToString",
    "GetHashCode",
];

/// Evidence for a candidate, strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    ValueAndType,
    Value,
    Type,
    Nothing,
}

impl Scope<'_> {
    /// Returns the members with that name that a value may have.
    pub(super) fn of_value(&self, value: Option<Name>, name: Name) -> NameResolution {
        let program = self.program;
        if program.all(name).len() > MOST_NAMESAKES {
            return NameResolution::unresolved(ResolvedBy::Ambiguous);
        }
        let value = value.map(|value| program.names.text(value));
        let mut best = Evidence::Nothing;
        let mut found: Vec<DefinitionId> = Vec::new();
        let mut is_any = false;
        for &one in program.all(name) {
            let definition = program.definition(one);
            let Some(owner) = definition.owner.filter(|_| self.may_mean(definition)) else {
                continue;
            };
            is_any = true;
            let evidence = self.evidence(value, owner);
            if evidence < best {
                best = evidence;
                found.clear();
            }
            if evidence == best && found.len() <= 4 * MOST {
                found.push(one);
            }
        }
        let text = program.names.text(name);
        let is_rare = is_compound(text) && !EVERYWHERE.contains(&text);
        let (by, sum) = match best {
            Evidence::ValueAndType => (ResolvedBy::Value, VALUE_AND_TYPE),
            Evidence::Value => (ResolvedBy::Value, VALUE),
            Evidence::Type if is_rare => (ResolvedBy::Guess, TYPE_AND_NAME),
            Evidence::Type => (ResolvedBy::Guess, TYPE),
            Evidence::Nothing if is_rare => (ResolvedBy::Guess, NAME),
            Evidence::Nothing if is_any => {
                return NameResolution::unresolved(ResolvedBy::Ambiguous);
            }
            Evidence::Nothing => return NameResolution::unresolved(ResolvedBy::Unknown),
        };
        match self.distinct_owners(&found) {
            0 => NameResolution::unresolved(ResolvedBy::Unknown),
            1..=MOST => NameResolution::spread(by, sum, found),
            _ => NameResolution::unresolved(ResolvedBy::Ambiguous),
        }
    }

    fn evidence(&self, value: Option<&str>, owner: Name) -> Evidence {
        let is_named = self.types.contains(&owner);
        let is_called =
            value.is_some_and(|value| is_named_after(value, self.program.names.text(owner)));
        match (is_called, is_named) {
            (true, true) => Evidence::ValueAndType,
            (true, false) => Evidence::Value,
            (false, true) => Evidence::Type,
            (false, false) => Evidence::Nothing,
        }
    }

    /// Returns whether this file can refer to a definition in another file.
    pub(super) fn may_mean(&self, one: &Definition) -> bool {
        let program = self.program;
        let is_here = one.file == self.file;
        let is_hidden = one.visibility == Visibility::Private
            && program.folder(one.file) != program.folder(self.file);
        program.family(one.file) == self.family
            && (is_here || !is_hidden)
            && (self.is_test || !one.is_test)
            && one.kind != SymbolKind::Module
    }

    fn distinct_owners(&self, found: &[DefinitionId]) -> usize {
        let owner = |one: &DefinitionId| {
            let one = self.program.definition(*one);
            (one.owner, one.owner.is_none().then_some(one.file))
        };
        let mut owners: Vec<_> = found.iter().map(owner).collect();
        owners.sort_unstable();
        owners.dedup();
        owners.len()
    }
}
