//! Finds credentials in text and takes them out. Decides nothing about what is
//! done with a finding, reads no file and writes no secret anywhere.

mod allow;
mod assigned;
mod calls;
mod checks;
mod columns;
mod copies;
mod copy_policy;
mod data_names;
mod digests;
mod finding;
mod formats;
mod identifiers;
mod jwk;
mod key_blocks;
mod kubernetes;
mod links;
mod literal_set;
mod marks;
mod named;
mod names;
mod place;
mod prose;
mod random;
mod redact;
mod redacted;
mod runs;
mod scanner;
mod signed;
mod stand_ins;
mod stems;
mod stream;
mod tables;
mod triggers;
mod value;
mod vocabulary;
mod weighing;
mod words;

pub use allow::{Allow, Fingerprint};
pub use copies::Copies;
pub use finding::{Confidence, Finding};
pub use place::Place;
pub use redact::{Numbers, Replaced, redact};
pub use redacted::Redacted;
pub use scanner::Scanner;
pub use stream::Sanitizer;
