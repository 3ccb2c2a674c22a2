//! Comments: which of them are a licence, documentation, an instruction to a tool, or
//! worth reading, and how the others are taken out.

use std::ops::Range;

use super::licence;
use super::plan::Plan;
use super::{ElidedKind, Kept, Level};

/// A licence of fewer lines costs no more than a mark.
const SHORTEST_LICENCE: usize = 3;

/// What a comment that speaks to a tool starts with.
const DIRECTIVES: &[&str] = &[
    "eslint",
    "prettier",
    "@ts-",
    "tslint",
    "ts-",
    "noqa",
    "type:",
    "pylint",
    "pragma",
    "mypy",
    "flake8",
    "ruff",
    "isort",
    "fmt:",
    "yapf",
    "go:",
    "+build",
    "nolint",
    "lint:",
    "export ",
    "clang-",
    "NOLINT",
    "noinspection",
    "@formatter",
    "checkstyle",
    "CHECKSTYLE",
    "rubocop",
    "frozen_string_literal",
    "encoding",
    "-*-",
    "coding",
    "vim:",
    "istanbul",
    "c8 ",
    "webpack",
    "@__",
    "#__",
    "@jsx",
    "@flow",
    "jshint",
    "sourceMappingURL",
    "shellcheck",
    "phpcs",
    "@phpstan",
    "swiftlint",
    "swift-tools-version",
    "ktlint",
    "scalastyle",
    "scalafmt",
    "SPDX",
    "language=",
    "!",
    "+",
    "[if",
    "language:",
    "syntax=",
    "yaml-language-server",
    "renovate",
    "dprint",
    "biome",
    "cspell",
];

/// Words that say that something is to be done.
const TODO: &[&str] = &["TODO", "FIXME", "HACK", "XXX"];

/// Words that make a comment worth reading, in lower case.
const VALUE: &[&str] = &[
    "http", "because", "safety", "note", "warn", "bug", "todo", "fixme",
];

/// Comments on lines of their own that follow each other, or one beside code.
struct Block<'t> {
    span: Range<usize>,
    text: &'t str,
    is_alone: bool,
}

impl<'t> Plan<'t> {
    /// Takes out the comments that the level or the user does not want.
    pub(super) fn comments(&mut self) {
        let mut blocks = self.blocks();
        let licence = blocks
            .first_mut()
            .is_some_and(|block| self.is_licence(block));
        for (at, block) in blocks.iter().enumerate() {
            if at == 0 && licence {
                let keeps = |kept| self.how.preserve.keeps(kept);
                if self.level >= Level::Minimal && !keeps(Kept::Licence) && !keeps(Kept::Comments) {
                    self.take_out(block, ElidedKind::Licence);
                }
                continue;
            }
            if self.is_unwanted(block, at == 0 && block.is_alone) {
                self.take_out(block, ElidedKind::Comment);
            }
        }
    }

    /// The licence at the start.
    pub(super) fn licence(&self) -> Option<Range<usize>> {
        let mut blocks = self.blocks();
        let first = blocks.first_mut()?;
        self.is_licence(first).then(|| first.span.clone())
    }

    /// Whether a comment stays wherever it stands.
    pub(super) fn is_preserved(&self, comment: &str) -> bool {
        let preserve = self.how.preserve;
        preserve.keeps(Kept::Comments)
            || (preserve.keeps(Kept::CommentsWithTodo) && is_todo(comment))
    }

    /// Whether the comment in that place documents nothing and nobody wants it kept.
    pub(super) fn is_plain_comment(&self, span: Range<usize>) -> bool {
        let text = self.text.get(span.clone()).unwrap_or_default();
        !self.is_preserved(text) && !is_directive(text) && !self.is_doc(span.start, text)
    }

    fn is_unwanted(&self, block: &Block<'t>, is_head: bool) -> bool {
        if block.text.lines().any(is_directive) || self.is_preserved(block.text) {
            return false;
        }
        if self.precedes_c(block) {
            return false;
        }
        let is_doc = is_head
            || self.is_doc(block.span.start, block.text)
            || (!block.is_alone && self.stands_by_name(block.span.start) && has_value(block.text));
        let removes = self.how.remove_comments;
        match is_doc {
            true => removes && !self.how.preserve.keeps(Kept::Docstrings),
            false if removes || self.level >= Level::Aggressive => true,
            false => self.level == Level::Balanced && !has_value(block.text),
        }
    }

    /// What Go's C code stands in.
    fn precedes_c(&self, block: &Block<'t>) -> bool {
        let after = self.text.get(block.span.end..).unwrap_or_default();
        self.id == "go" && after.trim_start().starts_with("import \"C\"")
    }

    fn is_doc(&self, start: usize, text: &str) -> bool {
        let is_inner = text.starts_with("//!") || text.starts_with("/*!");
        let symbols = &self.structure.symbols;
        let is_before = |symbol: &crate::Symbol| symbol.lead <= start && start < symbol.span.start;
        // Symbols are in the order of their starts, and no documentation is far away.
        let after = symbols.partition_point(|symbol| symbol.span.start <= start);
        is_inner || symbols[after..].iter().take(4).any(is_before)
    }

    /// Whether a symbol is named in the line before that place: the comment is about it.
    fn stands_by_name(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        self.holds(&(line..start))
    }

    /// Whether a block is a licence. What speaks to tools before it is no part of it,
    /// and is taken off.
    fn is_licence(&self, block: &mut Block<'t>) -> bool {
        let words = block.text.split_inclusive('\n');
        let lead = words.take_while(|line| is_directive(line));
        let lead: usize = lead.map(str::len).sum();
        let rest = self.text.get(block.span.start + lead..block.span.end);
        let Some(rest) = rest.filter(|rest| !rest.trim().is_empty()) else {
            return false;
        };
        let indent = rest.len() - rest.trim_start().len();
        let start = block.span.start + lead + indent;
        if !self.opens_with_licence(block, start) {
            return false;
        }
        block.span.start = start;
        block.text = rest.trim_start();
        true
    }

