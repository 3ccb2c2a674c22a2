//! Secrets: nothing that was planted leaves, in any form, field or message, and what
//! `scan` says is right in trees, in what is staged and in history.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use loom_testkit::Sandbox;
use serde_json::Value;

use crate::packed::{BINARY, loom};

/// Secrets of many kinds, made up: the key, and lines that hold it. None stands here
/// as it would be found in a file.
fn planted() -> Vec<(&'static str, String)> {
    let github = format!("{}{}", "ghp_", "wW0PTNjMhzOcR3uYtQ9sXk2LbVfGd51HaBqF");
    let pairs: Vec<(&'static str, String)> = vec![
        (
            "src/aws.py",
            format!("key = \"{}{}\"\n", "AKIA", "Z7VRSQ5TJN2XMPLQ"),
        ),
        (
            "src/slack.js",
            format!(
                "const t = '{}{}';\n",
                "xoxb-", "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1"
            ),
        ),
        (
            "config/db.yaml",
            "database:\n  password: vK8#pq2Zr!xQ\n".to_owned(),
        ),
        (
            "app/.env.local",
            "STRIPE_KEY=\nSESSION_SECRET=9f8Zq2LmXc7Vb4Nk1Pw6Tr3Yd5\n".to_owned(),
        ),
        (
            "deploy/url.txt",
            "postgres://admin:Tz9kQ4mWx2@db.internal.net:5432/app\n".to_owned(),
        ),
        (
            "src/pair.xml",
            "<add key=\"Password\" value=\"hR7!mZ2qLp\" />\n".to_owned(),
        ),
        ("keys/id_rsa", private_key()),
        (
            "src/header.sh",
            "curl -H 'Authorization: Bearer 8Jf3kLq0ZpXw5Vt7Rn2Yb9Cm4Gd6Hs1A'\n".to_owned(),
        ),
        ("docs/bad.md", format!("Use `{github}` for now.\n")),
    ];
    pairs
}

fn private_key() -> String {
    let line = "MIIEowIBAAKCAQEA6M4G9xigt5cQYvZ0rT8hJk2LmNpQrStUvWxYz0123456789ab";
    let frame = |word: &str| format!("-----{word} RSA PRIVATE {}-----\n", "KEY");
    let lines = (0..8).map(|at| format!("{}{at}\n", &line[at..]));
    format!(
        "{}{}{}",
        frame("BEGIN"),
        lines.collect::<String>(),
        frame("END")
    )
}

/// What must not be seen of each.
const VALUES: &[&str] = &[
    "Z7VRSQ5TJN2XMPLQ",
    "FGqddMF8t08v8N7Oq4i57vs1",
    "vK8#pq2Zr!xQ",
    "9f8Zq2LmXc7Vb4Nk1Pw6Tr3Yd5",
    "Tz9kQ4mWx2",
    "hR7!mZ2qLp",
    "AQEA6M4G9xigt5cQ",
    "8Jf3kLq0ZpXw5Vt7Rn2Yb9Cm4Gd6Hs1A",
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (path, text) in planted() {
        sandbox.write(path, text);
    }
    sandbox.write(
        "src/main.rs",
        "fn main() {\n    let password = std::env::var(\"PASSWORD\");\n}\n",
    );
    sandbox
}

fn assert_hidden(what: &str, text: &str) {
    for value in VALUES {
        assert!(!text.contains(value), "{value} in {what}:\n{text}");
    }
}

#[test]
fn no_format_lets_a_secret_out() {
    let sandbox = sandbox();
    for format in ["xml", "markdown", "json", "yaml", "plain", "compact"] {
        let run = loom(&sandbox, &["pack", "-vv", "--format", format]);
        assert_hidden(format, &run.ok());
        assert_hidden("messages", &run.stderr);
        assert!(run.stderr.contains("redacted"), "{}", run.stderr);
    }
}

#[test]
fn the_text_stays_useful() {
    let sandbox = sandbox();
    sandbox.write("config/again.yaml", "old_password: vK8#pq2Zr!xQ\n");
    let text = loom(&sandbox, &["pack", "--format", "plain"]).ok();
    assert!(text.contains("  password: [REDACTED:password:"), "{text}");
    let number = |line: &str| {
        let line = text.lines().find(|one| one.starts_with(line)).unwrap();
        line.rsplit(':').next().unwrap().to_owned()
    };
    assert_eq!(number("  password: "), number("old_password: "));
    assert!(text.contains("postgres://admin:[REDACTED:url-password:1]@db.internal.net:5432/app"));
    assert!(text.contains("[REDACTED:private-key:1]"));
    assert!(text.contains("std::env::var(\"PASSWORD\")"));
}

