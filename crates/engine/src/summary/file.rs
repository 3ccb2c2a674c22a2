//! The summary of one file: its own introduction, then its most informative members.

use std::fmt::Write;

use loom_base::LineSpan;
use loom_syntax::{Structure, Symbol, SymbolKind, Visibility};

use crate::map::{one_line, without_targets};

/// Maximum bytes of a summary: about 75 tokens.
const LONGEST: usize = 300;
/// Maximum bytes of a sentence.
const SENTENCE: usize = 110;
/// Number of lines searched for an introduction.
const HEAD: usize = 40;
/// Start and end markers of multi-line comments and strings.
const BLOCKS: &[(&str, &str)] = &[
    ("\"\"\"", "\"\"\""),
    ("r\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("/*", "*/"),
    ("<!--", "-->"),
    ("{-", "-}"),
    ("=begin", "=end"),
];
/// Markers of line comments.
const LINES: &[&str] = &["#", "//", "--", ";", "%", "<?"];

/// Summary of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSummary {
    /// Sentences, the most informative first.
    pub sentences: Vec<Sentence>,
}

/// A sentence with its source lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Text on one line.
    pub text: String,
    /// Source lines.
    pub lines: LineSpan,
}

impl FileSummary {
    /// Summarises a text with this structure.
    pub fn of(text: &str, structure: &Structure) -> Self {
        let mut summary = Self::default();
        let mut length = 0;
        let mut add = |sentence: Sentence| {
            let fits = length + sentence.text.len() <= LONGEST;
            if fits {
                length += sentence.text.len() + 2;
                summary.sentences.push(sentence);
            }
            fits
        };
        head(text).map(&mut add);
        let mut members: Vec<&Symbol> = structure
            .symbols
            .iter()
            .filter(|one| is_informative(one))
            .collect();
        members.sort_by_key(|one| (std::cmp::Reverse(worth(one)), one.lines.first));
        for member in members {
            if !add(sentence_about(member)) {
                break;
            }
        }
        summary
    }

    /// Formats the summary on one line, with the lines of each sentence after it; empty without
    /// sentences.
    pub fn line(&self) -> String {
        let mut line = String::new();
        for sentence in &self.sentences {
            let gap = if line.is_empty() { "" } else { "; " };
            let LineSpan { first, last } = sentence.lines;
            let _ = write!(line, "{gap}{} ({first}-{last})", sentence.text);
        }
        line
    }
}

/// Returns the introduction of a file.
pub(super) fn introduction(text: &str) -> Option<String> {
    head(text).map(|sentence| sentence.text)
}

/// Returns the first sentence of the comments or the string at the start of a file. Skips a comment
/// about a licence completely.
fn head(text: &str) -> Option<Sentence> {
    // End marker of the multi-line comment or string around the line.
    let mut end: Option<&str> = None;
    let mut is_skipped = false;
    let mut found = Paragraph::default();
    for (at, line) in text.lines().enumerate().take(HEAD) {
        let mut line = line.trim();
        let opened = BLOCKS.iter().find(|(open, _)| line.starts_with(open));
        if let (None, Some((open, close))) = (end, opened) {
            if found.is_informative() {
                break;
            }
            is_skipped = false;
            line = &line[open.len()..];
            end = (!line.contains(close)).then_some(*close);
        } else if let Some(close) = end {
            end = (!line.contains(close)).then_some(close);
        } else if line.is_empty() {
            // The next comment is a separate one.
            is_skipped = false;
        } else if !LINES.iter().any(|mark| line.starts_with(mark)) {
            break;
        }
        let words = words_of(line);
        if is_licence(words) {
            is_skipped = true;
            found = Paragraph::default();
        }
        if is_skipped || is_for_tools(words) {
            continue;
        }
        if !found.add(words, at + 1) {
            break;
        }
    }
    found.is_informative().then(|| Sentence {
        text: sentence(&found.words),
        lines: found.lines,
    })
}

/// Adjacent lines up to the end of a sentence.
struct Paragraph {
    words: String,
    lines: LineSpan,
}

