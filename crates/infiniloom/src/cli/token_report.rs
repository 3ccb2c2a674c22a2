//! Where tokens go, for a person: models side by side, the largest files, and a
//! tree with bars.

use std::fmt::Write;

use loom_host::{TokenTree, TreeNode};
use loom_wire::{ModelTokens, TokensInfo};

use super::summary::number;
use super::ui::Ui;

/// Characters of a bar that stands for everything.
const BAR: usize = 20;

/// One line for each model.
pub(super) fn models(answer: &TokensInfo, wants_cost: bool, ui: Ui) -> String {
    let widest = answer
        .models
        .iter()
        .map(|model| model.model.len())
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for model in &answer.models {
        let share = 100.0 * model.total_tokens_upper as f64 / model.prompt_limit.max(1) as f64;
        let _ = write!(
            out,
            "{:<widest$}  {:>12} tokens  {:>6.1}% of {:>9}  {}",
            model.model,
            ui.bold(&format!("{:>12}", about(model))),
            share,
            number(model.prompt_limit),
            ui.dim(&how(model))
        );
        if wants_cost {
            let cost = model.cost.map_or("price unknown".to_owned(), dollars);
            let _ = write!(out, "  {cost}");
        }
        out.push('\n');
    }
    out
}

/// How the total was counted.
fn how(model: &ModelTokens) -> String {
    match &model.counted_by {
        Some(host) => format!("counted by {host}"),
        None => model.tokenizer.clone(),
    }
}

/// What has to be known about the figures of single files.
pub(super) fn note_on_files(answer: &TokensInfo) -> &'static str {
    match answer.models.iter().any(|model| model.counted_by.is_some()) {
        true => "figures of single files are estimates:\n",
        false => "",
    }
}

fn about(model: &ModelTokens) -> String {
    let sign = if model.estimated { "~" } else { "" };
    format!("{sign}{}", number(model.total_tokens))
}

/// An amount of money with as many digits as a small one needs.
fn dollars(cost: f64) -> String {
    let digits = match cost {
        1.0.. => 2,
        0.01.. => 4,
        _ => 7,
    };
    format!("${cost:.digits$}")
}

/// The largest files, with a column for each model.
pub(super) fn largest(answer: &TokensInfo, count: usize, ui: Ui) -> String {
    let mut files: Vec<_> = answer.files.iter().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.tokens));
    let total = answer.total_tokens;
    let mut out = String::new();
    for file in files.iter().take(count) {
        let columns = if file.by_model.is_empty() {
            vec![file.tokens]
        } else {
            file.by_model.clone()
        };
        let columns: String = columns
            .iter()
            .map(|tokens| format!("{:>11}", number(*tokens)))
            .collect();
        let _ = writeln!(
            out,
            "{}  {}  {}",
            columns,
            ui.dim(&bar(file.tokens, total)),
            file.path
        );
    }
    out
}

/// Folders and files with their shares. What is less than a hundredth of everything
/// is put together.
pub(super) fn tree(tree: &TokenTree, ui: Ui) -> String {
    let total = tree.root().tokens;
    let mut out = String::new();
    children(tree.root(), total, 0, ui, &mut out);
    out
}

fn children(node: &TreeNode, total: usize, depth: usize, ui: Ui, out: &mut String) {
    let mut shown: Vec<&TreeNode> = node.children.iter().collect();
    shown.sort_by_key(|child| std::cmp::Reverse(child.tokens));
    let (large, small): (Vec<&TreeNode>, Vec<&TreeNode>) = shown
        .into_iter()
        .partition(|child| child.tokens * 100 >= total.max(1));
    for child in large {
        let (name, child) = child.collapsed();
        line(child.tokens, total, depth, &name, ui, out);
        children(child, total, depth + 1, ui, out);
    }
    if !small.is_empty() {
        let tokens = small.iter().map(|child| child.tokens).sum();
        let name = format!("({} smaller)", number(small.len()));
        line(tokens, total, depth, &ui.dim(&name), ui, out);
    }
}

fn line(tokens: usize, total: usize, depth: usize, name: &str, ui: Ui, out: &mut String) {
    let share = 100.0 * tokens as f64 / total.max(1) as f64;
    let _ = writeln!(
        out,
        "{:>11} {share:>5.1}%  {}  {}{name}",
        number(tokens),
        ui.dim(&bar(tokens, total)),
        "  ".repeat(depth)
    );
}

/// A bar of eighths of characters.
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
