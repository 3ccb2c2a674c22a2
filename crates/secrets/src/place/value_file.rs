//! File names of files that contain only one secret: `db_password.txt`, `.vault_pass`, `api.token`,
//! everything in a directory `secrets`.

use crate::names::{self, NameClass};
use crate::words::WordList;

/// Extensions that do not name a format.
const PLAIN_ENDS: WordList = WordList::new("txt text file");

/// Extensions that name a secret.
const SECRET_ENDS: WordList = WordList::new(
    "token secret pass passwd password pwd pw passphrase apikey api_key access_token",
);

/// Returns the class of the whole contents of the file, if it is one value; both names in lower
/// case.
pub(super) fn promise(path: &str, name: &str) -> Option<NameClass> {
    let visible = name.trim_start_matches('.');
    let (stem, end) = visible.rsplit_once('.').unwrap_or((visible, ""));
    match end {
        _ if name == ".erlang.cookie" => Some(NameClass::Secret),
        "key" if !is_harmless_key(stem) => Some(NameClass::Key),
        _ if SECRET_ENDS.has(end.as_bytes()) => names::promise(end.as_bytes()),
        _ if !end.is_empty() && !PLAIN_ENDS.has(end.as_bytes()) => None,
        _ => named(stem).or_else(|| in_secret_directory(path, name, stem)),
    }
}

/// Anyone with the program may read `license.key`.
fn is_harmless_key(stem: &str) -> bool {
    const WORDS: WordList = WordList::new("license licence public pub");
    stem.split(['-', '_', '.'])
        .any(|word| WORDS.has(word.as_bytes()))
}

/// Returns the class of a name of one secret: `keys` are several, and `credentials` is a document.
fn named(stem: &str) -> Option<NameClass> {
    const MANY: WordList = WordList::new("keys tokens secrets passwords passwds passphrases");
    let stem = stem.trim_end_matches("file").trim_end_matches(['-', '_']);
    let last = stem.rsplit(['-', '_', '.', ' ']).next().unwrap_or(stem);
    let promise = names::promise(stem.as_bytes())?;
    let is_one = !matches!(
        promise,
        NameClass::Credential | NameClass::Auth | NameClass::Salt
    );
    (is_one && !MANY.has(last.as_bytes())).then_some(promise)
}

/// Matches `run/secrets/db`: a directory for mounted or stored secrets.
fn in_secret_directory(path: &str, name: &str, stem: &str) -> Option<NameClass> {
    const FOLDERS: WordList = WordList::new("secrets .secrets");
    const OTHERS: WordList = WordList::new(
        "user username login name host hostname server port database db_name dbname email url \
         uri region bucket namespace id ca readme license licence makefile dockerfile version \
         owners codeowners changelog notice authors build justfile procfile rakefile gemfile",
    );
    let last = stem.rsplit(['-', '_', '.']).next().unwrap_or(stem);
    let mut folders = path.split('/').rev().skip(1);
    let is_kept = folders.any(|folder| FOLDERS.has(folder.as_bytes()));
    let is_other = name.starts_with('.') || OTHERS.has(last.as_bytes());
    (is_kept && !is_other).then_some(NameClass::Secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_with_one_value() {
        for (path, expected) in [
            ("secrets/db_password.txt", Some(NameClass::Password)),
            (".vault_pass", Some(NameClass::Password)),
            (".vault-password-file", Some(NameClass::Password)),
            ("password.txt", Some(NameClass::Password)),
            ("api_token", Some(NameClass::Token)),
            ("ci/deploy.token", Some(NameClass::Token)),
            ("run/secrets/db", Some(NameClass::Secret)),
            ("secrets/db_user.txt", None),
            ("secrets/.gitignore", None),
            ("secrets/mod.rs", None),
            ("master.key", Some(NameClass::Key)),
            ("license.key", None),
            ("keys.txt", None),
            ("tokens", None),
            ("tokens.json", None),
            ("password.py", None),
            ("public_key.txt", None),
            ("notes.txt", None),
        ] {
            let name = path.rsplit('/').next().unwrap();
            assert_eq!(promise(path, name), expected, "{path}");
        }
    }
}
