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
    "master.key",
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
    "local_settings.py",
    "terraform.tfstate",
    "wp-config.php",
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

/// Directories that usually contain only credentials.
const DIRECTORIES: &[&[u8]] = &[b"secrets", b".secrets"];

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
    NAMES.iter().any(|one| one.as_bytes() == name)
        || BEGINNINGS
            .iter()
            .any(|one| name.starts_with(one.as_bytes()))
        || ENDINGS.iter().any(|one| name.ends_with(one.as_bytes()))
        || is_value_name(&name)
}

/// Matches names such as `db_password.txt`, `.vault_pass` and `api.token`: a word for a secret, and
/// a suffix without a format. The scanner decides; a false match costs reading one small file.
fn is_value_name(name: &[u8]) -> bool {
    let name = name.strip_prefix(b".").unwrap_or(name);
    let dot = name.iter().rposition(|byte| *byte == b'.');
    let ending = dot.map_or(&b""[..], |dot| &name[dot + 1..]);
    let has = |word: &&str| name.windows(word.len()).any(|part| part == word.as_bytes());
    VALUE_ENDINGS.iter().any(|one| one.as_bytes() == ending) && VALUE_WORDS.iter().any(has)
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
        ] {
            assert!(!is_credential_path(name.as_bytes()), "{name}");
        }
    }
}
