//! The shapes of the JSON that the program writes. Programs may rely on them: within one
//! `format_version`, fields are added, but never renamed or removed. This crate has no behaviour.
//!
//! ```
//! let schema = loom_wire::schema::<loom_wire::Report>();
//! assert_eq!(schema["title"], "Report");
//! ```

mod calibrate;
mod calls;
mod chunks;
mod compress;
mod context;
mod error;
mod index;
mod map;
mod mcp;
mod models;
mod navigation;
mod notice;
mod pack;
mod pack_files;
mod read;
mod report;
mod search;
mod secrets;
mod settings;
mod symbols;
mod tokens;
mod why;
mod working_set;

pub use calibrate::{CalibrationInfo, CalibrationRemovedInfo, SendingInfo};
pub use calls::{
    AroundCall, CalibrateCall, ChunkCall, CompressCall, ContextCall, IndexCall, LinesCall, MapCall,
    NavigateCall, PackCall, QueryCall, RankedSearchCall, ReadCall, ScanCall, SearchCall,
    SettingCall, SettingValue, SymbolsCall, TokensCall, WhyCall,
};
pub use chunks::{ChunkInfo, ChunksInfo, SeverityInfo};
pub use compress::CompressInfo;
pub use context::{
    ContextFileInfo, ContextHitInfo, ContextInfo, ContextPartInfo, ContextPieceInfo,
    ContextSummaryInfo, ReasonInfo, ReasonScope,
};
pub use error::ErrorInfo;
pub use index::{CacheRemovedInfo, CacheVerifiedInfo, IndexInfo, StoreInfo, StoredInfo};
pub use map::{
    MapDirectory, MapDocumentInfo, MapEdge, MapEntry, MapEntryLine, MapFileInfo, MapInfo, MapLine,
    MapStats, MapSymbolInfo, MapTextInfo,
};
pub use mcp::{McpCheck, McpDoctor};
pub use models::{CacheInfo, ModelInfo, PriceInfo, SourceInfo};
pub use navigation::{CallInfo, DefinitionInfo, NavigationInfo, UseInfo};
pub use notice::NoticeInfo;
pub use pack::{
    CompressionInfo, ElidedInfo, FileInfo, LanguageInfo, LeftOutCount, PackFile, RevisionInfo,
    SectionText, Statistics,
};
pub use pack_files::{PackFileInfo, PackFilesInfo, SkippedFileInfo};
pub use read::{ReadInfo, ReadLine};
pub use report::{
    LeftOutInfo, OutputInfo, PackInfo, PackPlanInfo, REPORT_GENERATOR, Report, SectionInfo,
};
pub use search::{FileMatchInfo, MatchInfo, RankedHitInfo, RankedInfo, SearchInfo, SearchSummary};
pub use secrets::{
    BASELINE_GENERATOR, BaselineEntry, BaselineFile, SCAN_GENERATOR, ScanInfo, SecretInfo,
    SecretsInfo, SkippedInfo,
};
pub use settings::{SettingInfo, SettingsFileInfo};
pub use symbols::{
    DiagramInfo, FileSymbols, FindingInfo, ImportInfo, ReferenceInfo, SubjectInfo, SymbolInfo,
    SymbolsInfo,
};
pub use tokens::{FileTokens, ModelTokens, TokensInfo, TreeInfo};
pub use why::WhyInfo;
pub use working_set::{WorkingFileInfo, WorkingSetInfo};

/// The version of every shape in this crate.
pub const FORMAT_VERSION: u32 = 1;

/// Returns the JSON schema of one of the shapes.
pub fn schema<T: schemars::JsonSchema>() -> serde_json::Value {
    schemars::schema_for!(T).to_value()
}
