//! The overlap of a chunk with the one before it: whole lines, messages or records, within the
//! budget.

use std::ops::Range;

use crate::pieces::Pieces;

/// Assumed bytes per token when a long line is cut: a low number, so that the overlap fits.
const BYTES_PER_TOKEN: usize = 2;

impl Pieces<'_> {
    /// Returns the context of a chunk, the start of its text including the overlap, and the tokens
    /// of both. `previous` is the start of the previous chunk's own text.
    pub(crate) fn with_overlap(
        &self,
        previous: usize,
        own: &Range<usize>,
    ) -> (String, usize, usize) {
        let context = self.context(own.start);
        let limit = self.options.tokens();
        let starts = self.starts(previous, own.start);
        let fits = |start: &usize| {
            let tokens = self.measure.within(&context, *start..own.end, limit);
            tokens.is_some()
        };
        let fitting = starts.get(fitting(&starts, fits).saturating_sub(1));
        let start = fitting.copied().unwrap_or(own.start);
        if let Some(tokens) = self.measure.within(&context, start..own.end, limit) {
            return (context.to_string(), start, tokens);
        }
        let tokens = self.measure.within(&context, own.clone(), usize::MAX);
        (context.to_string(), own.start, tokens.unwrap_or(0))
    }

    /// Returns the possible starts of the overlap: first no overlap, then the latest start first.
    fn starts(&self, previous: usize, end: usize) -> Vec<usize> {
        let mut starts = vec![end];
        if previous >= end || self.options.overlap() == 0 {
            return starts;
        }
        let fits = |start: &usize| {
            let most = self.options.overlap();
            self.measure.within("", *start..end, most).is_some()
        };
        match &self.records {
            Some(records) => {
                let before = records.partition_point(|record| record.start < end);
                let before = records.iter().take(before).rev();
                let before = before.map(|record| record.start);
                let before: Vec<_> = before.take_while(|start| *start >= previous).collect();
                starts.extend(&before[..fitting(&before, fits)]);
            }
            None => {
                let lines = self.lines.starts_within(previous..end).iter().rev();
                let lines: Vec<_> = lines.copied().chain(std::iter::once(previous)).collect();
                starts.extend(&lines[..fitting(&lines, fits)]);
                // Whole lines are repeated, unless the line itself was cut.
                if starts.len() == 1 && !self.text[..end].ends_with('\n') {
                    starts.extend(self.inside_line(previous, end).filter(fits));
                }
            }
        }
        starts
    }

    /// Returns the start of a word near the end of a long line.
    fn inside_line(&self, previous: usize, end: usize) -> Option<usize> {
        let bytes = self.options.overlap().saturating_mul(BYTES_PER_TOKEN);
        let from = self
            .text
            .ceil_char_boundary(end.saturating_sub(bytes).max(previous));
        let rest = self.text.get(from..end)?;
        let space = rest.find(char::is_whitespace).map_or(0, |at| at + 1);
        let start = self.text.ceil_char_boundary(from + space);
        (start < end).then_some(start)
    }
}

/// Returns how many places, from the first, fit. Each later place makes the range longer. The step
/// doubles until a place does not fit, so that few ranges are counted.
fn fitting(places: &[usize], fits: impl Fn(&usize) -> bool) -> usize {
    let mut least = 0;
    let mut step = 1;
    while places.get(least + step - 1).is_some_and(&fits) {
        least += step;
        step *= 2;
    }
    let most = places.len().min(least + step - 1);
    least + places[least..most].partition_point(fits)
}
