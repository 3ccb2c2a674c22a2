//! `paths` and `limit` in every tool, and `navigate` without a relation.

use loom_testkit::Sandbox;
use serde_json::{Value, json};

use super::client::{Client, shop, sources};

fn parts() -> Sandbox {
    let sandbox = Sandbox::new();
    for (at, folder) in ["src", "lib", "src_old", "app/[id]"].iter().enumerate() {
        let price = format!("def price_of(item):\n    return item.price * {at}\n");
        let pay = format!("def pay_{at}(item):\n    return price_of(item) + {at}\n");
        sandbox.write(format!("{folder}/part.py"), format!("{price}\n\n{pay}"));
    }
    sandbox
}

/// Every tool with a call that has results in all directories.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("context", json!({"query": "the price_of an item"})),
        ("search", json!({"query": "price_of"})),
        (
            "search",
            json!({"query": "price of an item", "kind": "question"}),
        ),
        ("navigate", json!({"symbol": "price_of"})),
        ("navigate", json!({"symbol": "price_of", "what": "refs"})),
        ("map", json!({})),
        ("pack", json!({})),
    ]
}

#[test]
fn paths_narrow_every_tool() {
    let sandbox = parts();
    let client = Client::start(&sandbox, &["."]);
    for (tool, arguments) in calls() {
        for (paths, folder) in [
            (json!("src"), "src/"),
            (json!(["src/"]), "src/"),
            (json!("src/part.py"), "src/"),
            (json!("app/[id]"), "app/[id]/"),
            (json!("lib/**/*.py"), "lib/"),
        ] {
            if tool == "pack" && folder.contains('[') {
                continue;
            }
            let mut arguments = arguments.clone();
            arguments["paths"] = paths.clone();
            let (text, data) = client.told(tool, &arguments);
            let found = sources(&data);
            let is_inside = |source: &String| source.starts_with(folder);
            assert!(
                !found.is_empty() && found.iter().all(is_inside),
                "{tool} {paths}: {text}"
            );
        }
        let mut all = arguments.clone();
        all["path"] = json!(".");
        assert_eq!(
            sources(&client.told(tool, &all).1),
            sources(&client.told(tool, &arguments).1),
            "{tool}"
        );
    }
}

#[test]
fn limit_bounds_the_results_and_says_so() {
    let sandbox = parts();
    let client = Client::start(&sandbox, &["."]);
    for (tool, arguments) in calls() {
        let mut arguments = arguments;
        arguments["limit"] = json!("1");
        let (text, data) = client.told(tool, &arguments);
        assert_eq!(sources(&data).len(), 1, "{tool} {arguments}: {text}");
        let first = text.lines().next().unwrap();
        let is_told = first.starts_with("partial: ") && first.contains("`limit`")
            || first.contains("at most 20 places");
        assert!(is_told, "{tool} {arguments}: {text}");
    }
}

#[test]
fn navigate_without_a_relation_counts_references_and_callers() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    let text = client.ok("navigate", &json!({"symbol": "price_of"}));
    assert!(text.contains("src/shop.py:8-9 function price_of"), "{text}");
    let counts = "References: 1. Callers: 1. `what` lists them: refs, callers.";
    assert!(text.contains(counts), "{text}");
    let text = client.ok("navigate", &json!({"symbol": "price_of", "what": "def"}));
    assert!(!text.contains("References:"), "{text}");
    let text = client.ok("navigate", &json!({"symbol": "nobody_has_it"}));
    assert!(!text.contains("References:"), "{text}");
}

#[test]
fn paths_without_a_file_are_an_error_that_names_them() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    let told = client.refused("context", &json!({"query": "price", "paths": "nowhere"}));
    assert!(told.contains("no file is at `paths` nowhere"), "{told}");
}

#[test]
fn other_case_is_found_where_the_given_one_is_not() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    let text = client.ok("search", &json!({"query": "PRICE_OF"}));
    assert!(
        text.starts_with("No line has this case; these ignore it.\n"),
        "{text}"
    );
    assert!(text.contains("8| def price_of"), "{text}");
    let text = client.ok("search", &json!({"query": "Shop"}));
    assert!(!text.contains("ignore it"), "{text}");
}
