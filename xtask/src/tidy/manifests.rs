//! Required fields of every manifest: description, licence, and the lints of the workspace.

use super::packages::Package;
use super::problem::Problem;

pub(crate) fn check(packages: &[Package]) -> Vec<Problem> {
    packages.iter().flat_map(check_package).collect()
}

fn check_package(package: &Package) -> Vec<Problem> {
    let rules = [
        (
            !package.description.is_empty(),
            "no description",
            "say in one line what it is",
        ),
        (
            !package.license.is_empty(),
            "no licence",
            "write `license.workspace = true`",
        ),
        (
            inherits_lints(&package.manifest_text),
            "the lints of the workspace do not hold here",
            "write `[lints]` and `workspace = true`",
        ),
    ];
    let broken = rules.into_iter().filter(|(holds, ..)| !holds);
    broken
        .map(|(_, what, remedy)| Problem::new(&package.manifest, 1, what, remedy))
        .collect()
}

fn inherits_lints(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim);
    let dotted = manifest
        .lines()
        .any(|line| line.trim() == "lints.workspace = true");
    dotted || (lines.any(|line| line == "[lints]") && lines.next() == Some("workspace = true"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    fn package(description: &str, license: &str, manifest_text: &str) -> Package {
        Package {
            manifest: "m".to_owned(),
            manifest_text: manifest_text.to_owned(),
            description: description.to_owned(),
            license: license.to_owned(),
            ..Package::default()
        }
    }

    #[test]
    fn a_whole_manifest_passes() {
        let whole = package("Words", "MIT", "[package]\n\n[lints]\nworkspace = true\n");
        assert_eq!(check(&[whole]), []);
    }

    #[test]
    fn each_missing_part_is_named() {
        let found = shown(check(&[package("", "", "[package]\n[lints]\nrust = {}\n")]));
        assert_eq!(
            found,
            [
                "m:1: no description, say in one line what it is",
                "m:1: no licence, write `license.workspace = true`",
                "m:1: the lints of the workspace do not hold here, \
                 write `[lints]` and `workspace = true`",
            ]
        );
    }
}
