//! File names of config files and source files.

use super::{Role, Syntax};
use crate::words::WordList;

/// Returns the role of the file `path` called `name`; both in lower case.
pub(super) fn of(path: &str, name: &str, syntax: Syntax) -> Role {
    match syntax {
        Syntax::Digests => return Role::Other,
        Syntax::Prose => return Role::Text,
        Syntax::Shell => return Role::Config,
        Syntax::Code | Syntax::Settings => {}
    }
    if is_description(name) {
        return Role::Other;
    }
    if is_manifest(name) {
        return Role::Config;
    }
    let extension = name.rsplit('.').next().unwrap_or(name);
    if CONFIG_ENDS.has(extension.as_bytes()) || is_config_name(name) {
        return Role::Config;
    }
    match syntax {
        // A PHP file in a settings directory is only a list of settings.
        Syntax::Code if extension == "php" && is_settings(path, name) => Role::Config,
        Syntax::Code if SOURCE_CONFIG_ENDS.has(extension.as_bytes()) && is_settings(path, name) => {
            Role::Settings
        }
        Syntax::Code => Role::Source,
        _ => Role::Other,
    }
}

/// Extensions of config files.
const CONFIG_ENDS: WordList = WordList::new(
    "yml yaml ini cfg conf config cnf properties props env envrc npmrc yarnrc pypirc \
     netrc pgpass credentials service desktop plist xml xaml htpasswd s3cfg boto \
     dockercfg json jsonc json5 toml tf tfvars tfstate hcl bicep ps1 psm1 http rest \
     nmconnection network ovpn har prisma gitconfig flaskenv kubeconfig gradle kts sbt sql reg inf url cql ldif acl passwd \
     secrets secret curlrc wgetrc pgservicerc mylogin vault nix conn dsn udl",
);

/// Extensions of source files that may contain only settings.
const SOURCE_CONFIG_ENDS: WordList = WordList::new("py rb js mjs cjs ts lua go java cs");

/// Matches names and prefixes of config files without a telling extension.
fn is_config_name(name: &str) -> bool {
    const NAMES: WordList = WordList::new(
        "crontab config credentials hosts inventory sasl_passwd chap-secrets pap-secrets \
         shadow passwd appfile fastfile matchfile deliverfile environment .gitmodules \
         cqlshrc odbc.ini fstab kubeconfig caddyfile env dotenv vars user-data ipsec.secrets",
    );
    NAMES.has(name.as_bytes())
        || name.ends_with("credentials")
        || name.starts_with("requirements")
        || name.starts_with(".env")
        || name.ends_with(".env")
        || name.ends_with("rc") && (name.starts_with('.') || name.starts_with('_'))
        || name.contains("config.") && name.starts_with('.')
}

/// Matches package manifests, which contain settings next to lists of packages.
pub(super) fn is_manifest(name: &str) -> bool {
    const NAMES: WordList = WordList::new(
        "package.json composer.json cargo.toml pyproject.toml pubspec.yaml deno.json deno.jsonc",
    );
    NAMES.has(name.trim_end_matches(".orig").as_bytes())
}

/// Matches files that describe names: those of modules, of members, of parts of a grammar.
fn is_description(name: &str) -> bool {
    const NAMES: WordList = WordList::new(
        "bower.json tsconfig.json project.json manifest.json language-configuration.json",
    );
    NAMES.has(name.trim_end_matches(".orig").as_bytes())
        || name.ends_with(".schema.json")
        || name.ends_with(".tmlanguage.json")
}

/// Matches `settings.py`, `wp-config.php`, `config/database.php`.
fn is_settings(path: &str, name: &str) -> bool {
    const WORDS: WordList = WordList::new(
        "settings config conf configuration secrets env database parameters \
         local_settings localsettings constants environment",
    );
    const FOLDERS: WordList = WordList::new("config conf settings etc configs");
    let stem = name.split('.').next().unwrap_or(name);
    let mut words = stem.split(['-', '_']);
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    WORDS.has(stem.as_bytes())
        || words.any(|word| matches!(word, "settings" | "config" | "secrets"))
        || name.ends_with(".php") && FOLDERS.has(folder.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::TextContext;
    use super::Role;

    #[test]
    fn roles() {
        for (path, role) in [
            (".env.production", Role::Config),
            ("docker-compose.yml", Role::Config),
            ("deploy.sh", Role::Config),
            ("Dockerfile", Role::Config),
            ("app/settings.py", Role::Settings),
            ("src/config.ts", Role::Settings),
            ("dist/dockerfile-DCvJDi9m.js", Role::Source),
            ("a-1.0.dist-info/METADATA", Role::Text),
            ("wp-config.php", Role::Config),
            ("config/database.php", Role::Config),
            (".npmrc", Role::Config),
            ("src/parser.c", Role::Source),
            ("src/config.rs", Role::Source),
            ("src/lib.rs", Role::Source),
            ("values.yml.j2", Role::Config),
            (".env.tmpl", Role::Config),
            ("index.html.erb", Role::Source),
            ("main.go.tmpl", Role::Source),
            ("Cargo.toml", Role::Config),
            ("package.json", Role::Config),
            ("deno.json", Role::Config),
            ("pubspec.yaml", Role::Config),
            ("tsconfig.json", Role::Other),
            ("values.schema.json", Role::Other),
            ("Cargo.lock", Role::Other),
            ("NOTES.txt", Role::Text),
            ("data.bin2", Role::Other),
            ("kubeconfig", Role::Config),
            (".flaskenv", Role::Config),
            ("env.tmpl", Role::Config),
            ("app.ini.php", Role::Config),
            ("values.yaml.dist", Role::Config),
            (".zsh_history", Role::Config),
        ] {
            assert_eq!(TextContext::new(path).role, role, "{path}");
        }
    }
}
