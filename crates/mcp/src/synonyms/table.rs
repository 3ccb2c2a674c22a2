//! The arguments of the tools with their other names and values.

/// An argument and its other names, or a value and other words for it.
pub(super) type Others = (&'static str, &'static [&'static str]);

/// The arguments of a tool.
pub(super) struct Names {
    tool: &'static str,
    names: &'static [Others],
    /// Arguments whose value is one of some words.
    values: &'static [(&'static str, &'static [Others])],
}

impl Names {
    pub(super) fn for_tool(tool: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|names| names.tool == tool)
    }

    /// Arguments, first those of the tool.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static Others> {
        self.names.iter().chain(COMMON)
    }

    /// Arguments whose value is one of some words.
    pub(super) fn values(
        &self,
    ) -> impl Iterator<Item = &'static (&'static str, &'static [Others])> {
        self.values.iter().chain(COMMON_VALUES)
    }
}

const QUERY: &[&str] = &[
    "q",
    "question",
    "pattern",
    "text",
    "search",
    "search_term",
    "search_query",
    "term",
    "string",
    "keyword",
    "keywords",
    "task",
    "issue",
    "prompt",
    "description",
    "problem",
    "message",
    "error",
];

pub(super) const PATHS: &[&str] = &[
    "path",
    "files",
    "file",
    "directory",
    "dir",
    "folder",
    "glob",
    "globs",
    "include",
    "includes",
    "file_path",
    "file_paths",
    "filename",
    "filepath",
    "file_name",
    "relative_path",
    "absolute_path",
    "target_file",
    "subdirectory",
    "scope",
    "uri",
];

pub(super) const SYMBOL: &[&str] = &[
    "name",
    "symbol_name",
    "identifier",
    "function",
    "function_name",
    "class",
    "class_name",
    "method",
    "method_name",
    "definition",
    "query",
    "q",
];

const LIMIT: &[&str] = &[
    "max_results",
    "head_limit",
    "num_results",
    "max_count",
    "count",
    "top",
    "top_k",
    "n",
];

const NUMBERS: Others = (
    "numbers",
    &["line_numbers", "show_line_numbers", "number_lines", "-n"],
);

const COMPRESS: Others = ("compress", &["level", "compression"]);

const COMMON: &[Others] = &[
    (
        "budget",
        &[
            super::SILENT,
            "token_budget",
            "tokens",
            "limit_tokens",
            "token_limit",
            "maxTokens",
        ],
    ),
    ("root", &["repository", "repo", "workspace", "project"]),
    ("format", &["output_format"]),
];

const COMMON_VALUES: &[(&str, &[Others])] = &[("format", &[("text", &[]), ("json", &[])])];

const EVERY: (&str, &[Others]) = (
    "numbers",
    &[
        ("every", &["true", "all", "yes"]),
        ("some", &[]),
        ("none", &["false", "no", "off"]),
    ],
);

const LEVELS: (&str, &[Others]) = (
    "compress",
    &[
        ("none", &["false", "full"]),
        ("minimal", &[]),
        ("balanced", &[]),
        ("aggressive", &["signatures", "true"]),
        ("extreme", &["outline", "symbols"]),
    ],
);

const TOOLS: &[Names] = &[
    Names {
        tool: "context",
        names: &[
            ("query", QUERY),
            ("hot", &["open_files", "current_files", "edited"]),
            ("pin", &["pinned", "must_include"]),
            ("paths", PATHS),
            ("limit", LIMIT),
            NUMBERS,
        ],
        values: &[EVERY],
    },
    Names {
        tool: "search",
        names: &[
            ("query", QUERY),
            ("kind", &["type", "mode", "search_type"]),
            ("paths", PATHS),
            ("limit", LIMIT),
            (
                "context",
                &[
                    "context_lines",
                    "lines_of_context",
                    "around",
                    "-C",
                    "-A",
                    "-B",
                ],
            ),
            NUMBERS,
        ],
        values: &[
            (
                "kind",
                &[
                    ("text", &["literal", "string", "exact", "fixed", "keyword"]),
                    ("regex", &["regexp", "re", "pattern", "grep"]),
                    ("query", &[]),
                    (
                        "question",
                        &["semantic", "natural", "natural_language", "concept"],
                    ),
                ],
            ),
            EVERY,
        ],
    },
    Names {
        tool: "navigate",
        names: &[
            ("symbol", SYMBOL),
            (
                "what",
                &[
                    "kind",
                    "direction",
                    "type",
                    "relation",
                    "mode",
                    "action",
                    "operation",
                ],
            ),
            ("depth", &["max_depth", "levels"]),
            ("paths", PATHS),
            ("limit", LIMIT),
        ],
        values: &[(
            "what",
            &[
                (
                    "def",
                    &[
                        "definition",
                        "definitions",
                        "defs",
                        "declaration",
                        "defined",
                    ],
                ),
                (
                    "refs",
                    &["references", "reference", "usages", "usage", "uses", "used"],
                ),
                (
                    "impls",
                    &[
                        "implementations",
                        "implementation",
                        "implements",
                        "overrides",
                        "subclasses",
                    ],
                ),
                (
                    "callers",
                    &[
                        "caller",
                        "call_graph",
                        "incoming",
                        "incoming_calls",
                        "called_by",
                    ],
                ),
                (
                    "callees",
                    &["callee", "calls", "outgoing", "outgoing_calls"],
                ),
            ],
        )],
    },
    Names {
        tool: "read",
        names: &[
            ("paths", PATHS),
            ("symbol", SYMBOL),
            ("lines", &["line_range", "range", "view_range", "line"]),
            COMPRESS,
            NUMBERS,
        ],
        values: &[LEVELS, EVERY],
    },
    Names {
        tool: "map",
        names: &[
            ("query", QUERY),
            ("mention", &["mentions", "symbols", "names"]),
            ("focus", &["focus_paths"]),
            ("paths", PATHS),
            ("limit", LIMIT),
        ],
        values: &[],
    },
    Names {
        tool: "pack",
        names: &[
            ("paths", PATHS),
            ("exclude", &["excludes", "ignore"]),
            COMPRESS,
            ("limit", LIMIT),
        ],
        values: &[LEVELS],
    },
];