#[test]
fn every_way_out_is_closed() {
    let sandbox = sandbox();
    sandbox.commit_all();
    sandbox.write("config/db.yaml", "database:\n  password: hR7!mZ2qLp\n");
    sandbox.write("config/new.yaml", "password: 9f8Zq2LmXc7Vb4Nk1Pw6Tr3Yd5\n");
    sandbox.git(&["add", "config/new.yaml"]);
    let message = "password: vK8#pq2Zr!xQ was wrong";
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", message]);
    sandbox.write(
        "template.txt",
        "{% for file in files %}{{ file.content }}{% endfor %}",
    );
    let header = "the password: \"Tz9kQ4mWx2\"";
    for args in [
        &[
            "pack", "--diff", "--staged", "--log", "5", "--since", "HEAD~1",
        ][..],
        &["pack", "--highlight-changes", "--line-numbers"],
        &["pack", "--budget", "2000"],
        &["pack", "--header", header],
        &["pack", "--rev", "HEAD"],
        &["pack", "--template", "template.txt"],
        &["pack", "--dry-run", "-vv"],
        &["pack", "--report", "-", "-vv"],
        &["scan", "-vv"],
        &["scan", "--format", "json"],
        &["scan", "--format", "sarif"],
        &["scan", "--history"],
        &["scan", "--staged"],
        &["pack", "--secrets", "fail"],
    ] {
        let run = loom(&sandbox, args);
        assert_hidden(&args.join(" "), &run.text());
        assert_hidden(&args.join(" "), &run.stderr);
    }
    loom(
        &sandbox,
        &[
            "pack",
            "--split",
            "600",
            "-o",
            "part.xml",
            "--report",
            "report.json",
        ],
    )
    .ok();
    for entry in fs::read_dir(sandbox.work()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if name.contains("part.") || name.contains("report") {
            assert_hidden(&name, &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn tokens_are_those_of_what_is_written() {
    let sandbox = sandbox();
    loom(
        &sandbox,
        &["pack", "-o", "out.xml", "--report", "report.json"],
    )
    .ok();
    let report: Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let text = sandbox.read("out.xml");
    let exact = loom_models::count(&text, &loom_models::default_model());
    assert_eq!(report["output"]["tokens"], exact.likely());
    assert_eq!(report["secrets"]["mode"], "redact");
    let findings = report["secrets"]["findings"].as_array().unwrap();
    assert!(findings.len() >= 8, "{findings:#?}");
    let password = findings
        .iter()
        .find(|one| one["path"] == "config/db.yaml")
        .unwrap();
    assert_eq!(
        (&password["line"], &password["column"]),
        (&2.into(), &13.into())
    );
    assert_eq!(password["kind"], "password");
    let noted = report["files"].as_array().unwrap();
    let noted = noted
        .iter()
        .find(|file| file["path"] == "config/db.yaml")
        .unwrap();
    assert_eq!(noted["note"], "1 secret redacted");
}

#[test]
fn modes() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", "password: vK8#pq2Zr!xQ\n");
    let warned = loom(&sandbox, &["pack", "--secrets", "warn"]);
    assert!(warned.text().contains("vK8#pq2Zr!xQ"));
    assert!(
        warned.stderr.contains("1 secret found and left"),
        "{}",
        warned.stderr
    );
    assert_eq!(warned.code, 0);
    let failed = loom(&sandbox, &["pack", "--secrets", "fail", "-o", "out.xml"]);
    assert_eq!(failed.code, 1);
    assert!(
        failed.stderr.contains("a.yaml:1:11: password"),
        "{}",
        failed.stderr
    );
    assert!(!sandbox.path("out.xml").exists());
    let off = loom(&sandbox, &["pack", "--secrets", "off"]);
    assert!(off.text().contains("vK8#pq2Zr!xQ") && !off.stderr.contains("secret"));
}

/// A repository must not open the gate.
#[test]
fn a_repository_cannot_turn_it_off() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", "password: vK8#pq2Zr!xQ\n");
    for settings in [
        "[privacy]\nsecrets = \"off\"\n",
        "[secrets]\nallow = [\"**\"]\n",
        "[secrets]\nconfidence = \"high\"\n",
        "[secrets]\nbaseline = \"x.json\"\n",
    ] {
        sandbox.write("infiniloom.toml", settings);
        let run = loom(&sandbox, &["pack"]);
        assert!(!run.text().contains("vK8#pq2Zr!xQ"), "{settings}");
        assert_eq!(run.code, 2, "{settings}: {}", run.stderr);
    }
}

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
    assert_hidden("the baseline", &baseline);
    let known = ["scan", "--confidence", "low", "--baseline", "base.json"];
    assert_eq!(clean(&known).code, 0);
    // Another secret at the same place is a new one.
    sandbox.write("c.yaml", "password: 9f8Zq2LmXc7Vb\n");
    let again = clean(&known);
    assert_eq!(again.code, 1);
    assert!(again.text().contains("c.yaml:1:11") && !again.text().contains("b.yaml"));
    let bad = clean(&["scan", "--baseline", "c.yaml"]);
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("is no baseline"), "{}", bad.stderr);
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
}

#[test]
fn sanitize_streams() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(BINARY);
    let command = command
        .arg("sanitize")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for part in [
        "plain words\nmy pass",
        "word: \"vK8#p",
        "q2Zr!xQ\"\n",
        "and \u{fc}nd so on",
    ] {
        input.write_all(part.as_bytes()).unwrap();
        input.flush().unwrap();
    }
    input.write_all(b"\xff end").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "plain words\nmy password: \"[REDACTED:password:1]\"\nand ünd so on\u{fffd} end"
    );
}
