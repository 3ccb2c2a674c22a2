//! `calibrate` and `--exact` with a local server that answers according to the providers'
//! documentation; no provider is contacted.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use loom_models::{count, resolve as model};
use loom_testkit::{ProviderServer, Run, Sandbox};
use serde_json::Value;

use crate::packed::BINARY;

const KEY: &str = "sk-test-0123456789";

/// Counts like the server: a tenth more than `o200k_base`, plus the overhead of a prompt.
fn rule(text: &str) -> usize {
    count(text, model("gpt-5").unwrap()).likely() * 11 / 10 + 7
}

fn server() -> ProviderServer {
    ProviderServer::start(KEY, rule)
}

/// Creates a repository with about `bytes` bytes of code and prose.
fn sandbox(bytes: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    let code = "pub fn name(value: usize) -> usize {\n    value + 1\n}\n";
    let prose = "Some words of a sentence, and others that follow it.\n";
    for at in 0..4 {
        let code = code.repeat(bytes / 8 / code.len());
        sandbox.write(format!("src/file{at}.rs"), code);
        let prose = prose.repeat(bytes / 8 / prose.len());
        sandbox.write(format!("docs/page{at}.md"), prose);
    }
    sandbox.commit_all();
    sandbox
}

fn command(sandbox: &Sandbox, url: &str, args: &[&str]) -> Command {
    let mut command = sandbox.command(BINARY);
    command
        .args(args)
        .env("ANTHROPIC_BASE_URL", url)
        .env("GOOGLE_GEMINI_BASE_URL", url);
    command
}

/// Runs with the right key, which must not appear in any output.
fn ask(sandbox: &Sandbox, server: &ProviderServer, args: &[&str]) -> Run {
    ask_with(sandbox, &server.url(), KEY, args)
}

fn ask_with(sandbox: &Sandbox, url: &str, key: &str, args: &[&str]) -> Run {
    let mut command = command(sandbox, url, args);
    command.env("ANTHROPIC_API_KEY", key);
    command.env("GOOGLE_API_KEY", key);
    let run = Run::from(command.output().unwrap());
    let said = run.text() + &run.stderr;
    assert!(!said.contains(key), "the key is shown: {said}");
    run
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.ok()).unwrap()
}

fn totals(answer: &Value) -> (u64, u64) {
    let model = &answer["models"][0];
    let figure = |name: &str| model[name].as_u64().unwrap();
    (figure("total_tokens"), figure("total_tokens_upper"))
}

const TOKENS: &[&str] = &["tokens", "-m", "sonnet", "-f", "json"];

#[test]
fn estimates_are_corrected_from_then_on() {
    let (sandbox, server) = (sandbox(100_000), server());
    let before = json(&ask(&sandbox, &server, TOKENS));
    let run = ask(
        &sandbox,
        &server,
        &["calibrate", "-m", "sonnet", "-f", "json"],
    );
    let host = server.url().replace("http://", "");
    let host = host.trim_end_matches('/');
    assert!(
        run.stderr.contains("sending samples of 8 files, ")
            && run.stderr.contains(&format!(" in 2 requests, to {host} ")),
        "{}",
        run.stderr
    );
    let found = json(&run);
    assert_eq!(found["samples"], 2);
    let counted: usize = server.texts().iter().map(|text| rule(text)).sum();
    assert_eq!(found["counted_tokens"], counted);
    let factor = found["factor"].as_f64().unwrap();
    let after = json(&ask(&sandbox, &server, TOKENS));
    let (was, is) = (totals(&before).0, totals(&after).0);
    assert!((is as f64 / was as f64 - factor).abs() < 0.001);
    let label = &after["models"][0]["tokenizer"];
    assert_eq!(label, "claude-4.7 estimate, calibrated");
    assert_eq!(after["models"][0]["estimated"], true);
    // The server's count of all files is inside the range, which is narrow now.
    let upper = totals(&after).1;
    assert!(upper as f64 / (is as f64) < 1.04 + found["spread"].as_f64().unwrap());
    let texts = server.texts().concat();
    let all = rule(&texts) as u64;
    assert!(
        all <= upper && all >= is - (upper - is),
        "{all} {is} {upper}"
    );
    // A directory of the repository uses the calibration, too; another repository does not.
    let packed = ask(
        &sandbox,
        &server,
        &["pack", "src", "-m", "sonnet", "-o", "/dev/null"],
    );
    assert!(
        packed.stderr.contains("claude-4.7 estimate, calibrated"),
        "{}",
        packed.stderr
    );
    let other = ask(&sandbox, &server, &["tokens", "..", "-m", "sonnet"]).ok();
    assert!(!other.contains("calibrated"), "{other}");
    assert_eq!(server.texts().len(), 2);
}

