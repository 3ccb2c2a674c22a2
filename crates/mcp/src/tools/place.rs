//! The ids that answers give, as somebody says them again: `path`, `path:12`,
//! `path:12:5` or `path:3-9`.

use loom_host::{Definition, Level, Navigate, Target};

use super::quote;
use crate::root::Live;

/// So many lines of a span are looked at for the first definition in it.
const LOOKED: usize = 60;

/// A path and its lines. A path that is one as a whole is not divided.
pub(super) fn parse<'t>(live: &Live, typed: &'t str) -> (&'t str, Option<(usize, usize)>) {
    match divided(typed) {
        Some((path, lines)) if !is_file(live, typed) => (path, Some(lines)),
        _ => (typed, None),
    }
}

/// The path of a file as it has to be asked for: names with characters that are written
/// out in answers are found by what was written.
pub(super) fn known(live: &Live, typed: &str) -> String {
    if !typed.contains('\\') || is_file(live, typed) {
        return typed.to_owned();
    }
    let shown = |path: &&loom_host::RepoPath| quote::path(path) == typed;
    let found = live.searcher.paths().find(shown);
    found.map_or_else(|| typed.to_owned(), |path| path.display().into_owned())
}

fn is_file(live: &Live, typed: &str) -> bool {
    let wanted = typed.trim_start_matches("./");
    live.searcher.paths().any(|path| path.display() == wanted)
}

fn divided(typed: &str) -> Option<(&str, (usize, usize))> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
    let (path, last) = typed.trim().rsplit_once(':')?;
    if let Some((first, last)) = last.split_once('-') {
        let (first, last) = (number(first)?, number(last)?);
        return (!path.is_empty() && first <= last).then_some((path, (first, last)));
    }
    let last = number(last)?;
    match path.rsplit_once(':') {
        Some((path, line)) if number(line).is_some() && !path.is_empty() => {
            number(line).map(|line| (path, (line, line)))
        }
        _ => (!path.is_empty()).then_some((path, (last, last))),
    }
}

/// What is meant by a name, or by an id: the first definition that begins in its lines.
pub(super) fn definitions(live: &Live, navigator: &impl Navigate, typed: &str) -> Meant {
    let Some(target) = Target::parse(typed) else {
        return Meant::Nothing;
    };
    if let Target::Place { .. } = target {
        return Meant::Chosen(navigator.definitions(&target));
    }
    match parse(live, typed) {
        (path, Some(lines)) => Meant::Chosen(within(live, navigator, path, lines)),
        _ => Meant::Named(navigator.definitions(&target)),
    }
}

/// What a text means.
#[derive(Debug)]
pub(super) enum Meant {
    /// Nothing at all.
    Nothing,
    /// All that have the name.
    Named(Vec<Definition>),
    /// What stands at a place, the first of these.
    Chosen(Vec<Definition>),
}

fn within(
    live: &Live,
    navigator: &impl Navigate,
    path: &str,
    (first, last): (usize, usize),
) -> Vec<Definition> {
    let path = known(live, path);
    let Some(shown) = live.searcher.shown_text(&path, Level::None) else {
        return Vec::new();
    };
    let until = last.min(first.saturating_add(LOOKED));
    let lines = shown.lines.iter();
    for (line, text) in lines.filter(|(number, _)| (first..=until).contains(number)) {
        for column in names_in(text) {
            let target = Target::Place {
                path: path.clone(),
                line: *line,
                column,
            };
            let found = navigator.definitions(&target);
            let is_here =
                |one: &Definition| one.place.path == shown.path && one.place.line == *line;
            if found.first().is_some_and(is_here) {
                return found;
            }
        }
    }
    Vec::new()
}

/// The columns at which names begin.
fn names_in(text: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut columns = Vec::new();
    let mut before = ' ';
    for (at, c) in text.chars().enumerate().take(500) {
        if is_part(c) && !is_part(before) {
            columns.push(at + 1);
        }
        before = c;
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_divided() {
        assert_eq!(divided("src/a.rs:3-9"), Some(("src/a.rs", (3, 9))));
        assert_eq!(divided("src/a.rs:3"), Some(("src/a.rs", (3, 3))));
        assert_eq!(divided("src/a.rs:3:5"), Some(("src/a.rs", (3, 3))));
        assert_eq!(divided("C:\\a.rs:3-4"), Some(("C:\\a.rs", (3, 4))));
        for name in ["src/a.rs", "A::B", "Parser.parse", "a:9-3", "a:0", ":3", ""] {
            assert_eq!(divided(name), None, "{name}");
        }
        assert_eq!(names_in("def sell(self)"), [1, 5, 10]);
    }
}
