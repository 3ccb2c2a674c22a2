//! Names of secrets: `db_password`, `apiKey`, `X-Auth-Token`. Classifies names, and rejects names
//! like `primary_key`.

use crate::words::WordList;

/// Class of a name: the kind of secret that it promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameClass {
    Password,
    Secret,
    Token,
    ApiKey,
    /// Credentials of any form.
    Credential,
    /// A header value: a scheme and a token.
    Auth,
    /// Any key; most are not secret.
    Key,
    /// Salts, nonces, seeds.
    Salt,
}

impl NameClass {
    /// Returns the kind of its findings.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Secret => "secret",
            Self::Token => "token",
            Self::ApiKey => "api-key",
            Self::Credential => "credential",
            Self::Auth => "auth",
            Self::Key => "key",
            Self::Salt => "salt",
        }
    }

    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Password => "assigned to a name for a password",
            Self::Secret => "assigned to a name for a secret",
            Self::Token => "assigned to a name for a token",
            Self::ApiKey => "assigned to a name for a secret key",
            Self::Credential => "assigned to a name for credentials",
            Self::Auth => "assigned to a name for authorization",
            Self::Key => "assigned to a name for a key",
            Self::Salt => "assigned to a name for a salt or nonce",
        }
    }
}

/// Maximum length of a name.
pub(crate) const LONGEST: usize = 80;

/// Classifies a name; returns `None` if it does not promise a secret.
pub(crate) fn promise(name: &[u8]) -> Option<NameClass> {
    if name.len() > LONGEST {
        return None;
    }
    let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
    let is_elsewhere = || !name.is_ascii() && ELSEWHERE.any_in(name);
    if is(b"ConvertTo-SecureString") || is(b"identified by") || is_elsewhere() {
        return Some(NameClass::Password);
    }
    let mut words = Words::of(name);
    words.drop_neutral();
    let (last, before) = words.last_two()?;
    let promise = promise_of_word(last, before).or_else(|| promise_with_suffix(&words));
    let is_vague = matches!(promise, Some(NameClass::Key | NameClass::Salt));
    promise.filter(|_| !is_vague || !words.has(b"public"))
}

/// Storage in which a program stores a value under a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Storage of a browser or a device.
    Browser,
    /// Any storage; storage accounts have secret keys, too.
    Storage,
}

/// Returns the storage if `name` is that of a storage slot: `LOCAL_STORAGE_KEY`, `storageKey`.
pub(crate) fn slot(name: &[u8]) -> Option<Slot> {
    let lower = name[..name.len().min(LONGEST)].to_ascii_lowercase();
    let letters: Vec<u8> = lower
        .into_iter()
        .filter(|byte| !matches!(byte, b'_' | b'-' | b'.' | b' '))
        .collect();
    let letters = letters.strip_suffix(b"name").unwrap_or(&letters);
    let at = memchr::memmem::rfind(letters, b"storage")?;
    let (before, behind) = (&letters[..at], &letters[at + b"storage".len()..]);
    if !matches!(
        behind,
        b"" | b"key" | b"token" | b"tokenkey" | b"keytoken" | b"slot"
    ) {
        return None;
    }
    const BROWSERS: WordList =
        WordList::new("local session async browser web device token jwt auth credentials password");
    let is_browser = BROWSERS.iter().any(|word| before.ends_with(word));
    Some(if is_browser {
        Slot::Browser
    } else {
        Slot::Storage
    })
}

/// Returns true if `name` is or ends in `pass` without a known account: `currentPass`.
pub(crate) fn is_vague_pass(name: &[u8]) -> bool {
    if name.len() > LONGEST {
        return false;
    }
    let mut words = Words::of(name);
    words.drop_neutral();
    let ends = words.last_two();
    ends.is_some_and(|(last, before)| last == b"pass" && !is_owner(before))
}

