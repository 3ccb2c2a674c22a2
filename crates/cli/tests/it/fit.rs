//! `--fit compress`: a budget is kept by levels, and what room is left is used.

use loom_testkit::Sandbox;
use serde_json::Value;

use crate::packed::{json_file, loom};

/// A function with a body of so many lines.
fn function(name: &str, lines: usize) -> String {
    let body: String = (0..lines)
        .map(|at| format!("    print(\"step {at} of it\")\n"))
        .collect();
    format!("def {name}(a: int) -> int:\n    \"\"\"Does {name}.\"\"\"\n{body}    return a\n\n\n")
}

/// Words that no level makes shorter.
fn words(lines: usize) -> String {
    let line = |at: usize| format!("line {at} has {} words and {} more\n", at * 7, at * 13);
    (0..lines).map(line).collect()
}

fn source(sandbox: &Sandbox, files: usize) {
    for at in 0..files {
        let text: String = (0..4)
            .map(|one| function(&format!("f{at}_{one}"), 20))
            .collect();
        sandbox.write(format!("src/part{at}.py"), text);
    }
}

/// The report of a pack with a budget, and the tokens of its output.
#[track_caller]
fn packed(sandbox: &Sandbox, budget: usize) -> (Value, usize) {
    let report = sandbox.path("../report.json");
    let (budget, path) = (budget.to_string(), report.display().to_string());
    let args = ["pack", "--budget", &budget, "--fit", "compress"];
    let text = loom(sandbox, &[&args[..], &["--report", &path]].concat()).ok();
    let model = infiniloom::host::model("gpt-5").unwrap();
    (
        json_file(&report),
        infiniloom::host::count(&text, model).upper(),
    )
}

fn forms(report: &Value) -> Vec<String> {
    let files = report["files"].as_array().unwrap().iter();
    let form = |file: &Value| file["compression"]["form"].as_str().map(str::to_owned);
    let forms = files.map(|file| form(file).unwrap_or_else(|| "none".to_owned()));
    forms.collect()
}

/// A file that no level makes short enough takes no room from the others: they are as
/// they are, and it fills the rest with its start.
#[test]
fn what_cannot_be_compressed_does_not_push_others_down() {
    let sandbox = Sandbox::new();
    source(&sandbox, 4);
    sandbox.write("notes.txt", words(4_000)).commit_all();
    let (report, tokens) = packed(&sandbox, 12_000);
    assert!(tokens <= 12_000 && tokens > 11_700, "{tokens}");
    assert!(forms(&report).iter().all(|form| form == "none"), "{report}");
    assert_eq!(report["files"].as_array().unwrap().len(), 5);
}

/// Data that is left out for the sake of source comes back when there is room for it.
#[test]
fn every_budget_is_kept_and_used() {
    let sandbox = Sandbox::new();
    source(&sandbox, 6);
    let rows: String = (0..400)
        .map(|at| format!("{at},name {at},{}\n", at * 3))
        .collect();
    sandbox
        .write("data/rows.csv", format!("id,name,value\n{rows}"))
        .write("data/more.csv", "id,name\n1,a\n")
        .write("README.md", "# It\n\nWords about it.\n")
        .commit_all();
    let mut last = 0;
    for budget in [2_000, 3_000, 5_000, 8_000, 10_000] {
        let (report, tokens) = packed(&sandbox, budget);
        let files = report["files"].as_array().unwrap().len();
        assert!(tokens <= budget, "{budget}: {tokens}");
        assert!(files >= last, "{budget}: {files} after {last}");
        let is_all = files == 9 && forms(&report).iter().all(|form| form == "none");
        assert!(is_all || tokens * 10 >= budget * 9, "{budget}: {tokens}");
        last = files;
    }
    // Every source file is there from the first budget that has room for all at a level.
    let (report, _) = packed(&sandbox, 2_000);
    let paths = report["files"].as_array().unwrap().iter();
    let sources = paths.filter(|file| file["path"].as_str().unwrap().starts_with("src/"));
    assert_eq!(sources.count(), 6);
}
