//! The rule about chains: the longest chain of packages that are built on each
//! other has at most eight.

use crate::tidy::packages::{Kind, Package};
use crate::tidy::problem::Problem;

/// Designed architectures have chains of 3 to 8 crates, grown ones 15 to 23.
/// Ours is base, tokens, models, engine, host, infiniloom, mcp, cli.
const MAX_CHAIN: usize = 8;

pub(crate) fn check(packages: &[Package]) -> Option<Problem> {
    let chains = packages.iter().map(|package| chain(package, packages));
    let longest = chains.max_by_key(Vec::len)?;
    if longest.len() <= MAX_CHAIN {
        return None;
    }
    let names: Vec<&str> = longest
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let what = format!(
        "{} packages are built on each other, more than {MAX_CHAIN}: {}",
        names.len(),
        names.join(" -> ")
    );
    Some(Problem::new(
        &longest[0].manifest,
        1,
        what,
        "remove a dependency of the chain",
    ))
}

/// Returns the longest chain down from a package. Cargo rejects cycles, so it ends.
fn chain<'p>(package: &'p Package, packages: &'p [Package]) -> Vec<&'p Package> {
    let built = package
        .dependencies
        .iter()
        .filter(|one| one.kind == Kind::Built);
    let below = built.filter_map(|one| packages.iter().find(|found| found.name == one.name));
    let longest = below
        .map(|found| chain(found, packages))
        .max_by_key(Vec::len);
    std::iter::once(package)
        .chain(longest.unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::packages::Dependency;
    use crate::tidy::problem::shown;

    /// Builds packages 0 to `count`, each dependent on the one before it.
    fn tower(count: usize, kind: Kind) -> Vec<Package> {
        let package = |index: usize| Package {
            name: format!("p{index}"),
            manifest: format!("p{index}/Cargo.toml"),
            dependencies: (index > 0)
                .then(|| Dependency {
                    name: format!("p{}", index - 1),
                    kind,
                })
                .into_iter()
                .collect(),
            ..Package::default()
        };
        (0..count).map(package).collect()
    }

    #[test]
    fn eight_packages_may_be_built_on_each_other() {
        assert_eq!(check(&tower(8, Kind::Built)), None);
        assert_eq!(check(&tower(9, Kind::Development)), None);
        assert_eq!(
            shown(check(&tower(9, Kind::Built))),
            [
                "p8/Cargo.toml:1: 9 packages are built on each other, more than 8: \
              p8 -> p7 -> p6 -> p5 -> p4 -> p3 -> p2 -> p1 -> p0, \
              remove a dependency of the chain"
            ]
        );
    }
}
