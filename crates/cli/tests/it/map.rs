//! `infiniloom map` through the real command.

use loom_testkit::{Browser, Sandbox};
use serde_json::Value;

use crate::packed::loom;

/// Creates a small program whose parts use one core.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "README.md",
        "# Shop\n\nA shop that keeps a registry of its parts.\n",
    );
    sandbox.write(
        "src/registry.py",
        "class Registry:\n    def register_part(self, part):\n        pass\n\ndef open_registry(path, key=\"AKIAIOSFODNN7EXAMPLQ\"):\n    return Registry()\n",
    );
    for at in 0..30 {
        sandbox.write(
            format!("src/parts/part{at}.py"),
            format!(
                "from registry import open_registry\n\nclass Part{at}:\n    def price{at}(self, amount: int, currency: str) -> int:\n        open_registry('x').register_part(self)\n"
            ),
        );
    }
    sandbox
}

#[test]
fn it_names_what_matters_and_hides_secrets() {
    let sandbox = sandbox();
    let text = loom(&sandbox, &["map"]).ok();
    assert!(
        text.contains("<symbol name=\"open_registry\" type=\"function\" file=\"src/registry.py\"")
    );
    assert!(text.contains("<description>A shop that keeps a registry of its parts.</description>"));
    assert!(text.contains("<dependency_graph format=\"mermaid\">"));
    assert!(!text.contains("AKIAIOSFODNN7EXAMPLQ"), "{text}");
    let summary = loom(&sandbox, &["map", "--summary"]).ok();
    assert!(summary.starts_with("Repository: "), "{summary}");
    assert!(
        summary.contains("\nHot files: src/registry.py,"),
        "{summary}"
    );
    let again = loom(&sandbox, &["map"]).ok();
    assert_eq!(text, again);
    let threads = loom(&sandbox, &["map", "--threads", "1"]).ok();
    assert_eq!(text, threads);
}

#[test]
fn focus_mention_and_query_bring_files_forward() {
    let sandbox = sandbox();
    let first = |args: &[&str]| {
        let mut all = vec!["map", "--format", "json", "--budget", "600"];
        all.extend(args);
        let answer: Value = serde_json::from_str(&loom(&sandbox, &all).ok()).unwrap();
        answer["files"][0]["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        first(&["--focus", "src/parts/part29.py"]),
        "src/parts/part29.py"
    );
    assert_eq!(first(&["--mention", "price17"]), "src/parts/part17.py");
    assert_eq!(
        first(&["--query", "wrong `price21` in checkout"]),
        "src/parts/part21.py"
    );
}

#[test]
fn a_focus_is_typed_where_one_stands() {
    let sandbox = sandbox();
    let first = |path: &str| {
        let mut command = sandbox.command(crate::packed::BINARY);
        command.current_dir(sandbox.path("src/parts"));
        command.args(["map", "..", "--format", "json", "--focus", path]);
        let done = command.output().unwrap();
        let text = String::from_utf8(done.stdout).unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap();
        answer["files"][0]["path"].as_str().unwrap().to_owned()
    };
    let whole = sandbox.path("src/parts/part5.py").display().to_string();
    let expected = first(&whole);
    assert!(expected.ends_with("part5.py"), "{expected}");
    for typed in ["part5.py", "./part5.py", "../parts/part5.py", &expected] {
        assert_eq!(first(typed), expected, "{typed}");
    }
    let wrong = loom(&sandbox, &["map", "--focus", "../../else.py"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    let nothing = loom(&sandbox, &["map", "--mention", "nobody_has_this"]);
    assert!(
        nothing.stderr.contains("mention nobody_has_this"),
        "{}",
        nothing.stderr
    );
}

#[test]
fn what_differs_from_the_last_commit_comes_forward() {
    let sandbox = sandbox();
    sandbox.git(&["init", "-q"]).git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "all"]);
    sandbox.write("src/parts/part9.py", "class Part9:\n    pass\n");
    let args = ["map", "--changes", "--format", "json"];
    let answer: Value = serde_json::from_str(&loom(&sandbox, &args).ok()).unwrap();
    assert_eq!(answer["files"][0]["path"], "src/parts/part9.py");
}

#[test]
fn a_question_comes_from_a_file_or_a_pipe() {
    let sandbox = sandbox();
    sandbox.write("../issue.md", "wrong `price21` in checkout");
    let args = ["map", "--format", "json", "--query-file", "../issue.md"];
    let answer: Value = serde_json::from_str(&loom(&sandbox, &args).ok()).unwrap();
    assert_eq!(answer["files"][0]["path"], "src/parts/part21.py");
    let summary = loom(&sandbox, &["map", "--summary", "--budget", "20"]).ok();
    assert!(summary.starts_with("Repository: "), "{summary}");
}

#[test]
fn a_budget_too_small_is_refused_with_the_smallest() {
    let sandbox = sandbox();
    let done = loom(&sandbox, &["map", "--budget", "3"]);
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(
        done.stderr.contains("the smallest map needs"),
        "{}",
        done.stderr
    );
}

#[test]
fn the_page_shows_folders_that_unfold_and_finds_symbols() {
    let sandbox = sandbox();
    let page = loom(&sandbox, &["map", "--format", "html"]).ok();
    assert!(!page.contains("AKIAIOSFODNN7EXAMPLQ"));
    sandbox.write("../map.html", &page);
    let mut browser = Browser::start(&sandbox);
    browser.resize(1200, 900);
    browser.open(&sandbox.path("../map.html"));
    let count = |browser: &mut Browser, selector: &str| {
        let script = format!("document.querySelectorAll({selector:?}).length");
        browser.evaluate(&script).as_u64().unwrap()
    };
    assert!(count(&mut browser, "#graph g") > 1);
    assert!(count(&mut browser, "#graph line") > 0);
    assert!(count(&mut browser, "#hot tr") > 5);
    assert!(count(&mut browser, "#tokens div") > 20);
    let hot = browser.evaluate("document.querySelector('#hot td').textContent");
    assert!(
        hot.as_str().unwrap().starts_with("src/registry.py"),
        "{hot}"
    );
    browser.evaluate("document.getElementById('fold').click()");
    let folded = count(&mut browser, "#graph g");
    browser.evaluate(
        "document.querySelector('#graph g.folder').dispatchEvent(new MouseEvent('click'))",
    );
    assert!(count(&mut browser, "#graph g") > folded);
    browser.evaluate("(() => { const it = document.getElementById('search'); it.value = 'price17'; it.dispatchEvent(new Event('input')); })()");
    assert_eq!(count(&mut browser, "#graph g.hit"), 1);
    assert_eq!(count(&mut browser, "#hot tr"), 1);
}
