//! Weighs the evidence for a value of a name: the class of the name, the class of the value, its
//! syntax and context. Each adds or subtracts points; the sum is at most 79, because more needs the
//! vote of another engine.

mod ids;
mod source;

use crate::assigned::Form;
use crate::names::{self, NameClass, Slot};
use crate::phrases::is_pass_phrase;
use crate::place::{Purpose, Role, Syntax, TextContext};
use crate::prose_values::reads_as_text;
use crate::samples::{is_member_of, is_sample};
use crate::stand_ins::{is_rule, stands_in};
use crate::value::{ValueClass, is_sequence};
use crate::words::WordList;
use ids::is_media;

/// The evidence about a value.
pub(crate) struct Evidence<'a> {
    /// The name as written; empty for a command's values.
    pub(crate) name: &'a [u8],
    pub(crate) promise: NameClass,
    pub(crate) nature: ValueClass,
    pub(crate) form: Form,
    /// True if the name of an authorization scheme precedes the value.
    pub(crate) has_scheme: bool,
    pub(crate) place: TextContext,
    pub(crate) found: &'a [u8],
}

impl Evidence<'_> {
    /// Returns the sum; `None` if it cannot be a secret.
    pub(crate) fn points(&self) -> Option<i32> {
        if self.is_other() {
            return None;
        }
        let is_program = self.place.role.is_program();
        let is_listed = is_plural(self.name) && self.nature != ValueClass::Drawn;
        if is_program && self.names_something() || self.place.role == Role::Other && is_listed {
            return None;
        }
        if self.is_named_in_config() {
            return self.configured();
        }
        if !is_program && self.is_plain_vocabulary() {
            return None;
        }
        let sum = self.looks()? + self.named() + self.written()? + self.purpose()?;
        // A name by itself is never certain.
        Some(sum.min(79))
    }

    /// Returns true for a field's validation rules, the id of a thing, or an elision marker.
    fn is_other(&self) -> bool {
        let is_id = self.nature == ValueClass::Uuid && self.place.role == Role::Config;
        let is_redacted = memchr::memmem::find(self.found, b" REDACTED ").is_some();
        is_redacted
            || is_media(self.found)
            || is_rule(self.found)
            || self.is_all_signs()
            || self.is_slot()
            || self.is_plain_salt()
            || self.is_member()
            || self.is_named_id()
            || self.is_cache_key()
            || is_id && self.promise == NameClass::ApiKey && self.is_vague_key()
    }

    /// Matches `secret: secret.base32`.
    fn is_member(&self) -> bool {
        let is_bare = matches!(self.form, Form::Bare | Form::Tight | Form::Loose);
        is_bare && is_member_of(self.name, self.found)
    }

    /// Matches `%)]}!$1`, a token of a grammar. Access tokens are mostly letters and digits.
    fn is_all_signs(&self) -> bool {
        let is_token = matches!(
            self.promise,
            NameClass::Token | NameClass::Key | NameClass::ApiKey
        );
        let letters = self
            .found
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric());
        is_token && letters.count() * 2 < self.found.len() && self.found.is_ascii()
    }

    /// Matches `LOCAL_STORAGE_KEY`, `TOKEN_STORAGE_KEY`: the name of a storage slot. The key of a
    /// storage account has a typical length.
    fn is_slot(&self) -> bool {
        let is_sure = || is_long_drawn(self.nature, self.found);
        match names::slot(self.name) {
            Some(Slot::Browser) => true,
            Some(Slot::Storage) => !is_sure(),
            None => false,
        }
    }

    /// Matches `"salt": "…"`, `nonce: …`: stored next to the data it protects. With a word before
    /// it, an application's salt is a secret: `PASSWORD_SALT`.
    fn is_plain_salt(&self) -> bool {
        let is_alone = [&b"salt"[..], b"nonce", b"cnonce"]
            .iter()
            .any(|word| self.name.eq_ignore_ascii_case(word));
        let is_data = self.place.purpose != Purpose::Keeper;
        self.promise == NameClass::Salt && is_alone && is_data && !self.found.starts_with(b"$")
    }

    /// Returns true if the name by itself decides: a name for a secret in a config file, with its
    /// value right after it.
    fn is_named_in_config(&self) -> bool {
        let is_secret = match self.promise {
            NameClass::Secret => !self.name.to_ascii_lowercase().ends_with(b"id"),
            NameClass::Password | NameClass::Token => true,
            NameClass::ApiKey => !self.is_vague_key(),
            NameClass::Auth | NameClass::Credential => self.has_scheme,
            NameClass::Key | NameClass::Salt => false,
        };
        let is_direct = match self.form {
            Form::Quoted | Form::Item | Form::Spaced | Form::Bare | Form::Tight => true,
            Form::Loose => {
                let is_number = matches!(self.nature, ValueClass::Number | ValueClass::Placeholder)
                    && self.found.iter().all(u8::is_ascii_digit);
                let least = if self.promise == NameClass::Password {
                    6
                } else {
                    10
                };
                is_number && self.found.len() >= least
            }
            Form::Argument => self.place.role == Role::Config,
            Form::Wrapped | Form::Listed | Form::Compared => false,
        };
        let is_listed =
            is_plural(self.name) && self.nature != ValueClass::Drawn && !self.is_varied();
        matches!(self.place.role, Role::Config | Role::Settings)
            && is_secret
            && is_direct
            && !is_listed
            && !is_switch(self.name)
    }

    /// Returns true for lower case, capitals, digits and another character: not the name of a
    /// thing.
    fn is_varied(&self) -> bool {
        let has = |is: fn(&u8) -> bool| self.found.iter().any(is);
        has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && has(u8::is_ascii_digit)
            && has(|byte| !byte.is_ascii_alphanumeric())
            && !self.found.contains(&b' ')
            && self.found.len() >= 8
    }

    /// Matches `session_key: sid`: a key that may name something, with a value of letters.
    fn is_vague_key(&self) -> bool {
        const SURE: WordList = WordList::new(
            "api secret access private encrypt signing master auth jwt preshared shared",
        );
        let lower = self.name.to_ascii_lowercase();
        let is_letters = matches!(
            self.nature,
            ValueClass::Word | ValueClass::Name | ValueClass::Sentence
        );
        let has_digit = self.found.iter().any(u8::is_ascii_digit);
        let is_id = self.nature == ValueClass::Uuid || is_letters && !has_digit;
        let is_short = self.name.eq_ignore_ascii_case(b"key");
        is_id && !is_short && !self.name.is_empty() && !SURE.any_in(&lower)
    }

    /// Returns true if a key or salt in configuration is too long and mixed for a name.
    fn is_long_key(&self) -> bool {
        let digits = self.found.iter().filter(|byte| byte.is_ascii_digit());
        let is_mixed = digits.count() >= 4 && self.found.len() >= 16;
        let is_path = self.found.iter().any(|byte| b"/ ".contains(byte));
        let is_salt = self.promise == NameClass::Salt;
        let is_plain =
            self.nature == ValueClass::MadeUp && self.found.iter().all(u8::is_ascii_alphanumeric);
        self.place.role == Role::Config && is_mixed && !is_path && (is_salt || is_plain)
    }

    /// Returns true for a pass phrase: a few words with a digit and without words about passwords.
    fn is_phrase(&self) -> bool {
        let words = self.found.split(|byte| *byte == b' ').count();
        let has_digit = self.found.iter().any(u8::is_ascii_digit);
        let is_short = words <= 5 && self.found.len() <= 40;
        let is_quoted = matches!(self.form, Form::Quoted | Form::Item);
        is_short && has_digit && is_quoted && !stands_in(self.name, self.found)
    }

    /// Matches `go-lang-pw1`, `word.Word8`: no identifier has a hyphen and a digit, or lower case,
    /// capitals, a digit and another character.
    fn is_mixed(&self) -> bool {
        let has = |is: fn(&u8) -> bool| self.found.iter().any(is);
        let has_cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
        let has_sign = self.found.contains(&b'-')
            || has_cases && has(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        (self.form == Form::Quoted || self.is_given())
            && has_sign
            && has(u8::is_ascii_digit)
            && self.found.len() >= 8
    }

    /// Matches the argument of a method: `.password("…")`, `config.setPassword("…")`.
    fn is_given(&self) -> bool {
        self.form == Form::Argument
            && self.name.contains(&b'.')
            && matches!(self.promise, NameClass::Password | NameClass::Secret)
    }

    /// Matches `.password("hunter2")`: one word, optionally with a number, that is not about
    /// passwords. Such a method takes no name.
    fn is_given_word(&self) -> bool {
        let letters = self
            .found
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic());
        let letters = letters.count();
        let digits = self.found.len() - letters;
        self.is_given()
            && self.promise == NameClass::Password
            && letters >= 5
            && digits <= 4
            && self.found[letters..].iter().all(u8::is_ascii_digit)
            && !is_hump(self.found)
            && !stands_in(self.name, self.found)
    }

    /// Returns true if the argument of a method is a secret although it consists of words.
    pub(super) fn is_given_secret(&self) -> bool {
        let is_phrase = || self.promise == NameClass::Password && is_pass_phrase(self.found);
        self.is_given() && (self.is_mixed() || self.is_given_word() || is_phrase())
    }

    /// `PIN_CODE_SECRET=4711`: a secret of configuration may be a few digits.
    fn is_short_secret(&self) -> bool {
        self.promise == NameClass::Secret
            && self.place.role == Role::Config
            && self.nature == ValueClass::Number
    }

    /// Returns the sum for a value whose name by itself makes it a secret, unless it is a stand-in.
    fn configured(&self) -> Option<i32> {
        if stands_in(self.name, self.found)
            || is_fingerprint(self.name, self.found)
            || is_sample(self.promise, self.found, self.place.purpose)
        {
            return None;
        }
        let is_password = self.promise == NameClass::Password;
        let least = if self.promise == NameClass::Token {
            10
        } else {
            4
        };
        let is_no_value = match self.nature {
            // `key1`, and `0123456789abcdef` in a source file: no service issued that as a key.
            _ if !is_password && self.found.len() < 6 && !self.is_short_secret() => true,
            _ if !is_password && self.place.role == Role::Settings && is_sequence(self.found) => {
                true
            }
            ValueClass::Number => self.found.len() < least,
            // A version, a date.
            ValueClass::Address => {
                !is_password
                    && self
                        .found
                        .iter()
                        .all(|byte| !byte.is_ascii_alphabetic() || *byte == b'v')
            }
            _ => false,
        };
        if is_no_value {
            return None;
        }
        let is_weak = matches!(
            self.nature,
            ValueClass::Word | ValueClass::Number | ValueClass::Placeholder
        );
        match self.place.purpose {
            Purpose::Keeper => Some(66),
            Purpose::Strings if reads_as_text(self.promise, self.found) => None,
            Purpose::Plain | Purpose::Strings => Some(60),
            Purpose::Test | Purpose::Example if is_weak => Some(38),
            Purpose::Test | Purpose::Example => Some(52),
            Purpose::Translation if self.nature == ValueClass::Drawn => Some(52),
            Purpose::Translation => None,
        }
    }

    fn looks(&self) -> Option<i32> {
        Some(match (self.nature, self.promise) {
            (ValueClass::Nothing | ValueClass::Placeholder | ValueClass::Reference, _) => {
                return None;
            }
            (ValueClass::MadeUp | ValueClass::Number, NameClass::Key | NameClass::Salt)
                if self.is_long_key() =>
            {
                47
            }
            (ValueClass::Name, NameClass::Password | NameClass::Secret) if self.is_mixed() => 25,
            // `sq0ids-0evKIskIGaY45f:email`: a name in a namespace.
            (ValueClass::Drawn, NameClass::Key) if self.found.contains(&b':') => -5,
            (ValueClass::Drawn, NameClass::Key | NameClass::Salt) if self.found.len() < 20 => 30,
            (ValueClass::Drawn, NameClass::Key | NameClass::Salt) => 45,
            (ValueClass::Drawn, _) => 42,
            (ValueClass::Uuid, NameClass::Password | NameClass::Credential) => 20,
            (ValueClass::Uuid, NameClass::Key | NameClass::Auth | NameClass::Salt) => 5,
            (ValueClass::Uuid, _) => 30,
            (ValueClass::MadeUp, NameClass::Password) => 25,
            (ValueClass::MadeUp, NameClass::Key | NameClass::Salt | NameClass::Auth) => -5,
            (ValueClass::MadeUp, _) if self.found.len() < 6 => -10,
            (ValueClass::MadeUp, _) => 15,
            (ValueClass::Number, NameClass::Password) => 15,
            (ValueClass::Number, _) => -20,
            (ValueClass::Word, NameClass::Password) => 10,
            (ValueClass::Word, NameClass::Secret) => -15,
            (ValueClass::Name, NameClass::Password) if self.is_given_word() => 10,
            (ValueClass::Name, NameClass::Password) => -8,
            (ValueClass::Name, NameClass::Secret) => -22,
            (ValueClass::Word | ValueClass::Name, _) => -30,
            (ValueClass::Sentence, NameClass::Password) if self.is_phrase() => 10,
            (ValueClass::Sentence, NameClass::Password) if is_pass_phrase(self.found) => 10,
            // Two words may be a pass phrase; more are a text.
            (ValueClass::Sentence, NameClass::Password) if is_two_words(self.found) => -10,
            (ValueClass::Sentence | ValueClass::Address, _) => return None,
        })
    }

    fn named(&self) -> i32 {
        match self.promise {
            NameClass::Password => 38,
            NameClass::Secret | NameClass::ApiKey => 34,
            NameClass::Token => 30,
            NameClass::Credential => 26,
            NameClass::Auth if self.has_scheme => 34,
            NameClass::Auth => 12,
            NameClass::Key | NameClass::Salt => 5,
        }
    }

    fn written(&self) -> Option<i32> {
        Some(match (self.form, self.nature) {
            (Form::Item, ValueClass::Word | ValueClass::Name) => return None,
            (Form::Quoted | Form::Item, _) => 8,
            (Form::Wrapped | Form::Spaced, ValueClass::Word | ValueClass::Name) => return None,
            (Form::Spaced, _) => 4,
            (Form::Wrapped, _) => -8,
            (Form::Listed, ValueClass::Drawn) => -4,
            (Form::Listed, _) => return None,
            (Form::Compared, _) => -5,
            (Form::Argument, _) if self.promise == NameClass::Key => -4,
            (Form::Argument, _) => 8,
            (Form::Bare | Form::Loose | Form::Tight, ValueClass::Sentence) => return None,
            (Form::Bare, ValueClass::Word | ValueClass::Name)
                if self.place.syntax == Syntax::Prose =>
            {
                -25
            }
            (Form::Bare, _) if self.place.syntax == Syntax::Prose => -10,
            (Form::Bare, ValueClass::Word | ValueClass::Name) if self.place.role == Role::Other => {
                -8
            }
            (Form::Bare | Form::Tight, _) => 2,
            (Form::Loose, ValueClass::Drawn) => -4,
            (Form::Loose, _) if self.has_scheme => -4,
            (Form::Loose, _) => return None,
        })
    }

    /// Returns true for a key or salt in hexadecimal: those of tests are test vectors of a cipher.
    fn is_test_vector(&self) -> bool {
        matches!(self.promise, NameClass::Key | NameClass::Salt)
            && self.found.iter().all(u8::is_ascii_hexdigit)
    }

    fn purpose(&self) -> Option<i32> {
        Some(match (self.place.purpose, self.nature) {
            (Purpose::Plain, _) => 0,
            (Purpose::Keeper, _) => 10,
            (Purpose::Translation, nature) if nature != ValueClass::Drawn => return None,
            (Purpose::Test, _) if self.is_test_vector() => -20,
            (Purpose::Strings, _) if reads_as_text(self.promise, self.found) => return None,
            (Purpose::Strings, _) => 0,
            (_, ValueClass::Drawn) => -5,
            (Purpose::Test, ValueClass::MadeUp) => -20,
            (Purpose::Test, _) => -24,
            (Purpose::Example | Purpose::Translation, _) => -18,
        })
    }
}

