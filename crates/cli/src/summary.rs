//! What a run amounts to, for a person.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use infiniloom::host::{
    Counted, FileMeta, FoundSecret, LeftOut, Survey, Tokenizer, TreeNode, Written, printable,
};
use infiniloom::results::scan;
use loom_settings::Pack;

use super::numbers::{number, plural, size};
use super::ui::{NAMED, Ui};

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Counts, and a few names.
    Brief,
    /// Every file or folder that was left out.
    Everything,
}

/// What was found: totals, languages, largest files, tree, what was left out.
pub(super) fn survey(survey: &Survey, settings: &Pack, ui: Ui, detail: Detail) -> String {
    let overview = &survey.overview;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {} files, {} lines, {} tokens ({})",
        ui.bold(&printable(&overview.name)),
        number(overview.files),
        number(overview.lines),
        about(overview.tokens, overview.tokenizer),
        overview.tokenizer.label()
    );
    for revision in &overview.revisions {
        let tree = revision.tree.as_deref().map(|tree| format!("{tree}: "));
        let _ = writeln!(
            out,
            "{}revision {}, commit {}",
            printable(&tree.unwrap_or_default()),
            printable(&revision.name),
            revision.commit
        );
    }
    languages(survey, &mut out);
    if settings.tree {
        for node in &overview.tree.root().children {
            tree(node, 0, ui, &mut out);
        }
    } else if settings.top > 0 {
        largest(&survey.largest(settings.top as usize), ui, &mut out);
    }
    shortened(survey, ui, &mut out);
    left_out(survey, ui, detail, &mut out);
    secrets(survey, ui, detail, &mut out);
    out
}

/// What compressing saved, by form.
fn shortened(survey: &Survey, ui: Ui, out: &mut String) {
    let (mut before, mut after) = (0, 0);
    let mut forms: BTreeMap<&str, usize> = BTreeMap::new();
    for file in survey.files() {
        if let Some(how) = &file.shortened {
            before += how.tokens;
            after += file.tokens;
            *forms.entry(how.form).or_default() += 1;
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

fn secrets(survey: &Survey, ui: Ui, detail: Detail, out: &mut String) {
    if survey.secrets.is_empty() {
        return;
    }
    let redacted = survey
        .secrets
        .iter()
        .filter(|one| one.placeholder.is_some());
    let what = match redacted.count() {
        0 => "found and left",
        _ => "redacted",
    };
    let count = plural(survey.secrets.len(), "secret", "secrets");
    let _ = writeln!(out, "{}: {count} {what}", ui.bold("secrets"));
    let shown = match detail {
        Detail::Brief => 5,
        Detail::Everything => usize::MAX,
    };
    for one in survey.secrets.iter().take(shown) {
        let _ = writeln!(out, "  {}", secret(one, ui));
    }
    if survey.secrets.len() > shown {
        let more = survey.secrets.len() - shown;
        let _ = writeln!(out, "  {} more; -v names them", number(more));
    }
}

/// Where a secret stands and what it is, on one line.
pub(super) fn secret(one: &FoundSecret, ui: Ui) -> String {
    let grounds = ui.dim(&format!("({})", scan::grounds(one)));
    format!("{} {grounds}", scan::location(one))
}

fn languages(survey: &Survey, out: &mut String) {
    let total = survey.overview.tokens.max(1);
    let shown = survey.overview.languages.iter().take(6);
    let shares: Vec<_> = shown
        .map(|share| format!("{} {}%", share.name, share.tokens * 100 / total))
        .collect();
    if !shares.is_empty() {
        let _ = writeln!(out, "languages: {}", shares.join(", "));
    }
}

fn largest(files: &[&FileMeta], ui: Ui, out: &mut String) {
    if files.is_empty() {
        return;
    }
    let _ = writeln!(out, "largest files, in tokens:");
    for file in files {
        let _ = writeln!(
            out,
            "{:>12}  {}",
            ui.dim(&format!("{:>10}", number(file.tokens))),
            file.path
        );
    }
}

fn tree(node: &TreeNode, depth: usize, ui: Ui, out: &mut String) {
    let (name, node) = node.collapsed();
    let tokens = ui.dim(&format!("{:>10}", number(node.tokens)));
    let _ = writeln!(out, "{tokens}  {}{name}", "  ".repeat(depth));
    for child in &node.children {
        tree(child, depth + 1, ui, out);
    }
}

fn left_out(survey: &Survey, ui: Ui, detail: Detail, out: &mut String) {
    if survey.overview.left_out.is_empty() {
        return;
    }
    let shares = shares(survey);
    let more = if detail == Detail::Brief && !survey.left_out.is_empty() {
        ui.dim(" (-v names them)")
    } else {
        String::new()
    };
    let _ = writeln!(out, "left out: {shares}{more}");
    if detail == Detail::Everything {
        for left in &survey.left_out {
            let slash = if left.is_dir { "/" } else { "" };
            let _ = writeln!(out, "  {}{slash}: {}", left.path, left.reason);
        }
    }
}

/// How much is left out for which reason, in words; empty if nothing is.
pub(super) fn shares(survey: &Survey) -> String {
    let shares = survey.overview.left_out.iter();
    let shares: Vec<_> = shares
        .map(|share| format!("{} {}", number(share.count), share.reason))
        .collect();
    shares.join(", ")
}

/// What was written, and how fast.
pub(super) fn written(written: &Written, target: &str, took: Duration, how: &str) -> String {
    format!(
        "wrote {target}: {}, {} tokens ({how}) in {:.2} s",
        size(written.bytes),
        counted(written.tokens),
        took.as_secs_f64()
    )
}

/// What a person should look at.
pub(super) fn warnings(survey: &Survey, written: &Written) -> Vec<String> {
    let mut warnings = survey.warnings.clone();
    let unexpected: Vec<_> = survey
        .left_out
        .iter()
        .filter(|left| !left.reason.is_expected())
        .collect();
    warnings.extend(unexpected.iter().take(NAMED).map(|left| unread(left)));
    if unexpected.len() > NAMED {
        let more = unexpected.len() - NAMED;
        warnings.push(format!(
            "{} more could not be packed; -v names them",
            number(more)
        ));
    }
    warnings.extend(written.changed.iter().map(|path| {
        format!("{path} changed while it was packed; it is there as it was read last")
    }));
    warnings
}

fn unread(left: &LeftOut) -> String {
    format!("{} is not in the pack: {}", left.path, left.reason)
}

/// A count for people: `1,200`, or `~1,200` where it is an estimate.
pub(super) fn counted(tokens: Counted) -> String {
    let sign = if tokens.is_exact() { "" } else { "~" };
    format!("{sign}{}", number(tokens.likely()))
}

/// The same for a sum of which only the likely figure is kept.
fn about(tokens: usize, tokenizer: Tokenizer) -> String {
    let sign = if tokenizer.is_exact() { "" } else { "~" };
    format!("{sign}{}", number(tokens))
}

/// What a count is measured by: `1,200 tokens`, or `~1,200 tokens, perhaps 1,320`.
pub(super) fn at_most(tokens: Counted) -> String {
    let shown = counted(tokens);
    if tokens.is_exact() {
        format!("{shown} tokens")
    } else {
        format!("{shown} tokens, perhaps {},", number(tokens.upper()))
    }
}
