//! Open scopes around a node: symbols that contain it, and code without a name.

use super::Walk;
use crate::{SymbolKind, Visibility};

/// Maximum length of the prefix in a qualified name. Every member repeats the prefix, so a single
/// long name would cost memory for each of thousands of members.
const LONGEST_PREFIX: usize = 500;

/// Scope around a node.
pub(super) struct Scope {
    pub(super) depth: usize,
    pub(super) name: String,
    pub(super) symbol: Option<usize>,
    pub(super) kind: Option<SymbolKind>,
    /// Visibility of the following members, if a statement sets it.
    pub(super) access: Option<Visibility>,
}

impl<'t> Walk<'t> {
    /// Opens code with its own variables.
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

    /// Opens the code inside a property, which has its own variables.
    pub(crate) fn open_local_if_code(&mut self) {
        if self
            .scopes
            .last()
            .is_some_and(|scope| scope.depth == self.depth)
        {
            self.open_local();
        }
    }

    /// Sets the visibility of the following members of the open scope.
    pub(crate) fn set_access(&mut self, access: Visibility) {
        let depth = self.depth;
        let mut open = self.scopes.iter_mut().rev();
        if let Some(scope) = open.find(|scope| scope.depth < depth) {
            scope.access = Some(access);
        }
    }

    /// Returns the visibility that a statement set for members of the open scope.
    pub(crate) fn access(&self) -> Option<Visibility> {
        self.enclosing().next().and_then(|scope| scope.access)
    }

    /// Changes the visibility of the member with that name.
    pub(crate) fn change_access(&mut self, name: &str, access: Visibility) {
        let parent = self.parent();
        let symbols = &mut self.found.symbols;
        let member = self.members.last(symbols, parent, name);
        if let Some(symbol) = member.and_then(|at| symbols.get_mut(at)) {
            symbol.visibility = access;
        }
    }

    /// Returns the visibility of the enclosing symbol.
    pub(crate) fn around_visibility(&self) -> Visibility {
        self.parent()
            .map_or(Visibility::Public, |at| self.found.symbols[at].visibility)
    }

    /// Returns the signature of the enclosing symbol.
    pub(crate) fn around_signature(&self) -> &str {
        self.parent()
            .map_or("", |at| self.found.symbols[at].signature.as_str())
    }

    /// Returns the name with the names of the enclosing scopes.
    pub(crate) fn path_with(&self, name: &str) -> String {
        self.qualified(None, name)
    }

    /// Returns whether a definition here is local to a function.
    pub(crate) fn is_in_function(&self) -> bool {
        let is_code = |kind: SymbolKind| kind.is_function() || kind == SymbolKind::Test;
        self.around_kind().is_some_and(is_code)
    }

    /// Returns whether a definition here is a member of a type.
    pub(crate) fn is_in_type(&self) -> bool {
        self.around_kind().is_some_and(SymbolKind::is_type)
    }

    /// Returns the kind of the enclosing scope.
    pub(crate) fn around_kind(&self) -> Option<SymbolKind> {
        self.enclosing().next().and_then(|scope| scope.kind)
    }

    /// Returns the name of the enclosing scope.
    pub(crate) fn around_name(&self) -> Option<&str> {
        self.enclosing().next().map(|scope| scope.name.as_str())
    }

    pub(super) fn enclosing(&self) -> impl Iterator<Item = &Scope> {
        let depth = self.depth;
        self.scopes
            .iter()
            .rev()
            .filter(move |scope| scope.depth < depth)
    }

    pub(super) fn parent(&self) -> Option<usize> {
        self.enclosing().find_map(|scope| scope.symbol)
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

    /// Returns the number of symbols around the node.
    pub(crate) fn open_count(&self) -> usize {
        self.enclosing()
            .filter(|scope| scope.symbol.is_some())
            .count()
    }

    /// Returns the number of modules around the node.
    pub(super) fn open_modules(&self) -> usize {
        let is_module = |scope: &&Scope| scope.kind == Some(SymbolKind::Module);
        self.enclosing().filter(is_module).count()
    }

    /// Counts a branch of the innermost function.
    pub(crate) fn branch(&mut self) {
        let mut open = self.scopes.iter().rev().filter_map(|scope| scope.symbol);
        let symbols = &mut self.found.symbols;
        let function = open.find(|at| symbols[*at].complexity.is_some());
        if let Some(complexity) = function.and_then(|at| symbols[at].complexity.as_mut()) {
            *complexity += 1;
        }
    }

    /// Returns whether the name is bound here for the first time.
    pub(crate) fn binds(&mut self, name: &'t str) -> bool {
        let parent = self.parent();
        self.bound.insert((parent, name))
    }

    /// Returns whether no scope is open around the node.
    pub(crate) fn is_outermost(&self) -> bool {
        self.enclosing().next().is_none()
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
