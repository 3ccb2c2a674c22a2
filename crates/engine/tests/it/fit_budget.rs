//! Choosing files for a budget, and splitting an output into parts.

use std::cell::Cell;

use loom_engine::fit::{Chosen, FitFailure, Limit, Placed, choose, split};
use loom_engine::{Format, Part};
use proptest::prelude::*;

use crate::repository::tokens;
use crate::texts::{Stopped, Texts};

fn lines(count: usize) -> String {
    (0..count).map(|at| format!("line {at}\n")).collect()
}

fn placed(files: &mut Texts, budget: usize) -> Vec<Placed> {
    match choose(files, budget).unwrap() {
        Chosen::Some(placed) => placed,
        Chosen::All(weights) => {
            let all = weights.into_iter().enumerate();
            let all = all.map(|(file, weight)| Placed {
                file,
                part: None,
                weight: weight.unwrap(),
            });
            all.collect()
        }
    }
}

/// Returns the files of a choice by path, a truncated one with its last shown line.
fn shown(files: &mut Texts, budget: usize) -> Vec<String> {
    let placed = placed(files, budget);
    let show = |one: &Placed| {
        let path = &files.metas[one.file].path;
        match &one.part {
            Some(part) => format!("{path}:{}", part.meta.lines),
            None => path.to_string(),
        }
    };
    placed.iter().map(show).collect()
}

fn kinds() -> Texts {
    let files = [
        ("LICENSE", lines(30)),
        ("README.md", lines(30)),
        ("docs/a.md", lines(30)),
        ("src/deep/b.rs", lines(30)),
        ("src/c.rs", lines(30)),
        ("tests/d.rs", lines(30)),
    ];
    Texts::new(&files, Format::Plain)
}

/// Returns the size of the output with these files.
fn size_of(files: &Texts, which: &[usize]) -> usize {
    let mut which = which.to_vec();
    which.sort_unstable();
    let placed: Vec<Placed> = which
        .into_iter()
        .map(|file| {
            let weight =
                loom_engine::fit::FitFiles::weigh(files, &files.metas[file], &files.texts[file]);
            Placed {
                file,
                part: None,
                weight,
            }
        })
        .collect();
    tokens(&files.written(&placed, None))
}

#[test]
fn the_most_wanted_files_are_taken_first() {
    let order = [1, 4, 3, 2, 5, 0];
    for count in 1..order.len() {
        let mut files = kinds();
        // Some room for the error of estimates, but less than a truncated file needs.
        let budget = size_of(&files, &order[..count]) + 25;
        let mut expected: Vec<usize> = order[..count].to_vec();
        expected.sort_unstable();
        let expected: Vec<String> = expected
            .into_iter()
            .map(|at| files.metas[at].path.to_string())
            .collect();
        assert_eq!(shown(&mut files, budget), expected, "{count}");
    }
}

#[test]
fn room_that_is_left_is_filled_with_the_start_of_the_next_file() {
    let mut files = kinds();
    let budget = size_of(&files, &[1, 4]) + 120;
    let found = shown(&mut files, budget);
    assert_eq!(found.len(), 3, "{found:?}");
    let cut = found[1].strip_prefix("src/deep/b.rs:").unwrap();
    assert!(
        (5..30).contains(&cut.parse::<usize>().unwrap()),
        "{found:?}"
    );
}

#[test]
fn a_cut_file_says_which_of_its_lines_are_there() {
    let mut files = Texts::new(&[("a.rs", lines(400))], Format::Plain);
    let placed = placed(&mut files, 500);
    let part = placed[0].part.as_ref().unwrap();
    assert_eq!(part.span.start, 0);
    assert_eq!(part.meta.whole_lines(), 400);
    assert!(files.texts[0].starts_with(part.text.as_deref().unwrap()));
    assert_eq!(
        part.meta.note().unwrap(),
        format!("lines 1 to {} of 400", part.meta.lines)
    );
}

#[test]
fn a_file_that_is_gone_takes_no_room_and_is_not_chosen() {
    let mut files = kinds();
    files.gone = vec![1];
    let Chosen::Some(placed) = choose(&mut files, 100_000).unwrap() else {
        panic!("a file is gone");
    };
    let found: Vec<usize> = placed.iter().map(|one| one.file).collect();
    assert_eq!(found, [0, 2, 3, 4, 5]);
}

