//! Fitting parts of files and summaries of the others into a budget.

use std::sync::Arc;

use loom_base::ContentHash;
use loom_engine::Format;
use loom_engine::context::{DisplayText, FitError, FitOptions, Fitted, SelectOptions, fit};
use proptest::prelude::*;

use crate::repository::{TOKENIZER, files, tokens};
use crate::select::{Answer, ask_with};

fn options(budget: usize) -> FitOptions {
    FitOptions {
        name: "demo".to_owned(),
        below: String::new(),
        budget,
        format: Format::Markdown,
        tokenizer: TOKENIZER,
        doc: 1.0,
        required: Vec::new(),
        threshold: 0.0,
        top: usize::MAX,
        rest: 0.03,
        tells_reasons: true,
    }
}

/// A repository with the answer to one query, for fitting it several times.
struct Queried {
    texts: Vec<(String, String)>,
    answer: Answer,
}

impl Queried {
    fn new(repository: &str, query: &str) -> Self {
        Self {
            texts: files(repository),
            answer: ask_with(repository, query, &[], &SelectOptions::default()),
        }
    }

    fn fit(&self, options: &FitOptions) -> Result<Fitted, FitError> {
        let hash = ContentHash::from_bytes([0; 32]);
        let texts = |file: u32| {
            let text = self.texts[file as usize].1.clone();
            Some(Arc::new(DisplayText::new(text, hash)))
        };
        let summaries = |file: u32| Some(format!("about file {file}"));
        fit(
            &self.answer.selection,
            &self.answer.corpus,
            options,
            &texts,
            &summaries,
        )
    }

    fn pieces(&self, options: &FitOptions) -> Vec<String> {
        let fitted = self.fit(options).unwrap();
        let pieces = fitted.pieces.iter();
        pieces
            .map(|piece| format!("{}:{}-{}", piece.path, piece.first, piece.last))
            .collect()
    }

