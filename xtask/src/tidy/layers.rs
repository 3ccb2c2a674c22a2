//! The layers of the workspace as a table: every package, its row, and its permitted dependencies
//! in the workspace. The rule in `edges` reads the table.

/// A row of the drawing in `ARCHITECTURE.md`, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    Ground,
    Domain,
    Pipeline,
    Native,
    Join,
    Facade,
    Edge,
    /// Test support and tools: no package depends on them.
    Beside,
}

impl Layer {
    /// Returns true for layers whose packages do no I/O, read no clock or environment, and compile
    /// for wasm32.
    pub(crate) fn is_pure(self) -> bool {
        self <= Self::Pipeline
    }
}

/// Permitted dependencies of one package.
pub(crate) struct Row {
    pub(crate) package: &'static str,
    pub(crate) layer: Layer,
    may_use: &'static [&'static [&'static str]],
}

impl Row {
    pub(crate) fn may_use(&self, package: &str) -> bool {
        self.used().any(|name| name == package)
    }

    pub(crate) fn used(&self) -> impl Iterator<Item = &'static str> {
        self.may_use.iter().flat_map(|names| names.iter().copied())
    }
}

pub(crate) fn row_of(package: &str) -> Option<&'static Row> {
    LAYERS.iter().find(|row| row.package == package)
}

const GROUND: &[&str] = &["loom-base", "loom-tokens", "loom-models"];
const DOMAIN: &[&str] = &[
    "loom-syntax",
    "loom-program",
    "loom-chunk",
    "loom-graph",
    "loom-search",
    "loom-secrets",
    "loom-embed",
    "loom-stream",
    "loom-agent",
    "loom-history",
];
const PIPELINE: &[&str] = &["loom-engine", "loom-lookup", "loom-wire", "loom-settings"];
const NATIVE: &[&str] = &[
    "loom-db",
    "loom-source",
    "loom-store",
    "loom-journal",
    "loom-llm",
    "loom-sandbox",
    "loom-plugins",
];

/// For domain packages that use extracted structures, with or without grammars.
const ON_SYNTAX: &[&[&str]] = &[GROUND, &["loom-syntax"]];
/// For native packages: the ground, domain types that they store, and the only package that opens
/// SQLite.
const BELOW_NATIVE: &[&[&str]] = &[GROUND, DOMAIN, &["loom-db"]];
const BELOW_FACADE: &[&[&str]] = &[
    &["loom-host", "loom-settings", "loom-wire"],
    &["loom-base", "loom-models"],
];
/// Edges use the host only through the library.
const BELOW_EDGE: &[&[&str]] = &[
    &["infiniloom", "loom-settings", "loom-wire"],
    &["loom-base", "loom-models"],
];
/// The command starts the servers.
const BELOW_COMMAND: &[&[&str]] = &[
    &["loom-mcp", "infiniloom", "loom-settings", "loom-wire"],
    &["loom-base", "loom-models"],
];
const BELOW_TESTS: &[&[&str]] = &[GROUND, DOMAIN, PIPELINE, NATIVE, &["loom-host"]];

pub(crate) const LAYERS: &[Row] = &[
    row("loom-base", Layer::Ground, &[]),
    row("loom-tokens", Layer::Ground, &[&["loom-base"]]),
    row(
        "loom-models",
        Layer::Ground,
        &[&["loom-base", "loom-tokens"]],
    ),
    row("loom-syntax", Layer::Domain, &[GROUND]),
    row("loom-program", Layer::Domain, ON_SYNTAX),
    row("loom-chunk", Layer::Domain, ON_SYNTAX),
    row("loom-graph", Layer::Domain, &[GROUND]),
    row("loom-search", Layer::Domain, &[GROUND]),
    row("loom-secrets", Layer::Domain, &[GROUND]),
    // An embedding splits a text into the same words as the search.
    row("loom-embed", Layer::Domain, &[GROUND, &["loom-search"]]),
    row("loom-stream", Layer::Domain, &[GROUND]),
    row("loom-agent", Layer::Domain, &[GROUND]),
    row("loom-history", Layer::Domain, &[GROUND]),
    row("loom-wire", Layer::Pipeline, &[GROUND, DOMAIN]),
    row(
        "loom-engine",
        Layer::Pipeline,
        &[GROUND, DOMAIN, &["loom-wire"]],
    ),
    row("loom-lookup", Layer::Pipeline, &[GROUND, DOMAIN]),
    row(
        "loom-settings",
        Layer::Pipeline,
        &[&["loom-base", "loom-models"]],
    ),
    row("loom-db", Layer::Native, &[GROUND]),
    row("loom-source", Layer::Native, BELOW_NATIVE),
    row("loom-store", Layer::Native, BELOW_NATIVE),
    row("loom-journal", Layer::Native, BELOW_NATIVE),
    row("loom-llm", Layer::Native, BELOW_NATIVE),
    row("loom-sandbox", Layer::Native, BELOW_NATIVE),
    row("loom-plugins", Layer::Native, BELOW_NATIVE),
    row(
        "loom-host",
        Layer::Join,
        &[GROUND, DOMAIN, PIPELINE, NATIVE],
    ),
    row("infiniloom", Layer::Facade, BELOW_FACADE),
    row("infiniloom-cli", Layer::Edge, BELOW_COMMAND),
    row("loom-mcp", Layer::Edge, BELOW_EDGE),
    row("loom-server", Layer::Edge, BELOW_EDGE),
    row("loom-testkit", Layer::Beside, BELOW_TESTS),
    row("loom-bench", Layer::Beside, BELOW_TESTS),
    row("xtask", Layer::Beside, &[]),
];

const fn row(
    package: &'static str,
    layer: Layer,
    may_use: &'static [&'static [&'static str]],
) -> Row {
    Row {
        package,
        layer,
        may_use,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_points_down_and_at_itself_only() {
        for row in LAYERS {
            for used in row.used() {
                let below = row_of(used).expect(used);
                assert!(
                    below.layer <= row.layer,
                    "{} uses {used} above it",
                    row.package
                );
                // Only the command starts other edges.
                let is_command = row.package == "infiniloom-cli";
                assert!(
                    below.layer < Layer::Edge || is_command,
                    "{} uses {used}",
                    row.package
                );
                assert!(
                    !below.may_use(row.package),
                    "{} and {used} use each other",
                    row.package
                );
            }
        }
    }

    #[test]
    fn every_package_has_one_row() {
        for row in LAYERS {
            let rows = LAYERS.iter().filter(|other| other.package == row.package);
            assert_eq!(rows.count(), 1, "{}", row.package);
        }
    }

    #[test]
    fn purity_ends_below_the_native_packages() {
        let is_pure = |package| row_of(package).unwrap().layer.is_pure();
        assert!(is_pure("loom-base") && is_pure("loom-settings"));
        assert!(!is_pure("loom-source") && !is_pure("xtask"));
    }
}
