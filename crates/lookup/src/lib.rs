//! Finds code: the lines that a query matches, and what a name means from one file to
//! another. Pure: the caller reads files, keeps indexes and caches, and lends threads
//! through [`CodeFiles`].

mod code;
mod lines;
mod navigate;
mod redaction;

pub use code::{Code, CodeFiles, ParsedFile};
pub use lines::{HitLine, LineSource, cut_lines};
pub use navigate::{
    Call, Calls, Certainty, CodePlace, Definition, KeptSyntax, Navigate, Navigator, Precision,
    Target, Use,
};
pub use redaction::{hide_names, hide_references};
