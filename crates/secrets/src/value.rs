//! What a value is by its looks: a placeholder, a reference to something else,
//! words, or something that a person or a machine made up to be secret.

mod address;
mod joined;

use crate::checks;
use crate::random::Makeup;
use crate::words::WordList;
use address::is_address;
use joined::{is_joined_words, is_numbered_word, is_words_and_numbers};

/// What a value is, by its looks alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    /// Too little to say anything.
    Nothing,
    /// Stands for a value: `<your-key>`, `****`, `changeme`.
    Placeholder,
    /// Names where the value is: `${TOKEN}`, `os.environ[…]`, `DB_PASSWORD`.
    Reference,
    /// Words with spaces between them.
    Sentence,
    /// A URL, a path, a host, a version, a date.
    Address,
    /// The name of something: words joined by `_`, `-`, `.` or capitals.
    Name,
    /// One word.
    Word,
    /// Digits only.
    Number,
    /// A UUID.
    Uuid,
    /// Made up by a person: letters with digits or signs.
    MadeUp,
    /// Drawn by a machine.
    Drawn,
}

/// How much of a value is judged.
const LONGEST: usize = 1024;

/// Judges a value without its quotes.
pub(crate) fn nature(value: &[u8]) -> Nature {
    if value.len() < 3 {
        return Nature::Nothing;
    }
    let value = &value[..value.len().min(LONGEST)];
    if !value.iter().any(u8::is_ascii_alphanumeric) && !value.iter().any(|byte| *byte >= 128) {
        return match value.len() < 8 || is_one_sign(value) {
            true => Nature::Nothing,
            false => Nature::MadeUp,
        };
    }
    // A long text is none of the below, and they take their time.
    if value.len() > 256 && value.contains(&b' ') {
        return Nature::Sentence;
    }
    if is_noise(value) {
        return Nature::Drawn;
    }
    if is_reference(value) {
        return Nature::Reference;
    }
    if is_placeholder(value) || is_known_to_all(value) || only_names_its_use(value) {
        return Nature::Placeholder;
    }
    if is_uuid(value) {
        return Nature::Uuid;
    }
    if value.iter().all(u8::is_ascii_digit) {
        return match is_sequence(value) {
            true => Nature::Placeholder,
            false => Nature::Number,
        };
    }
    if value.contains(&b' ') || value.iter().any(u8::is_ascii_control) || is_ideographic(value) {
        return Nature::Sentence;
    }
    let makeup = Makeup::of(value);
    if is_address(value, &makeup) {
        return Nature::Address;
    }
    if let Some(inner) = encoded_text(value) {
        return encoded_nature(&inner);
    }
    if is_sequence(value) {
        return Nature::Placeholder;
    }
    if is_words_and_numbers(value) && !makeup.is_no_word() {
        return Nature::Name;
    }
    if makeup.is_drawn() && value.iter().all(|byte| is_drawn_byte(*byte)) {
        return Nature::Drawn;
    }
    if makeup.other == 0 && makeup.digits == 0 {
        return letters(value, &makeup);
    }
    if names_its_use(value)
        || is_numbered_word(value)
        || is_joined_words(value) && !makeup.is_no_word()
    {
        return Nature::Name;
    }
    Nature::MadeUp
}

/// Drawn from all signs of a keyboard, the space among them, as WordPress draws its keys.
fn is_noise(value: &[u8]) -> bool {
    if !(40..=128).contains(&value.len()) || !value.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return false;
    }
    let count = |is: fn(&u8) -> bool| value.iter().filter(|byte| is(byte)).count();
    let mut seen = [false; 128];
    value
        .iter()
        .for_each(|byte| seen[usize::from(*byte)] = true);
    let signs =
        (b'!'..=b'~').filter(|byte| byte.is_ascii_punctuation() && seen[usize::from(*byte)]);
    let words = value.split(|byte| !byte.is_ascii_lowercase());
    let longest = words.map(<[u8]>::len).max().unwrap_or(0);
    signs.count() >= 8
        && seen.iter().filter(|seen| **seen).count() >= 28
        && count(u8::is_ascii_uppercase) >= 5
        && count(u8::is_ascii_lowercase) >= 5
        && count(u8::is_ascii_digit) >= 2
        && count(|byte| *byte == b' ') * 12 <= value.len()
        && longest <= 6
}

