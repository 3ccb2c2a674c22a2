//! Values in configuration that are not secrets under any name: placeholders, references to the
//! secret's location, and texts about it. The guide lists them.

mod descriptions;

use crate::names;
use crate::random::CharStats;
use crate::value::{is_capital_word, is_digest_of_nothing};
use crate::vocabulary::{is_path_of_words, is_vocabulary};
use crate::words::WordList;

/// Maximum bytes of a value that are judged.
const LONGEST: usize = 4096;

/// Returns true if `value`, assigned to `name`, represents a secret that is elsewhere.
pub(crate) fn stands_in(name: &[u8], value: &[u8]) -> bool {
    if value.len() < 3 || is_marks(value) {
        return true;
    }
    let value = &value[..value.len().min(LONGEST)];
    let mut buffer = [0u8; 96];
    let short = &value[..value.len().min(buffer.len())];
    let lower = &mut buffer[..short.len()];
    lower.copy_from_slice(short);
    lower.make_ascii_lowercase();
    let is_end = |byte: &u8| matches!(byte, b',' | b';');
    let end = lower.iter().rposition(|byte| !is_end(byte));
    let whole = &lower[..end.map_or(0, |end| end + 1)];
    let thing = whole.strip_prefix(b"my ").unwrap_or(whole);
    WHOLE.has(thing)
        || is_literal(whole)
        || is_literal_member(whole)
        || is_digest_of_nothing(value)
        || is_path_to_secret(value)
        || is_other(value, lower)
        || is_to_be_changed(lower)
        || is_own_name(name, value)
        || is_reference(value)
        || is_location(value)
        || is_rule(lower)
        || value.contains(&b' ') && descriptions::is_description(name, value, lower)
}

/// Values without a secret: empty values, types, switches and names of things.
const WHOLE: WordList = WordList::new(
    "none null nil undefined empty default true false yes no on off enabled disabled \
     required optional unset unknown auto automatic any never always n/a tbd todo fixme \
     string str text value int integer number bool boolean object array list map bytes \
     uuid json char varchar password passwd passphrase pwd pass secret secrets token \
     tokens key keys apikey api_key api-key credentials username user example sample \
     dummy fake placeholder redacted masked hidden removed changeit file env vault keychain \
     keyring prompt ask generate generated random inherit login plain basic bearer digest \
     oauth oauth2 jwt ldap private public bcrypt argon2 argon2id scrypt pbkdf2 md5 sha1 \
     sha256 sha512 aes aes256 hs256 rs256 foo bar baz foobar [] {} !!null external \
     managed not-needed not_needed unused ignored secure read write all self this write-only writeonly sensitive mysql_native_password \
     caching_sha2_password native_password scram-sha-256 id_token access_token \
     refresh_token client_secret_basic client_secret_post shared_secret",
);

/// Matches null values of any language: `NULL`, `(nil)`, `null!`, `void 0`.
pub(crate) fn is_literal(lower: &[u8]) -> bool {
    const LITERALS: WordList = WordList::new(
        "null none nil undefined true false nan nullptr nsnull dbnull nothing (null) (none) \
         (nil) (empty) (unset) \\n",
    );
    let word = lower.strip_suffix(b"!").unwrap_or(lower);
    let word = word.strip_prefix(b"!!null ").unwrap_or(word);
    LITERALS.has(word) || word == b"void 0"
}

/// Matches `null,"updated_at":…`: a null value among the members of an object in a string.
fn is_literal_member(lower: &[u8]) -> bool {
    let end = lower.iter().position(|byte| b",}]".contains(byte));
    let end = end.filter(|at| matches!(lower.get(at + 1), Some(b'"' | b'\\' | b'}' | b']' | b',')));
    end.is_some_and(|at| is_literal(&lower[..at]))
}

/// Matches `authentication/encrypted-password`: the path of a secret in another document.
fn is_path_to_secret(value: &[u8]) -> bool {
    value.contains(&b'/') && is_path_of_words(value) && names::promise(value).is_some()
}

/// Matches a colour, a remark, a version, a vendor's example, or the word itself in other scripts.
fn is_other(value: &[u8], lower: &[u8]) -> bool {
    let has = |text: &[u8], mark: &[u8]| memchr::memmem::find(text, mark).is_some();
    let is_colour = |rest: &[u8]| rest.len() <= 8 && rest.iter().all(u8::is_ascii_hexdigit);
    let is_remark = value
        .strip_prefix(b"#")
        .is_some_and(|rest| rest.starts_with(b" ") || rest.starts_with(b"@") || is_colour(rest));
    let is_version = value
        .iter()
        .all(|byte| b"0123456789.^~<>=*x -v".contains(byte))
        && value.contains(&b'.');
    let words = ["密码", "パスワード", "пароль"];
    is_remark
        || is_version
        || has(value, b"EXAMPLE")
        || has(lower, b"change me")
        || has(lower, b"change this")
        || words.iter().any(|word| has(value, word.as_bytes()))
}