#[test]
fn a_small_repository_is_asked_about_once_and_forgotten() {
    let (sandbox, server) = (sandbox(12_000), server());
    let before = ask(&sandbox, &server, TOKENS).ok();
    let text = ask(&sandbox, &server, &["calibrate", "-m", "gemini-2.5-pro"]).ok();
    assert!(text.contains("band ±5.0 % (one sample)"), "{text}");
    assert_eq!(server.texts().len(), 1);
    ask(&sandbox, &server, &["calibrate", "-m", "sonnet"]).ok();
    assert_ne!(ask(&sandbox, &server, TOKENS).ok(), before);
    for words in ["forgot the calibration of", "there is no calibration of"] {
        let run = ask(
            &sandbox,
            &server,
            &["calibrate", "-m", "sonnet", "--forget"],
        );
        assert!(run.stderr.starts_with(words), "{}", run.stderr);
    }
    assert_eq!(ask(&sandbox, &server, TOKENS).ok(), before);
    let kept = ask(&sandbox, &server, &["tokens", "-m", "gemini-2.5-pro"]).ok();
    assert!(kept.contains("gemma3 estimate, calibrated"), "{kept}");
}

#[test]
fn what_cannot_be_calibrated() {
    let server = server();
    for (bytes, args, expected) in [
        (12_000, ["-m", "gpt-5"], "gpt-5 is counted exactly here"),
        (
            12_000,
            ["-m", "llama-3.3"],
            "no counting endpoint is known for",
        ),
        (
            12_000,
            ["-m", "sonnet,opus"],
            "expected one model, found several",
        ),
        (800, ["-m", "sonnet"], "too little text to calibrate by"),
    ] {
        let sandbox = sandbox(bytes);
        let run = ask(&sandbox, &server, &[&["calibrate"], &args[..]].concat());
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
    assert!(server.texts().is_empty());
}

#[test]
fn a_broken_file_is_told_and_kept() {
    let (sandbox, server) = (sandbox(12_000), server());
    let data = "../home/.local/share/infiniloom";
    let file = format!("{data}/calibrations.json");
    sandbox.write(&file, "not ours");
    let run = ask(&sandbox, &server, TOKENS);
    run.ok();
    let warning = "calibrations.json is not a calibration file: estimates are not calibrated";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    let run = ask(&sandbox, &server, &["calibrate", "-m", "sonnet"]);
    run.ok();
    assert!(
        run.stderr.contains("held no calibrations, and is now"),
        "{}",
        run.stderr
    );
    let aside = fs::read_to_string(sandbox.path(format!("{data}/calibrations.broken-1.json")));
    assert_eq!(aside.unwrap(), "not ours");
    assert!(ask(&sandbox, &server, TOKENS).ok().contains("calibrated"));
}

#[test]
fn the_total_of_tokens_is_exact() {
    let (sandbox, server) = (sandbox(12_000), server());
    let answer = json(&ask(&sandbox, &server, &[TOKENS, &["--exact"]].concat()));
    let sent = server.texts();
    let total = rule(&sent[0]) as u64;
    assert_eq!(totals(&answer), (total, total));
    assert_eq!(answer["total_tokens"], total);
    assert_eq!(answer["models"][0]["estimated"], false);
    assert_eq!(
        answer["models"][0]["counted_by"],
        server.url().replace("http://", "").replace('/', "")
    );
    for at in 0..4 {
        let text = sandbox.read(format!("src/file{at}.rs"));
        assert!(sent[0].contains(&text));
    }
    let run = ask(
        &sandbox,
        &server,
        &["tokens", "-m", "gpt-5,gemini-2.5-pro", "--exact"],
    );
    let text = run.ok();
    assert!(
        text.contains("figures of single files are estimates"),
        "{text}"
    );
    let (totals, files) = text.split_once("figures of").unwrap();
    assert!(
        totals.contains("counted by 127.0.0.1") && !totals.contains('~'),
        "{text}"
    );
    assert!(files.contains('~'), "{text}");
    assert!(
        run.stderr.starts_with("sending 8 files, "),
        "{}",
        run.stderr
    );
    // The library counts this model exactly, so the provider is not contacted.
    ask_with(&sandbox, "http://127.0.0.1:1", KEY, &["tokens", "--exact"]).ok();
    assert_eq!(server.texts().len(), 2);
}

#[test]
fn the_total_of_a_pack_is_exact() {
    let (sandbox, server) = (sandbox(12_000), server());
    let args = [
        "pack",
        "-m",
        "sonnet",
        "--exact",
        "-o",
        "../out.xml",
        "--report",
        "../r.json",
    ];
    let run = ask(&sandbox, &server, &args);
    run.ok();
    assert!(
        run.stderr.contains("counted by 127.0.0.1"),
        "{}",
        run.stderr
    );
    let pack = fs::read_to_string(sandbox.path("../out.xml")).unwrap();
    assert_eq!(server.texts(), std::slice::from_ref(&pack));
    let report: Value = serde_json::from_str(&sandbox.read("../r.json")).unwrap();
    let tokens = rule(&pack);
    assert_eq!(report["output"]["tokens"], tokens);
    assert_eq!(report["output"]["estimated"], false);
    // The exact count decides, although the upper end of the estimate is above it.
    for (most, code) in [(tokens, 0), (tokens - 1, 1)] {
        let most = most.to_string();
        let args = [
            "pack",
            "-m",
            "sonnet",
            "--exact",
            "--fail-over",
            &most,
            "-o",
            "../out.xml",
        ];
        assert_eq!(ask(&sandbox, &server, &args).code, code, "{most}");
    }
    let split = [
        "pack", "-m", "sonnet", "--exact", "--split", "1k", "-o", "../o.xml",
    ];
    assert_eq!(ask(&sandbox, &server, &split).code, 2);
}

#[test]
fn no_key_and_a_wrong_one() {
    let (sandbox, server) = (sandbox(12_000), server());
    let exact = ["tokens", "-m", "sonnet", "--exact"];
    let calibrate = ["calibrate", "-m", "sonnet"];
    for args in [&exact[..], &calibrate] {
        let run = Run::from(command(&sandbox, &server.url(), args).output().unwrap());
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains("expected one in ANTHROPIC_API_KEY"),
            "{}",
            run.stderr
        );
        // The server quotes the rejected key.
        let run = ask_with(&sandbox, &server.url(), "sk-wrong-key", args);
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains(" answered 401: invalid key (the key)"),
            "{}",
            run.stderr
        );
        assert!(
            run.stderr
                .contains("hint: check the key in ANTHROPIC_API_KEY"),
            "{}",
            run.stderr
        );
    }
    let args = ["calibrate", "-m", "gemini-2.5-pro"];
    let run = Run::from(command(&sandbox, &server.url(), &args).output().unwrap());
    assert!(
        run.stderr.contains("GEMINI_API_KEY or GOOGLE_API_KEY"),
        "{}",
        run.stderr
    );
    assert!(server.texts().is_empty());
}

