//! Records of a log and their severities. `log_record` recognises the first line of a record.

use std::ops::Range;

use serde_json::Value;

use crate::line_starts::LineStarts;
use crate::log_record::{Severity, is_start, severity, without_colours};

/// Number of records of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Severities([usize; Severity::COUNT]);

impl Severities {
    /// Creates severities from counts.
    pub fn from_counts(counts: impl IntoIterator<Item = (Severity, usize)>) -> Self {
        let mut all = Self::default();
        for (severity, count) in counts {
            all.0[severity as usize] = count;
        }
        all
    }

    pub(crate) fn from_severities(severities: impl Iterator<Item = Severity>) -> Self {
        let mut counts = Self::default();
        severities.for_each(|one| counts.0[one as usize] += 1);
        counts
    }

    /// Returns the highest severity.
    pub fn highest(&self) -> Option<Severity> {
        let mut all = Severity::ALL.into_iter().rev();
        all.find(|one| self.0[*one as usize] > 0)
    }

    /// Returns the number of records of each severity that occurs, lowest first.
    pub fn counts(&self) -> impl Iterator<Item = (Severity, usize)> {
        let all = Severity::ALL.into_iter().zip(self.0);
        all.filter(|(_, count)| *count > 0)
    }
}

/// Log record: its first line and the lines that continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) range: Range<usize>,
    pub(crate) severity: Option<Severity>,
}

/// Reason to treat a text as a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// The name of the file says that it is a log.
    Named,
    /// The contents decide.
    Guessed,
}

/// Number of lines that are checked to decide whether a text is a log.
const SAMPLE: usize = 64;

/// Minimum number of lines of a log, unless its name says that it is one.
const FEW: usize = 4;

/// Returns the records of a text, if it is a log.
pub(crate) fn records(text: &str, lines: &LineStarts, certainty: Certainty) -> Option<Vec<Record>> {
    let of = |line: Range<usize>| without_colours(&text[line]);
    let sample = lines.within(0..text.len()).map(of);
    let sample = sample.filter(|line| !line.trim().is_empty() && !line.starts_with([' ', '\t']));
    let sample: Vec<_> = sample.take(SAMPLE).collect();
    let dated = sample.iter().filter(|line| starts_record(line)).count();
    let is_log = match certainty {
        Certainty::Named => true,
        Certainty::Guessed => sample.len() >= FEW && 10 * dated >= 6 * sample.len(),
    };
    if !is_log {
        return None;
    }
    // In a log without times, each line without indentation is a record.
    let starts = |line: &str| match dated {
        0 => !line.trim().is_empty() && !line.starts_with([' ', '\t']),
        _ => starts_record(line),
    };
    let mut records: Vec<Record> = Vec::new();
    for line in lines.within(0..text.len()) {
        let words = of(line.clone());
        match records.last_mut() {
            Some(last) if !starts(&words) => last.range.end = line.end,
            _ => records.push(Record {
                range: line,
                severity: json_severity(&words).or_else(|| severity(&words)),
            }),
        }
    }
    Some(records)
}

fn starts_record(line: &str) -> bool {
    is_start(line) || json_severity(line).is_some()
}

/// Returns the level of a JSON record, as a word or as a number of bunyan and pino.
fn json_severity(line: &str) -> Option<Severity> {
    if !line.starts_with('{') {
        return None;
    }
    let value: Value = serde_json::from_str(line).ok()?;
    let keys = ["level", "severity", "lvl", "levelname", "log.level"].iter();
    let mut levels = keys.filter_map(|key| value.get(key));
    let level = levels.next()?;
    match level.as_u64() {
        Some(number) => [
            (60, Severity::Critical),
            (50, Severity::Error),
            (40, Severity::Warning),
            (30, Severity::Info),
            (20, Severity::Debug),
            (10, Severity::Trace),
        ]
        .into_iter()
        .find_map(|(least, severity)| (number >= least).then_some(severity)),
        None => crate::log_record::of_word(level.as_str()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, certainty: Certainty, expected: &[&str]) {
        let found = records(text, &LineStarts::new(text), certainty).unwrap_or_default();
        let actual = found.into_iter().map(|record| {
            let severity = record.severity.map_or("-", Severity::name);
            format!("{severity}|{}", &text[record.range])
        });
        assert_eq!(actual.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn stack_traces_belong_to_their_record() {
        let error = "2026-01-02 03:04:06,001 ERROR a: failed\nTraceback (most recent call last):\n  File \"x\"\nValueError: b\n";
        let info = "2026-01-02 03:04:05,000 INFO a: begun\n";
        check(
            &format!("{info}{error}{info}"),
            Certainty::Named,
            &[
                &format!("info|{info}"),
                &format!("error|{error}"),
                &format!("info|{info}"),
            ],
        );
    }

    #[test]
    fn json_lines_are_records() {
        let text = "{\"level\":50,\"time\":1}\n{\"level\":\"warn\"}\n{\"level\":\"info\"}\n{\"level\":\"info\"}\n";
        let expected = [
            "error|{\"level\":50,\"time\":1}\n",
            "warning|{\"level\":\"warn\"}\n",
            "info|{\"level\":\"info\"}\n",
            "info|{\"level\":\"info\"}\n",
        ];
        check(text, Certainty::Guessed, &expected);
    }

    #[test]
    fn other_texts_are_no_logs() {
        check("a\nb\nc\nd\ne\n", Certainty::Guessed, &[]);
        check("a\n b\nc\n", Certainty::Named, &["-|a\n b\n", "-|c\n"]);
        check("2026-01-02 10:00 lunch\n", Certainty::Guessed, &[]);
    }

    #[test]
    fn colour_codes_are_ignored() {
        let one = "\u{1b}[2m2026-01-02T03:04:05Z\u{1b}[0m \u{1b}[32m INFO\u{1b}[0m a: b\n";
        let two = "\u{1b}[31;1mERROR\u{1b}[0m a\n";
        let text = format!("{one}{two}{one}{two}");
        let (one, two) = (format!("info|{one}"), format!("error|{two}"));
        check(&text, Certainty::Guessed, &[&one, &two, &one, &two]);
    }

    #[test]
    fn severities_are_counted() {
        use Severity::{Error, Info};
        let found = Severities::from_severities([Info, Error, Info].into_iter());
        assert_eq!(found.highest(), Some(Error));
        let counts: Vec<_> = found.counts().collect();
        assert_eq!(counts, [(Info, 2), (Error, 1)]);
        assert_eq!(Severities::default().highest(), None);
    }
}
