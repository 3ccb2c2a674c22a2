//! The modules of one crate as a tree, from its root file down, and the imports
//! between them. A name that a module re-exports counts for the module that
//! defines it as well.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{self, Declaration, NamedPath};

/// The names of the modules from the root of the crate down to one of them.
pub(crate) type ModulePath = Vec<String>;

/// Limits aliases that lead to each other; real chains have two or three steps.
const MAX_ALIASES: usize = 16;

/// The texts of the files of a checkout by path.
pub(crate) type Texts<'t> = BTreeMap<&'t str, &'t str>;

#[derive(Default)]
pub(crate) struct Modules {
    by_path: BTreeMap<ModulePath, Module>,
}

#[derive(Default)]
struct Module {
    file: String,
    /// True for a module in the file of its parent.
    is_inline: bool,
    /// Names that `use` binds, with their paths.
    bindings: BTreeMap<String, Vec<String>>,
    paths: Vec<Written>,
}

struct Written {
    segments: Vec<String>,
    line: usize,
}

/// A reference from one module to another.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) from: ModulePath,
    pub(crate) to: ModulePath,
    pub(crate) file: String,
    pub(crate) line: usize,
}

impl Modules {
    /// Reads the crate whose root is the file `root`, such as `src/lib.rs`.
    pub(crate) fn read(texts: &Texts<'_>, root: &str) -> Self {
        let mut modules = Self::default();
        modules.add_file(texts, root, &[]);
        modules
    }

    /// Returns the files of the crate.
    pub(crate) fn files(&self) -> BTreeSet<&str> {
        self.by_path
            .values()
            .map(|module| module.file.as_str())
            .collect()
    }

    /// Lists the imports between modules that are files.
    pub(crate) fn imports(&self) -> Vec<Import> {
        let mut found = Vec::new();
        for (from, module) in &self.by_path {
            for written in &module.paths {
                for to in self.visited(from, &written.segments, 0) {
                    found.push(Import {
                        from: self.with_file(from).to_vec(),
                        to: self.with_file(&to).to_vec(),
                        file: module.file.clone(),
                        line: written.line,
                    });
                }
            }
        }
        found
    }

    fn add_file(&mut self, texts: &Texts<'_>, file: &str, path: &[String]) {
        let Some(text) = texts.get(file) else {
            return;
        };
        let imports = imports::read(text);
        self.add(file, path.to_vec(), false);
        for module in imports.modules.iter().filter(|module| module.is_inline) {
            self.add(
                file,
                join(&join_all(path, &module.scope), &module.name),
                true,
            );
        }
        for written in imports.paths {
            self.add_path(path, written);
        }
        for module in imports.modules.iter().filter(|module| !module.is_inline) {
            if let Some(inner) = file_of(texts, file, module) {
                self.add_file(
                    texts,
                    &inner,
                    &join(&join_all(path, &module.scope), &module.name),
                );
            }
        }
    }

    fn add(&mut self, file: &str, path: ModulePath, is_inline: bool) {
        let module = Module {
            file: file.to_owned(),
            is_inline,
            ..Module::default()
        };
        self.by_path.insert(path, module);
    }

    fn add_path(&mut self, file_module: &[String], written: NamedPath) {
        let NamedPath {
            scope,
            segments,
            binding,
            line,
        } = written;
        let Some(module) = self.by_path.get_mut(&join_all(file_module, &scope)) else {
            return;
        };
        if let Some(name) = binding {
            module.bindings.insert(name, segments.clone());
        }
        module.paths.push(Written { segments, line });
    }

    /// Lists the modules that a path written in `from` leads to: the named one, and those that
    /// re-exports lead to.
    fn visited(&self, from: &[String], segments: &[String], aliases: usize) -> Vec<ModulePath> {
        if aliases > MAX_ALIASES {
            return Vec::new();
        }
        let Some((mut module, mut rest)) = self.anchor(from, segments) else {
            return Vec::new();
        };
        while let Some((name, later)) = rest.split_first() {
            let child = join(&module, name);
            if self.by_path.contains_key(&child) {
                (module, rest) = (child, later);
                continue;
            }
            let bound = self
                .by_path
                .get(&module)
                .and_then(|found| found.bindings.get(name));
            let Some(bound) = bound else { break };
            let further = self.visited(&module, &join_all(bound, later), aliases + 1);
            return std::iter::once(module).chain(further).collect();
        }
        vec![module]
    }

