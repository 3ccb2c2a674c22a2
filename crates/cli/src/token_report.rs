//! The distribution of tokens, for people: models side by side, the largest files, and a tree with
//! bars.

use std::fmt::Write;

use loom_wire::{ModelTokens, TokensInfo, TreeInfo};

use super::numbers::number;
use super::ui::Ui;

/// Width of a full bar in characters.
const BAR: usize = 20;
/// Width of a column of figures in characters.
const COLUMN: usize = 11;

/// Formats one line for each model.
pub(super) fn models(answer: &TokensInfo, wants_cost: bool, ui: Ui) -> String {
    let lines = answer.models.iter();
    let lines: Vec<_> = lines.map(|model| (model, band(model))).collect();
    let names = lines.iter().map(|(model, _)| model.model.len());
    let bands = lines.iter().map(|(_, band)| band.len());
    let (names, bands) = (names.max().unwrap_or(0), bands.max().unwrap_or(0));
    let mut out = String::new();
    for (model, band) in lines {
        let _ = write!(
            out,
            "{:<names$}  {} tokens  ",
            model.model,
            ui.bold(&format!("{:>12}", about(model))),
        );
        if bands > 0 {
            let up_to = if band.is_empty() { "" } else { "up to" };
            let _ = write!(out, "{band:<bands$}  {up_to:<5} ");
        }
        let _ = write!(
            out,
            "{:>6.1}% of {:>9}  {}",
            // Of what has to fit the upper end counts.
            100.0 * model.total_tokens_upper as f64 / model.prompt_limit.max(1) as f64,
            number(model.prompt_limit),
            ui.dim(&how(model))
        );
        if wants_cost {
            let cost = model.cost.map_or("price unknown".to_owned(), dollars);
            let sign = sign(model.estimated && model.cost.is_some());
            let _ = write!(out, "  {sign}{cost}");
        }
        out.push('\n');
    }
    out
}

/// Formats the range of an estimate.
fn band(model: &ModelTokens) -> String {
    if !model.estimated {
        return String::new();
    }
    let (lower, upper) = (model.total_tokens_lower, model.total_tokens_upper);
    format!("({} to {})", number(lower), number(upper))
}

/// Returns the prefix of an estimate.
fn sign(is_estimate: bool) -> &'static str {
    if is_estimate { "~" } else { "" }
}

/// Describes how the total was counted.
fn how(model: &ModelTokens) -> String {
    match &model.counted_by {
        Some(host) => format!("counted by {host}"),
        None => model.tokenizer.clone(),
    }
}

/// Returns notes about the figures of single files.
pub(super) fn note_on_files(answer: &TokensInfo) -> &'static str {
    match answer.models.iter().any(|model| model.counted_by.is_some()) {
        true => "figures of single files are estimates:\n",
        false => "",
    }
}

fn about(model: &ModelTokens) -> String {
    format!("{}{}", sign(model.estimated), number(model.total_tokens))
}

/// Formats an amount of money, with more digits for a small one.
fn dollars(cost: f64) -> String {
    let digits = match cost {
        1.0.. => 2,
        0.01.. => 4,
        _ => 7,
    };
    format!("${cost:.digits$}")
}

/// Formats the largest files, with a column for each model.
pub(super) fn largest(answer: &TokensInfo, count: usize, ui: Ui) -> String {
    let mut files: Vec<_> = answer.files.iter().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.tokens));
    let total = answer.total_tokens;
    let mut out = String::new();
    if count > 0 && !files.is_empty() {
        out.push_str(&headings(answer, ui));
    }
    for file in files.iter().take(count) {
        let figures = match file.by_model.as_slice() {
            [] => std::slice::from_ref(&file.tokens),
            several => several,
        };
        for (model, &tokens) in answer.models.iter().zip(figures) {
            let shown = format!("{}{}", sign(model.files_estimated), number(tokens));
            let _ = write!(out, "{shown:>width$}", width = width(answer, model));
        }
        let bar = ui.dim(&bar(file.tokens, total));
        let _ = writeln!(out, "  {bar}  {}", file.path);
    }
    out
}

