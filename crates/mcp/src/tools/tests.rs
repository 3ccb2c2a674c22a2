//! Calls of tools as the server makes them: what is said of them, when they stop, and what
//! they answer when there is no time.

mod answers;
mod client;
mod given;
mod guessed;
mod honest;
mod names;
mod narrow;
mod states;

use infiniloom::{Control, Infiniloom, Map};
use loom_testkit::Sandbox;

use super::scope::Scope;
use super::*;
use crate::root::Root;
use crate::root::tests::opened;

#[test]
fn the_list_is_short() {
    let model = Infiniloom::new().model("gpt-4o").unwrap();
    // No client passes titles and marks on to the model.
    let tokens = |tool: Described| {
        let mut tool = serde_json::to_value(tool).unwrap();
        let fields = tool.as_object_mut().unwrap();
        for field in ["title", "_meta", "annotations"] {
            fields.remove(field);
        }
        model.count(&tool.to_string()).upper()
    };
    let all: Vec<usize> = list(AnswerForm::Text, None)
        .into_iter()
        .map(tokens)
        .collect();
    assert!(all.iter().sum::<usize>() < 2000, "{all:?}");
    // Context, search and navigate are in each first request.
    assert!(all[..3].iter().sum::<usize>() < 900, "{all:?}");
}

#[test]
fn tools_are_described_in_the_words_of_users() {
    let words = [
        (
            "context",
            "relevant files, bug, issue, stack trace, codebase",
        ),
        ("search", "search, grep, find, repository"),
        (
            "navigate",
            "definition, references, usages, callers, call graph, implementations",
        ),
        ("read", "read a file, outline"),
        ("map", "overview, structure, architecture"),
        ("pack", "pack, tokens"),
    ];
    for (tool, words) in words {
        let described = find(tool).unwrap().described(AnswerForm::Text, None);
        let text = serde_json::to_string(&described).unwrap().to_lowercase();
        for word in words.split(", ") {
            assert!(text.contains(word), "{tool}: {word}");
        }
        assert!(described.output_schema.is_none(), "{tool}");
    }
}

#[test]
fn codex_gets_the_words_of_its_search_in_the_title() {
    let title = |client: &str| {
        let described = find("navigate").unwrap();
        described.described(AnswerForm::Text, Some(client)).title
    };
    assert!(title("codex-mcp-client").unwrap().contains("subclasses"));
    assert!(title("claude-code").unwrap().len() < 80);
}

#[test]
fn what_is_required_is_described() {
    for tool in ALL {
        let own = (tool.arguments)();
        for name in tool.needs {
            assert!(own.get(name).is_some(), "{}: {name}", tool.name);
        }
    }
}

/// A call that began so long ago.
fn called(
    root: &Root,
    (tool, arguments): (&str, &Value),
    cancel: &Cancel,
    ago: Duration,
) -> Result<String, ToolError> {
    let arguments = Arguments(arguments.as_object().unwrap().clone());
    let tool = find(tool).unwrap();
    let call = Call {
        began: Instant::now().checked_sub(ago).unwrap(),
        ..new_call(root, &arguments, cancel, tool.tokens)
    };
    (tool.run)(&call).map(|fitted| fitted.text)
}

fn new_call<'c>(
    root: &'c Root,
    arguments: &'c Arguments,
    cancel: &'c Cancel,
    limit: usize,
) -> Call<'c> {
    Call {
        root,
        arguments,
        notices: &[],
        cancel,
        limit,
        caller: Caller::default(),
        began: Instant::now(),
        waited: Cell::default(),
    }
}

/// Returns true for an answer that is complete a moment later.
fn can_wait(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.starts_with("partial: ") && first.contains("ask again")
}

const LONG: Duration = Duration::from_secs(600);

fn files() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def price_of(item):\n    return item.price\n");
    sandbox.write("b.py", "from a import price_of\n\nprice_of(1)\n");
    sandbox
}

/// Every tool, asked for something that is there.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("context", json!({"query": "price of an item"})),
        ("search", json!({"query": "price_of"})),
        (
            "search",
            json!({"query": "price of an item", "kind": "question"}),
        ),
        ("navigate", json!({"symbol": "price_of"})),
        ("navigate", json!({"symbol": "price_of", "what": "refs"})),
        ("read", json!({"symbol": "price_of"})),
        ("map", json!({})),
        ("map", json!({"focus": ["a.py"]})),
        ("pack", json!({})),
    ]
}

/// Whatever is made already, a call that nobody waits for tells nothing.
#[test]
fn no_tool_answers_after_a_stop() {
    let sandbox = files();
    let root = opened(&sandbox);
    root.start();
    assert!(root.wait(LONG, &Control::new()));
    let stopped = Cancel::new();
    stopped.cancel();
    for (tool, arguments) in calls() {
        let call = (tool, &arguments);
        loop {
            let told = called(&root, call, &Cancel::new(), Duration::ZERO).unwrap();
            if !can_wait(&told) {
                break;
            }
        }
        let told = called(&root, call, &stopped, Duration::ZERO);
        let told = told.expect_err(tool).0;
        assert!(told.contains("interrupted"), "{tool}: {told}");
    }
}