    /// Checks the properties of every context.
    fn check(&self, options: &FitOptions) -> Result<(), TestCaseError> {
        let fitted = match self.fit(options) {
            Ok(fitted) => fitted,
            Err(FitError::BudgetTooSmall { budget, smallest }) => {
                prop_assert_eq!(budget, options.budget);
                prop_assert!(smallest > budget);
                let enough = FitOptions {
                    budget: smallest,
                    ..options.clone()
                };
                prop_assert!(self.fit(&enough).is_ok());
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let text = fitted.context.text();
        prop_assert_eq!(fitted.context.tokens(), tokens(text));
        prop_assert!(fitted.context.tokens() <= options.budget);
        for piece in &fitted.pieces {
            let lines = self.texts[piece.file as usize].1.split_inclusive('\n');
            let count = (piece.last - piece.first + 1) as usize;
            let own: String = lines.skip(piece.first as usize - 1).take(count).collect();
            let is_escaped = matches!(options.format, Format::Json | Format::Yaml);
            prop_assert!(is_escaped || text.contains(&own), "{}\n{}", own, text);
            prop_assert_eq!(piece.tokens, tokens(&own));
        }
        let mut lines: Vec<(u32, u32, u32)> = fitted
            .pieces
            .iter()
            .map(|piece| (piece.file, piece.first, piece.last))
            .collect();
        lines.sort_unstable();
        for pair in lines.windows(2) {
            prop_assert!(
                pair[0].0 != pair[1].0 || pair[0].2 < pair[1].1,
                "{:?}",
                pair
            );
        }
        for rest in &fitted.rest {
            prop_assert!(text.contains(&rest.text), "{}", rest.text);
        }
        Ok(())
    }
}

const SHOP: &str = "\
=== shop/price.py
import os

def total_price(items):
    return sum(item.price for item in items)

def other_one():
    return os.name

def other_two():
    return os.sep

def discount(price, rate):
    return price * rate
=== shop/stock.py
class Stock:
    def value(self):
        return total_price(self.items)
=== README.md
# Shop

A shop that keeps prices of all its items.
";

fn shop() -> Queried {
    Queried::new(SHOP, "the total price of items")
}

#[test]
fn a_large_budget_shows_all_parts_of_all_files_with_a_score() {
    let pieces = shop().pieces(&options(10_000));
    assert_eq!(
        pieces,
        ["shop/price.py:1-13", "shop/stock.py:1-3", "README.md:1-3"]
    );
}

#[test]
fn a_budget_that_is_too_small_names_one_that_works() {
    let error = shop().fit(&options(10)).unwrap_err();
    let FitError::BudgetTooSmall { budget, smallest } = error else {
        panic!("{error}");
    };
    assert_eq!(budget, 10);
    assert!(shop().fit(&options(smallest)).is_ok());
    assert!(shop().fit(&options(smallest - 1)).is_err());
}

#[test]
fn the_best_part_is_taken_first() {
    let one = FitOptions {
        top: 1,
        ..options(10_000)
    };
    assert_eq!(shop().pieces(&one), ["shop/price.py:3-5"]);
}

#[test]
fn few_lines_between_two_pieces_are_shown_too() {
    let text = "=== a.py\ndef galaxy():\n    one()\n\nx = 1\n\ndef galaxy_two():\n    two()\n";
    let queried = Queried::new(text, "`galaxy` and `galaxy_two`");
    let two = FitOptions {
        top: 2,
        ..options(10_000)
    };
    assert_eq!(queried.pieces(&two), ["a.py:1-7"]);
    let far = text.replace("x = 1\n", "x = 1\ny = 2\nz = 3\nw = 4\n");
    let queried = Queried::new(&far, "`galaxy` and `galaxy_two`");
    assert_eq!(queried.pieces(&two), ["a.py:1-2", "a.py:9-10"]);
}

#[test]
fn at_most_so_many_parts_are_taken() {
    let queried = shop();
    for top in 0..3 {
        let options = FitOptions {
            top,
            ..options(10_000)
        };
        let parts: usize = queried
            .fit(&options)
            .unwrap()
            .pieces
            .iter()
            .map(|one| one.parts.len())
            .sum();
        assert_eq!(parts, top);
    }
}

#[test]
fn parts_below_the_threshold_are_not_taken() {
    let queried = shop();
    let one = FitOptions {
        threshold: 1.0,
        ..options(10_000)
    };
    assert_eq!(queried.pieces(&one), ["shop/price.py:3-5"]);
    let none = FitOptions {
        threshold: 1.1,
        ..options(10_000)
    };
    assert!(queried.pieces(&none).is_empty());
}

#[test]
fn required_parts_are_shown_whatever_their_score() {
    let queried = shop();
    let required = queried.answer.corpus.parts_named("discount");
    assert_eq!(required.len(), 1);
    let pinned = FitOptions {
        required,
        top: 0,
        ..options(10_000)
    };
    let fitted = queried.fit(&pinned).unwrap();
    assert_eq!(queried.pieces(&pinned), ["shop/price.py:12-13"]);
    assert_eq!(fitted.pieces[0].reasons[0].name, "pinned");
}

#[test]
fn required_parts_that_do_not_fit_are_an_error_with_a_budget_that_works() {
    let queried = shop();
    let all: Vec<u32> = (0..u32::try_from(queried.answer.corpus.parts.len()).unwrap()).collect();
    let small = FitOptions {
        required: all,
        rest: 0.0,
        ..options(200)
    };
    let FitError::BudgetTooSmall { smallest, .. } = queried.fit(&small).unwrap_err() else {
        panic!("all parts in 200 tokens");
    };
    let enough = FitOptions {
        budget: smallest,
        ..small
    };
    assert_eq!(queried.fit(&enough).unwrap().context.tokens(), smallest);
}

#[test]
fn parts_are_named_with_or_without_their_type() {
    let corpus = shop().answer.corpus;
    let count = |name: &str| corpus.parts_named(name).len();
    assert_eq!(count("value"), 1);
    assert_eq!(count("Stock.value"), 1);
    assert_eq!(count("Stock::value"), 1);
    assert_eq!(count("Other.value"), 0);
    assert_eq!(count(""), 0);
}

#[test]
fn paths_start_at_the_folder_of_the_query() {
    let below = FitOptions {
        below: "shop/".to_owned(),
        ..options(10_000)
    };
    let fitted = shop().fit(&below).unwrap();
    let text = fitted.context.text();
    assert!(
        text.contains("### `price.py`") && !text.contains("shop/price.py"),
        "{text}"
    );
}

#[test]
fn scores_and_reasons_are_shown_on_request() {
    let queried = shop();
    let with = queried.fit(&options(10_000)).unwrap();
    assert!(
        with.context.text().contains("score 1.00: "),
        "{}",
        with.context.text()
    );
    let silent = FitOptions {
        tells_reasons: false,
        ..options(10_000)
    };
    let without = queried.fit(&silent).unwrap();
    assert!(!without.context.text().contains("score "));
    assert_eq!(without.pieces[0].score, 1.0);
}

#[test]
fn a_file_without_room_has_a_line_about_it() {
    let queried = shop();
    let some = FitOptions {
        top: 1,
        ..options(10_000)
    };
    let fitted = queried.fit(&some).unwrap();
    let lines: Vec<String> = fitted
        .rest
        .iter()
        .map(|one| format!("{}: {}", one.path, one.text))
        .collect();
    assert_eq!(
        lines,
        [
            "shop/price.py: def discount(price, rate) (12-13); def other_one() (6-8); def other_two() (9-11)",
            ": A shop that keeps prices of all its items (README.md); 3 files, most in shop/, README.md",
            "shop/: 2 files, most in price.py, stock.py",
            "shop/stock.py: about file 1",
            "README.md: about file 2",
        ]
    );
    assert!(fitted.context.text().contains("\n./: A shop that keeps"));
}

#[test]
fn a_file_that_is_shown_whole_has_no_line_about_it() {
    let fitted = shop().fit(&options(10_000)).unwrap();
    let paths: Vec<&str> = fitted.rest.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["", "shop/"]);
}

#[test]
fn a_function_larger_than_the_budget_is_begun() {
    let body: String = (0..150)
        .map(|at| format!("    step_{at}(galaxy)\n"))
        .collect();
    let text = format!("=== a.py\ndef galaxy():\n{body}");
    let queried = Queried::new(&text, "`galaxy`");
    let fitted = queried.fit(&options(700)).unwrap();
    let piece = &fitted.pieces[0];
    assert_eq!(piece.first, 1);
    assert!((20..100).contains(&piece.last), "{}", piece.last);
    assert!(
        fitted
            .context
            .text()
            .contains(&format!("lines 1 to {} of 151", piece.last))
    );
}

#[test]
fn long_documentation_gives_way_to_code_where_it_is_worth_less() {
    let doc = "    Words that say little of it.\n".repeat(30);
    let text = format!(
        "=== a.py\ndef galaxy():\n    \"\"\"Counts.\n{doc}    \"\"\"\n    return planets\n=== b.py\ndef planets():\n    return galaxy\n"
    );
    let queried = Queried::new(&text, "`galaxy` of planets");
    let FitError::BudgetTooSmall { smallest, .. } = queried.fit(&options(1)).unwrap_err() else {
        panic!("a context of one token");
    };
    let lean = FitOptions {
        doc: 0.01,
        rest: 0.0,
        ..options(smallest + 180)
    };
    assert_eq!(
        queried.pieces(&lean),
        ["b.py:1-2", "a.py:1-2", "a.py:34-34"]
    );
}

#[test]
fn files_whose_text_is_gone_are_not_shown() {
    let queried = shop();
    let hash = ContentHash::from_bytes([0; 32]);
    let texts = |file: u32| {
        (file != 0).then(|| {
            Arc::new(DisplayText::new(
                queried.texts[file as usize].1.clone(),
                hash,
            ))
        })
    };
    let (selection, corpus) = (&queried.answer.selection, &queried.answer.corpus);
    let fitted = fit(selection, corpus, &options(10_000), &texts, &|_| None).unwrap();
    let files: Vec<u32> = fitted.pieces.iter().map(|piece| piece.file).collect();
    assert_eq!(files, [1, 2]);
}

#[test]
fn lines_of_a_text_are_counted_from_1_and_end_with_it() {
    let check = |text: &str, lines: std::ops::RangeInclusive<u32>, expected: &str| {
        let shown = DisplayText::new(text.to_owned(), ContentHash::from_bytes([0; 32]));
        assert_eq!(shown.lines(lines), expected, "{text:?}");
    };
    check("a\nb\nc", 1..=1, "a\n");
    check("a\nb\nc", 2..=3, "b\nc");
    check("a\nb\nc\n", 3..=9, "c\n");
    check("a\nb\nc\n", 4..=9, "");
    check("", 1..=1, "");
}

fn repository() -> impl Strategy<Value = String> {
    let function = "    (alpha|beta|gamma\\(\\)|delta = 1)\n";
    let body = prop::collection::vec(function, 1..12).prop_map(|lines| lines.concat());
    let file = prop::collection::vec(body, 1..5).prop_map(|bodies| {
        let functions = bodies.iter().enumerate();
        functions
            .map(|(at, body)| format!("def alpha_{at}():\n{body}\n"))
            .collect::<String>()
    });
    prop::collection::vec(file, 1..5).prop_map(|files| {
        let files = files.iter().enumerate();
        files
            .map(|(at, text)| format!("=== dir{}/f{at}.py\n{text}", at % 2))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_context_is_beyond_its_budget_in_any_format(
        repository in repository(),
        budgets in prop::collection::vec(1usize..2_500, 3),
        format in 0usize..6,
    ) {
        let queried = Queried::new(&repository, "alpha and beta");
        for budget in budgets {
            let (_, format) = Format::ALL[format];
            queried.check(&FitOptions { format, ..options(budget) })?;
        }
    }

    #[test]
    fn budgets_are_used_while_there_is_more_to_show(repository in repository(), budget in 600usize..2_500) {
        let queried = Queried::new(&repository, "alpha and beta");
        let fitted = queried.fit(&options(budget)).unwrap();
        let shown: usize = fitted.pieces.iter().map(|one| one.parts.len()).sum();
        let is_all = shown >= queried.answer.selection.parts.len();
        prop_assert!(is_all || fitted.context.tokens() * 10 >= budget * 8, "{} of {budget}", fitted.context.tokens());
    }
}
