//! What is open around a node: the symbols that hold it, and code without a name.

use super::Walk;
use crate::{SymbolKind, Visibility};

/// Bytes of the names around a symbol that its qualified name has: every member repeats
/// them, so that one long name would cost memory for each of thousands of members.
const LONGEST_PREFIX: usize = 500;

/// What is open around a node.
pub(super) struct Scope {
    pub(super) depth: usize,
    pub(super) name: String,
    pub(super) symbol: Option<usize>,
    pub(super) kind: Option<SymbolKind>,
    /// What members are from here on, where a word of its own says so.
    pub(super) access: Option<Visibility>,
}

impl<'t> Walk<'t> {
    /// Opens code whose variables are its own.
    pub(crate) fn open_local(&mut self) {
        self.open_anonymous(SymbolKind::Function);
    }

    /// Opens a type without a name.
    pub(crate) fn open_anonymous(&mut self, kind: SymbolKind) {
        self.scopes.push(Scope {
            depth: self.depth,
            name: String::new(),
            symbol: None,
            kind: Some(kind),
            access: None,
        });
    }

    /// The code inside a property has variables of its own.
    pub(crate) fn open_local_if_code(&mut self) {
        if self
            .scopes
            .last()
            .is_some_and(|scope| scope.depth == self.depth)
        {
            self.open_local();
        }
    }

    /// From here on the members of what is open are that.
    pub(crate) fn set_access(&mut self, access: Visibility) {
        let depth = self.depth;
        let mut open = self.scopes.iter_mut().rev();
        if let Some(scope) = open.find(|scope| scope.depth < depth) {
            scope.access = Some(access);
        }
    }

    /// What members of what is open are, where a word said so.
    pub(crate) fn access(&self) -> Option<Visibility> {
        self.around().next().and_then(|scope| scope.access)
    }

    /// The member of that name is what a word after it says.
    pub(crate) fn change_access(&mut self, name: &str, access: Visibility) {
        let parent = self.parent();
        let symbols = &mut self.found.symbols;
        let member = self.members.last(symbols, parent, name);
        if let Some(symbol) = member.and_then(|at| symbols.get_mut(at)) {
            symbol.visibility = access;
        }
    }

    /// Who may use what is open around the node.
    pub(crate) fn around_visibility(&self) -> Visibility {
        self.parent()
            .map_or(Visibility::Public, |at| self.found.symbols[at].visibility)
    }

    /// How what is open around the node is declared.
    pub(crate) fn around_signature(&self) -> &str {
        self.parent()
            .map_or("", |at| self.found.symbols[at].signature.as_str())
    }

    /// The name with those of what is open around the node.
    pub(crate) fn path_with(&self, name: &str) -> String {
        self.qualified(None, name)
    }

    /// Whether what is defined here is local to a function.
    pub(crate) fn is_in_function(&self) -> bool {
        let is_code = |kind: SymbolKind| kind.is_function() || kind == SymbolKind::Test;
        self.around_kind().is_some_and(is_code)
    }

    /// Whether what is defined here is a member of a type.
    pub(crate) fn is_in_type(&self) -> bool {
        self.around_kind().is_some_and(SymbolKind::is_type)
    }

    /// The kind of what is open around the node.
    pub(crate) fn around_kind(&self) -> Option<SymbolKind> {
        self.around().next().and_then(|scope| scope.kind)
    }

    /// The name of what is open around the node.
    pub(crate) fn around_name(&self) -> Option<&str> {
        self.around().next().map(|scope| scope.name.as_str())
    }

    pub(super) fn around(&self) -> impl Iterator<Item = &Scope> {
        let depth = self.depth;
        self.scopes
            .iter()
            .rev()
            .filter(move |scope| scope.depth < depth)
    }

    pub(super) fn parent(&self) -> Option<usize> {
        self.around().find_map(|scope| scope.symbol)
    }

    pub(super) fn parent_or_open(&self) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.symbol)
    }

    pub(super) fn qualified(&self, owner: Option<&str>, name: &str) -> String {
        let open = self.scopes.iter().filter(|scope| scope.depth < self.depth);
        let names = open.map(|scope| scope.name.as_str()).chain(owner);
        let mut qualified = String::new();
        for part in names.filter(|part| !part.is_empty()) {
            if qualified.len() > LONGEST_PREFIX {
                break;
            }
            qualified.push_str(&part[..part.floor_char_boundary(LONGEST_PREFIX)]);
            qualified.push_str(self.spec.separator);
        }
        qualified.push_str(name);
        qualified
    }

    /// How many symbols are open around the node.
    pub(crate) fn open_count(&self) -> usize {
        self.around().filter(|scope| scope.symbol.is_some()).count()
    }

    /// How many modules are open around the node.
    pub(super) fn open_modules(&self) -> usize {
        let is_module = |scope: &&Scope| scope.kind == Some(SymbolKind::Module);
        self.around().filter(is_module).count()
    }

    /// One more way through the innermost function.
    pub(crate) fn branch(&mut self) {
        let mut open = self.scopes.iter().rev().filter_map(|scope| scope.symbol);
        let symbols = &mut self.found.symbols;
        let function = open.find(|at| symbols[*at].complexity.is_some());
        if let Some(complexity) = function.and_then(|at| symbols[at].complexity.as_mut()) {
            *complexity += 1;
        }
    }

    /// Whether the name is bound here for the first time.
    pub(crate) fn binds(&mut self, name: &'t str) -> bool {
        let parent = self.parent();
        self.bound.insert((parent, name))
    }

    /// Whether nothing is open around the node.
    pub(crate) fn is_outermost(&self) -> bool {
        self.around().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;

    use crate::{Language, Limits, extract};

    #[test]
    fn members_of_a_long_name_have_short_qualified_names() {
        for length in [10, 1_000, 3_000] {
            let name = "A".repeat(length);
            let members: String = (0..100)
                .map(|at| format!("    def f{at}(self): pass\n"))
                .collect();
            let text = format!("class {name}:\n{members}");
            let language = Language::detect(&RepoPath::new("a.py").unwrap(), &text).unwrap();
            let symbols = extract(language, &text, &Limits::default()).symbols;
            let members: Vec<_> = symbols.iter().filter(|one| one.parent.is_some()).collect();
            assert_eq!(members.len(), 100, "{length}");
            let bytes: usize = members.iter().map(|one| one.qualified.len()).sum();
            assert!(bytes <= 100 * 510, "{length}: {bytes}");
            assert!(members.iter().all(|one| one.qualified.ends_with(&one.name)));
        }
    }
}
