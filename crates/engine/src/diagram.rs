//! Mermaid diagrams: the types of a repository with their inheritance, and its files with their
//! imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use loom_base::RepoPath;
use loom_syntax::{ReferenceKind, Structure, Symbol, SymbolKind, Visibility};

/// More members make an unreadable box.
const MOST_MEMBERS: usize = 20;

/// Collects the types of a repository, file by file.
#[derive(Debug, Default)]
pub struct ClassDiagram {
    classes: BTreeMap<String, Class>,
    edges: BTreeSet<(String, &'static str, String)>,
}

#[derive(Debug, Default)]
struct Class {
    kind: Option<SymbolKind>,
    members: Vec<String>,
}

impl ClassDiagram {
    /// Adds the types of a file: their members and supertypes.
    pub fn add(&mut self, structure: &Structure) {
        let symbols = &structure.symbols;
        for symbol in symbols.iter().filter(|symbol| symbol.kind.is_type()) {
            let class = self.classes.entry(symbol.name.clone()).or_default();
            if symbol.kind != SymbolKind::Impl {
                class.kind = class.kind.or(Some(symbol.kind));
            }
        }
        for symbol in symbols {
            let owner = symbol.parent.map(|at| &symbols[at]);
            if let Some(owner) = owner.filter(|owner| owner.kind.is_type())
                && let Some(member) = member(symbol)
                && let Some(class) = self.classes.get_mut(&owner.name)
            {
                class.members.push(member);
            }
        }
        for reference in &structure.references {
            let arrow = match reference.kind {
                ReferenceKind::Inherit => "<|--",
                ReferenceKind::Implement => "<|..",
                _ => continue,
            };
            let from = reference.from.map(|at| &symbols[at]);
            if let Some(from) = from.filter(|from| from.kind.is_type()) {
                let edge = (reference.name.clone(), arrow, from.name.clone());
                self.edges.insert(edge);
            }
        }
    }

    /// Returns the diagram.
    pub fn finish(self) -> String {
        let mut text = "classDiagram\n".to_owned();
        for (name, class) in &self.classes {
            let _ = writeln!(text, "  class {} {{", quoted(name));
            if let Some(word) = class.kind.and_then(stereotype) {
                let _ = writeln!(text, "    <<{word}>>");
            }
            for member in class.members.iter().take(MOST_MEMBERS) {
                let _ = writeln!(text, "    {member}");
            }
            let more = class.members.len().saturating_sub(MOST_MEMBERS);
            if more > 0 {
                let _ = writeln!(text, "    … {more} more");
            }
            text.push_str("  }\n");
        }
        for (base, arrow, class) in &self.edges {
            let _ = writeln!(text, "  {} {arrow} {}", quoted(base), quoted(class));
        }
        text
    }
}

fn stereotype(kind: SymbolKind) -> Option<&'static str> {
    match kind {
        SymbolKind::Class => None,
        kind => Some(kind.name()),
    }
}

fn member(symbol: &Symbol) -> Option<String> {
    let mark = match symbol.visibility {
        Visibility::Public => '+',
        Visibility::Protected => '#',
        Visibility::Internal => '~',
        _ => '-',
    };
    let name: String = symbol
        .name
        .chars()
        .filter(|c| !"{}<>~\"`\n".contains(*c))
        .collect();
    match symbol.kind {
        kind if kind.is_function() => Some(format!("{mark}{name}()")),
        SymbolKind::Field | SymbolKind::Property | SymbolKind::Constant => {
            Some(format!("{mark}{name}"))
        }
        SymbolKind::EnumMember => Some(name),
        _ => None,
    }
}

/// Quotes a type name, which may contain any character; only backticks must be removed.
fn quoted(name: &str) -> String {
    format!("`{}`", name.replace(['`', '\n'], ""))
}

/// Collects imports between the directories of a repository.
#[derive(Debug, Default)]
pub struct ModuleDiagram {
    edges: BTreeMap<(String, String), usize>,
}

impl ModuleDiagram {
    /// Adds an import of `to` in `from`.
    pub fn add(&mut self, from: &RepoPath, to: &RepoPath) {
        let (from, to) = (folder(from), folder(to));
        if from != to {
            *self.edges.entry((from, to)).or_default() += 1;
        }
    }

    /// Returns the diagram, with the number of imports on each arrow.
    pub fn finish(self) -> String {
        let names: BTreeSet<&String> = self
            .edges
            .keys()
            .flat_map(|(from, to)| [from, to])
            .collect();
        let number: BTreeMap<&String, usize> = names.into_iter().zip(0..).collect();
        let mut text = "flowchart LR\n".to_owned();
        for (name, at) in &number {
            let _ = writeln!(text, "  m{at}[\"{}\"]", name.replace('"', "#quot;"));
        }
        for ((from, to), count) in &self.edges {
            let _ = writeln!(text, "  m{} -->|{count}| m{}", number[from], number[to]);
        }
        text
    }
}

fn folder(path: &RepoPath) -> String {
    let path = path.to_string();
    path.rsplit_once('/')
        .map_or_else(|| ".".to_owned(), |(folder, _)| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use loom_syntax::{Language, Limits, extract};

    use super::*;

    fn structure(language: &str, text: &str) -> Structure {
        extract(
            Language::from_id(language).unwrap(),
            text,
            &Limits::default(),
        )
    }

    #[test]
    fn types_have_members_and_bases() {
        let mut diagram = ClassDiagram::default();
        let python = "class A(B):\n  x = 1\n  def f(self): pass\n  def _g(self): pass\n";
        diagram.add(&structure("python", python));
        diagram.add(&structure(
            "rust",
            "pub enum K { One }\nimpl Show for K { fn show(&self) {} }\n",
        ));
        assert_eq!(
            diagram.finish(),
            "classDiagram
  class `A` {
    +x
    +f()
    -_g()
  }
  class `K` {
    <<enum>>
    One
    +show()
  }
  `B` <|-- `A`
  `Show` <|.. `K`
"
        );
    }

    #[test]
    fn folders_import_folders() {
        let mut diagram = ModuleDiagram::default();
        let path = |text| RepoPath::new(text).unwrap();
        diagram.add(&path("src/a.py"), &path("lib/b.py"));
        diagram.add(&path("src/c.py"), &path("lib/b.py"));
        diagram.add(&path("src/c.py"), &path("src/a.py"));
        assert_eq!(
            diagram.finish(),
            "flowchart LR\n  m0[\"lib\"]\n  m1[\"src\"]\n  m1 -->|2| m0\n"
        );
    }
}
