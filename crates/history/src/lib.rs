//! Conversations with language models. Today this crate reads one thing from the transcript of a
//! coding agent: the files that the agent read and edited. It opens no file: the caller passes the
//! text.
//!
//! ```
//! use loom_history::{FileAccess, Transcript};
//!
//! let line = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Read",
//!     "input":{"file_path":"/shop/tax.py","offset":10,"limit":5}}]}}"#.replace('\n', "");
//! let transcript = Transcript::read(&line);
//! let used = &transcript.files[0];
//! assert_eq!((used.path.as_str(), used.access), ("/shop/tax.py", FileAccess::Read));
//! assert_eq!(used.lines, Some((10, 14)));
//! ```

mod transcript;

pub use transcript::{Agent, FileAccess, FileUse, Transcript};
