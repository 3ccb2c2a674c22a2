//! Values in source code that are not secrets under any name: identifiers, paths of words, key
//! names, the name itself. Made-up and random values are left to the sum.

use super::{Evidence, is_plural, is_switch};
use crate::assigned::Form;
use crate::names::{self, NameClass};
use crate::place::Role;
use crate::random::CharStats;
use crate::stand_ins::is_own_name;
use crate::value::ValueClass;
use crate::vocabulary::{
    is_key_name, is_part_of_name, is_path_of_words, is_public, is_vocabulary, is_words,
};

impl Evidence<'_> {
    /// Returns true if the value names something or is public.
    pub(super) fn names_something(&self) -> bool {
        let found = self.found;
        if is_public(found) || is_route(found) || is_part_of_name(self.name, found) {
            return true;
        }
        if self.is_public_by_name() {
            return true;
        }
        if self.nature == ValueClass::Drawn && !is_vocabulary(found) {
            return false;
        }
        self.names_a_thing()
            || self.lacks_evidence()
            || is_terminal(found)
            || is_key_name(found)
            || self.is_vocabulary()
    }

    /// Returns true for public values: salts and nonces stored next to the data they protect, and a
    /// `key` in a query or an argument of `getSecret` that selects something. In a file called
    /// `settings`, a salt is a secret of the program.
    fn is_public_by_name(&self) -> bool {
        let is_hash = self.found.starts_with(b"$");
        let callee = self.name.rsplit(|byte| *byte == b'.').next();
        if self.form == Form::Argument && callee.is_some_and(|callee| callee.starts_with(b"get")) {
            return true;
        }
        match self.promise {
            NameClass::Salt => self.place.role == Role::Source && !is_hash,
            NameClass::Key => self.form == Form::Tight,
            _ => false,
        }
    }

    /// Returns true if a token or key that is not random has too few digits and other characters to
    /// be more than a name: `epv1Total`, `constant.datatype!`, `videojs-vhs`. Excludes long values
    /// without words. A password needs letters: `331.1` is a code.
    fn lacks_evidence(&self) -> bool {
        let count = |is: fn(&u8) -> bool| self.found.iter().filter(|byte| is(byte)).count();
        let digits = count(u8::is_ascii_digit);
        let signs = count(|byte| !byte.is_ascii_alphanumeric() && !b"_-./: ".contains(byte));
        let is_strange = self.found.len() >= 16 && CharStats::of(self.found).is_no_word();
        match self.promise {
            NameClass::Password => {
                let is_code = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
                self.found.contains(&b'.') && self.found.iter().all(is_code)
            }
            NameClass::Secret => false,
            // In a file called `settings` the name decides.
            _ if self.place.role == Role::Settings => false,
            _ => self.nature != ValueClass::Uuid && digits + signs < 3 && !is_strange,
        }
    }

    fn is_vocabulary(&self) -> bool {
        let found = self.found;
        let is_direct = matches!(
            self.form,
            Form::Quoted | Form::Spaced | Form::Compared | Form::Bare | Form::Tight | Form::Loose
        );
        match self.promise {
            _ if self.has_scheme || self.is_given_secret() => false,
            _ if !is_direct => is_vocabulary(found),
            NameClass::Password if self.nature == ValueClass::Word => {
                names::is_vague_pass(self.name)
            }
            NameClass::Password => is_path_of_words(found),
            // `app.theme.v2`: a path of words may end in a version.
            _ if self.place.role == Role::Settings => {
                is_words(found) || found.contains(&b'.') && is_vocabulary(found)
            }
            NameClass::Secret => is_words(found),
            _ => is_vocabulary(found),
        }
    }

    /// Returns true for several things, an action, or the name itself.
    fn names_a_thing(&self) -> bool {
        let is_signs = !self.found.iter().any(u8::is_ascii_alphanumeric);
        is_signs
            || is_plural(self.name)
            || is_switch(self.name)
            || is_own_name(self.name, self.found)
    }

    /// Returns true if the value is vocabulary, and neither a scheme nor the name of a password
    /// directly before it makes it a secret.
    pub(super) fn is_plain_vocabulary(&self) -> bool {
        let is_listed = matches!(self.form, Form::Item | Form::Listed | Form::Wrapped);
        (self.promise != NameClass::Password || is_listed)
            && !self.has_scheme
            && is_vocabulary(self.found)
    }
}

/// Matches `users/{id}/reset-password`, a path with parameters.
fn is_route(value: &[u8]) -> bool {
    let is_parameter = |part: &[u8]| {
        let name = part
            .strip_prefix(b"{")
            .and_then(|part| part.strip_suffix(b"}"));
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        name.is_some_and(|name| !name.is_empty() && name.iter().all(is_part))
    };
    let mut parts = value.split(|byte| *byte == b'/');
    value.contains(&b'/') && parts.any(is_parameter)
}

/// Matches only escapes, a terminal colour, or a path with a drive.
fn is_terminal(value: &[u8]) -> bool {
    let begins = [&b"\\033["[..], b"\\x1b[", b"\\x1B[", b"\\u001b[", b"\\e["];
    let has_escape = value.contains(&b'\\');
    let is_drive = value.len() > 3
        && value[0].is_ascii_alphabetic()
        && (value[1..].starts_with(b":\\") || value[1..].starts_with(b":/"));
    is_drive || begins.iter().any(|begin| value.starts_with(begin)) || has_escape && is_words(value)
}
