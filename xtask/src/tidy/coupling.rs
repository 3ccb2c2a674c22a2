//! Rules about coupling: no import cycle between the modules of a directory, no unclear parameters,
//! no long chain of packages, no crate with too much code. Only production code counts.

mod chain;
mod cycles;
mod drawing;
mod exceptions;
mod graph;
mod imports;
mod modules;
mod parameters;
mod production;
mod volume;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::checkout::{Checkout, TextFile};
use super::packages::Package;
use super::problem::Problem;
use drawing::Drawing;
use exceptions::IMPORTS;
use graph::Graph;
use modules::{Modules, Texts};

/// The files that can be the root of a crate, from the directory of its package.
const ROOTS: &[&str] = &["src/lib.rs", "src/main.rs"];

pub(crate) fn check(checkout: &Checkout, packages: &[Package]) -> Vec<Problem> {
    let crates = crates(checkout, packages);
    let mut problems: Vec<Problem> = chain::check(packages).into_iter().collect();
    let mut directories = BTreeSet::new();
    let mut files = BTreeSet::new();
    for found in &crates {
        for (directory, graph) in &found.directories {
            problems.extend(cycles::check(directory, graph, IMPORTS));
            directories.insert(directory.clone());
        }
        files.extend(found.modules.files());
    }
    let by_path: Texts<'_> = checkout.rust().map(text_of).collect();
    for found in &crates {
        let files = found.modules.files().into_iter();
        let texts = files.filter_map(|file| by_path.get(file).copied());
        problems.extend(volume::check(&found.folder, texts, volume::CRATE_LINES));
    }
    problems.extend(cycles::without_directory(&directories, IMPORTS));
    let production = checkout
        .rust()
        .filter(|file| files.contains(file.path.as_str()));
    let unclear: Vec<_> = production.flat_map(parameters::unclear).collect();
    problems.extend(parameters::check(&unclear));
    problems
}

/// Draws the module graphs of one package, or of all.
pub(crate) fn draw(
    checkout: &Checkout,
    packages: &[Package],
    package: Option<&str>,
) -> Result<String> {
    let is_asked = |found: &&Crate| package.is_none_or(|name| found.is_named(name));
    let crates = crates(checkout, packages);
    let asked: Vec<&Crate> = crates.iter().filter(is_asked).collect();
    if asked.is_empty() {
        bail!("unknown crate {}", package.unwrap_or_default());
    }
    Ok(asked
        .into_iter()
        .map(Crate::draw)
        .collect::<Vec<_>>()
        .join("\n"))
}

/// One crate of a package, with the graphs of its directories.
struct Crate {
    package: String,
    /// The directory of the package, from the root of the checkout.
    folder: String,
    modules: Modules,
    directories: BTreeMap<String, Graph>,
}

fn crates(checkout: &Checkout, packages: &[Package]) -> Vec<Crate> {
    let texts: Texts<'_> = checkout.rust().map(text_of).collect();
    let roots = packages.iter().flat_map(|package| {
        let path = |root| (package, format!("{}/{root}", package.folder()));
        ROOTS.iter().map(path).collect::<Vec<_>>()
    });
    let present = roots.filter(|(_, root)| texts.contains_key(root.as_str()));
    present
        .map(|(package, root)| Crate::read(package, &texts, &root))
        .collect()
}

fn text_of(file: &TextFile) -> (&str, &str) {
    (&file.path, &file.text)
}

impl Crate {
    fn read(package: &Package, texts: &Texts<'_>, root: &str) -> Self {
        let modules = Modules::read(texts, root);
        let source = root.rsplit_once('/').map_or("", |(directory, _)| directory);
        let name = |level: Vec<String>| [&[source.to_owned()], level.as_slice()].concat().join("/");
        let levels = graph::levels(&modules.imports());
        let directories = levels
            .into_iter()
            .map(|(level, graph)| (name(level), graph))
            .collect();
        Self {
            package: package.name.clone(),
            folder: package.folder().to_owned(),
            modules,
            directories,
        }
    }

    /// Accepts the package's name and the name of its directory.
    fn is_named(&self, name: &str) -> bool {
        self.package == name || self.folder.rsplit('/').next() == Some(name)
    }

    fn draw(&self) -> String {
        let drawings = self
            .directories
            .iter()
            .map(|(directory, graph)| Drawing { directory, graph }.to_string());
        let head = format!("## {}\n", self.package);
        std::iter::once(head)
            .chain(drawings)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkout(files: &[(&str, &str)]) -> Checkout {
        let files = files
            .iter()
            .map(|(path, text)| TextFile::new(path, text))
            .collect();
        Checkout {
            root: "/".into(),
            files,
        }
    }

    fn package() -> Package {
        let manifest = "crates/a/Cargo.toml".to_owned();
        Package {
            name: "loom-a".to_owned(),
            manifest,
            ..Package::default()
        }
    }

    #[test]
    fn a_crate_is_drawn_by_either_name() {
        let checkout = checkout(&[
            ("crates/a/src/lib.rs", "mod b; mod c;"),
            ("crates/a/src/b.rs", "use crate::c::X;"),
            ("crates/a/src/c.rs", "fn f() { crate::b::g() }"),
        ]);
        let packages = [package()];
        let text = draw(&checkout, &packages, Some("a")).unwrap();
        assert_eq!(draw(&checkout, &packages, Some("loom-a")).unwrap(), text);
        assert!(text.contains("for example b -> c -> b"), "{text}");
        assert!(draw(&checkout, &packages, Some("d")).is_err());
    }

    #[test]
    fn tests_and_other_directories_do_not_count() {
        let checkout = checkout(&[
            ("crates/a/src/lib.rs", "mod b; mod c;"),
            ("crates/a/src/b.rs", "use crate::c::X;"),
            (
                "crates/a/src/c.rs",
                "#[cfg(test)] mod tests { use crate::b::Y; }",
            ),
            ("crates/a/tests/it/main.rs", "fn f(a: (u8, u8)) {}"),
        ]);
        let crates = crates(&checkout, &[package()]);
        assert_eq!(crates[0].directories["crates/a/src"], {
            let mut graph = Graph::of(&["b -> c"]);
            graph
                .edges
                .values_mut()
                .for_each(|site| site.file = "crates/a/src/b.rs".to_owned());
            graph
        });
        assert!(
            !crates[0]
                .modules
                .files()
                .contains("crates/a/tests/it/main.rs")
        );
    }
}
