//! Answers say whether they are complete, and how to get the rest.

use infiniloom::Infiniloom;
use loom_testkit::Sandbox;
use serde_json::{Value, json};

use super::client::{Client, shop, sources};
use crate::one_line::grouped;

fn tokens(text: &str) -> usize {
    let model = Infiniloom::new().model("gpt-4o").unwrap();
    model.count(text).upper()
}

/// The numbers of the lines of a file in an answer, without those of an outline.
fn numbers(text: &str) -> Vec<usize> {
    let text = text.split("\nOutline of the rest:\n").next().unwrap();
    let numbers = text
        .lines()
        .filter_map(|line| line.split_once("| ")?.0.parse().ok());
    numbers.collect()
}

fn long() -> Sandbox {
    let sandbox = Sandbox::new();
    let part = |at: usize| format!("def part_{at}(item):\n    return item.price * {at}\n\n");
    sandbox.write("src/long.py", (0..400).map(part).collect::<String>());
    sandbox
}

#[test]
fn every_answer_has_one_statement() {
    let sandbox = long();
    let client = Client::start(&sandbox, &["."]);
    for budget in [150, 500, 60_000] {
        for (tool, arguments) in [
            ("context", json!({"query": "the price of an item"})),
            ("search", json!({"query": "price"})),
            ("search", json!({"query": "not there at all"})),
            ("search", json!({"query": "price", "kind": "question"})),
            ("navigate", json!({"symbol": "part_7"})),
            ("navigate", json!({"symbol": "nobody"})),
            ("read", json!({"paths": "src/long.py"})),
            ("read", json!({"paths": "src"})),
            ("read", json!({"symbol": "part_7"})),
            ("map", json!({})),
            ("pack", json!({})),
        ] {
            let mut arguments = arguments;
            arguments["budget"] = json!(budget);
            let (text, data) = client.told(tool, &arguments);
            let lines: Vec<&str> = text.lines().collect();
            let is_partial = lines[0].starts_with("partial: ") && lines[0].contains("; ");
            let is_complete = lines.last() == Some(&"complete");
            assert!(is_partial != is_complete, "{tool} {arguments}: {text}");
            assert_eq!(data["truncated"], is_partial, "{tool} {arguments}: {text}");
            let states = lines.iter();
            let states =
                states.filter(|line| line.starts_with("partial: ") || **line == "complete");
            assert_eq!(states.count(), 1, "{tool} {arguments}: {text}");
        }
    }
}

/// A caller that follows the statement reads every line once.
#[test]
fn long_file_is_read_to_its_end_by_the_statements() {
    let sandbox = long();
    let client = Client::start(&sandbox, &["."]);
    let (mut arguments, mut seen) = (
        json!({"paths": ["src/long.py"], "budget": 2000}),
        Vec::<usize>::new(),
    );
    loop {
        let (text, data) = client.told("read", &arguments);
        let shown = numbers(&text);
        seen.extend(&shown);
        let first = text.lines().next().unwrap();
        let Some(state) = first.strip_prefix("partial: ") else {
            assert!(text.ends_with("\ncomplete"), "{text}");
            break;
        };
        let expected = format!(
            "-{} of 1,200; ask for `lines: \"",
            grouped(*shown.last().unwrap())
        );
        assert!(
            state.starts_with("lines ") && state.contains(&expected),
            "{state}"
        );
        // The last lines may have no symbol.
        let outline = text
            .split_once("\nOutline of the rest:\n")
            .map(|(_, outline)| outline);
        assert!(outline.is_some() || seen.len() > 1100, "{text}");
        let outline = outline.unwrap_or("| def part_");
        assert!(outline.contains("| def part_"), "{outline}");
        assert!(tokens(outline) <= 2000 / 5, "{outline}");
        assert!(data["tokens"].as_u64().unwrap() <= 2000);
        let next = state.split("`lines: \"").nth(1).unwrap();
        arguments["lines"] = json!(next.split('"').next().unwrap());
    }
    assert_eq!(seen, (1..=1200).collect::<Vec<_>>());
}

