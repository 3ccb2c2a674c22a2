//! Lock files contain packages, versions and hashes, but no server that one machine used: such a
//! URL does not work elsewhere.

use super::checkout::TextFile;
use super::problem::Problem;

/// A lock file, the pattern of a URL in it, and the way to avoid it.
struct LockFile {
    name: &'static str,
    address: &'static str,
    remedy: &'static str,
}

const NPM: &str = "set `omit-lockfile-registry-resolved=true` in .npmrc and lock again";
const PIP: &str = "pass the index on the command line, not in the file";

const LOCK_FILES: &[LockFile] = &[
    lock("package-lock.json", "\"resolved\": \"http", NPM),
    lock("npm-shrinkwrap.json", "\"resolved\": \"http", NPM),
    lock(
        "yarn.lock",
        "resolved \"http",
        "keep package-lock.json instead",
    ),
    lock(
        "pnpm-lock.yaml",
        "tarball: http",
        "set `lockfile-include-tarball-url=false`",
    ),
    lock("poetry.lock", "url = \"http", PIP),
    lock("pdm.lock", "url = \"http", PIP),
    lock(
        "uv.lock",
        "registry = \"http",
        "keep requirements.txt with hashes instead",
    ),
    lock("requirements.txt", "index-url", PIP),
];

pub(crate) fn check(file: &TextFile) -> Vec<Problem> {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let Some(lock_file) = LOCK_FILES.iter().find(|lock_file| lock_file.name == name) else {
        return Vec::new();
    };
    let numbered = file.text.lines().enumerate();
    let named = numbered.filter(|(_, line)| line.contains(lock_file.address));
    let what = "names a package registry";
    named
        .map(|(index, _)| Problem::new(&file.path, index + 1, what, lock_file.remedy))
        .collect()
}

const fn lock(name: &'static str, address: &'static str, remedy: &'static str) -> LockFile {
    LockFile {
        name,
        address,
        remedy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::problem::shown;

    #[test]
    fn an_address_in_a_lock_file_fails() {
        let text = "{\n  \"resolved\": \"https://host.example/a.tgz\"\n}\n";
        let file = TextFile::new("ui/package-lock.json", text);
        assert_eq!(
            shown(check(&file)),
            ["ui/package-lock.json:2: names a package registry, \
              set `omit-lockfile-registry-resolved=true` in .npmrc and lock again"]
        );
        let file = TextFile::new("requirements.txt", "--index-url https://host.example\n");
        assert_eq!(check(&file).len(), 1);
    }

    #[test]
    fn other_addresses_pass() {
        let text = "{ \"funding\": { \"url\": \"https://host.example\" } }";
        assert_eq!(check(&TextFile::new("package-lock.json", text)), []);
        let text = "\"resolved\": \"https://host.example\"";
        assert_eq!(check(&TextFile::new("notes.md", text)), []);
    }
}
