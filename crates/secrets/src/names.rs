//! Names that secrets are given: `db_password`, `apiKey`, `X-Auth-Token`. Says
//! what a name promises, and that of names like `primary_key` it promises nothing.

/// What a name promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promise {
    Password,
    Secret,
    Token,
    ApiKey,
    /// Credentials, of whatever form.
    Credential,
    /// What stands in a header: a scheme and a token.
    Auth,
    /// Some key; most are none.
    Key,
    /// Salts, nonces, seeds.
    Salt,
}

impl Promise {
    /// The name that findings have.
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

/// Parts of words by which such names are found, in lower case.
pub(crate) const STEMS: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "salt",
    "nonce",
    "psw",
    "identified by",
    "bearer",
    "basic ",
];

/// The longest name that is looked at.
pub(crate) const LONGEST: usize = 80;

/// What a name promises; `None` for names of other things.
pub(crate) fn promise(name: &[u8]) -> Option<Promise> {
    if name.len() > LONGEST {
        return None;
    }
    let mut words = Words::of(name);
    words.drop_neutral();
    let (last, before) = words.last_two()?;
    if let Some(promise) = promise_of_word(last, before) {
        return Some(promise);
    }
    promise_with_suffix(&words)
}

fn promise_of_word(word: &[u8], before: &[u8]) -> Option<Promise> {
    if is_password(word) {
        return Some(Promise::Password);
    }
    let word = singular(word);
    if word.ends_with(b"secret") {
        return Some(Promise::Secret);
    }
    if word.ends_with(b"token") {
        return (!PLAIN_TOKENS.contains(&before)).then_some(Promise::Token);
    }
    if word == b"key" {
        return match () {
            () if SECRET_KEYS.contains(&before) => Some(Promise::ApiKey),
            () if before.is_empty() || !PLAIN_KEYS.contains(&before) => Some(Promise::Key),
            () => None,
        };
    }
    if let Some(owner) = word.strip_suffix(b"key") {
        return match SECRET_KEYS.contains(&owner) {
            true => Some(Promise::ApiKey),
            false => None,
        };
    }
    match word {
        b"credential" | b"cred" => Some(Promise::Credential),
        b"auth" | b"oauth" | b"authorization" | b"authentication" | b"bearer" => {
            Some(Promise::Auth)
        }
        b"salt" | b"nonce" | b"pepper" => Some(Promise::Salt),
        _ => None,
    }
}

/// `secret_key_base`, `access_key_id`, `token_secret_id`.
fn promise_with_suffix(words: &Words) -> Option<Promise> {
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
        (b"id", Promise::ApiKey) if before == b"access" => Some(Promise::ApiKey),
        (b"id", Promise::Secret) => Some(Promise::Secret),
        (b"code" | b"verifier", Promise::Auth) => Some(Promise::Auth),
        (b"id" | b"code" | b"verifier", _) => None,
        (b"hash", Promise::Password) => Some(Promise::Salt),
        (b"hash", _) => None,
        _ => Some(promise),
    }
}

fn is_password(word: &[u8]) -> bool {
    const ENDS: &[&[u8]] = &[
        b"password",
        b"passwd",
        b"passwort",
        b"passphrase",
        b"passcode",
        b"pwd",
        b"passw",
        b"psw",
    ];
    const OWNERS: &[&[u8]] = &[
        b"",
        b"user",
        b"db",
        b"my",
        b"root",
        b"admin",
        b"mysql",
        b"smtp",
        b"mail",
        b"ftp",
        b"proxy",
        b"auth",
        b"api",
        b"redis",
        b"ssh",
        b"login",
        b"database",
        b"default",
        b"pg",
        b"postgres",
        b"mongo",
        b"ldap",
        b"rabbitmq",
        b"keystore",
        b"store",
        b"account",
        b"jdbc",
    ];
    let word = word
        .strip_suffix(b"s")
        .filter(|_| word.ends_with(b"words"))
        .unwrap_or(word);
    ENDS.iter().any(|end| word.ends_with(end))
        || word
            .strip_suffix(b"pass")
            .is_some_and(|owner| OWNERS.contains(&owner))
        || word == b"identifiedby"
}

fn singular(word: &[u8]) -> &[u8] {
    match word.strip_suffix(b"s") {
        Some(one) if word.len() > 3 && !one.ends_with(b"s") => one,
        _ => word,
    }
}

/// Whose key is secret.
const SECRET_KEYS: &[&[u8]] = &[
    b"api",
    b"secret",
    b"access",
    b"private",
    b"priv",
    b"encryption",
    b"encrypt",
    b"encryptor",
    b"signing",
    b"sign",
    b"signature",
    b"auth",
    b"service",
    b"account",
    b"master",
    b"client",
    b"consumer",
    b"app",
    b"application",
    b"license",
    b"storage",
    b"aws",
    b"crypto",
    b"aes",
    b"des",
    b"rsa",
    b"hmac",
    b"ssh",
    b"deploy",
    b"session",
    b"cipher",
    b"shared",
    b"preshared",
    b"subscription",
    b"webhook",
    b"jwt",
    b"symmetric",
    b"decryption",
    b"decrypt",
    b"admin",
    b"write",
    b"server",
    b"root",
    b"cookie",
    b"validation",
    b"machine",
    b"security",
    b"publishable",
    b"project",
    b"merchant",
    b"gpg",
    b"pgp",
    b"maps",
    b"google",
    b"stripe",
    b"github",
    b"token",
    b"auth0",
    b"registration",
    b"instrumentation",
    b"ingestion",
    b"integration",
    b"seed",
    b"wallet",
    b"vapid",
    b"developer",
    b"partner",
    b"tenant",
    b"user",
    b"firebase",
    b"algolia",
    b"openai",
    b"anthropic",
];

