//! The ids that answers give, as somebody says them again: `path`, `path:12`,
//! `path:12:5` or `path:3-9`.

use infiniloom::host::{Definition, Navigate, SyntaxNavigator, Target};

use super::{Call, quote};
use crate::root::Live;
use crate::wrong::Wrong;

/// A path and its lines. A path that is one as a whole is not divided.
pub(super) fn parse<'t>(live: &Live, typed: &'t str) -> (&'t str, Option<(usize, usize)>) {
    match divided(typed) {
        Some((path, lines)) if !is_file(live, typed) => (path, Some(lines)),
        _ => (typed, None),
    }
}

/// The path of a file as it has to be asked for: names with characters that are written
/// out in answers are found by what was written, and those of a root within a repository
/// also from that root on.
pub(super) fn known(live: &Live, typed: &str) -> String {
    if is_file(live, typed) {
        return typed.to_owned();
    }
    let inner = format!("{}{}", live.prefix, typed.trim_start_matches("./"));
    let is_it = |path: &&infiniloom::host::RepoPath| {
        let shown = quote::path(path);
        shown == typed || shown == inner
    };
    let found = live.searcher.paths().find(is_it);
    found.map_or_else(|| typed.to_owned(), |path| path.display().into_owned())
}

/// An id or a path as the files have it, for who takes both.
pub(super) fn known_id(live: &Live, typed: &str) -> String {
    match parse(live, typed) {
        (path, Some(_)) => format!("{}{}", known(live, path), &typed[path.len()..]),
        (path, None) => known(live, path),
    }
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

/// What is said where there was no time for all files.
pub(super) const HASTY: &str = "So many files have this name that only some were looked at, code near its definitions \
first: a qualified name or FILE:LINE:COL finds all of one definition, `search` with `path` all lines of a folder.";

/// What is meant by a name, or by an id: the first definition that begins in its lines,
/// else what stands around them; of a file, its first. Says also whether there was no time
/// for all.
pub(super) fn definitions(
    call: &Call<'_>,
    live: &Live,
    typed: &str,
) -> Result<(Meant, bool), Wrong> {
    let time = call.time_left().mul_f64(super::MEANING);
    let navigator = live.navigator(call.cancel).within(time);
    let meant = meant(live, &navigator, typed);
    call.check()?;
    Ok((meant, navigator.is_cut()))
}

fn meant(live: &Live, navigator: &SyntaxNavigator<'_>, typed: &str) -> Meant {
    let Some(target) = Target::parse(typed) else {
        return Meant::Nothing;
    };
    if let Target::Place { path, line, column } = target {
        let path = known(live, &path);
        return Meant::Chosen(navigator.definitions(&Target::Place { path, line, column }));
    }
    match parse(live, typed) {
        (path, Some((first, last))) => {
            Meant::Chosen(navigator.defined_in(&known(live, path), &(first..=last)))
        }
        (path, None) if typed.contains(['.', '/']) && is_file(live, &known(live, path)) => {
            Meant::Chosen(navigator.defined_in(&known(live, path), &(1..=usize::MAX)))
        }
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
    }
}
