//! Calls with the arguments that models guess: each gets a useful answer, or an error that names
//! the fix.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::client::{Client, shop};
use crate::arguments::Arguments;
use crate::synonyms::Canonical;

/// A guessed call.
#[derive(Debug, Deserialize)]
struct Guess {
    tool: String,
    arguments: Map<String, Value>,
    /// `answer`, an answer with a `notice` about an ignored argument, or an `error`.
    expect: String,
    /// The canonical arguments.
    #[serde(default)]
    means: Map<String, Value>,
    /// The other name that the answer explains.
    synonym: Option<String>,
    /// Words of the notice or of the error.
    #[serde(default)]
    names: Vec<String>,
}

fn guesses() -> Vec<Guess> {
    serde_json::from_str(include_str!("guessed.json")).unwrap()
}

/// One text in a list is the same as the text, and a number the same as its digits.
fn plain(value: &Value) -> Value {
    match value {
        Value::Array(items) if items.len() == 1 => plain(&items[0]),
        Value::Number(number) => json!(number.as_f64().unwrap().to_string()),
        value => value.clone(),
    }
}

#[test]
fn guessed_arguments_become_the_canonical_ones() {
    for guess in guesses().iter().filter(|guess| guess.expect != "error") {
        let given = Arguments(guess.arguments.clone());
        let read = Canonical::new(&guess.tool, &given);
        let plained = |map: &Map<String, Value>| -> Map<String, Value> {
            let pairs = map.iter();
            pairs
                .map(|(name, value)| (name.clone(), plain(value)))
                .collect()
        };
        assert_eq!(
            plained(&read.arguments.0),
            plained(&guess.means),
            "{guess:?}"
        );
    }
}

#[test]
fn each_guess_gets_an_answer_or_an_error_that_names_the_fix() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    let all = guesses();
    assert_eq!(all.len(), 100);
    for guess in all {
        let arguments = Value::Object(guess.arguments.clone());
        let (is_ok, text, data) = client.call(&guess.tool, &arguments);
        assert_eq!(is_ok, guess.expect != "error", "{guess:?}: {text}");
        for name in &guess.names {
            assert!(text.contains(name.as_str()), "{guess:?}: {text}");
        }
        if !is_ok {
            continue;
        }
        let has_result = !data["sources"].as_array().unwrap().is_empty();
        // The function has no implementations, and calls nothing.
        let is_none = text.starts_with("Nothing is known to implement")
            || text.starts_with("Calls made by price_of, 0:");
        assert!(has_result || is_none, "{guess:?}: {text}");
        let ignored = text.contains("ignored: ");
        assert_eq!(ignored, guess.expect == "notice", "{guess:?}: {text}");
        if let Some(synonym) = &guess.synonym {
            let notices = text.lines().filter(|line| line.contains(" called `"));
            let named = format!("`{synonym}`");
            let count = notices.filter(|notice| notice.contains(&named)).count();
            assert_eq!(count, 1, "{guess:?}: {text}");
        }
        // The same as the canonical call.
        let canonical = Value::Object(guess.means.clone());
        let (_, own, _) = client.call(&guess.tool, &canonical);
        let without = |text: &str| {
            let lines = text.lines();
            let is_remark =
                |line: &&str| line.contains(" called `") || line.starts_with("ignored: ");
            lines
                .filter(|line| !is_remark(line))
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(without(&text), own, "{guess:?}");
    }
}
