//! The accepted exceptions of the rules about coupling, each with its reason.
//! The rules fail on a row that is no longer needed, so the lists only shrink.

/// Path of this file in problems.
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

const HOST: &str = "the reading path, run state and `Packer` are being divided";
const WALK: &str = "the table of a language contains functions over the walk";
const CHUNK: &str = "the pieces call each strategy, and a strategy returns pieces";
const COMPRESS: &str = "a plan is made by passes that take the plan";
const MENTION: &str = "the tree asks for receivers, which are found in the tree";
const CALLED_BY_HOST: &str = "its only caller is in the host, which is being divided";

pub(crate) const IMPORTS: &[AcceptedImport] = &[
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
    import("crates/host/src/past", "diff", "renames", HOST),
    import("crates/host/src/search", "answer", "searcher", HOST),
    import("crates/host/src/search", "searcher", "copies", HOST),
    import("crates/syntax/src", "grammar", "walk", WALK),
    import("crates/chunk/src", "fixed", "pieces", CHUNK),
    import("crates/chunk/src", "semantic", "pieces", CHUNK),
    import("crates/chunk/src", "symbol", "pieces", CHUNK),
    import(
        "crates/syntax/src/compress",
        "bodies",
        "docstrings",
        COMPRESS,
    ),
    import("crates/syntax/src/compress", "plan", "tree_facts", COMPRESS),
    import("crates/syntax/src/compress", "draft", "tree", COMPRESS),
    import("crates/syntax/src/mention", "receiver", "tree", MENTION),
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
    function("crates/host/src/search/copies.rs", "add", HOST),
    function("crates/host/src/search/copies.rs", "learn_secrets", HOST),
    function("crates/host/src/search/ranked.rs", "with_parts", HOST),
    function("crates/host/src/secrets/taken.rs", "late_plan", HOST),
    function("crates/host/src/secrets/taken.rs", "record", HOST),
    function("crates/host/src/shorten/ladder.rs", "lower", HOST),
    function("crates/host/src/shorten/mod.rs", "no_longer", HOST),
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
