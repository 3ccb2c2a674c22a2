//! Secrets in arguments of calls that expect a user and a password, and of commands that expect a
//! password.

use std::ops::Range;

use memchr::memmem;

use crate::assigned::{Form, string_at};
use crate::finding::Vote;
use crate::names::NameClass;
use crate::place::{Role, TextContext};
use crate::stand_ins::stands_in;
use crate::value::nature;
use crate::weighing::Evidence;

/// Maximum length of a call or a command that is examined.
pub(crate) const REACH: usize = 300;

/// Position of the secret in a call or command.
pub(crate) enum SecretArgument {
    /// A call: the index of the secret argument, from 0.
    Argument(usize),
    /// A command with a flag; the secret is the next word, or the rest of the flag's word.
    Flag(&'static [&'static str]),
    /// A command with a flag; the secret is the rest of the flag's word.
    Attached(&'static str),
    /// A command with a flag whose next word is `user:secret`.
    Pair(&'static [&'static str]),
    /// A command whose second argument is the secret.
    Second,
    /// A command whose third argument, after its flags, is the secret.
    Third,
    /// A command that reads `user:secret` from the string before it.
    Before,
}

pub(crate) const TAKERS: [(&str, SecretArgument); 32] = [
    ("BasicAuth(", SecretArgument::Argument(1)),
    ("basicAuth(", SecretArgument::Argument(1)),
    ("basic_auth(", SecretArgument::Argument(1)),
    ("DigestAuth(", SecretArgument::Argument(1)),
    ("auth=(", SecretArgument::Argument(1)),
    ("auth = (", SecretArgument::Argument(1)),
    (".login(", SecretArgument::Argument(1)),
    ("Credentials(", SecretArgument::Argument(1)),
    ("Credential(", SecretArgument::Argument(1)),
    ("PasswordAuthentication(", SecretArgument::Argument(1)),
    (
        "curl ",
        SecretArgument::Pair(&["-u", "--user", "--proxy-user", "-U"]),
    ),
    (
        "openssl",
        SecretArgument::Pair(&["-passin", "-passout", "-pass"]),
    ),
    ("rootpw ", SecretArgument::Flag(&["--plaintext"])),
    ("sshpass ", SecretArgument::Flag(&["-p"])),
    ("mysql ", SecretArgument::Attached("-p")),
    ("mysqldump ", SecretArgument::Attached("-p")),
    ("mysqladmin ", SecretArgument::Attached("-p")),
    ("redis-cli ", SecretArgument::Flag(&["-a"])),
    ("docker login ", SecretArgument::Flag(&["-p"])),
    ("ldapsearch ", SecretArgument::Flag(&["-w"])),
    ("mongosh ", SecretArgument::Flag(&["-p"])),
    ("mongodump ", SecretArgument::Flag(&["-p"])),
    ("mongorestore ", SecretArgument::Flag(&["-p"])),
    ("mariadb ", SecretArgument::Attached("-p")),
    ("podman login ", SecretArgument::Flag(&["-p"])),
    ("az login ", SecretArgument::Flag(&["-p"])),
    ("wget ", SecretArgument::Flag(&["--http-password"])),
    ("add_user ", SecretArgument::Second),
    ("change_password ", SecretArgument::Second),
    ("htpasswd -b", SecretArgument::Third),
    (" | chpasswd", SecretArgument::Before),
    (" | sudo chpasswd", SecretArgument::Before),
];

/// Votes on the secret of the call or command `number`, whose name ends at `start`.
pub(crate) fn find(
    bytes: &[u8],
    number: usize,
    start: usize,
    place: TextContext,
    votes: &mut Vec<Vote>,
) {
    let (name, taker) = &TAKERS[number];
    let rest = start..bytes.len().min(start - name.len() + REACH);
    let (span, form) = match taker {
        SecretArgument::Argument(which) => {
            // `Credentials("realm", "host", "user", "secret")`.
            let fourth = argument(bytes, rest.clone(), 3).filter(|_| *name == "Credentials(");
            (
                fourth.or_else(|| argument(bytes, rest, *which)),
                Form::Quoted,
            )
        }
        SecretArgument::Flag(flags) => (flag(bytes, rest, flags), Form::Tight),
        SecretArgument::Attached(name) => (attached(bytes, rest, name), Form::Tight),
        SecretArgument::Pair(flags) => {
            let word = flag(bytes, rest, flags);
            (word.and_then(|word| pair(bytes, word)), Form::Tight)
        }
        // `change_password = 4` is not a command.
        SecretArgument::Second => {
            let is_command = !bytes[rest.start..].starts_with(b"=");
            let word = is_command.then(|| nth_word(bytes, rest, 1)).flatten();
            (word, Form::Tight)
        }
        SecretArgument::Third => (nth_word(bytes, rest, 3), Form::Tight),
        SecretArgument::Before => (before(bytes, start - name.len()), Form::Quoted),
    };
    let is_attached = matches!(taker, SecretArgument::Attached(_));
    votes.extend(span.and_then(|span| vote(bytes, span, form, place, is_attached)));
}

