//! Recognises quantities in prose: a number with a unit of measurement, such as `0.5 s`,
//! `20×`, `half a second` or `12,000 queries/s`. It knows nothing of pages and markers.

/// Units of time, speed, memory, shares and ratios.
const UNITS: &[&str] = &[
    "GB/s",
    "MB/s",
    "kB/s",
    "ns",
    "µs",
    "ms",
    "s",
    "nanoseconds",
    "microseconds",
    "milliseconds",
    "second",
    "seconds",
    "minute",
    "minutes",
    "hour",
    "hours",
    "kB",
    "KB",
    "MB",
    "GB",
    "KiB",
    "MiB",
    "GiB",
    "%",
    "per cent",
    "percent",
    "times",
];

/// Ratios that directly follow their number: `3x`, `20×`.
const RATIOS: &[&str] = &["x", "×"];

/// Numbers in words, with the units that follow them in prose.
const NUMBER_WORDS: &[&str] = &[
    "half a", "half an", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "twenty", "thirty", "fifty", "hundred", "thousand", "million",
];
const WORD_UNITS: &[&str] = &[
    "milliseconds",
    "second",
    "seconds",
    "minute",
    "minutes",
    "hour",
    "hours",
    "per cent",
    "percent",
    "times",
];

/// Returns the quantities of a text, each with the byte at which it begins.
pub(crate) fn quantities(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let quantity = match is_start(&text[..at], c) {
            true if c.is_ascii_digit() => in_digits(&text[at..]),
            true => in_words(&text[at..]),
            false => None,
        };
        if let Some((_, shown)) = &quantity {
            found.push((at, shown.clone()));
        }
        let digits = text[at..].find(|c: char| !is_digit(c));
        at += match quantity {
            Some((length, _)) => length,
            None if c.is_ascii_digit() => digits.unwrap_or(text.len() - at),
            None => c.len_utf8(),
        };
    }
    found
}

/// Returns true if a text is a quantity and nothing else.
pub(crate) fn is_whole(text: &str) -> bool {
    let quantity = match text.starts_with(|c: char| c.is_ascii_digit()) {
        true => in_digits(text),
        false => in_words(text),
    };
    quantity.is_some_and(|(length, _)| length == text.len())
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || c == ',' || c == '.'
}

/// Returns true if a number can begin at `c`: not inside of a word, a version or a date.
fn is_start(before: &str, c: char) -> bool {
    let is_inside = |last: char| last.is_alphanumeric() || "._-".contains(last);
    c.is_ascii_alphanumeric() && !before.ends_with(is_inside)
}

/// Returns the length of a quantity at the start of a text, and the quantity as exceptions name it.
fn in_digits(text: &str) -> Option<(usize, String)> {
    let end = text.find(|c: char| !is_digit(c)).unwrap_or(text.len());
    let number = text[..end].trim_end_matches(['.', ',']);
    let behind = &text[number.len()..];
    let is_ratio = |unit: &&&str| {
        let rest = behind.strip_prefix(**unit);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    if let Some(unit) = RATIOS.iter().find(is_ratio) {
        return Some((number.len() + unit.len(), format!("{number} {unit}")));
    }
    let gap = gap(behind);
    let unit = unit(&behind[gap..], UNITS).or_else(|| rate(&behind[gap..]))?;
    let length = number.len() + gap + unit.len();
    Some((length, format!("{number} {}", one_line(unit))))
}

fn in_words(text: &str) -> Option<(usize, String)> {
    let is_word = |word: &&&str| {
        let start = text.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    for word in NUMBER_WORDS.iter().filter(is_word) {
        let behind = &text[word.len()..];
        let gap = gap(behind);
        if gap == 0 {
            continue;
        }
        if let Some(unit) = unit(&behind[gap..], WORD_UNITS) {
            let shown = format!("{} {}", word, one_line(unit));
            return Some((word.len() + gap + unit.len(), shown));
        }
    }
    None
}

/// Returns the length of one space, or of one newline with the spaces around it.
fn gap(text: &str) -> usize {
    let space = |c: char| c == ' ' || c == '\u{a0}';
    let rest = text.trim_start_matches(space);
    let rest = match rest.strip_prefix('\n') {
        Some(next) => next.trim_start_matches(space),
        None => rest,
    };
    text.len() - rest.len()
}

fn unit<'t>(text: &'t str, units: &[&str]) -> Option<&'t str> {
    let unit = units.iter().find(|unit| {
        let rest = text.strip_prefix(**unit);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/'))
    })?;
    Some(&text[..unit.len()])
}

/// Matches a rate of any unit: `queries/s` or `queries per second`.
fn rate(text: &str) -> Option<&str> {
    let word = text
        .find(|c: char| !c.is_ascii_alphabetic())
        .filter(|end| *end > 0)?;
    ["/s", " per second"].into_iter().find_map(|ending| {
        let rest = text[word..].strip_prefix(ending)?;
        let is_end = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/');
        is_end.then_some(&text[..word + ending.len()])
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&str]) {
        let found: Vec<String> = quantities(line).into_iter().map(|(_, one)| one).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn numbers_with_units_are_figures() {
        check(
            "takes 0.29 s, 92 MB and 36 %.",
            &["0.29 s", "92 MB", "36 %"],
        );
        check(
            "1,329 ms; 16 times; 95% of 10 MB/s",
            &["1,329 ms", "16 times", "95 %", "10 MB/s"],
        );
        check(
            "3x faster, 20×, 1.5 GiB in 90 ns, 98 percent.",
            &["3 x", "20 ×", "1.5 GiB", "90 ns", "98 percent"],
        );
        check("2026-11-15, v1.2 s, 3 states, 30 tests, 0x1F", &[]);
        check("up to 5. Second, 1920 x 1080, 3 × 4, x86-64 s", &[]);
    }

    #[test]
    fn rates_are_figures() {
        check("12,000 queries/s.", &["12,000 queries/s"]);
        check("5 files per second", &["5 files per second"]);
        check("the 3 files/sources", &[]);
    }

    #[test]
    fn numbers_in_words_are_figures() {
        check(
            "half a second, or Ten times, or two\n minutes",
            &["half a second", "ten times", "two minutes"],
        );
        check(
            "often times, two minutest, one second-hand",
            &["one second"],
        );
    }

    #[test]
    fn only_a_whole_quantity_is_one() {
        assert!(is_whole("0.5 s") && is_whole("3x") && is_whole("half a second"));
        assert!(!is_whole("-j 5 s") && !is_whole("5 s more") && !is_whole(""));
    }
}
