//! `infiniloom mcp` with more calls than it takes at once, and with cancelled ones.

use serde_json::json;

use loom_testkit::shop;

use crate::mcp_client::Client;

/// However many requests come at once, each is answered or refused.
#[test]
fn more_requests_than_are_taken_at_once_are_told() {
    let sandbox = shop();
    let mut client = Client::start(&sandbox, &["."]);
    client.ok("navigate", &json!({"symbol": "price_of"}));
    let call = json!({"name": "read", "arguments": {"path": "src/shop.py"}});
    let mut sent: std::collections::HashSet<u64> = (0..1500)
        .map(|_| client.send("tools/call", &call))
        .collect();
    while !sent.is_empty() {
        let told = client.receive();
        assert!(sent.remove(&told["id"].as_u64().unwrap()));
        let text = told["result"]["content"][0]["text"].as_str().unwrap();
        let is_answer = text.contains("def price_of") || text.contains("ask again");
        assert!(is_answer, "{text}");
    }
    client.ok("read", &json!({"path": "src/shop.py"}));
    client.finish();
}

/// Who cancels a call gets no answer of it, and the next one is answered.
#[test]
fn a_cancelled_call_is_not_answered() {
    let sandbox = shop();
    for at in 0..3000 {
        let text = format!("def price_{at}(item):\n    return {at}\n");
        sandbox.write(format!("many/m{at}.py"), text);
    }
    let mut client = Client::start(&sandbox, &["."]);
    // Files are being read: it would wait for them.
    let call = json!({"name": "context", "arguments": {"query": "the price of an item"}});
    let id = client.send("tools/call", &call);
    let params = json!({"requestId": id, "reason": "no longer wanted"});
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    client.write(&cancelled.to_string());
    let asked = client.send("tools/call", &call);
    loop {
        let told = client.receive();
        let text = told["result"]["content"][0]["text"].as_str();
        if told["id"] == id {
            assert_eq!(text.unwrap_or("cancelled"), "cancelled", "{told}");
            continue;
        }
        assert_eq!(told["id"], asked);
        assert!(text.is_some_and(|text| text.contains("price")), "{told}");
        break;
    }
    client.ok("read", &json!({"path": "src/shop.py"}));
    client.finish();
}
