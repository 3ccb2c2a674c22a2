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
];

/// What a name begins with.
const BEGINNINGS: &[&str] = &[
    ".env",
    "application-",
    "appsettings.",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
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
];

/// Says whether people keep credentials in files of this name.
pub(crate) fn is_credential_name(name: &[u8]) -> bool {
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
        ] {
            assert!(is_credential_name(name.as_bytes()), "{name}");
        }
        for name in ["main.rs", "environment.py", "keys.rs", "package.json"] {
            assert!(!is_credential_name(name.as_bytes()), "{name}");
        }
    }
}
