//! JavaScript and TypeScript: relative paths, `paths` of a `tsconfig.json`, and the packages of a
//! workspace.

use std::collections::{HashMap, HashSet};

use loom_syntax::Import;
use serde_json::Value;

use super::files::{Files, folder, joined, nearest, upwards};
use super::limits::LimitsMet;
use super::{ResolvedPaths, Unresolved};

/// Extensions and index files that a path may omit.
const ENDINGS: &[&str] = &[
    "",
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".mts",
    ".cts",
    ".json",
    ".vue",
    ".svelte",
    "/index.ts",
    "/index.tsx",
    "/index.d.ts",
    "/index.js",
    "/index.jsx",
    "/index.mjs",
    "/index.cjs",
    "/index.vue",
    "/index.svelte",
];

/// Maximum number of configurations that are followed; real projects extend fewer.
const MOST_CONFIGS: usize = 32;

/// Maximum number of paths of one `tsconfig.json` or `package.json`: every import is compared with
/// all of them, and tries every target. The largest that we know have a few hundred.
const MOST_PATHS: usize = 1_000;

/// Maximum number of targets of one path, each of which is tried with every extension.
const MOST_TARGETS: usize = 16;

/// Packages and configurations of a repository.
#[derive(Clone, Debug, Default)]
pub(super) struct Packages {
    /// Packages by name. Several may have one name, because tests contain packages with the names
    /// of real ones.
    by_name: HashMap<String, Vec<Package>>,
    configs: HashMap<String, Config>,
    pub(super) limits: LimitsMet,
}

/// Effects of the limits in this file, for warnings.
const FEWER_PATHS: &str = "following imports by 1,000 paths of a package.json or tsconfig.json";
const FEWER_TARGETS: &str = "following imports by 16 targets of a path in tsconfig.json";
const FEWER_CONFIGS: &str = "following imports by 32 configurations that extend each other";
const FEWER_PACKAGES: &str = "following imports to 1,000 packages of one name";

#[derive(Clone, Debug)]
struct Package {
    folder: String,
    entries: Vec<String>,
    exports: Vec<(String, String)>,
}

/// Settings of a `tsconfig.json` for paths.
#[derive(Clone, Debug, Default)]
struct Config {
    extends: Vec<String>,
    base: Option<String>,
    paths: Vec<(String, Vec<String>)>,
}

impl Config {
    /// Returns the paths of the configurations that this one, in the directory `here`, extends.
    fn extended<'a>(&'a self, here: &'a str) -> impl Iterator<Item = String> + 'a {
        let extends = self.extends.iter();
        extends.filter_map(move |extended| {
            let path = joined(here, extended).filter(|_| extended.starts_with('.'))?;
            Some(match path.ends_with(".json") {
                true => path,
                false => format!("{path}.json"),
            })
        })
    }
}

impl Packages {
    pub(super) fn add_package(&mut self, path: &str, text: &str) {
        let Ok(json) = serde_json::from_str::<Value>(text) else {
            return;
        };
        let Some(name) = json["name"].as_str() else {
            return;
        };
        let entries = ["source", "types", "typings", "module", "main"];
        let entries = entries.iter().filter_map(|key| json[*key].as_str());
        let mut package = Package {
            folder: folder(path).to_owned(),
            entries: entries.map(str::to_owned).collect(),
            exports: exports(&json["exports"]),
        };
        if package.exports.len() > MOST_PATHS {
            package.exports.truncate(MOST_PATHS);
            self.limits.note(FEWER_PATHS, path);
        }
        let named = self.by_name.entry(name.to_owned()).or_default();
        // Every import searches the nearest of them.
        match named.len() < MOST_PATHS {
            true => named.push(package),
            false => self.limits.note_once(FEWER_PACKAGES, name),
        }
    }

