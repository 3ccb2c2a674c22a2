//! The accepted exceptions of the rules about coupling, each with its reason.
//! The rules fail on a row that is no longer needed, so the lists only shrink.

/// This file, as problems name it.
pub(crate) const TABLE: &str = "xtask/src/tidy/coupling/exceptions.rs";

/// An import that closes a cycle between the modules of a directory.
pub(crate) struct AcceptedImport {
    pub(crate) directory: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) reason: &'static str,
}

/// A function that takes a tuple or two or more `bool`s.
pub(crate) struct AcceptedFunction {
    pub(crate) path: &'static str,
    pub(crate) function: &'static str,
    pub(crate) reason: &'static str,
}

const CLI: &str = "an error knows the settings it prints with, and the printer knows errors";
const RANKED: &str = "one command with two rankings: the plain search hands over to the other";
const HOST: &str = "the reading path, run state and `Packer` are being divided";
const PARTIAL: &str = "a search falls back to partial lines, which are a search";
const OWN_MODELS: &str = "a user's own model extends one of the registry that contains it";
const SEARCH: &str = "errors and plans are declared next to the code that makes them";
const SECRETS: &str = "both halves of a detector name types of the other";
const SETTINGS: &str = "the macro that declares settings names them and their values";
const READERS: &str = "the TOML reader calls the readers of tables, which use its type";
const SOURCE: &str = "`Tree`, `Root` and `Source` still share one set of files";
const PLACES: &str = "an address is read by form, and forms return an address";
const GLOBS: &str = "the error of a glob is declared next to the filter";
const BATCH: &str = "a store hands out batches, and a batch is written by its store";
const WALK: &str = "the table of a language contains functions over the walk";
const CHUNK: &str = "the pieces call each strategy, and a strategy returns pieces";
const COMPRESS: &str = "a plan is made by passes that take the plan";
const MENTION: &str = "the tree asks for receivers, which are found in the tree";
const TOKENS: &str = "a vocabulary loads its own file";
const CALLED_BY_HOST: &str = "its only caller is in the host, which is being divided";
const OPERATORS: &str = "the scanner of operators returns with a state type of its own";

pub(crate) const IMPORTS: &[AcceptedImport] = &[
    import("crates/cli/src", "error", "ui", CLI),
    import("crates/cli/src", "summary", "ui", CLI),
    import(
        "crates/cli/src/commands",
        "search",
        "search_semantic",
        RANKED,
    ),
    import("crates/host/src", "cache", "config", HOST),
    import("crates/host/src", "cache", "context", HOST),
    import("crates/host/src", "cache", "packer", HOST),
    import("crates/host/src", "cache", "secrets", HOST),
    import("crates/host/src", "chosen", "config", HOST),
    import("crates/host/src", "error", "secrets", HOST),
    import("crates/host/src", "map", "pending_imports", HOST),
    import("crates/host/src", "options", "cache", HOST),
    import("crates/host/src", "options", "past", HOST),
    import("crates/host/src", "options", "secrets", HOST),
    import("crates/host/src", "options", "shorten", HOST),
    import("crates/host/src", "packer", "secrets", HOST),
    import("crates/host/src", "run", "divided", HOST),
    import("crates/host/src", "search", "context", HOST),
    import("crates/host/src", "secrets", "run", HOST),
    import("crates/host/src", "secrets", "shorten", HOST),
    import("crates/host/src", "secrets", "survey", HOST),
    import("crates/host/src", "shorten", "config", HOST),
    import("crates/host/src", "survey", "past", HOST),
    import("crates/host/src", "survey", "shorten", HOST),
    import("crates/host/src", "vocabulary_files", "config", HOST),
    import("crates/host/src/cache", "memory", "recall", HOST),
    import("crates/host/src/context", "stored", "gather", HOST),
    import("crates/host/src/navigate", "definitions", "calls", HOST),
    import("crates/host/src/navigate", "definitions", "linked", HOST),
    import("crates/host/src/navigate", "linked", "uses", HOST),
    import("crates/host/src/past", "diff", "renames", HOST),
    import("crates/host/src/search", "answer", "searcher", HOST),
    import("crates/host/src/search", "searcher", "copies", HOST),
    import("crates/mcp/src/tools", "partial", "search", PARTIAL),
    import("crates/models/src", "registry", "own", OWN_MODELS),
    import("crates/search/src", "query", "globs", SEARCH),
    import("crates/search/src", "segment", "plan", SEARCH),
    import("crates/secrets/src", "triggers", "signed", SECRETS),
    import("crates/settings/src", "declarations", "declare", SETTINGS),
    import("crates/settings/src", "value", "declarations", SETTINGS),
    import("crates/settings/src", "value", "nearest", SETTINGS),
    import("crates/settings/src", "value", "origin", SETTINGS),
    import("crates/settings/src/layer", "rules", "toml", READERS),
    import("crates/settings/src/layer", "toml", "models", READERS),
    import("crates/source/src", "read", "beneath", SOURCE),
    import("crates/source/src", "read", "stamps", SOURCE),
    import("crates/source/src", "remote", "source", SOURCE),
    import("crates/source/src", "root", "remote", SOURCE),
    import("crates/source/src", "tree", "beneath", SOURCE),
    import("crates/source/src", "tree", "commit_tree", SOURCE),
    import("crates/source/src/remote", "address", "web", PLACES),
    import("crates/source/src/rules", "filter", "way", GLOBS),
    import("crates/store/src", "store", "batch", BATCH),
    import("crates/syntax/src", "grammar", "walk", WALK),
    import("crates/syntax/src/chunk", "fixed", "pieces", CHUNK),
    import("crates/syntax/src/chunk", "semantic", "pieces", CHUNK),
    import("crates/syntax/src/chunk", "symbol", "pieces", CHUNK),
    import(
        "crates/syntax/src/compress",
        "bodies",
        "docstrings",
        COMPRESS,
    ),
    import("crates/syntax/src/compress", "plan", "look", COMPRESS),
    import("crates/syntax/src/compress", "draft", "tree", COMPRESS),
    import("crates/syntax/src/mention", "receiver", "tree", MENTION),
    import("crates/tokens/src", "model", "load", TOKENS),
    import("crates/tokens/src", "model", "spm", TOKENS),
    import("crates/tokens/src", "vocabulary", "loaded", TOKENS),
];

