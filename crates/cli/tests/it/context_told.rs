//! The explanations in a context: the reason for each piece, a description of the project, and
//! further files.

use std::fs::{self, File};

use loom_testkit::Run;
use serde_json::Value;

use crate::context::{answer, sandbox};
use crate::packed::{BINARY, loom};

#[test]
fn every_text_tells_scores_and_reasons() {
    let sandbox = sandbox();
    let query = "`retry_request` never stops";
    for format in ["xml", "markdown", "plain", "compact", "yaml"] {
        let text = loom(
            &sandbox,
            &["context", query, "--budget", "3k", "--format", format],
        )
        .ok();
        let best = text.lines().find(|line| line.contains("score 1.00: "));
        let best = best.unwrap_or_else(|| panic!("{format}: {text}"));
        assert!(best.contains("definition"), "{format}: {best}");
        assert!(text.contains("chosen for a question"), "{format}");
    }
    // In JSON the reasons are fields next to the context, which leaves its budget for code.
    let told = answer(&sandbox, query, &["--budget", "3k"]);
    assert!(!told["context"].as_str().unwrap().contains("score 1.00"));
    let best = &told["pieces"][0];
    assert_eq!(best["score"], 1.0);
    let of = |scope: &str| {
        let reasons = best["reasons"].as_array().unwrap().iter();
        reasons.filter(|reason| reason["of"] == scope).count()
    };
    assert!(of("piece") > 0 && of("file") > 0, "{best}");
}

#[test]
fn the_head_of_a_type_is_there_since_it_is_near() {
    let sandbox = sandbox();
    let long = "        y = 2\n".repeat(100);
    sandbox.write(
        "src/mill.py",
        format!(
            "class Mill(Building):\n    \"\"\"A house with stones.\"\"\"\n\n    def clean(self):\n{long}\n    def grind_grain(self, grain):\n        return grain * 2\n"
        ),
    );
    let told = answer(&sandbox, "`grind_grain` breaks", &["--budget", "400"]);
    let pieces = told["pieces"].as_array().unwrap();
    let head = pieces.iter().find(|piece| piece["id"] == "src/mill.py:1-3");
    let head = head.unwrap_or_else(|| panic!("{told}"));
    assert_eq!(head["reasons"][0]["signal"], "near", "{head}");
}

