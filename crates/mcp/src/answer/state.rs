//! The statement whether an answer is complete. An answer begins with
//! `partial: REASON; HOW TO GET THE REST`, or ends with `complete`.

use super::Answer;
use crate::one_line::grouped;

/// Last line of an answer in which nothing is missing.
const COMPLETE: &str = "complete";

/// Default advice on shortened lines.
const LONG: &str = "`read` with `lines` shows lines that end with …";

/// Default advice on missing pieces.
const MORE: &str = "raise `budget`";

/// Why parts are missing, and how to get them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) why: String,
    how: String,
}

impl Reason {
    pub(super) fn new(why: impl Into<String>, how: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            how: how.into(),
        }
    }
}

impl Answer {
    /// Returns the first line of an answer with `kept` pieces if parts are missing.
    pub(super) fn partial_line(&self, kept: usize) -> Option<String> {
        let reasons = self.reasons(kept);
        if reasons.is_empty() {
            return None;
        }
        let joined = |texts: Vec<&str>, between: &str| {
            let mut once: Vec<&str> = Vec::new();
            for text in texts {
                if !text.is_empty() && !once.contains(&text) {
                    once.push(text);
                }
            }
            once.join(between)
        };
        let why = joined(reasons.iter().map(|one| one.why.as_str()).collect(), ", ");
        let how = joined(reasons.iter().map(|one| one.how.as_str()).collect(), "; ");
        Some(format!("partial: {why}; {how}"))
    }

    /// Puts the statement around the rest of an answer with `kept` pieces.
    pub(super) fn stated(&self, kept: usize, rest: &str) -> String {
        match self.partial_line(kept) {
            Some(line) => format!("{line}\n{rest}"),
            None => format!("{rest}\n{COMPLETE}"),
        }
    }

    fn reasons(&self, kept: usize) -> Vec<Reason> {
        let mut reasons = self.reasons.clone();
        let left = self.pieces.len() - kept;
        if left > 0 || self.is_above_client {
            reasons.extend(self.left_out(kept));
        } else if self.is_cut {
            let how = match self.more.as_str() {
                "" if reasons.is_empty() => MORE,
                how => how,
            };
            reasons.push(Reason::new("not all is shown", how));
        }
        if self.pieces[..kept].iter().any(|piece| piece.is_cut) {
            let why = "long lines are shortened";
            reasons.push(Reason::new(why, self.long.unwrap_or(LONG)));
        }
        reasons
    }

    fn left_out(&self, kept: usize) -> Option<Reason> {
        let client = self.limits.size().filter(|_| self.is_above_client);
        let client = client.map(|size| format!(" (this client passes on {size})"));
        let client = client.unwrap_or_default();
        if let Some(reason) = self.lines_left_out(kept, &client) {
            return Some(reason);
        }
        let left = self.pieces.len() - kept;
        let why = match left {
            0 => format!("not all is shown{client}"),
            left => format!("{} more left out{client}", grouped(left)),
        };
        let how = match (self.is_above_client, self.more.as_str()) {
            (true, _) => "ask for less with `paths`, or `read` the rest",
            (false, "") => MORE,
            (false, more) => more,
        };
        Some(Reason::new(why, how))
    }

    /// The same for lines of files.
    fn lines_left_out(&self, kept: usize, client: &str) -> Option<Reason> {
        let next = self.pieces.get(kept)?;
        let total = grouped(next.total?);
        let place = |at: usize| {
            let source = self.pieces.get(at)?.sources.first()?;
            Some((source.path.as_str(), source.lines?.0))
        };
        let (path, line) = place(kept)?;
        let is_same = |at: &usize| place(*at).is_some_and(|(other, _)| other == path);
        let first = (0..=kept).find(is_same).and_then(place)?.1;
        let end = (kept..self.pieces.len()).take_while(is_same).last()?;
        let (_, last) = place(end)?;
        let shown = match line > first {
            true => format!("lines {}-{} of {total}", grouped(first), grouped(line - 1)),
            false => format!("none of {total} lines"),
        };
        let rest = match line < last {
            true => format!("`lines: \"{line}-{last}\"`"),
            false => format!("`lines: \"{line}\"`"),
        };
        let is_only = (0..self.pieces.len()).all(|at| is_same(&at));
        if is_only {
            let how = format!("ask for {rest}, or use `compress`");
            return Some(Reason::new(format!("{shown}{client}"), how));
        }
        let others = self.pieces[end + 1..].chunk_by(|a, b| a.path() == b.path());
        let others = match others.count() {
            0 => String::new(),
            more => format!(", {more} more files left out"),
        };
        let why = format!("{shown} of {path}{others}{client}");
        Some(Reason::new(why, format!("`read` each with {rest}")))
    }
}

