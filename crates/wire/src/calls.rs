//! Queries of the library as data: for job queues, bindings and conformance cases. A call has
//! only the values that its caller set; a field that no query has is an error.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A query with its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "query", rename_all = "snake_case")]
pub enum QueryCall {
    /// Corrects estimates by a provider's counts.
    Calibrate(CalibrateCall),
    /// Splits files.
    Chunk(ChunkCall),
    /// Compresses a text.
    Compress(CompressCall),
    /// Selects the code for a question.
    Context(ContextCall),
    /// Fills the cache.
    Index(IndexCall),
    /// Shows the important symbols.
    Map(MapCall),
    /// Finds related code.
    Navigate(NavigateCall),
    /// Packs a repository.
    Pack(PackCall),
    /// Ranks code for a question.
    RankedSearch(RankedSearchCall),
    /// Reads a file or a definition.
    Read(ReadCall),
    /// Finds secrets.
    Scan(ScanCall),
    /// Finds lines.
    Search(SearchCall),
    /// Lists symbols.
    Symbols(SymbolsCall),
    /// Counts tokens.
    Tokens(TokensCall),
    /// Explains why a path is included or skipped.
    Why(WhyCall),
}

impl QueryCall {
    /// Returns the name of the query in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Calibrate(_) => "calibrate",
            Self::Chunk(_) => "chunk",
            Self::Compress(_) => "compress",
            Self::Context(_) => "context",
            Self::Index(_) => "index",
            Self::Map(_) => "map",
            Self::Navigate(_) => "navigate",
            Self::Pack(_) => "pack",
            Self::RankedSearch(_) => "ranked_search",
            Self::Read(_) => "read",
            Self::Scan(_) => "scan",
            Self::Search(_) => "search",
            Self::Symbols(_) => "symbols",
            Self::Tokens(_) => "tokens",
            Self::Why(_) => "why",
        }
    }
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingCall {
    /// The key, such as `pack.budget`.
    pub key: String,
    /// The value.
    pub value: SettingValue,
}

/// A value as written in a settings file or after a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SettingValue {
    /// On or off.
    Switch(bool),
    /// Text, such as `50k`.
    Text(String),
}

/// A first and a last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinesCall {
    /// The first line, from 1.
    pub first: usize,
    /// The last line.
    pub last: usize,
}

/// Numbers of lines around a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AroundCall {
    /// Lines before it.
    pub before: usize,
    /// Lines after it.
    pub after: usize,
}

