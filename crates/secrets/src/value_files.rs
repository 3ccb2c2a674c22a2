//! Files that contain only one secret: the file name is the name of the value. Texts of several
//! words or lines do not count.

use std::ops::Range;

use crate::assigned::Form;
use crate::finding::Vote;
use crate::names::{self, NameClass};
use crate::place::{Layout, Role, TextContext};
use crate::value::{ValueClass, nature};
use crate::weighing::Evidence;

/// Maximum length of such a value.
const LONGEST: usize = 1024;

/// Votes on the contents of a file whose name means a secret.
pub(crate) fn find(bytes: &[u8], place: TextContext, votes: &mut Vec<Vote>) {
    let promise = match place.layout {
        Layout::Value(promise) => promise,
        // A password file without users.
        Layout::Pairs if memchr::memchr(b':', bytes).is_none() => NameClass::Password,
        _ => return,
    };
    let Some(span) = value(bytes, promise) else {
        return;
    };
    let found = &bytes[span.clone()];
    let nature = nature(found);
    if !is_value(promise, found, nature) {
        return;
    }
    let evidence = Evidence {
        name: b"",
        promise,
        nature,
        form: Form::Tight,
        has_scheme: false,
        // The file name decides, however weak the value looks.
        place: TextContext {
            role: Role::Config,
            ..place
        },
        found,
    };
    votes.extend(evidence.points().map(|points| Vote {
        span,
        kind: promise.kind(),
        points,
        reason: "is all that a file for a secret holds",
    }));
}

/// A word can be a password, but not a token or a key.
fn is_value(promise: NameClass, found: &[u8], nature: ValueClass) -> bool {
    let has_digit = found.iter().any(u8::is_ascii_digit);
    let is_letters = matches!(nature, ValueClass::Word | ValueClass::Name) && !has_digit;
    match promise {
        NameClass::Password | NameClass::Secret => true,
        _ => !is_letters,
    }
}

/// Returns the only value of the text, without surrounding space, quotes, or its own name before
/// it.
fn value(bytes: &[u8], promise: NameClass) -> Option<Range<usize>> {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let start = bytes.len() - text.trim_ascii_start().len();
    let text = text.trim_ascii();
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let mut span = match promise {
        NameClass::Password => behind_user(text),
        _ => 0,
    }..text.len();
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control();
    if text[span.clone()].iter().any(is_space) {
        return None;
    }
    if let Some(sign) = memchr::memchr2(b'=', b':', text)
        && names::promise(&text[..sign]).is_some()
    {
        span.start = sign + 1;
    }
    if let [open @ (b'"' | b'\''), .., close] = text[span.clone()]
        && open == close
        && span.len() > 2
    {
        span = span.start + 1..span.end - 1;
    }
    Some(start + span.start..start + span.end)
}

/// Returns the start of the second of two lines: OpenVPN has the user on the first.
fn behind_user(text: &[u8]) -> usize {
    let Some(end) = memchr::memchr(b'\n', text) else {
        return 0;
    };
    let user = text[..end].trim_ascii_end();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.@".contains(byte);
    match user.iter().all(is_part) {
        true => end + 1,
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::Scanner;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let findings = Scanner::new().scan_file(path, text);
        let found: Vec<_> = findings.iter().map(|one| &text[one.span.clone()]).collect();
        assert_eq!(found, expected, "{path}: {text}");
    }

    #[test]
    fn whole_content_of_a_file_for_a_secret() {
        for (path, text, expected) in [
            ("secrets/db_password.txt", "blue-tram-41\n", "blue-tram-41"),
            (".vault_pass", "hunter2secret99\r\n", "hunter2secret99"),
            ("password.txt", "\u{feff}Tr0ub4dor&3", "Tr0ub4dor&3"),
            ("password.txt", "password=Tr0ub4dor&3", "Tr0ub4dor&3"),
            ("db/passwd.txt", "\"it's:me=1\"", "it's:me=1"),
            ("api_token", "tok-acme-0042-live\n", "tok-acme-0042-live"),
            ("ci/deploy.token", "k3j9-aa71-zz02\n", "k3j9-aa71-zz02"),
            ("run/secrets/smtp", "mail-0042-live", "mail-0042-live"),
            ("vpn_password.txt", "joe\nvpn-0042-pass\n", "vpn-0042-pass"),
            ("etc/db.passwd", "db-0042-pass\n", "db-0042-pass"),
            ("mosquitto.passwd", "joe:hash-0042-x\n", "hash-0042-x"),
            ("userlist.txt", "\"joe\" \"bouncer-0042\"\n", "bouncer-0042"),
            (".erlang.cookie", "QZLKWMXPDVRTBNHC", "QZLKWMXPDVRTBNHC"),
            (
                "config/encryption.key",
                "9f86d081884c7d659a2feaa0c55ad015",
                "9f86d081884c7d659a2feaa0c55ad015",
            ),
        ] {
            check(path, text, &[expected]);
        }
    }

    #[test]
    fn other_contents_and_other_files_stay() {
        for (path, text) in [
            ("token.txt", "A token is what the lexer returns.\n"),
            ("token.txt", "identifier\n"),
            ("keys.txt", "alpha\nbeta\ngamma\n"),
            ("passwords.txt", "dragon2019\nmonkey77\n"),
            ("password.txt", "changeme\n"),
            ("password.txt", "one\ntwo\nthree4444\n"),
            ("userlist.txt", "joe\nann0042\n"),
            ("etc/passwd", "root:x:0:0:root:/root:/bin/bash\n"),
            ("password.txt", "${DB_PASSWORD}\n"),
            ("password.txt", "/run/secrets/db\n"),
            ("password.py", "reset\n"),
            ("LICENSE.key", "9f86d081884c7d659a2feaa0c55ad015\n"),
            ("secrets/.gitignore", "prod-0042.json\n"),
            ("secrets/version", "1.20.3\n"),
            ("tokens.json", "[]\n"),
            ("secrets/db_user.txt", "app-0042\n"),
        ] {
            check(path, text, &[]);
        }
    }
}
