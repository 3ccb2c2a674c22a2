//! Hunks in the unified format, with three lines of context.

use std::fmt::Write;
use std::ops::Range;

use super::lines::{Hunk, hunks};

/// Number of context lines, like git.
const CONTEXT: usize = 3;

/// Appends the hunks that turn `old` into `new`; nothing if they are equal.
pub(super) fn push_hunks(old: &str, new: &str, out: &mut String) {
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let after: Vec<&str> = new.split_inclusive('\n').collect();
    let hunks = hunks(old, new);
    let mut rest = hunks.as_slice();
    while !rest.is_empty() {
        let (group, more) = rest.split_at(group_length(rest));
        push_group(&before, &after, group, out);
        rest = more;
    }
}

/// Returns the number of hunks whose contexts touch.
fn group_length(hunks: &[Hunk]) -> usize {
    let touches = |pair: &[Hunk]| pair[1].before.start - pair[0].before.end <= 2 * CONTEXT;
    1 + hunks.windows(2).take_while(|pair| touches(pair)).count()
}

fn push_group(before: &[&str], after: &[&str], group: &[Hunk], out: &mut String) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else {
        return;
    };
    let lead = first.before.start.min(CONTEXT);
    let trail = (before.len() - last.before.end).min(CONTEXT);
    let old = first.before.start - lead..last.before.end + trail;
    let new = first.after.start - lead..last.after.end + trail;
    out.push_str("@@ -");
    push_range(&old, out);
    out.push_str(" +");
    push_range(&new, out);
    out.push_str(" @@\n");
    let mut at = old.start;
    for hunk in group {
        push_lines(' ', &before[at..hunk.before.start], out);
        push_lines('-', &before[hunk.before.clone()], out);
        push_lines('+', &after[hunk.after.clone()], out);
        at = hunk.before.end;
    }
    push_lines(' ', &before[at..old.end], out);
}

/// Appends `START,COUNT`, counted from 1; an empty range names the line before it.
fn push_range(range: &Range<usize>, out: &mut String) {
    let start = range.start + usize::from(!range.is_empty());
    // Writing to a string cannot fail.
    let _ = match range.len() {
        1 => write!(out, "{start}"),
        count => write!(out, "{start},{count}"),
    };
}

fn push_lines(mark: char, lines: &[&str], out: &mut String) {
    for line in lines {
        out.push(mark);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}