pub(crate) const FUNCTIONS: &[AcceptedFunction] = &[
    function("crates/engine/src/shortened.rs", "new", CALLED_BY_HOST),
    function("crates/host/src/cache/compressed.rs", "compressed", HOST),
    function("crates/host/src/cache/recall.rs", "is_clean", HOST),
    function("crates/host/src/cache/recall.rs", "keep_clean", HOST),
    function("crates/host/src/cache/recall.rs", "recall_with", HOST),
    function("crates/host/src/context/answer.rs", "context", HOST),
    function("crates/host/src/context/remote.rs", "closeness", HOST),
    function("crates/host/src/context/stored.rs", "of", HOST),
    function("crates/host/src/context/texts.rs", "new", HOST),
    function("crates/host/src/fit.rs", "bisect", HOST),
    function("crates/host/src/navigate/certainty.rs", "imported", HOST),
    function("crates/host/src/search/copies.rs", "add", HOST),
    function("crates/host/src/search/copies.rs", "learn_secrets", HOST),
    function("crates/host/src/search/lines.rs", "line_text", HOST),
    function("crates/host/src/search/ranked.rs", "with_parts", HOST),
    function("crates/host/src/navigate/file.rs", "with", HOST),
    function("crates/host/src/secrets/taken.rs", "late_plan", HOST),
    function("crates/host/src/secrets/taken.rs", "record", HOST),
    function("crates/host/src/shorten/ladder.rs", "at_steps", HOST),
    function("crates/host/src/shorten/ladder.rs", "lower", HOST),
    function("crates/host/src/shorten/ladder.rs", "rungs", HOST),
    function("crates/host/src/shorten/ladder.rs", "size_of", HOST),
    function("crates/host/src/shorten/mod.rs", "no_longer", HOST),
    function(
        "crates/secrets/src/assigned/operators.rs",
        "operator",
        OPERATORS,
    ),
    function(
        "crates/secrets/src/assigned/operators.rs",
        "sign",
        OPERATORS,
    ),
    function("crates/store/src/batch.rs", "marked_file", CALLED_BY_HOST),
];

const fn import(
    directory: &'static str,
    from: &'static str,
    to: &'static str,
    reason: &'static str,
) -> AcceptedImport {
    AcceptedImport {
        directory,
        from,
        to,
        reason,
    }
}

const fn function(
    path: &'static str,
    function: &'static str,
    reason: &'static str,
) -> AcceptedFunction {
    AcceptedFunction {
        path,
        function,
        reason,
    }
}
