//! The rule about layers: a package depends only on the packages in its row in `layers`, and tests
//! never use an edge.

use super::layers::{Layer, row_of};
use super::packages::{Dependency, Kind, Package};
use super::problem::Problem;

const TABLE: &str = "xtask/src/tidy/layers.rs";

pub(crate) fn check(packages: &[Package]) -> Vec<Problem> {
    packages.iter().flat_map(check_package).collect()
}

fn check_package(package: &Package) -> Vec<Problem> {
    let Some(row) = row_of(&package.name) else {
        return vec![unknown(package)];
    };
    let wrong = package
        .dependencies
        .iter()
        .filter(|dependency| match dependency.kind {
            Kind::Built => !row.may_use(&dependency.name),
            Kind::Development => {
                let is_own = dependency.name == package.name || row.may_use(&dependency.name);
                is_edge(&dependency.name) && !is_own
            }
        });
    wrong
        .map(|dependency| forbidden(package, dependency))
        .collect()
}

/// Returns true for the library and the edges, below which other packages have their tests.
fn is_edge(package: &str) -> bool {
    row_of(package).is_some_and(|row| matches!(row.layer, Layer::Facade | Layer::Edge))
}

fn unknown(package: &Package) -> Problem {
    Problem::new(
        &package.manifest,
        1,
        format!(
            "package `{}` has no row in the table of layers",
            package.name
        ),
        format!("add `row(\"{}\", Layer::…, &[…])` to {TABLE}", package.name),
    )
}

fn forbidden(package: &Package, dependency: &Dependency) -> Problem {
    let (name, used) = (&package.name, &dependency.name);
    let (what, remedy) = match dependency.kind {
        Kind::Built => (
            format!("`{name}` may not depend on `{used}`"),
            format!("move the code, or change the row of `{name}` in {TABLE} with a reason"),
        ),
        Kind::Development => (
            format!("tests of `{name}` may not depend on the edge `{used}`"),
            "test through the layers below".to_owned(),
        ),
    };
    Problem::new(&package.manifest, package.line_of(used), what, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    fn package(name: &str, dependencies: &[(&str, Kind)]) -> Package {
        let edge = |&(name, kind): &(&str, Kind)| Dependency {
            name: str::to_owned(name),
            kind,
        };
        Package {
            name: name.to_owned(),
            manifest: "crates/a/Cargo.toml".to_owned(),
            manifest_text: "[dependencies]\nanyhow = \"1\"\nloom-host.workspace = true\n"
                .to_owned(),
            dependencies: dependencies.iter().map(edge).collect(),
            ..Package::default()
        }
    }

    #[track_caller]
    fn check_edges(name: &str, dependencies: &[(&str, Kind)], expected: &[&str]) {
        assert_eq!(shown(check(&[package(name, dependencies)])), expected);
    }

    #[test]
    fn edges_of_the_table_pass() {
        check_edges("loom-models", &[("loom-tokens", Kind::Built)], &[]);
        check_edges(
            "loom-engine",
            &[("loom-wire", Kind::Built), ("loom-syntax", Kind::Built)],
            &[],
        );
        check_edges("loom-base", &[("loom-testkit", Kind::Development)], &[]);
        check_edges("infiniloom", &[("infiniloom", Kind::Development)], &[]);
        check_edges("loom-mcp", &[("infiniloom", Kind::Development)], &[]);
    }

    #[test]
    fn upward_and_sideways_edges_fail() {
        check_edges(
            "loom-base",
            &[("loom-host", Kind::Built)],
            &[
                "crates/a/Cargo.toml:3: `loom-base` may not depend on `loom-host`, \
               move the code, or change the row of `loom-base` in xtask/src/tidy/layers.rs with a reason",
            ],
        );
        let fails = |name, used, kind| check(&[package(name, &[(used, kind)])]).len() == 1;
        assert!(fails("loom-source", "loom-store", Kind::Built));
        assert!(fails("loom-tokens", "loom-models", Kind::Built));
        assert!(fails("infiniloom", "loom-engine", Kind::Built));
        assert!(fails("loom-mcp", "loom-host", Kind::Built));
        assert!(fails("infiniloom", "infiniloom-cli", Kind::Development));
        assert!(fails("loom-host", "loom-testkit", Kind::Built));
        assert!(fails("loom-host", "infiniloom", Kind::Development));
    }

    #[test]
    fn a_package_without_a_row_fails() {
        check_edges(
            "loom-new",
            &[],
            &[
                "crates/a/Cargo.toml:1: package `loom-new` has no row in the table of layers, \
               add `row(\"loom-new\", Layer::…, &[…])` to xtask/src/tidy/layers.rs",
            ],
        );
    }
}
