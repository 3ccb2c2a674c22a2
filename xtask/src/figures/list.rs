//! The list of every figure in README and docs, with its page and its run.

use super::pages::{Page, Written, is_public};
use super::results::Results;

pub(crate) struct Listed {
    pub(crate) table: String,
    pub(crate) count: usize,
}

/// Returns a row for each figure, in the order of the pages.
pub(crate) fn table(pages: &[Page], written: &[Written], results: &Results) -> Listed {
    let mut table = "| page | below | figure | result file | command | date |\n\
                     |---|---|---|---|---|---|\n"
        .to_owned();
    let mut count = 0;
    let public = pages
        .iter()
        .zip(written)
        .filter(|(page, _)| is_public(page));
    for (page, written) in public {
        for figure in &written.figures {
            let file = &figure.file;
            let (command, date) = (results.run(file, "command"), results.run(file, "date"));
            let command = command.replace('|', "\\|");
            table.push_str(&format!(
                "| {} | {} | {} | `{file}` | `{command}` | {date} |\n",
                page.path, figure.heading, figure.what,
            ));
            count += 1;
        }
    }
    Listed { table, count }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::pages::Figure;
    use super::*;

    #[test]
    fn every_figure_has_its_run() {
        let run = json!({"command": "a | b", "date": "2026-11-18"});
        let results = Results::of(&[("a.json", json!({"run": run}))]);
        let page = |path: &str| Page {
            path: path.to_owned(),
            text: String::new(),
        };
        let written = Written {
            figures: vec![Figure {
                what: "0.5 s".to_owned(),
                heading: "Figures".to_owned(),
                file: "a.json".to_owned(),
            }],
            ..Written::default()
        };
        let listed = table(
            &[page("README.md"), page("benchmarks/README.md")],
            &[written.clone(), written],
            &results,
        );
        assert_eq!(listed.count, 1);
        let last = listed.table.lines().last().unwrap();
        assert_eq!(
            last,
            "| README.md | Figures | 0.5 s | `a.json` | `a \\| b` | 2026-11-18 |"
        );
    }
}