/// Keys that are none of a lock.
const PLAIN_KEYS: &[&[u8]] = &[
    b"public",
    b"pub",
    b"primary",
    b"foreign",
    b"cache",
    b"sort",
    b"partition",
    b"hash",
    b"row",
    b"index",
    b"map",
    b"dict",
    b"lookup",
    b"unique",
    b"composite",
    b"object",
    b"state",
    b"config",
    b"setting",
    b"settings",
    b"item",
    b"label",
    b"field",
    b"column",
    b"header",
    b"attribute",
    b"attr",
    b"property",
    b"prop",
    b"registry",
    b"hot",
    b"arrow",
    b"shift",
    b"ctrl",
    b"escape",
    b"enter",
    b"function",
    b"translation",
    b"message",
    b"locale",
    b"metric",
    b"event",
    b"query",
    b"param",
    b"context",
    b"route",
    b"routing",
    b"bucket",
    b"res",
    b"resource",
    b"queue",
    b"topic",
    b"sub",
    b"super",
    b"meta",
    b"annotation",
    b"taint",
    b"node",
    b"json",
    b"yaml",
    b"env",
    b"group",
    b"order",
    b"search",
    b"data",
    b"parent",
    b"child",
    b"first",
    b"last",
    b"next",
    b"any",
    b"no",
    b"by",
    b"get",
    b"has",
    b"set",
    b"is",
    b"x",
    b"string",
    b"option",
    b"feature",
    b"flag",
    b"tag",
    b"dedup",
    b"lock",
    b"idempotency",
    b"encrypted",
    b"press",
    b"down",
    b"up",
    b"modifier",
    b"num",
    b"home",
    b"end",
    b"delete",
];

/// Tokens of a text, a page or a form.
const PLAIN_TOKENS: &[&[u8]] = &[
    b"csrf",
    b"xsrf",
    b"page",
    b"next",
    b"continuation",
    b"continue",
    b"cancel",
    b"cancellation",
    b"delimiter",
    b"eof",
    b"parser",
    b"syntax",
    b"lexer",
    b"lex",
    b"stop",
    b"start",
    b"end",
    b"special",
    b"bos",
    b"eos",
    b"unk",
    b"pad",
    b"mask",
    b"max",
    b"min",
    b"num",
    b"total",
    b"prompt",
    b"completion",
    b"input",
    b"output",
    b"first",
    b"last",
    b"current",
    b"keyword",
    b"operator",
    b"comment",
    b"string",
    b"identifier",
    b"cls",
    b"sep",
    b"punctuation",
    b"key",
];

/// Words after the one that counts, which change nothing.
const NEUTRAL: &[&[u8]] = &[
    b"value",
    b"val",
    b"string",
    b"str",
    b"text",
    b"data",
    b"bytes",
    b"base64",
    b"b64",
    b"hex",
    b"raw",
    b"plain",
    b"plaintext",
    b"clear",
    b"cleartext",
    b"encoded",
    b"encrypted",
    b"enc",
    b"default",
    b"prod",
    b"production",
    b"dev",
    b"development",
    b"staging",
    b"test",
    b"testing",
    b"qa",
    b"live",
    b"sandbox",
    b"demo",
    b"local",
    b"new",
    b"old",
    b"current",
    b"backup",
    b"primary",
    b"secondary",
    b"confirmation",
    b"confirm",
    b"again",
    b"repeat",
    b"verify",
    b"here",
    b"env",
    b"v",
    b"my",
    b"tmp",
    b"temp",
    b"const",
    b"fixture",
];

/// The words of a name in lower case.
struct Words {
    buffer: [u8; LONGEST],
    /// Where each word ends, with the place where it begins.
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

    /// Keeps the last sixteen.
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
            if !is_number && !NEUTRAL.contains(&last) {
                return;
            }
            self.count -= 1;
        }
    }
}

/// Whether a new word begins at `at`: `dbPassword`, `APIKey`, `token2`.
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
    fn promises() {
        for (name, expected) in [
            ("password", Some(Promise::Password)),
            ("spring.datasource.password", Some(Promise::Password)),
            ("PGPASSWORD", Some(Promise::Password)),
            ("dbPass", Some(Promise::Password)),
            ("password_confirmation", Some(Promise::Password)),
            ("compass", None),
            ("passwordField", None),
            ("password_file", None),
            ("client_secret", Some(Promise::Secret)),
            ("secret_key_base", Some(Promise::ApiKey)),
            ("secretName", None),
            ("apiKey", Some(Promise::ApiKey)),
            ("APIKey", Some(Promise::ApiKey)),
            ("apikey", Some(Promise::ApiKey)),
            ("AWS_ACCESS_KEY_ID", Some(Promise::ApiKey)),
            ("key_id", None),
            ("key", Some(Promise::Key)),
            ("cache_key", None),
            ("keyboard", None),
            ("monkey", None),
            ("access_token", Some(Promise::Token)),
            ("page_token", None),
            ("token_url", None),
            ("X-Auth-Token", Some(Promise::Token)),
            ("Authorization", Some(Promise::Auth)),
            ("author", None),
            ("api_version", None),
            ("PASSWORD_1", Some(Promise::Password)),
            ("passwordHash", Some(Promise::Salt)),
        ] {
            assert_eq!(promise(name.as_bytes()), expected, "{name}");
        }
    }
}
