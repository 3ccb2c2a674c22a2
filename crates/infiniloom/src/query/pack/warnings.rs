//! The warnings of a pack, for people.

use loom_host::{LeftOut, PackOptions, Survey};
use loom_models::Counted;
use loom_settings::Settings;

/// Unreadable files that warnings name.
const NAMED: usize = 3;

/// Warns of missing and changed files, and of a pack that is larger than a prompt may be.
/// `largest` are the tokens of its largest output.
pub(super) fn warnings(
    options: &PackOptions,
    settings: &Settings,
    survey: &Survey,
    changed: &[String],
    largest: Counted,
) -> Vec<String> {
    let mut warnings = survey.warnings.clone();
    let unread = survey.left_out.iter();
    let unread: Vec<&LeftOut> = unread.filter(|left| !left.reason.is_expected()).collect();
    let named = unread.iter().take(NAMED);
    warnings.extend(named.map(|left| format!("{} is not in the pack: {}", left.path, left.reason)));
    if unread.len() > NAMED {
        let more = grouped(unread.len() - NAMED);
        warnings.push(format!("{more} more could not be packed; -v names them"));
    }
    warnings.extend(changed.iter().map(|path| {
        format!("{path} changed while it was packed; it is there as it was read last")
    }));
    if survey.files().len() == 0 && settings.scan.changed.is_none() {
        warnings.push("no file is packed: nothing is there, or rules and budget leave all of it out (-v names what)".to_owned());
    }
    warnings.extend(options.notes.iter().cloned());
    let limits = options.model.limits;
    if largest.upper() > limits.prompt() {
        let what = match limits.prompt() < limits.window {
            true => "a prompt",
            false => "the window",
        };
        warnings.push(format!(
            "{} are more than {what} of {} ({})",
            at_most(largest),
            settings.model.name,
            grouped(limits.prompt())
        ));
    }
    warnings
}

/// Formats a count with its upper end: `1,200 tokens`, or `~1,200 tokens, perhaps 1,320,`.
fn at_most(tokens: Counted) -> String {
    let likely = grouped(tokens.likely());
    match tokens.is_exact() {
        true => format!("{likely} tokens"),
        false => format!("~{likely} tokens, perhaps {},", grouped(tokens.upper())),
    }
}

/// Formats a number with commas between thousands.
fn grouped(value: usize) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
