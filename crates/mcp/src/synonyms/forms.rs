//! Arguments that stand for another form of a canonical one: a file with a line is a symbol, an
//! offset with a limit is a range of lines.

use serde_json::{Value, json};

use super::table::{PATHS, SYMBOL};
use super::{Reading, is_flag, is_true, number, plain};

/// Names of a directory, and of a pattern for files in it.
const DIRECTORY: &[&str] = &["path", "directory", "dir", "folder"];
const GLOB: &[&str] = &["glob", "include", "globs", "file_pattern", "includes"];

/// First and last line under other names.
const ENDS: &[(&str, &str)] = &[
    ("start_line", "end_line"),
    ("line_start", "line_end"),
    ("from_line", "to_line"),
    ("start", "end"),
];

impl Reading {
    pub(super) fn take_forms(&mut self, tool: &str) {
        match tool {
            "search" => self.take_search(),
            "navigate" => self.take_place(),
            "read" => {
                self.take_levels();
                self.take_pair();
                self.take_ends();
                self.take_offset();
            }
            "pack" => self.take_levels(),
            _ => {}
        }
        if tool != "read" {
            self.take_glob();
        }
    }

    /// `regex: "a.b"`, `regex: true` and `question: "…"` also name the kind.
    fn take_search(&mut self) {
        for (name, kind) in [
            ("regex", "regex"),
            ("regexp", "regex"),
            ("is_regex", "regex"),
            ("use_regex", "regex"),
            ("question", "question"),
        ] {
            let Some(value) = self.given.get(name).cloned() else {
                continue;
            };
            if is_flag(&value) {
                self.given.remove(name);
                if is_true(&value) {
                    self.insert("kind", json!(kind), &[name]);
                }
            } else if !self.given.contains_key("query") && !self.found.contains_key("query") {
                self.given.remove(name);
                self.insert("query", value, &[name]);
                if !self.given.contains_key("kind") {
                    self.found.insert("kind".to_owned(), json!(kind));
                }
            }
        }
    }

    /// A directory with a glob, as in the agents' own search tools.
    fn take_glob(&mut self) {
        let text = |name: &&&str| self.given.get(**name).is_some_and(Value::is_string);
        let directory = DIRECTORY.iter().find(text).copied();
        let glob = GLOB.iter().find(text).copied();
        let (Some(directory), Some(glob)) = (directory, glob) else {
            return;
        };
        let below = plain(&self.given.remove(directory).unwrap_or_default());
        let pattern = plain(&self.given.remove(glob).unwrap_or_default());
        let below = below.trim_end_matches('/');
        let joined = match (below, pattern.contains('/')) {
            ("" | ".", _) => pattern,
            (below, true) => format!("{below}/{pattern}"),
            (below, false) => format!("{below}/**/{pattern}"),
        };
        self.insert("paths", json!(joined), &[directory, glob]);
    }

    /// A file with a line.
    fn take_place(&mut self) {
        let mut names = std::iter::once(&"symbol").chain(SYMBOL);
        let is_named = names.any(|name| self.given.contains_key(*name));
        let names = || PATHS.iter().chain(std::iter::once(&"paths"));
        let file = names().find(|name| self.given.contains_key(**name));
        let line = self.given.get("line").and_then(number);
        if let (false, Some(file), Some(line)) = (is_named, file, line) {
            let column = ["column", "character", "col"];
            let column = column.iter().find_map(|name| self.given.remove(*name));
            let column = column.as_ref().and_then(number);
            let column = column.map(|column| format!(":{column}"));
            let path = self.given.remove(*file).unwrap_or_default();
            self.given.remove("line");
            let place = format!("{}:{line}{}", plain(&path), column.unwrap_or_default());
            self.insert("symbol", json!(place), &[file, "line"]);
        }
    }

    /// A pair of numbers; -1 is the last line.
    fn take_pair(&mut self) {
        for name in ["lines", "line_range", "range", "view_range"] {
            if let Some(Value::Array(pair)) = self.given.get(name)
                && let [first, last] = pair.as_slice()
                && let (Some(first), Some(last)) = (number(first), number(last))
            {
                let last = if last < 0 {
                    String::new()
                } else {
                    last.to_string()
                };
                let lines = json!(format!("{}-{last}", first.max(1)));
                self.given.insert(name.to_owned(), lines);
            }
        }
    }

    fn take_ends(&mut self) {
        for (first, last) in ENDS {
            let from = self.given.get(*first).and_then(number);
            let to = self.given.get(*last).and_then(number);
            let names: Vec<&str> = [from.map(|_| *first), to.map(|_| *last)]
                .into_iter()
                .flatten()
                .collect();
            if names.is_empty() {
                continue;
            }
            self.given.remove(*first);
            self.given.remove(*last);
            let to = to.filter(|to| *to >= 0).map(|to| to.to_string());
            let lines = format!("{}-{}", from.unwrap_or(1).max(1), to.unwrap_or_default());
            self.insert("lines", json!(lines), &names);
            return;
        }
    }

    /// Lines from an offset, as in the agents' own tools.
    fn take_offset(&mut self) {
        if self.found.contains_key("lines") {
            return;
        }
        let offset = self.given.get("offset").and_then(number);
        let count = self.given.get("limit").and_then(number);
        let names: Vec<&str> = [offset.map(|_| "offset"), count.map(|_| "limit")]
            .into_iter()
            .flatten()
            .collect();
        let first = offset.unwrap_or(1).max(1);
        let lines = match count {
            Some(count) => format!("{first}-{}", first.saturating_add(count.max(1) - 1)),
            None if offset.is_some() => format!("{first}-"),
            None => return,
        };
        for name in &names {
            self.given.remove(*name);
        }
        self.insert("lines", json!(lines), &names);
    }

    /// `outline: true` and `signatures: true` are levels of compression.
    fn take_levels(&mut self) {
        for (name, level) in [
            ("outline", "extreme"),
            ("outline_only", "extreme"),
            ("signatures", "aggressive"),
            ("signatures_only", "aggressive"),
        ] {
            if let Some(value) = self.given.remove(name)
                && is_true(&value)
            {
                self.insert("compress", json!(level), &[name]);
            }
        }
    }
}
