//! Ranking of files and parts for a query, and the reasons.

use loom_engine::context::{
    ContextWeights, Corpus, ParsedQuery, Past, SelectOptions, Selection, Signal, select,
};

use crate::repository::{corpus, files};

/// A repository with the answer to one query.
pub(crate) struct Answer {
    pub(crate) corpus: Corpus,
    pub(crate) selection: Selection,
}

pub(crate) fn ask_with(
    repository: &str,
    query: &str,
    past: &[(&str, &[u32])],
    wishes: &SelectOptions,
) -> Answer {
    let files = files(repository);
    let corpus = corpus(&files);
    let mut history = Past::default();
    for (message, changed) in past {
        history.add(message, changed.to_vec());
    }
    let text = |file: u32| Some(files[file as usize].1.clone());
    let selection = select(&ParsedQuery::new(query), &corpus, &history, wishes, &text);
    Answer { corpus, selection }
}

pub(crate) fn ask(repository: &str, query: &str) -> Answer {
    ask_with(repository, query, &[], &SelectOptions::default())
}

/// Selects with only these signals.
fn by(signals: &[Signal]) -> SelectOptions {
    SelectOptions {
        weights: ContextWeights::chosen(signals),
        ..SelectOptions::default()
    }
}

impl Answer {
    /// Returns the paths of the files with a score, the best first.
    pub(crate) fn paths(&self) -> Vec<String> {
        let files = self.selection.files.iter();
        files
            .map(|one| self.corpus.files[one.number as usize].path.to_string())
            .collect()
    }

    /// Returns the contribution of a signal to the score of a file.
    fn share(&self, path: &str, signal: Signal) -> f32 {
        let mut files = self.selection.files.iter();
        let found =
            files.find(|one| self.corpus.files[one.number as usize].path.to_string() == path);
        found.map_or(0.0, |one| one.signals[signal as usize])
    }

    fn score(&self, path: &str) -> f64 {
        let place = self.paths().iter().position(|one| one == path);
        place.map_or(0.0, |at| self.selection.files[at].score)
    }

    /// Returns the parts as `PATH:FIRST-LAST`, the best first.
    pub(crate) fn parts(&self) -> Vec<String> {
        let parts = self.selection.parts.iter();
        parts
            .map(|one| {
                let part = &self.corpus.parts[one.number as usize];
                let path = &self.corpus.files[part.file as usize].path;
                format!("{path}:{}-{}", part.first, part.last)
            })
            .collect()
    }

    fn part_share(&self, part: &str, signal: Signal) -> f32 {
        let place = self.parts().iter().position(|one| one == part);
        place.map_or(0.0, |at| self.selection.parts[at].signals[signal as usize])
    }
}

const SHOP: &str = "\
=== shop/price.py
def total_price(items):
    return sum(item.price for item in items)

def discount(price, rate):
    return price * rate
=== shop/stock.py
from shop.price import total_price

