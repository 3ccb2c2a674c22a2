//! The summary of a run, for people.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use infiniloom::results::scan;
use loom_base::printable;
use loom_settings::Pack;
use loom_wire::{FileInfo, OutputInfo, PackPlanInfo, SecretInfo, TreeInfo};

use super::numbers::{number, plural, size, skipped};
use super::ui::Ui;

/// Number of skipped files that a dry run names.
const SKIPPED: usize = 10;

/// Level of detail.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Counts and a few names.
    Brief,
    /// Some of the skipped files, too.
    Some,
    /// Every skipped file and directory.
    Everything,
}

/// Formats a pack's contents: totals, languages, largest files, tree, skipped files.
pub(super) fn pack(info: &PackPlanInfo, settings: &Pack, ui: Ui, detail: Detail) -> String {
    let statistics = &info.statistics;
    let mut out = String::new();
    let sign = if info.estimated { "~" } else { "" };
    let _ = writeln!(
        out,
        "{}: {} files, {} lines, {sign}{} tokens ({})",
        ui.bold(&printable(&info.name)),
        number(statistics.files),
        number(statistics.lines),
        number(statistics.tokens),
        statistics.vocabulary
    );
    for revision in &statistics.revisions {
        let tree = revision.tree.as_deref().map(|tree| format!("{tree}: "));
        let _ = writeln!(
            out,
            "{}revision {}, commit {}",
            printable(&tree.unwrap_or_default()),
            printable(&revision.name),
            revision.commit
        );
    }
    languages(info, &mut out);
    if settings.tree {
        for node in &info.tree.children {
            tree(node, 0, ui, &mut out);
        }
    } else if settings.top > 0 {
        largest(info, settings.top as usize, ui, &mut out);
    }
    shortened(&info.files, ui, &mut out);
    left_out(info, ui, detail, &mut out);
    secrets(&info.secrets, ui, detail, &mut out);
    out
}

/// Formats the savings of compression, by form.
fn shortened(files: &[FileInfo], ui: Ui, out: &mut String) {
    let (mut before, mut after) = (0, 0);
    let mut forms: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        if let Some(how) = &file.compression {
            before += how.tokens_before;
            after += file.tokens;
            *forms.entry(&how.form).or_default() += 1;
        }
    }
    if forms.is_empty() {
        return;
    }
    let forms: Vec<String> = forms
        .iter()
        .map(|(form, count)| format!("{} {form}", number(*count)))
        .collect();
    let _ = writeln!(
        out,
        "{}: {} tokens of {} left ({})",
        ui.bold("compressed"),
        number(after),
        number(before),
        forms.join(", ")
    );
}

fn secrets(found: &[SecretInfo], ui: Ui, detail: Detail, out: &mut String) {
    if found.is_empty() {
        return;
    }
    let redacted = found.iter().filter(|one| one.placeholder.is_some());
    let what = match redacted.count() {
        0 => "found and left",
        _ => "redacted",
    };
    let count = plural(found.len(), "secret", "secrets");
    let _ = writeln!(out, "{}: {count} {what}", ui.bold("secrets"));
    let shown = match detail {
        Detail::Brief | Detail::Some => 5,
        Detail::Everything => usize::MAX,
    };
    for one in found.iter().take(shown) {
        let _ = writeln!(out, "  {}", secret(one, ui));
    }
    if found.len() > shown {
        let more = found.len() - shown;
        let _ = writeln!(out, "  {} more; -v names them", number(more));
    }
}

/// Describes a secret and its location in one line.
fn secret(one: &SecretInfo, ui: Ui) -> String {
    let grounds = ui.dim(&format!("({})", scan::grounds(one)));
    format!("{} {grounds}", scan::location(one))
}

fn languages(info: &PackPlanInfo, out: &mut String) {
    let total = info.statistics.tokens.max(1);
    let shown = info.statistics.languages.iter().take(6);
    let shares: Vec<_> = shown
        .map(|share| format!("{} {}", share.name, percent(share.tokens, total)))
        .collect();
    if !shares.is_empty() {
        let _ = writeln!(out, "languages: {}", shares.join(", "));
    }
}

/// Returns the rounded share in percent.
fn percent(part: usize, total: usize) -> String {
    match (part * 100 + total / 2) / total {
        0 => "<1%".to_owned(),
        rounded => format!("{rounded}%"),
    }
}

fn largest(info: &PackPlanInfo, count: usize, ui: Ui, out: &mut String) {
    let mut files: Vec<&FileInfo> = info.files.iter().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.tokens));
    if files.is_empty() {
        return;
    }
    let _ = writeln!(out, "largest files, in tokens:");
    for file in files.iter().take(count) {
        let _ = writeln!(
            out,
            "{:>12}  {}",
            ui.dim(&format!("{:>10}", number(file.tokens))),
            file.path
        );
    }
}

fn tree(node: &TreeInfo, depth: usize, ui: Ui, out: &mut String) {
    let tokens = ui.dim(&format!("{:>10}", number(node.tokens)));
    let _ = writeln!(out, "{tokens}  {}{}", "  ".repeat(depth), node.name);
    for child in &node.children {
        tree(child, depth + 1, ui, out);
    }
}

fn left_out(info: &PackPlanInfo, ui: Ui, detail: Detail, out: &mut String) {
    let shares = info.statistics.left_out.iter();
    let shares: Vec<_> = shares.map(skipped).collect();
    if shares.is_empty() {
        return;
    }
    let more = if detail == Detail::Brief && !info.left_out.is_empty() {
        ui.dim(" (-v names them)")
    } else {
        String::new()
    };
    let _ = writeln!(out, "left out: {}{more}", shares.join(", "));
    let shown = match detail {
        Detail::Brief => return,
        Detail::Some => SKIPPED,
        Detail::Everything => usize::MAX,
    };
    for left in info.left_out.iter().take(shown) {
        let slash = if left.is_dir { "/" } else { "" };
        let _ = writeln!(out, "  {}{slash}: {}", left.path, left.detail);
    }
    if info.left_out.len() > shown {
        let more = number(info.left_out.len() - shown);
        let _ = writeln!(out, "  {more} more; -v names them");
    }
}

/// Formats the size of the output and the duration.
pub(super) fn written(output: &OutputInfo, target: &str, took: Duration) -> String {
    let how = match &output.counted_by {
        Some(host) => format!("counted by {host}"),
        None => output.vocabulary.clone(),
    };
    format!(
        "wrote {target}: {}, {} tokens ({how}) in {:.2} s",
        size(output.bytes),
        counted(output),
        took.as_secs_f64()
    )
}

/// Formats a count for people: `1,200`, or `~1,200` for an estimate.
pub(super) fn counted(output: &OutputInfo) -> String {
    let sign = if output.estimated { "~" } else { "" };
    format!("{sign}{}", number(output.tokens))
}

/// Formats a count with its unit: `1,200 tokens`, or `~1,200 tokens, perhaps 1,320`.
pub(super) fn at_most(output: &OutputInfo) -> String {
    let shown = counted(output);
    match output.estimated {
        false => format!("{shown} tokens"),
        true => format!("{shown} tokens, perhaps {}", number(output.tokens_upper)),
    }
}
