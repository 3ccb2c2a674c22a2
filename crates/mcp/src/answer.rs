//! An answer within a number of tokens, counted on the sent text, with its sources and a statement
//! of missing parts.

mod fit;
mod state;

use infiniloom::Model;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::client_limits::ClientLimits;
pub(crate) use crate::sources::Source;
use state::Reason;

/// Pieces of an answer, the most important first, with the lines around them.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    form: AnswerForm,
    head: String,
    pieces: Vec<Piece>,
    /// Symbols of a file by line, for the lines that have no room.
    outline: Vec<Piece>,
    /// Advice on how to get the pieces that have no room.
    more: String,
    /// Note after the pieces.
    note: Option<String>,
    /// Remarks about the arguments, below the note.
    notices: Vec<String>,
    /// Warnings about the settings, below the remarks.
    warnings: Vec<String>,
    /// Advice on how to get the rest of shortened lines.
    long: Option<&'static str>,
    /// True if parts are missing before pieces are dropped.
    is_cut: bool,
    /// Further reasons why parts are missing.
    reasons: Vec<Reason>,
    /// Limits of the client, which apply with the tokens.
    limits: ClientLimits,
    /// True if the client's limit leaves less room than the tokens.
    is_above_client: bool,
}

/// A part of an answer that is shown as a whole or not at all.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    lines: Vec<Line>,
    sources: Vec<Source>,
    is_cut: bool,
    /// Lines of the whole file, if the piece is one of them.
    total: Option<usize>,
}

/// A line of an answer.
#[derive(Debug)]
struct Line {
    text: String,
    /// True for a line of ours, which has names at most; false for a redacted line of a file.
    is_own: bool,
}

/// A line of a file, as shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    pub(crate) text: String,
    /// True if the file's line is longer.
    pub(crate) is_cut: bool,
}

/// The form in which a client gets an answer. Only one of them reaches the model, because a client
/// that gets both passes on the data, with all quotes and newlines escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AnswerForm {
    /// Text for a model.
    #[default]
    Text,
    /// JSON for a program.
    Data,
}

/// An answer that keeps its limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fitted {
    pub(crate) text: String,
    /// Tokens of the text, whether parts are missing, and the sources.
    pub(crate) data: Value,
    form: AnswerForm,
}

impl Fitted {
    /// Returns the data together with the text.
    pub(crate) fn json(&self) -> Value {
        let mut data = self.data.clone();
        data["text"] = json!(self.text);
        data
    }

    /// Returns the answer as the client gets it. Structured content never repeats the text.
    pub(crate) fn result(&self, form: AnswerForm) -> CallToolResult {
        if form == AnswerForm::Text {
            return CallToolResult::success(vec![ContentBlock::text(self.content())]);
        }
        let note = "The answer is the structured content.";
        let mut result = CallToolResult::success(vec![ContentBlock::text(note)]);
        result.structured_content = Some(self.json());
        result
    }

    /// Returns the text of the answer in its form.
    pub(crate) fn content(&self) -> String {
        match self.form {
            AnswerForm::Text => self.text.clone(),
            AnswerForm::Data => self.json().to_string(),
        }
    }
}