/// Matches `changeme`, `your-token`, `insert key here`, `xxx`.
fn is_to_be_changed(lower: &[u8]) -> bool {
    const BEGINS: WordList = WordList::new(
        "changeme change_me change-me changethis change_this change-this replaceme \
         replace_me replace-me replace-this replace_this replacewith replace-with \
         replace_with",
    );
    const WORDS: WordList = WordList::new(
        "your_ your- yourpass yoursecret yourtoken yourkey yourapi my-super-secret \
         put_your put-your insert_ insert- enter_ enter- fill_in fill-in _goes_here \
         -goes-here _here -here to_be_ <your notasecret not_a_secret not-a-secret long-and-random",
    );
    let is_begun = |word: &[u8]| {
        let rest = lower.strip_prefix(word);
        rest.is_some_and(|rest| {
            rest.len() <= 4 && rest.iter().all(|byte| !byte.is_ascii_alphabetic())
                || word.starts_with(b"replace")
        })
    };
    let has_mark = [
        &b"***"[..],
        b"....",
        "…".as_bytes(),
        b"____",
        b"----",
        b"xxxx",
    ];
    BEGINS.iter().any(is_begun)
        || lower.starts_with(b"your ")
        || WORDS.any_in(lower)
        || has_mark
            .iter()
            .any(|mark| memchr::memmem::find(lower, mark).is_some())
        || lower.len() <= 4 && lower.iter().all(|byte| *byte == b'x')
        || is_masked(lower)
        || lower
            .split(|byte| matches!(byte, b'-' | b'_' | b'.'))
            .any(|word| matches!(word, b"fake" | b"dummy" | b"placeholder"))
}

/// Matches `...`, `sk-...xyz123`: the middle is elided.
fn is_masked(lower: &[u8]) -> bool {
    let dots = memchr::memmem::find(lower, b"...");
    dots.is_some_and(|at| at <= 8 && lower.get(at + 3) != Some(&b'.'))
}

/// Matches one repeated character, or only punctuation.
fn is_marks(value: &[u8]) -> bool {
    value.windows(2).all(|two| two[0] == two[1])
        || value.len() < 8
            && !value
                .iter()
                .any(|byte| byte.is_ascii_alphanumeric() || *byte >= 128)
}

/// `DB_PASSWORD=db_password`, `password: Password`.
pub(crate) fn is_own_name(name: &[u8], value: &[u8]) -> bool {
    let letters = |text: &[u8]| -> Vec<u8> {
        let kept = text.iter().filter(|byte| byte.is_ascii_alphanumeric());
        kept.map(u8::to_ascii_lowercase).collect()
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    if value.len() > 80 || !value.iter().all(is_part) {
        return false;
    }
    let (name, value) = (letters(name), letters(value));
    value.len() >= 4 && (name.ends_with(&value) || names::is_word_for_password(&value))
}

/// Matches `${VAR}`, `$VAR`, `{{ … }}`, `<…>`, `%VAR%`, `vault:…`: the secret is elsewhere.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    const WITHIN: WordList = WordList::new("${ {{ <% #{ %{ $( $[ %( @@ =$");
    const BEGINS: WordList = WordList::new(
        "!secret !ref !sub !getatt !importvalue !vault !reference !env !file !join !base64 \
         !select !if !split vault: vault/ op:// enc[ enc( arn: ref+ env: env. file: ssm: \
         awssm: kms: secretsmanager: keyvault: projects/ secret: secret/ secrets. secrets/ \
         var. vars. local. locals. data. module. process.env os.environ os.getenv \
         system.getenv system.getproperty env[ getenv environment. config. settings. self. \
         this. params. options. lookup( akv: gcp: sm:// doppler: infisical: bitwarden: \
         sops: azkv: gcpkms: [secure] [redacted valuefrom settings[ string. github. inputs. \
         parameters. variables. outputs. steps. matrix. ctx. request. req. @microsoft.keyvault",
    );
    let first = value[0];
    let last = value[value.len() - 1];
    if WITHIN
        .iter()
        .any(|mark| memchr::memmem::find(value, mark).is_some())
    {
        return true;
    }
    let begin = value[..value.len().min(24)].to_ascii_lowercase();
    let is_root = |root: &[u8]| {
        // A tag of YAML is a whole word.
        let behind = begin.get(root.len()).is_some_and(u8::is_ascii_alphanumeric);
        begin.starts_with(root) && !(root[0] == b'!' && behind)
    };
    if BEGINS.iter().any(is_root) {
        return true;
    }
    let is_word = |text: &[u8]| {
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':');
        text.iter().all(is_part) && text.first().is_some_and(|byte| !byte.is_ascii_digit())
    };
    match first {
        b'$' | b'*' | b'&' => {
            // `${NAME:+--password=$NAME}`: the brace of the expansion around it.
            let word = value.strip_suffix(b"}").unwrap_or(value);
            is_word(&word[1..]) && !is_disguised(&word[1..])
        }
        b'%' => last == b'%' || value.len() <= 3 || value.starts_with(b"%%"),
        // The output of a command.
        b'`' => true,
        b'@' => last == b'@' || is_capital_word(&value[1..]),
        b'<' => last == b'>',
        b'{' => last == b'}' || !value.contains(&b'}'),
        b'(' => value.starts_with(b"((") || !value.contains(&b')'),
        b':' => value.len() > 1 && value[1..].iter().all(u8::is_ascii_lowercase),
        b'[' => last == b']',
        _ => is_constant(value) || is_call(value),
    }
}

