//! Joins reading and computing: loads files, runs the pure stages on several threads, keeps the
//! order, and limits memory. Printing and flags belong to the edges above.
//!
//! ```no_run
//! use loom_host::{Cancel, NoProgress, PackOptions, PackRun, Packer};
//!
//! let packer = Packer::open(&["."], PackOptions::default())?;
//! let cancel = Cancel::new();
//! let run = PackRun::new(&packer, &NoProgress, &cancel);
//! let survey = run.survey()?;
//! let mut out = Vec::new();
//! let written = run.write(&survey, &mut out)?;
//! assert_eq!(written.bytes, out.len());
//! # Ok::<(), loom_host::PackError>(())
//! ```

mod backlog;
mod cache;
mod calibration;
mod cancel;
mod chosen;
mod chunks;
mod config;
mod config_error;
mod context;
mod control;
mod current;
mod embedder;
mod environment;
mod error;
mod fit;
mod imports;
mod index;
mod ladder;
mod load;
mod look;
mod map;
mod memory;
mod memory_gate;
mod navigate;
mod notices;
mod options;
mod ordered;
mod output;
mod pack_run;
mod packer;
mod past;
mod progress;
mod read_counts;
mod reading;
mod redaction;
mod report;
mod repository_output;
mod reread;
mod run;
mod scale;
mod scratch;
mod search;
mod secrets;
mod sections;
mod shorten;
mod shown_secrets;
mod source_files;
mod split;
mod structures;
mod survey;
mod surveyor;
mod text_chunks;
mod threads;
mod totals;
mod unread;
mod user_text;
mod vocabulary;
mod vocabulary_files;
mod why;
mod write;

pub use cache::{Cache, cache_folder};
pub use calibration::{ProviderTexts, apply_calibration, calibrated_folder};
pub use cancel::Cancel;
pub use chosen::{Chosen, chosen_models, registry};
pub use chunks::{Chunk, Chunks, PackStream, Pulled};
pub use config::{
    ConfigFiles, cache_options, chunk_options, is_same_output, pack_options, pack_options_for,
    secrets_options, unknown_variables, user_file,
};
pub use config_error::ConfigError;
pub use context::{
    ContextAnswer, ContextBuilder, ContextHit, ContextRepository, ContextRequest, ContextStrategy,
    NO_MATCH_MAP_TOKENS, context_request, no_match_map, no_match_message, no_match_text,
    verify_search_index,
};
pub use embedder::remote_embedder;
pub use error::PackError;
pub use imports::ImportFollower;
pub use index::{IndexOptions, IndexReport, update_index};
pub use map::{MapBuilder, MapRepository, MapRequest, MapWanted, Unknown, focus_path, map_request};
pub use navigate::{SearchedFiles, SyntaxNavigator};
pub use notices::notices;
pub use options::{
    Baseline, BaselineError, CacheOptions, HistoryOptions, PackOptions, SecretsMode,
    SecretsOptions, SecretsScope, ShortenOptions,
};
pub use output::{OutputFile, write_atomically};
pub use pack_run::PackRun;
pub use packer::Packer;
pub use progress::{NoProgress, Progress, Stage};
pub use report::{left_out_info, report};
pub use repository_output::{RefusedOutput, check_repository_output};
pub use run::Run;
pub use search::{
    IndexBuilt, IndexUse, IndexVerified, SearchError, Searcher, ShownText, remove_search_index,
    search_index_bytes,
};
pub use secrets::{MessageRedactor, ScanScope, SecretScan, VISIBLE_COPIES, scan_for_secrets};
pub use source_files::SourceFiles;
pub use structures::StructureRun;
pub use survey::Survey;
pub use text_chunks::{ChunkReport, FileChunks, TextChunker};
pub use totals::FileCounter;
pub use user_text::{UserTextError, read_user_text};
pub use vocabulary::VocabularyError;
pub use vocabulary_files::vocabulary_files;
pub use why::skip_reason;
pub use write::Written;

pub use loom_base::{EmbedError, Embedder, RepoPath, printable};
pub use loom_chunk::{
    ChunkOptions, ChunkOptionsError, ContentKind, Severities, Severity, Strategy, TextChunk,
    reassemble,
};
pub use loom_engine::context::{
    ContextReason, ContextWeights, FitError, Granularity, Piece, Ranked, Signal,
};
pub use loom_engine::fit::Limit;
pub use loom_engine::map::{
    Algorithm, Extract, FileEntry, Filled, Focus, MapDocument, MapError, MapFormat, Weights,
    mentions,
};
pub use loom_engine::{
    ClassDiagram, FileMeta, Fit, Form, Format, FoundSecret, Guidance, LanguageShare, LeftOutShare,
    Marks, ModuleDiagram, Note, Overview, Part, Revision, Section, SectionKind, StreamOptions,
    StreamOptionsError, Template, TemplateError, TokenTree, TreeNode, treemap, unmark,
};
pub use loom_history::{Agent, FileAccess, FileUse, Transcript};
pub use loom_llm::{
    CalibrationError, Calibrations, Endpoint, Measured, ProviderError, RemoteEmbedder, Samples,
};
pub use loom_lookup::{
    Call, Calls, Certainty, CodePlace, Definition, Detail, FileHits, FileImports, FileStructure,
    HitLine, KeptSyntax, Navigate, Precision, RankOptions, RankedHit, Relations, SearchOptions,
    SearchText, Searched, StructureOptions, Target, Use,
};
pub use loom_models::{
    Counted, Model, Registry, Tokenizer, UnknownModel, Vocabulary, all as models, count, file_kind,
    resolve as model,
};
pub use loom_program::{Evidence, Resolution, Subject, Tested, Unresolved};
pub use loom_search::{
    Case, Expr, Globs, MAX_QUERY, Pattern, PatternKind, Program, Query, QueryError, QueryOptions,
    Question, Ranking, Weights as RankWeights, is_stop_word,
};
pub use loom_secrets::{Confidence, Fingerprint, Numbers as SecretNumbers, Redacted, Sanitizer};
pub use loom_source::{
    Address, AddressError, Decoded, Edits, FetchObserver, Filter, FilterKind, FolderWatch,
    FoundFile, HistoryError, InstructionRules, InvalidGlob, LeftOut, NamedText, ObjectsError,
    OpenError, Reason, RemoteChoice, RemoteError, Rule, RuleSource, ScanOptions, Separator, Source,
    TextsError, Verdict, Waited, WhyError, decode, is_rule, nested_instructions, percent_decoded,
    percent_encoded, rule_applies, split_list, user_home,
};
pub use loom_store::{
    Compression as StoreCompression, HashChoice, Options as StoreOptions, Pruned, Stats, Store,
    StoreError, Verified,
};
pub use loom_syntax::{
    Compressed, Compression, Depth, Finding, FindingKind, Import, ImportKind, Language, Level,
    Limits, Preserve, PreservedKind, Reference, ReferenceKind, Structure, Symbol, SymbolKind,
    Transform, Visibility, compress, has_grammar,
};