/// Written without spaces, in Chinese, Japanese or Korean: nobody types that where
/// what is typed is not shown.
fn is_ideographic(value: &[u8]) -> bool {
    let is_escape = |six: &[u8]| {
        let code = six.strip_prefix(b"\\u").unwrap_or_default();
        code.iter().all(u8::is_ascii_hexdigit) && matches!(code.first(), Some(b'3'..=b'9'))
    };
    value.iter().any(|byte| matches!(byte, 0xe3..=0xed)) || value.windows(6).any(is_escape)
}

/// What machines draw from: letters, digits and the signs of encodings.
fn is_drawn_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_-.~$:!@#%^&*|".contains(&byte)
}

/// The text that base64 with its end marks, or of a good length, stands for.
fn encoded_text(value: &[u8]) -> Option<Vec<u8>> {
    let is_padded = value.ends_with(b"=");
    if !value.len().is_multiple_of(4) || value.len() < 8 || !is_padded && value.len() < 16 {
        return None;
    }
    let text = checks::decode(value)?;
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
    text.iter().all(is_text).then_some(text)
}

/// What an encoded text hides: words stay words, the rest is made up.
fn encoded_nature(text: &[u8]) -> Nature {
    match nature(text.trim_ascii()) {
        Nature::Sentence => Nature::Name,
        _ if text.starts_with(b"{\"") => Nature::Drawn,
        Nature::Address | Nature::Reference | Nature::Nothing => Nature::Placeholder,
        other => other,
    }
}

/// Letters only: one word, or several with capitals.
fn letters(value: &[u8], makeup: &Makeup) -> Nature {
    if makeup.is_no_word() {
        return Nature::MadeUp;
    }
    let inner = value.windows(2);
    let humps = inner.filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    match humps.count() {
        0 if value.len() < 4 => Nature::Nothing,
        0 if !names_its_use(value) => Nature::Word,
        _ => Nature::Name,
    }
}

/// `secret1`, `access-token-123`, `wrongpassword`: says what it is, so it is none.
fn names_its_use(value: &[u8]) -> bool {
    const WORDS: WordList = WordList::new(
        "password passwd secret token apikey access credential passw bearer value \
         auth",
    );
    let mut lower = [0u8; 40];
    let Some(lower) = lower.get_mut(..value.len()) else {
        return false;
    };
    lower.copy_from_slice(value);
    lower.make_ascii_lowercase();
    let is_plain = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ' | b':')
    };
    lower.iter().all(is_plain) && WORDS.any_in(lower)
}

/// `dbPassword`, `mysql_native_password`: letters only, and says what it is.
fn only_names_its_use(value: &[u8]) -> bool {
    let is_other = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
    value.len() > 6 && !value.iter().any(is_other) && names_its_use(value)
}

/// `admin`, `root123`: what everybody tries first protects nothing.
fn is_known_to_all(value: &[u8]) -> bool {
    const WORDS: WordList = WordList::new(
        "admin administrator root guest postgres mysql redis secure welcome qwerty \
         test user pass password passwd letmein key token secret anonymous",
    );
    let end = value.iter().rposition(|byte| !byte.is_ascii_digit());
    let (word, number) = value.split_at(end.map_or(0, |end| end + 1));
    let word = word.strip_suffix(b"_").unwrap_or(word);
    let is_word = WORDS.has(word.to_ascii_lowercase().trim_ascii_end());
    is_word && (number.is_empty() || b"1234567890".starts_with(number))
}

fn is_one_sign(value: &[u8]) -> bool {
    value.windows(2).all(|two| two[0] == two[1])
}

