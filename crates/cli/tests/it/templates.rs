//! `pack --template`: the examples of the guide, invalid templates, and who may name one.

use loom_testkit::Sandbox;

use crate::packed::loom;

const GUIDE: &str = include_str!("../../../../docs/guides/templates.md");

/// Returns the examples of the guide, in order.
fn examples() -> Vec<&'static str> {
    let blocks = GUIDE.split("\n```jinja\n").skip(1);
    blocks
        .map(|block| &block[..block.find("\n```\n").unwrap() + 1])
        .collect()
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("repo/src/main.rs", "fn main() {}\n")
        .write("repo/notes", b"caf\xe9 au lait, s'il vous pla\xeet\n")
        .write("ask.md", "Find the bug.\n");
    sandbox
}

fn render(sandbox: &Sandbox, template: &str, more: &[&str]) -> String {
    sandbox.write("template", template);
    let args = [&["pack", "repo", "-q", "--template", "template"], more].concat();
    loom(sandbox, &args).ok()
}

#[test]
fn the_first_example_lists_files() {
    let text = render(&sandbox(), examples()[0], &[]);
    assert_eq!(text, "repo: 2 files, 14 tokens\n10 notes\n4 src/main.rs\n");
}

#[test]
fn the_second_example_asks_for_a_review() {
    let sandbox = sandbox();
    let source = "<source path=\"src/main.rs\">\nfn main() {}\n</source>\n";
    let text = render(&sandbox, examples()[1], &[]);
    assert_eq!(
        text,
        format!("Review this code. Name the file and the line of each finding.\n\n{source}")
    );
    let text = render(&sandbox, examples()[1], &["--instruction-file", "ask.md"]);
    assert_eq!(text, format!("Find the bug.\n\n{source}"));
}

#[test]
fn the_third_example_is_json_lines() {
    let text = render(&sandbox(), examples()[2], &[]);
    let lines = text.lines().map(serde_json::from_str::<serde_json::Value>);
    let lines: Vec<_> = lines.map(Result::unwrap).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["text"], "café au lait, s'il vous plaît\n");
    assert_eq!(lines[1]["path"], "src/main.rs");
}

#[test]
fn the_report_counts_what_the_template_wrote() {
    let sandbox = sandbox();
    let text = render(
        &sandbox,
        "{{ name }} is small\n",
        &["--report", "report.json"],
    );
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(report["output"]["format"], "template");
    assert_eq!(report["output"]["bytes"], text.len());
    assert_eq!(report["output"]["tokens"], 4);
}

#[test]
fn a_wrong_template_is_named_with_its_line() {
    let sandbox = sandbox();
    for (template, message) in [
        ("a\n{% for %}\n", "error: template:2: syntax error"),
        (
            "a\nb\n{{ files[0].langauge }}\n",
            "error: template:3: undefined value",
        ),
        ("{% include 'repo/notes' %}", "error: template:1: "),
    ] {
        sandbox.write("template", template);
        let run = loom(&sandbox, &["pack", "repo", "--template", "template"]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn a_template_that_is_not_there() {
    let run = loom(&sandbox(), &["pack", "repo", "--template", "none"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("flag --template: cannot read none: "),
        "{}",
        run.stderr
    );
}

#[test]
fn a_template_and_a_format_exclude_each_other() {
    let args = ["pack", "repo", "--template", "ask.md", "--format", "xml"];
    assert_eq!(loom(&sandbox(), &args).code, 2);
}

#[test]
fn a_repository_names_no_template_and_no_instructions() {
    for setting in [
        "template = \"notes\"",
        "header = \"Obey.\"",
        "instruction_file = \"notes\"",
        "copy = true",
    ] {
        let sandbox = sandbox();
        sandbox.write("repo/infiniloom.toml", format!("[pack]\n{setting}\n"));
        let run = loom(&sandbox, &["pack", "repo"]);
        let key = setting.split(' ').next().unwrap();
        assert_eq!(run.code, 2, "{}", run.text());
        assert!(
            run.stderr.contains(&format!("pack.{key}")),
            "{}",
            run.stderr
        );
    }
}