impl Default for Paragraph {
    fn default() -> Self {
        Self {
            words: String::new(),
            lines: LineSpan::new(1, 1),
        }
    }
}

impl Paragraph {
    fn is_informative(&self) -> bool {
        !self.words.is_empty()
    }

    /// Adds a line. Returns true if more may follow.
    fn add(&mut self, words: &str, line: usize) -> bool {
        match self.is_informative() {
            true if words.is_empty() => return false,
            true => self.words.push(' '),
            false if !is_prose(without_targets(words).trim_start()) => return true,
            false => self.lines = LineSpan::new(line, line),
        }
        self.words.push_str(words);
        self.lines.last = line;
        let shown = without_targets(&self.words);
        let is_ended = shown.ends_with('.') || shown.contains(". ");
        !is_ended && shown.len() <= SENTENCE
    }
}

/// Removes the comment markers of a line.
fn words_of(line: &str) -> &str {
    let is_mark = |c: char| c.is_ascii_punctuation() && !"(`[".contains(c);
    let words = line.trim_start_matches(is_mark).trim_start();
    words
        .trim_end_matches(['*', '/', '"', '\'', '-', '>', '}', '=', '#'])
        .trim_end()
}

/// Returns true for a comment line about a licence or copyright.
fn is_licence(words: &str) -> bool {
    const WORDS: &[&str] = &[
        "copyright",
        "licen",
        "spdx",
        "all rights",
        "warrant",
        "redistribut",
        "free software",
        "permission is hereby",
        "this file is part of",
    ];
    has_any(words, WORDS)
}

/// Returns true for a comment line for tools, or about the author.
fn is_for_tools(words: &str) -> bool {
    const WORDS: &[&str] = &[
        "coding:",
        "usr/bin",
        "eslint",
        "pragma",
        "generated by",
        "include",
        "author",
        "vim:",
        "go:build",
        "+build",
        "frozen_string",
        "@flow",
        "@ts-",
    ];
    has_any(words, WORDS)
}

fn has_any(words: &str, others: &[&str]) -> bool {
    let lower = words.to_lowercase();
    others.iter().any(|other| lower.contains(other))
}

/// Returns true if a line of an introduction is a sentence.
fn is_prose(words: &str) -> bool {
    let is_begin = |c: char| c.is_alphabetic() || c == '`';
    words.split_whitespace().count() >= 3 && words.starts_with(is_begin)
}

/// Returns the first sentence without the targets of links, truncated if it is long.
pub(super) fn sentence(words: &str) -> String {
    let words = without_targets(words);
    let end = words.find(". ").map_or(words.len(), |at| at);
    one_line(words[..end].trim_end_matches('.'), SENTENCE)
}

/// Returns true if a symbol is informative about its file.
fn is_informative(symbol: &Symbol) -> bool {
    let is_api = symbol.kind.is_function()
        || symbol.kind.is_type()
        || matches!(
            symbol.kind,
            SymbolKind::Section | SymbolKind::Macro | SymbolKind::Table
        );
    is_api && !symbol.is_test && symbol.kind != SymbolKind::Impl
}

fn worth(symbol: &Symbol) -> u32 {
    let is_open = symbol.visibility == Visibility::Public && !symbol.name.starts_with('_');
    let is_long = symbol.lines.last - symbol.lines.first >= 20;
    u32::from(symbol.kind.is_type() || symbol.kind == SymbolKind::Section) * 3
        + u32::from(symbol.parent.is_none()) * 3
        + u32::from(is_open) * 2
        + u32::from(symbol.doc.is_some()) * 2
        + u32::from(is_long)
}

