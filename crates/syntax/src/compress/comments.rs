//! Comments: decides which are a licence, documentation, or valuable, and elides the others.
//! `directive` recognises comments for tools.

use std::ops::Range;

use super::directive::is_directive;
use super::licence;
use super::marker::CommentForm;
use super::plan::{Plan, is_local};
use super::{ElidedKind, Level, PreservedKind};

/// Minimum number of lines of an elided licence; a shorter one costs no more than a marker.
const SHORTEST_LICENCE: usize = 3;

/// Words that mark open tasks.
const TODO: &[&str] = &["TODO", "FIXME", "HACK", "XXX"];

/// Words that make a comment valuable, in lower case.
const VALUE: &[&str] = &[
    "http", "because", "safety", "note", "warn", "bug", "todo", "fixme",
];

/// Consecutive comments on their own lines, or a single comment next to code.
struct Block<'t> {
    span: Range<usize>,
    text: &'t str,
    is_alone: bool,
    /// Comments of the block.
    parts: Vec<Range<usize>>,
}

impl<'t> Plan<'t> {
    /// Elides the comments that the level or the user excludes.
    pub(super) fn comments(&mut self) {
        let mut blocks = self.blocks();
        let licence = blocks
            .first_mut()
            .is_some_and(|block| self.is_licence(block));
        for (at, block) in blocks.iter().enumerate() {
            if at == 0 && licence {
                let keeps = |kept| self.how.preserve.keeps(kept);
                let goes = self.level >= Level::Minimal || self.how.remove_comments;
                if goes && !keeps(PreservedKind::Licence) && !keeps(PreservedKind::Comments) {
                    self.elide(block, ElidedKind::Licence);
                }
                continue;
            }
            let is_head = at == 0 && self.is_head(block);
            for part in self.parts_for_readers(block) {
                if self.is_unwanted(&part, is_head) {
                    self.elide(&part, ElidedKind::Comment);
                }
            }
        }
    }

    /// Returns whether a block opens the file.
    fn is_head(&self, block: &Block<'t>) -> bool {
        let before = self.text.get(..block.span.start).unwrap_or_default();
        block.is_alone && before.lines().all(is_opening)
    }

