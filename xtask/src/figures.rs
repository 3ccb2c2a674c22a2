//! `cargo xtask figures`: writes every measured figure of README and docs from
//! `benchmarks/results/*.json`. It measures nothing; the benchmarks do.

mod format;
mod list;
mod pages;
mod path;
mod quantity;
mod results;
mod templates;
mod unmeasured;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use pages::{Page, Written};
use results::Results;
use templates::Templates;

/// The list of all figures, a table in `benchmarks/README.md`.
pub(crate) const LIST: &str = "all";

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_check = match arguments.as_slice() {
        [] => false,
        ["--check"] => true,
        _ => bail!("usage: cargo xtask figures [--check]"),
    };
    let found = look(root)?;
    for fault in &found.faults {
        println!("{fault}");
    }
    if !is_check {
        for page in &found.stale {
            let target = root.join(&page.path);
            fs::write(&target, &page.fresh)
                .with_context(|| format!("cannot write {}", page.path))?;
            println!("wrote {}", page.path);
        }
    }
    let stale = if is_check { found.stale.len() } else { 0 };
    match stale + found.faults.len() {
        0 => {
            println!("figures: {} in README and docs", found.count);
            Ok(())
        }
        problems => bail!("figures: {problems} problems"),
    }
}

/// Problems with the figures of a checkout.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Pages with outdated figures.
    pub(crate) stale: Vec<StalePage>,
    /// Figures without a result file, and markers that cannot be written.
    pub(crate) faults: Vec<Fault>,
    /// Number of figures in README and docs.
    pub(crate) count: usize,
}

/// A page to rewrite.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StalePage {
    /// From the root of the checkout.
    pub(crate) path: String,
    /// The first line that differs, from 1.
    pub(crate) line: usize,
    fresh: String,
}

/// A problem that a person must solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// From the root of the checkout.
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Returns true if the checkout has result files.
pub(crate) fn exist(root: &Path) -> bool {
    root.join(results::FOLDER).is_dir()
}

/// Compares every page with the result files.
pub(crate) fn look(root: &Path) -> Result<Found> {
    let results = Results::read(root)?;
    let templates = Templates::read(root)?;
    let mut found = Found {
        faults: results.faults(),
        ..Found::default()
    };
    let mut pages = pages::read(root)?;
    let written: Vec<Written> = pages
        .iter()
        .map(|page| pages::write(page, &templates, &results))
        .collect();
    let listed = list::table(&pages, &written, &results);
    found.count = listed.count;
    for (page, written) in pages.iter_mut().zip(written) {
        found.faults.extend(written.faults.clone());
        let fresh = written.text.replace(pages::LIST_PLACE, &listed.table);
        found.faults.extend(unmeasured::check(root, page)?);
        found.stale.extend(stale(page, fresh));
    }
    found.faults.extend(unmeasured::unused(root, &pages)?);
    Ok(found)
}

fn stale(page: &Page, fresh: String) -> Option<StalePage> {
    if page.text == fresh {
        return None;
    }
    let same = page.text.lines().zip(fresh.lines());
    let line = same.take_while(|(old, new)| old == new).count() + 1;
    Some(StalePage {
        path: page.path.clone(),
        line,
        fresh,
    })
}
