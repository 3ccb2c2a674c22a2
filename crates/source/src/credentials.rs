//! File names that usually contain credentials. The scanner learns secrets from such files although
//! ignore rules skip them; their text is never printed.

/// Whole names in lower case.
const NAMES: &[&str] = &[
    ".boto",
    ".dev.vars",
    ".dockercfg",
    ".dockerconfigjson",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".mcp.json",
    ".mylogin.cnf",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".terraformrc",
    ".vault-token",
    ".yarnrc",
    ".yarnrc.yml",
    "_netrc",
    "accounts.xml",
    "auth.json",
    "client_secret.json",
    "credentials",
    "credentials.json",
    "credentials.xml",
    "credentials.yaml",
    "credentials.yml",
    "database.yml",
    "htpasswd",
    "key.properties",
    "keystore.properties",
    "kubeconfig",
    "local.properties",
    "local.settings.json",
    "fish_history",
    "gradle.properties",
    "master.key",
    "mcp.json",
    "my.cnf",
    "nuget.config",
    "odbc.ini",
    "passwords.txt",
    "pgpass.conf",
    "rclone.conf",
    "secret.json",
    "secret.yaml",
    "secret.yml",
    "secrets.env",
    "secrets.ini",
    "secrets.json",
    "secrets.properties",
    "secrets.py",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "settings_local.py",
    "sftp-config.json",
    "sftp.json",
    "local_settings.py",
    "terraform.tfstate",
    "wp-config.php",
    "wrangler.toml",
    ".curlrc",
    ".erlang.cookie",
    ".fetchmailrc",
    ".msmtprc",
    ".wgetrc",
    "chap-secrets",
    "pap-secrets",
    "passwd",
    "sasl_passwd",
];

/// Prefixes of names.
const BEGINNINGS: &[&str] = &[
    ".env",
    ".htpasswd",
    ".passwd-s3fs",
    ".pgpass.",
    "application-",
    "appsettings.",
    "htpasswd",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "passwd-s3fs",
    "pgpass.",
    "service-account",
    "service_account",
    "serviceaccount",
];

/// Suffixes of names.
const ENDINGS: &[&str] = &[
    ".auto.tfvars",
    ".env",
    ".env.local",
    ".jks.properties",
    ".kdbx.txt",
    ".key",
    ".ovpn",
    ".p8",
    ".pem",
    ".pk8",
    ".ppk",
    ".secret",
    ".secrets",
    ".tfvars",
    ".tfvars.json",
    "-credentials.json",
    "_credentials.json",
    "credentials",
];

/// Suffixes of files that contain one value and are named after it.
const VALUE_ENDINGS: &[&str] = &[
    "",
    "access_token",
    "api_key",
    "apikey",
    "file",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "pw",
    "pwd",
    "text",
    "token",
    "txt",
];

/// Words in such names.
const VALUE_WORDS: &[&str] = &[
    "kennwort", "key", "pass", "psk", "pw", "secret", "senha", "token",
];

/// Words in the names of settings that contain secrets, or that are only for one machine.
const SETTINGS_WORDS: &[&str] = &[
    "auth",
    "cred",
    "credential",
    "credentials",
    "creds",
    "env",
    "key",
    "keys",
    "local",
    "override",
    "passwd",
    "password",
    "passwords",
    "private",
    "secret",
    "secrets",
    "token",
    "tokens",
    "vault",
];

/// Extensions of settings.
const SETTINGS_ENDINGS: &[&str] = &[
    "cfg",
    "cnf",
    "conf",
    "config",
    "ini",
    "json",
    "properties",
    "toml",
    "xml",
    "yaml",
    "yml",
];

/// Suffixes of copies.
const COPIES: &[&str] = &[".bak", ".backup", ".copy", ".old", ".orig", ".save", "~"];

/// Extensions of source files that read an environment.
const SOURCE_ENDINGS: &[&str] = &[
    "c", "cc", "cjs", "cpp", "cs", "ex", "exs", "go", "h", "java", "js", "jsx", "kt", "mjs", "mts",
    "php", "py", "pyi", "rb", "rs", "scala", "swift", "ts", "tsx", "vue",
];

/// Directories that usually contain only credentials.
const DIRECTORIES: &[&[u8]] = &[
    b".aws",
    b".azure",
    b".docker",
    b".env.d",
    b".envs",
    b".kube",
    b".secrets",
    b"secrets",
];

