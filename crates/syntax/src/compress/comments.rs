//! Comments: which of them are a licence, documentation, or worth reading, and how the
//! others are taken out. What speaks to a tool is told in `directive`.

use std::ops::Range;

use super::directive::is_directive;
use super::licence;
use super::mark::Form;
use super::plan::{Plan, is_local};
use super::{ElidedKind, Kept, Level};

/// A licence of fewer lines costs no more than a mark.
const SHORTEST_LICENCE: usize = 3;

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
    /// The comments that it is made of.
    parts: Vec<Range<usize>>,
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
                let goes = self.level >= Level::Minimal || self.how.remove_comments;
                if goes && !keeps(Kept::Licence) && !keeps(Kept::Comments) {
                    self.take_out(block, ElidedKind::Licence);
                }
                continue;
            }
            let is_head = at == 0 && self.is_head(block);
            for part in self.parts_for_people(block) {
                if self.is_unwanted(&part, is_head) {
                    self.take_out(&part, ElidedKind::Comment);
                }
            }
        }
    }

    /// Whether a block opens the file.
    fn is_head(&self, block: &Block<'t>) -> bool {
        let before = self.text.get(..block.span.start).unwrap_or_default();
        block.is_alone && before.lines().all(is_opening)
    }

    /// A block where comments are removed, without those in it that speak to tools; else
    /// the block as it is, unless one of them does.
    fn parts_for_people(&self, block: &Block<'t>) -> Vec<Block<'t>> {
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

    /// What documents the file: the comment that opens it, and comments that say so
    /// themselves.
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

    /// Whether a docstring of that text goes.
    pub(super) fn is_unwanted_docstring(&self, text: &str) -> bool {
        let keeps = self.how.preserve.keeps(Kept::Docstrings) || self.is_preserved(text);
        // Other strings are worked out when the program runs, or are bytes.
        let prefix = text.split(['"', '\'']).next().unwrap_or_default();
        let is_plain = !prefix.contains(['f', 'F', 'b', 'B', 't', 'T']);
        self.how.remove_comments && is_plain && !keeps
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
        !self.is_preserved(text) && !is_directive(self.id, text) && !self.is_doc(span.start, text)
    }

    fn is_unwanted(&self, block: &Block<'t>, is_head: bool) -> bool {
        if self.is_preserved(block.text) || self.precedes_c(block) {
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
        let symbols = &self.structure.symbols;
        let is_before = |at: usize| {
            let symbol = &symbols[at];
            // Of what a function defines for itself, only functions have documentation.
            let is_documented = symbol.kind.is_function() && symbol.doc.is_some();
            symbol.lead <= start
                && start < symbol.span.start
                && (is_documented || !is_local(self.structure, at))
        };
        // Symbols are in the order of their starts, and no documentation is far away.
        let after = symbols.partition_point(|symbol| symbol.span.start <= start);
        is_inner_doc(self.id, text) || (after..symbols.len()).take(4).any(is_before)
    }

    /// Whether a symbol is named in the line before that place: the comment is about it.
    fn stands_by_name(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        self.names_outer(&(line..start))
    }

    /// Whether a block is a licence. What speaks to tools before it is no part of it,
    /// and is taken off.
    fn is_licence(&self, block: &mut Block<'t>) -> bool {
        let words = block.text.split_inclusive('\n');
        // What opens a comment of several lines cannot be told from the rest of it.
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

    fn take_out(&mut self, block: &Block<'t>, what: ElidedKind) {
        match block.is_alone {
            true => self.take_out_lines(block.span.clone(), what),
            false => self.take_out_inline(block.span.clone(), what),
        }
    }

    /// What stands on lines of its own goes with them. Where comments are removed, one
    /// for which a mark would take more than it does goes without a mark.
    pub(super) fn take_out_lines(&mut self, span: Range<usize>, what: ElidedKind) {
        let text = self.text_at(&span);
        let lines = text.lines().count();
        let form = self.form_of(text);
        let before = self.text.get(..span.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let rest = self.text.get(span.end..).unwrap_or_default();
        let end = span.end + rest.find('\n').map_or(rest.len(), |end| end + 1);
        let new = match lines {
            1 => String::new(),
            // After a comment to the end of a line, the parser of JavaScript takes some
            // minified code for another.
            _ if what == ElidedKind::Licence => {
                format!("{}{}", form.inline(lines), self.line_end())
            }
            _ => {
                let indent = self.indent_at(span.start);
                format!("{indent}{}{}", form.line(lines), self.line_end())
            }
        };
        let is_short = self.how.remove_comments && !self.is_worth(&(start..end), &new);
        let new = if is_short { String::new() } else { new };
        let marked = if new.is_empty() { 0 } else { lines };
        self.replace(start..end, new, what, marked);
    }

    /// The form of a mark for a comment: that of the code in a document or a page, where
    /// it stands in such.
    fn form_of(&self, comment: &str) -> Form {
        match self.form {
            Form::Angle if comment.starts_with('#') => Form::Hash,
            Form::Angle if comment.starts_with("--") => Form::Dashes,
            Form::Angle if comment.starts_with("/*") => Form::Block,
            Form::Angle if comment.starts_with('/') => Form::Slashes,
            form => form,
        }
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
            && rest.starts_with(|c: char| !c.is_whitespace())
            // Space is text in a page.
            && self.form != Form::Angle;
        let new = if joins { " " } else { "" };
        self.leave_out(span, new.to_owned(), what, 0);
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

/// Whether a line may stand before the comment that opens a file.
fn is_opening(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim();
    line.is_empty() || line.starts_with("#!") || line.starts_with("<?")
}

/// Whether a comment documents what it stands in.
fn is_inner_doc(id: &str, text: &str) -> bool {
    id == "rust" && (text.starts_with("//!") || text.starts_with("/*!"))
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
}