/// Matches `$ecret9x`: a digit inside lower-case letters, unlike any variable.
fn is_disguised(word: &[u8]) -> bool {
    let within = word
        .windows(2)
        .any(|two| two[0].is_ascii_digit() && two[1].is_ascii_lowercase());
    let is_plain = word.iter().all(u8::is_ascii_alphanumeric);
    is_plain && within && names::promise(word).is_none()
}

/// Matches `required|string|min:8`: Laravel's validation rules of a field.
pub(crate) fn is_rule(lower: &[u8]) -> bool {
    const RULES: WordList = WordList::new(
        "required nullable sometimes string confirmed filled present bail current_password",
    );
    let mut parts = lower.split(|byte| *byte == b'|');
    let first = parts.next().unwrap_or_default();
    RULES.has(first) && parts.next().is_some()
}

/// `DB_PASSWORD`: the name of a variable.
fn is_constant(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    value.contains(&b'_') && value.iter().all(is_part)
}

/// `file("x")`, `getToken()`, `data.secret["x"]`: a name and an argument.
fn is_call(value: &[u8]) -> bool {
    let Some(open) = memchr::memchr2(b'(', b'[', value) else {
        return false;
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    open >= 3 && value[..open].iter().all(is_part) && matches!(value.last(), Some(b')' | b']'))
}

/// A path, a URL, the name of a file with a key.
fn is_location(value: &[u8]) -> bool {
    const ENDS: WordList = WordList::new(
        ".pem .key .crt .cer .p12 .pfx .jks .txt .json .yml .yaml .gpg .asc .pub .env .ini \
         .conf .sh .py .js .html .md .xml .sock .keystore",
    );
    let has = |mark: &[u8]| memchr::memmem::find(value, mark).is_some();
    const ROOTS: WordList = WordList::new(
        "/etc/ /run/ /var/ /usr/ /opt/ /home/ /root/ /tmp/ /srv/ /mnt/ /data/ /app/ /secrets/ \
         /vault/ /Users/ /private/ /proc/ /dev/ /config/ /workspace/ /code/ C:\\Users \
         C:\\Program C:\\Windows C:\\secrets ./ ../ ~/ $HOME classpath:",
    );
    let is_path = value[0] == b'/' && value.len() > 1 && value[1..].contains(&b'/');
    ROOTS.iter().any(|begin| value.starts_with(begin))
        || has(b"://") && !has(b"@")
        || is_path && !CharStats::of(value).is_drawn() && is_vocabulary(value)
        || !value.contains(&b' ') && ENDS.iter().any(|end| value.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_references_stay() {
        for value in [
            "changeme",
            "CHANGE_ME",
            "changeme123",
            "${VAR}",
            "$VAR",
            "<password>",
            "xxx",
            "XXXX",
            "your-secret-here",
            "{{ vault_password }}",
            "%CI_TOKEN%",
            "@mail.password@",
            "null",
            "!secret mqtt_password",
            "vault:secret/data/x",
            "/run/secrets/db",
            "password",
            "Enter your password",
            "Password of the user",
            "********",
            "https://a.b/token",
            "DB_PASSWORD",
            "var.token",
            "-",
            "replace-with-real-token",
            "file(\"x\")",
            "`pass show db`",
            "Passwort",
            "required|string|min:8|confirmed",
            "$oauth2_token",
            "$DB_PASSWORD}",
            "null,\"updated_at\":null}",
            "authentication/encrypted-password",
            "d41d8cd98f00b204e9800998ecf8427e",
            "write",
            "my secret",
        ] {
            assert!(stands_in(b"DB_PASSWORD", value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn weak_values_are_secrets() {
        for value in [
            "hunter2secret99",
            "mysecretpw1",
            "example-but-real",
            "Tr0ub4dor&3",
            "postgres",
            "correct horse battery staple",
            "changeit!2019",
            "$ecret!",
            "$ecret9x",
            "null,void9",
            "d41d8cd98f00b204e9800998ecf8427f",
            "!vault9x",
            "/x9K/q2m",
            "C:\\pw\\new9",
            "i love you.",
            "Is this it?",
            "batpw1%%x",
            "123456",
            "winter2024!",
            "/UwcSPg38hW/D9Y3tcS1FOV0K1wuURMbS0sesJEP5ak=",
            "minio runner secret",
        ] {
            assert!(!stands_in(b"DB_PASSWORD", value.as_bytes()), "{value}");
        }
    }
}
