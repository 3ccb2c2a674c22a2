//! Prose that announces a password: `the root password is …`, `Password: …` below a user name,
//! `credentials: admin / …`.

use std::ops::Range;

use crate::assigned::string_at;
use crate::finding::Vote;
use crate::names::NameClass;
use crate::phrases::is_pass_phrase;
use crate::place::{Purpose, TextContext};
use crate::samples::{is_member_of, is_sample};
use crate::stand_ins::stands_in;
use crate::value::{ValueClass, nature};
use crate::words::WordList;

/// Maximum distance from the name to the end of its value; a stream withholds more.
const REACH: usize = 200;

/// Votes on the value that the text announces after the name at `name`.
pub(crate) fn announced(
    bytes: &[u8],
    name: &Range<usize>,
    promise: NameClass,
    place: TextContext,
) -> Option<Vote> {
    let rest = &bytes[name.end..bytes.len().min(name.end + REACH)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let announcement = Announcement {
        bytes,
        name,
        promise,
        end: name.end + line.trim_ascii_end().len(),
    };
    let span = announcement.value()?;
    let found = &bytes[span.clone()];
    if is_member_of(&bytes[name.clone()], found) || is_sample(promise, found, place.purpose) {
        return None;
    }
    let points = match place.purpose {
        Purpose::Test => 40,
        _ => 54,
    };
    Some(Vote {
        span,
        kind: promise.kind(),
        points,
        reason: "a text announces it",
    })
}

/// Connection between the name and its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Connector {
    /// `is`, `was`.
    Verb,
    /// `:`, `=`.
    Sign,
    /// Space.
    None,
}

/// Returns the length of `for staging is `, `of the router: `, `to use: `: up to three words between the name
/// and its verb or sign.
fn place_and_verb(rest: &[u8]) -> Option<(Connector, usize)> {
    let starts = [
        &b"for "[..],
        b"of ",
        b"on ",
        b"to ",
        b"des ",
        b"der ",
        b"du ",
        b"de ",
    ];
    let start = starts.iter().find(|start| rest.starts_with(start))?.len();
    let near = &rest[start..rest.len().min(start + 48)];
    let marks = [
        (&b" is "[..], Connector::Verb),
        (b" lautet ", Connector::Verb),
        (b" ist ", Connector::Verb),
        (b" est ", Connector::Verb),
        (b" es ", Connector::Verb),
        (b": ", Connector::Sign),
    ];
    let found = marks.map(|(mark, connector)| {
        let at = memchr::memmem::find(near, mark)?;
        Some((at, connector, start + at + mark.len()))
    });
    let (at, connector, length) = found.into_iter().flatten().min_by_key(|one| one.0)?;
    let between = &near[..at];
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_');
    let is_short = between.split(|byte| *byte == b' ').count() <= 3;
    (is_short && between.iter().all(is_word)).then_some((connector, length))
}

struct Announcement<'a> {
    bytes: &'a [u8],
    name: &'a Range<usize>,
    promise: NameClass,
    /// End of the line.
    end: usize,
}