/// Matches `fieldName`: words in camel case.
fn is_hump(found: &[u8]) -> bool {
    let mut each = found.windows(2);
    each.any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
}

/// Returns true for a random key with the length of storage account keys.
fn is_long_drawn(nature: ValueClass, found: &[u8]) -> bool {
    nature == ValueClass::Drawn && found.len() >= 40
}

/// Matches `secrets`, `tokens`, `api_keys`: names of a set, not of one secret.
fn is_plural(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    [&b"secrets"[..], b"tokens", b"keys"]
        .iter()
        .any(|end| lower.ends_with(end))
}

/// Matches `update_password`, `requirePassword`: names of an action, without a secret.
fn is_switch(name: &[u8]) -> bool {
    const VERBS: WordList = WordList::new(
        "update show generate use no require allow ask enable disable save remember forgot \
         hide has is skip force validate existing reset verify check with without pull from \
         invalid wrong bad missing expired unknown set change create expect parse get nopasswd incorrect rotate",
    );
    let lower = name.to_ascii_lowercase();
    let first = lower.iter().position(|byte| !byte.is_ascii_lowercase());
    let first = &lower[..first.unwrap_or(lower.len())];
    let mut each = name.windows(2);
    let hump = each.position(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    let hump = hump.map(|at| at + 1);
    VERBS.has(first) && (first.len() < lower.len() || first == b"nopasswd")
        || hump.is_some_and(|at| VERBS.has(&lower[..at]))
        || memchr::memmem::find(&lower, b"existing").is_some()
        || memchr::memmem::find(&lower, b"pullsecret").is_some()
}

/// Matches `GPG_KEY`: forty capital digits are the fingerprint of a public key.
fn is_fingerprint(name: &[u8], found: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_hex = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F');
    let has = |word: &[u8]| memchr::memmem::find(&lower, word).is_some();
    found.len() == 40 && found.iter().all(is_hex) && (has(b"gpg") || has(b"pgp"))
}

fn is_two_words(found: &[u8]) -> bool {
    let mut words = found.split(|byte| *byte == b' ');
    let is_word = |word: Option<&[u8]>| {
        word.is_some_and(|word| word.len() > 2 && word.iter().all(u8::is_ascii_lowercase))
    };
    is_word(words.next()) && is_word(words.next()) && words.next().is_none()
}
