//! The type or section around each line of a text. `cut` decides which lines are a part.

use loom_syntax::{Symbol, SymbolKind};

/// Finds the innermost type or section around each line, in one pass over lines and symbols,
/// because a document may have as many of both as lines.
pub(super) struct Surroundings<'s> {
    symbols: &'s [Symbol],
    /// The next symbol that may open.
    next: usize,
    /// Types and sections that have started, in the order of the symbols. A finished one is removed
    /// when it is the last.
    open: Vec<usize>,
    /// Number of comparisons of a symbol with a line.
    #[cfg(test)]
    steps: usize,
}

impl<'s> Surroundings<'s> {
    pub(super) fn new(symbols: &'s [Symbol]) -> Self {
        Self {
            symbols,
            next: 0,
            open: Vec::new(),
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Returns the innermost type around `line`, from 0. Call it in the order of the lines.
    pub(super) fn innermost(&mut self, line: usize) -> Option<usize> {
        while let Some(symbol) = self.symbols.get(self.next) {
            self.count_step();
            if symbol.lines.first > line + 1 {
                break;
            }
            if symbol.kind.is_type() || symbol.kind == SymbolKind::Section {
                self.open.push(self.next);
            }
            self.next += 1;
        }
        while let Some(&last) = self.open.last() {
            self.count_step();
            if self.symbols[last].lines.last > line {
                return Some(last);
            }
            self.open.pop();
        }
        None
    }

    #[cfg(test)]
    fn count_step(&mut self) {
        self.steps += 1;
    }

    #[cfg(not(test))]
    fn count_step(&mut self) {}
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;
    use loom_syntax::{Language, Limits, Structure, extract};

    use super::*;

    fn structure(path: &str, text: &str) -> Structure {
        let language = Language::detect(&RepoPath::new(path).unwrap(), text).unwrap();
        extract(language, text, &Limits::default())
    }

    fn named(path: &str, text: &str) -> Vec<String> {
        let structure = structure(path, text);
        let mut surroundings = Surroundings::new(&structure.symbols);
        let lines = 0..text.lines().count();
        let around = lines.map(|line| surroundings.innermost(line));
        let name = |at: Option<usize>| at.map_or("", |at| &structure.symbols[at].name).to_owned();
        around.map(name).collect()
    }

    #[test]
    fn innermost_type_is_found_and_left_again() {
        let text = "x = 1\nclass A:\n    class B:\n        y = 1\n    z = 1\nw = 1\n";
        assert_eq!(named("a.py", text), ["", "A", "B", "B", "A", ""]);
    }

    /// A repository controls the number of tables in a file.
    #[test]
    fn steps_grow_with_lines_and_symbols_not_with_their_product() {
        for tables in [1_000, 2_000, 4_000] {
            let text: String = (0..tables)
                .map(|at| format!("[table{at}]\nkey = {at}\n"))
                .collect();
            let structure = structure("a.toml", &text);
            assert!(structure.symbols.len() >= tables);
            let lines = text.lines().count();
            let mut surroundings = Surroundings::new(&structure.symbols);
            (0..lines).for_each(|line| {
                let _ = surroundings.innermost(line);
            });
            let bound = 2 * (lines + 2 * structure.symbols.len());
            assert!(
                surroundings.steps <= bound,
                "{tables}: {}",
                surroundings.steps
            );
        }
    }
}