#[test]
fn the_project_and_its_folders_are_told() {
    let sandbox = sandbox();
    sandbox.write(
        "src/http/__init__.py",
        "\"\"\"Talks to other machines. Slowly.\"\"\"\n",
    );
    let few = ["--budget", "3k", "--top", "3"];
    let told = answer(&sandbox, "`retry_request` never stops", &few);
    let text_of = |path: &str| {
        let mut summaries = told["summaries"].as_array().unwrap().iter();
        let one = summaries.find(|one| one["path"] == path);
        one.unwrap_or_else(|| panic!("{path}: {told}"))["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let project = text_of("./");
    assert!(
        project.starts_with("A shop that sends orders (README.md); 65 files, most in src/"),
        "{project}"
    );
    let folder = text_of("src/http/");
    assert!(
        folder.starts_with("Talks to other machines (__init__.py); 3 files"),
        "{folder}"
    );
}

#[test]
fn what_is_declared_is_told_with_its_type() {
    let sandbox = sandbox();
    let long = "        x = 1\n".repeat(60);
    sandbox.write(
        "src/mill.py",
        format!(
            "class Mill:\n    def grind_grain(self, grain):\n{long}\n    def clean_stones(\n        self,\n        stones,\n    ):\n{long}\n    def open_gate(self, gate):\n{long}"
        ),
    );
    let told = answer(
        &sandbox,
        "`grind_grain` breaks",
        &["--budget", "1200", "--top", "1"],
    );
    let summaries = told["summaries"].as_array().unwrap();
    let mill = summaries.iter().find(|one| one["path"] == "src/mill.py");
    let mill = mill.unwrap()["text"].as_str().unwrap();
    assert!(
        mill.contains("Mill: def clean_stones( self, stones, ) (64-"),
        "{mill}"
    );
}

#[test]
fn a_question_comes_from_standard_input() {
    let sandbox = sandbox();
    let question = sandbox.path("../question.txt");
    fs::write(&question, "`retry_request` never stops").unwrap();
    let by = |args: &[&str]| -> Value {
        let mut command = sandbox.command(BINARY);
        command.args(["context", "--format", "json", "--budget", "2k"]);
        command.args(args).stdin(File::open(&question).unwrap());
        serde_json::from_str(&Run::from(command.output().unwrap()).ok()).unwrap()
    };
    assert_eq!(by(&["-"]), by(&["--query-file", "-"]));
}

#[test]
fn paths_are_the_same_in_text_and_data_of_a_folder() {
    let sandbox = sandbox();
    sandbox.write(
        "src/http/README.md",
        "# Http\n\nTalks to many other machines.\n",
    );
    let query = "`retry_request` never stops";
    let few = ["--budget", "3k", "--top", "1", "src/http"];
    let told = answer(&sandbox, query, &few);
    let id = told["pieces"][0]["id"].as_str().unwrap();
    assert!(id.starts_with("client.py:"), "{id}");
    let context = told["context"].as_str().unwrap();
    assert!(context.contains(" client.py\n"), "{context}");
    assert!(!context.contains("src/http/client.py"), "{context}");
    let summaries = told["summaries"].as_array().unwrap().iter();
    let tops: Vec<&Value> = summaries.filter(|one| one["path"] == "./").collect();
    assert_eq!(tops.len(), 1, "{told}");
    let top = tops[0]["text"].as_str().unwrap();
    assert!(
        top.starts_with("Talks to many other machines (README.md); 3 files"),
        "{top}"
    );
    assert!(context.contains(&format!("./: {top}")), "{context}");
}

#[test]
fn what_files_are_about_finds_them_and_licences_do_not() {
    let sandbox = sandbox();
    let licence = "# Copyright Somebody\n#\n# Licensed under a licence.\n#\n# Unless required by applicable law it comes as it is.\n\n";
    sandbox.write(
        "src/zeta.py",
        format!("{licence}\"\"\"Grinds the grain of farmers into flour.\"\"\"\n\n\ndef go(x):\n    return x\n"),
    );
    sandbox.write(
        "src/eta.py",
        format!("{licence}\ndef stop(x):\n    return x\n"),
    );
    let told = answer(
        &sandbox,
        "where is grain ground to flour",
        &["--strategy", "summaries", "--budget", "1k", "--explain"],
    );
    assert_eq!(told["files"][0], "src/zeta.py", "{}", told["files"]);
    assert_eq!(told["pieces"][0]["path"], "src/zeta.py");
    let best = &told["explained"][0]["reasons"][0];
    assert_eq!(best["signal"], "summary");
    assert!(!told["summaries"].to_string().contains("applicable law"));
}

#[test]
fn a_question_about_nothing_shows_what_is_used_most() {
    let sandbox = sandbox();
    for at in 0..9 {
        sandbox.write(
            format!("src/user{at}.py"),
            "from http.client import Client\n\nClient()\n",
        );
        sandbox.write(format!("src/empty{at}.py"), "x = 1\n");
    }
    let told = answer(&sandbox, "", &["--budget", "600"]);
    assert_eq!(told["files"][0], told["pieces"][0]["path"], "{told}");
}

#[test]
fn secrets_in_what_else_there_is_are_told_of() {
    let sandbox = sandbox();
    sandbox.write(
        "src/key.py",
        "\"\"\"Signs with AKIAIOSFODNN7EXAMPLZ the orders.\"\"\"\n\n\ndef sign_orders(order):\n    return order\n",
    );
    let ask = |mode: &str| {
        let words = [
            "context",
            "`retry_request` and orders",
            "--top",
            "1",
            "--secrets",
            mode,
            "--format",
            "json",
        ];
        loom(&sandbox, &words)
    };
    let redacted = ask("redact");
    assert!(!redacted.text().contains("AKIAIOSFODNN7EXAMPLZ"));
    assert!(
        redacted
            .text()
            .contains("[REDACTED:aws-access-key] the orders"),
        "{}",
        redacted.text()
    );
    assert!(
        redacted.stderr.contains("1 secret redacted"),
        "{}",
        redacted.stderr
    );
    let warned = ask("warn");
    assert!(warned.text().contains("AKIAIOSFODNN7EXAMPLZ"));
    assert!(
        warned.stderr.contains("infiniloom scan"),
        "{}",
        warned.stderr
    );
}

#[test]
fn lines_that_end_before_they_begin_are_no_pin() {
    let sandbox = sandbox();
    let refused = loom(&sandbox, &["context", "x", "--pin", "README.md:3-1"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("nothing of that name"),
        "{}",
        refused.stderr
    );
}
