//! An answer within a number of tokens, counted on the text that is sent. It says where
//! everything in it comes from, and whether anything is missing.

use loom_host::{Model, PackOptions, SecretsOptions, count};
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
    /// Whether something is left out already.
    is_cut: bool,
}

/// A part of an answer that is shown as a whole or not at all.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    text: String,
    sources: Vec<Source>,
    is_cut: bool,
}

/// A line of a file as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    pub(crate) text: String,
    /// Whether it is longer in the file.
    pub(crate) is_cut: bool,
}

/// Where a piece comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: String,
    /// The first and the last line; none where only the file is named.
    pub(crate) lines: Option<(usize, usize)>,
}

impl Source {
    pub(crate) fn lines(path: impl Into<String>, first: usize, last: usize) -> Self {
        Self {
            path: path.into(),
            lines: Some((first, last)),
        }
    }

    pub(crate) fn file(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            lines: None,
        }
    }

    /// The address by which the piece can be asked for again.
    fn id(&self) -> String {
        match self.lines {
            Some((first, last)) => format!("{}:{first}-{last}", self.path),
            None => self.path.clone(),
        }
    }

    /// Whether `next` begins where this one ends or within it.
    fn goes_on_in(&self, next: &Self) -> bool {
        match (self.lines, next.lines) {
            (Some((first, last)), Some((begin, _))) => {
                self.path == next.path && first <= begin && begin <= last + 1
            }
            _ => false,
        }
    }
}

/// Sources with lines that follow each other as one, each once.
fn joined<'a>(sources: impl Iterator<Item = &'a Source>) -> Vec<Source> {
    let mut joined: Vec<Source> = Vec::new();
    for source in sources {
        let last = joined.last_mut().filter(|last| last.goes_on_in(source));
        if let Some(last) = last {
            let ends = [last.lines, source.lines].into_iter().flatten();
            let end = ends.map(|(_, end)| end).max();
            last.lines = last.lines.zip(end).map(|((first, _), end)| (first, end));
        } else if !joined.contains(source) {
            joined.push(source.clone());
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

impl Piece {
    /// One that begins with this line of ours.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            text,
            ..Self::default()
        }
    }

    pub(crate) fn of(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// A further line, of a file.
    pub(crate) fn quote(&mut self, line: &Quoted) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&line.text);
        self.is_cut |= line.is_cut;
    }
}

impl Answer {
    /// One that begins with a line about what it is.
    pub(crate) fn new(head: impl Into<String>) -> Self {
        Self {
            head: head.into(),
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, piece: Piece) {
        self.pieces.push(piece);
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

    /// Whether something is missing that no piece tells of.
    pub(crate) fn cut(mut self, is_cut: bool) -> Self {
        self.is_cut |= is_cut;
        self
    }

    /// As many pieces as `limit` tokens hold. A text that does not hold even its head
    /// is cut.
    pub(crate) fn fit(mut self, limit: usize, options: &PackOptions) -> Fitted {
        self.clean(&options.secrets);
        let model = &options.model;
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
        let whole = self.text(low);
        let text = cut(&whole, limit, model);
        let shown = &self.pieces[..low];
        let is_cut = self.is_cut
            || low < self.pieces.len()
            || text.len() < whole.len()
            || shown.iter().any(|piece| piece.is_cut);
        let sources = joined(shown.iter().flat_map(|piece| &piece.sources));
        let sources: Vec<Value> = sources.iter().map(|source| json!(source.id())).collect();
        Fitted {
            data: json!({
                // Some clients hand only this on.
                "text": text,
                "tokens": count(text, model).upper(),
                "truncated": is_cut,
                "sources": sources,
            }),
            text: text.to_owned(),
        }
    }

    /// Takes secrets out of names: of folders, files and symbols. Lines of files come
    /// without them.
    fn clean(&mut self, secrets: &SecretsOptions) {
        let names: Vec<&str> = self.texts().flat_map(own_lines).collect();
        let names = names.join("\n");
        if matches!(secrets.cleaned(NAMES, &names), Ok(clean) if clean == names) {
            return;
        }
        let clean = |text: &mut String| {
            let lines = text.split('\n').map(|line| match is_quoted(line) {
                true => line.to_owned(),
                false => cleaned(line, secrets),
            });
            *text = lines.collect::<Vec<_>>().join("\n");
        };
        clean(&mut self.head);
        self.note.iter_mut().for_each(clean);
        for piece in &mut self.pieces {
            clean(&mut piece.text);
            let paths = piece.sources.iter_mut().map(|source| &mut source.path);
            paths.for_each(|path| *path = cleaned(path, secrets));
        }
    }

    /// All that is said.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let pieces = self.pieces.iter().flat_map(|piece| {
            let paths = piece.sources.iter().map(|source| source.path.as_str());
            std::iter::once(piece.text.as_str()).chain(paths)
        });
        let own = std::iter::once(self.head.as_str()).chain(self.note.as_deref());
        own.chain(pieces)
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

/// What names are called where somebody looks for secrets in them.
const NAMES: &str = "(names)";

/// A text of names without secrets.
pub(crate) fn cleaned(text: &str, secrets: &SecretsOptions) -> String {
    let clean = secrets.cleaned(NAMES, text);
    // Where secrets are to stop everything, nothing of the line is told.
    clean.unwrap_or_else(|_| "[REDACTED]".to_owned())
}

/// Whether a line is one of a file: a number, a bar, the text.
fn is_quoted(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with("| ")
}

/// The lines that are not of files.
fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').filter(|line| !is_quoted(line))
}