fn promise_of_word(word: &[u8], before: &[u8]) -> Option<NameClass> {
    if word == b"pass" && PLAIN_PASSES.has(before) {
        return None;
    }
    if is_password(word) {
        return Some(NameClass::Password);
    }
    let word = singular(word);
    if word.ends_with(b"secret") {
        return Some(NameClass::Secret);
    }
    if word.ends_with(b"token") {
        let is_of_form = word.starts_with(b"csrf") || word.starts_with(b"xsrf");
        return (!is_of_form && !PLAIN_TOKENS.has(before)).then_some(NameClass::Token);
    }
    if word == b"key" {
        return match () {
            () if SECRET_KEYS.has(before) => Some(NameClass::ApiKey),
            () if before.is_empty() || !PLAIN_KEYS.has(before) => Some(NameClass::Key),
            () => None,
        };
    }
    if let Some(owner) = word.strip_suffix(b"key") {
        return match () {
            () if SECRET_KEYS.has(owner) => Some(NameClass::ApiKey),
            () if PLAIN_KEYS.has(owner) => None,
            () => Some(NameClass::Key),
        };
    }
    match word {
        b"credential" | b"cred" => Some(NameClass::Credential),
        b"auth" | b"oauth" | b"authorization" | b"authentication" | b"bearer" => {
            Some(NameClass::Auth)
        }
        b"salt" | b"nonce" | b"pepper" => Some(NameClass::Salt),
        _ if word.ends_with(b"salt") || word.ends_with(b"nonce") => Some(NameClass::Salt),
        _ => None,
    }
}

/// `secret_key_base`, `access_key_id`, `token_secret_id`.
fn promise_with_suffix(words: &Words) -> Option<NameClass> {
    let shorter = words.without_last()?;
    let (last, _) = words.last_two()?;
    if !matches!(
        last,
        b"base" | b"id" | b"code" | b"hash" | b"pair" | b"material" | b"verifier"
    ) {
        return None;
    }
    let (word, before) = shorter.last_two()?;
    let promise = promise_of_word(word, before)?;
    match (last, promise) {
        // `access_key_id` is half of a pair; `token_id` and `key_id` are not secret.
        (b"id", NameClass::ApiKey) if before == b"access" => Some(NameClass::ApiKey),
        (b"id", NameClass::Secret) => Some(NameClass::Secret),
        (b"code" | b"verifier", NameClass::Auth) => Some(NameClass::Auth),
        (b"id" | b"code" | b"verifier", _) => None,
        (b"hash", NameClass::Password) => Some(NameClass::Salt),
        (b"hash", _) => None,
        _ => Some(promise),
    }
}

fn is_password(word: &[u8]) -> bool {
    const ENDS: WordList = WordList::new(
        "password passwd passwort passphrase passcode pwd pswd passw psw senha contrasena \
         contraseña kennwort wachtwoord motdepasse passe authtok masterauth",
    );
    let word = word
        .strip_suffix(b"s")
        .filter(|_| word.ends_with(b"words"))
        .unwrap_or(word);
    ENDS.iter().any(|end| word.ends_with(end))
        || matches!(
            word,
            b"psk" | b"pw" | b"rootpw" | b"bindpw" | b"olcrootpw" | b"userpw" | b"dbpw"
        )
        || word
            .strip_suffix(b"pass")
            .is_some_and(|owner| owner.is_empty() || is_owner(owner))
}

/// Returns true if `word`, in lower case, means password in some language.
pub(crate) fn is_word_for_password(word: &[u8]) -> bool {
    const WORDS: WordList =
        WordList::new("passwort kennwort wachtwoord senha contrasena motdepasse passphrase");
    WORDS.has(word)
}

/// Returns true for owners whose `pass` is a password.
fn is_owner(word: &[u8]) -> bool {
    const OWNERS: WordList = WordList::new(
        "user db my root admin mysql smtp mail ftp proxy auth api redis ssh login \
         database default pg postgres mongo ldap rabbitmq keystore store account \
         jdbc require master sentinel bind sudo become vault wifi key trust truststore \
         sql oracle imap http web app client server",
    );
    OWNERS.has(word)
}