    fn opens_with_licence(&self, block: &Block<'t>, start: usize) -> bool {
        let before = self.text.get(..block.span.start).unwrap_or_default();
        let is_first = before.lines().all(|line| {
            let line = line.trim_start_matches('\u{feff}').trim();
            line.is_empty() || line.starts_with("#!") || line.starts_with("<?")
        });
        let text = self.text.get(start..block.span.end).unwrap_or_default();
        is_first
            && block.is_alone
            && text.lines().count() >= SHORTEST_LICENCE
            && licence::is_licence(text)
    }

    fn take_out(&mut self, block: &Block<'t>, what: ElidedKind) {
        let (span, text) = (block.span.clone(), block.text);
        if !block.is_alone {
            return self.take_out_inline(span, what);
        }
        let lines = text.lines().count();
        let before = self.text.get(..span.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let rest = self.text.get(span.end..).unwrap_or_default();
        let end = span.end + rest.find('\n').map_or(rest.len(), |end| end + 1);
        let new = match lines {
            1 => String::new(),
            // After a comment to the end of a line, the parser of JavaScript takes some
            // minified code for another.
            _ if what == ElidedKind::Licence => {
                format!("{}{}", self.form.inline(lines), self.line_end())
            }
            _ => {
                let indent = self.indent_at(span.start);
                format!("{indent}{}{}", self.form.line(lines), self.line_end())
            }
        };
        let marked = if new.is_empty() { 0 } else { lines };
        self.replace(start..end, new, what, marked);
    }

    /// A comment beside code goes with the space before it.
    fn take_out_inline(&mut self, span: Range<usize>, what: ElidedKind) {
        let before = self.text.get(..span.start).unwrap_or_default();
        let rest = self.text.get(span.end..).unwrap_or_default();
        if self.is_line_end(span.end) {
            let start = before.trim_end_matches([' ', '\t']).len();
            return self.replace(start..span.end, String::new(), what, 0);
        }
        let joins = before.ends_with(|c: char| !c.is_whitespace())
            && rest.starts_with(|c: char| !c.is_whitespace());
        let new = if joins { " " } else { "" };
        self.replace(span, new.to_owned(), what, 0);
    }

    fn blocks(&self) -> Vec<Block<'t>> {
        let mut blocks: Vec<Block<'t>> = Vec::new();
        for comment in &self.structure.comments {
            let span = comment.range();
            let Some(text) = self.text.get(span.clone()) else {
                continue;
            };
            let before = self.text.get(..span.start).unwrap_or_default();
            let starts = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
            let is_alone = starts.trim().is_empty() && self.is_line_end(span.end);
            if let Some(last) = blocks.last_mut().filter(|last| last.is_alone && is_alone)
                && let Some(between) = self.text.get(last.span.end..span.start)
                && between.trim().is_empty()
                && between.matches('\n').count() <= 1
            {
                last.span.end = span.end;
                last.text = self.text.get(last.span.clone()).unwrap_or_default();
                continue;
            }
            blocks.push(Block {
                span,
                text,
                is_alone,
            });
        }
        blocks
    }
}

fn is_todo(comment: &str) -> bool {
    TODO.iter().any(|word| comment.contains(word))
}

/// The words of a line of a comment.
fn words(line: &str) -> &str {
    let marks = ['/', '*', '#', '-', ';', '%', '<', ' ', '\t'];
    line.trim()
        .trim_start_matches(marks)
        .trim_end_matches("*/")
        .trim_end_matches("-->")
        .trim()
}

fn is_directive(line: &str) -> bool {
    let line = line.trim();
    let content = ["//", "/*", "#", "--", "<!--"]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line)
        .trim_start();
    DIRECTIVES.iter().any(|word| content.starts_with(word))
}

/// Whether a comment says something to a reader: words, and no code that was put out
/// of use.
fn has_value(comment: &str) -> bool {
    let lower = comment.to_ascii_lowercase();
    if VALUE.iter().any(|word| lower.contains(word)) {
        return true;
    }
    let lines: Vec<&str> = comment
        .lines()
        .map(words)
        .filter(|line| !line.is_empty())
        .collect();
    let mut letters = lines.iter().flat_map(|line| line.chars());
    if !letters.any(char::is_alphanumeric) {
        return false;
    }
    let code = lines.iter().filter(|line| is_code(line)).count();
    code * 2 < lines.len().max(1)
}

fn is_code(line: &str) -> bool {
    let spaces = line.matches(' ').count();
    let is_call = line.ends_with(')') && line.contains('(') && spaces < 4;
    let is_assignment = line.contains(" = ") && spaces < 8 && !line.ends_with('.');
    line.ends_with([';', '{', '}']) || is_call || is_assignment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_weighed() {
        for kept in [
            "// The second table is for keys that were seen.",
            "# see http://example.org",
            "/* Bounded: 4 bytes a level. */",
        ] {
            assert!(has_value(kept), "{kept}");
        }
        for dropped in [
            "// ----------------",
            "# ====",
            "// foo(bar);",
            "# x = call(1)\n# y = 2",
            "/* if (a) { */",
        ] {
            assert!(!has_value(dropped), "{dropped}");
        }
    }

    #[test]
    fn tools_are_spoken_to() {
        for kept in [
            "//go:build linux",
            "# noqa: E501",
            "// eslint-disable",
            "/* @ts-ignore */",
        ] {
            assert!(is_directive(kept), "{kept}");
        }
        assert!(!is_directive("// gopher"));
    }
}
