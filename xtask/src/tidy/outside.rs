//! Files of the project name no path around this checkout: neither its parent directories nor its
//! siblings. Such a path exists on one machine only. Directories that every machine has, like
//! `/tmp`, are permitted.

use std::fs;
use std::path::{Path, PathBuf};

use super::checkout::{Checkout, TextFile, git};
use super::problem::Problem;

/// Directories with the same meaning on every machine, and names so common that examples and ignore
/// patterns use them, too.
const PUBLIC: &[&str] = &[
    "/",
    "/home",
    "/mnt",
    "/opt",
    "/root",
    "/srv",
    "/tmp",
    "/usr",
    "/usr/src",
    "/var",
    "/var/tmp",
    "/Users",
    "/app",
    "/build",
    "/builds",
    "/code",
    "/data",
    "/project",
    "/repo",
    "/src",
    "/workspace",
];

pub(crate) fn check(checkout: &Checkout) -> Vec<Problem> {
    let surroundings = Surroundings::find(&checkout.root);
    let lists = checkout
        .files
        .iter()
        .map(|file| check_file(file, checkout, &surroundings));
    lists.flatten().collect()
}

/// The directories around the checkout.
#[derive(Default)]
struct Surroundings {
    /// Parent directories, as absolute paths.
    parents: Vec<String>,
    /// Names of the siblings.
    neighbours: Vec<String>,
}

impl Surroundings {
    fn find(root: &Path) -> Self {
        let main = main_checkout(root);
        let neighbours = main.parent().filter(is_private).map(names_in);
        let above = [root.parent(), main.parent()].into_iter().flatten();
        Self {
            parents: above.filter(is_private).map(text).collect(),
            neighbours: neighbours.unwrap_or_default(),
        }
    }
}

fn is_private(folder: &&Path) -> bool {
    !PUBLIC.iter().any(|public| *folder == Path::new(public))
}

/// Returns the main checkout of a linked worktree.
fn main_checkout(root: &Path) -> PathBuf {
    let common = git(
        root,
        &["rev-parse", "--path-format=absolute", "--git-common-dir"],
    );
    let common = common.map(|path| PathBuf::from(path.trim_end()));
    let main = common
        .ok()
        .and_then(|path| path.parent().map(Path::to_path_buf));
    main.unwrap_or_else(|| root.to_path_buf())
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn check_file(file: &TextFile, checkout: &Checkout, around: &Surroundings) -> Vec<Problem> {
    let is_ours = |path: &str| has(checkout, &resolved(&file.path, path));
    let mut problems = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let parent = around
            .parents
            .iter()
            .find(|parent| names_folder(line, parent))
            .cloned();
        let found = parent.or_else(|| leads_out(line, &around.neighbours, is_ours));
        problems.extend(found.map(|path| {
            let what = format!("names `{path}`, which lies outside the checkout");
            Problem::new(&file.path, index + 1, what, "leave the path out")
        }));
    }
    problems
}

/// Returns true if a line names the directory or a path in it.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + folder.len()..].chars().next();
        !before.is_some_and(is_path_part) && !after.is_some_and(is_name_part)
    })
}

/// Returns true if `character` can continue a path.
fn is_path_part(character: char) -> bool {
    is_name_part(character) || "/.}~)".contains(character)
}

fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || "_-".contains(character)
}

/// Returns the first `../NAME` of `line` that is a sibling and not ours.
fn leads_out(line: &str, neighbours: &[String], is_ours: impl Fn(&str) -> bool) -> Option<String> {
    let words = line.split(|character: char| !is_name_part(character) && !"./".contains(character));
    let climbing = words.filter(|word| word.starts_with("../"));
    let mut outside = climbing.filter(|word| {
        let name = word
            .trim_start_matches("../")
            .split('/')
            .next()
            .unwrap_or_default();
        neighbours.iter().any(|neighbour| neighbour == name) && !is_ours(word)
    });
    outside.next().map(str::to_owned)
}

/// Resolves `path`, written in `file`, relative to the root. Returns an empty string if it leads
/// out.
fn resolved(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => return String::new(),
            ".." => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Returns true if the checkout has a file or a directory called `path`.
fn has(checkout: &Checkout, path: &str) -> bool {
    let inside = |file: &TextFile| {
        let rest = file.path.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !path.is_empty() && checkout.files.iter().any(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    fn check_in(path: &str, text: &str) -> Vec<String> {
        let around = Surroundings {
            parents: vec!["/data/code".to_owned()],
            neighbours: vec!["notes".to_owned(), "tokens".to_owned()],
        };
        let files = vec![
            TextFile::new("crates/tokens/Cargo.toml", ""),
            TextFile::new(path, text),
        ];
        let checkout = Checkout {
            root: PathBuf::new(),
            files,
        };
        shown(check_file(&checkout.files[1], &checkout, &around))
    }

    #[test]
    fn the_parent_folder_may_not_be_named() {
        let expected =
            ["a.md:2: names `/data/code`, which lies outside the checkout, leave the path out"];
        assert_eq!(check_in("a.md", "x\nsee /data/code/plan.md\n"), expected);
        assert_eq!(check_in("a.md", "x\n(/data/code)\n"), expected);
    }

    #[test]
    fn other_absolute_paths_may() {
        let empty: [&str; 0] = [];
        assert_eq!(
            check_in(
                "a.md",
                "/data/codes, $HOME/data/code, src/data/code, /tmp/x"
            ),
            empty
        );
    }

    #[test]
    fn neighbours_may_not_be_named() {
        assert_eq!(
            check_in("a.md", "read `../notes/plan.md`."),
            [
                "a.md:1: names `../notes/plan.md`, which lies outside the checkout, leave the path out"
            ]
        );
        assert_eq!(check_in("docs/guides/a.md", "../notes").len(), 1);
        assert_eq!(check_in("docs/guides/a.md", "../../../tokens").len(), 1);
    }

    #[test]
    fn relative_paths_inside_and_unknown_ones_may() {
        let empty: [&str; 0] = [];
        assert_eq!(
            check_in("crates/models/Cargo.toml", "path = \"../tokens\""),
            empty
        );
        assert_eq!(check_in("a.rs", "refuses(\"../../etc/passwd\")"), empty);
    }

    #[test]
    fn a_private_parent_and_its_names_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("checkout");
        fs::create_dir(&root).unwrap();
        fs::create_dir(folder.path().join("notes")).unwrap();
        git(&root, &["init", "--quiet"]).unwrap();
        let mut found = Surroundings::find(&root);
        found.neighbours.sort();
        assert_eq!(found.parents[0], text(folder.path()));
        assert_eq!(found.neighbours, ["checkout", "notes"]);
    }

    #[test]
    fn public_folders_are_no_parents() {
        assert!(!is_private(&Path::new("/tmp")));
        assert!(is_private(&Path::new("/home/me/code")));
    }
}
