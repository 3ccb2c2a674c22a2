//! `cargo xtask models`: writes `crates/models/data/models.tsv` from a file like LiteLLM's
//! `model_prices_and_context_window.json`, and prints the changes. `selection.tsv` selects models,
//! `corrections.tsv` corrects them.

mod facts;
mod select;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

const FOLDER: &str = "crates/models/data";
const USAGE: &str = "usage: cargo xtask models --from FILE [--check]";

const HEAD: &str = "\
# The models. Written by `cargo xtask models`, not by hand: see README.md.
# Limits in tokens; input only where it is less than the window.
# prices: for each tier FROM:IN/OUT/READ/WRITE/WRITE-1H, dollars for a million
# tokens; a tier holds for prompts of more than FROM tokens.
#name\twindow\tinput\toutput\tprices\tcache-least\tmodalities\tdeprecated\tsource
";

/// Use of the new table.
enum Mode {
    Write,
    Compare,
}

pub(crate) fn command(root: &Path, arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (file, mode) = match arguments.as_slice() {
        ["--from", file] => (file, Mode::Write),
        ["--from", file, "--check"] => (file, Mode::Compare),
        _ => bail!(USAGE),
    };
    let folder = root.join(FOLDER);
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
    let fresh = rebuild(&folder, &text)?;
    let kept = fs::read_to_string(folder.join("models.tsv")).unwrap_or_default();
    let changes = difference(&kept, &fresh);
    for change in &changes {
        println!("{change}");
    }
    println!(
        "{} models, {} changes",
        table::rows(&fresh).count(),
        changes.len()
    );
    match mode {
        Mode::Write => {
            fs::write(folder.join("models.tsv"), fresh).context("cannot write models.tsv")
        }
        Mode::Compare if changes.is_empty() => Ok(()),
        Mode::Compare => bail!("models.tsv differs from what {file} gives"),
    }
}

fn rebuild(folder: &Path, text: &str) -> Result<String> {
    let entries = serde_json::from_str(text).context("the source is not a JSON object")?;
    let read = |name: &str| {
        fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read {name}"))
    };
    let mut models = select::models(&read("selection.tsv")?, &entries)?;
    facts::correct(&mut models, &read("corrections.tsv")?)?;
    let rows = select::distinct(&models);
    let lines = rows
        .iter()
        .map(|(name, facts)| format!("{name}\t{facts}\n"));
    Ok(HEAD.to_owned() + &lines.collect::<String>())
}

/// Returns one line for each model that was added, removed or changed.
fn difference(old: &str, new: &str) -> Vec<String> {
    let by_name = |text| -> BTreeMap<String, String> {
        let split = |row: Vec<&str>| (row[0].to_owned(), row[1..].join(" "));
        table::rows(text).map(split).collect()
    };
    let (old, new) = (by_name(old), by_name(new));
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    let mut changes: Vec<String> = gone.map(|name| format!("- {name}")).collect();
    for (name, row) in &new {
        match old.get(name) {
            None => changes.push(format!("+ {name} {row}")),
            Some(before) if before != row => {
                changes.push(format!(
                    "~ {name} {before}\n  {} {row}",
                    " ".repeat(name.len())
                ));
            }
            Some(_) => {}
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_names_what_comes_goes_and_changes() {
        let old = "#head\na\t1\nb\t2\nc\t3\n";
        let new = "#head\na\t1\nc\t4\nd\t5\n";
        assert_eq!(difference(old, new), ["- b", "~ c 3\n    4", "+ d 5"]);
    }
}