/// The beginning of a text that fits.
fn cut<'t>(text: &'t str, limit: usize, model: &Model) -> &'t str {
    if count(text, model).upper() <= limit {
        return text;
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let fits = |at: &usize| count(&text[..*at], model).upper() <= limit;
    let mut kept = ends.partition_point(|at| fits(at)).saturating_sub(1);
    while kept > 0 && !fits(&ends[kept]) {
        kept -= 1;
    }
    &text[..ends.get(kept).copied().unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use loom_host::{PackOptions, SecretsMode};

    use super::*;

    fn options() -> PackOptions {
        PackOptions {
            model: loom_host::model("gpt-4o").unwrap().clone(),
            secrets: SecretsOptions::new(SecretsMode::Redact),
            ..PackOptions::default()
        }
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
        let options = options();
        for limit in [1, 5, 20, 50, 100, 1000] {
            let mut answer = Answer::new("Lines with \"x\":").more("Ask for fewer.");
            (0..40).for_each(|at| answer.push(piece(at)));
            let fitted = answer.fit(limit, &options);
            let tokens = count(&fitted.text, &options.model).upper();
            assert!(tokens <= limit, "{tokens} > {limit}");
            assert_eq!(fitted.data["tokens"], tokens);
            assert_eq!(fitted.data["truncated"], limit < 1000);
            if limit >= 100 {
                assert!(tokens * 10 >= limit * 8 || limit == 1000);
                assert!(!fitted.data["sources"].as_array().unwrap().is_empty());
            }
        }
    }

    #[test]
    fn whatever_is_missing_is_said() {
        let truncated = |answer: Answer| answer.fit(1000, &options()).data["truncated"].clone();
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
    fn sources_are_told_once() {
        let sources = [
            Source::lines("a", 1, 2),
            Source::lines("a", 3, 3),
            Source::lines("b", 1, 9),
            Source::lines("b", 4, 5),
            Source::file("c"),
            Source::lines("a", 1, 3),
            Source::file("c"),
        ];
        let ids: Vec<String> = joined(sources.iter()).iter().map(Source::id).collect();
        assert_eq!(ids, ["a:1-3", "b:1-9", "c"]);
    }

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
        answer.push(piece.of(Source::lines(format!("keys/{secret}/a.py"), 1, 1)));
        let fitted = answer.fit(1000, &options());
        // A line of a file comes here as the settings want it.
        let without = fitted.text.replace(&format!("1| {secret}"), "");
        assert!(!without.contains(secret), "{without}");
        assert!(
            !fitted.data["sources"].to_string().contains(secret),
            "{}",
            fitted.data
        );
    }
}
