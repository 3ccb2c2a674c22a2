//! Packs as answers: the words about files that have no room or no text.

use infiniloom::wire::{PackFileInfo, ReadLine, SkippedFileInfo};
use infiniloom::{Infiniloom, Redactor};

use super::*;

fn file(path: &str, shown: usize, total: usize) -> PackFileInfo {
    let line = |line| ReadLine {
        line,
        text: format!("text {line}"),
    };
    PackFileInfo {
        path: path.to_owned(),
        total_lines: total,
        last_line: shown,
        is_whole: shown == total,
        lines: (1..=shown).map(line).collect(),
    }
}

fn selected(files: Vec<PackFileInfo>, over_budget: &[&str]) -> PackFilesInfo {
    PackFilesInfo {
        format_version: 1,
        selected: files.len(),
        files,
        over_budget: over_budget.iter().map(|&path| path.to_owned()).collect(),
        skipped: Vec::new(),
    }
}

fn told(selected: &PackFilesInfo, level: Level) -> Fitted {
    let model = Infiniloom::new().model("gpt-4o").unwrap();
    quoted(selected, level).fit(5000, &Redactor::default(), &model)
}

#[test]
fn head_counts_the_files_that_are_shown_and_those_that_are_there() {
    for (files, over_budget, head) in [
        (0, &[][..], "No file is at these paths"),
        (0, &["x"], "None of 1 files fits."),
        (1, &[], "1 file:"),
        (2, &[], "2 files:"),
        (2, &["x", "y"], "2 of 4 files, the most important that fit:"),
    ] {
        let all = (0..files).map(|number| file(&format!("{number}.rs"), 1, 1));
        let told = told(&selected(all.collect(), over_budget), Level::None);
        assert!(
            told.text.lines().any(|line| line.starts_with(head)),
            "{}",
            told.text
        );
        assert_eq!(told.data["truncated"], !over_budget.is_empty());
    }
}

#[test]
fn file_that_is_not_whole_makes_the_answer_short_unless_it_is_compressed() {
    let part = selected(vec![file("a.rs", 2, 9)], &[]);
    assert_eq!(told(&part, Level::None).data["truncated"], true);
    let short = told(&part, Level::Aggressive);
    assert_eq!(short.data["truncated"], false);
    assert!(
        short
            .text
            .contains("file| a.rs (9 lines)\n1| text 1\n2| text 2")
    );
    assert_eq!(short.data["sources"][0], "a.rs:1-2");
}

#[test]
fn skipped_files_are_named_with_their_reasons_and_then_counted() {
    let mut all = selected(Vec::new(), &[]);
    all.skipped = (0..NAMED + 2)
        .map(|number| SkippedFileInfo {
            path: format!("{number}.png"),
            reason: "binary".to_owned(),
        })
        .collect();
    let told = told(&all, Level::None).text;
    assert!(told.starts_with("No text is at these paths."), "{told}");
    assert!(told.contains("Not shown: 0.png (binary), 1.png"), "{told}");
    assert!(told.contains(" and 2 more."), "{told}");
    assert_eq!(withheld(&selected(Vec::new(), &[])), None);
}

#[test]
fn files_without_room_are_named_and_then_counted() {
    let paths: Vec<String> = (0..NAMED + 3)
        .map(|number| format!("{number}.rs"))
        .collect();
    let told = no_room(&paths).unwrap();
    assert!(told.starts_with("No room for 0.rs, 1.rs"), "{told}");
    assert!(told.contains(" and 3 more."), "{told}");
    assert!(!no_room(&paths[..NAMED]).unwrap().contains(" more:"));
    assert_eq!(no_room(&[]), None);
}

#[test]
fn globs_start_at_the_top_of_the_repository_and_at_the_root() {
    assert_eq!(both_ways("src/**", ""), ["src/**"]);
    assert_eq!(both_ways("src/**", "lib/"), ["src/**", "lib/src/**"]);
    assert_eq!(both_ways("./a.rs", "lib/"), ["./a.rs", "lib/a.rs"]);
}