class Stock:
    def __init__(self):
        self.items = []

    def value(self):
        return total_price(self.items)

    def remove(self, item):
        if item not in self.items:
            raise KeyError(\"there is no such item in stock\")
=== shop/report.py
from shop.stock import Stock

def print_report(stock):
    print(stock.value())
=== tests/test_price.py
from shop.price import total_price

def test_total_price():
    assert total_price([]) == 0
=== docs/prices.md
# Prices

How the total price of items is computed.
";

fn check_first(query: &str, expected: &str) {
    let answer = ask(SHOP, query);
    assert_eq!(answer.paths()[0], expected, "{query}");
    assert!(answer.selection.is_match, "{query}");
}

#[test]
fn the_file_with_the_words_of_the_query_comes_first() {
    check_first("how is a discount computed for a rate", "shop/price.py");
    check_first("where are reports printed", "shop/report.py");
    check_first("remove something from the stock", "shop/stock.py");
}

#[test]
fn a_path_in_the_query_comes_first_whatever_its_words() {
    check_first("the discount rate in shop/report.py", "shop/report.py");
    let answer = ask(SHOP, "look at tests/test_price.py");
    assert_eq!(answer.paths()[0], "tests/test_price.py");
    assert!(answer.share("tests/test_price.py", Signal::Path) > 0.0);
}

#[test]
fn a_path_that_several_files_could_be_is_shared_by_those_that_fit_best() {
    let text = "=== a/x/init.py\none = 1\n=== b/x/init.py\ntwo = 1\n=== b/y/init.py\nsix = 1\n";
    let shares = |query: &str| {
        let answer = ask_with(text, query, &[], &by(&[Signal::Path]));
        ["a/x/init.py", "b/x/init.py", "b/y/init.py"].map(|path| answer.share(path, Signal::Path))
    };
    let [one, two, three] = shares("in init.py");
    assert!(one > 0.0 && one == two && two == three);
    let [one, two, three] = shares("in x/init.py");
    assert!(one > 0.0 && one == two && three == 0.0);
    let [one, two, three] = shares("in b/x/init.py");
    assert!(one == 0.0 && two > 0.0 && three == 0.0);
}

#[test]
fn a_path_with_other_folders_counts_less_than_one_that_fits() {
    let share = |query: &str| {
        let answer = ask_with(SHOP, query, &[], &by(&[Signal::Path]));
        answer.share("shop/price.py", Signal::Path)
    };
    assert!(share("in /home/me/shop/price.py") > share("in price.py"));
    assert!(share("in price.py") > share("in other/price.py"));
    assert!(share("in other/price.py") > 0.0);
    assert!(share("in price.py") > share("x\n```\nprice.py\n```\n"));
}

#[test]
fn the_frame_where_it_happened_counts_more_than_those_that_called_it() {
    let trace = "Crash\n  File \"/srv/shop/report.py\", line 4, in print_report\n  File \"/srv/shop/stock.py\", line 8, in value\n";
    let answer = ask_with(SHOP, trace, &[], &by(&[Signal::Frame]));
    let (inner, outer) = (
        answer.share("shop/stock.py", Signal::Frame),
        answer.share("shop/report.py", Signal::Frame),
    );
    assert!(inner > outer && outer > 0.0, "{inner} {outer}");
    assert!(answer.part_share("shop/stock.py:7-9", Signal::Frame) > 0.0);
    assert_eq!(answer.part_share("shop/stock.py:10-12", Signal::Frame), 0.0);
}

#[test]
fn a_frame_without_a_known_function_means_the_part_with_its_line() {
    let trace = "Crash\n  File \"/srv/shop/stock.py\", line 12, in gone_since\n";
    let answer = ask_with(SHOP, trace, &[], &by(&[Signal::Frame]));
    assert!(answer.part_share("shop/stock.py:10-12", Signal::Frame) > 0.0);
}

#[test]
fn a_name_in_the_query_means_its_definition() {
    let answer = ask(SHOP, "why does `discount` round");
    assert_eq!(answer.parts()[0], "shop/price.py:4-5");
    assert!(answer.part_share("shop/price.py:4-5", Signal::Definition) > 0.0);
    assert_eq!(
        answer.part_share("shop/price.py:1-3", Signal::Definition),
        0.0
    );
}

#[test]
fn the_type_before_a_name_says_which_definition_is_meant() {
    let text = "=== a.py\nclass One:\n    def open_it(self):\n        pass\n=== b.py\nclass Two:\n    def open_it(self):\n        pass\n";
    let answer = ask_with(
        text,
        "crash in Two.open_it()",
        &[],
        &by(&[Signal::Definition]),
    );
    assert_eq!(answer.paths(), ["b.py"]);
    let both = ask_with(text, "crash in open_it()", &[], &by(&[Signal::Definition]));
    assert_eq!(both.paths().len(), 2);
}

#[test]
fn a_named_type_speaks_for_its_members_too_but_less() {
    let answer = ask_with(SHOP, "what does `Stock` do", &[], &SelectOptions::default());
    let head = answer.part_share("shop/stock.py:3-3", Signal::Definition);
    let member = answer.part_share("shop/stock.py:7-9", Signal::Definition);
    assert!(
        head > member && member > 0.0,
        "{head} {member} {:?}",
        answer.parts()
    );
}

#[test]
fn callees_and_callers_of_a_named_function_are_found() {
    let answer = ask_with(
        SHOP,
        "crash in `Stock.value()`",
        &[],
        &by(&[Signal::Call, Signal::Definition]),
    );
    let callee = answer.share("shop/price.py", Signal::Call);
    assert!(callee > 0.0, "{:?}", answer.paths());
    let answer = ask_with(
        SHOP,
        "crash in `total_price`",
        &[],
        &by(&[Signal::Call, Signal::Definition]),
    );
    assert!(answer.part_share("shop/stock.py:7-9", Signal::Call) > 0.0);
    assert_eq!(answer.part_share("shop/stock.py:10-12", Signal::Call), 0.0);
    assert_eq!(answer.share("tests/test_price.py", Signal::Call), 0.0);
}

#[test]
fn a_quoted_message_finds_where_it_stands() {
    let query = "Crash\nKeyError: there is no such item in stock\n";
    let answer = ask_with(SHOP, query, &[], &by(&[Signal::Phrase]));
    assert_eq!(answer.paths(), ["shop/stock.py"]);
    assert_eq!(answer.parts()[0], "shop/stock.py:10-12");
}

#[test]
fn a_message_that_stands_in_many_places_says_less_of_each() {
    let text = |count: usize| -> String {
        (0..count)
            .map(|at| format!("=== f{at}.py\ndef run{at}():\n    fail(\"the sky is falling\")\n"))
            .collect()
    };
    let share = |count: usize| {
        let answer = ask_with(
            &text(count),
            "x\nError: the sky is falling",
            &[],
            &by(&[Signal::Phrase]),
        );
        answer.share("f0.py", Signal::Phrase)
    };
    assert!(share(1) > share(3) && share(3) > 0.0);
}

#[test]
fn files_of_equal_words_stand_in_the_order_of_their_kinds() {
    let body = "def galaxy_count():\n    return 1\n";
    let text = format!("=== src/one.py\n{body}=== tools/two.py\n{body}=== tests/three.py\n{body}");
    let answer = ask(&text, "count the galaxy");
    assert_eq!(
        answer.paths(),
        ["src/one.py", "tools/two.py", "tests/three.py"]
    );
    let scores = answer
        .paths()
        .iter()
        .map(|path| answer.score(path))
        .collect::<Vec<_>>();
    assert!(scores[0] > scores[1] && scores[1] > scores[2], "{scores:?}");
}

#[test]
fn a_rare_word_says_more_than_a_common_one() {
    let mut text = String::from("=== rare.py\ngalaxy = 1\n");
    for at in 0..6 {
        text += &format!("=== common{at}.py\nplanet = 1\n");
    }
    assert_eq!(ask(&text, "galaxy planet").paths()[0], "rare.py");
}

#[test]
fn a_file_that_is_called_as_the_query_says_comes_first() {
    let text = "=== boolean_utils.py\ndef to(x):\n    return x\n=== other.py\ndef boolean(x):\n    return boolean_of(x)\n";
    let answer = ask_with(text, "parsing of boolean utils", &[], &by(&[Signal::Name]));
    assert_eq!(answer.paths(), ["boolean_utils.py"]);
    let nameless =
        "=== boolean/index.js\nexport const x = 1;\n=== text/index.js\nexport const y = 1;\n";
    let answer = ask_with(nameless, "parsing of boolean", &[], &by(&[Signal::Name]));
    assert_eq!(answer.paths(), ["boolean/index.js"]);
}

#[test]
fn a_file_is_found_by_a_longer_form_of_its_name() {
    let text = "=== auth.py\nx = 1\n=== other.py\ny = 1\n";
    let answer = ask_with(text, "the authentication", &[], &by(&[Signal::Name]));
    assert_eq!(answer.paths(), ["auth.py"]);
}

#[test]
fn a_lone_name_finds_its_definition_before_its_uses() {
    let text = "=== a_uses.py\nfrom z import make\n\nmake(); make(); make()\n=== z.py\ndef make():\n    pass\n";
    assert_eq!(ask(text, "make").paths()[0], "z.py");
}
