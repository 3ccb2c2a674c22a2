//! The rule that includes a path or skips it.

use loom_host::{Reason, RepoPath, Rule, Verdict};
use loom_wire::WhyInfo;

/// Describes a verdict. `by_contents` returns the reason if the rules include a file but its
/// contents exclude it.
pub fn info(
    path: &RepoPath,
    verdict: &Verdict,
    by_contents: impl FnOnce() -> Option<Reason>,
) -> WhyInfo {
    let taken = |answer: WhyInfo| match by_contents() {
        Some(reason) => left_out(path, &reason),
        None => answer,
    };
    match verdict {
        Verdict::LeftOut { at, rule } => {
            let place = if at == path {
                String::new()
            } else {
                format!(" on {at}/")
            };
            let answer = plain(
                path,
                false,
                rule.source.kind(),
                &format!("left out by {rule}{place}"),
            );
            of_rule(answer, rule, at)
        }
        Verdict::TakenBy(rule) => {
            let detail = format!("packed because of {rule}");
            let answer = plain(path, true, rule.source.kind(), &detail);
            taken(of_rule(answer, rule, path))
        }
        Verdict::TakenAsTracked(rule) => {
            let detail = format!("packed because git tracks it, although {rule} matches");
            taken(of_rule(plain(path, true, "tracked", &detail), rule, path))
        }
        Verdict::LeftOutAs(reason) => left_out(path, reason),
        Verdict::Absent => plain(path, false, "absent", "not there; no rule leaves it out"),
        _ => taken(plain(
            path,
            true,
            "no-rule",
            "packed: no rule leaves it out",
        )),
    }
}

fn left_out(path: &RepoPath, reason: &Reason) -> WhyInfo {
    plain(path, false, reason.kind(), &format!("left out: {reason}"))
}

fn of_rule(answer: WhyInfo, rule: &Rule, matched: &RepoPath) -> WhyInfo {
    WhyInfo {
        rule: Some(rule.to_string()),
        matched: Some(matched.to_string()),
        ..answer
    }
}

fn plain(path: &RepoPath, packed: bool, reason: &str, detail: &str) -> WhyInfo {
    let name = if path.is_root() {
        ".".to_owned()
    } else {
        path.to_string()
    };
    WhyInfo {
        path: name,
        packed,
        reason: reason.to_owned(),
        detail: detail.to_owned(),
        rule: None,
        matched: None,
    }
}
