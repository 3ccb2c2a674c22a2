//! The accepted exceptions of the rule about import cycles, each with its reason. The rule fails on
//! an unnecessary row, so the list only shrinks.

/// Path of this file in problems.
pub(crate) const TABLE: &str = "xtask/src/tidy/coupling/exceptions.rs";

/// An import that closes a cycle between the modules of a directory.
pub(crate) struct AcceptedImport {
    pub(crate) directory: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) reason: &'static str,
}

const WALK: &str = "the table of a language contains functions over the walk";
const CHUNK: &str = "the pieces call each strategy, and a strategy returns pieces";
const COMPRESS: &str = "a plan is made by passes that take the plan";
const MENTION: &str = "the tree asks for receivers, which are found in the tree";

pub(crate) const IMPORTS: &[AcceptedImport] = &[
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
