//! The public items of the library: no type has a lifetime, no item names a crate below the
//! library, and a committed list shows each change of the interface to its reviewers. It reads
//! tokens, and knows the macros of the library only by their shape.

mod items;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::checkout::{Checkout, TextFile};
use super::problem::Problem;
use items::{Item, exported, items};

/// The sources of the library.
const SOURCES: &str = "crates/infiniloom/src/";
/// Its table of contents.
const TABLE: &str = "crates/infiniloom/src/lib.rs";
/// The committed list.
const LIST: &str = "crates/infiniloom/public-items.txt";
/// The crates whose types the library shows.
const SHOWN: &[&str] = &["loom_wire", "loom_base", "loom_models"];

/// Writes the list of public items.
pub(crate) fn write(checkout: &Checkout) -> Result<()> {
    let path = checkout.root.join(LIST);
    match list(checkout) {
        Some(list) => fs::write(&path, list).with_context(|| format!("cannot write {LIST}")),
        None => Ok(()),
    }
}

pub(crate) fn check(checkout: &Checkout) -> Vec<Problem> {
    let mut problems: Vec<Problem> = public(checkout).iter().filter_map(problem).collect();
    let committed = checkout.files.iter().find(|file| file.path == LIST);
    let committed = committed.map_or("", |file| file.text.as_str());
    if let Some(list) = list(checkout)
        && list != committed
    {
        let line = first_difference(&list, committed);
        let remedy = "run `cargo xtask tidy --fix`, and look at the difference";
        problems.push(Problem::new(
            LIST,
            line,
            "does not list the public items",
            remedy,
        ));
    }
    problems
}

fn problem(item: &Item) -> Option<Problem> {
    if item.has_lifetime {
        let what = format!("the public type `{}` has a lifetime", item.name);
        return Some(Problem::new(
            &item.path,
            item.line,
            what,
            "let it own its values",
        ));
    }
    let foreign = item
        .crates
        .iter()
        .find(|one| !SHOWN.contains(&one.as_str()))?;
    let what = format!("the public item `{}` names `{foreign}`", item.name);
    let remedy = "use a type of the library, or hide the item from its documentation";
    Some(Problem::new(&item.path, item.line, what, remedy))
}

/// Returns the public items of the library, without the hidden ones.
fn public(checkout: &Checkout) -> Vec<Item> {
    let Some(table) = checkout.files.iter().find(|file| file.path == TABLE) else {
        return Vec::new();
    };
    let names = exported(&table.text);
    let files = checkout.rust().filter(|file| is_source(file));
    let mut found: Vec<Item> = files.flat_map(|file| items(file, &names)).collect();
    found.sort();
    found
}

fn is_source(file: &TextFile) -> bool {
    file.path.starts_with(SOURCES)
}

/// Returns the text of the list; `None` for a tree without the library.
fn list(checkout: &Checkout) -> Option<String> {
    let items = public(checkout);
    let mut lines: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
    lines.sort_unstable();
    lines.dedup();
    let head = "# The public items of `crates/infiniloom`, from `cargo xtask tidy --fix`.\n";
    let is_there = Path::new(TABLE).is_relative() && !lines.is_empty();
    is_there.then(|| format!("{head}{}\n", lines.join("\n")))
}

fn first_difference(one: &str, other: &str) -> usize {
    let same = one.lines().zip(other.lines());
    same.take_while(|(one, other)| one == other).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    fn checkout(files: &[(&str, &str)]) -> Checkout {
        let file = |(path, text): &(&str, &str)| TextFile::new(path, text);
        Checkout {
            root: Path::new("/nowhere").to_owned(),
            files: files.iter().map(file).collect(),
        }
    }

    const LIB: &str = "mod pack;\n#[doc(hidden)]\npub use loom_host as host;\npub use pack::{Pack, Part as PackPart};\n";

    fn found(source: &str) -> Vec<String> {
        let path = "crates/infiniloom/src/pack.rs";
        let checkout = checkout(&[(TABLE, LIB), (path, source)]);
        shown(public(&checkout).iter().filter_map(problem))
    }

    #[test]
    fn public_types_own_their_values() {
        assert_eq!(found("pub struct Pack { text: String }"), [""; 0]);
        assert_eq!(found("pub struct Hidden<'a>(&'a str);"), [""; 0]);
        let problems = found("pub struct Pack<'a> { text: &'a str }");
        assert!(
            problems[0].contains("`Pack` has a lifetime"),
            "{problems:?}"
        );
    }

    #[test]
    fn public_items_name_no_crate_below() {
        let private = "use loom_host::Packer;\npub struct Pack { packer: Packer }\n\
                       impl Pack { pub(crate) fn packer(&self) -> &Packer { &self.packer } }";
        assert_eq!(found(private), [""; 0]);
        let shown = "use loom_wire::Report;\nimpl Pack { pub fn run(&self) -> Report { todo() } }";
        assert_eq!(found(shown), [""; 0]);
        for source in [
            "use loom_host::{Cache, Packer};\nimpl Pack { pub fn packer(&self) -> &Packer { &self.0 } }",
            "use loom_host::Packer as Below;\npub struct Pack { pub packer: Below }",
            "impl Pack { pub fn packer(&self) -> &loom_host::Packer { &self.0 } }",
        ] {
            let problems = found(source);
            assert_eq!(problems.len(), 1, "{source}");
            assert!(problems[0].contains("names `loom_host`"), "{problems:?}");
        }
        let hidden = "use loom_host::Packer;\nimpl Pack { #[doc(hidden)] pub fn packer(&self) -> &Packer { &self.0 } }";
        assert_eq!(found(hidden), [""; 0]);
    }

    #[test]
    fn stale_list_is_a_problem_at_its_first_difference() {
        let source = "pub struct Pack;\nimpl Pack { pub fn new() -> Self { Self } }";
        let path = "crates/infiniloom/src/pack.rs";
        let tree = |list: &str| checkout(&[(TABLE, LIB), (path, source), (LIST, list)]);
        let fresh = list(&tree("")).unwrap();
        assert!(
            fresh.ends_with("\nPack::new() -> Self\nstruct Pack\n"),
            "{fresh}"
        );
        assert_eq!(check(&tree(&fresh)), []);
        let stale = shown(check(&tree(&fresh.replace("new()", "old()"))));
        assert!(stale[0].starts_with(&format!("{LIST}:2: ")), "{stale:?}");
    }
}