/// Formats the names of models above their columns, if there are several. Bars show shares of the
/// first model.
fn headings(answer: &TokensInfo, ui: Ui) -> String {
    let [first, _, ..] = answer.models.as_slice() else {
        return String::new();
    };
    let mut line = String::new();
    for model in &answer.models {
        let _ = write!(
            line,
            "{:>width$}",
            model.model,
            width = width(answer, model)
        );
    }
    let share = format!("share for {}", first.model);
    let _ = write!(line, "  {share:<BAR$}  file");
    ui.dim(&line) + "\n"
}

/// Returns the width of a model's column.
fn width(answer: &TokensInfo, model: &ModelTokens) -> usize {
    match answer.models.len() {
        1 => COLUMN,
        _ => COLUMN.max(model.model.len() + 2),
    }
}

/// Formats `depth` levels of directories and files with their shares, for the first model. Combines
/// entries below a hundredth of the total.
pub(super) fn tree(answer: &TokensInfo, tree: &TreeInfo, depth: usize, ui: Ui) -> String {
    let mut out = String::new();
    if let [first, _, ..] = answer.models.as_slice() {
        let _ = writeln!(out, "{}", ui.dim(&format!("for {}:", first.model)));
    }
    let first = answer.models.first();
    let all = All {
        tokens: tree.tokens,
        sign: sign(first.is_some_and(|model| model.files_estimated)),
        depth,
    };
    children(tree, all, 0, ui, &mut out);
    out
}

/// Properties of the whole tree.
#[derive(Clone, Copy)]
struct All {
    /// The total of the shares.
    tokens: usize,
    /// Prefix of figures.
    sign: &'static str,
    /// Number of levels.
    depth: usize,
}

fn children(node: &TreeInfo, all: All, depth: usize, ui: Ui, out: &mut String) {
    if depth >= all.depth {
        return;
    }
    let mut shown: Vec<&TreeInfo> = node.children.iter().collect();
    shown.sort_by_key(|child| std::cmp::Reverse(child.tokens));
    let (large, small): (Vec<&TreeInfo>, Vec<&TreeInfo>) = shown
        .into_iter()
        .partition(|child| child.tokens * 100 >= all.tokens.max(1));
    for child in large {
        line(child.tokens, all, depth, &child.name, ui, out);
        children(child, all, depth + 1, ui, out);
    }
    if !small.is_empty() {
        let tokens = small.iter().map(|child| child.tokens).sum();
        let name = format!("({} smaller)", number(small.len()));
        line(tokens, all, depth, &ui.dim(&name), ui, out);
    }
}

fn line(tokens: usize, all: All, depth: usize, name: &str, ui: Ui, out: &mut String) {
    let share = 100.0 * tokens as f64 / all.tokens.max(1) as f64;
    let _ = writeln!(
        out,
        "{:>COLUMN$} {share:>5.1}%  {}  {}{name}",
        format!("{}{}", all.sign, number(tokens)),
        ui.dim(&bar(tokens, all.tokens)),
        "  ".repeat(depth)
    );
}

/// Draws a bar of eighths of characters.
fn bar(tokens: usize, total: usize) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    // Single files may be estimated as more than what a provider counts for all.
    let eighths = tokens.min(total) * BAR * 8 / total.max(1);
    let mut bar: String = std::iter::repeat_n('█', eighths / 8).collect();
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8]);
    }
    format!("{bar:<BAR$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_in_eighths() {
        assert_eq!(bar(1, 1), "█".repeat(BAR));
        assert_eq!(bar(1, 2).trim_end(), "█".repeat(BAR / 2));
        assert_eq!(bar(1, 160).trim_end(), "▏");
        assert_eq!(bar(0, 0).trim_end(), "");
    }
}
