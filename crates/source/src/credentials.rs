//! Which files people keep credentials in, by their names. Such files teach the secrets
//! layer although ignore rules skip them; their text is never shown.

/// Whole names, in small letters.
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

/// What a name begins with.
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

/// What a name ends with.
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

/// Endings of files that hold one value and are named after it.
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

/// Words of such names.
const VALUE_WORDS: &[&str] = &[
    "kennwort", "key", "pass", "psk", "pw", "secret", "senha", "token",
];

/// Directories that people keep nothing but credentials in.
const DIRECTORIES: &[&[u8]] = &[b"secrets", b".secrets"];

/// Says whether people keep credentials in the file at `path`, with `/` between its parts.
pub(crate) fn is_credential_path(path: &[u8]) -> bool {
    let mut parts = path.rsplit(|byte| *byte == b'/');
    let name = parts.next().unwrap_or(path);
    let is_kept = |part: &[u8]| DIRECTORIES.iter().any(|one| part.eq_ignore_ascii_case(one));
    is_credential_name(name) || parts.any(is_kept)
}

/// Says whether people keep credentials in files of this name.
fn is_credential_name(name: &[u8]) -> bool {
    // Longer names are not made by people, and need no copy.
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

/// `db_password.txt`, `.vault_pass`, `api.token`: a name for a secret on a file without a
/// format. The scanner decides; here a file too many costs one small reading.
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
