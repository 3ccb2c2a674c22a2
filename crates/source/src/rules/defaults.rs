//! The built-in rules: build output, dependencies, caches, lock files, minified bundles and
//! generated protocol code. They never match tests, docs, `bin`, `pkg`, `env`, or a directory with
//! a name that is also common for source code.

use super::{Rule, RuleSource};

/// Directories that only tools write.
const FOLDERS: &[&str] = &[
    ".bundle",
    ".dart_tool",
    ".eggs",
    ".gradle",
    ".hg",
    ".mypy_cache",
    ".next",
    ".nox",
    ".nuxt",
    ".parcel-cache",
    ".pnpm-store",
    ".pytest_cache",
    ".ruff_cache",
    ".stack-work",
    ".svelte-kit",
    ".svn",
    ".terraform",
    ".tox",
    ".turbo",
    ".venv",
    ".zig-cache",
    "__pycache__",
    "bower_components",
    "dist-newstyle",
    "elm-stuff",
    "jspm_packages",
    "node_modules",
    "zig-cache",
];

/// Directories that tools write, with names that are also used for source: skipped at the top of a
/// root and next to a build manifest. (`drivers/target` of the Linux kernel is neither.)
const FOLDERS_BESIDE_MANIFEST: &[&str] = &["dist", "target", "vendor"];

/// Directories that are output only next to one particular manifest.
const FOLDERS_BESIDE: &[(&str, &str)] = &[
    ("Pods", "Podfile"),
    ("_build", "dune-project"),
    ("_build", "mix.exs"),
    ("deps", "mix.exs"),
    ("zig-out", "build.zig"),
];

const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "Gemfile",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "composer.json",
    "go.mod",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "setup.py",
];

/// Files that mark their directory as a cache or an environment.
const FOLDER_MARKS: &[&str] = &["CACHEDIR.TAG", "pyvenv.cfg"];

const FILES: &[&str] = &[
    ".DS_Store",
    ".pnp.cjs",
    ".pnp.loader.mjs",
    ".terraform.lock.hcl",
    "Cargo.lock",
    "Gemfile.lock",
    "Package.resolved",
    "Pipfile.lock",
    "Podfile.lock",
    "Thumbs.db",
    "bun.lock",
    "bun.lockb",
    "cabal.project.freeze",
    "composer.lock",
    "conan.lock",
    "deno.lock",
    "flake.lock",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "paket.lock",
    "pdm.lock",
    "pixi.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pubspec.lock",
    "stack.yaml.lock",
    "uv.lock",
    "yarn.lock",
];

/// Suffixes of names: minified code and its maps, compiled Python, generated protocol code, editor
/// backups.
const ENDINGS: &[&str] = &[
    "-min.css",
    "-min.js",
    ".css.map",
    ".js.map",
    ".min.css",
    ".min.js",
    ".min.mjs",
    ".mjs.map",
    ".pb.cc",
    ".pb.go",
    ".pb.gw.go",
    ".pb.h",
    ".pb.swift",
    ".pyc",
    ".pyo",
    "_pb.d.ts",
    "_pb.js",
    "_pb.rb",
    "_pb2.py",
    "_pb2.pyi",
    "_pb2_grpc.py",
    ".egg-info",
];

/// The siblings of an entry that matter to the built-in rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Siblings {
    is_top: bool,
    manifests: Vec<&'static str>,
    /// The file that marks this directory as a cache.
    pub(crate) mark: Option<&'static str>,
}

impl Siblings {
    /// Collects the relevant names of a directory; `is_top` is true for the top of a root or
    /// repository.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a [u8]>, is_top: bool) -> Self {
        let mut siblings = Self {
            is_top,
            ..Self::default()
        };
        for name in names {
            siblings.manifests.extend(find(MANIFESTS, name));
            let beside = FOLDERS_BESIDE.iter().map(|(_, manifest)| *manifest);
            siblings
                .manifests
                .extend(beside.filter(|manifest| manifest.as_bytes() == name));
            siblings.mark = siblings.mark.or(find(FOLDER_MARKS, name));
        }
        siblings
    }

    fn has_manifest(&self) -> bool {
        self.manifests.iter().any(|name| MANIFESTS.contains(name))
    }
}

/// Returns the built-in rule that skips an entry of this name.
pub(crate) fn default_for(name: &[u8], is_dir: bool, siblings: &Siblings) -> Option<Rule> {
    let hit = if is_dir {
        folder(name, siblings)
    } else {
        file(name)
    };
    hit.map(|pattern| Rule {
        source: RuleSource::Default,
        pattern,
        line: None,
    })
}

fn folder(name: &[u8], siblings: &Siblings) -> Option<String> {
    if let Some(folder) = find(FOLDERS, name) {
        return Some(format!("{folder}/"));
    }
    if let Some(folder) = find(FOLDERS_BESIDE_MANIFEST, name)
        && (siblings.is_top || siblings.has_manifest())
    {
        return Some(format!("{folder}/ at the top or beside a build manifest"));
    }
    let beside = FOLDERS_BESIDE.iter().find(|(folder, manifest)| {
        folder.as_bytes() == name && siblings.manifests.contains(manifest)
    });
    match beside {
        Some((folder, manifest)) => Some(format!("{folder}/ beside {manifest}")),
        None => name
            .ends_with(b".egg-info")
            .then(|| "*.egg-info".to_owned()),
    }
}

fn file(name: &[u8]) -> Option<String> {
    if name.starts_with(b".infiniloom-") && name.ends_with(b".tmp") {
        return Some(".infiniloom-*.tmp".to_owned());
    }
    let whole = find(FILES, name).map(str::to_owned);
    whole.or_else(|| {
        let ending = ENDINGS
            .iter()
            .find(|ending| name.ends_with(ending.as_bytes()))?;
        Some(format!("*{ending}"))
    })
}

fn find<'a>(list: &[&'a str], name: &[u8]) -> Option<&'a str> {
    list.iter().copied().find(|entry| entry.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(path: &str, is_top: bool, beside: &[&str]) -> bool {
        let siblings = Siblings::of(beside.iter().map(|name| name.as_bytes()), is_top);
        let name = path.trim_end_matches('/');
        default_for(name.as_bytes(), path.ends_with('/'), &siblings).is_some()
    }

    #[test]
    fn default_rules_skip_dependencies_and_generated_files() {
        for name in [
            "node_modules/",
            "Cargo.lock",
            "app.min.js",
            "api.pb.go",
            "x_pb2.py",
            "__pycache__/",
        ] {
            assert!(dropped(name, false, &[]), "{name}");
        }
    }

    #[test]
    fn default_rules_keep_files_that_may_be_source() {
        for name in [
            "tests/",
            "docs/",
            "bin/",
            "pkg/",
            "env/",
            "env",
            "build/",
            "out/",
            "lib/",
            "target/",
            "dist/",
            "vendor/",
            "deps/",
            ".github/",
            ".env",
            "Makefile",
            "lock.rs",
            "target",
            "node_modules",
        ] {
            assert!(!dropped(name, false, &[]), "{name}");
        }
    }

    #[test]
    fn output_directories_are_recognised_by_position() {
        assert!(dropped("target/", false, &["Cargo.toml"]));
        assert!(dropped("vendor/", true, &[]));
        assert!(dropped("_build/", false, &["mix.exs"]));
        assert!(!dropped("_build/", true, &["Cargo.toml"]));
        assert_eq!(
            Siblings::of([&b"pyvenv.cfg"[..]].into_iter(), false).mark,
            Some("pyvenv.cfg")
        );
    }
}