fn vote(
    bytes: &[u8],
    span: Range<usize>,
    form: Form,
    place: TextContext,
    is_attached: bool,
) -> Option<Vote> {
    let found = &bytes[span.clone()];
    // The address of an account.
    if found.contains(&b'@') && found.ends_with(b".com") {
        return None;
    }
    let points = Evidence {
        name: b"",
        promise: NameClass::Password,
        nature: nature(found),
        form,
        has_scheme: false,
        place,
        found,
    }
    .points();
    // In prose about a command, a name with a number is a value.
    let is_sure = is_attached && place.role == Role::Text && has_letter_and_digit(found);
    let points = match points {
        Some(points) if is_sure && !stands_in(b"", found) => points.max(54),
        points => points?,
    };
    Some(Vote {
        span,
        kind: "password",
        points,
        reason: "stands where a call or a command takes a password",
    })
}

fn has_letter_and_digit(found: &[u8]) -> bool {
    found.iter().any(u8::is_ascii_digit) && found.iter().any(u8::is_ascii_alphabetic)
}

/// Returns the argument with this index, if it and the ones before it are simple.
fn argument(bytes: &[u8], within: Range<usize>, which: usize) -> Option<Range<usize>> {
    let mut at = within.start;
    let mut number = 0;
    while at < within.end {
        match bytes[at] {
            b'"' | b'\'' | b'`' => {
                let span = string_at(bytes, at).filter(|span| span.end < within.end)?;
                at = span.end + 1;
                let is_whole = matches!(
                    bytes[at..within.end].trim_ascii_start().first(),
                    Some(b',' | b')')
                );
                // `usage="x"` states its own purpose.
                let before = bytes[within.start..span.start - 1].trim_ascii_end();
                let is_keyword = matches!(before.last(), Some(b'=' | b':'));
                if number == which {
                    return (is_whole && !is_keyword).then_some(span);
                }
            }
            b',' => {
                number += 1;
                at += 1;
            }
            b')' | b';' | b'{' | b'[' => return None,
            // `credentials=("user", "…")` has its own rule.
            b'(' if bytes[..at].ends_with(b"=") => return None,
            _ => at += 1,
        }
    }
    None
}

/// Returns the value of one of the flags: the rest of its word, or the next word.
fn flag(bytes: &[u8], within: Range<usize>, flags: &[&str]) -> Option<Range<usize>> {
    let line = &bytes[within.clone()];
    // A line that ends in a backslash continues.
    let mut ends = memchr::memchr_iter(b'\n', line);
    let end = ends.find(|at| !line[..*at].ends_with(b"\\"));
    let line = &line[..end.unwrap_or(line.len())];
    flags.iter().find_map(|flag| {
        let found = memmem::find_iter(line, flag);
        let mut starts = found.filter(|at| *at == 0 || line[at - 1].is_ascii_whitespace());
        let at = starts.next()? + flag.len();
        let behind = &line[at..];
        let skipped = behind
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'=' | b'\\' | b'\n'));
        let start = within.start + at + skipped.count();
        word(bytes, start..within.end)
    })
}

/// Returns the rest of the word that starts with the flag.
fn attached(bytes: &[u8], within: Range<usize>, name: &str) -> Option<Range<usize>> {
    let span = flag(bytes, within, &[name])?;
    let before = &bytes[..span.start];
    let before = before.strip_suffix(b"'").unwrap_or(before);
    before.ends_with(name.as_bytes()).then_some(span)
}

