//! Splitting a pack into parts: each within its limit, together the whole.

use std::collections::BTreeMap;

use loom_host::{
    Cancel, Format, HistoryOptions, Limit, NoProgress, PackError, PackOptions, PackRun, Packer,
    Survey, count,
};
use loom_testkit::{Sandbox, odd_tree};
use proptest::prelude::*;

use crate::fixture::{files_of, pack, packer, survey, write};

fn json() -> PackOptions {
    PackOptions {
        format: Format::Json,
        ..PackOptions::default()
    }
}

fn parts(packer: &Packer, limit: Limit) -> (Vec<Survey>, Vec<String>) {
    let parts = PackRun::new(packer, &NoProgress, &Cancel::new())
        .split(&survey(packer), limit)
        .unwrap();
    let texts = parts.iter().map(|part| write(packer, part).0).collect();
    (parts, texts)
}

/// Returns the files of all parts, each put together from its pieces.
fn joined(texts: &[String]) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for (path, text) in texts.iter().flat_map(|text| files_of(text)) {
        all.entry(path).or_default().push_str(&text);
    }
    all
}

fn size(packer: &Packer, limit: Limit, text: &str) -> usize {
    limit.of(count(text, &packer.options().model).upper(), text.len())
}

#[track_caller]
fn check(sandbox: &Sandbox, options: PackOptions, limit: Limit) -> usize {
    let packer = packer(sandbox, options.clone());
    let (surveys, texts) = parts(&packer, limit);
    for text in &texts {
        assert!(size(&packer, limit, text) <= limit.amount(), "{limit}");
    }
    for (number, survey) in (1..).zip(&surveys) {
        let part = survey.overview.part.unwrap();
        assert_eq!((part.number, part.total), (number, surveys.len()));
    }
    if options.format == Format::Json {
        assert!(
            joined(&texts) == files_of(&pack(sandbox, options)),
            "{limit}"
        );
    }
    texts.len()
}

#[test]
fn parts_are_within_the_limit_and_together_the_whole() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox.write("wide.txt", "wörter ohne Ende ".repeat(1_500));
    sandbox.write("long.txt", "one line\r\nand another\n".repeat(1_000));
    for limit in [
        Limit::Tokens(3_000),
        Limit::Tokens(20_000),
        Limit::Bytes(30_000),
    ] {
        let count = check(&sandbox, json(), limit);
        assert!(
            count > 1 || limit == Limit::Tokens(20_000),
            "{limit}: {count}"
        );
    }
}

#[test]
fn every_format_keeps_the_limit() {
    let sandbox = Sandbox::new();
    for at in 0..12 {
        sandbox.write(
            format!("src/f{at}.txt"),
            "a line of some words\n".repeat(60),
        );
    }
    for (_, format) in Format::ALL {
        for line_numbers in [false, true] {
            let options = PackOptions {
                format: *format,
                line_numbers,
                ..PackOptions::default()
            };
            assert!(check(&sandbox, options, Limit::Tokens(1_500)) > 2);
        }
    }
}

#[test]
fn file_is_divided_only_if_it_must_be() {
    let sandbox = Sandbox::new();
    for name in ["a", "b", "c"] {
        sandbox.write(name, "a line of some words\n".repeat(100));
    }
    sandbox.write("d", "a line of some words\n".repeat(1_000));
    let packer = packer(&sandbox, json());
    let (surveys, texts) = parts(&packer, Limit::Tokens(1_200));
    let times = |name: &str| {
        texts
            .iter()
            .filter(|text| files_of(text).contains_key(name))
            .count()
    };
    assert_eq!([times("a"), times("b"), times("c")], [1, 1, 1]);
    assert!(times("d") > 3);
    // Each piece of the divided file knows the number of its first line.
    let mut next = 1;
    for piece in surveys
        .iter()
        .flat_map(Survey::files)
        .filter(|file| file.path.display() == "d")
    {
        assert_eq!(piece.first_line, next);
        next += piece.lines;
    }
    assert_eq!(next, 1_001);
}

/// Parts of more text than may be kept are read again.
#[test]
fn file_larger_than_the_memory_is_divided() {
    let sandbox = Sandbox::new();
    let line = |number: usize| format!("line {number} of a long file\n");
    sandbox.write("long.txt", (0..40_000).map(line).collect::<String>());
    sandbox.write("after.txt", "the end\n");
    let options = PackOptions {
        max_memory: 1,
        ..json()
    };
    assert!(check(&sandbox, options, Limit::Tokens(50_000)) > 4);
}

