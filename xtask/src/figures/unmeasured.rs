//! Figures outside the markers: each needs a result file, or a line in `benchmarks/unmeasured.txt`
//! with a reason. Code blocks are skipped; `quantity.rs` recognises figures.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Fault;
use super::pages::{Page, is_public};
use super::quantity::{self, quantities};

pub(crate) const FILE: &str = "benchmarks/unmeasured.txt";

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

/// Returns the figures of a page without a result file.
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

/// Returns exceptions that no page needs.
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

/// Returns figures with their lines, outside code and markers. The unit may be on the line after
/// its number.
fn measured(text: &str) -> Vec<(usize, String)> {
    let mut prose = String::new();
    let (mut is_code, mut is_table) = (false, false);
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            is_code = !is_code;
        }
        if trimmed.starts_with("<!-- figures: ") {
            is_table = true;
        }
        if !is_code && !is_table {
            prose.push_str(&without_code(line));
        }
        prose.push('\n');
        if trimmed.starts_with("<!-- /figures -->") {
            is_table = false;
        }
    }
    let line = |at: usize| prose[..at].matches('\n').count() + 1;
    let found = quantities(&prose).into_iter();
    found.map(|(at, figure)| (line(at), figure)).collect()
}

/// Removes code and marked figures from a line. Keeps code that is a figure, because backticks do
/// not change its meaning.
fn without_code(line: &str) -> String {
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
    let bare = spans.map(|(at, part)| match at % 2 {
        1 if !quantity::is_whole(part) => "",
        _ => part,
    });
    bare.collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_markers_are_not_read() {
        let text = "a 5 s\n```\n6 s\n```\n`-j 7 s` and <!-- figure: a | b:s -->8 s<!-- /figure -->\n\
                    <!-- figures: t -->\n| 9 s |\n<!-- /figures -->\n10 s\n";
        assert_eq!(
            measured(text),
            [(1, "5 s".to_owned()), (9, "10 s".to_owned())]
        );
    }

    #[test]
    fn figure_may_be_code_or_continue_on_the_next_line() {
        assert_eq!(measured("takes `0.5 s`\n"), [(1, "0.5 s".to_owned())]);
        assert_eq!(measured("all in 12\n  ms\n"), [(1, "12 ms".to_owned())]);
        assert_eq!(measured("all of 12\n\ns\n"), []);
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
