//! `scan` in trees, in what is staged, in history and in standard input; what is
//! allowed; the forms of its answer.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use loom_testkit::{Run, Sandbox};
use serde_json::Value;

use crate::packed::{BINARY, loom};

#[test]
fn what_is_allowed_is_left() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", "password: vK8#pq2Zr!xQ # infiniloom:allow\n");
    sandbox.write("test/b.yaml", "password: hR7!mZ2qLpWw8\n");
    sandbox.write("c.yaml", "password: Tz9kQ4mWx2\n");
    let clean = |args: &[&str]| loom(&sandbox, args);
    let scan = clean(&["scan", "--confidence", "low"]);
    assert_eq!(scan.code, 1);
    assert!(!scan.text().contains("a.yaml"), "{}", scan.text());
    let hint = "hint: to accept a false finding, write `infiniloom:allow` in a comment on its line";
    assert!(scan.stderr.contains(hint), "{}", scan.stderr);
    assert!(
        scan.text().contains("b.yaml") && scan.text().contains("c.yaml"),
        "{}",
        scan.text()
    );
    let globs = clean(&[
        "scan",
        "--confidence",
        "low",
        "--allow-secrets-in",
        "test/**,c.yaml",
    ]);
    assert_eq!((globs.code, globs.text().as_str()), (0, ""));
    clean(&[
        "scan",
        "--confidence",
        "low",
        "--write-baseline",
        "base.json",
    ])
    .ok();
    let baseline = sandbox.read("base.json");
    for secret in ["vK8#pq2Zr!xQ", "hR7!mZ2qLpWw8", "Tz9kQ4mWx2"] {
        assert!(!baseline.contains(secret));
    }
    let known = ["scan", "--confidence", "low", "--baseline", "base.json"];
    assert_eq!(clean(&known).code, 0);
    // Another secret at the same place is a new one.
    sandbox.write("c.yaml", "password: 9f8Zq2LmXc7Vb\n");
    let again = clean(&known);
    assert_eq!(again.code, 1);
    assert!(again.text().contains("c.yaml:1:11") && !again.text().contains("b.yaml"));
}

#[test]
fn what_is_no_baseline_is_said() {
    let sandbox = Sandbox::new();
    let clean = |args: &[&str]| loom(&sandbox, args);
    sandbox.write("c.yaml", "password: 9f8Zq2LmXc7Vb\n");
    let bad = clean(&["scan", "--baseline", "c.yaml"]);
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("is no baseline"), "{}", bad.stderr);
    sandbox.write(
        "bad.json",
        "{\"generator\": 1, \"findings\": \"vK8#pq2Zr!xQ\"}",
    );
    let bad = clean(&["scan", "--baseline", "bad.json"]);
    assert!(
        bad.stderr.contains("is no baseline: line 1"),
        "{}",
        bad.stderr
    );
    let missing = clean(&["scan", "--baseline", "none.json"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("--write-baseline"),
        "{}",
        missing.stderr
    );
}

#[test]
fn staged_and_history() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", "password: Tz9kQ4mWx2\nuser: x\n");
    sandbox.commit_all();
    let scan = |args: &[&str]| loom(&sandbox, &[&["scan"], args].concat());
    assert_eq!(scan(&["--staged"]).code, 0);
    // An old secret in a changed file is not new; the working tree is not looked at.
    sandbox.write("a.yaml", "password: Tz9kQ4mWx2\nuser: y\n");
    sandbox.git(&["add", "a.yaml"]);
    sandbox.write("b.yaml", "password: hR7!mZ2qLp\n");
    assert_eq!(scan(&["--staged"]).code, 0);
    sandbox.git(&["add", "b.yaml"]);
    let staged = scan(&["--staged"]);
    assert_eq!(staged.code, 1);
    assert!(
        staged.text().starts_with("b.yaml:1:11: password"),
        "{}",
        staged.text()
    );
    sandbox.git(&["commit", "-q", "-m", "two"]);
    sandbox.write("b.yaml", "user: z\n");
    sandbox.git(&["add", "b.yaml"]);
    sandbox.git(&["commit", "-q", "-m", "three"]);
    assert_eq!(scan(&["b.yaml"]).code, 0);
    let range = scan(&["--rev", "HEAD~2..HEAD", "--format", "json"]);
    assert_eq!(range.code, 1);
    let answer: Value = serde_json::from_str(&range.text()).unwrap();
    let findings = answer["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{answer:#}");
    assert_eq!(findings[0]["path"], "b.yaml");
    let commit = sandbox.run("git", &["rev-parse", "HEAD~1"]).ok();
    assert_eq!(findings[0]["commit"], commit.trim());
    let history = scan(&["--history"]).text();
    assert!(
        history.contains("a.yaml:1") && history.contains("b.yaml:1"),
        "{history}"
    );
    assert_eq!(history.lines().count(), 2, "{history}");
    let one = scan(&["--rev", "HEAD~1"]).text();
    assert!(
        one.contains("a.yaml:1") && one.contains("b.yaml:1"),
        "{one}"
    );
    let message = "the password: \"9f8Zq2LmXc7Vb\"";
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", message]);
    let head = sandbox.run("git", &["rev-parse", "HEAD"]).ok();
    let said = scan(&["--rev", "HEAD~1..HEAD"]).text();
    let expected = format!("(message):1:16: password in {}", &head[..12]);
    assert!(said.starts_with(&expected), "{said}");
    assert!(scan(&["--history"]).text().contains(&expected));
    assert_eq!(scan(&["--rev", "nowhere..HEAD"]).code, 2);
    assert_eq!(scan(&["--rev", "HEAD...HEAD~1"]).code, 2);
}

