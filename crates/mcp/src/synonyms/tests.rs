//! Other names, values and forms of arguments.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

fn read(tool: &str, given: &Value) -> Canonical {
    Canonical::new(tool, &Arguments(given.as_object().unwrap().clone()))
}

#[track_caller]
fn check(tool: &str, given: &Value, expected: &Value, notices: &[&str]) {
    let read = read(tool, given);
    assert_eq!(Value::Object(read.arguments.0), *expected, "{given}");
    assert_eq!(read.notices, notices, "{given}");
}

#[test]
fn other_names_become_canonical_and_are_named_once() {
    check(
        "search",
        &json!({"query": "x"}),
        &json!({"query": "x"}),
        &[],
    );
    check(
        "search",
        &json!({"q": "x", "path": "src", "max_tokens": 500}),
        &json!({"query": "x", "paths": "src", "budget": 500}),
        &[
            "`q` is called `query` here",
            "`path` is called `paths` here",
        ],
    );
    check(
        "context",
        &json!({"task": "x", "language": "python", "hot": null}),
        &json!({"query": "x"}),
        &["`task` is called `query` here", "ignored: `language`"],
    );
    // The canonical name wins.
    check(
        "search",
        &json!({"query": "x", "pattern": "y"}),
        &json!({"query": "x"}),
        &["ignored: `pattern`"],
    );
    check(
        "read",
        &json!({"paths": "a", "lines": "1-2", "start_line": 5}),
        &json!({"paths": "a", "lines": "1-2"}),
        &["ignored: `start_line`"],
    );
    let many: Map<String, Value> = (0..9).map(|at| (format!("x{at}"), json!(1))).collect();
    check(
        "map",
        &Value::Object(many),
        &json!({}),
        &["ignored: `x0`, `x1`, `x2`, `x3`, `x4`, …"],
    );
}

#[test]
fn other_forms_of_a_value_are_read() {
    let both = ["`query`", "`kind`"].map(|name| format!("`is_regex` is called {name} here"));
    check(
        "search",
        &json!({"regex": "a.b"}),
        &json!({"query": "a.b", "kind": "regex"}),
        &["`regex` is called `query` here"],
    );
    check(
        "search",
        &json!({"query": "a.b", "is_regex": "true"}),
        &json!({"query": "a.b", "kind": "regex"}),
        &[&both[1]],
    );
    check(
        "search",
        &json!({"query": "a.b", "regex": false}),
        &json!({"query": "a.b"}),
        &[],
    );
    // The type of files in other tools.
    check(
        "search",
        &json!({"query": "x", "type": "py"}),
        &json!({"query": "x"}),
        &["ignored: `type`"],
    );
    check(
        "search",
        &json!({"query": "x", "path": "src/", "glob": "*.py"}),
        &json!({"query": "x", "paths": "src/**/*.py"}),
        &["`path` and `glob` are called `paths` here"],
    );
    check(
        "navigate",
        &json!({"file_path": "a.py", "line": 8, "character": 3}),
        &json!({"symbol": "a.py:8:3"}),
        &["`file_path` and `line` are called `symbol` here"],
    );
    check(
        "navigate",
        &json!({"symbol": "f", "direction": "Usages"}),
        &json!({"symbol": "f", "what": "refs"}),
        &["`direction` is called `what` here"],
    );
    // A value under the canonical name is checked by the tool.
    check(
        "navigate",
        &json!({"symbol": "f", "what": "neighbours"}),
        &json!({"symbol": "f", "what": "neighbours"}),
        &[],
    );
}

#[test]
fn lines_are_read_in_the_forms_of_other_tools() {
    for (given, lines) in [
        (json!({"start_line": 8, "end_line": 9}), "8-9"),
        (json!({"start_line": "8"}), "8-"),
        (json!({"end_line": 9}), "1-9"),
        (json!({"start_line": 8, "end_line": -1}), "8-"),
        (json!({"offset": 8, "limit": 2}), "8-9"),
        (json!({"offset": 8.0}), "8-"),
        (json!({"offset": 0, "limit": 2}), "1-2"),
        (json!({"limit": 100}), "1-100"),
        (json!({"lines": [8, 9]}), "8-9"),
        (json!({"view_range": [8, -1]}), "8-"),
        (json!({"line_range": "8-9"}), "8-9"),
    ] {
        let mut whole = given.clone();
        whole["path"] = json!("a");
        let read = read("read", &whole);
        let expected = json!({"paths": "a", "lines": lines});
        assert_eq!(Value::Object(read.arguments.0), expected, "{given}");
        assert!(read.unknown.is_empty(), "{given}: {:?}", read.unknown);
    }
}

#[test]
fn no_name_has_two_meanings() {
    for tool in crate::tools::ALL {
        let table = Names::for_tool(tool.name).unwrap();
        let mut seen = HashSet::new();
        let names: Vec<&str> = table.names().map(|(name, _)| *name).collect();
        for (name, others) in table.names() {
            for other in *others {
                assert!(!names.contains(other), "{}: {other}", tool.name);
                assert!(seen.insert(*other), "{}: {name} {other}", tool.name);
            }
        }
    }
}

/// A mixture of canonical and other names of one tool.
fn mixture() -> impl Strategy<Value = (&'static str, Map<String, Value>, Map<String, Value>)> {
    let tools = vec!["context", "search", "map", "pack"];
    (
        prop::sample::select(tools),
        prop::collection::vec(any::<u16>(), 12),
    )
        .prop_map(|(tool, picks)| {
            let table = Names::for_tool(tool).unwrap();
            let choices: Vec<&str> = table.values().map(|(name, _)| *name).collect();
            let (mut canonical, mut given) = (Map::new(), Map::new());
            for ((name, others), pick) in table.names().zip(picks) {
                let pick = usize::from(pick);
                if pick % 3 == 0 || choices.contains(name) {
                    continue;
                }
                // `question` also names the kind of a search.
                let others: Vec<&&str> = others.iter().filter(|one| **one != "question").collect();
                let other = match pick % 3 {
                    1 => *name,
                    _ => others[pick % others.len()],
                };
                canonical.insert((*name).to_owned(), json!(pick));
                given.insert(other.to_owned(), json!(pick));
            }
            (tool, canonical, given)
        })
}

proptest! {
    #[test]
    fn other_names_mean_the_canonical_call((tool, canonical, given) in mixture()) {
        let read = Canonical::new(tool, &Arguments(given.clone()));
        prop_assert_eq!(&read.arguments.0, &canonical);
        prop_assert!(read.unknown.is_empty());
        for name in given.keys() {
            let named = format!("`{name}`");
            let times = read.notices.iter().filter(|notice| notice.starts_with(&named)).count();
            let is_other = !canonical.contains_key(name) && name != SILENT;
            prop_assert_eq!(times, usize::from(is_other), "{:?}", read.notices);
        }
    }
}
