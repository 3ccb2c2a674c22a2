//! The selection of pieces that fit into the limits, and the text of an answer.

use infiniloom::{Model, Redactor};
use serde_json::json;

use super::{Answer, AnswerForm, Fitted, Piece, cut};
use crate::client_limits::ClientLimits;
use crate::sources::{fit_sources, joined};

/// Share of the limit for the sources: at most one part in this many.
const SOURCES: usize = 5;

/// Share of the limit for the outline of lines without room.
const OUTLINE: usize = 5;

/// The shown parts of an answer.
#[derive(Clone, Copy, Debug, Default)]
struct Selection {
    /// Number of pieces.
    kept: usize,
    /// End of the symbols; those of shown lines are not repeated.
    outline: usize,
}

impl Selection {
    fn pieces(kept: usize) -> Self {
        Self { kept, outline: 0 }
    }
}

impl Answer {
    /// Selects the pieces that fit into `limit` tokens and into the limits of the client, in the
    /// form of the answer. Truncates the header if it exceeds the limit by itself.
    pub(crate) fn fit(mut self, limit: usize, redactor: &Redactor, model: &Model) -> Fitted {
        self.clean(redactor);
        let all = self.pieces.len();
        let limits = std::mem::take(&mut self.limits);
        let mut best = self.largest(0..=all, limit, model, Selection::pieces);
        if limits != ClientLimits::default() {
            self.limits = limits;
            let number = |found: &Option<(usize, Fitted)>| found.as_ref().map(|found| found.0);
            let by_tokens = number(&best);
            let end = by_tokens.unwrap_or(0);
            best = self.largest(0..=end, limit, model, Selection::pieces);
            self.is_above_client = number(&best) != by_tokens;
            if self.is_above_client {
                // The statement is longer now.
                best = self.largest(0..=end, limit, model, Selection::pieces);
            }
        }
        let kept = best.as_ref().map_or(all, |found| found.0);
        if kept < all && !self.outline.is_empty() {
            best = self.with_outline(kept, limit, model).or(best);
        }
        if let Some((_, fitted)) = best {
            return fitted;
        }
        self.pieces.clear();
        self.is_cut = true;
        let whole = self.text(Selection::default());
        let begun = |end: usize| self.fitting(Selection::default(), &whole[..end], limit, model);
        begun(cut(&whole, |end| begun(end).is_some())).unwrap_or_default()
    }

