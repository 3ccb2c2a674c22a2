//! Every setting of Infiniloom, declared once, and the merging of the layers that set values:
//! defaults, the user's `infiniloom.toml`, the repository's `infiniloom.toml`, the environment,
//! flags. Callers pass text in; this crate does not read files or the environment, does not print,
//! and knows no command-line parser.
//!
//! A repository is untrusted: the [`Trust`] of each setting decides whether its file may set it.
//!
//! ```
//! use loom_settings::{FileOrigin, FlagValue, Layer, resolve, setting};
//!
//! let file = FileOrigin::repository("infiniloom.toml");
//! let text = "[scan]\nexclude = ['*.snap']\nmax_file_size = '2mb'\n";
//! let tree = setting("pack.tree").unwrap();
//! let layers = [
//!     Layer::from_toml(&file, text).unwrap(),
//!     Layer::from_flags([(tree, FlagValue::Switch(true))]).unwrap(),
//! ];
//! let resolved = resolve(layers);
//!
//! assert_eq!(resolved.settings().scan.max_file_size.bytes(), 2_000_000);
//! assert!(resolved.settings().pack.tree);
//! let origin = resolved.origin("scan.max_file_size").unwrap();
//! assert_eq!(origin.to_string(), "infiniloom.toml:3:17");
//!
//! // All problems of a file are reported at once, with the nearest valid key.
//! let problems = Layer::from_toml(&file, "[scan]\nmax_filesize = 3\n").unwrap_err();
//! assert_eq!(
//!     problems[0].to_string(),
//!     "infiniloom.toml:2:1: unknown setting `scan.max_filesize`"
//! );
//! assert_eq!(
//!     problems[0].hint().unwrap(),
//!     "did you mean `scan.max_file_size`?"
//! );
//! ```

mod choices;
mod filter;
mod flag;
mod foreign;
mod generate;
mod layer;
mod nearest;
mod nearest_key;
mod origin;
mod problem;
mod quote;
mod resolve;
mod setting;
mod value;

pub use choices::{
    Action, Color, Compress, ContextStrategy, EmbeddingProvider, Fit, Format, MapAlgorithm,
    MapExtract, MapFormat, MapPreset, Preserved, TransformName,
};
pub use filter::{FilterKind, FilterRule, Filters};
pub use flag::{Flag, FlagValue};
pub use foreign::{ForeignEntry, ForeignError, ForeignList, ForeignSyntax};
pub use generate::{commented_file, json_schema, reference_markdown};
pub use layer::{CompressRule, Layer, TransformRule, unknown_variables};
pub use nearest_key::nearest_key;
pub use origin::{FileOrigin, FileTrust, Origin};
pub use problem::Problem;
pub use resolve::{Listed, Resolved, resolve};
pub use setting::{
    Context, Group, Map, Model, Pack, Run, Scan, Setting, Settings, Trust, Ui, all, of_group,
    setting,
};
pub use value::{
    Anchor, ByteSize, Choice, Extent, Globs, InputPath, OutputPath, Places, Several, Shape,
    Threads, TokenCount, Weight,
};
