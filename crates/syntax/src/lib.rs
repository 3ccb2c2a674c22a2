//! What is known about the languages that files are written in. Ranking and
//! rendering live above this crate.
//!
//! ```
//! use loom_base::RepoPath;
//! use loom_syntax::Language;
//!
//! let path = RepoPath::new("tools/build").unwrap();
//! let language = Language::detect(&path, "#!/usr/bin/env python3\n").unwrap();
//! assert_eq!(language.id(), "python");
//! ```

mod language;
mod table;

pub use language::Language;