/// Nobody waits for an index that does not come: what the files say without it is told.
#[test]
fn who_has_waited_gets_what_there_is() {
    let sandbox = files();
    let root = opened(&sandbox);
    for (tool, arguments) in calls() {
        let is_lines = tool == "search" && arguments.get("kind").is_none();
        let is_told_by_index = tool != "pack" && !is_lines;
        let told = called(&root, (tool, &arguments), &Cancel::new(), LONG).unwrap();
        assert_eq!(can_wait(&told), is_told_by_index, "{tool}: {told}");
        let model = Infiniloom::new().model("gpt-4o").unwrap();
        assert!(!is_told_by_index || model.count(&told).upper() <= PARTIAL_TOKENS);
    }
}

/// Lines are looked for as long as there is time, and what was found until then is told.
#[test]
fn lines_are_looked_for_no_longer_than_there_is_time() {
    let sandbox = files();
    let root = opened(&sandbox);
    let (cancel, arguments) = (Cancel::new(), Arguments(JsonObject::new()));
    let call = new_call(&root, &arguments, &cancel, 1000);
    let words = ["price_of".to_owned()];
    let found = |patience: Duration| {
        let files = partial::found(&call, &words, &Scope::default(), patience).unwrap();
        files.iter().map(Vec::len).sum::<usize>()
    };
    assert_eq!(found(LONG), 3);
    assert_eq!(found(Duration::ZERO), 0);
    cancel.cancel();
    assert!(partial::found(&call, &words, &Scope::default(), LONG).is_err());
}

/// A name that is everywhere is looked for as long as anybody waits.
#[test]
fn what_there_was_no_time_for_is_said() {
    let sandbox = files();
    let root = opened(&sandbox);
    root.start();
    assert!(root.wait(LONG, &Control::new()));
    let def = json!({"symbol": "price_of"});
    let told = called(&root, ("navigate", &def), &Cancel::new(), LONG).unwrap();
    assert!(told.contains("only some were searched"), "{told}");
    for what in navigate::QUESTIONS {
        let arguments = json!({"symbol": "price_of", "what": what});
        let call = ("navigate", &arguments);
        let told = called(&root, call, &Cancel::new(), Duration::ZERO).unwrap();
        assert!(!told.contains("only some"), "{what}: {told}");
    }
    // The definition is known by now; who uses it would have to be read.
    let refs = json!({"symbol": "price_of", "what": "refs"});
    let told = called(&root, ("navigate", &refs), &Cancel::new(), LONG).unwrap();
    assert!(told.contains("only some were searched"), "{told}");
}

/// The same words as the command's, and no error.
#[test]
fn context_without_a_match_says_so_and_shows_the_map() {
    let sandbox = files();
    let root = opened(&sandbox);
    root.start();
    assert!(root.wait(LONG, &Control::new()));
    for query in ["asdfgh qwerty zzz", "what is the of and"] {
        let query = json!({ "query": query });
        // What a context and a map are made of is made in the background.
        let told = loop {
            let call = ("context", &query);
            let told = called(&root, call, &Cancel::new(), Duration::ZERO).unwrap();
            if told.contains("Key symbols") {
                break told;
            }
        };
        assert!(
            told.starts_with("nothing matches the query in 2 files\n"),
            "{told}"
        );
        assert!(told.contains("price_of"), "{told}");
        let model = Infiniloom::new().model("gpt-4o").unwrap();
        assert!(model.count(&told).upper() <= Map::NO_MATCH_BUDGET);
    }
}

/// A program gets the text, the sources and the rest as one JSON text within the limit.
#[test]
fn json_is_sent_only_if_a_call_asks_for_it() {
    let sandbox = files();
    let client = client::Client::start(&sandbox, &["."]);
    let text = client.ok("search", &json!({"query": "price_of"}));
    assert!(text.contains("a.py"), "{text}");
    assert!(serde_json::from_str::<Value>(&text).is_err(), "{text}");
    let arguments = json!({"query": "price_of", "format": "json", "budget": 200});
    let answer = client.content("search", &arguments);
    let data: Value = serde_json::from_str(&answer).unwrap();
    assert!(data["text"].as_str().unwrap().contains("a.py"), "{data}");
    assert_eq!(data["sources"][0], "a.py:1-1");
    let model = Infiniloom::new().model("gpt-4o").unwrap();
    assert!(model.count(&answer).upper() <= 200, "{answer}");
    // A format of another server is text here.
    let text = client.ok("search", &json!({"query": "price_of", "format": "xml"}));
    assert!(text.contains("ignored: `format`"), "{text}");
}