#[test]
fn a_budget_without_room_for_the_head_names_the_size_of_the_head() {
    let mut files = kinds();
    let head = tokens(&files.written(&[], None));
    let error = choose(&mut files, head - 1).unwrap_err();
    assert_eq!(error, FitFailure::TooSmall { smallest: head });
    assert!(shown(&mut files, head).is_empty());
}

#[test]
fn a_caller_that_stops_ends_the_choice_and_the_division() {
    for calls in 0..4 {
        let mut files = kinds();
        files.stops_after = Some(Cell::new(calls));
        assert_eq!(
            choose(&mut files, 600).unwrap_err(),
            FitFailure::Caller(Stopped),
            "{calls}"
        );
        let mut files = kinds();
        files.stops_after = Some(Cell::new(calls));
        let error = split(&mut files, Limit::Tokens(400)).unwrap_err();
        assert_eq!(error, FitFailure::Caller(Stopped), "{calls}");
    }
}

fn check_parts(files: &Texts, parts: &[Vec<Placed>], limit: Limit) {
    let total = parts.len();
    for (at, part) in parts.iter().enumerate() {
        let written = files.written(
            part,
            Some(Part {
                number: at + 1,
                total,
            }),
        );
        let size = limit.of(tokens(&written), written.len());
        assert!(size <= limit.amount(), "{size} of {limit}");
    }
    for (file, text) in files.texts.iter().enumerate() {
        let pieces = parts.iter().flatten().filter(|one| one.file == file);
        let whole: String = pieces.map(|one| files.text_of(one)).collect();
        assert_eq!(&whole, text);
    }
}

#[test]
fn files_stay_whole_and_in_order_where_they_fit_a_part() {
    let list: Vec<(String, String)> = (0..12)
        .map(|at| (format!("f{at:02}.txt"), lines(10)))
        .collect();
    let list: Vec<(&str, String)> = list
        .iter()
        .map(|(path, text)| (path.as_str(), text.clone()))
        .collect();
    let mut files = Texts::new(&list, Format::Plain);
    let limit = Limit::Tokens(420);
    let parts = split(&mut files, limit).unwrap();
    check_parts(&files, &parts, limit);
    assert!(parts.len() > 2);
    let order: Vec<usize> = parts.iter().flatten().map(|one| one.file).collect();
    assert_eq!(order, (0..12).collect::<Vec<_>>());
    assert!(parts.iter().flatten().all(|one| one.part.is_none()));
}

#[test]
fn a_file_larger_than_a_part_goes_on_at_the_next_line() {
    let mut files = Texts::new(
        &[
            ("a.txt", lines(10)),
            ("b.txt", lines(400)),
            ("c.txt", lines(5)),
        ],
        Format::Plain,
    );
    let limit = Limit::Tokens(600);
    let parts = split(&mut files, limit).unwrap();
    check_parts(&files, &parts, limit);
    let pieces: Vec<(usize, usize)> = parts
        .iter()
        .flatten()
        .filter(|one| one.file == 1)
        .map(|one| one.part.as_ref().unwrap())
        .map(|part| (part.meta.first_line, part.meta.lines))
        .collect();
    assert_eq!(pieces[0].0, 1);
    for pair in pieces.windows(2) {
        assert_eq!(pair[1].0, pair[0].0 + pair[0].1);
    }
    assert_eq!(pieces.iter().map(|(_, lines)| lines).sum::<usize>(), 400);
    // The rest of the file shares a part with the next file.
    assert_eq!(
        parts
            .last()
            .unwrap()
            .iter()
            .map(|one| one.file)
            .collect::<Vec<_>>(),
        [1, 2]
    );
}

#[test]
fn a_line_larger_than_a_part_is_cut_between_characters() {
    let text = format!("{}\nend\n", "é ü ".repeat(400));
    let mut files = Texts::new(&[("a.txt", text)], Format::Plain);
    let limit = Limit::Bytes(900);
    let parts = split(&mut files, limit).unwrap();
    check_parts(&files, &parts, limit);
    assert!(parts.len() > 2);
    let lines: Vec<usize> = parts
        .iter()
        .flatten()
        .map(|one| files.meta_of(one).first_line)
        .collect();
    assert_eq!(lines[..2], [1, 1]);
}

#[test]
fn parts_that_were_not_kept_are_read_again() {
    let mut files = Texts::new(&[("a.txt", lines(400))], Format::Plain);
    files.room = 0;
    let limit = Limit::Tokens(500);
    let parts = split(&mut files, limit).unwrap();
    assert!(
        parts
            .iter()
            .flatten()
            .all(|one| one.part.as_ref().is_some_and(|part| part.text.is_none()))
    );
    check_parts(&files, &parts, limit);
}

