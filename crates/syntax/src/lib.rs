//! Languages of files, and the definitions, references and imports of a file. Ranking and rendering
//! are in the crates above.
//!
//! ```
//! use loom_base::RepoPath;
//! use loom_syntax::{Language, Limits, extract};
//!
//! let path = RepoPath::new("tools/build").unwrap();
//! let text = "#!/usr/bin/env python3\ndef build(target):\n    run(target)\n";
//! let language = Language::detect(&path, text).unwrap();
//! assert_eq!(language.id(), "python");
//! let found = extract(language, text, &Limits::default());
//! assert_eq!(found.symbols[0].signature, "def build(target)");
//! assert_eq!(found.references[0].name, "run");
//! ```

#[cfg(feature = "grammars")]
mod bounded;
mod compress;
#[cfg(feature = "grammars")]
mod doc;
#[cfg(feature = "grammars")]
mod embedded;
mod extract;
#[cfg(feature = "grammars")]
mod grammar;
mod language;
#[cfg(feature = "grammars")]
mod languages;
mod limits;
mod lines;
mod mention;
mod model;
mod origin;
#[cfg(feature = "grammars")]
mod parser;
#[cfg(feature = "grammars")]
mod prepare;
mod refuse;
mod signature;
mod stored;
mod table;
#[cfg(feature = "grammars")]
mod walk;

#[cfg(feature = "grammars")]
pub use bounded::ParseCost;
pub use compress::{
    Compressed, Compression, Draft, Elided, ElidedKind, Level, LevelFallback, LineMap, Preserve,
    PreservedKind, Transform, compress, cut_lines, drafts, transform,
};
pub use extract::{extract, has_grammar};
#[cfg(feature = "grammars")]
pub use extract::{parse_alone, parse_cost};
pub use language::Language;
pub use limits::Limits;
pub use mention::{Mention, Role, extract_naming, has_name, mentions};
pub use model::{
    Depth, Finding, FindingKind, Import, ImportKind, Reference, ReferenceKind, Structure, Symbol,
    SymbolKind, Visibility,
};