    pub(super) fn add_config(&mut self, path: &str, text: &str) {
        let Ok(json) = serde_json::from_str::<Value>(&plain_json(text)) else {
            return;
        };
        let options = &json["compilerOptions"];
        let here = folder(path);
        let strings = |value: &Value| -> Vec<String> {
            let list = value.as_array().into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let extends = match &json["extends"] {
            Value::String(one) => vec![one.clone()],
            several => strings(several),
        };
        let base = options["baseUrl"]
            .as_str()
            .and_then(|base| joined(here, base));
        let paths = options["paths"].as_object();
        if paths.is_some_and(|paths| paths.len() > MOST_PATHS) {
            self.limits.note(FEWER_PATHS, path);
        }
        let has_more = |value: &Value| value.as_array().is_some_and(|all| all.len() > MOST_TARGETS);
        if paths.is_some_and(|paths| paths.values().any(has_more)) {
            self.limits.note(FEWER_TARGETS, path);
        }
        let paths = paths.into_iter().flatten();
        let config = Config {
            extends,
            base,
            paths: paths
                .take(MOST_PATHS)
                .map(|(key, value)| {
                    let mut targets = strings(value);
                    targets.truncate(MOST_TARGETS);
                    (key.clone(), targets)
                })
                .collect(),
        };
        self.configs.insert(path.to_owned(), config);
    }

    /// Maps a module name with the nearest configuration, and those that it extends.
    fn mapped(&self, files: &Files, from: &str, module: &str) -> Option<String> {
        for above in upwards(folder(from)) {
            for name in ["tsconfig.json", "jsconfig.json", "tsconfig.base.json"] {
                let path = joined(above, name)?;
                if let Some(found) = self.mapped_by(files, &path, module, &mut HashSet::new()) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Maps a module with a configuration, or one that it extends. `seen` contains the visited
    /// ones, because they may extend each other.
    fn mapped_by(
        &self,
        files: &Files,
        path: &str,
        module: &str,
        seen: &mut HashSet<String>,
    ) -> Option<String> {
        let config = self.configs.get(path)?;
        if seen.len() >= MOST_CONFIGS || !seen.insert(path.to_owned()) {
            return None;
        }
        let here = folder(path);
        let base = config.base.as_deref().unwrap_or(here);
        for (pattern, targets) in &config.paths {
            let Some(rest) = matched(pattern, module) else {
                continue;
            };
            for target in targets {
                let target = joined(base, &target.replacen('*', rest, 1))?;
                if let Some(found) = file(files, &target) {
                    return Some(found);
                }
            }
        }
        if let Some(base) = &config.base
            && let Some(found) = joined(base, module).and_then(|path| file(files, &path))
        {
            return Some(found);
        }
        let mut extended = config
            .extended(here)
            .filter_map(|path| self.mapped_by(files, &path, module, seen));
        extended.next()
    }

    /// Records the configurations that extend more than the limit, directly or indirectly.
    pub(super) fn note_limits(&self, reached: &mut LimitsMet) {
        for (path, config) in &self.configs {
            if !config.extends.is_empty() && self.extends_too_many(path) {
                reached.note(FEWER_CONFIGS, path);
            }
        }
    }

    fn extends_too_many(&self, path: &str) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![path.to_owned()];
        while let Some(path) = waiting.pop() {
            let Some(config) = self.configs.get(&path) else {
                continue;
            };
            let here = folder(&path).to_owned();
            if seen.insert(path) {
                waiting.extend(config.extended(&here));
            }
            if seen.len() > MOST_CONFIGS {
                return true;
            }
        }
        false
    }

    /// Resolves a package of the repository by its name, or a path inside one.
    fn workspace(
        &self,
        files: &Files,
        from: &str,
        module: &str,
    ) -> Option<Result<String, Unresolved>> {
        let (package, rest) = self.package_of(from, module)?;
        let at = |path: &str| joined(&package.folder, path);
        let subpath = match rest {
            "" => ".".to_owned(),
            rest => format!("./{rest}"),
        };
        let exported = package.exports.iter().filter_map(|(key, target)| {
            let star = matched(key, &subpath)?;
            Some(target.replacen('*', star, 1))
        });
        let exported = exported.take(MOST_TARGETS);
        let entries = package.entries.iter().filter(|_| rest.is_empty()).cloned();
        let direct = [
            rest.to_owned(),
            format!("src/{rest}"),
            format!("lib/{rest}"),
        ];
        let candidates: Vec<String> = exported.chain(entries).chain(direct).collect();
        for candidate in &candidates {
            // Files that are built from `src` are not in the repository; use their sources.
            let candidate = candidate.trim_start_matches("./");
            let source = ["lib/", "dist/", "build/", "out/", "es/", "cjs/", "esm/"]
                .iter()
                .find_map(|built| candidate.strip_prefix(built))
                .map(|rest| format!("src/{rest}"));
            let mut tried = [Some(candidate.to_owned()), source].into_iter().flatten();
            if let Some(found) = tried.find_map(|path| file(files, &at(&path)?)) {
                return Some(Ok(found));
            }
        }
        Some(Err(Unresolved::Missing))
    }

    fn package_of<'a>(&self, from: &str, module: &'a str) -> Option<(&Package, &'a str)> {
        let end = match module.starts_with('@') {
            true => module.match_indices('/').nth(1).map(|(at, _)| at),
            false => module.find('/'),
        };
        let end = end.unwrap_or(module.len());
        let named = self.by_name.get(&module[..end])?;
        let package = nearest(from, named, |package| package.folder.as_str())?;
        Some((package, module[end..].trim_start_matches('/')))
    }
}

pub(super) fn resolve(
    files: &Files,
    packages: &Packages,
    from: &str,
    import: &Import,
) -> ResolvedPaths {
    // Remove the instructions to a bundler before and after the path.
    let module = import.module.rsplit('!').next().unwrap_or_default();
    let module = module.split('?').next().unwrap_or_default();
    if module.contains("${") {
        return Err(Unresolved::Computed);
    }
    if module.starts_with('.') {
        let path = joined(folder(from), module).ok_or(Unresolved::Missing)?;
        return file(files, &path)
            .map(|path| vec![path])
            .ok_or(Unresolved::Missing);
    }
    if module.starts_with("node:") {
        return Err(Unresolved::System);
    }
    if let Some(found) = packages.mapped(files, from, module) {
        return Ok(vec![found]);
    }
    match packages.workspace(files, from, module) {
        Some(found) => found.map(|path| vec![path]),
        None => Err(Unresolved::Outside),
    }
}

/// Returns the file for a path without an extension. `x.js` may also mean `x.ts`.
fn file(files: &Files, path: &str) -> Option<String> {
    let with = |path: &str| files.first(ENDINGS.iter().map(|ending| format!("{path}{ending}")));
    with(path).or_else(|| {
        let (stem, ending) = path.rsplit_once('.')?;
        matches!(ending, "js" | "jsx" | "mjs" | "cjs").then(|| with(stem))?
    })
}

/// Returns the text that the star of a pattern matches.
fn matched<'a>(pattern: &str, module: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((start, end)) => module.strip_prefix(start)?.strip_suffix(end),
        None => (pattern == module).then_some(""),
    }
}

