//! Recognises the first line of a log record by its time, its level, or both.

use std::borrow::Cow;

/// Severity of a record, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Every step.
    Trace,
    /// Details for finding a bug.
    Debug,
    /// Normal operation.
    Info,
    /// Normal, but noteworthy operation.
    Notice,
    /// Possible problem.
    Warning,
    /// Failure.
    Error,
    /// Failure that ends the program.
    Critical,
}

impl Severity {
    pub(crate) const COUNT: usize = 7;

    /// All severities, lowest first.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Trace,
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
    ];

    /// Returns the name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
        }
    }
}

const ESCAPE: char = '\u{1b}';

/// Number of bytes at the start of a line that are searched for levels and times.
const HEAD: usize = 160;

const MONTHS: &[&str] = &[
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Removes the terminal colour codes of a line.
pub(crate) fn without_colours(line: &str) -> Cow<'_, str> {
    if !line.contains(ESCAPE) {
        return Cow::Borrowed(line);
    }
    let mut parts = line.split(ESCAPE);
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_code = |c: char| c.is_ascii_digit() || matches!(c, ';' | ':' | '?');
        let rest = part
            .strip_prefix('[')
            .map(|code| code.trim_start_matches(is_code));
        let rest = rest.and_then(|rest| rest.strip_prefix(|c: char| c.is_ascii_alphabetic()));
        bare.push_str(rest.unwrap_or(part));
    }
    Cow::Owned(bare)
}

/// Returns whether a record starts with this line.
pub(crate) fn is_start(line: &str) -> bool {
    let line = head(line);
    let opened = line.trim_start_matches(['[', '<', '(']);
    starts_with_time(opened)
        || kernel_level(line).is_some()
        || is_since_boot(line)
        || is_access(line)
        || leading_level(line).is_some()
}

