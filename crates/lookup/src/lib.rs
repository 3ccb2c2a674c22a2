//! Finds code: the lines that match a query, and the meaning of a name across files. Does no I/O:
//! the caller reads files, keeps indexes and caches, and lends threads through [`CodeFiles`].

mod code;
mod file_structure;
mod navigate;
mod pending_imports;
mod redaction;
mod relations;
mod search;
mod unparsed;

pub use code::{Code, CodeFiles, ParsedFile};
pub use file_structure::{FileStructure, StructureOptions};
pub use navigate::{
    Call, Calls, Certainty, CodePlace, Definition, KeptSyntax, Navigate, Navigator, Precision,
    Target, Use,
};
pub use pending_imports::{PendingImports, Threads};
pub use redaction::{hide_names, hide_references};
pub use relations::{FileImports, Relations};
pub use search::{
    BestPart, Detail, FileHits, HitLine, Keep, KeptText, LineSource, Matched, Outcome,
    PreparedSearch, QueryCache, RankOptions, RankedHit, SearchFiles, SearchOptions, SearchText,
    Searched, SymbolCache, TextCache, WithNames, best_part, lines_of, names_for_others,
    sort_by_score, words_of,
};
pub use unparsed::Unparsed;