#[test]
fn a_file_that_is_gone_is_still_named_in_a_part() {
    let mut files = kinds();
    files.gone = vec![2];
    let parts = split(&mut files, Limit::Tokens(500)).unwrap();
    let order: Vec<usize> = parts.iter().flatten().map(|one| one.file).collect();
    assert_eq!(order, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn no_files_are_one_empty_part() {
    let parts = split(&mut Texts::new(&[], Format::Plain), Limit::Tokens(1_000)).unwrap();
    assert_eq!(parts.len(), 1);
    assert!(parts[0].is_empty());
}

#[test]
fn a_limit_without_room_for_a_character_names_a_size_above_it() {
    let mut files = Texts::new(&[("a.txt", "x".repeat(3_000))], Format::Plain);
    let head = files
        .written(
            &[],
            Some(Part {
                number: 999,
                total: 999,
            }),
        )
        .len();
    let FitFailure::TooSmall { smallest } = split(&mut files, Limit::Bytes(head - 1)).unwrap_err()
    else {
        panic!("the caller did not stop");
    };
    assert_eq!(smallest, head);
    let FitFailure::TooSmall { smallest } = split(&mut files, Limit::Bytes(head)).unwrap_err()
    else {
        panic!("the caller did not stop");
    };
    assert!(smallest > head);
}

#[test]
fn limits_display_their_unit() {
    assert_eq!(Limit::Tokens(3).to_string(), "3 tokens");
    assert_eq!(Limit::Bytes(3).to_string(), "3 bytes");
    assert_eq!(
        (Limit::Tokens(3).of(1, 2), Limit::Bytes(3).of(1, 2)),
        (1, 2)
    );
    assert_eq!(
        (Limit::Tokens(3).amount(), Limit::Bytes(4).amount()),
        (3, 4)
    );
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(
        "([a-z ]{0,30}(\n|\r\n|`````\n|=====\n|]]>)){0,30}|[é a]{0,900}",
        0..6,
    )
}

fn packed(texts: &[String], format: usize, line_numbers: bool) -> Texts {
    let paths: Vec<String> = (0..texts.len())
        .map(|at| format!("src/f{at}.txt"))
        .collect();
    let list: Vec<(&str, String)> = paths
        .iter()
        .map(String::as_str)
        .zip(texts.iter().cloned())
        .collect();
    Texts {
        line_numbers,
        ..Texts::new(&list, Format::ALL[format].1)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_measured_size_is_that_of_the_output(texts in texts(), format in 0usize..6, line_numbers in any::<bool>()) {
        let mut files = packed(&texts, format, line_numbers);
        let all = placed(&mut files, 1_000_000);
        let (size, written) = (files.size(&all, None), files.written(&all, None));
        prop_assert_eq!(size.bytes, written.len());
        prop_assert_eq!(size.tally.upper(), tokens(&written));
    }

    #[test]
    fn a_choice_is_within_its_budget_in_any_format(texts in texts(), format in 0usize..6, budget in 1usize..1_500) {
        let mut files = packed(&texts, format, false);
        match choose(&mut files, budget) {
            Ok(Chosen::Some(placed)) => {
                prop_assert!(tokens(&files.written(&placed, None)) <= budget);
                prop_assert!(placed.windows(2).all(|pair| pair[0].file < pair[1].file));
            }
            Ok(Chosen::All(weights)) => prop_assert_eq!(weights.len(), texts.len()),
            Err(FitFailure::TooSmall { smallest }) => prop_assert!(smallest > budget),
            Err(FitFailure::Caller(Stopped)) => panic!("the caller did not stop"),
        }
    }

    #[test]
    fn parts_are_within_their_limit_and_together_the_whole(
        texts in texts(),
        format in 0usize..6,
        amount in 300usize..1_500,
        is_bytes in any::<bool>(),
        room in 0usize..2_000,
    ) {
        let mut files = Texts { room, ..packed(&texts, format, false) };
        let limit = if is_bytes { Limit::Bytes(amount * 4) } else { Limit::Tokens(amount) };
        match split(&mut files, limit) {
            Ok(parts) => check_parts(&files, &parts, limit),
            Err(FitFailure::TooSmall { smallest }) => prop_assert!(smallest > limit.amount()),
            Err(FitFailure::Caller(Stopped)) => panic!("the caller did not stop"),
        }
    }
}