macro_rules! calls {
    ($($(#[$doc:meta])* $call:ident {
        $($(#[$about:meta])* $field:ident: $type:ty,)*
    })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct $call {
            $(
                $(#[$about])*
                #[serde(skip_serializing_if = "is_unset")]
                pub $field: $type,
            )*
        }
    )+};
}

/// Returns true if a value is the default, so that the JSON omits it.
fn is_unset<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

calls! {
    /// The values of `Calibrate`.
    CalibrateCall {
        /// The name of the model.
        model: Option<String>,
    }

    /// The values of `Chunk`.
    ChunkCall {
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
        /// The name of the model.
        model: Option<String>,
    }

    /// The values of `Compress`.
    CompressCall {
        /// The compression level; default `none`.
        level: Option<String>,
        /// Kinds of text that compression preserves.
        preserve: Vec<String>,
        /// Whether comments are removed.
        remove_comments: bool,
        /// Whether blank lines are removed.
        minify_whitespace: bool,
        /// The name of the model.
        model: Option<String>,
    }

    /// The values of `Context`.
    ContextCall {
        /// The question, issue or stack trace.
        text: String,
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
        /// The name of the model.
        model: Option<String>,
        /// The directory that the query is about.
        below: String,
        /// A directory on this machine that the query is about; paths start there.
        below_path: Option<String>,
        /// The directory that paths of files and pins may start at.
        directory: Option<String>,
        /// Files that are open.
        hot: Vec<String>,
        /// Files, lines and definitions that are always included.
        pins: Vec<String>,
        /// Files of an earlier context.
        previous: Vec<String>,
        /// Whether the scores of all candidates are described.
        explain: bool,
        /// Whether a pin that does not exist is a notice instead of an error.
        optional_pins: bool,
        /// Whether the result has no map if nothing matches.
        no_map: bool,
    }

    /// The values of `Index`.
    IndexCall {
        /// The languages to parse; empty for all.
        languages: Vec<String>,
        /// Whether changes are only reported.
        status: bool,
        /// Whether tokens and bytes are not counted.
        no_totals: bool,
    }

    /// The values of `Map`.
    MapCall {
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
        /// The name of the model.
        model: Option<String>,
        /// Files and directories in focus.
        focus: Vec<String>,
        /// Whether files with uncommitted changes are in focus.
        focus_changed: bool,
        /// Makes only the summary.
        summary_only: bool,
        /// The directory that the paths in focus start at; without it, the root.
        directory: Option<String>,
        /// Symbols and files in focus.
        mentions: Vec<String>,
        /// A question or an issue.
        text: Option<String>,
    }

    /// The values of `Navigate`.
    NavigateCall {
        /// A name or a location.
        target: String,
        /// `definitions`, `references`, `implementations`, `callers` or `callees`.
        relation: String,
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
        /// Maximum number of calls between a result and the target.
        depth: Option<usize>,
        /// Whether only resolved locations are returned.
        resolved: bool,
        /// Maximum number of locations.
        limit: Option<usize>,
        /// Whether the target may be the id of a piece or a file.
        ids: bool,
        /// The most milliseconds that files are read.
        time_limit_ms: Option<u64>,
    }

    /// The values of `Pack`.
    PackCall {
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
        /// The name of the model.
        model: Option<String>,
        /// Maximum number of tokens per part of a stream.
        part_tokens: Option<usize>,
        /// Whether a provider counts the pack.
        exact: bool,
    }

    /// The values of `RankedSearch`.
    RankedSearchCall {
        /// The question.
        text: String,
        /// Whether code is ranked by meaning instead of by words.
        semantic: bool,
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
        /// The ranking by words.
        ranking: Option<String>,
        /// Size of the units that are compared by meaning.
        granularity: Option<String>,
        /// Maximum number of results.
        limit: Option<usize>,
        /// Parts or globs of the paths to rank.
        within: Vec<String>,
    }

    /// The values of `Read`.
    ReadCall {
        /// The path of a file.
        path: Option<String>,
        /// A name or a location, instead of a path.
        symbol: Option<String>,
        /// The lines to read.
        lines: Option<LinesCall>,
        /// The compression level; default `none`.
        compress: Option<String>,
    }

    /// The values of `Scan`.
    ScanCall {
        /// `files`, `staged`, `range` or `history`.
        scope: String,
        /// The first revision of a range.
        from: Option<String>,
        /// The last revision of a range.
        to: Option<String>,
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
    }

    /// The values of `Search`.
    SearchCall {
        /// The text, pattern or query.
        text: String,
        /// `text`, `regex` or `query`.
        kind: String,
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
        /// Case sensitivity; default `sensitive`.
        case: Option<String>,
        /// Whether only whole words match.
        whole_words: bool,
        /// The languages to search.
        languages: Vec<String>,
        /// Parts of paths, or globs, that select the files to search.
        within: Vec<String>,
        /// Types of files, by a language or an extension.
        file_types: Vec<String>,
        /// Paths that are not searched.
        not_within: Vec<String>,
        /// Globs; the last one that matches decides.
        globs: Vec<String>,
        /// The directory that globs start at; without it, the root.
        directory: Option<String>,
        /// Files that must be searched, else there is a notice.
        expected: Vec<String>,
        /// How the index is used: `auto`, `update`, `off`.
        index: Option<String>,
        /// The lines around a match.
        lines_around: Option<AroundCall>,
        /// Whether only paths are returned.
        paths_only: bool,
        /// Whether only numbers of lines are returned.
        counts_only: bool,
        /// Maximum number of lines, or of files.
        limit: Option<usize>,
        /// Maximum number of lines per file.
        limit_per_file: Option<usize>,
        /// The order of the files; default `path`.
        sort: Option<String>,
        /// Whether upper and lower case differ in `within`; as `case` without a value.
        path_case: Option<String>,
        /// Whether redacted text is matched.
        redacted: bool,
        /// Whether lines come without their symbols.
        no_symbols: bool,
        /// The most milliseconds that files are read.
        time_limit_ms: Option<u64>,
    }

    /// The values of `Symbols`.
    SymbolsCall {
        /// The file of an outline.
        outline: Option<String>,
        /// Values of settings, in the order in which they were set.
        settings: Vec<SettingCall>,
        /// The kinds of symbols.
        kinds: Vec<String>,
        /// The languages.
        languages: Vec<String>,
        /// Whether references are added.
        references: bool,
        /// Whether imports are added.
        imports: bool,
        /// Whether the code that tests test is added.
        tests: bool,
    }

    /// The values of `Tokens`.
    TokensCall {
        /// The names of the models.
        models: Vec<String>,
        /// Whether prices are added.
        cost: bool,
        /// Whether providers count the totals.
        exact: bool,
        /// Adds a page for a browser.
        page: bool,
    }

    /// The values of `Why`.
    WhyCall {
        /// The path.
        path: String,
        /// The directory that a relative path starts from.
        directory: Option<String>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_field_is_an_error_that_names_it() {
        let call = r#"{"query": "pack", "settings": [], "bugdet": 5}"#;
        let error = serde_json::from_str::<QueryCall>(call).unwrap_err();
        assert!(
            error.to_string().contains("unknown field `bugdet`"),
            "{error}"
        );
        let call = r#"{"query": "pakc"}"#;
        let error = serde_json::from_str::<QueryCall>(call).unwrap_err();
        assert!(
            error.to_string().contains("unknown variant `pakc`"),
            "{error}"
        );
    }

    #[test]
    fn call_has_only_the_values_that_were_set() {
        let call = QueryCall::Pack(PackCall {
            settings: vec![SettingCall {
                key: "pack.tree".to_owned(),
                value: SettingValue::Switch(false),
            }],
            ..PackCall::default()
        });
        let json = serde_json::to_string(&call).unwrap();
        let expected = r#"{"query":"pack","settings":[{"key":"pack.tree","value":false}]}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<QueryCall>(&json).unwrap(), call);
        assert_eq!(call.name(), "pack");
    }
}
