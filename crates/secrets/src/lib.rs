//! Finds credentials in text and takes them out. Decides nothing about what is
//! done with a finding, reads no file and keeps no secret.

mod allow;
mod assigned;
mod calls;
mod checks;
mod finding;
mod formats;
mod key_blocks;
mod links;
mod marks;
mod named;
mod names;
mod place;
mod random;
mod redact;
mod redacted;
mod runs;
mod scanner;
mod stems;
mod stream;
mod value;
mod weighing;
mod words;

pub use allow::{Allow, Fingerprint};
pub use finding::{Confidence, Finding};
pub use place::Place;
pub use redact::{Numbers, Replaced, redact};
pub use redacted::Redacted;
pub use scanner::Scanner;
pub use stream::Sanitizer;
