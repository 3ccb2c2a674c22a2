//! Numbers with a unit of measurement that stand outside of the markers: each needs a
//! result file, or a line in `benchmarks/unmeasured.txt` with the reason why it has none.
//! Code and its blocks are not read.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Fault;
use super::pages::{Page, is_public};

pub(crate) const FILE: &str = "benchmarks/unmeasured.txt";

/// What is measured: time, speed, memory, shares and ratios. `MiB` and `KiB` are sizes
/// that the code fixes.
const UNITS: &[&str] = &[
    "GB/s", "MB/s", "ms", "µs", "s", "second", "seconds", "minute", "minutes", "hours", "kB", "KB",
    "MB", "GB", "%", "per cent", "times",
];

/// A line of the file: `PAGE | FIGURE | REASON`.
struct Exception {
    page: String,
    figure: String,
}

fn exceptions(root: &Path) -> Result<Vec<Exception>> {
    let path = root.join(FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {FILE}"))?;
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let parsed = lines.map(|line| {
        let mut parts = line.splitn(3, " | ").map(str::trim);
        let (page, figure, reason) = (parts.next(), parts.next(), parts.next());
        let (Some(page), Some(figure), Some(_)) =
            (page, figure, reason.filter(|it| !it.is_empty()))
        else {
            anyhow::bail!("{FILE}: `{line}` has no page, figure and reason");
        };
        Ok(Exception {
            page: page.to_owned(),
            figure: figure.to_owned(),
        })
    });
    parsed.collect()
}

/// The figures of a page without a result file.
pub(crate) fn check(root: &Path, page: &Page) -> Result<Vec<Fault>> {
    if !is_public(page) {
        return Ok(Vec::new());
    }
    let exceptions = exceptions(root)?;
    let is_excepted = |figure: &str| {
        let mut own = exceptions.iter().filter(|one| one.page == page.path);
        own.any(|one| one.figure == figure)
    };
    let found = measured(&page.text).into_iter();
    let found = found.filter(|(_, figure)| !is_excepted(figure));
    let fault = |(line, figure)| Fault {
        path: page.path.clone(),
        line,
        what: format!(
            "the figure `{figure}` has no result file: take it from one, or give a reason in {FILE}"
        ),
    };
    Ok(found.map(fault).collect())
}

/// Exceptions that no page needs.
pub(crate) fn unused(root: &Path, pages: &[Page]) -> Result<Vec<Fault>> {
    let used: HashSet<(String, String)> = pages
        .iter()
        .flat_map(|page| {
            let figures = measured(&page.text).into_iter();
            figures.map(|(_, figure)| (page.path.clone(), figure))
        })
        .collect();
    let unused = exceptions(root)?
        .into_iter()
        .filter(|one| !used.contains(&(one.page.clone(), one.figure.clone())));
    let fault = |one: Exception| Fault {
        path: FILE.to_owned(),
        line: 1,
        what: format!(
            "{} has no figure `{}`: remove the line",
            one.page, one.figure
        ),
    };
    Ok(unused.map(fault).collect())
}

/// Numbers with units, each with its line, outside of code and markers.
fn measured(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut is_code, mut is_table) = (false, false);
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            is_code = !is_code;
        }
        if trimmed.starts_with("<!-- figures: ") {
            is_table = true;
        }
        if !is_code && !is_table {
            let figures = figures(&bare(line));
            found.extend(figures.into_iter().map(|figure| (at + 1, figure)));
        }
        if trimmed.starts_with("<!-- /figures -->") {
            is_table = false;
        }
    }
    found
}

/// A line without code and without figures in markers.
fn bare(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, marked)) = rest.split_once("<!-- figure: ") {
        out.push_str(before);
        rest = marked
            .split_once("<!-- /figure -->")
            .map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    let spans = out.split('`').enumerate();
    let bare = spans.map(|(at, part)| if at % 2 == 0 { part } else { "" });
    bare.collect::<Vec<_>>().join("`")
}

/// `2.5 seconds` and the like in a line.
fn figures(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let mut at = 0;
    while at < chars.len() {
        let starts = chars[at].1.is_ascii_digit()
            && (at == 0 || !(chars[at - 1].1.is_alphanumeric() || "._-".contains(chars[at - 1].1)));
        if !starts {
            at += 1;
            continue;
        }
        let is_number = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
        let mut end = at;
        while end < chars.len() && is_number(chars[end].1) {
            end += 1;
        }
        let byte = |at: usize| chars.get(at).map_or(line.len(), |(byte, _)| *byte);
        let number = line[byte(at)..byte(end)].trim_end_matches(['.', ',']);
        let behind = &line[byte(at) + number.len()..];
        let unit = behind.strip_prefix([' ', '\u{a0}']).unwrap_or(behind);
        if let Some(unit) = UNITS.iter().find(|one| is_unit(unit, one)) {
            found.push(format!("{number} {unit}"));
        }
        at = end.max(at + 1);
    }
    found
}

fn is_unit(text: &str, unit: &str) -> bool {
    text.strip_prefix(unit)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units_are_figures() {
        let check = |line: &str, expected: &[&str]| assert_eq!(figures(line), expected, "{line}");
        check(
            "takes 0.29 s, 92 MB and 36 %.",
            &["0.29 s", "92 MB", "36 %"],
        );
        check(
            "1,329 ms; 16 times; 95% of 10 MB/s",
            &["1,329 ms", "16 times", "95 %", "10 MB/s"],
        );
        check("at most 1 MiB, 2026-11-15, v1.2 s, 3 states, 30 tests", &[]);
        check("up to 5. Second", &[]);
    }

    #[test]
    fn code_and_markers_are_not_read() {
        let text = "a 5 s\n```\n6 s\n```\n`7 s` and <!-- figure: a | b:s -->8 s<!-- /figure -->\n\
                    <!-- figures: t -->\n| 9 s |\n<!-- /figures -->\n10 s\n";
        assert_eq!(
            measured(text),
            [(1, "5 s".to_owned()), (9, "10 s".to_owned())]
        );
    }

    #[test]
    fn exception_needs_a_reason_and_a_figure() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("benchmarks")).unwrap();
        let page = Page {
            path: "README.md".to_owned(),
            text: "waits 5 s, then 6 s\n".to_owned(),
        };
        let write = |text: &str| fs::write(root.path().join(FILE), text).unwrap();
        write("# why\nREADME.md | 5 s | a limit in the code\nREADME.md | 7 s | a limit\n");
        let shown =
            |faults: Vec<Fault>| -> Vec<String> { faults.iter().map(Fault::to_string).collect() };
        assert_eq!(
            shown(check(root.path(), &page).unwrap()),
            [
                "README.md:1: the figure `6 s` has no result file: take it from one, or give a reason in benchmarks/unmeasured.txt"
            ]
        );
        assert_eq!(
            shown(unused(root.path(), std::slice::from_ref(&page)).unwrap()),
            ["benchmarks/unmeasured.txt:1: README.md has no figure `7 s`: remove the line"]
        );
        write("README.md | 5 s |\n");
        assert!(check(root.path(), &page).is_err());
    }
}
