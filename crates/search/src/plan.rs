//! Plans the grams that a text must contain to match a query. A plan selects a superset of the
//! matching texts.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::gram::{Gram, grams};
use crate::pattern::Pattern;
use crate::query::Expr;

/// Grams that a matching text must contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// None: every text is a candidate.
    All,
    /// The grams of all parts.
    And(Vec<Plan>),
    /// The grams of at least one part.
    Or(Vec<Plan>),
    /// All of these grams.
    Grams(BTreeSet<Gram>),
}

/// Maximum number of distinct strings that are tracked through an expression.
const STRINGS: usize = 48;
/// Maximum total length of these strings, in bytes.
const STRING_BYTES: usize = 4096;
/// A class with more characters counts as any character.
const CHARACTERS: usize = 16;
/// Maximum number of planned alternatives; with more, all texts are candidates.
const BRANCHES: usize = 2048;

impl Plan {
    /// Plans a query.
    pub(crate) fn of(expr: &Expr) -> Self {
        match expr {
            Expr::And(parts) => and(parts.iter().map(Self::of)),
            Expr::Or(parts) => or(parts.iter().map(Self::of)),
            Expr::Text(pattern) => Self::of_pattern(pattern),
            // The spaces in a name may differ from those in the text.
            Expr::Symbol(pattern) | Expr::Definition(pattern) => {
                Self::of_pattern(pattern).without_spaces()
            }
            Expr::Not(_) | Expr::Path(_) | Expr::Globs(_) | Expr::Language(_) => Self::All,
        }
    }

    pub(crate) fn is_met(&self, has: &dyn Fn(Gram) -> bool) -> bool {
        match self {
            Self::All => true,
            Self::And(parts) => parts.iter().all(|part| part.is_met(has)),
            Self::Or(parts) => parts.iter().any(|part| part.is_met(has)),
            Self::Grams(grams) => grams.iter().all(|gram| has(*gram)),
        }
    }

    fn of_pattern(pattern: &Pattern) -> Self {
        match pattern.parsed() {
            Ok(hir) => of_hir(&hir),
            Err(_) => Self::All,
        }
    }
}

impl Plan {
    /// Returns the plan without grams that contain a space.
    fn without_spaces(self) -> Self {
        match self {
            Self::All => Self::All,
            Self::And(parts) => and(parts.into_iter().map(Self::without_spaces)),
            Self::Or(parts) => or(parts.into_iter().map(Self::without_spaces)),
            Self::Grams(mut grams) => {
                grams.retain(|gram| !gram.number().to_be_bytes().contains(&b' '));
                match grams.is_empty() {
                    true => Self::All,
                    false => Self::Grams(grams),
                }
            }
        }
    }
}

fn and(parts: impl IntoIterator<Item = Plan>) -> Plan {
    let mut all = Vec::new();
    let mut together = BTreeSet::new();
    for part in parts {
        match part {
            Plan::All => {}
            Plan::And(parts) => all.extend(parts),
            Plan::Grams(grams) => together.extend(grams),
            part @ Plan::Or(_) => all.push(part),
        }
    }
    if !together.is_empty() {
        all.insert(0, Plan::Grams(together));
    }
    match all.len() {
        0 => Plan::All,
        1 => all.remove(0),
        _ => Plan::And(all),
    }
}

fn or(parts: impl IntoIterator<Item = Plan>) -> Plan {
    let mut any = Vec::new();
    for part in parts {
        match part {
            Plan::All => return Plan::All,
            Plan::Or(parts) => any.extend(parts),
            part if any.contains(&part) => {}
            part => any.push(part),
        }
        if any.len() > BRANCHES {
            return Plan::All;
        }
    }
    match any.len() {
        0 => Plan::All,
        1 => any.remove(0),
        _ => Plan::Or(any),
    }
}

fn of_hir(hir: &Hir) -> Plan {
    if let Some(strings) = exact(hir) {
        return of_strings(&strings);
    }
    match hir.kind() {
        HirKind::Capture(capture) => of_hir(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => of_hir(&repetition.sub),
        HirKind::Alternation(parts) if parts.len() <= BRANCHES => or(parts.iter().map(of_hir)),
        HirKind::Concat(parts) => of_concat(parts),
        _ => Plan::All,
    }
}

/// Plans a concatenation. Tracks strings across its parts while there are few, to find the grams
/// that span two parts.
fn of_concat(parts: &[Hir]) -> Plan {
    let mut plans = Vec::new();
    let mut run = vec![Vec::new()];
    for part in parts {
        let Some(strings) = exact(part) else {
            plans.push(of_strings(&run));
            plans.push(of_hir(part));
            run = vec![Vec::new()];
            continue;
        };
        if let Some(product) = product(&run, &strings) {
            run = product;
            continue;
        }
        plans.push(of_strings(&run));
        let ends = ends(&run);
        run = match product(&ends, &strings) {
            Some(product) => product,
            None => strings,
        };
    }
    plans.push(of_strings(&run));
    and(plans)
}

/// Returns all strings that the expression matches, if they are few.
fn exact(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(vec![Vec::new()]),
        HirKind::Literal(literal) => Some(vec![literal.0.to_ascii_lowercase()]),
        HirKind::Class(class) => characters(class),
        HirKind::Capture(capture) => exact(&capture.sub),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.filter(|most| *most <= 4)?;
            let one = exact(&repetition.sub)?;
            let mut run = vec![Vec::new()];
            let mut all = Vec::new();
            for times in 0..=most {
                if times >= repetition.min {
                    all.extend(run.iter().cloned());
                }
                if times < most {
                    run = product(&run, &one)?;
                }
            }
            bounded(all)
        }
        HirKind::Concat(parts) => {
            let mut run = vec![Vec::new()];
            for part in parts {
                run = product(&run, &exact(part)?)?;
            }
            Some(run)
        }
        HirKind::Alternation(parts) if parts.len() <= STRINGS => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(exact(part)?);
            }
            bounded(all)
        }
        HirKind::Alternation(_) => None,
    }
}

