//! Names of branches and tags that are similar to a mistyped one.

/// More names are not compared, because the result is only a hint.
const COMPARED: usize = 20_000;

/// Names of default branches: a user types one for another.
const DEFAULTS: [&str; 3] = ["main", "master", "trunk"];

/// A short list that one reads at a glance.
const SHOWN: usize = 5;

/// Returns the branches and tags with names similar to `wanted`, the nearest first.
pub(super) fn near(repository: &gix::Repository, wanted: &str) -> Vec<String> {
    nearest(wanted, &all(repository))
}

/// Returns some local branches, in the order of their names.
pub(super) fn branches(repository: &gix::Repository) -> Vec<String> {
    let all = of_kinds(repository, &["refs/heads/"]);
    all.into_iter().take(SHOWN).collect()
}

/// Returns the `names` similar to `wanted`, the nearest first.
pub(crate) fn nearest(wanted: &str, names: &[String]) -> Vec<String> {
    nearest_by(wanted, names, strsim::damerau_levenshtein)
}

/// Returns the nearest names, with `edits` as edit distance.
fn nearest_by(wanted: &str, names: &[String], edits: impl Fn(&str, &str) -> usize) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut near: Vec<_> = names
        .iter()
        .filter_map(|name| Some((distance(&wanted, &name.to_lowercase(), &edits)?, name)))
        .collect();
    near.sort_by(|(a, a_name), (b, b_name)| a.cmp(b).then_with(|| a_name.cmp(b_name)));
    let names = near.into_iter().map(|(_, name)| name.clone());
    names.take(SHOWN).collect()
}

/// Returns the distance between two names; `None` if it is too large for a typing error.
fn distance(wanted: &str, name: &str, edits: impl Fn(&str, &str) -> usize) -> Option<usize> {
    let last = name.rsplit('/').next().unwrap_or(name);
    if last == wanted {
        return Some(0);
    }
    let letters = wanted.chars().count();
    let limit = 1 + letters / 4;
    // The edit distance costs the product of both lengths, and a repository chooses its names.
    if name.chars().count().abs_diff(letters) <= limit {
        let edits = edits(wanted, name);
        if edits <= limit {
            return Some(edits);
        }
    }
    let is_part = wanted.len() >= 3 && name.contains(wanted);
    let is_default = |name: &str| DEFAULTS.contains(&name);
    (is_part || is_default(wanted) && is_default(last)).then_some(limit + 1)
}

fn all(repository: &gix::Repository) -> Vec<String> {
    of_kinds(repository, &["refs/heads/", "refs/tags/", "refs/remotes/"])
}

/// Returns the short names of references with one of these prefixes.
fn of_kinds(repository: &gix::Repository, kinds: &[&str]) -> Vec<String> {
    let Ok(references) = repository.references() else {
        return Vec::new();
    };
    let Ok(all) = references.all() else {
        return Vec::new();
    };
    let short = |name: String| {
        let short = kinds.iter().find_map(|kind| name.strip_prefix(kind));
        short.map(str::to_owned)
    };
    let names = all.filter_map(|reference| {
        let reference = reference.ok()?;
        short(reference.name().as_bstr().to_string())
    });
    names.take(COMPARED).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_another_length_are_not_compared() {
        let names: Vec<String> = (0..1_000).map(|at| format!("b{at}").repeat(500)).collect();
        let compared = std::cell::Cell::new(0);
        let edits = |_: &str, _: &str| {
            compared.set(compared.get() + 1);
            usize::MAX
        };
        assert!(nearest_by("mian", &names, edits).is_empty());
        assert_eq!(compared.get(), 0);
    }

    #[test]
    fn similar_names_are_suggested() {
        let names = [
            "main",
            "origin/main",
            "release/1.2",
            "v1.0",
            "feature/login",
        ];
        let names = names.map(str::to_owned);
        for (wanted, expected) in [
            ("mian", "main"),
            ("MAIN", "main origin/main"),
            ("login", "feature/login"),
            ("v1.1", "v1.0"),
            ("release", "release/1.2"),
            ("nothing", ""),
            ("master", "main origin/main"),
        ] {
            assert_eq!(nearest(wanted, &names).join(" "), expected, "{wanted}");
        }
    }
}
