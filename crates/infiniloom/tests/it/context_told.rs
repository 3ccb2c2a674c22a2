//! What a context tells about itself: why each piece is there, what the project is, and
//! what else there is.

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
    // Programs find the same beside the context, which keeps its room for code.
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
    let told = answer(&sandbox, "`retry_request` never stops", &["--budget", "3k"]);
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