#[test]
fn a_provider_that_is_busy_or_down() {
    let (sandbox, server) = (sandbox(12_000), server());
    let args = ["tokens", "-m", "sonnet", "--exact"];
    for status in [429, 529] {
        server.refuse(&[status]);
        ask(&sandbox, &server, &args).ok();
        server.refuse(&[status, status]);
        let run = ask(&sandbox, &server, &args);
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains(&format!(" answered {status}: not now")),
            "{}",
            run.stderr
        );
    }
    // Permanent errors are not retried, and a redirect does not receive the key.
    for status in [404, 302] {
        server.refuse(&[status]);
        assert_eq!(ask(&sandbox, &server, &args).code, 2);
        ask(&sandbox, &server, &args).ok();
    }
    let run = ask_with(&sandbox, "http://127.0.0.1:1", KEY, &args);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("error: cannot reach 127.0.0.1:1: "),
        "{}",
        run.stderr
    );
    let run = ask_with(&sandbox, "gateway", KEY, &args);
    assert!(
        run.stderr.contains("ANTHROPIC_BASE_URL: expected a URL"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_repository_sets_none_of_it() {
    let (sandbox, server) = (sandbox(12_000), server());
    sandbox.write("infiniloom.toml", "[model]\nname = 'sonnet'\n");
    for args in [
        &["tokens", "--exact"][..],
        &["pack", "--exact"],
        &["calibrate"],
    ] {
        let run = ask(&sandbox, &server, args);
        assert_eq!(run.code, 2);
        assert!(
            run.stderr
                .contains("hint: choose it yourself: --model NAME"),
            "{}",
            run.stderr
        );
    }
    for line in [
        "exact = true",
        "base_url = 'http://x'",
        "api_key = 'x'",
        "calibration = 2",
    ] {
        for group in ["pack", "model"] {
            sandbox.write("infiniloom.toml", format!("[{group}]\n{line}\n"));
            let run = ask(&sandbox, &server, &["tokens", "-m", "sonnet"]);
            assert_eq!(run.code, 2, "{group} {line}: {}", run.stderr);
        }
    }
    // The files of other programs do not provide a key either.
    sandbox.write("infiniloom.toml", "");
    sandbox.write(".env", format!("ANTHROPIC_API_KEY={KEY}\n"));
    let args = ["tokens", "-m", "sonnet", "--exact"];
    let run = Run::from(command(&sandbox, &server.url(), &args).output().unwrap());
    assert!(run.stderr.contains("no key to count for"), "{}", run.stderr);
    assert!(server.texts().is_empty());
}

/// A provider receives only redacted text.
#[test]
fn no_secret_is_sent() {
    let (sandbox, server) = (sandbox(20_000), server());
    sandbox.write("config/db.yaml", "password: vK8#pq2Zr!xQ\n");
    for args in [
        &["calibrate", "--model", "sonnet"][..],
        &["tokens", "--model", "sonnet", "--exact"],
        &["pack", "--model", "sonnet", "--exact"],
    ] {
        ask(&sandbox, &server, args).ok();
    }
    let sent = server.texts();
    assert!(sent.len() >= 3, "{} texts", sent.len());
    let is_redacted = |text: &&String| text.contains("[REDACTED:password:1]");
    assert!(sent.iter().filter(is_redacted).count() >= 3);
    assert!(!sent.iter().any(|text| text.contains("vK8#pq2Zr!xQ")));
}

#[test]
fn all_models_are_checked_before_anything_is_sent() {
    let (sandbox, server) = (sandbox(12_000), server());
    let args = ["tokens", "-m", "sonnet,llama-3.3", "--exact"];
    let run = ask(&sandbox, &server, &args);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("no counting endpoint is known for llama-3.3")
            && run.stderr.contains("pass `--vocabulary FILE`"),
        "{}",
        run.stderr
    );
    assert_eq!(server.texts(), Vec::<String>::new());
}

#[test]
fn a_text_has_some_tokens() {
    let sandbox = sandbox(12_000);
    let server = ProviderServer::start(KEY, |_| 0);
    for args in [
        &["tokens", "-m", "sonnet", "--exact"][..],
        &["calibrate", "-m", "sonnet"],
    ] {
        let run = ask(&sandbox, &server, args);
        assert_eq!(run.code, 2, "{args:?}");
        let said = "answered 0 tokens for a text of";
        assert!(run.stderr.contains(said), "{args:?}: {}", run.stderr);
    }
}

/// Standard input is redacted, refused or sent as the user chose.
#[test]
fn standard_input_is_sent_as_the_mode_says() {
    let (sandbox, server) = (sandbox(100), server());
    let text = "password: \"vK8#pq2Zr!xQ\"\n";
    let run = |mode: &str| {
        let args = ["tokens", "-m", "sonnet", "--exact", "-"];
        let mut command = command(&sandbox, &server.url(), &args);
        command.env("ANTHROPIC_API_KEY", KEY);
        command.env("INFINILOOM_PRIVACY_SECRETS", mode);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        Run::from(child.wait_with_output().unwrap())
    };
    run("redact").ok();
    let failed = run("fail");
    assert_eq!(failed.code, 1);
    assert!(
        failed.stderr.contains("(standard input):1:12: password"),
        "{}",
        failed.stderr
    );
    run("off").ok();
    let sent = server.texts();
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[0], "password: \"[REDACTED:password:1]\"\n");
    assert_eq!(sent[1], text);
}