/// Returns every path that `exports` names for a key, up to one more than the limit.
fn exports(value: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &Value)> = vec![(".".to_owned(), value)];
    while let Some((key, value)) = open.pop().filter(|_| found.len() <= MOST_PATHS) {
        match value {
            Value::String(target) => found.push((key, target.clone())),
            Value::Object(inner) => {
                for (word, value) in inner {
                    let key = if word.starts_with('.') {
                        word.clone()
                    } else {
                        key.clone()
                    };
                    open.push((key, value));
                }
            }
            _ => {}
        }
    }
    found
}

/// Removes the comments and trailing commas that `tsconfig.json` may have.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            let end = string_end(rest);
            plain.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else {
            if matches!(c, '}' | ']') {
                let end = plain.trim_end().trim_end_matches(',').len();
                plain.truncate(end);
            }
            plain.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    plain
}

fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A manifest of a repository chooses the number of paths, and every import is compared with
    /// all of them.
    #[test]
    fn paths_of_one_manifest_are_bounded() {
        let mut packages = Packages::default();
        let list = |count: usize, one: &dyn Fn(usize) -> String| {
            (0..count).map(one).collect::<Vec<_>>().join(", ")
        };
        let paths = list(5_000, &|at| format!("\"@{at}/*\": [\"./{at}/*\"]"));
        let targets = list(5_000, &|at| format!("\"./{at}/*\""));
        let options = format!("{{\"paths\": {{\"@a/*\": [{targets}], {paths}}}}}");
        packages.add_config(
            "tsconfig.json",
            &format!("{{\"compilerOptions\": {options}}}"),
        );
        let config = &packages.configs["tsconfig.json"];
        assert!(config.paths.len() <= MOST_PATHS);
        assert!(
            config
                .paths
                .iter()
                .all(|(_, targets)| targets.len() <= MOST_TARGETS)
        );
        let exports = list(5_000, &|at| format!("\"./{at}/*\": \"./{at}/*.js\""));
        let package = format!("{{\"name\": \"p\", \"exports\": {{{exports}}}}}");
        for at in 0..2 * MOST_PATHS {
            let text = if at == 0 {
                &*package
            } else {
                "{\"name\": \"p\"}"
            };
            packages.add_package(&format!("{at}/package.json"), text);
        }
        assert!(packages.by_name["p"].len() <= MOST_PATHS);
        assert!(packages.by_name["p"][0].exports.len() <= MOST_PATHS);
        let warnings: Vec<String> = packages.limits.warnings().collect();
        assert_eq!(
            warnings,
            [
                "following imports by 1,000 paths of a package.json or tsconfig.json: \
                 0/package.json and 1 more have more",
                "following imports by 16 targets of a path in tsconfig.json: tsconfig.json has more",
                "following imports to 1,000 packages of one name: p has more",
            ]
        );
    }
}
