//! From an import as written to the files of the repository that it means. Works on
//! the paths of the repository, the texts of its manifests, and what its files
//! declare; reads nothing itself.

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

/// What an import means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// These files of the repository: one, or those of a package.
    Files(Vec<RepoPath>),
    /// Nothing in the repository, and why.
    Unresolved(Unresolved),
}

/// Why an import means no file of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unresolved {
    /// The standard library of the language, or the system.
    System,
    /// Another package.
    Outside,
    /// It points into the repository, and there is no such file: it may be made by a
    /// build.
    Missing,
    /// It is no plain path, or means something only a build tool knows.
    Computed,
    /// Imports of this language are not followed.
    Unsupported,
}

impl Unresolved {
    /// The word for programs.
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

/// Knows a repository well enough to follow imports.
#[derive(Clone, Debug, Default)]
pub struct Resolver {
    /// The same for all that were cloned: there may be very many.
    files: Arc<Files>,
    declared: Declared,
    go: go::Modules,
    node: javascript::Packages,
    php: php::Autoload,
    cargo: rust::Crates,
}

impl Resolver {
    /// A repository with these files.
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a RepoPath>) -> Self {
        Self {
            files: Arc::new(Files::new(paths)),
            ..Self::default()
        }
    }

    /// Whether a file is a manifest, whose text `add_manifest` wants.
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

    /// Adds what a file declares, for languages whose imports name packages.
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

    /// The limits that were met so far, one warning for each kind.
    pub fn limits_met(&self) -> Vec<String> {
        let mut met = self.node.limits.clone();
        met.add(&self.go.limits);
        self.declared.note_limits(&mut met);
        self.node.note_limits(&mut met);
        go::note_limits(&self.files, &mut met);
        met.warnings().collect()
    }

    /// The files that an import of a file means.
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

/// Paths of the repository, or the reason for which there are none.
type Found = Result<Vec<String>, Unresolved>;

fn is_file_kind(import: &Import) -> bool {
    import.kind == ImportKind::File
}

#[cfg(test)]
mod tests;
