//! An answer within a number of tokens, counted on the text that is sent.

use loom_host::{Model, count};
use serde_json::{Value, json};

/// Pieces of an answer, the most important first, with what stands around them.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    head: String,
    pieces: Vec<Piece>,
    /// What is said when pieces are left out.
    more: String,
    /// What is said in any case, at the end.
    note: Option<String>,
}

#[derive(Debug)]
struct Piece {
    text: String,
    source: Option<Source>,
}

/// Where a piece comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) lines: (usize, usize),
}

impl Source {
    /// The address by which the piece can be asked for again.
    fn id(&self) -> String {
        let (first, last) = self.lines;
        format!("{}:{first}-{last}", self.path)
    }
}

/// Sources with lines that follow each other as one.
fn joined<'a>(sources: impl Iterator<Item = &'a Source>) -> Vec<Source> {
    let mut joined: Vec<Source> = Vec::new();
    for source in sources {
        match joined.last_mut() {
            Some(last) if last.path == source.path && last.lines.1 + 1 == source.lines.0 => {
                last.lines.1 = source.lines.1;
            }
            _ => joined.push(source.clone()),
        }
    }
    joined
}

/// An answer that keeps its limit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fitted {
    pub(crate) text: String,
    pub(crate) data: Value,
}

impl Answer {
    /// One that begins with a line about what it is.
    pub(crate) fn new(head: impl Into<String>) -> Self {
        Self {
            head: head.into(),
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, text: impl Into<String>, source: Option<Source>) {
        let text = text.into();
        self.pieces.push(Piece { text, source });
    }

    /// How to get what is left out.
    pub(crate) fn more(mut self, how: impl Into<String>) -> Self {
        self.more = how.into();
        self
    }

    pub(crate) fn note(mut self, note: Option<String>) -> Self {
        self.note = note;
        self
    }

    /// As many pieces as `limit` tokens hold. A text that does not hold even its head
    /// is cut.
    pub(crate) fn fit(self, limit: usize, model: &Model) -> Fitted {
        let tokens = |kept: usize| count(&self.text(kept), model).upper();
        // The largest number that fits; nearly monotonous, so what is found is checked.
        let (mut low, mut high) = (0, self.pieces.len());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match tokens(middle) <= limit {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        while low > 0 && tokens(low) > limit {
            low -= 1;
        }
        let text = cut(self.text(low), limit, model);
        let sources = self.pieces[..low].iter();
        let sources = joined(sources.filter_map(|piece| piece.source.as_ref()));
        let sources: Vec<Value> = sources.iter().map(|source| json!(source.id())).collect();
        Fitted {
            data: json!({
                // Some clients hand only this on.
                "text": text,
                "tokens": count(&text, model).upper(),
                "truncated": low < self.pieces.len(),
                "sources": sources,
            }),
            text,
        }
    }

    fn text(&self, kept: usize) -> String {
        let mut text = self.head.clone();
        for piece in &self.pieces[..kept] {
            text.push('\n');
            text.push_str(&piece.text);
        }
        let left = self.pieces.len() - kept;
        if left > 0 {
            text.push_str(&format!("\n({left} more left out. {})", self.more));
        }
        if let Some(note) = &self.note {
            text.push('\n');
            text.push_str(note);
        }
        text
    }
}

/// The beginning of a text that fits.
fn cut(text: String, limit: usize, model: &Model) -> String {
    if count(&text, model).upper() <= limit {
        return text;
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let fits = |at: &usize| count(&text[..*at], model).upper() <= limit;
    let mut kept = ends.partition_point(|at| fits(at)).saturating_sub(1);
    while kept > 0 && !fits(&ends[kept]) {
        kept -= 1;
    }
    text[..ends.get(kept).copied().unwrap_or(0)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        loom_host::model("gpt-4o").unwrap().clone()
    }

    #[test]
    fn every_limit_is_kept_and_what_is_left_out_is_told() {
        let model = model();
        for limit in [1, 5, 20, 50, 100, 1000] {
            let mut answer = Answer::new("Lines with \"x\":").more("Ask for fewer.");
            for at in 0..40 {
                let source = Source {
                    path: format!("src/{at}.rs"),
                    lines: (at, at + 1),
                };
                answer.push(format!("src/{at}.rs\n  {at}| let x = {at};"), Some(source));
            }
            let fitted = answer.fit(limit, &model);
            let tokens = count(&fitted.text, &model).upper();
            assert!(tokens <= limit, "{tokens} > {limit}");
            assert_eq!(fitted.data["tokens"], tokens);
            assert_eq!(fitted.data["truncated"], limit < 1000);
            if limit >= 100 {
                assert!(tokens * 10 >= limit * 8 || limit == 1000);
                assert!(!fitted.data["sources"].as_array().unwrap().is_empty());
            }
        }
    }
}
