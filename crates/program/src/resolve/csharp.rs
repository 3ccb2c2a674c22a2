//! C#: a namespace consists of all files that declare something in it.

use loom_syntax::Import;

use super::files::Declared;
use super::{ResolvedPaths, Unresolved};

pub(super) fn resolve(declared: &Declared, import: &Import) -> ResolvedPaths {
    let module = import.module.trim_start_matches("global::");
    if let Some(files) = declared.package(module) {
        return Ok(files);
    }
    // Handles `using static A.Type` and `using X = A.Type`.
    if let Some((package, name)) = module.rsplit_once('.')
        && let Some(files) = declared.name(package, name)
    {
        return Ok(files);
    }
    let first = module.split('.').next().unwrap_or_default();
    Err(match first {
        "System" | "Microsoft" => Unresolved::System,
        _ if declared.knows(module) => Unresolved::Missing,
        _ => Unresolved::Outside,
    })
}
