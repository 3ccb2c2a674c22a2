//! Patches restore the new text, and marks can be removed.

use loom_base::RepoPath;
use proptest::prelude::*;

use super::{Body, FileMode, Marks, Patch, Side, count_changes, similarity, unmark};
use crate::number_lines;

fn patch(old: &str, new: &str) -> String {
    let path = RepoPath::new("x").unwrap();
    let side = |body| Side {
        path: &path,
        mode: FileMode::Plain,
        body: Body::Text(body),
    };
    let mut out = String::new();
    Patch::changed(side(old), side(new)).push(&mut out);
    out
}

/// Applies the hunks of a patch to `old`, as simply as possible.
fn apply(old: &str, patch: &str) -> String {
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let mut after = String::new();
    let mut at = 0;
    let mut ended: Option<char> = None;
    for line in patch.split_inclusive('\n').skip(3) {
        if let Some(range) = line.strip_prefix("@@ -") {
            let old = range.split(' ').next().unwrap();
            let (start, count) = old.split_once(',').unwrap_or((old, "1"));
            let start: usize = start.parse().unwrap();
            let first = start - usize::from(count != "0");
            before[at..first]
                .iter()
                .for_each(|line| after.push_str(line));
            at = first;
            continue;
        }
        let (mark, text) = line.split_at(1);
        match mark {
            " " => {
                assert_eq!(
                    before[at].trim_end_matches('\n'),
                    text.trim_end_matches('\n')
                );
                after.push_str(text);
                at += 1;
            }
            "-" => at += 1,
            "+" => after.push_str(text),
            "\\" if ended != Some('-') => assert_eq!(after.pop(), Some('\n')),
            _ => {}
        }
        ended = mark.chars().next();
    }
    before[at..].iter().for_each(|line| after.push_str(line));
    after
}

#[test]
fn patches_equal_those_of_git() {
    let expected = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n";
    assert_eq!(patch("a\nb\n", "a\nc"), expected);
    let (old, new) = (
        RepoPath::new("a b").unwrap(),
        RepoPath::new("n\"q").unwrap(),
    );
    let side = |path, mode, body| Side { path, mode, body };
    let check = |patch: Patch<'_>, expected: &str| {
        let mut out = String::new();
        patch.push(&mut out);
        assert_eq!(out, expected);
    };
    check(
        Patch::changed(
            side(&old, FileMode::Plain, Body::Text("x\n")),
            side(&new, FileMode::Executable, Body::Text("x\n")),
        ),
        "diff --git a/a b \"b/n\\\"q\"\nold mode 100644\nnew mode 100755\nsimilarity index 100%\nrename from a b\nrename to \"n\\\"q\"\n",
    );
    check(
        Patch::added(side(&old, FileMode::Plain, Body::Text("x\n"))),
        "diff --git a/a b b/a b\nnew file mode 100644\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n",
    );
    check(
        Patch::deleted(side(&old, FileMode::Plain, Body::Binary)),
        "diff --git a/a b b/a b\ndeleted file mode 100644\nBinary files a/a b and /dev/null differ\n",
    );
    check(
        Patch::changed(
            side(&old, FileMode::Plain, Body::Text("x\n")),
            side(&old, FileMode::Link, Body::Text("to")),
        ),
        "diff --git a/a b b/a b\ndeleted file mode 100644\n--- a/a b\t\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/a b b/a b\nnew file mode 120000\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+to\n\\ No newline at end of file\n",
    );
}

fn mark_changes(old: &str, new: &str, shown: &str) -> Option<String> {
    Some(Marks::between(old, new)?.apply(shown, 1))
}

#[test]
fn marks() {
    let marked = mark_changes("a\nb\nc\nd\n", "a\nx\nc\n", "a\nx\nc\n").unwrap();
    assert_eq!(marked, " a\n-(1 line removed)\n+x\n c\n-(1 line removed)\n");
    assert_eq!(mark_changes("a\r\nb", "a\nb\n", "a\nb\n"), None);
    let open = mark_changes("a\nb\n", "a", "a").unwrap();
    assert_eq!(open, " a\n-(1 line removed)");
    assert_eq!(unmark(&open), "a");
    let crlf = mark_changes("a\r\nb\r\n", "b\r\n", "b\r\n").unwrap();
    assert_eq!(crlf, "-(1 line removed)\r\n b\r\n");
}

#[test]
fn counts() {
    let counts = count_changes(b"a\nb\nc\n", b"a\nx\ny\n");
    assert_eq!((counts.added, counts.removed), (2, 2));
    let counts = count_changes(b"a", b"a\n");
    assert_eq!((counts.added, counts.removed), (1, 1));
    assert_eq!(similarity("", ""), 100);
    assert_eq!(similarity("a\nb\n", "a\nc\n"), 50);
    assert_eq!(similarity("a\n", "b\n"), 0);
}

const TEXT: &str = "((a|b|-x|\\+|@@ -1 \\+1 @@|\\\\ No)?\r?\n){0,12}(a|b|-|\\\\)?\r?";

proptest! {
    #[test]
    fn a_patch_gives_the_new_text(old in TEXT, new in TEXT) {
        prop_assert_eq!(apply(&old, &patch(&old, &new)), new);
    }

    #[test]
    fn marks_come_off(old in TEXT, new in TEXT) {
        for shown in [new.clone(), number_lines(&new, 1)] {
            if let Some(marked) = mark_changes(&old, &new, &shown) {
                prop_assert_eq!(unmark(&marked), shown);
            }
        }
    }

    /// A file shown in two parts has each mark once.
    #[test]
    fn parts_are_marked_as_the_whole(old in TEXT, new in TEXT, cut in 0..12usize) {
        let lines: Vec<&str> = new.split_inclusive('\n').collect();
        prop_assume!(cut < lines.len());
        if let Some(marks) = Marks::between(&old, &new) {
            let (head, tail) = (lines[..cut].concat(), lines[cut..].concat());
            let parts = marks.apply(&head, 1) + &marks.apply(&tail, cut + 1);
            prop_assert_eq!(parts, marks.apply(&new, 1));
        }
    }
}
