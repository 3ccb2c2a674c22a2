//! The pages with figures, and the markers around each of them:
//!
//! ```text
//! <!-- figures: pack.cold -->
//! …a table…
//! <!-- /figures -->
//!
//! … takes <!-- figure: pack.json | trees[0].wall_s:s -->0.288 s<!-- /figure --> …
//! ```

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::results::Results;
use super::templates::{Templates, expression};
use super::{Fault, LIST};

const TABLE: &str = "<!-- figures: ";
const TABLE_END: &str = "<!-- /figures -->";
const INLINE: &str = "<!-- figure: ";
const INLINE_END: &str = "<!-- /figure -->";
const CLOSE: &str = " -->";

/// Placeholder for the list of all figures until it is complete.
pub(crate) const LIST_PLACE: &str = "\u{0}the list\u{0}";

/// A page of Markdown.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// From the root of the checkout.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A page with current figures.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) figures: Vec<Figure>,
    pub(crate) faults: Vec<Fault>,
}

/// A table or a figure in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    /// The name of the table, or the figure itself.
    pub(crate) what: String,
    /// The heading above it.
    pub(crate) heading: String,
    /// The result file.
    pub(crate) file: String,
}

/// Reads `README.md`, `benchmarks/README.md` and the hand-written pages of `docs`.
pub(crate) fn read(root: &Path) -> Result<Vec<Page>> {
    let mut paths = vec!["README.md".to_owned(), "benchmarks/README.md".to_owned()];
    for folder in ["docs", "docs/concepts", "docs/guides"] {
        let Ok(entries) = fs::read_dir(root.join(folder)) else {
            continue;
        };
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                paths.push(format!("{folder}/{name}"));
            }
        }
    }
    paths.sort();
    let mut pages = Vec::new();
    for path in paths {
        match fs::read_to_string(root.join(&path)) {
            Ok(text) => pages.push(Page { path, text }),
            Err(_) if !root.join(&path).exists() => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read {path}")),
        }
    }
    Ok(pages)
}

/// Returns true if all figures of a page need a result file.
pub(crate) fn is_public(page: &Page) -> bool {
    !page.path.starts_with("benchmarks/")
}

/// Updates the figures of a page.
pub(crate) fn write(page: &Page, templates: &Templates, results: &Results) -> Written {
    let mut written = Written::default();
    let mut rest = page.text.as_str();
    while let Some((at, is_table)) = next(rest) {
        let (before, marked) = rest.split_at(at);
        written.text.push_str(before);
        let line = written.text.lines().count() + 1;
        match figure(marked, is_table, templates, results) {
            Ok(one) => {
                written.text.push_str(&one.text);
                written.figures.push(Figure {
                    what: one.what,
                    heading: heading(&written.text),
                    file: one.file,
                });
                rest = one.rest;
            }
            Err(error) => {
                written.faults.push(Fault {
                    path: page.path.clone(),
                    line,
                    what: format!("{error:#}"),
                });
                let open = if is_table { TABLE } else { INLINE };
                let (opening, behind) = marked.split_at(open.len());
                written.text.push_str(opening);
                rest = behind;
            }
        }
    }
    written.text.push_str(rest);
    written
}

/// Returns the next marker, and true if a table follows it.
fn next(text: &str) -> Option<(usize, bool)> {
    // A marker after a backtick is an example in the text.
    let place = |marker: &str| {
        let mut places = text.match_indices(marker).map(|(at, _)| at);
        places.find(|at| !text[..*at].ends_with('`'))
    };
    let table = place(TABLE).map(|at| (at, true));
    let inline = place(INLINE).map(|at| (at, false));
    table.into_iter().chain(inline).min()
}

struct One<'p> {
    text: String,
    what: String,
    file: String,
    rest: &'p str,
}

fn figure<'p>(
    marked: &'p str,
    is_table: bool,
    templates: &Templates,
    results: &Results,
) -> Result<One<'p>> {
    let (open, end) = match is_table {
        true => (TABLE, TABLE_END),
        false => (INLINE, INLINE_END),
    };
    let inside = &marked[open.len()..];
    let (inside, behind) = inside.split_once(CLOSE).context("a marker is not closed")?;
    let (old, rest) = behind
        .split_once(end)
        .with_context(|| format!("no {end} follows"))?;
    if old.contains(open) {
        bail!("no {end} follows `{inside}`");
    }
    let (fresh, what, file) = match inside.split_once(" | ") {
        _ if is_table && inside == LIST => {
            (format!("\n{LIST_PLACE}"), String::new(), String::new())
        }
        _ if is_table => {
            let template = templates.get(inside)?;
            let table = template.write(results);
            let table = table.with_context(|| format!("the table `{inside}`"))?;
            (
                format!("\n{table}"),
                format!("table `{inside}`"),
                template.file.clone(),
            )
        }
        Some((file, what)) => {
            let value = results.get(file)?;
            let text = expression(what, value, value)?;
            (text.clone(), text, file.to_owned())
        }
        None => bail!("`{inside}` names no result file and value"),
    };
    Ok(One {
        text: format!("{open}{inside}{CLOSE}{fresh}{end}"),
        what,
        file,
        rest,
    })
}

/// Returns the last heading of a text.
fn heading(text: &str) -> String {
    let mut is_code = false;
    let mut last = "";
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with('#') {
            last = line.trim_start_matches('#').trim();
        }
    }
    last.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(text: &str, expected: &str, faults: &[&str]) -> Vec<Figure> {
        let results = Results::of(&[("a.json", json!({"s": 0.5, "rows": [{"n": 1}]}))]);
        let templates = Templates::parse("== t a.json rows\n| n |\n|---|\n* | {n} |\n").unwrap();
        let page = Page {
            path: "README.md".to_owned(),
            text: text.to_owned(),
        };
        let written = write(&page, &templates, &results);
        assert_eq!(written.text, expected);
        let shown: Vec<String> = written.faults.iter().map(Fault::to_string).collect();
        assert_eq!(shown, faults);
        written.figures
    }

    #[test]
    fn tables_and_figures_are_written_between_their_markers() {
        let figures = check(
            "# A\n<!-- figures: t -->\nold\n<!-- /figures -->\ntakes <!-- figure: a.json | s:s -->1 s<!-- /figure -->.\n",
            "# A\n<!-- figures: t -->\n| n |\n|---|\n| 1 |\n<!-- /figures -->\ntakes <!-- figure: a.json | s:s -->0.500 s<!-- /figure -->.\n",
            &[],
        );
        assert_eq!(figures[0].what, "table `t`");
        assert_eq!(
            (figures[1].what.as_str(), figures[1].heading.as_str()),
            ("0.500 s", "A")
        );
    }

    #[test]
    fn marker_that_cannot_be_written_is_a_fault() {
        let text = "a\n<!-- figures: none -->\n<!-- /figures -->\n";
        check(
            text,
            text,
            &["README.md:2: benchmarks/figures.txt has no table `none`"],
        );
        let text = "<!-- figure: a.json | x:s -->1 s<!-- /figure -->";
        check(text, text, &["README.md:1: nothing is at `x`"]);
        let text = "`<!-- figures: none -->` begins a table\n";
        check(text, text, &[]);
        let text = "<!-- figures: t -->\n";
        check(text, text, &["README.md:1: no <!-- /figures --> follows"]);
    }
}
