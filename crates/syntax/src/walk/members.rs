//! Index of members by their parent and name, so that a statement about a member need not search
//! all symbols before it.

use std::collections::HashMap;

use crate::Symbol;

/// Last symbol of each parent and name, built lazily.
#[derive(Default)]
pub(super) struct Members {
    last: HashMap<(Option<usize>, String), usize>,
    /// Number of indexed symbols.
    read: usize,
}

impl Members {
    /// Returns the last symbol with that name inside `parent`. Each symbol is indexed once,
    /// regardless of the number of calls; `symbols` only grows between them.
    pub(super) fn last(
        &mut self,
        symbols: &[Symbol],
        parent: Option<usize>,
        name: &str,
    ) -> Option<usize> {
        for (at, symbol) in symbols.iter().enumerate().skip(self.read) {
            self.last.insert((symbol.parent, symbol.name.clone()), at);
        }
        self.read = symbols.len();
        self.last.get(&(parent, name.to_owned())).copied()
    }
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;

    use super::*;
    use crate::{Language, Limits, Structure, Visibility, extract};

    fn structure(text: &str) -> Structure {
        let language = Language::detect(&RepoPath::new("a.rb").unwrap(), text).unwrap();
        extract(language, text, &Limits::default())
    }

    #[test]
    fn last_member_of_a_name_before_the_word_changes() {
        let text = "class A\n  def m; end\n  def m; end\n  private :m\n  def m; end\nend\n";
        let visible: Vec<Visibility> = structure(text)
            .symbols
            .iter()
            .filter(|one| one.name == "m")
            .map(|one| one.visibility)
            .collect();
        let (private, public) = (Visibility::Private, Visibility::Public);
        assert_eq!(visible, [public, private, public]);
    }

    #[test]
    fn each_symbol_is_indexed_once() {
        let text: String = (0..500).map(|at| format!("def m{at}; end\n")).collect();
        let symbols = structure(&text).symbols;
        let mut members = Members::default();
        for end in [100, 100, 300, 500] {
            let last = members.last(&symbols[..end], None, "m7");
            assert_eq!(
                (last, members.read, members.last.len()),
                (Some(7), end, end)
            );
        }
        // Indexing from the start would find the removed entry.
        members.last.clear();
        assert_eq!(members.last(&symbols, None, "m7"), None);
    }
}