fn is_uuid(value: &[u8]) -> bool {
    let value = match value {
        [b'{', inner @ .., b'}'] => inner,
        _ => value,
    };
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// What is put in later, or looked up.
fn is_reference(value: &[u8]) -> bool {
    let first = value[0];
    let has = |needle: &[u8]| memchr::memmem::find(value, needle).is_some();
    if matches!(first, b'(' | b'{' | b'^') || value.starts_with(b"-$") || value.starts_with(b"<%") {
        return !is_uuid(value);
    }
    if matches!(first, b'$' | b'&') && value.len() > 1 {
        // A crypt hash is no reference: `$2a$10$…`, `$6$…`.
        return !(first == b'$' && value[1].is_ascii_digit());
    }
    if has(b"${")
        || has(b"{{")
        || has(b"#{")
        || has(b"<%")
        || has(b"$(")
        || has(b"%{")
        || has(b"%(")
    {
        return true;
    }
    if first == b'%' && (value.len() <= 3 || value.ends_with(b"%")) || has(b"%s") || has(b"%v") {
        return true;
    }
    if first == b'{' && value.ends_with(b"}") && !is_uuid(value) {
        return true;
    }
    has_sign_of_code(value) || is_constant_name(value) || is_lookup(value) || is_call(value)
}

/// A sign that code, a pattern or a manual page has, and no value that people make up.
fn has_sign_of_code(value: &[u8]) -> bool {
    let first = value[0];
    let has = |needle: &[u8]| memchr::memmem::find(value, needle).is_some();
    // `#include`, `#f8f8f2`, `?Interpolation`, `,DuplicateBinding:`.
    let is_sign_and_word =
        matches!(first, b'#' | b'?') && value[1..].iter().all(u8::is_ascii_alphanumeric);
    if is_sign_and_word && value.len() < 32
        || first == b','
        || first == b'+' && value.ends_with(b"+")
        || value.ends_with(b":")
        || has_braces(value)
    {
        return true;
    }
    if first == b'@' && value.ends_with(b"@") || first == b'[' && value.ends_with(b"]") {
        return true;
    }
    if has(b"[]") || value.ends_with(b"{") || has(b"=(") || has(b"),") || first == b'[' {
        return true;
    }
    if has(b");") || has(b"){") || has(b"](") || has(b"\":") || has(b":\"") || has(b",\"") {
        return true;
    }
    if has(b"()") || has(b"->") || has(b"::") || has(b"=>") || has(b"[^") || has(b"\\d") {
        return true;
    }
    if first == b'!' && matches!(value.get(1), Some(b'R' | b'S' | b'G' | b'I')) && has(b" ") {
        return true;
    }
    if matches!(first, b':' | b'@') && is_plain_word(&value[1..])
        || first == b'@' && is_capital_word(&value[1..])
    {
        return true;
    }
    // `\f[I]PASSWORD\f[R]`: a font of a manual page.
    if value.starts_with(b"\\f") && matches!(value.get(2), Some(b'[' | b'I' | b'B' | b'R')) {
        return true;
    }
    value.starts_with(b"--") && value[2..].iter().any(u8::is_ascii_alphabetic) || has(b"=<")
}

/// `:{password}`: a name in braces.
fn has_braces(value: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'{', value) else {
        return false;
    };
    let rest = &value[open + 1..];
    let close = memchr::memchr(b'}', rest).unwrap_or(0);
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.');
    close >= 3 && rest[..close].iter().all(is_part)
}

/// `os.urandom(24`, `readFile(path)`, `@word(6)`: a name and an argument.
fn is_call(value: &[u8]) -> bool {
    let Some(bracket) = memchr::memchr2(b'(', b'[', value) else {
        return false;
    };
    let name = value[..bracket]
        .strip_prefix(b"@")
        .unwrap_or(&value[..bracket]);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    name.len() >= 3
        && name.iter().all(is_part)
        && name[0].is_ascii_alphabetic()
        && !Makeup::of(name).is_drawn()
}

/// Lower case and `_`: a name in Ruby behind its colon.
fn is_plain_word(value: &[u8]) -> bool {
    value
        .iter()
        .all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
}

/// Capitals and `_`: a name that a template replaces behind its `@`.
pub(crate) fn is_capital_word(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    value.len() >= 3 && value.iter().all(is_part)
}

/// `DB_PASSWORD`: capitals with `_` between.
fn is_constant_name(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit();
    value.contains(&b'_')
        && value.iter().all(is_part)
        && value.iter().any(u8::is_ascii_uppercase)
        && !Makeup::of(value).is_drawn()
}

/// `config.password`, `self.token`, `process.env.KEY`, `settings['x']`.
fn is_lookup(value: &[u8]) -> bool {
    const ROOTS: WordList = WordList::new(
        "self. this. process.env os.environ os.getenv env. ENV[ config. config[ \
         settings. options. opts. args. params. params[ request. req. props. data. \
         user. ctx. secrets. vars. var. local. module. System. Environment. vault: \
         op:// ENC[ ENC( arn: projects/ ref+ file: env: vault/",
    );
    ROOTS.iter().any(|root| value.starts_with(root))
}