fn singular(word: &[u8]) -> &[u8] {
    match word.strip_suffix(b"s") {
        Some(one) if word.len() > 3 && !one.ends_with(b"s") => one,
        _ => word,
    }
}

/// Words for password in scripts without capitals, or with non-ASCII ones.
const ELSEWHERE: WordList =
    WordList::new("пароль Пароль ПАРОЛЬ 密码 パスワード contraseña Contraseña CONTRASEÑA");

/// Words whose key is secret.
const SECRET_KEYS: WordList = WordList::new(
    "api secret access private priv encryption encrypt encryptor signing sign \
     signature auth service account master client consumer app application license \
     storage aws crypto aes des rsa hmac ssh deploy session cipher shared preshared \
     subscription webhook jwt symmetric decryption decrypt admin write server root \
     cookie validation machine security publishable merchant gpg pgp maps \
     google stripe github token auth0 registration instrumentation ingestion \
     integration seed wallet vapid developer partner tenant user firebase algolia \
     openai anthropic",
);

/// Words whose key is not a credential.
const PLAIN_KEYS: WordList = WordList::new(
    "public pub primary foreign cache sort partition hash row index map dict lookup \
     unique composite object state config setting settings item label field column \
     header attribute attr property prop registry hot arrow shift ctrl escape enter \
     function translation message locale metric event query param context route \
     routing bucket res resource queue topic sub super meta annotation taint node \
     json yaml env group order search data parent child first last next any no by \
     get has set is x string option feature flag tag dedup lock idempotency \
     encrypted press down up modifier num home end delete recv restore websocket \
     sender recipient receiver peer verify verifying verification",
);

/// Words whose pass is a turn or a run.
const PLAIN_PASSES: WordList = WordList::new(
    "on by no first second third last next two multi single render current compiler depth \
     fastcgi uwsgi scgi grpc memcached \
     color shadow post pre low high band did does will should can must tests forward backward",
);

/// Words whose token belongs to a text, a page or a form.
const PLAIN_TOKENS: WordList = WordList::new(
    "csrf xsrf page next continuation continue cancel cancellation delimiter eof \
     parser syntax lexer lex stop start end special bos eos unk pad mask max min \
     num total prompt completion input output first last current keyword operator \
     comment string identifier cls sep punctuation key change request idempotency \
     pagination paging resume significant action term lifecycle version index sync limit \
     lock starting authenticity hashed spl erc20 bep20 trc20 nft",
);

/// Words after the decisive one that do not change its meaning.
const NEUTRAL: WordList = WordList::new(
    "value val string str text data bytes base64 b64 hex raw plain plaintext clear \
     cleartext encoded encrypted enc default prod production dev development \
     staging test testing qa live sandbox demo local new old current backup primary \
     secondary confirmation confirm again repeat verify here env v my tmp temp \
     const fixture",
);

/// The words of a name in lower case.
struct Words {
    buffer: [u8; LONGEST],
    /// Start and end of each word.
    bounds: [(u8, u8); 16],
    count: usize,
}

impl Words {
    fn of(name: &[u8]) -> Self {
        let mut words = Self {
            buffer: [0; LONGEST],
            bounds: [(0, 0); 16],
            count: 0,
        };
        let mut start = 0;
        for (at, byte) in name.iter().enumerate() {
            words.buffer[at] = byte.to_ascii_lowercase();
            if !byte.is_ascii_alphanumeric() {
                words.push(start, at);
                start = at + 1;
            } else if at > start && is_boundary(&name[start..], at - start) {
                words.push(start, at);
                start = at;
            }
        }
        words.push(start, name.len());
        words
    }

    /// Adds a word; only the last sixteen are kept.
    fn push(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        if self.count == self.bounds.len() {
            self.bounds.rotate_left(1);
            self.count -= 1;
        }
        self.bounds[self.count] = (start as u8, end as u8);
        self.count += 1;
    }

    fn word(&self, at: usize) -> &[u8] {
        let (start, end) = self.bounds[at];
        &self.buffer[usize::from(start)..usize::from(end)]
    }