fn characters(class: &Class) -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    match class {
        Class::Unicode(class) => {
            let count = class.iter().map(regex_syntax::hir::ClassUnicodeRange::len);
            // An empty class matches nothing, so every plan is correct.
            if count.sum::<usize>() > CHARACTERS || class.ranges().is_empty() {
                return None;
            }
            for c in class.iter().flat_map(|range| range.start()..=range.end()) {
                let mut bytes = [0; 4];
                all.push(c.encode_utf8(&mut bytes).as_bytes().to_ascii_lowercase());
            }
        }
        Class::Bytes(class) => {
            let count = class.iter().map(regex_syntax::hir::ClassBytesRange::len);
            if count.sum::<usize>() > CHARACTERS || class.ranges().is_empty() {
                return None;
            }
            for byte in class.iter().flat_map(|range| range.start()..=range.end()) {
                all.push(vec![byte.to_ascii_lowercase()]);
            }
        }
    }
    bounded(all)
}

fn product(left: &[Vec<u8>], right: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    // A long string is not copied again for each character after it.
    let is_long = left.iter().map(Vec::len).sum::<usize>() > STRING_BYTES;
    if is_long || left.len() * right.len() > STRINGS * 4 {
        return None;
    }
    let joined = left
        .iter()
        .flat_map(|left| right.iter().map(|right| [left.as_slice(), right].concat()));
    bounded(joined.collect())
}

/// Deduplicates the strings. Returns `None` if there are too many.
fn bounded(mut strings: Vec<Vec<u8>>) -> Option<Vec<Vec<u8>>> {
    strings.sort_unstable();
    strings.dedup();
    let bytes: usize = strings.iter().map(Vec::len).sum();
    let fits = strings.len() <= STRINGS && (bytes <= STRING_BYTES || strings.len() == 1);
    fits.then_some(strings)
}

/// Returns the last two bytes of each, which form grams with the next part.
fn ends(strings: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let end = |string: &Vec<u8>| string[string.len().saturating_sub(2)..].to_vec();
    let mut ends: Vec<_> = strings.iter().map(end).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

fn of_strings(strings: &[Vec<u8>]) -> Plan {
    or(strings.iter().map(|string| {
        let grams: BTreeSet<Gram> = grams(string).collect();
        match grams.is_empty() {
            true => Plan::All,
            false => Plan::Grams(grams),
        }
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Case, PatternKind};

    fn show(plan: &Plan) -> String {
        let list = |word: &str, parts: &[Plan]| {
            let parts: Vec<_> = parts.iter().map(show).collect();
            format!("({word} {})", parts.join(" "))
        };
        match plan {
            Plan::All => "all".to_owned(),
            Plan::And(parts) => list("and", parts),
            Plan::Or(parts) => list("or", parts),
            Plan::Grams(grams) => {
                let shown: Vec<_> = grams
                    .iter()
                    .map(|gram| {
                        let bytes = gram.number().to_be_bytes();
                        String::from_utf8_lossy(&bytes[1..]).into_owned()
                    })
                    .collect();
                shown.join("+")
            }
        }
    }

    fn pattern(text: &str, case: Case) -> Pattern {
        Pattern {
            kind: PatternKind::Regex,
            case,
            ..Pattern::literal(text)
        }
    }

    fn check(text: &str, expected: &str) {
        let plan = Plan::of_pattern(&pattern(text, Case::Sensitive));
        assert_eq!(show(&plan), expected, "{text}");
    }

    #[test]
    fn plan_has_the_required_grams() {
        check("Abc", "abc");
        check("abcd", "abc+bcd");
        check("ab", "all");
        check("a.c", "all");
        check("abc.*def", "abc+def");
        check("abc|def", "(or abc def)");
        check("abc|.", "all");
        check("a[bc]d", "(or abd acd)");
        check("(abc)+", "abc");
        check("(abc)?", "all");
        check("x(abc)?y", "all");
        check("ab?cd", "(or abc+bcd acd)");
        check("^abc$", "abc");
        check("\\bfoo\\w+", "foo");
    }

    #[test]
    fn any_case_has_the_odd_letters_too() {
        let plan = Plan::of_pattern(&pattern("ask", Case::Insensitive));
        let shown = show(&plan);
        assert!(shown.starts_with("(or ask "), "{shown}");
    }

    proptest! {
        /// A matching text satisfies the plan.
        #[test]
        fn no_match_is_lost(
            text in "([abcABkKs]|\\(|\\)|[|.?+*]|\\[ab\\]|\\{2\\}|\\\\w|\\^|\\$){0,10}",
            line in "[abckKſs\u{212a}AB ]{0,12}",
            case in prop::sample::select(vec![Case::Sensitive, Case::Insensitive, Case::Smart]),
        ) {
            let pattern = pattern(&text, case);
            let Ok(matcher) = pattern.compile() else { return Ok(()) };
            if matcher.is_match(line.as_bytes()) {
                let held: BTreeSet<Gram> = grams(line.as_bytes()).collect();
                prop_assert!(Plan::of_pattern(&pattern).is_met(&|gram| held.contains(&gram)));
            }
        }
    }
}