#[test]
fn sarif_has_what_hosts_ask_for() {
    let sandbox = Sandbox::new();
    sandbox.write("odd name.yaml", "a: é\nx: {password: \"vK8#pq2Zr!xQ\"}\n");
    let run = loom(&sandbox, &["scan", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.text()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(result["ruleId"], rule["id"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "odd%20name.yaml");
    assert_eq!(place["region"]["startLine"], 2);
    assert_eq!(place["region"]["startColumn"], 16);
    assert_eq!(place["region"]["endColumn"], 28);
}

/// Bytes that are no UTF-8 stand in an address as they are.
#[cfg(target_os = "linux")]
#[test]
fn sarif_names_any_file() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let sandbox = Sandbox::new();
    let name = OsStr::from_bytes(b"a\xff.yaml");
    fs::write(sandbox.work().join(name), "password: vK8#pq2Zr!xQ\n").unwrap();
    let run = loom(&sandbox, &["scan", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.text()).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%FF.yaml");
}

/// What is too large to be looked at is no binary file.
#[test]
fn large_files_in_history_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("large.txt", "word ".repeat(1000));
    sandbox.commit_all();
    let run = loom(&sandbox, &["scan", "--history", "--max-file-size", "1k"]);
    assert!(
        run.stderr
            .contains("large.txt was not scanned: 5000 bytes, more than the limit")
            && !run.stderr.contains("binary"),
        "{}",
        run.stderr
    );
}

/// Gives `text` to the command.
fn loom_with(sandbox: &Sandbox, args: &[&str], text: &str) -> Run {
    let mut command = sandbox.command(BINARY);
    let command = command.args(args).stdin(Stdio::piped());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    Run::from(child.wait_with_output().unwrap())
}

#[test]
fn scan_reads_standard_input() {
    let sandbox = Sandbox::new();
    let text = "one\npassword: \"vK8#pq2Zr!xQ\"\n";
    let run = loom_with(&sandbox, &["scan", "-"], text);
    assert_eq!(run.code, 1);
    let expected = "(standard input):2:12: password";
    assert!(run.text().starts_with(expected), "{}", run.text());
    assert!(!run.text().contains("vK8#pq2Zr!xQ"));
    assert_eq!(loom_with(&sandbox, &["scan", "-"], "one\n").code, 0);
    let both = loom_with(&sandbox, &["scan", "-", "a"], text);
    assert_eq!(both.code, 2);
    assert!(both.stderr.contains("name - alone"), "{}", both.stderr);
}

/// A signature that is cut within a secret shows no part of it.
#[test]
fn symbols_show_no_part_of_a_secret() {
    let sandbox = Sandbox::new();
    let secret = ["vK8qpq2Zr", "qmQ9xLw7T"].concat();
    for filler in (100..150).step_by(3) {
        let filler = "y ".repeat(filler);
        let text = format!("def f(a=\"{filler}\", password=\"{secret}\"): pass\n");
        sandbox.write("a.py", text);
        let json = loom(&sandbox, &["symbols", "--format", "json", "a.py"]).ok();
        assert!(!json.contains(&secret[..6]), "{json}");
    }
}
