//! PHP: classes by the `psr-4` rules of `composer.json`, otherwise by their namespace.

use loom_syntax::Import;
use serde_json::Value;

use super::files::{Declared, Files, folder, joined};
use super::{ResolvedPaths, Unresolved, include, is_file_kind};

/// Prefixes of namespaces with their directories, longest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Autoload(Vec<(String, String)>);

impl Autoload {
    pub(super) fn add(&mut self, path: &str, text: &str) {
        let Ok(json) = serde_json::from_str::<Value>(text) else {
            return;
        };
        for section in ["autoload", "autoload-dev"] {
            let rules = json[section]["psr-4"].as_object().into_iter().flatten();
            for (prefix, target) in rules {
                let folders = match target {
                    Value::String(one) => vec![one.as_str()],
                    several => several
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(Value::as_str)
                        .collect(),
                };
                let folders = folders
                    .into_iter()
                    .filter_map(|one| joined(folder(path), one));
                self.0
                    .extend(folders.map(|folder| (prefix.clone(), folder)));
            }
        }
        self.0
            .sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
    }
}

pub(super) fn resolve(
    files: &Files,
    autoload: &Autoload,
    declared: &Declared,
    from: &str,
    import: &Import,
) -> ResolvedPaths {
    if is_file_kind(import) {
        return include::relative(files, from, import);
    }
    let class = import.module.trim_start_matches('\\');
    let mut is_ours = false;
    for (prefix, folder) in &autoload.0 {
        let Some(rest) = class.strip_prefix(prefix.as_str()) else {
            continue;
        };
        is_ours = true;
        let path = joined(folder, &format!("{}.php", rest.replace('\\', "/")));
        if let Some(path) = path.filter(|path| files.has(path)) {
            return Ok(vec![path]);
        }
    }
    let (package, name) = class.rsplit_once('\\').unwrap_or(("", class));
    let by_name = declared
        .name(package, name)
        .or_else(|| declared.package(class));
    by_name.ok_or(match is_ours || declared.knows(package) {
        true if !package.is_empty() => Unresolved::Missing,
        _ => Unresolved::Outside,
    })
}