impl Announcement<'_> {
    fn value(&self) -> Option<Range<usize>> {
        let before = self.name.start.checked_sub(1).map(|at| self.bytes[at]);
        // A quoted name is the name of something.
        let is_code = matches!(before, Some(b'`' | b'"' | b'\''));
        let mut at = self.name.end;
        at += self.count(at, b"*`\"'_");
        let (connector, at) = self.connector(at)?;
        // `pass `x` on` is an instruction, `user bob, pass x` is not.
        let is_verb = self.bytes[self.name.clone()].eq_ignore_ascii_case(b"pass")
            && !self.before().trim_ascii_end().ends_with(b",");
        if connector == Connector::None && (is_verb || self.promise == NameClass::Credential) {
            return None;
        }
        if self.promise == NameClass::Credential || connector == Connector::Sign && self.is_pair() {
            let pair = self.second_of_pair(at);
            if pair.is_some() || self.promise == NameClass::Credential {
                return pair;
            }
        }
        if !matches!(
            self.promise,
            NameClass::Password | NameClass::Secret | NameClass::Token | NameClass::ApiKey
        ) {
            return None;
        }
        if let Some(span) = string_at(self.bytes, at).filter(|span| span.end < self.end) {
            return self.quoted(span, connector, is_code);
        }
        if let Some(span) = self.bold(at) {
            return self.quoted(span, connector, is_code);
        }
        if is_code && connector != Connector::Sign {
            return None;
        }
        self.unquoted(at, connector)
    }

    /// Returns the text in Markdown's `**…**` or `*…*`; the opening characters are before `at`.
    fn bold(&self, at: usize) -> Option<Range<usize>> {
        let is_open = at > self.name.end && self.bytes[at - 1] == b'*';
        let rest = &self.bytes[at.min(self.end)..self.end];
        let length = memchr::memchr(b'*', rest).filter(|length| is_open && *length > 0)?;
        let is_word = !rest[..length].iter().any(u8::is_ascii_whitespace);
        is_word.then_some(at..at + length)
    }

    fn count(&self, at: usize, signs: &[u8]) -> usize {
        let rest = self.bytes[at.min(self.end)..self.end].iter();
        rest.take_while(|byte| signs.contains(byte)).count()
    }

    fn connector(&self, at: usize) -> Option<(Connector, usize)> {
        let spaces = self.count(at, b" \t");
        let rest = &self.bytes[(at + spaces).min(self.end)..self.end];
        for (sign, connector) in [
            (&b": "[..], Connector::Sign),
            (b":: ", Connector::Sign),
            (b"(change it): ", Connector::Sign),
            (b"(please change): ", Connector::Sign),
            (b":**", Connector::Sign),
            (b"= ", Connector::Sign),
            (b"lautet: ", Connector::Verb),
            (b"lautet ", Connector::Verb),
            (b"ist jetzt ", Connector::Verb),
            (b"ist: ", Connector::Verb),
            (b"ist ", Connector::Verb),
            (b"est : ", Connector::Verb),
            (b"est ", Connector::Verb),
            (b"es: ", Connector::Verb),
            (b"es ", Connector::Verb),
            ("è ".as_bytes(), Connector::Verb),
            ("é ".as_bytes(), Connector::Verb),
            (b"is now ", Connector::Verb),
            (b"is: ", Connector::Verb),
            (b"is ", Connector::Verb),
            (b"was ", Connector::Verb),
        ] {
            if rest.starts_with(sign) {
                let at = at + spaces + sign.len();
                return Some((connector, at + self.count(at, b" \t*")));
            }
        }
        if let Some((connector, length)) = place_and_verb(rest) {
            let at = at + spaces + length;
            return Some((connector, at + self.count(at, b" \t*")));
        }
        (spaces == 1).then_some((Connector::None, at + 1))
    }

    fn before(&self) -> &[u8] {
        let before = &self.bytes[self.name.start.saturating_sub(REACH)..self.name.start];
        before
            .rsplit(|byte| *byte == b'\n')
            .next()
            .unwrap_or(before)
    }

    /// Matches `user / pass: …`.
    fn is_pair(&self) -> bool {
        let before = self.before().trim_ascii_end();
        before.ends_with(b"/") && before.len() < 40
    }

    /// Returns the part after the slash of `admin / secret`.
    fn second_of_pair(&self, at: usize) -> Option<Range<usize>> {
        let rest = &self.bytes[at.min(self.end)..self.end];
        let length = match memchr::memmem::find(rest, b" / ") {
            Some(slash) => slash + 3,
            None => self.tight_slash(rest)?,
        };
        let at = at + length;
        let span = match string_at(self.bytes, at) {
            Some(span) => span,
            None => at..at + self.word(at),
        };
        let value = self.bytes.get(span.clone())?;
        let is_value = span.end <= self.end && !value.contains(&b' ') && !stands_in(b"", value);
        is_value.then_some(span)
    }

    /// Returns the length of `admin/` before the secret in `user/pass = admin/secret`.
    fn tight_slash(&self, rest: &[u8]) -> Option<usize> {
        let slash = memchr::memchr(b'/', rest)?;
        let is_user = rest[..slash].iter().all(u8::is_ascii_alphanumeric);
        let secret = &rest[slash + 1..];
        let has_digit = secret.iter().any(u8::is_ascii_digit);
        (slash > 0 && is_user && has_digit && !secret.contains(&b'/')).then_some(slash + 1)
    }

    /// Returns the length of the word at `at` without punctuation at the end of a sentence.
    fn word(&self, at: usize) -> usize {
        let rest = &self.bytes[at.min(self.end)..self.end];
        let length = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len());
        let is_end = |byte: &u8| b".,;:!?)".contains(byte);
        length
            - rest[..length]
                .iter()
                .rev()
                .take_while(|byte| is_end(byte))
                .count()
    }

    fn quoted(
        &self,
        span: Range<usize>,
        connector: Connector,
        is_code: bool,
    ) -> Option<Range<usize>> {
        let value = &self.bytes[span.clone()];
        let has_digit = value.iter().any(u8::is_ascii_digit);
        let is_password = self.promise == NameClass::Password;
        let is_made_up = looks_made_up(value) && (has_digit || is_password && !is_code);
        // Code in prose has string quotes; people use Markdown's.
        let is_marked = matches!(self.bytes[span.start - 1], b'`' | b'*');
        let is_label = self.bytes[self.name.start].is_ascii_uppercase();
        let words = value.split(|byte| *byte == b' ').count();
        let is_value = match connector {
            Connector::None => is_made_up && is_password && !is_code && self.is_with(),
            Connector::Sign if is_marked && !is_code => is_made_up || looks_made_up(value),
            Connector::Sign => is_made_up && is_password && has_digit && is_label,
            Connector::Verb => is_password || is_made_up,
        };
        (is_value && words <= 5 && !stands_in(&self.bytes[self.name.clone()], value))
            .then_some(span)
    }

    fn unquoted(&self, at: usize, connector: Connector) -> Option<Range<usize>> {
        let line = at..self.end;
        if connector == Connector::Sign && self.is_phrase(&line) {
            return Some(line);
        }
        let span = at..at + self.word(at);
        let is_password = self.promise == NameClass::Password;
        if connector == Connector::Sign && is_password && self.is_login() {
            let whole = at..self.end;
            let value = &self.bytes[whole.clone()];
            let words = value.split(|byte| *byte == b' ').count();
            let has_digit = value.iter().any(u8::is_ascii_digit);
            let is_code = value.iter().any(|byte| b"[](){},;=<>\"'".contains(byte))
                || value.contains(&b'.') && !has_digit;
            let is_value =
                !is_code && words <= 3 && !stands_in(&self.bytes[self.name.clone()], value);
            return is_value.then_some(whole);
        }
        let value = self.bytes.get(span.clone())?;
        if stands_in(&self.bytes[self.name.clone()], value) || !looks_made_up(value) {
            return None;
        }
        let is_last = span.end + 1 >= self.end;
        let has_digit = value.iter().any(u8::is_ascii_digit);
        let is_value = match connector {
            Connector::None => is_password && has_digit && self.is_with(),
            Connector::Verb => is_password && (has_digit || is_last),
            Connector::Sign => is_last && (is_password || has_digit),
        };
        is_value.then_some(span)
    }

    /// Matches `passphrase: …` with a pass phrase as the rest of its line.
    fn is_phrase(&self, line: &Range<usize>) -> bool {
        let name = self.bytes[self.name.clone()].to_ascii_lowercase();
        name.ends_with(b"passphrase")
            && self.bytes.get(line.clone()).is_some_and(is_pass_phrase)
            && !stands_in(&name, &self.bytes[line.clone()])
    }

    /// Matches `with password …`, `and password …`, `user …, password …`.
    fn is_with(&self) -> bool {
        let before = self.before();
        [&b"with "[..], b"and ", b"user", b"login"]
            .iter()
            .any(|word| memchr::memmem::find(before, word).is_some())
    }

    /// Returns true if this line or the one above names a user.
    fn is_login(&self) -> bool {
        let line = self.name.start - self.before().len();
        let above = &self.bytes[line.saturating_sub(120)..line];
        let above = above.trim_ascii_end().to_ascii_lowercase();
        let above = above
            .rsplit(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        let is_first = self
            .before()
            .iter()
            .all(|byte| !byte.is_ascii_alphanumeric());
        let has_user = [&b"user"[..], b"login", b"mail", b"account"]
            .iter()
            .any(|word| memchr::memmem::find(above, word).is_some());
        let rest = &self.bytes[self.name.end..self.end];
        let is_term = rest.starts_with(b":: ") || self.is_pair();
        let has_digit = rest.iter().any(u8::is_ascii_digit);
        is_first && has_user && above.contains(&b':') || is_term && has_digit
    }
}