/// Returns the name with the first sentence of its documentation, or its declaration.
fn sentence_about(symbol: &Symbol) -> Sentence {
    let doc = symbol.doc.as_deref().and_then(|doc| {
        let line = doc.lines().map(str::trim).find(|line| !line.is_empty())?;
        Some(sentence(line))
    });
    let text = match doc {
        Some(doc) => format!("{}: {doc}", symbol.qualified),
        None => one_line(&symbol.signature, SENTENCE),
    };
    Sentence {
        text: one_line(&text, SENTENCE + 40),
        lines: symbol.lines,
    }
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;
    use loom_syntax::{Language, Limits, extract};
    use proptest::prelude::*;

    use super::*;

    fn summary(path: &str, text: &str) -> FileSummary {
        let language = Language::detect(&RepoPath::new(path).unwrap(), text).unwrap();
        FileSummary::of(text, &extract(language, text, &Limits::default()))
    }

    #[test]
    fn summary_has_the_introduction_and_the_members() {
        let text = "# Copyright 2020 Somebody\n\"\"\"Keeps sessions in the cache. More.\"\"\"\n\nclass Store:\n    \"\"\"One session.\"\"\"\n\n    def load(self):\n        return 1\n\n\ndef _helper():\n    pass\n";
        let summary = summary("a.py", text);
        let line = summary.line();
        assert!(
            line.starts_with("Keeps sessions in the cache (2-2); Store: One session (4-8)"),
            "{line}"
        );
        assert!(line.contains("load"), "{line}");
        for sentence in &summary.sentences {
            assert!(sentence.lines.first >= 1 && sentence.lines.last <= 12);
        }
    }

    #[test]
    fn licence_comment_is_skipped() {
        let apache = "Copyright 2008 Somebody\n\nLicensed under the Apache License;\nyou may not use this file.\n\nUnless required by applicable law, it comes\nas it is here.";
        let mit = "Copyright Somebody\n\nPermission is hereby granted to any person\nwho has a copy of it.";
        let gpl = "This file is part of the thing.\n\nIt is free software; you can have it.\n\nYou should have received a copy of it.";
        for licence in [apache, mit, gpl] {
            let lines: String = licence.lines().map(|line| format!("// {line}\n")).collect();
            let text = format!("{lines}\npub fn open() {{}}\n");
            let line = summary("a.rs", &text).line();
            assert!(line.starts_with("pub fn open() ("), "{line}");
            let block: String = licence.lines().map(|line| format!(" * {line}\n")).collect();
            let text = format!(
                "/*\n{block} */\n\n/** Opens the door for\n * everybody here. Then more.\n */\nclass Door {{}}\n"
            );
            let line = summary("a.java", &text).line();
            assert!(
                line.starts_with("Opens the door for everybody here ("),
                "{line}"
            );
        }
    }

    #[test]
    fn links_are_shown_without_their_targets() {
        let guide = "[guide](https://example.org/a/very/long/path/to/the/guide/of/the/door.html)";
        for (text, expected) in [
            (
                format!("# Opens doors, see the {guide} for more of it. And so on.\n"),
                "Opens doors, see the guide for more of it (1-1)",
            ),
            (
                format!("# {guide} says how doors open.\n"),
                "guide says how doors open (1-1)",
            ),
            (
                "# Opens doors, see the [guide\n# of doors](guide.md) for all.\n".to_owned(),
                "Opens doors, see the guide of doors for all (1-2)",
            ),
            (
                "# ![logo](a.png) ![badge](b.png)\n# Opens doors and more.\n".to_owned(),
                "Opens doors and more (2-2)",
            ),
        ] {
            let line = summary("a.py", &format!("{text}x = 1\n")).line();
            assert!(line.starts_with(expected), "{line}");
        }
        let text = format!("def door():\n    \"\"\"Opens it as the {guide}\n    says.\"\"\"\n");
        let line = summary("a.py", &text).line();
        assert!(line.contains("door: Opens it as the guide ("), "{line}");
    }

    #[test]
    fn lines_for_tools_are_skipped() {
        let text = "#!/usr/bin/env ruby\n# frozen_string_literal: true\n# vim: set ts=2 sw=2 et\n\n# `door` opens what is\n# closed\n\ndef door\nend\n";
        let line = summary("a.rb", text).line();
        assert!(
            line.starts_with("`door` opens what is closed (5-6)"),
            "{line}"
        );
    }

    proptest! {
        #[test]
        fn summary_of_any_text_is_short(text in "(\\PC|\n){0,300}") {
            let line = summary("a.py", &text).line();
            prop_assert!(!line.contains('\n') && line.len() < LONGEST + 200);
        }
    }
}