/// Returns whether a line starts with the seconds since boot: `[    1.234567] usb 1-1: a`.
fn is_since_boot(line: &str) -> bool {
    let Some((seconds, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return false;
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = seconds.trim_start().split_once('.');
    parts.is_some_and(|(whole, part)| digits(whole) && digits(part) && part.len() >= 3)
}

/// Parses the level that a kernel writes before a record, `<6>[    1.234567] a`, as a number of
/// syslog. Higher numbers contain a facility.
fn kernel_level(line: &str) -> Option<Severity> {
    let (number, rest) = line.strip_prefix('<')?.split_once('>')?;
    let number: u32 = number.parse().ok().filter(|number| *number < 192)?;
    let goes_on = is_since_boot(rest) || starts_with_time(rest) || shape(rest, "d ");
    goes_on.then_some(match number % 8 {
        0..=2 => Severity::Critical,
        3 => Severity::Error,
        4 => Severity::Warning,
        5 => Severity::Notice,
        6 => Severity::Info,
        _ => Severity::Debug,
    })
}

/// Returns the severity of a record that starts with this line.
pub(crate) fn severity(line: &str) -> Option<Severity> {
    let line = head(line);
    let is_level = |at: usize, word: &str| {
        let is_shouted = !word.bytes().any(|byte| byte.is_ascii_lowercase());
        is_shouted || is_marked(line, at, word)
    };
    let levels = words(line).filter(|(at, word)| is_level(*at, word));
    let mut levels = levels.filter_map(|(_, word)| of_word(word));
    let leading = leading_level(line).or_else(|| kernel_level(line));
    leading.or_else(|| levels.next())
}

/// Parses the name of a level.
pub(crate) fn of_word(word: &str) -> Option<Severity> {
    Some(match word.to_ascii_lowercase().as_str() {
        "trace" | "verbose" | "finest" => Severity::Trace,
        "debug" | "dbg" | "fine" => Severity::Debug,
        "info" | "information" | "inf" => Severity::Info,
        "notice" => Severity::Notice,
        "warn" | "warning" | "wrn" => Severity::Warning,
        "error" | "err" | "severe" => Severity::Error,
        "fatal" | "critical" | "crit" | "panic" | "emerg" | "alert" | "ftl" => Severity::Critical,
        _ => return None,
    })
}

fn head(line: &str) -> &str {
    &line[..line.floor_char_boundary(HEAD)]
}

/// Returns the words of a line with their positions.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_other = |c: char| !c.is_ascii_alphabetic();
    let mut at = 0;
    line.split_inclusive(is_other).map(move |piece| {
        let start = at;
        at += piece.len();
        (start, piece.trim_end_matches(is_other))
    })
}

/// Returns whether a word is marked as a level: `[info]`, `level=info`, `"severity":"info"`,
/// `info:`.
fn is_marked(line: &str, at: usize, word: &str) -> bool {
    let (before, behind) = (&line[..at], &line[at + word.len()..]);
    let is_boxed = before.ends_with(['[', '<', '|']) && behind.starts_with([']', '>', '|']);
    let key = before.trim_end_matches(['=', ':', '"', ' ']);
    let is_value =
        key.len() < before.len() && (key.ends_with("level") || key.ends_with("severity"));
    is_boxed || is_value || behind.starts_with(": ")
}

/// Parses the level at the start of a line: `[ERROR] a`, `WARN: b`, `E0102 03:04:05`.
fn leading_level(line: &str) -> Option<Severity> {
    let mut letters = line.chars();
    let glog = match letters.next()? {
        'I' => Some(Severity::Info),
        'W' => Some(Severity::Warning),
        'E' => Some(Severity::Error),
        'F' => Some(Severity::Critical),
        _ => None,
    };
    if glog.is_some() && shape(letters.as_str(), "dddd dd:dd:dd") {
        return glog;
    }
    let bare = line.trim_start_matches('[');
    let end = bare.find(|c: char| !c.is_ascii_alphabetic())?;
    let (word, behind) = bare.split_at(end);
    let is_shouted = word.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_boxed = bare.len() < line.len() && behind.starts_with(']');
    let goes_on = behind.starts_with([':', ' ', '\t', '|']);
    let is_level = is_boxed || (is_shouted && goes_on);
    of_word(word).filter(|_| is_level)
}

fn starts_with_time(line: &str) -> bool {
    let is_date = |day: &str| {
        ["dddd-dd-dd", "dddd/dd/dd", "dd/dd/dddd", "dd.dd.dddd"]
            .iter()
            .any(|form| shape(day, form))
    };
    if is_date(line) {
        return line
            .get(10..)
            .is_some_and(|rest| shape(rest.trim_start_matches(['T', ' ', ',']), "dd:dd"));
    }
    let is_syslog = MONTHS.iter().any(|month| line.starts_with(month))
        && line.get(3..).is_some_and(|rest| {
            let rest = rest.trim_start();
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            shape(rest.trim_start(), "dd:dd:dd")
        });
    let is_epoch = shape(line, "dddddddddd") && {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        rest.starts_with([' ', '\t', ']'])
    };
    is_syslog || is_epoch || shape(line, "dd:dd:dd")
}

/// Returns whether a line is an access log entry of a web server: a time in brackets after an
/// address.
fn is_access(line: &str) -> bool {
    let Some((before, time)) = line.split_once(" [") else {
        return false;
    };
    let is_address = before.starts_with(|c: char| c.is_ascii_alphanumeric() || c == ':');
    is_address && shape(time, "dd/") && time.get(3..6).is_some_and(|one| MONTHS.contains(&one))
}

/// Returns whether a line starts with a pattern, in which `d` is a digit.
fn shape(line: &str, form: &str) -> bool {
    let line = line.as_bytes();
    line.len() >= form.len()
        && form.bytes().zip(line).all(|(form, byte)| match form {
            b'd' => byte.is_ascii_digit(),
            form => form == *byte,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<Severity>) {
        assert!(is_start(line), "{line}");
        assert_eq!(severity(line), expected, "{line}");
    }

    #[test]
    fn levels_of_record_starts_are_recognised() {
        use Severity::{Critical, Debug, Error, Info, Notice, Warning};
        check("2026-01-02T03:04:05.678Z ERROR [a] b", Some(Error));
        check("[2026-01-02 03:04:05] app.WARNING: b", Some(Warning));
        check("2026/01/02 03:04:05 [crit] 12#0: b", Some(Critical));
        check("Jan  2 03:04:05 host sshd[1]: a", None);
        check(
            "127.0.0.1 - - [02/Jan/2026:03:04:05 +0000] \"GET /\" 200",
            None,
        );
        check("E0102 03:04:05.678901       1 a.go:12] b", Some(Error));
        check("03:04:05.678 level=debug msg=\"an ERROR\"", Some(Debug));
        check("03:04:05.678 level=debug msg=x", Some(Debug));
        check("1700000000.123 info: b", Some(Info));
        check("[ERROR] a", Some(Error));
        check("INFO: a", Some(Info));
        check("[    0.000000] Linux version 6", None);
        check("[12345.678901] usb 1-1: new device", None);
        check("<5>[    1.234567] random: ready", Some(Notice));
        check("<34>1 2026-01-02T03:04:05Z host app - a", Some(Critical));
        check("2026-01-02 03:04:05 NOTICE a", Some(Notice));
        check("2026/01/02 03:04:05 [notice] 12#0: a", Some(Notice));
        check("2026-01-02 03:04:05 connection error, again", None);
    }

    #[test]
    fn other_lines_do_not_start_a_record() {
        for line in [
            "Traceback (most recent call last):",
            "  at a.b(c)",
            "ERRORS are bad",
            "May be",
            "2026-01-02",
            "[1] a note",
            "<b>bold</b>",
            "é",
        ] {
            assert!(!is_start(line), "{line}");
        }
    }
}
