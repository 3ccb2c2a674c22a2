//! Patches in git's format, and the counts of changed lines.

use loom_base::RepoPath;
use loom_engine::{Body, FileMode, Marks, Patch, Side, count_changes, similarity, unmark};
use proptest::prelude::*;

use crate::repository::path;

fn side<'a>(path: &'a RepoPath, mode: FileMode, body: Body<'a>) -> Side<'a> {
    Side { path, mode, body }
}

fn text(path: &RepoPath, text: &'static str) -> Side<'static> {
    let path = Box::leak(Box::new(path.clone()));
    side(path, FileMode::Plain, Body::Text(text))
}

fn check(patch: Patch<'_>, expected: &str) {
    let mut out = String::from("before\n");
    patch.push(&mut out);
    assert_eq!(out, format!("before\n{expected}"));
}

fn changed(old: &'static str, new: &'static str) -> String {
    let mut out = String::new();
    let x = path("x");
    Patch::changed(text(&x, old), text(&x, new)).push(&mut out);
    let hunks = out.find("@@").map_or("", |at| &out[at..]);
    hunks.to_owned()
}

#[test]
fn hunks_have_three_lines_around_a_change() {
    assert_eq!(
        changed(
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"
        ),
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    );
}

#[test]
fn changes_whose_context_touches_are_one_hunk() {
    let near = changed("1\n2\n3\n4\n5\n6\n7\n8\n", "one\n2\n3\n4\n5\n6\n7\neight\n");
    assert_eq!(near.matches("@@ -").count(), 1, "{near}");
    let far = changed(
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        "one\n2\n3\n4\n5\n6\n7\n8\nnine\n",
    );
    assert_eq!(far.matches("@@ -").count(), 2, "{far}");
}

#[test]
fn empty_sides_name_line_zero() {
    assert_eq!(changed("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
    assert_eq!(changed("a\n", ""), "@@ -1 +0,0 @@\n-a\n");
    assert_eq!(changed("a\n", "a\n"), "");
}

#[test]
fn a_missing_newline_is_said_on_its_side() {
    assert_eq!(
        changed("a", "a\n"),
        "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
    );
    assert_eq!(
        changed("a\nb", "a\nc"),
        "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    );
}

#[test]
fn a_rename_with_a_change_tells_how_similar_both_are() {
    let (old, new) = (path("old.rs"), path("new.rs"));
    check(
        Patch::changed(text(&old, "a\nb\nc\nd\n"), text(&new, "a\nb\nc\nx\n")),
        "diff --git a/old.rs b/new.rs\nsimilarity index 75%\nrename from old.rs\nrename to new.rs\n--- a/old.rs\n+++ b/new.rs\n@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+x\n",
    );
}

#[test]
fn a_mode_is_changed_in_place_and_a_kind_by_removing_and_adding() {
    let x = path("x");
    let of = |mode| side(&x, mode, Body::Text("t\n"));
    check(
        Patch::changed(of(FileMode::Plain), of(FileMode::Executable)),
        "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
    );
    let mut out = String::new();
    Patch::changed(of(FileMode::Submodule), of(FileMode::Plain)).push(&mut out);
    assert!(
        out.starts_with("diff --git a/x b/x\ndeleted file mode 160000\n"),
        "{out}"
    );
    assert!(
        out.contains("diff --git a/x b/x\nnew file mode 100644\n"),
        "{out}"
    );
}

#[test]
fn binary_contents_differ_without_hunks() {
    let x = path("x");
    let binary = side(&x, FileMode::Plain, Body::Binary);
    check(
        Patch::changed(binary, text(&x, "a\n")),
        "diff --git a/x b/x\nBinary files a/x and b/x differ\n",
    );
    check(
        Patch::added(binary),
        "diff --git a/x b/x\nnew file mode 100644\nBinary files /dev/null and b/x differ\n",
    );
}

#[test]
fn line_endings_are_a_change_for_git_and_none_for_marks() {
    assert_eq!(changed("a\r\n", "a\n"), "@@ -1 +1 @@\n-a\r\n+a\n");
    assert_eq!(Marks::between("a\r\n", "a\n"), None);
}

#[test]
fn removed_lines_are_counted_where_they_stood() {
    let marks = |old: &str, new: &str| Marks::between(old, new).unwrap().apply(new, 1);
    assert_eq!(marks("a\nb\nc\n", "c\n"), "-(2 lines removed)\n c\n");
    assert_eq!(marks("a\n", "a\nb\n"), " a\n+b\n");
    assert_eq!(marks("a\nb\n", ""), "-(2 lines removed)\n");
    assert_eq!(marks("a\r\nb\r\n", "a\r\n"), " a\r\n-(1 line removed)\r\n");
}

#[test]
fn lines_of_the_file_that_look_like_marks_stay() {
    let new = "-(1 line removed)\n+x\n y\n";
    let marked = Marks::between("", new).unwrap().apply(new, 1);
    assert_eq!(marked, "+-(1 line removed)\n++x\n+ y\n");
    assert_eq!(unmark(&marked), new);
}

proptest! {
    #[test]
    fn counts_and_hunks_agree_about_equal_texts(old in "([ab]\n){0,12}", new in "([ab]\n){0,12}") {
        let counts = count_changes(old.as_bytes(), new.as_bytes());
        let lines = |text: &str| text.lines().count();
        prop_assert_eq!(lines(&old) + counts.added, lines(&new) + counts.removed);
        prop_assert_eq!(counts.added + counts.removed == 0, old == new);
        let back = count_changes(new.as_bytes(), old.as_bytes());
        prop_assert_eq!((back.added, back.removed), (counts.removed, counts.added));
    }

    #[test]
    fn similarity_is_100_for_equal_texts_alone(old in "([abc]{1,3}\n){1,12}", new in "([abc]{1,3}\n){1,12}") {
        let similar = similarity(&old, &new);
        prop_assert!(similar <= 100);
        prop_assert_eq!(similarity(&old, &old), 100);
        prop_assert!(old == new || similar < 100);
    }
}
