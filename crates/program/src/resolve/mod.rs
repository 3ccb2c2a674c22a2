//! Resolves an import to the files of the repository that it refers to. It works on the paths of
//! the repository, the texts of its manifests, and the declarations of its files; it reads no
//! files.

mod csharp;
mod files;
mod go;
mod include;
mod java;
mod javascript;
mod limits;
mod php;
mod python;
mod ruby;
mod rust;

use std::sync::Arc;

use loom_base::RepoPath;
use loom_syntax::{Import, ImportKind, Language, Structure};

use files::{Declared, Files};

/// Resolution of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Files of the repository: one, or those of a package.
    Files(Vec<RepoPath>),
    /// No file of the repository, with the reason.
    Unresolved(Unresolved),
}

/// Reason why an import refers to no file of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unresolved {
    /// It refers to the standard library of the language, or to the system.
    System,
    /// It refers to another package.
    Outside,
    /// It points into the repository, but the file does not exist; a build may generate it.
    Missing,
    /// It is not a plain path, or only a build tool knows its meaning.
    Computed,
    /// Imports of this language are not supported.
    Unsupported,
}

impl Unresolved {
    /// Returns the name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Outside => "outside",
            Self::Missing => "missing",
            Self::Computed => "computed",
            Self::Unsupported => "unsupported",
        }
    }
}

/// Index of a repository for resolving imports.
#[derive(Clone, Debug, Default)]
pub struct Resolver {
    /// Shared by all clones, because there may be very many.
    files: Arc<Files>,
    declared: Declared,
    go: go::Modules,
    node: javascript::Packages,
    php: php::Autoload,
    cargo: rust::Crates,
}

impl Resolver {
    /// Creates a resolver for these files.
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a RepoPath>) -> Self {
        Self {
            files: Arc::new(Files::new(paths)),
            ..Self::default()
        }
    }

    /// Returns whether a file is a manifest, which [`Self::add_manifest`] needs.
    pub fn is_manifest(path: &RepoPath) -> bool {
        let name = std::str::from_utf8(path.file_name()).unwrap_or_default();
        let is_config = name.starts_with("tsconfig") || name.starts_with("jsconfig");
        matches!(
            name,
            "package.json" | "go.mod" | "Cargo.toml" | "composer.json"
        ) || (is_config && name.ends_with(".json"))
    }

    /// Adds a manifest.
    pub fn add_manifest(&mut self, path: &RepoPath, text: &str) {
        let Ok(path) = std::str::from_utf8(path.as_bytes()) else {
            return;
        };
        match files::name(path) {
            "go.mod" => self.go.add(path, text),
            "Cargo.toml" => self.cargo.add(path, text),
            "composer.json" => self.php.add(path, text),
            "package.json" => self.node.add_package(path, text),
            _ => self.node.add_config(path, text),
        }
    }

    /// Adds the declarations of a file, for languages whose imports name packages.
    pub fn add_file(&mut self, path: &RepoPath, language: Language, structure: &Structure) {
        if let Some(path) = path.as_str().filter(|_| language.id() == "rust") {
            self.cargo.add_file(path, structure);
        }
        let has_packages = ["java", "kotlin", "scala", "csharp", "php"].contains(&language.id());
        if let Ok(path) = std::str::from_utf8(path.as_bytes())
            && has_packages
        {
            self.declared.add(path, structure);
        }
    }

    /// Returns the limits that were reached so far, one warning for each kind.
    pub fn limits_met(&self) -> Vec<String> {
        let mut reached = self.node.limits.clone();
        reached.add(&self.go.limits);
        self.declared.note_limits(&mut reached);
        self.node.note_limits(&mut reached);
        go::note_limits(&self.files, &mut reached);
        reached.warnings().collect()
    }

    /// Resolves an import of a file.
    pub fn resolve(&self, from: &RepoPath, language: Language, import: &Import) -> Resolution {
        let Ok(from) = std::str::from_utf8(from.as_bytes()) else {
            return Resolution::Unresolved(Unresolved::Unsupported);
        };
        let found = match language.id() {
            "python" => python::resolve(&self.files, from, import),
            "javascript" | "jsx" | "typescript" | "tsx" | "vue" | "svelte" => {
                javascript::resolve(&self.files, &self.node, from, import)
            }
            "html" | "css" | "bash" => include::relative(&self.files, from, import),
            "zig" => include::zig(&self.files, from, import),
            "rust" => rust::resolve(&self.files, &self.cargo, from, import),
            "go" => go::resolve(&self.files, &self.go, import),
            "java" | "kotlin" | "scala" => java::resolve(&self.declared, import),
            "c" | "cpp" | "objc" => include::resolve(&self.files, from, import),
            "php" => php::resolve(&self.files, &self.php, &self.declared, from, import),
            "ruby" => ruby::resolve(&self.files, from, import),
            "csharp" => csharp::resolve(&self.declared, import),
            _ => Err(Unresolved::Unsupported),
        };
        match found {
            Ok(paths) => {
                let paths = paths
                    .into_iter()
                    .filter_map(|path| RepoPath::new(path).ok());
                Resolution::Files(paths.collect())
            }
            Err(reason) => Resolution::Unresolved(reason),
        }
    }
}

/// Paths of the repository, or the reason for finding none.
type ResolvedPaths = Result<Vec<String>, Unresolved>;

fn is_file_kind(import: &Import) -> bool {
    import.kind == ImportKind::File
}

#[cfg(test)]
mod tests;
