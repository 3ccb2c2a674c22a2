//! The words by which clients find a tool. Claude Code ranks tools by `anthropic/searchHint`, and
//! its search counts small words, so a hint has whole phrases. Codex ranks by title, name and
//! description. Neither client passes a hint or title on to the model.

use rmcp::model::MetaObject;
use serde_json::json;

/// Words and marks of one tool.
pub(super) struct Discovery {
    tool: &'static str,
    /// For lists of tools that people see.
    title: &'static str,
    hint: &'static str,
    /// The first request contains the schema, so the model needs no search for the tool.
    is_loaded: bool,
}

/// Claude Code passes on at most this many characters, and 50,000 without the mark.
const RESULT_CHARACTERS: usize = 500_000;

/// The name by which Codex introduces itself.
const CODEX: &str = "codex-mcp-client";

const TOOLS: &[Discovery] = &[
    Discovery {
        tool: "context",
        title: "Find the relevant code for a task, bug, issue or stack trace",
        hint: "where to start: find the relevant code and relevant files for a task, question, bug \
               report, GitHub issue, error message, exception, traceback or stack trace; which files \
               do I need to change or fix; locate the bug; codebase context; explain how this code \
               works; understand an unfamiliar codebase",
        is_loaded: true,
    },
    Discovery {
        tool: "search",
        title: "Search code: grep the repository, full text or regex",
        hint: "search code in the repository or codebase: grep, ripgrep, rg, find a string, text, \
               keyword or regex pattern across all source files; full text search and semantic search",
        is_loaded: true,
    },
    Discovery {
        tool: "navigate",
        title: "Go to definition, find references, callers, call graph",
        hint: "go to definition, jump to a symbol's definition; find where a function, class, method, \
               variable or type is defined, declared or used; find all references and usages of a \
               symbol; who calls this function: callers, callees, call graph, call hierarchy of \
               incoming and outgoing calls; find implementations of an interface or trait, subclasses, \
               overrides",
        is_loaded: true,
    },
    Discovery {
        tool: "read",
        title: "Read a file, some lines, its outline, or one definition",
        hint: "read a file: open, view or get the contents of a source file with line numbers, lines \
               of a file from 100 to 200, outline of a file, functions and classes in a file",
        is_loaded: false,
    },
    Discovery {
        tool: "map",
        title: "Overview of the repository: structure and architecture",
        hint: "overview of the project or repository: architecture of the codebase, directory tree and \
               project structure, list of important files and symbols, modules and dependencies; \
               explain how this codebase works; understand an unfamiliar repository",
        is_loaded: false,
    },
    Discovery {
        tool: "pack",
        title: "Pack the repository or many files into one prompt",
        hint: "pack the repository or many files into one text or prompt within a token budget; \
               concatenate or bundle files; how many tokens",
        is_loaded: false,
    },
];

impl Discovery {
    pub(super) fn for_tool(tool: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|one| one.tool == tool)
    }

    /// Returns the title for a client. Codex does not show titles, so it gets the search words of the
    /// hint.
    pub(super) fn title_for(&self, client: Option<&str>) -> &'static str {
        match client {
            Some(CODEX) => self.hint,
            _ => self.title,
        }
    }

    /// The marks that Claude Code reads.
    pub(super) fn meta(&self) -> MetaObject {
        let mut meta = MetaObject::new();
        meta.insert("anthropic/searchHint".to_owned(), json!(self.hint));
        meta.insert(
            "anthropic/maxResultSizeChars".to_owned(),
            json!(RESULT_CHARACTERS),
        );
        if self.is_loaded {
            meta.insert("anthropic/alwaysLoad".to_owned(), json!(true));
        }
        meta
    }
}