    /// Returns the module at which a path starts, and the rest of the path; `None` for a path into
    /// another crate.
    fn anchor<'s>(
        &self,
        from: &[String],
        segments: &'s [String],
    ) -> Option<(ModulePath, &'s [String])> {
        let (first, mut rest) = segments.split_first()?;
        let mut module = from.to_vec();
        match first.as_str() {
            "crate" => module.clear(),
            "self" => {}
            "super" => {
                module.pop()?;
            }
            name => {
                let is_child = self.by_path.contains_key(&join(from, name));
                let bound = self.by_path.get(from)?.bindings.get(name);
                // `use anyhow::anyhow` names the crate, not itself.
                let is_bound = bound.is_some_and(|path| path[0] != name);
                return (is_child || is_bound).then_some((module, segments));
            }
        }
        while let Some((_, later)) = rest.split_first().filter(|(name, _)| *name == "super") {
            module.pop()?;
            rest = later;
        }
        Some((module, rest))
    }

    /// Returns the module whose file contains the module at `path`.
    fn with_file<'p>(&self, mut path: &'p [String]) -> &'p [String] {
        while self
            .by_path
            .get(path)
            .is_some_and(|module| module.is_inline)
        {
            path = &path[..path.len() - 1];
        }
        path
    }
}

/// Returns the file of a module that `file` declares.
fn file_of(texts: &Texts<'_>, file: &str, module: &Declaration) -> Option<String> {
    let mut place = children_of(file).to_owned();
    for name in module.scope.iter().chain([&module.name]) {
        place.push('/');
        place.push_str(name);
    }
    let candidates = [format!("{place}.rs"), format!("{place}/mod.rs")];
    candidates
        .into_iter()
        .find(|path| texts.contains_key(path.as_str()))
}

/// Returns the directory of the modules that `file` declares: `src` for
/// `src/lib.rs`, `src/a` for `src/a.rs` and `src/a/mod.rs`.
fn children_of(file: &str) -> &str {
    let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
    match name {
        "lib.rs" | "main.rs" | "mod.rs" => directory,
        _ => file.strip_suffix(".rs").unwrap_or(file),
    }
}

fn join(path: &[String], name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

fn join_all(path: &[String], names: &[String]) -> ModulePath {
    [path, names].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&'static str, &'static str)], expected: &[&str]) {
        let texts: Texts<'_> = files.iter().copied().collect();
        let modules = Modules::read(&texts, "src/lib.rs");
        let describe = |one: &Import| {
            let (from, to) = (one.from.join("::"), one.to.join("::"));
            format!("{}:{} {from} -> {to}", one.file, one.line)
        };
        let found: Vec<String> = modules.imports().iter().map(describe).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn paths_are_resolved_from_their_module() {
        check(
            &[
                ("src/lib.rs", "mod a; mod b;"),
                ("src/a.rs", "mod c; fn f() { crate::b::g(); }"),
                (
                    "src/a/c.rs",
                    "use super::super::b::X;\nuse super::Y; use std::fs; use loom_base::Z;",
                ),
                ("src/b/mod.rs", ""),
                ("src/unused.rs", "use crate::a;"),
            ],
            &[
                "src/a.rs:1 a -> b",
                "src/a/c.rs:1 a::c -> b",
                "src/a/c.rs:2 a::c -> a",
            ],
        );
    }

    #[test]
    fn re_exports_lead_to_the_definition() {
        check(
            &[
                (
                    "src/lib.rs",
                    "mod a; mod b;\npub use b::deep::Name as Alias;",
                ),
                ("src/a.rs", "use crate::Alias;"),
                ("src/b.rs", "mod deep;"),
                ("src/b/deep.rs", "pub struct Name;"),
            ],
            &[
                "src/lib.rs:2  -> b::deep",
                "src/a.rs:1 a -> ",
                "src/a.rs:1 a -> b::deep",
            ],
        );
    }

    #[test]
    fn names_that_lead_to_themselves_end() {
        check(
            &[
                ("src/lib.rs", "mod a; use anyhow::anyhow;"),
                ("src/a.rs", "use crate::anyhow;"),
            ],
            &["src/a.rs:1 a -> "],
        );
    }

    #[test]
    fn inline_modules_belong_to_their_file() {
        check(
            &[
                (
                    "src/lib.rs",
                    "mod a { mod c; pub fn f() { super::b::g() } } mod b;",
                ),
                ("src/a/c.rs", "use crate::a::f;"),
                ("src/b.rs", ""),
            ],
            &["src/lib.rs:1  -> b", "src/a/c.rs:1 a::c -> "],
        );
    }
}