#[test]
fn lines_are_numbered_as_the_call_says() {
    let sandbox = long();
    let client = Client::start(&sandbox, &["."]);
    let read = |numbers: Value| {
        let arguments = json!({"paths": ["src/long.py"], "lines": "1-60", "numbers": numbers});
        client.ok("read", &arguments)
    };
    let (every, some, none) = (
        read(json!("every")),
        read(json!("some")),
        read(json!(false)),
    );
    assert_eq!(numbers(&every).len(), 60);
    assert_eq!(numbers(&none).len(), 0);
    let shown = numbers(&some);
    for line in 1..=60 {
        let is_shown = line % 10 == 0 || line % 3 == 1;
        assert_eq!(shown.contains(&line), is_shown, "{line}: {some}");
    }
    assert!(some.contains("\n      return item.price * 0\n"), "{some}");
    assert!(tokens(&every) > tokens(&some) && tokens(&some) > tokens(&none));
    for (tool, arguments) in [
        (
            "context",
            json!({"query": "what does part_7 return", "numbers": "none"}),
        ),
        (
            "search",
            json!({"query": "def part_7(", "context": 1, "numbers": "none"}),
        ),
    ] {
        let text = client.ok(tool, &arguments);
        assert!(text.contains("\n  def part_7(item):"), "{tool}: {text}");
        assert!(numbers(&text).is_empty(), "{tool}: {text}");
    }
}

#[test]
fn directory_is_a_list_of_files_with_their_lines() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    for path in ["src", "src/", "./src"] {
        let (text, data) = client.told("read", &json!({ "path": path }));
        let expected =
            "folder| src/ (2 files)\nfile| src/main.py (3 lines)\nfile| src/shop.py (9 lines)\n";
        assert!(text.starts_with(expected), "{path}: {text}");
        assert_eq!(sources(&data), ["src/main.py", "src/shop.py"]);
    }
    let full = sandbox.work().canonicalize().unwrap().display().to_string();
    for path in [".", "./", &full] {
        let text = client.ok("read", &json!({ "path": path }));
        assert!(text.starts_with("folder| ./ (3 files)\n"), "{path}: {text}");
    }
    client.refused("read", &json!({"path": "sr"}));
}

#[test]
fn several_files_are_read_and_a_missing_one_is_named() {
    let sandbox = shop();
    let client = Client::start(&sandbox, &["."]);
    let paths = json!({"paths": ["src/shop.py:8-9", "none.py", "src/main.py"]});
    let (text, data) = client.told("read", &paths);
    assert_eq!(
        sources(&data),
        ["src/shop.py:8-9", "src/main.py:1-3"],
        "{text}"
    );
    assert!(text.contains("there is no text at \"none.py\""), "{text}");
    assert!(
        text.contains("file| src/main.py (3 lines, python)\n1| from"),
        "{text}"
    );
    client.refused("read", &json!({"paths": ["none.py", "other.py"]}));
}

/// A client that passes on less gets the best part of it.
#[test]
fn answer_is_within_the_limit_of_its_client() {
    let sandbox = Sandbox::new();
    for at in 0..40 {
        let text = format!("größe_{at} = '字字字字字字'\n").repeat(60);
        sandbox.write(format!("src/part{at}.py"), text);
    }
    let codex = Client::start(&sandbox, &["."]).named("codex-mcp-client");
    let claude = Client::start(&sandbox, &["."]).named("claude-code");
    let pack = json!({"budget": 200_000});
    let whole = claude.ok("pack", &pack);
    assert!(
        whole.ends_with("\ncomplete") && whole.len() > 80_000,
        "{}",
        whole.len()
    );
    for (tool, arguments) in [
        ("pack", &pack),
        ("search", &json!({"query": "größe", "budget": 200_000})),
        (
            "read",
            &json!({"paths": (0..20).map(|at| format!("src/part{at}.py")).collect::<Vec<_>>(), "budget": 200_000}),
        ),
    ] {
        let (text, data) = codex.told(tool, arguments);
        assert!(text.len() <= 39_900, "{tool}: {}", text.len());
        if claude.ok(tool, arguments).len() > 39_900 {
            let first = text.lines().next().unwrap();
            assert!(
                first.contains("this client passes on 39,900 bytes"),
                "{tool}: {first}"
            );
            assert_eq!(data["truncated"], true);
        }
    }
}