/// Returns the word with this index, from 0.
fn nth_word(bytes: &[u8], within: Range<usize>, number: usize) -> Option<Range<usize>> {
    let mut at = within.start;
    for _ in 0..number {
        let rest = &bytes[at..within.end];
        let length = rest.iter().position(u8::is_ascii_whitespace)?;
        let gap = rest[length..].iter().take_while(|byte| **byte == b' ');
        at += length + gap.count();
    }
    word(bytes, at..within.end)
}

/// Returns the secret of the string `"user:secret"` that ends at `end`.
fn before(bytes: &[u8], end: usize) -> Option<Range<usize>> {
    let begin = end.saturating_sub(REACH);
    let text = bytes[begin..end].trim_ascii_end();
    let (quote, text) = text.split_last()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let start = memchr::memrchr(*quote, text)? + 1;
    let colon = memchr::memchr(b':', &text[start..])?;
    Some(begin + start + colon + 1..begin + text.len())
}

/// Returns the first word in `within`, without its quotes.
fn word(bytes: &[u8], within: Range<usize>) -> Option<Range<usize>> {
    if let Some(span) = string_at(bytes, within.start) {
        return (span.end < within.end).then_some(span);
    }
    let rest = &bytes[within.clone()];
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`;|&<>".contains(byte);
    let length = rest.iter().position(ends)?;
    let is_flag = rest.starts_with(b"-");
    (length > 0 && !is_flag).then_some(within.start..within.start + length)
}

/// Returns the part after the colon of `user:secret`. In a text about a command, the flag may be
/// explained by another one: `-U "--proxy http://…"`.
fn pair(bytes: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let text = &bytes[word.clone()];
    let colon = memchr::memchr(b':', text)?;
    let is_pair = !text.starts_with(b"-") && !text[colon..].starts_with(b"://");
    is_pair.then_some(word.start + colon + 1..word.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triggers::{Trigger, triggers};

    fn secrets(text: &str) -> Vec<&str> {
        let mut votes = Vec::new();
        for hit in triggers(text.as_bytes()) {
            if let Trigger::SecretArgument(number) = hit.trigger {
                let place = TextContext::new("a.sh");
                find(text.as_bytes(), number, hit.end, place, &mut votes);
            }
        }
        votes.into_iter().map(|vote| &text[vote.span]).collect()
    }

    #[test]
    fn calls_and_commands() {
        for (text, expected) in [
            ("curl -s -u joe:vK8pq2Zr https://x\n", Some("vK8pq2Zr")),
            (
                "curl https://x \\\n  --user 'joe:vK8pq2Zr' \\\n  -v\n",
                Some("vK8pq2Zr"),
            ),
            ("curl -u $USER:$PASS https://x\n", None),
            ("curl -u joe https://x\n", None),
            ("curl arguments: -U \"--proxy http://p\"\n", None),
            ("curl -u http://proxy https://x\n", None),
            ("sshpass -p vK8pq2Zr ssh a@b\n", Some("vK8pq2Zr")),
            ("sshpass -p 'vK8 pq2Zr' ssh\n", Some("vK8 pq2Zr")),
            ("mysql -u root -pvK8pq2Zr db\n", Some("vK8pq2Zr")),
            ("mysql -u root -p db2\nother", None),
            ("mysqldump -p'vK8pq2Zr' db\n", Some("vK8pq2Zr")),
            ("mysql -u root -p --host x\n", None),
            ("redis-cli -h x -a vK8pq2Zr ping\n", Some("vK8pq2Zr")),
            ("HTTPBasicAuth('joe', 'vK8pq2Zr')", Some("vK8pq2Zr")),
            ("auth=(\"joe\", \"vK8pq2Zr\")", Some("vK8pq2Zr")),
            ("rootpw --plaintext vK8pq2Zr\n", Some("vK8pq2Zr")),
            ("rootpw --lock\n", None),
            (
                "openssl rsa -in k.pem -passin pass:vK8pq2Zr\n",
                Some("vK8pq2Zr"),
            ),
            ("openssl rsa -in k.pem -passin env:KEY_PASS\n", None),
            ("server.login(user, password)", None),
            (
                "ClientSecretCredential(authority=\"x\", tenant_id=\"adfs\")",
                None,
            ),
            ("server.login(user, \"vK8\" + rest)", None),
        ] {
            assert_eq!(secrets(text), Vec::from_iter(expected), "{text}");
        }
    }
}
