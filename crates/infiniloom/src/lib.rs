//! Infiniloom gives a language model the right context from a codebase: it packs repositories
//! within a token budget, finds the code for a question, and redacts secrets.
//!
//! This is the library. The command of the same name (package `infiniloom-cli`) and the MCP
//! server are edges over it. It never prints, and it reads only the roots that a program opens.
//!
//! ```
//! use infiniloom::{Context, Format, Infiniloom, Pack};
//!
//! # fn main() -> infiniloom::Result<()> {
//! # let root = std::env::temp_dir().join(format!("infiniloom-doc-{}", std::process::id()));
//! # let _ = std::fs::create_dir_all(&root);
//! # let _ = std::fs::write(root.join("tax.py"), "def rate():\n    return 0.2\n");
//! let snapshot = Infiniloom::new().open(&root)?.snapshot()?;
//! let packed = Pack::new().format(Format::Markdown).budget(2_000).run(&snapshot)?;
//! assert!(packed.text.contains("def rate():"));
//! assert!(packed.report.output.tokens <= 2_000);
//!
//! let context = Context::new("which tax rate is used?").budget(2_000).run(&snapshot)?;
//! assert_eq!(context.pieces[0].path, "tax.py");
//! # let _ = std::fs::remove_dir_all(&root);
//! # Ok(())
//! # }
//! ```
//!
//! A program works with four types:
//!
//! - [`Infiniloom`] is the engine: it opens roots and resolves models.
//! - [`Repository`] is the host object: it makes snapshots, takes changes and watches files.
//! - [`Snapshot`] is one immutable state. Every query runs on it, from any thread.
//! - A query is a value: setters never fail, and `run` reports every invalid value at once.
//!   `run_with` takes a [`Control`], which cancels the run and follows its progress.
//!
//! | task | query | result | example |
//! |---|---|---|---|
//! | one prompt from many files | [`Pack`] | [`PackInfo`](wire::PackInfo), a file, a [`Stream`] | `pack`, `pack_to_file`, `pack_stream` |
//! | the code for a question or an issue | [`Context`] | [`ContextInfo`](wire::ContextInfo) | `context`, `roots`, `async_caller` |
//! | an overview within few tokens | [`Map`] | [`MapTextInfo`](wire::MapTextInfo) | `map` |
//! | lines that match | [`Search`] | [`SearchInfo`](wire::SearchInfo) | `live_search` |
//! | code ranked for a question | [`RankedSearch`] | [`RankedInfo`](wire::RankedInfo) | `ranked_search` |
//! | definitions, references, calls | [`Navigate`] | [`NavigationInfo`](wire::NavigationInfo) | `navigate` |
//! | symbols of files, outline of a file | [`Symbols`] | [`SymbolsInfo`](wire::SymbolsInfo) | `symbols` |
//! | the text of a file or definition | [`Read`] | [`ReadInfo`](wire::ReadInfo) | `read` |
//! | chunks with token counts | [`Chunk`] | [`ChunksInfo`](wire::ChunksInfo), a [`Stream`] | `chunks` |
//! | one text in fewer tokens | [`Compress`] | [`CompressInfo`](wire::CompressInfo) | `compress` |
//! | token counts and prices | [`Tokens`], [`Model`] | [`TokensInfo`](wire::TokensInfo), [`TokenCount`] | `tokens`, `models` |
//! | estimates that fit a repository | [`Calibrate`] | [`CalibrationInfo`](wire::CalibrationInfo) | `calibrate` |
//! | secrets in files and history | [`Scan`] | [`ScanInfo`](wire::ScanInfo) | `scan` |
//! | a text without secrets | [`Sanitizer`] | text | `scan` |
//! | a warm cache, changes of files | [`Index`], [`Watch`] | [`IndexInfo`](wire::IndexInfo), [`ChangeEvent`] | `index_watch` |
//! | the size of the cache, its removal | [`Infiniloom::cache_stats`] and its neighbours | [`StoreInfo`](wire::StoreInfo) | `cache` |
//! | the working files of a compacted conversation | [`WorkingSet`] | [`WorkingSetInfo`](wire::WorkingSetInfo) | `working_set` |
//! | settings, and the rule for a path | [`Settings`], [`SettingsFile`], [`Why`] | [`SettingInfo`](wire::SettingInfo), [`WhyInfo`](wire::WhyInfo) | `settings`, `why` |
//!
//! A query is also data: [`Query::to_call`] returns it for a job queue or a binding (example
//! `call`). Texts in memory are a root like a directory ([`Root::texts`], example `texts`), and
//! unsaved edits are part of the next snapshot ([`Change::edit`], example `unsaved`).
//!
//! | feature | default | without it |
//! |---|---|---|
//! | `grammars` | on | files are read by lines; results carry the notice `feature_missing` |
//! | `http` | off | nothing leaves the machine: providers and remotes are [`ErrorKind::Unavailable`] with the code `feature_missing` |
//!
//! Results are plain data of [`wire`]. They never contain a secret of the repository unless the
//! options allow it ([`Secrets`]): the scanner checks every text, and redacts copies of a secret in
//! all files, even if only an ignored file identifies the secret. The `notices` of a result contain
//! remarks, such as unreadable files.

mod background;
mod cache;
mod choices;
mod config;
mod control;
mod engine;
mod error;
mod ids;
mod layer;
mod layers;
mod model;
mod once_layer;
mod options;
mod output_file;
mod outputs;
mod progress;
mod provider;
mod query;
mod redactor;
mod render;
mod repository;
/// Results in the shapes that programs read, for the edges that this repository contains.
#[doc(hidden)]
pub mod results;
mod root;
mod sanitizer;
mod session;
mod settings_file;
mod snapshot;
mod stream;
mod text;
mod values;
mod work_counter;

/// Writes a small file atomically, for the edges that this repository contains.
#[doc(hidden)]
pub use loom_host::write_atomically;

/// The results of queries, as programs read them.
pub use loom_wire as wire;

pub use choices::{
    Algorithm, Boundary, Case, Confidence, Diagram, Fit, Format, Granularity, IndexUse, Level,
    Preserve, Ranking, Secrets, Signal, Sort,
};
pub use config::Cache;
pub use control::{Cancel, CancelGuard, Control, FetchEvent};
pub use engine::{Infiniloom, InfiniloomBuilder};
pub use error::{Error, ErrorKind, ErrorPlace, ErrorProblem, Result};
pub use layer::Layer;
pub use model::{Budget, Model, TokenCount};
pub use options::{Options, Settings};
pub use output_file::OutputFile;
pub use progress::{Progress, ProgressEvent, ProgressEvents, Stage};
pub use query::{
    Calibrate, Chunk, Compress, Context, FileMatches, FoundLine, Index, Map, Navigate, Pack,
    PackEvent, PackOutputs, PackPart, PackPlan, Query, RankedSearch, Read, Scan, Search, Symbols,
    Tokens, Why, WorkingSet, WrittenPack, existing_parts, part_path,
};
pub use redactor::Redactor;
pub use render::Render;
pub use repository::{Change, ChangeEvent, IndexState, Repository, Watch};
pub use root::{ListSeparator, Root};
pub use sanitizer::Sanitizer;
pub use settings_file::{Existing, SettingsFile};
pub use snapshot::{LargeFiles, Snapshot, SnapshotId};
pub use stream::{Buffer, Stream};
pub use text::{Text, file_url, notices, unmark};