    fn has(&self, word: &[u8]) -> bool {
        (0..self.count).any(|at| self.word(at) == word)
    }

    fn last_two(&self) -> Option<(&[u8], &[u8])> {
        let last = self.count.checked_sub(1)?;
        let before = last.checked_sub(1).map_or(&b""[..], |at| self.word(at));
        Some((self.word(last), before))
    }

    fn without_last(&self) -> Option<Self> {
        Some(Self {
            buffer: self.buffer,
            bounds: self.bounds,
            count: self.count.checked_sub(1)?,
        })
    }

    fn drop_neutral(&mut self) {
        while let Some((last, _)) = self.last_two().filter(|_| self.count > 1) {
            let is_number = last.iter().all(u8::is_ascii_digit);
            if !is_number && !NEUTRAL.has(last) {
                return;
            }
            self.count -= 1;
        }
    }
}

/// Returns true if a new word starts at `at`: `dbPassword`, `APIKey`, `token2`.
fn is_boundary(name: &[u8], at: usize) -> bool {
    let (before, here) = (name[at - 1], name[at]);
    if here.is_ascii_uppercase() {
        let next = name.get(at + 1);
        return before.is_ascii_lowercase()
            || before.is_ascii_digit()
            || before.is_ascii_uppercase() && next.is_some_and(u8::is_ascii_lowercase);
    }
    here.is_ascii_digit()
        && before.is_ascii_alphabetic()
        && name[at..].iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_slots_are_recognised() {
        for (name, expected) in [
            ("LOCAL_STORAGE_KEY", Some(Slot::Browser)),
            ("localStorageKey", Some(Slot::Browser)),
            ("TOKEN_STORAGE_KEY", Some(Slot::Browser)),
            ("ACCESS_TOKEN_STORAGE", Some(Slot::Browser)),
            ("AZURE_STORAGE_KEY", Some(Slot::Storage)),
            ("storageKey", Some(Slot::Storage)),
            ("STORAGE_SECRET_KEY", None),
            ("storage_access_key", None),
            ("API_KEY", None),
        ] {
            assert_eq!(slot(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn names_are_classified() {
        for (name, expected) in [
            ("password", Some(NameClass::Password)),
            ("spring.datasource.password", Some(NameClass::Password)),
            ("PGPASSWORD", Some(NameClass::Password)),
            ("dbPass", Some(NameClass::Password)),
            ("password_confirmation", Some(NameClass::Password)),
            ("compass", None),
            ("renderPass", None),
            ("on_pass", None),
            ("MUSIG_PUBLIC_NONCE_HEX", None),
            ("passwordField", None),
            ("password_file", None),
            ("client_secret", Some(NameClass::Secret)),
            ("secret_key_base", Some(NameClass::ApiKey)),
            ("secretName", None),
            ("apiKey", Some(NameClass::ApiKey)),
            ("APIKey", Some(NameClass::ApiKey)),
            ("apikey", Some(NameClass::ApiKey)),
            ("AWS_ACCESS_KEY_ID", Some(NameClass::ApiKey)),
            ("key_id", None),
            ("key", Some(NameClass::Key)),
            ("cache_key", None),
            ("keyboard", None),
            ("nkey", Some(NameClass::Key)),
            ("hotkey", None),
            ("access_token", Some(NameClass::Token)),
            ("page_token", None),
            ("token_url", None),
            ("X-Auth-Token", Some(NameClass::Token)),
            ("Authorization", Some(NameClass::Auth)),
            ("author", None),
            ("api_version", None),
            ("senha", Some(NameClass::Password)),
            ("mot_de_passe", Some(NameClass::Password)),
            ("密码", Some(NameClass::Password)),
            ("PASSWORD_1", Some(NameClass::Password)),
            ("passwordHash", Some(NameClass::Salt)),
        ] {
            assert_eq!(promise(name.as_bytes()), expected, "{name}");
        }
    }
}