    /// Returns the parts of a block without comments for tools, if comments are removed; otherwise
    /// the whole block, unless it contains such a comment.
    fn parts_for_readers(&self, block: &Block<'t>) -> Vec<Block<'t>> {
        let speaks = |text: &str| text.lines().any(|line| is_directive(self.id, line));
        let whole = Block {
            span: block.span.clone(),
            text: block.text,
            is_alone: block.is_alone,
            parts: block.parts.clone(),
        };
        if !speaks(block.text) {
            return vec![whole];
        }
        if !self.how.remove_comments {
            return Vec::new();
        }
        let mut runs: Vec<Block<'t>> = Vec::new();
        let mut goes_on = false;
        for part in &block.parts {
            let text = self.text_at(part);
            match runs.last_mut().filter(|_| goes_on) {
                _ if speaks(text) => goes_on = false,
                Some(last) => last.span.end = part.end,
                None => {
                    goes_on = true;
                    runs.push(Block {
                        span: part.clone(),
                        text,
                        is_alone: block.is_alone,
                        parts: Vec::new(),
                    });
                }
            }
        }
        for run in &mut runs {
            run.text = self.text_at(&run.span);
        }
        runs
    }

    /// Returns the documentation of the file: the comment that opens it, and comments that are
    /// marked as such.
    pub(super) fn file_docs(&self) -> Vec<Range<usize>> {
        let mut blocks = self.blocks();
        let licence = blocks
            .first_mut()
            .is_some_and(|first| self.is_licence(first));
        let blocks = blocks.into_iter().enumerate();
        let docs = blocks.filter(|(at, block)| {
            let is_head = *at == 0 && !licence && self.is_head(block);
            is_head || is_inner_doc(self.id, block.text)
        });
        docs.map(|(_, block)| block.span).collect()
    }

    /// Returns whether a docstring with that text is elided.
    pub(super) fn is_unwanted_docstring(&self, text: &str) -> bool {
        let keeps = self.how.preserve.keeps(PreservedKind::Docstrings) || self.is_preserved(text);
        // Other strings are evaluated at run time, or are bytes.
        let prefix = text.split(['"', '\'']).next().unwrap_or_default();
        let is_plain = !prefix.contains(['f', 'F', 'b', 'B', 't', 'T']);
        self.how.remove_comments && is_plain && !keeps
    }

    /// Returns the licence at the start.
    pub(super) fn licence(&self) -> Option<Range<usize>> {
        let mut blocks = self.blocks();
        let first = blocks.first_mut()?;
        self.is_licence(first).then(|| first.span.clone())
    }

    /// Returns whether a comment is preserved at any position.
    pub(super) fn is_preserved(&self, comment: &str) -> bool {
        let preserve = self.how.preserve;
        preserve.keeps(PreservedKind::Comments)
            || (preserve.keeps(PreservedKind::CommentsWithTodo) && is_todo(comment))
    }

    /// Returns whether the comment at that span documents nothing and may be elided.
    pub(super) fn is_plain_comment(&self, span: Range<usize>) -> bool {
        let text = self.text.get(span.clone()).unwrap_or_default();
        !self.is_preserved(text) && !is_directive(self.id, text) && !self.is_doc(span.start, text)
    }

    fn is_unwanted(&self, block: &Block<'t>, is_head: bool) -> bool {
        if self.is_preserved(block.text) || self.precedes_c(block) {
            return false;
        }
        let is_doc = is_head
            || self.is_doc(block.span.start, block.text)
            || (!block.is_alone && self.is_next_to_name(block.span.start) && has_value(block.text));
        let removes = self.how.remove_comments;
        match is_doc {
            true => removes && !self.how.preserve.keeps(PreservedKind::Docstrings),
            false if removes || self.level >= Level::Aggressive => true,
            false => self.level == Level::Balanced && !has_value(block.text),
        }
    }

    /// Returns whether a block contains the C code of a Go file.
    fn precedes_c(&self, block: &Block<'t>) -> bool {
        let after = self.text.get(block.span.end..).unwrap_or_default();
        self.id == "go" && after.trim_start().starts_with("import \"C\"")
    }

    fn is_doc(&self, start: usize, text: &str) -> bool {
        let symbols = &self.structure.symbols;
        let is_before = |at: usize| {
            let symbol = &symbols[at];
            // Of local definitions, only functions have documentation.
            let is_documented = symbol.kind.is_function() && symbol.doc.is_some();
            symbol.lead <= start
                && start < symbol.span.start
                && (is_documented || !is_local(self.structure, at))
        };
        // Symbols are ordered by their starts, and documentation is close to its symbol.
        let after = symbols.partition_point(|symbol| symbol.span.start <= start);
        is_inner_doc(self.id, text) || (after..symbols.len()).take(4).any(is_before)
    }

    /// Returns whether a symbol is named before that position on the same line, so that the comment
    /// describes it.
    fn is_next_to_name(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        self.names_outer(&(line..start))
    }

    /// Returns whether a block is a licence. Lines for tools before the licence are removed from
    /// the block.
    fn is_licence(&self, block: &mut Block<'t>) -> bool {
        let words = block.text.split_inclusive('\n');
        // The first line of a multi-line comment cannot be separated from the rest.
        let is_whole = |line: &str| !line.trim().starts_with("/*") || line.trim().ends_with("*/");
        let lead = words.take_while(|line| is_directive(self.id, line) && is_whole(line));
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
        let is_first = before.lines().all(is_opening);
        let text = self.text.get(start..block.span.end).unwrap_or_default();
        is_first
            && block.is_alone
            && text.lines().count() >= SHORTEST_LICENCE
            && licence::is_licence(text)
    }

    fn elide(&mut self, block: &Block<'t>, what: ElidedKind) {
        match block.is_alone {
            true => self.elide_lines(block.span.clone(), what),
            false => self.elide_inline(block.span.clone(), what),
        }
    }

    /// Elides whole lines. If comments are removed, a comment that is shorter than its marker gets
    /// none.
    pub(super) fn elide_lines(&mut self, span: Range<usize>, what: ElidedKind) {
        let text = self.text_at(&span);
        let lines = text.lines().count();
        let form = self.form_of(text);
        let before = self.text.get(..span.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let rest = self.text.get(span.end..).unwrap_or_default();
        let end = span.end + rest.find('\n').map_or(rest.len(), |end| end + 1);
        let new = match lines {
            1 => String::new(),
            // After a line comment, the parser of JavaScript misreads some minified code.
            _ if what == ElidedKind::Licence => {
                format!("{}{}", form.inline(lines), self.line_ending())
            }
            _ => {
                let indent = self.indent_at(span.start);
                format!("{indent}{}{}", form.line(lines), self.line_ending())
            }
        };
        let is_short = self.how.remove_comments && !self.is_worth(&(start..end), &new);
        let new = if is_short { String::new() } else { new };
        let marked = if new.is_empty() { 0 } else { lines };
        self.replace(start..end, new, what, marked);
    }

    /// Returns the comment form of a marker: in a document or page, the form of the elided comment.
    fn form_of(&self, comment: &str) -> CommentForm {
        match self.form {
            CommentForm::Angle if comment.starts_with('#') => CommentForm::Hash,
            CommentForm::Angle if comment.starts_with("--") => CommentForm::Dashes,
            CommentForm::Angle if comment.starts_with("/*") => CommentForm::Block,
            CommentForm::Angle if comment.starts_with('/') => CommentForm::Slashes,
            form => form,
        }
    }

    /// Elides a comment next to code, with the space before it.
    fn elide_inline(&mut self, span: Range<usize>, what: ElidedKind) {
        let before = self.text.get(..span.start).unwrap_or_default();
        let rest = self.text.get(span.end..).unwrap_or_default();
        if self.is_line_end(span.end) {
            let start = before.trim_end_matches([' ', '\t']).len();
            return self.replace(start..span.end, String::new(), what, 0);
        }
        let joins = before.ends_with(|c: char| !c.is_whitespace())
            && rest.starts_with(|c: char| !c.is_whitespace())
            // White space is text in a page.
            && self.form != CommentForm::Angle;
        let new = if joins { " " } else { "" };
        self.elide_always(span, new.to_owned(), what, 0);
    }

    fn blocks(&self) -> Vec<Block<'t>> {
        let mut blocks: Vec<Block<'t>> = Vec::new();
        for span in self.comments.iter().cloned() {
            let Some(text) = self.text.get(span.clone()) else {
                continue;
            };
            let is_alone = self.is_line_start(span.start) && self.is_line_end(span.end);
            if let Some(last) = blocks.last_mut().filter(|last| last.is_alone && is_alone)
                && let Some(between) = self.text.get(last.span.end..span.start)
                && between.trim().is_empty()
                && between.matches('\n').count() <= 1
            {
                last.span.end = span.end;
                last.parts.push(span);
                last.text = self.text.get(last.span.clone()).unwrap_or_default();
                continue;
            }
            blocks.push(Block {
                parts: vec![span.clone()],
                span,
                text,
                is_alone,
            });
        }
        blocks
    }
}

/// Returns whether a line may precede the comment that opens a file.
fn is_opening(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim();
    line.is_empty() || line.starts_with("#!") || line.starts_with("<?")
}

/// Returns whether a comment documents the enclosing item.
fn is_inner_doc(id: &str, text: &str) -> bool {
    id == "rust" && (text.starts_with("//!") || text.starts_with("/*!"))
}

fn is_todo(comment: &str) -> bool {
    TODO.iter().any(|word| comment.contains(word))
}

/// Returns the words of a comment line.
fn words(line: &str) -> &str {
    let marks = ['/', '*', '#', '-', ';', '%', '<', ' ', '\t'];
    line.trim()
        .trim_start_matches(marks)
        .trim_end_matches("*/")
        .trim_end_matches("-->")
        .trim()
}

/// Returns whether a comment is useful for a reader: it has words and is not disabled code.
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
    fn valuable_comments_are_recognised() {
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
}
