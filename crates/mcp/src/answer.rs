//! An answer within a number of tokens, counted on the sent text, with its sources and a statement
//! of missing parts.

use infiniloom::{Model, Redactor};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

pub(crate) use crate::sources::Source;
use crate::sources::{fit_sources, joined};

/// Pieces of an answer, the most important first, with the lines around them.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    form: AnswerForm,
    head: String,
    pieces: Vec<Piece>,
    /// Advice on how to get the pieces that have no room.
    more: String,
    /// Note at the end of every answer.
    note: Option<String>,
    /// Warnings about the settings, below the note.
    warnings: Vec<String>,
    /// Advice on how to get the rest of shortened lines.
    long: Option<&'static str>,
    /// True if parts are missing before pieces are dropped.
    is_cut: bool,
}

/// Default advice on shortened lines.
const LONG: &str = "Lines with … are longer: `read` with `lines` shows them.";

/// A part of an answer that is shown as a whole or not at all.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    lines: Vec<Line>,
    sources: Vec<Source>,
    is_cut: bool,
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

    /// Adds a line of a file.
    pub(crate) fn quote(&mut self, line: &Quoted) {
        self.lines.push(Line {
            text: line.text.clone(),
            is_own: false,
        });
        self.is_cut |= line.is_cut;
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

    /// Sets the advice on how to get the missing pieces.
    pub(crate) fn more(mut self, how: impl Into<String>) -> Self {
        self.more = how.into();
        self
    }

    pub(crate) fn note(mut self, note: Option<String>) -> Self {
        self.note = note;
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

    /// Selects the pieces that fit into `limit` tokens in the form of the answer. Truncates the
    /// header if it exceeds the limit by itself.
    pub(crate) fn fit(mut self, limit: usize, redactor: &Redactor, model: &Model) -> Fitted {
        self.clean(redactor);
        let fitting = |kept: usize| self.fitting(kept, &self.text(kept), limit, model);
        // The largest number that fits; nearly monotonous, so what is found is checked.
        let (mut low, mut high) = (0, self.pieces.len());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match fitting(middle).is_some() {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        if let Some(fitted) = (0..=low).rev().find_map(fitting) {
            return fitted;
        }
        self.pieces.clear();
        self.is_cut = true;
        let whole = self.text(0);
        let begun = |end: usize| self.fitting(0, &whole[..end], limit, model);
        begun(cut(&whole, |end| begun(end).is_some())).unwrap_or_default()
    }

    /// Returns the first pieces with this text, if they fit.
    fn fitting(&self, kept: usize, text: &str, limit: usize, model: &Model) -> Option<Fitted> {
        let tokens = model.count(text).upper();
        if tokens > limit {
            return None;
        }
        let shown = &self.pieces[..kept];
        let sources = joined(shown.iter().flat_map(|piece| &piece.sources));
        let (sources, left_out) = fit_sources(sources, limit / SOURCES, model);
        let mut data = json!({
            "tokens": tokens,
            "truncated": self.is_short(kept),
            "sources": sources,
        });
        if left_out > 0 {
            data["sources_left_out"] = json!(left_out);
        }
        let fitted = Fitted {
            text: text.to_owned(),
            data,
            form: self.form,
        };
        let does_fit = match self.form {
            AnswerForm::Text => true,
            AnswerForm::Data => model.count(&fitted.json().to_string()).upper() <= limit,
        };
        does_fit.then_some(fitted)
    }

    /// Returns true if parts are missing when `kept` pieces are shown.
    fn is_short(&self, kept: usize) -> bool {
        self.is_cut || kept < self.pieces.len() || self.has_long(kept)
    }

    fn has_long(&self, kept: usize) -> bool {
        self.pieces[..kept].iter().any(|piece| piece.is_cut)
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
        self.note.iter_mut().for_each(apply);
        self.warnings.iter_mut().for_each(apply);
        for piece in &mut self.pieces {
            piece
                .lines
                .iter_mut()
                .for_each(|line| apply(&mut line.text));
            let paths = piece.sources.iter_mut().map(|source| &mut source.path);
            paths.for_each(apply);
        }
    }

    /// Redacts names of directories, files and symbols. Lines of files are redacted
    /// already.
    fn clean(&mut self, redactor: &Redactor) {
        let names: Vec<&str> = self.names().collect();
        let names = names.join("\n");
        if redactor.redact(&names) == names {
            return;
        }
        let clean = |text: &mut String| {
            let lines = text.split('\n').map(|line| redactor.redact(line));
            *text = lines.collect::<Vec<_>>().join("\n");
        };
        clean(&mut self.head);
        self.note.iter_mut().for_each(clean);
        self.warnings.iter_mut().for_each(clean);
        for piece in &mut self.pieces {
            let own = piece.lines.iter_mut().filter(|line| line.is_own);
            own.for_each(|line| line.text = redactor.redact(&line.text));
            let paths = piece.sources.iter_mut().map(|source| &mut source.path);
            paths.for_each(|path| *path = redactor.redact(path));
        }
    }

    /// Returns all text of ours.
    fn names(&self) -> impl Iterator<Item = &str> {
        let pieces = self.pieces.iter().flat_map(|piece| {
            let paths = piece.sources.iter().map(|source| source.path.as_str());
            piece.own_lines().chain(paths)
        });
        let own = std::iter::once(self.head.as_str()).chain(self.note.as_deref());
        let warnings = self.warnings.iter().map(String::as_str);
        own.chain(warnings).chain(pieces)
    }

    fn text(&self, kept: usize) -> String {
        let mut text = self.head.clone();
        let shown = self.pieces[..kept].iter();
        for line in shown.flat_map(|piece| &piece.lines) {
            text.push('\n');
            text.push_str(&line.text);
        }
        let left = self.pieces.len() - kept;
        match left {
            0 if self.is_cut => {
                let told = format!("Not all is shown. {}", self.more);
                text.push_str(&format!("\n({})", told.trim_end()));
            }
            0 => {}
            left => text.push_str(&format!("\n({left} more left out. {})", self.more)),
        }
        let long = self.has_long(kept).then(|| self.long.unwrap_or(LONG));
        for note in long.into_iter().chain(self.note.as_deref()) {
            text.push('\n');
            text.push_str(note);
        }
        for warning in &self.warnings {
            text.push_str("\nWarning: ");
            text.push_str(warning);
        }
        text
    }
}

/// Share of the limit for the sources: at most one part in this many.
const SOURCES: usize = 5;

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
mod tests {
    use infiniloom::Infiniloom;

    use super::*;

    fn model() -> Model {
        Infiniloom::new().model("gpt-4o").unwrap()
    }

    fn piece(at: usize) -> Piece {
        let mut piece = Piece::new(format!("src/{at}.rs"));
        piece.quote(&Quoted {
            text: format!("{at}| let x = {at};"),
            is_cut: false,
        });
        piece.of(Source::lines(format!("src/{at}.rs"), at, at + 1))
    }

    #[test]
    fn every_limit_is_kept_and_what_is_left_out_is_told() {
        let (model, redactor) = (model(), Redactor::default());
        let limits = [30, 60, 100, 150, 300, 600, 3000];
        let forms = [AnswerForm::Text, AnswerForm::Data];
        for (limit, form) in limits
            .iter()
            .flat_map(|limit| forms.map(|form| (*limit, form)))
        {
            let mut answer = Answer::new("Lines with \"x\":").more("Ask for fewer.");
            (0..80).for_each(|at| answer.push(piece(at)));
            let fitted = answer.form(form).fit(limit, &redactor, &model);
            let tokens = model.count(&fitted.text).upper();
            assert_eq!(fitted.data["tokens"], tokens);
            assert_eq!(fitted.data["truncated"], limit < 3000, "{limit}");
            let content = fitted.content();
            let sent = model.count(&content).upper();
            assert!(sent <= limit, "{sent} > {limit}");
            assert_eq!(content == fitted.text, form == AnswerForm::Text);
            if limit >= 100 {
                assert!(sent * 10 >= limit * 8 || limit == 3000, "{sent}");
                assert!(!fitted.data["sources"].as_array().unwrap().is_empty());
                let is_told = fitted.text.contains("more left out. Ask for fewer.)");
                assert_eq!(is_told, limit < 3000, "{}", fitted.text);
            }
        }
    }

    #[test]
    fn whatever_is_missing_is_said() {
        let truncated = |answer: Answer| {
            let fitted = answer
                .more("Ask again.")
                .fit(1000, &Redactor::default(), &model());
            // Whoever is told that something is missing is told how to get it.
            let is_told = fitted.text.contains("Ask again.") || fitted.text.contains("`read`");
            assert_eq!(fitted.data["truncated"], is_told, "{}", fitted.text);
            fitted.data["truncated"].clone()
        };
        assert_eq!(truncated(Answer::new("All of it")), false);
        assert_eq!(truncated(Answer::new("Some of it").cut(true)), true);
        let mut answer = Answer::new("A long line:");
        let mut piece = piece(1);
        piece.quote(&Quoted {
            text: "2| long…".to_owned(),
            is_cut: true,
        });
        answer.push(piece);
        assert_eq!(truncated(answer), true);
    }

    #[test]
    fn what_is_wrong_is_bounded() {
        let model = model();
        let long = "é wrong ".repeat(100_000);
        let told = bounded(long.clone(), 100, &model);
        let tokens = model.count(&told).upper();
        assert!(tokens <= 100 && tokens > 90, "{tokens}");
        assert!(long.starts_with(&told));
        assert_eq!(bounded("short".to_owned(), 100, &model), "short");
    }

    /// A name can look like a line of a file.
    #[test]
    fn names_are_told_without_secrets() {
        // Put together so that this file holds none.
        let secret = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
        let mut answer = Answer::new(format!("Definitions of {secret}:"));
        let mut piece = Piece::new(format!("keys/{secret}/a.py (in {secret})"));
        piece.quote(&Quoted {
            text: format!("1| {secret}"),
            is_cut: false,
        });
        answer.push(Piece::new(format!("12| {secret}.py")));
        answer.push(piece.of(Source::lines(format!("keys/{secret}/a.py"), 1, 1)));
        let fitted = answer.fit(1000, &Redactor::default(), &model());
        // A line of a file comes here as the settings want it.
        let without = fitted.text.replace(&format!("\n1| {secret}"), "");
        assert!(!without.contains(secret), "{without}");
        assert!(
            !fitted.data["sources"].to_string().contains(secret),
            "{}",
            fitted.data
        );
    }
}
