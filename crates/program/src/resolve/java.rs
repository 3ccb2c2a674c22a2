//! Java, Kotlin and Scala: names in packages, independent of the paths of their files.

use loom_syntax::Import;

use super::files::Declared;
use super::{ResolvedPaths, Unresolved};

pub(super) fn resolve(declared: &Declared, import: &Import) -> ResolvedPaths {
    let mut found = Vec::new();
    for name in &import.names {
        for path in named(declared, &import.module, name) {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let first = import.module.split('.').next().unwrap_or_default();
    Err(match first {
        "java" | "javax" | "kotlin" | "scala" | "kotlinx" | "android" => Unresolved::System,
        _ if declared.knows(&import.module) => Unresolved::Missing,
        _ => Unresolved::Outside,
    })
}

/// Returns the files of a name: in a package, or inside a type of a package.
fn named(declared: &Declared, module: &str, name: &str) -> Vec<String> {
    if name == "*" {
        if let Some(files) = declared.package(module) {
            return files;
        }
    } else if let Some(files) = declared.name(module, name) {
        return files;
    }
    // Try `a.b.Outer.Inner`, or a member of a type.
    let (mut package, mut inner) = match module.rsplit_once('.') {
        Some(split) => split,
        None => return Vec::new(),
    };
    loop {
        if let Some(files) = declared.name(package, inner) {
            return files;
        }
        match package.rsplit_once('.') {
            Some((outer, last)) => (package, inner) = (outer, last),
            None => return Vec::new(),
        }
    }
}
