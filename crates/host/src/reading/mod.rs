//! The one way from a file on disk to its text and everything that is derived from it:
//! read, hash, look up in the cache, decode, inspect, scan for secrets, extract the
//! structure. Each step happens when somebody asks for its result, and at most once. What
//! is done with the results belongs to the callers.

mod file_text;
mod reader;

pub(crate) use file_text::{FileText, ShownParts};
pub(crate) use reader::{FileReader, SourceFile};
