//! Finds credentials in text and redacts them. The caller decides about each finding, reads the
//! files, and writes the output.

mod allow;
mod assigned;
mod calls;
mod checks;
mod columns;
mod config_line;
mod config_names;
mod copies;
mod copy_policy;
mod country_codes;
mod data_names;
mod der_keys;
mod digests;
mod documents;
mod dsn;
mod finding;
mod formats;
mod identifiers;
mod jwk;
mod key_blocks;
mod kubernetes;
mod labels;
mod links;
mod literal_set;
mod logins;
#[cfg(test)]
mod looked_at;
mod manifest;
mod marks;
mod named;
mod names;
mod phrases;
mod place;
mod prose;
mod prose_values;
mod random;
mod redact;
mod redacted;
mod repeated_ids;
mod runs;
mod samples;
mod scanner;
mod secret_memory;
mod siblings;
mod signed;
mod spellings;
mod stand_ins;
mod stems;
mod stream;
mod tables;
mod triggers;
mod value;
mod value_files;
mod vocabulary;
mod weighing;
mod words;

// Unit tests count the bytes that searches look at: see `looked_at`.
#[cfg(test)]
extern crate memchr as real_memchr;
#[cfg(test)]
extern crate self as memchr;
#[cfg(test)]
use looked_at::{memchr, memchr_iter, memchr2, memchr3, memmem, memrchr, memrchr_iter};

pub use allow::{Allow, Fingerprint};
pub use copies::Copies;
pub use finding::{Confidence, Finding};
pub use place::TextContext;
pub use redact::{Numbers, Replaced, redact};
pub use redacted::Redacted;
pub use scanner::Scanner;
pub use stream::Sanitizer;
