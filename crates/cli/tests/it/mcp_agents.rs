//! The messages of Claude Code 2.1.325 and Codex 0.166.0 against `infiniloom mcp`. They are written
//! by hand from a recording, without texts of the programs.

use loom_testkit::Sandbox;
use serde::Deserialize;
use serde_json::Value;

use crate::mcp_client::{Client, can_wait, shop};

/// The messages of a client.
#[derive(Deserialize)]
struct Replay {
    client: String,
    /// The longest answer that the client passes on.
    characters: Option<usize>,
    bytes: Option<usize>,
    /// Sent at once.
    start: Vec<Value>,
    /// Sent one by one.
    calls: Vec<Value>,
    /// A call that the user cancels.
    cancelled: Value,
    cancel: Value,
    after: Value,
}

fn replays() -> Vec<Replay> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/agents/replay.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A repository whose pack is longer than Codex passes on.
fn files() -> Sandbox {
    let sandbox = shop();
    for at in 0..30 {
        let text = format!("größe_{at} = '字字字字字字'\n").repeat(60);
        sandbox.write(format!("src/part{at}.py"), text);
    }
    sandbox
}

/// Sends a request and returns its answer; those of other requests are errors.
fn asked(client: &mut Client, request: &Value) -> Value {
    client.write(&request.to_string());
    let answer = client.receive();
    assert_eq!(answer["id"], request["id"], "{answer}");
    answer
}

/// Checks that a result is text that ends or begins with a statement, and returns it.
fn text(answer: &Value) -> &str {
    let result = &answer["result"];
    assert_ne!(result["isError"], true, "{answer}");
    assert!(result["structuredContent"].is_null(), "{answer}");
    let content = result["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "{answer}");
    assert_eq!(content[0]["type"], "text", "{answer}");
    let text = content[0]["text"].as_str().unwrap();
    let is_stated = text.starts_with("partial: ") != text.ends_with("\ncomplete");
    assert!(is_stated, "{text}");
    text
}

fn play(replay: &Replay) {
    let sandbox = files();
    let mut client = Client::spawn(&sandbox, &sandbox.path("."), &[]);
    // A client that lists its directories has this one.
    client.roots = Some(vec![sandbox.work().canonicalize().unwrap()]);
    start(replay, &mut client);
    for call in &replay.calls {
        let answer = loop {
            let answer = asked(&mut client, call);
            if !can_wait(text(&answer)) {
                break answer;
            }
        };
        check(replay, call, text(&answer));
    }
    cancel(replay, &mut client);
    client.finish();
}

/// Sends the first messages, and checks the tools.
fn start(replay: &Replay, client: &mut Client) {
    for message in &replay.start {
        client.write(&message.to_string());
    }
    let mut waiting: Vec<&Value> = replay.start.iter().map(|one| &one["id"]).collect();
    waiting.retain(|id| !id.is_null());
    while !waiting.is_empty() {
        let answer = client.receive();
        let at = waiting.iter().position(|id| **id == answer["id"]);
        waiting.remove(at.unwrap_or_else(|| panic!("{}: {answer}", replay.client)));
        assert!(answer.get("error").is_none(), "{}: {answer}", replay.client);
        let Some(tools) = answer["result"]["tools"].as_array() else {
            continue;
        };
        assert_eq!(tools.len(), 6);
        for tool in tools {
            assert!(tool.get("outputSchema").is_none(), "{tool}");
            let schema = &tool["inputSchema"];
            assert!(schema.get("additionalProperties").is_none(), "{tool}");
            let size = &tool["_meta"]["anthropic/maxResultSizeChars"];
            assert_eq!(*size, 500_000, "{tool}");
        }
    }
}

fn check(replay: &Replay, call: &Value, text: &str) {
    match call["params"]["name"].as_str().unwrap() {
        "pack" => check_pack(replay, text),
        "read" => {
            assert!(text.contains("\n8| def price_of(item):\n"), "{text}");
            let lines = "`offset` and `limit` are called `lines` here";
            let paths = "`file_path` is called `paths` here";
            assert!(text.contains(lines) && text.contains(paths), "{text}");
        }
        _ => {
            let has_result = text.contains("price_of") || text.contains("shop.py");
            assert!(has_result, "{text}");
        }
    }
}

/// Cancels a call. The next one is answered.
fn cancel(replay: &Replay, client: &mut Client) {
    for message in [&replay.cancelled, &replay.cancel, &replay.after] {
        client.write(&message.to_string());
    }
    loop {
        let answer = client.receive();
        if answer["id"] == replay.after["id"] {
            assert!(text(&answer).contains("8| def price_of"), "{answer}");
            return;
        }
        // It was answered before it was cancelled.
        assert_eq!(answer["id"], replay.cancelled["id"], "{answer}");
    }
}

/// The pack is whole, or as long as the client passes on.
fn check_pack(replay: &Replay, text: &str) {
    let Some(bytes) = replay.bytes else {
        assert!(
            text.ends_with("\ncomplete") && text.len() > 60_000,
            "{}",
            text.len()
        );
        assert!(
            replay
                .characters
                .is_some_and(|most| text.chars().count() <= most)
        );
        return;
    };
    assert!(
        text.len() <= bytes && text.len() > bytes / 2,
        "{}",
        text.len()
    );
    assert!(
        text.lines()
            .next()
            .unwrap()
            .contains("this client passes on 39,900 bytes")
    );
}

#[test]
fn claude_code_is_served_without_a_greeting() {
    play(&replays()[0]);
}

#[test]
fn claude_code_is_served_after_a_greeting() {
    play(&replays()[1]);
}

#[test]
fn codex_is_served() {
    play(&replays()[2]);
}