/// What people write where a value will stand.
fn is_placeholder(value: &[u8]) -> bool {
    if value[0] == b'<' && value.ends_with(b">") {
        return true;
    }
    let mut lower = [0u8; 64];
    let short = &value[..value.len().min(64)];
    let lower = &mut lower[..short.len()];
    lower.copy_from_slice(short);
    lower.make_ascii_lowercase();
    const WORDS: WordList = WordList::new(
        "example placeholder changeme change_me change-me changeit replace your_ \
         your- yours yourp yourk yourt youra my_ my- dummy fake todo fixme insert \
         redacted masked hidden removed notreal not-real not_real put_ put- some_ \
         some- *** ... … ___ ---- <your sample foobar notasecret \
         not_a_secret not-a-secret goes-here goes_here _here -here deadbeef \
         cafebabe lorem 0000000 1111111",
    );
    if WORDS.any_in(lower) || is_crossed_out(lower) {
        return true;
    }
    const WHOLE: WordList = WordList::new(
        "none null nil undefined true false empty default string str text value \
         password passwd pwd pass secret token key apikey api_key api-key username \
         user foo bar baz abc xyz name required optional yes no on off basic bearer \
         unset unknown auto any object number boolean bytes type test testing bool \
         int error invalid asdf n/a ok self this new await const function return \
         prompt ask",
    );
    if WHOLE.has(lower) {
        return true;
    }
    // `aaaaaaaa`, `abababab`, `12121212`.
    let distinct = {
        let mut seen = [false; 256];
        lower
            .iter()
            .for_each(|byte| seen[usize::from(*byte)] = true);
        seen.iter().filter(|seen| **seen).count()
    };
    distinct == 1 || lower.len() >= 8 && distinct <= 2 && !lower.iter().all(u8::is_ascii_digit)
}

/// `xxxxxxxx`, `sk-xxxx`, `abc-xxx-yyy`: three x in a row, and not by chance.
fn is_crossed_out(lower: &[u8]) -> bool {
    let crosses = lower.iter().filter(|byte| **byte == b'x').count();
    crosses * 4 >= lower.len() && memchr::memmem::find(lower, b"xxx").is_some()
}

/// Mostly characters that follow each other: `abcdef0123456789`, `1234567890`.
pub(crate) fn is_sequence(value: &[u8]) -> bool {
    let steps = value.windows(2);
    let follows = |two: &[u8]| {
        let (first, second) = (two[0].to_ascii_lowercase(), two[1].to_ascii_lowercase());
        second == first.wrapping_add(1) || second == first || (first == b'9' && second == b'0')
    };
    let following = steps.filter(|two| follows(two)).count();
    let alternating = value.windows(4).filter(|four| {
        four[2].to_ascii_lowercase() == four[0].to_ascii_lowercase().wrapping_add(1)
            && four[3].to_ascii_lowercase() == four[1].to_ascii_lowercase().wrapping_add(1)
    });
    following * 5 >= value.len() * 3 || alternating.count() * 2 >= value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natures() {
        use Nature::*;
        for (value, expected) in [
            ("", Nothing),
            ("ab", Nothing),
            ("--", Nothing),
            ("<your key>", Placeholder),
            ("xxxxxxxx", Placeholder),
            ("changeme123", Placeholder),
            ("AKIAIOSFODNN7EXAMPLE", Placeholder),
            ("${DB_PASSWORD}", Reference),
            ("$TOKEN", Reference),
            ("DB_PASSWORD", Reference),
            ("process.env.TOKEN", Reference),
            ("%s", Nothing),
            ("getToken()", Reference),
            ("enter the password here", Sentence),
            ("https://a.b/c", Address),
            ("2010-04-01", Address),
            ("1.2.3", Address),
            ("sentinel.dashboard.auth.password", Placeholder),
            ("password_confirmation", Placeholder),
            ("admin123", Placeholder),
            ("os.urandom(24", Reference),
            ("--server=a", Reference),
            ("VozkqqWcexxxle", MadeUp),
            ("wevdude", Word),
            ("123456678", Placeholder),
            ("8305937", Number),
            ("ea0ed57a-2cb9-8acc-47dd-006b8db2f1b2", Uuid),
            ("test4scram", MadeUp),
            ("hello<ther>e", MadeUp),
            ("p@ssw0rd!", MadeUp),
            ("hfbpozfhvuwgtfosmo2imqskc73w04jf3313309829", Drawn),
            ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzKEY", Drawn),
            ("abcdefghijklmnopqrstuvwxyz1234567890", Placeholder),
            (
                "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
                Drawn,
            ),
        ] {
            assert_eq!(nature(value.as_bytes()), expected, "{value}");
        }
    }
}