/// Returns true if the file at `path` usually contains credentials; `/` separates the components.
pub(crate) fn is_credential_path(path: &[u8]) -> bool {
    let mut parts = path.rsplit(|byte| *byte == b'/');
    let name = parts.next().unwrap_or(path);
    let is_kept = |part: &[u8]| DIRECTORIES.iter().any(|one| part.eq_ignore_ascii_case(one));
    is_credential_name(name) || parts.any(is_kept)
}

/// Returns true if files of this name usually contain credentials.
fn is_credential_name(name: &[u8]) -> bool {
    // People do not write longer names; this also bounds the copy.
    if name.len() > 255 {
        return false;
    }
    let name = name.to_ascii_lowercase();
    let copy = COPIES
        .iter()
        .find_map(|end| name.strip_suffix(end.as_bytes()));
    let name = copy.filter(|name| !name.is_empty()).unwrap_or(&name);
    NAMES.iter().any(|one| one.as_bytes() == name)
        || BEGINNINGS
            .iter()
            .any(|one| name.starts_with(one.as_bytes()))
        || ENDINGS.iter().any(|one| name.ends_with(one.as_bytes()))
        || is_value_name(name)
        || is_environment_name(name)
        || is_settings_name(name)
        || name.starts_with(b".") && name.ends_with(b"_history")
}

/// Matches `.flaskenv`, `env.local`: variables, and no program.
fn is_environment_name(name: &[u8]) -> bool {
    let ending = name.rsplit(|byte| *byte == b'.').next();
    let is_source = ending.is_some_and(|ending| is_one_of(SOURCE_ENDINGS, ending));
    name.starts_with(b".") && name.ends_with(b"env") || name.starts_with(b"env.") && !is_source
}

/// Matches `values-secret.yaml`, `gcp-key.json`, `docker-compose.override.yml`: settings with one of
/// the words in their name.
fn is_settings_name(name: &[u8]) -> bool {
    let Some(dot) = name.iter().rposition(|byte| *byte == b'.') else {
        return false;
    };
    let mut words = name[..dot].split(|byte| matches!(byte, b'.' | b'-' | b'_'));
    is_one_of(SETTINGS_ENDINGS, &name[dot + 1..])
        && words.any(|word| is_one_of(SETTINGS_WORDS, word))
}

fn is_one_of(known: &[&str], word: &[u8]) -> bool {
    known.iter().any(|one| one.as_bytes() == word)
}

/// Matches names such as `db_password.txt`, `.vault_pass` and `api.token`: a word for a secret, and
/// a suffix without a format. The scanner decides; a false match costs reading one small file.
fn is_value_name(name: &[u8]) -> bool {
    let name = name.strip_prefix(b".").unwrap_or(name);
    let dot = name.iter().rposition(|byte| *byte == b'.');
    let ending = dot.map_or(&b""[..], |dot| &name[dot + 1..]);
    let has = |word: &&str| name.windows(word.len()).any(|part| part == word.as_bytes());
    is_one_of(VALUE_ENDINGS, ending) && VALUE_WORDS.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in [
            ".env",
            ".env.production",
            "prod.env",
            ".NPMRC",
            "a.pem",
            "x.tfvars",
            "a/db_password.txt",
            ".vault_pass",
            "api_token",
            "deploy.token",
            "run/secrets/db.yaml",
            "nginx/htpasswd-admin",
            ".flaskenv",
            "env.local",
            "app.env.bak",
            ".env~",
            ".env.d/prod",
            ".docker/config.json",
            ".mcp.json",
            ".claude/settings.local.json",
            "vault.yml",
            "values-secret.yaml",
            "docker-compose.override.yml",
            "gcp-key.json",
            "token.json",
            "android/gradle.properties",
            "wrangler.toml",
            "my.cnf",
            "config/local.toml",
            ".psql_history",
            "http-client.private.env.json",
            "serverless.env.yml",
        ] {
            assert!(is_credential_path(name.as_bytes()), "{name}");
        }
        for name in [
            "main.rs",
            "environment.py",
            "keys.rs",
            "package.json",
            "a/password.py",
            "notes.txt",
            "env.py",
            "env.d.ts",
            "src/local.rs",
            "vault.go",
            "keyboard.json",
            "locale.json",
            "docker-compose.yml",
            "history",
            ".bak",
        ] {
            assert!(!is_credential_path(name.as_bytes()), "{name}");
        }
    }
}
