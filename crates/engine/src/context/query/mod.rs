//! Parses a query or an issue: weighted words, and precise cues such as paths, stack frames, names
//! of definitions and quoted messages. It does not know the repository; other modules resolve the
//! cues.

mod frames;
mod lines;
mod names;
mod paths;
mod phrases;
mod words;

use std::collections::HashMap;

use loom_search::{identifiers, is_stop_word, term_parts_in, terms_in};

pub use frames::Frame;
pub use names::Named;
pub use paths::PathCue;
pub use phrases::Phrase;
pub(super) use phrases::words_of;
pub use words::QueryWord;

use lines::{Line, LineKind};

/// Maximum length: an issue with its log, but not a whole log.
const LONGEST: usize = 64 << 10;

/// Maximum bytes of prose for similarity; later text is detail.
const MEANT: usize = 3000;

/// Maximum number of distinct terms, the heaviest first.
const TERMS: usize = 256;

/// Repeated words saturate: two occurrences do not count twice as much.
const SATURATION: f64 = 4.0;

/// A parsed query.
#[derive(Clone, Debug, Default)]
pub struct ParsedQuery {
    /// Index terms with their weights, the heaviest first.
    pub terms: Vec<(String, f64)>,
    /// Its words as typed, without stop words.
    pub words: Vec<QueryWord>,
    /// Terms of its first line.
    pub title: Vec<String>,
    /// Share of the first line in the whole text: 1 if there is nothing else.
    pub title_share: f64,
    /// Its prose without pasted text, for similarity.
    pub prose: String,
    /// Paths in the text.
    pub paths: Vec<PathCue>,
    /// Stack frames, the innermost first.
    pub frames: Vec<Frame>,
    /// Names of code in the text.
    pub names: Vec<Named>,
    /// Quoted texts: messages and strings.
    pub phrases: Vec<Phrase>,
    /// The name, if the text is a single name.
    pub lone: Option<String>,
}

impl ParsedQuery {
    /// Parses a text.
    pub fn new(text: &str) -> Self {
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let lines = lines::read(text);
        let trace = frames::read(&lines);
        let (title, title_share) = title(&lines, &trace.lines);
        Self {
            terms: terms(&lines, &trace.lines),
            words: words::read(&lines),
            title,
            title_share,
            prose: prose(&lines),
            paths: paths::read(&lines),
            names: names::read(&lines, &trace.lines),
            phrases: phrases::read(&lines),
            lone: lone(text),
            frames: trace.frames,
        }
    }

    /// Returns true if it is about the repository as a whole.
    pub fn is_general(&self) -> bool {
        words::are_general(&self.words)
    }

    /// Returns true if it contains no terms, paths or names.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.paths.is_empty() && self.names.is_empty()
    }
}

/// Returns the weight of the words in a line.
fn weight(line: &Line<'_>) -> f64 {
    match line.kind {
        LineKind::Title => 3.0,
        LineKind::Prose => 1.0,
        LineKind::Code => 0.25,
        LineKind::Output => 0.2,
        LineKind::Environment => 0.1,
        LineKind::Nothing => 0.0,
    }
}

/// Returns the only identifier of a text that contains nothing else.
fn lone(text: &str) -> Option<String> {
    let bare = text.trim().trim_matches('`').trim_end_matches("()");
    let last = bare.rsplit(['.', ':', '#']).next()?;
    let is_name = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
    let is_one = bare.len() < 200 && !bare.contains(char::is_whitespace);
    (is_one && last.chars().count() > 1 && last.chars().all(is_name)).then(|| last.to_owned())
}

/// Repeats the title three times and adds the first lines of prose.
fn prose(lines: &[Line<'_>]) -> String {
    let mut prose = String::new();
    for line in lines.iter().filter(|line| line.kind.is_words()) {
        let times = if line.kind == LineKind::Title { 3 } else { 1 };
        for _ in 0..times {
            prose.push_str(line.text);
            prose.push('\n');
        }
        if prose.len() > MEANT {
            break;
        }
    }
    prose
}

/// Returns the terms of the title, and their share of the weight of all words.
fn title(lines: &[Line<'_>], in_trace: &[bool]) -> (Vec<String>, f64) {
    let (mut title, mut own, mut all) = (Vec::new(), 0.0, 0.0);
    for (at, line) in lines.iter().enumerate() {
        if in_trace.get(at) == Some(&true) {
            continue;
        }
        for word in identifiers(line.text) {
            if is_stop_word(&word.to_lowercase()) {
                continue;
            }
            all += weight(line);
            if line.kind == LineKind::Title {
                own += weight(line);
                term_parts_in(word, |term| title.push(term.to_owned()));
            }
        }
    }
    title.sort_unstable();
    title.dedup();
    (title, if all > 0.0 { own / all } else { 0.0 })
}

fn terms(lines: &[Line<'_>], in_trace: &[bool]) -> Vec<(String, f64)> {
    let mut sums: HashMap<String, f64> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let weight = match in_trace.get(at) {
            Some(true) => 0.2,
            _ => weight(line),
        };
        if weight == 0.0 {
            continue;
        }
        for (text, is_code) in names::spans(line.text) {
            let weight = match is_code && line.kind.is_words() {
                true => weight * 1.5,
                false => weight,
            };
            add(text, weight, is_code, &mut sums);
        }
    }
    let mut terms: Vec<(String, f64)> = sums
        .into_iter()
        .map(|(term, sum)| (term, sum * (SATURATION + 1.0) / (sum + SATURATION)))
        .collect();
    terms.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    terms.truncate(TERMS);
    terms
}

fn add(text: &str, weight: f64, is_code: bool, sums: &mut HashMap<String, f64>) {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    for word in text.split(|c: char| !is_part(c)) {
        if word.is_empty() || (!is_code && is_stop_word(&word.to_lowercase())) {
            continue;
        }
        // Words that every report has count little, but not zero.
        let is_stale = STALE.iter().any(|one| word.eq_ignore_ascii_case(one));
        let weight = if is_stale { weight * 0.3 } else { weight };
        terms_in(word, |term| {
            *sums.entry(term.to_owned()).or_default() += weight;
        });
    }
}

/// Words typical of reports rather than of their subject.
const STALE: &[&str] = &[
    "actual",
    "behavior",
    "behaviour",
    "bug",
    "code",
    "current",
    "describe",
    "example",
    "expected",
    "feature",
    "fix",
    "happens",
    "however",
    "issue",
    "problem",
    "repro",
    "reproduce",
    "report",
    "result",
    "see",
    "seems",
    "steps",
    "support",
    "think",
    "try",
    "trying",
    "version",
    "want",
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_title_counts_most() {
        let query = ParsedQuery::new("Retry fails\n\nWhen the `HttpClient` is closed.");
        let weight = |term: &str| {
            let found = query.terms.iter().find(|(one, _)| one == term);
            found.map_or(0.0, |(_, weight)| *weight)
        };
        assert!(weight("retri") > weight("client") && weight("client") > weight("clos"));
        assert!(query.names.iter().any(|one| one.name == "HttpClient"));
        assert!(ParsedQuery::new("").is_empty());
        assert!(ParsedQuery::new("the of and").is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(\\PC|\n|`|\"|/|:){0,200}") {
            let query = ParsedQuery::new(&text);
            prop_assert!(query.terms.iter().all(|(term, weight)| !term.is_empty() && *weight > 0.0));
        }
    }
}