#[test]
fn only_the_first_part_has_sections_and_skipped_files() {
    let sandbox = Sandbox::new();
    let long: String = (0..4_000).map(|number| format!("{number}\n")).collect();
    sandbox
        .write("a.txt", "")
        .write("picture.bin", "\0")
        .commit_all();
    sandbox.write("a.txt", &long);
    for number in 0..60 {
        sandbox.write(format!("b{number}.txt"), "some words in a small file\n");
    }
    let options = PackOptions {
        history: HistoryOptions {
            diff: true,
            ..HistoryOptions::default()
        },
        ..PackOptions::default()
    };
    let packer = packer(&sandbox, options);
    let (surveys, _) = parts(&packer, Limit::Tokens(26_000));
    assert!((2..4).contains(&surveys.len()), "{}", surveys.len());
    for (at, survey) in surveys.iter().enumerate() {
        assert_eq!(survey.overview.sections.len(), usize::from(at == 0));
        assert_eq!(survey.left_out.len(), usize::from(at == 0));
    }
}

/// The first number is that of the head alone, later ones have room for a little text.
#[test]
fn limit_below_the_head_is_refused_with_numbers_that_lead_to_one_that_works() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a", "words\n".repeat(100))
        .write("b", "more\n");
    let packer = packer(&sandbox, json());
    let survey = survey(&packer);
    for unit in [Limit::Tokens, Limit::Bytes] {
        let (mut limit, mut refusals) = (20, 0);
        while let Err(error) =
            PackRun::new(&packer, &NoProgress, &Cancel::new()).split(&survey, unit(limit))
        {
            let PackError::BudgetTooSmall { budget, smallest } = error else {
                panic!("{error}");
            };
            assert!(
                budget == unit(limit) && smallest > limit,
                "{budget}: {smallest}"
            );
            (limit, refusals) = (smallest, refusals + 1);
        }
        assert!((1..16).contains(&refusals), "{refusals}");
        check(&sandbox, json(), unit(limit));
    }
}

#[test]
fn small_pack_is_one_part() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "words\n");
    assert_eq!(check(&sandbox, json(), Limit::Tokens(10_000)), 1);
    let empty = Sandbox::new();
    assert_eq!(check(&empty, json(), Limit::Tokens(10_000)), 1);
}

#[test]
fn cancelled_split_is_an_error() {
    let sandbox = Sandbox::new();
    for at in 0..5 {
        sandbox.write(format!("{at}"), "words\n".repeat(500));
    }
    let packer = packer(&sandbox, json());
    let cancel = Cancel::new();
    let survey = survey(&packer);
    cancel.cancel();
    let result = PackRun::new(&packer, &NoProgress, &cancel).split(&survey, Limit::Tokens(700));
    assert!(matches!(result, Err(PackError::Cancelled)));
}

/// A secret is redacted before the file is divided, so no part has a half of it.
#[test]
fn no_part_shows_a_secret() {
    let sandbox = Sandbox::new();
    let password = crate::fixture::password();
    let text: String = (0..400)
        .map(|at| format!("password: {password} # {at}\n"))
        .collect();
    sandbox.write("a.yaml", text);
    for max_memory in [1, PackOptions::MAX_MEMORY] {
        let options = PackOptions {
            max_memory,
            ..json()
        };
        let packer = packer(&sandbox, options);
        let (_, texts) = parts(&packer, Limit::Tokens(900));
        assert!(texts.len() > 5);
        assert!(texts.iter().all(|text| !text.contains(&password[..5])));
        let whole = joined(&texts);
        assert_eq!(
            whole["a.yaml"].matches("[REDACTED:password:1]").count(),
            400
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn any_limit_gives_the_whole_again(texts in prop::collection::vec("([a-zä ]{0,30}\n){0,40}[a-z]{0,8}", 1..6), limit in 400usize..3_000) {
        let sandbox = Sandbox::new();
        for (at, text) in texts.iter().enumerate() {
            sandbox.write(format!("f{at}.txt"), text);
        }
        check(&sandbox, json(), Limit::Tokens(limit));
    }
}