    /// Finds the largest number in a range whose selection fits.
    fn largest(
        &self,
        range: std::ops::RangeInclusive<usize>,
        limit: usize,
        model: &Model,
        select: impl Fn(usize) -> Selection,
    ) -> Option<(usize, Fitted)> {
        let fitting = |number: usize| {
            let selection = select(number);
            self.fitting(selection, &self.text(selection), limit, model)
        };
        // Whether a number fits is nearly monotonous, so the result is checked.
        let (mut low, mut high) = (*range.start(), *range.end());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match fitting(middle).is_some() {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        let mut numbers = (*range.start()..=low).rev();
        numbers.find_map(|number| Some((number, fitting(number)?)))
    }

    /// Replaces some of the pieces by symbols of the lines without room.
    fn with_outline(&self, kept: usize, limit: usize, model: &Model) -> Option<(usize, Fitted)> {
        let share = limit / OUTLINE;
        let (fewer, _) = self.largest(0..=kept, limit - share, model, Selection::pieces)?;
        let first = self.rest_of_outline(fewer);
        let most = self.outline.len();
        let is_small = |end: usize| {
            let lines = self.outline[first..end].iter().flat_map(|one| &one.lines);
            let text: String = lines.map(|line| format!("\n{}", line.text)).collect();
            model.count(&text).upper() <= share
        };
        let ends: Vec<usize> = (first..=most).collect();
        let end = ends[ends.partition_point(|end| is_small(*end)).saturating_sub(1)];
        let select = |outline: usize| Selection {
            kept: fewer,
            outline,
        };
        let (end, _) = self.largest(first..=end, limit, model, select)?;
        if end == first {
            return None;
        }
        // The symbols may take less than their share.
        self.largest(fewer..=kept, limit, model, |kept| Selection {
            kept,
            outline: end,
        })
    }

    /// Returns the first symbol after the lines of the first pieces.
    fn rest_of_outline(&self, kept: usize) -> usize {
        let line = |piece: &Piece| Some(piece.sources.first()?.lines?.1);
        let last = self.pieces[..kept].last().and_then(line).unwrap_or(0);
        let is_shown = |piece: &Piece| line(piece).is_some_and(|line| line <= last);
        self.outline.partition_point(is_shown)
    }

    /// Returns the symbols of a selection.
    fn symbols(&self, selection: Selection) -> &[Piece] {
        let first = self.rest_of_outline(selection.kept);
        self.outline
            .get(first..selection.outline)
            .unwrap_or_default()
    }

    /// Returns a selection with this text, if it fits.
    fn fitting(
        &self,
        selection: Selection,
        text: &str,
        limit: usize,
        model: &Model,
    ) -> Option<Fitted> {
        if !self.limits.pass(text) {
            return None;
        }
        let tokens = model.count(text).upper();
        if tokens > limit {
            return None;
        }
        let shown = self.pieces[..selection.kept].iter();
        let shown = shown.chain(self.symbols(selection));
        let sources = joined(shown.flat_map(|piece| &piece.sources));
        let (sources, left_out) = fit_sources(sources, limit / SOURCES, model);
        let mut data = json!({
            "tokens": tokens,
            "truncated": self.partial_line(selection.kept).is_some(),
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
            AnswerForm::Data => {
                let sent = fitted.json().to_string();
                self.limits.pass(&sent) && model.count(&sent).upper() <= limit
            }
        };
        does_fit.then_some(fitted)
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
        let own = self.note.iter_mut().chain(&mut self.notices);
        let own = own.chain(&mut self.warnings);
        let reasons = self.reasons.iter_mut().map(|reason| &mut reason.why);
        own.chain(reasons).for_each(clean);
        for piece in self.pieces.iter_mut().chain(&mut self.outline) {
            let own = piece.lines.iter_mut().filter(|line| line.is_own);
            own.for_each(|line| line.text = redactor.redact(&line.text));
            let paths = piece.sources.iter_mut().map(|source| &mut source.path);
            paths.for_each(|path| *path = redactor.redact(path));
        }
    }

    /// Returns all text of ours.
    fn names(&self) -> impl Iterator<Item = &str> {
        let pieces = self.pieces.iter().chain(&self.outline).flat_map(|piece| {
            let paths = piece.sources.iter().map(|source| source.path.as_str());
            piece.own_lines().chain(paths)
        });
        let own = std::iter::once(self.head.as_str()).chain(self.note.as_deref());
        let reasons = self.reasons.iter().map(|reason| &reason.why);
        let notices = self.notices.iter().chain(&self.warnings).chain(reasons);
        own.chain(notices.map(String::as_str)).chain(pieces)
    }

    fn text(&self, selection: Selection) -> String {
        let mut text = self.head.clone();
        let mut add = |line: &str| {
            text.push('\n');
            text.push_str(line);
        };
        let shown = self.pieces[..selection.kept].iter();
        shown
            .flat_map(|piece| &piece.lines)
            .for_each(|line| add(&line.text));
        let symbols = self.symbols(selection);
        if !symbols.is_empty() {
            add("Outline of the rest:");
        }
        let symbols = symbols.iter().flat_map(|piece| &piece.lines);
        symbols.for_each(|line| add(&line.text));
        let notes = self.note.iter().chain(&self.notices);
        notes.for_each(|note| add(note));
        for warning in &self.warnings {
            add(&format!("Warning: {warning}"));
        }
        self.stated(selection.kept, &text)
    }
}