/// Returns true for letters with digits or other characters that are not a technical term.
fn looks_made_up(value: &[u8]) -> bool {
    const TERMS: WordList = WordList::new(
        "sha md5 aes base64 base32 utf rfc pbkdf2 argon2 oauth2 http x509 ed25519 hs256 rs256 \
         bcrypt iso ascii unicode version node python java",
    );
    const ENDS: WordList = WordList::new(
        "ed ing ive able ible less only free based specific like side wide time length \
         sensitive insensitive party known aware proof level",
    );
    let lower = value.to_ascii_lowercase();
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 128;
    let letters = value.iter().filter(|byte| is_letter(byte)).count();
    let has_other = letters < value.len();
    let begins_with_digit = value.first().is_some_and(u8::is_ascii_digit);
    let is_term = TERMS.iter().any(|term| lower.starts_with(term))
        || ENDS.iter().any(|end| lower.ends_with(end))
        || begins_with_digit && value.contains(&b'-');
    // Ignores the padding of base64.
    let end = value.iter().rposition(|byte| *byte != b'=');
    let value = &value[..end.map_or(0, |end| end + 1)];
    let is_sign = |byte: &u8| b"<>{}()[]|/\\=`\"'*,".contains(byte);
    let has_digit = value.iter().any(u8::is_ascii_digit);
    // A path of names.
    let is_dotted = !has_digit && value.iter().any(|byte| b"._".contains(byte));
    let is_long = letters >= 2 && has_other && value.len() >= 6;
    is_long
        && !is_dotted
        && !is_term
        && !value.iter().any(is_sign)
        && matches!(
            nature(value),
            ValueClass::MadeUp
                | ValueClass::Drawn
                | ValueClass::Name
                | ValueClass::Uuid
                | ValueClass::Placeholder
        )
}