impl Piece {
    /// Creates a piece that begins with these lines of ours.
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        let own = |text: &str| Line {
            text: text.to_owned(),
            is_own: true,
        };
        Self {
            lines: text.as_ref().lines().map(own).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn of(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Marks the piece as a line of a file with so many lines.
    pub(crate) fn of_file(mut self, total: usize) -> Self {
        self.total = Some(total);
        self
    }

    /// Adds a line of a file.
    pub(crate) fn quote(&mut self, line: &Quoted) {
        self.lines.push(Line {
            text: line.text.clone(),
            is_own: false,
        });
        self.is_cut |= line.is_cut;
    }

    /// Returns the path of the first source.
    fn path(&self) -> Option<&str> {
        self.sources.first().map(|source| source.path.as_str())
    }

    fn own_lines(&self) -> impl Iterator<Item = &str> {
        let own = self.lines.iter().filter(|line| line.is_own);
        own.map(|line| line.text.as_str())
    }
}

impl Answer {
    /// Creates an answer that begins with a line about its contents.
    pub(crate) fn new(head: impl Into<String>) -> Self {
        Self {
            head: head.into(),
            ..Self::default()
        }
    }

    /// Puts a line above the answer.
    pub(crate) fn below(mut self, line: &str) -> Self {
        self.head = format!("{line}\n{}", self.head);
        self
    }

    pub(crate) fn push(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    /// Sets the symbols of a file, of which those without room for their lines are listed.
    pub(crate) fn outline(mut self, symbols: Vec<Piece>) -> Self {
        self.outline = symbols;
        self
    }

    /// Adds a reason why parts are missing, and a way to get them.
    pub(crate) fn partial(mut self, why: impl Into<String>, how: impl Into<String>) -> Self {
        self.reasons.push(Reason::new(why, how));
        self
    }

    /// Drops the pieces after the first ones that the caller asked for.
    pub(crate) fn most(self, most: usize) -> Self {
        let more = self.pieces.len().saturating_sub(most);
        if more == 0 {
            return self;
        }
        let mut answer = self.partial(format!("{more} more than `limit`"), "raise `limit`");
        answer.pieces.truncate(most);
        answer
    }

    /// Keeps only pieces about these files.
    pub(crate) fn within(mut self, has: impl Fn(&str) -> bool) -> Self {
        self.pieces
            .retain(|piece| piece.sources.iter().any(|source| has(&source.path)));
        self
    }

    /// Returns true if the answer has no pieces.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Sets the advice on how to get the missing pieces.
    pub(crate) fn more(mut self, how: impl Into<String>) -> Self {
        self.more = how.into();
        self
    }

    pub(crate) fn note(mut self, note: Option<String>) -> Self {
        self.note = note;
        self
    }

    /// Adds remarks about the arguments.
    pub(crate) fn notices(mut self, notices: &[String]) -> Self {
        self.notices.extend_from_slice(notices);
        self
    }

    /// Sets the limits of the client.
    pub(crate) fn limits(mut self, limits: ClientLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds warnings about the settings.
    pub(crate) fn warn(mut self, warnings: Vec<String>) -> Self {
        self.warnings = warnings;
        self
    }

    /// Sets the advice on how to get the rest of shortened lines.
    pub(crate) fn long(mut self, how: &'static str) -> Self {
        self.long = Some(how);
        self
    }

    /// Marks the answer as incomplete beyond its pieces.
    pub(crate) fn cut(mut self, is_cut: bool) -> Self {
        self.is_cut |= is_cut;
        self
    }

    /// Sets the form that the limit applies to.
    pub(crate) fn form(mut self, form: AnswerForm) -> Self {
        self.form = form;
        self
    }

    /// Redacts every line once more. The files may have changed since a part of the answer
    /// was read, and their newest state may teach more secrets.
    pub(crate) fn redact(&mut self, redact: impl Fn(&str) -> Option<String>) {
        let apply = |text: &mut String| {
            if let Some(clean) = redact(text) {
                *text = clean;
            }
        };
        apply(&mut self.head);
        let own = self.note.iter_mut().chain(&mut self.notices);
        let own = own.chain(&mut self.warnings);
        let reasons = self.reasons.iter_mut().map(|reason| &mut reason.why);
        own.chain(reasons).for_each(apply);
        for piece in self.pieces.iter_mut().chain(&mut self.outline) {
            piece
                .lines
                .iter_mut()
                .for_each(|line| apply(&mut line.text));
            let paths = piece.sources.iter_mut().map(|source| &mut source.path);
            paths.for_each(apply);
        }
    }
}

/// Returns the end of the longest prefix that fits.
fn cut(text: &str, fits: impl Fn(usize) -> bool) -> usize {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let mut kept = ends.partition_point(|at| fits(*at)).saturating_sub(1);
    while kept > 0 && !fits(ends[kept]) {
        kept -= 1;
    }
    ends.get(kept).copied().unwrap_or(0)
}

/// Truncates an error to a number of tokens.
pub(crate) fn bounded(mut text: String, limit: usize, model: &Model) -> String {
    let fits = |text: &str| model.count(text).upper() <= limit;
    // Nobody has to count what is far too long.
    let longest = limit.saturating_mul(16);
    text.truncate(
        (0..=longest.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0),
    );
    if !fits(&text) {
        text.truncate(cut(&text, |end| fits(&text[..end])));
    }
    text
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
