//! `infiniloom context` with embeddings from a service that the user names.

use loom_testkit::{EmbeddingServer, Run, Sandbox};
use serde_json::Value;

use crate::context::answer;
use crate::packed::{BINARY, loom};

/// Returns one of two embeddings: for money, or for anything else.
fn money(text: &str) -> Vec<f32> {
    let has = |word: &str| f32::from(u8::from(text.contains(word)));
    vec![has("ledger") + has("coins"), 1.0, has("parts")]
}

fn with_service(sandbox: &Sandbox, server: &EmbeddingServer, provider: &str, query: &str) -> Run {
    let below = if provider == "openai" { "/v1" } else { "" };
    sandbox.write(
        "../home/.config/infiniloom/infiniloom.toml",
        format!(
            "[embedding]\nprovider = \"{provider}\"\nmodel = \"tiny\"\naddress = \"{}{below}\"\n",
            server.url().trim_end_matches('/')
        ),
    );
    let mut command = sandbox.command(BINARY);
    command.args(["context", query, "--format", "json"]);
    command.args(["--strategy", "embedding_similarity,lexical"]);
    command.env("INFINILOOM_EMBEDDING_KEY", "sk-test-123");
    Run::from(command.output().unwrap())
}

#[test]
fn a_service_of_the_users_choice_gives_vectors() {
    for provider in ["openai", "ollama"] {
        let sandbox = Sandbox::new();
        for (path, words) in [("a.py", "number"), ("b.py", "ledger"), ("c.py", "string")] {
            let text = format!(
                "KEY = \"AKIAIOSFODNN7EXAMPLQ\"\n\ndef total(amount):\n    \"\"\"Of a {words}.\"\"\"\n    return amount\n"
            );
            sandbox.write(path, text);
        }
        let server = EmbeddingServer::start("sk-test-123", money);
        let query = "total amount of coins";
        let first = with_service(&sandbox, &server, provider, query);
        let told: Value = serde_json::from_str(&first.ok()).unwrap();
        assert_eq!(told["files"][0], "b.py", "{provider}");
        let sent = server.texts();
        assert!(sent.iter().any(|text| text.contains("ledger")));
        assert!(
            !sent
                .iter()
                .any(|text| text.contains("AKIAIOSFODNN7EXAMPLQ"))
        );
    }
}

#[test]
fn what_a_service_said_is_remembered() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def ledger(amount):\n    return amount\n");
    let server = EmbeddingServer::start("sk-test-123", money);
    let first = with_service(&sandbox, &server, "openai", "coins of an amount").ok();
    let before = server.texts();
    assert!(before.iter().any(|text| text.contains("def ledger")));
    let second = with_service(&sandbox, &server, "openai", "coins of an amount").ok();
    assert_eq!(first, second);
    let again = server.texts().split_off(before.len());
    assert!(
        !again.iter().any(|text| text.contains("def ledger")),
        "{again:?}"
    );
}

/// The query leaves the machine, too, so secrets of the files are redacted in it.
#[test]
fn a_question_is_sent_without_its_secrets() {
    let sandbox = Sandbox::new();
    let secret = "hunter2-Zq81-vvPl";
    sandbox.write(
        "a.py",
        format!("password = \"{secret}\"\n\n\ndef ledger(amount):\n    return amount\n"),
    );
    let server = EmbeddingServer::start("sk-test-123", money);
    let query = format!("coins with AKIAIOSFODNN7EXAMPLQ and {secret} are lost");
    let run = with_service(&sandbox, &server, "openai", &query);
    run.ok();
    let sent = server.texts().join("\n");
    assert!(sent.contains("coins"), "{sent}");
    assert!(
        !sent.contains("AKIAIOSFODNN7EXAMPLQ") && !sent.contains(secret),
        "{sent}"
    );
}

/// Embeddings of one server are not reused for another server.
#[test]
fn another_server_is_asked_anew() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def ledger(amount):\n    return amount\n");
    for _ in 0..2 {
        let server = EmbeddingServer::start("sk-test-123", money);
        with_service(&sandbox, &server, "openai", "coins of an amount").ok();
        let sent = server.texts();
        assert!(
            sent.iter().any(|text| text.contains("def ledger")),
            "{sent:?}"
        );
    }
}

#[test]
fn a_service_that_is_down_stops_only_who_compares_meanings() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def ledger(amount):\n    return amount\n");
    // A port without a listener.
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    sandbox.write(
        "../home/.config/infiniloom/infiniloom.toml",
        format!(
            "[embedding]\nprovider = \"ollama\"\nmodel = \"tiny\"\naddress = \"http://127.0.0.1:{port}\"\n"
        ),
    );
    assert_eq!(loom(&sandbox, &["context", "ledger"]).code, 2);
    let told = answer(&sandbox, "ledger", &["--strategy", "lexical,mentions"]);
    assert_eq!(told["files"][0], "a.py");
}

#[test]
fn a_service_that_fails_is_told_and_a_repository_names_none() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def ledger(amount):\n    return amount\n");
    let server = EmbeddingServer::start("another key", money);
    let run = with_service(&sandbox, &server, "openai", "ledger");
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("it answered 401: Incorrect API key provided"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("sk-test-123"));
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def ledger(amount):\n    return amount\n");
    sandbox.write(
        "infiniloom.toml",
        format!(
            "[embedding]\nprovider = \"ollama\"\nmodel = \"tiny\"\naddress = \"{}\"\n",
            server.url()
        ),
    );
    let run = loom(&sandbox, &["context", "ledger"]);
    assert!(server.texts().is_empty());
    assert!(run.stderr.contains("embedding.provider"), "{}", run.stderr);
}

/// Models have different limits for the length of a text, and services reject longer texts.
#[test]
fn of_a_text_that_is_too_long_less_is_sent() {
    let sandbox = Sandbox::new();
    let long = "    amount = amount + 1\n".repeat(150);
    sandbox.write("a.py", format!("def ledger(amount):\n{long}"));
    let takes = |most: usize| {
        move |text: &str| match text.len() > most {
            true => Vec::new(),
            false => money(text),
        }
    };
    let query = "coins of an amount";
    let server = EmbeddingServer::start("sk-test-123", takes(1000));
    let told = with_service(&sandbox, &server, "openai", query).ok();
    assert!(told.contains("semantic"), "{told}");
    let sent = server.texts();
    let longest = sent.iter().map(String::len).max();
    assert!(longest.is_some_and(|length| (500..=1000).contains(&length)));
    // A service that rejects every text is an error.
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def ledger(amount):\n    return amount\n");
    let server = EmbeddingServer::start("sk-test-123", takes(10));
    let refused = with_service(&sandbox, &server, "openai", query);
    assert_ne!(refused.code, 0);
    assert!(
        refused.stderr.contains("maximum context length"),
        "{}",
        refused.stderr
    );
}