#[cfg(test)]
mod tests {
    use crate::names;
    use crate::place::TextContext;

    fn check(text: &str, expected: Option<&str>) {
        let start = text.to_ascii_lowercase().find("pass").or(text.find("cred"));
        let start = start.unwrap();
        let end = text[start..]
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap()
            + start;
        let promise = names::promise(&text.as_bytes()[start..end]).unwrap();
        let vote = super::announced(
            text.as_bytes(),
            &(start..end),
            promise,
            TextContext::new("a.txt"),
        );
        assert_eq!(vote.map(|vote| &text[vote.span]), expected, "{text}");
    }

    #[test]
    fn announced_passwords_are_found() {
        for (text, expected) in [
            ("The root password is prose-root-1.", Some("prose-root-1")),
            ("log in with password nas4ever and go", Some("nas4ever")),
            (
                "(user **pi**, password: **plum7Orchard**)",
                Some("plum7Orchard"),
            ),
            ("Password: **required**, string", None),
            ("**Password:** the field", None),
            ("Wifi password: summer-house", Some("summer-house")),
            (
                "Root password of the backup NAS: Fensterladen_88",
                Some("Fensterladen_88"),
            ),
            ("The password of a user: string", None),
            (
                "the password for the old NAS is Bo8keeper, ask",
                Some("Bo8keeper"),
            ),
            ("the password of a user is stored as a hash", None),
            (
                "the password is \"two words\", change it",
                Some("two words"),
            ),
            ("User: admin\nPassword: wikiwiki\n", Some("wikiwiki")),
            (
                "Default credentials: `admin` / `md-default`",
                Some("md-default"),
            ),
            ("user / pass: joe / joe-eml", Some("joe-eml")),
            ("Das Passwort lautet deutschPw7.", Some("deutschPw7")),
            (
                "Das Passwort des Routers lautet fritz-4711",
                Some("fritz-4711"),
            ),
            ("Das Passwort ist zu kurz", None),
            ("Das Passwort lautet anders", None),
            (
                "Votre mot de passe est motdepasse8, merci",
                Some("motdepasse8"),
            ),
            ("Mot de passe : soleil-99", Some("soleil-99")),
            ("Le mot de passe est incorrect", None),
            ("VPN: user bob, pass notesVpn1", Some("notesVpn1")),
            ("pass notesVpn1 to the user", None),
            ("The password is stored in the vault.", None),
            ("The password is case-sensitive.", None),
            ("Passwords are hashed with bcrypt", None),
            ("The password must be at least 12 characters", None),
            ("Password: your own", None),
            ("the password `field` is", None),
        ] {
            check(text, expected);
        }
    }
}