#[cfg(test)]
mod tests {
    use infiniloom::{Infiniloom, Redactor};

    use super::super::{Piece, Quoted, Source};
    use super::*;

    fn lines(path: &str, lines: usize) -> Vec<Piece> {
        let line = |number: usize| {
            let mut piece = Piece::default();
            piece.quote(&Quoted {
                text: format!("{number}| let value = {number};"),
                is_cut: false,
            });
            piece.of(Source::lines(path, number, number)).of_file(lines)
        };
        (1..=lines).map(line).collect()
    }

    fn fitted(answer: Answer, limit: usize) -> String {
        let model = Infiniloom::new().model("gpt-4o").unwrap();
        let text = answer.fit(limit, &Redactor::default(), &model).text;
        assert!(model.count(&text).upper() <= limit);
        text
    }

    #[test]
    fn long_file_says_which_lines_it_shows_and_lists_the_symbols_of_the_rest() {
        let mut answer = Answer::new("file| a.rs (2310 lines, rust)");
        lines("a.rs", 2310)
            .into_iter()
            .for_each(|line| answer.push(line));
        let symbol = |number: usize| {
            let mut piece = Piece::default();
            let text = format!("{number}| fn symbol_{number}()");
            piece.quote(&Quoted {
                text,
                is_cut: false,
            });
            piece.of(Source::lines("a.rs", number, number))
        };
        let answer = answer.outline((1..=2310).step_by(100).map(symbol).collect());
        let text = fitted(answer, 1000);
        let first = text.lines().next().unwrap();
        let (last, next) = first
            .strip_prefix("partial: lines 1-")
            .and_then(|rest| rest.split_once(" of 2,310; ask for `lines: \""))
            .unwrap();
        let last: usize = last.parse().unwrap();
        assert!(next.starts_with(&format!("{}-2310\"", last + 1)), "{first}");
        assert!(text.contains(&format!("\n{last}| let value")), "{text}");
        // The outline has no symbol of a line that is shown.
        let (_, outline) = text.split_once("\nOutline of the rest:\n").unwrap();
        let numbers = outline.lines().map(|line| line.split('|').next().unwrap());
        let numbers: Vec<usize> = numbers.map(|number| number.parse().unwrap()).collect();
        assert!(!numbers.is_empty() && numbers.iter().all(|number| *number > last));
        assert!(last > 50, "{text}");
    }

    #[test]
    fn file_that_fits_has_no_outline() {
        let mut answer = Answer::new("file| a.rs (3 lines)");
        lines("a.rs", 3)
            .into_iter()
            .for_each(|line| answer.push(line));
        let text = fitted(answer.outline(lines("a.rs", 3)), 1000);
        assert!(text.ends_with("3| let value = 3;\ncomplete"), "{text}");
    }

    #[test]
    fn rest_of_several_files_is_named() {
        let mut answer = Answer::new("3 files:");
        for path in ["a.rs", "b.rs", "c.rs"] {
            lines(path, 40)
                .into_iter()
                .for_each(|line| answer.push(line));
        }
        let text = fitted(answer, 500);
        let first = text.lines().next().unwrap();
        assert!(first.starts_with("partial: lines 1-"), "{first}");
        assert!(
            first.contains(" of 40 of b.rs, 1 more files left out; `read` each"),
            "{first}"
        );
    }

    #[test]
    fn limit_of_the_caller_is_a_reason() {
        let mut answer = Answer::new("Lines:");
        lines("a.rs", 9)
            .into_iter()
            .for_each(|line| answer.push(line));
        let text = fitted(answer.most(4), 1000);
        assert!(
            text.starts_with("partial: 5 more than `limit`; raise `limit`\n"),
            "{text}"
        );
        assert!(text.ends_with("4| let value = 4;"), "{text}");
    }
}
