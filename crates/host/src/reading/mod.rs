//! The only way from a file on disk to its text and all derived values: read, hash, look up in the
//! cache, decode, inspect, scan for secrets, extract the structure. Each step runs when its result
//! is first requested, and at most once. Callers own the use of the results.

mod file_text;
mod reader;
mod text_pool;

pub(crate) use file_text::{FileText, ShownParts};
pub(crate) use reader::{FileReader, SourceFile};
pub(crate) use text_pool::TextPool;
