//! Reads repositories: lists their files, decides which ones a user wants, and decodes their text.
//! It does not parse, rank or count. No other crate walks the user's directories.
//!
//! Repositories are untrusted: no link leads outside a root, no program that a repository
//! configures is run, and no special file blocks a read.
//!
//! ```no_run
//! use loom_source::{Reading, ScanOptions, Source, decode};
//!
//! let source = Source::open(&["."])?;
//! let scan = source.scan(&ScanOptions::default());
//! for file in &scan.files {
//!     if let Ok(Reading { bytes, .. }) = source.read(file, 1 << 20) {
//!         println!("{}: {:?}", file.path, decode(bytes).map(|text| text.encoding));
//!     }
//! }
//! # Ok::<(), loom_source::OpenError>(())
//! ```

mod beneath;
mod changes;
mod commit_tree;
mod copy_folder;
mod credentials;
mod decide;
mod decode;
mod entry;
mod folder;
mod git;
mod git_files;
mod history;
mod instructions;
mod list;
mod missing;
mod native;
mod objects;
mod outcome;
mod percent;
mod read;
mod remote;
mod revision;
mod root;
mod rules;
mod scan;
mod source;
mod stamps;
mod text_files;
mod texts;
mod tree;
mod url_credentials;
mod walk;
mod why;
mod work_queue;

pub use changes::{FolderWatch, Waited};
pub use decode::{Decoded, Encoding, NotText, decode};
pub use git::user_home;
pub use gix::ObjectId;
pub use history::{Change, Comparison, History, HistoryError, LogEntry, Version, VersionKind};
pub use instructions::{InstructionRules, is_rule, nested_instructions, rule_applies};
pub use list::{Separator, split_list};
pub use objects::{Absence, Blob, Commit, Objects, ObjectsError, TreeEntry, TreeEntryKind};
pub use outcome::{LeftOut, Reason, SpecialKind};
pub use percent::{percent_decoded, percent_encoded};
pub use read::Reading;
pub use remote::{Address, AddressError, FetchObserver, RemoteChoice, RemoteError};
pub use root::OpenError;
pub use rules::{Filter, FilterKind, InvalidGlob, Rule, RuleSource};
pub use scan::{FoundFile, Reach, Scan, ScanOptions};
pub use source::{Revision, Source, TopFile};
pub use texts::{Edits, NamedText, TextsError};
pub use why::{Verdict, WhyError};
