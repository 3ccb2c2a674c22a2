//! The pipeline as pure stages over one file at a time: describing files, selecting them, fitting
//! them into a budget, and rendering them for a model. No I/O and no threads: the caller supplies
//! texts and receives the output.
//!
//! ```
//! use loom_base::{ContentHash, RepoPath};
//! use loom_engine::{Format, Overview, describe};
//! use loom_models::Vocabulary;
//!
//! let path = RepoPath::new("src/main.rs").unwrap();
//! let text = "fn main() {}\n";
//! let hash = ContentHash::from_bytes([0; 32]);
//! let file = describe(path, text, hash, Vocabulary::O200kBase);
//! let overview = Overview::new("demo", Vocabulary::O200kBase, [&file], Vec::new());
//!
//! let renderer = Format::Markdown.renderer();
//! let mut out = String::new();
//! renderer.head(&overview, &mut out);
//! renderer.file(&file, text, 0).push_to(&mut out);
//! renderer.tail(&mut out);
//! assert!(out.contains("```rust\nfn main() {}\n```"));
//! ```

mod contents;
pub mod context;
mod diagram;
mod diff;
mod excerpt;
mod file;
pub mod fit;
mod found_secret;
mod guidance;
mod inspection;
pub mod map;
mod notebook;
mod numbering;
mod overview;
mod priority;
pub mod render;
mod section;
mod shorten;
mod shortened;
mod stream_options;
mod summary;
mod template;
mod template_files;
mod tree;
mod treemap;

pub use contents::{Contents, inspect, is_minified};
pub use diagram::{ClassDiagram, ModuleDiagram};
pub use diff::{Body, FileMode, LineCounts, Marks, Patch, Side, count_changes, similarity, unmark};
pub use excerpt::{excerpt, lines_within, longest_line_start, longest_start};
pub use file::{FileMeta, Note, describe};
pub use found_secret::FoundSecret;
pub use guidance::Guidance;
pub use inspection::{Decoding, TextInspection, cells_of, line_count};
pub use notebook::cells;
pub use numbering::{number_lines, numbered};
pub use overview::{LanguageShare, LeftOutShare, Overview, Part, Revision};
pub use priority::{FileRole, Priority, priority};
pub use render::{Format, Framed, Renderer};
pub use section::{Section, SectionKind};
pub use shorten::{Fit, Form, Shortener};
pub use shortened::Shortened;
pub use stream_options::{StreamOptions, StreamOptionsError};
pub use summary::{FileSummary, FolderSummary, Sentence};
pub use template::{Template, TemplateError};
pub use template_files::{FileText, TextSource};
pub use tree::{TokenTree, TreeNode};
pub use treemap::treemap;
