//! Answers of `infiniloom mcp` that depend on limits, and their form.

use serde_json::json;

use loom_testkit::shop;

use crate::mcp_client::Client;

#[test]
fn navigate_says_that_it_follows_fewer_steps_than_asked() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    for (depth, is_said) in [(5, false), (6, true)] {
        let arguments = json!({"symbol": "price_of", "what": "callers", "depth": depth});
        let told = client.ok("navigate", &arguments);
        let said = told.contains("More than 5 steps are not followed.");
        assert_eq!(said, is_said, "{told}");
    }
    client.finish();
}

/// The warning about secrets that stay visible comes first, whatever the files are called.
#[test]
fn limits_that_files_met_are_in_every_answer() {
    let sandbox = shop();
    sandbox
        .write("infiniloom.toml", "[scan]\nmax_file_size = \"32mb\"\n")
        .write(".gitignore", ".env\n")
        .write(".env", " ".repeat((32 << 20) + 1))
        .write("large.txt", " ".repeat(32_000_001))
        .write("package.json", " ".repeat(1_100_000))
        .write("web/pay.ts", "import { a } from \"@1/a\";\n")
        .git(&["init", "-q"]);
    let mut client = Client::start(&sandbox, &["."]);
    // The imports are followed for contexts.
    client.ok("context", &json!({"query": "the price of an item"}));
    for (tool, arguments) in [
        ("context", json!({"query": "the price of an item"})),
        ("map", json!({})),
        ("navigate", json!({"symbol": "price_of"})),
        ("read", json!({"path": "src/shop.py"})),
        ("search", json!({"query": "price_of"})),
        ("pack", json!({})),
    ] {
        let told = client.ok(tool, &arguments);
        let at = |warning: &str| {
            let at = told.find(warning);
            at.unwrap_or_else(|| panic!("{tool}: no {warning:?} in {told}"))
        };
        let secrets = at("Warning: copies of secrets in .env are not redacted");
        let imports = at("Warning: following imports without package.json");
        let size = at("Warning: large.txt is left out");
        assert!(secrets < imports && imports < size, "{tool}: {told}");
    }
    client.finish();
}

/// A program that wants data starts the server with `--structured`. The text is not repeated.
#[test]
fn structured_server_sends_data_instead_of_text() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &[".", "--structured"]);
    let tools = client.ask("tools/list", &json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap();
    assert!(tools.iter().all(|tool| tool["outputSchema"].is_object()));
    let arguments = json!({"name": "search", "arguments": {"query": "price_of"}});
    let result = client.ask("tools/call", &arguments)["result"].take();
    let data = &result["structuredContent"];
    assert!(
        data["text"].as_str().unwrap().contains("price_of"),
        "{result}"
    );
    assert_eq!(data["truncated"], false);
    let note = "The answer is the structured content.";
    assert_eq!(result["content"], json!([{"type": "text", "text": note}]));
    client.finish();
}
