//! Infiniloom gives a language model exactly the right context from a codebase.
//! This is the library; the command of the same name (package `infiniloom-cli`) and the MCP
//! server are thin edges over it.
//!
//! Pack a repository into one string:
//!
//! ```
//! use infiniloom::{Format, Repository};
//!
//! # let folder = std::env::temp_dir().join(format!("infiniloom-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # std::fs::write(folder.join("main.py"), "print('hi')\n")?;
//! let pack = Repository::open(&folder)?
//!     .format(Format::Markdown)
//!     .exclude("*.lock")?
//!     .pack_to_string()?;
//! assert!(pack.contains("```python\nprint('hi')\n```"));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Or take it file by file, while the reading waits for you:
//!
//! ```no_run
//! use infiniloom::{Chunk, Repository};
//!
//! for chunk in Repository::open(".")?.chunks() {
//!     match chunk? {
//!         Chunk::Metadata(overview) => println!("{} tokens", overview.tokens),
//!         Chunk::File { meta, text, .. } => println!("{}: {} bytes", meta.path, text.len()),
//!         Chunk::Summary { left_out, .. } => println!("{} left out", left_out.len()),
//!         _ => {}
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod repository;
/// Results in the shapes that programs read, for the edges that this repository contains.
#[doc(hidden)]
pub mod results;

/// The parts below the library, for the edges that this repository contains. It disappears
/// when the library offers everything that they do.
#[doc(hidden)]
pub use loom_host as host;

pub use error::{Error, ErrorKind, ErrorProblem, Result};
pub use loom_host::{
    Address, AddressError, CacheOptions, Cancel, Chunk, Chunks, Confidence, Counted, FileMeta,
    Filter, FilterKind, Format, FoundSecret, Guidance, HashChoice, HistoryError, HistoryOptions,
    IndexOptions, IndexReport, InvalidGlob, LanguageShare, LeftOut, LeftOutShare, Limit, Marks,
    Model, NoProgress, Note, ObjectsError, OpenError, Overview, PackError, PackOptions, Packer,
    Part, Progress, Reason, Redacted, Registry, RemoteChoice, RemoteError, RepoPath, Revision,
    Rule, RuleSource, Sanitizer, ScanOptions, SecretsMode, SecretsOptions, Section, SectionKind,
    Source, Stage, StoreCompression, StoreOptions, StreamOptions, StreamOptionsError, Survey,
    Template, TemplateError, TokenTree, Tokenizer, TreeNode, UnknownModel, Verdict, Vocabulary,
    Watch, WhyError, Written, cache_folder, count, model, models, unmark,
};
pub use repository::Repository;
