//! Secrets: no output, field or message contains a planted secret.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use loom_testkit::Sandbox;
use serde_json::Value;

use crate::packed::{BINARY, loom};

/// Returns invented secrets of many kinds, with the lines that contain them. They are split, so
/// that this file contains no secret.
fn planted() -> Vec<(&'static str, String)> {
    let github = format!("{}{}", "ghp_", "wW0PTNjMhzOcR3uYtQ9sXk2LbVfGd51HaBqF");
    let mut pairs = vec![
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
    pairs.extend(planted_elsewhere());
    pairs
}

/// Returns secrets in tables, in keys and in reversed pairs.
fn planted_elsewhere() -> Vec<(&'static str, String)> {
    vec![
        (
            "db/seed.sql",
            "INSERT INTO users (name, password) VALUES\n ('joe', 'qW7#zK2pLm'),\n ('may', 'Xc5!vB8nHj');\n"
                .to_owned(),
        ),
        (
            "db/users.csv",
            "name,password,city\njoe,Rt6%gY3hUj,Rome\n".to_owned(),
        ),
        ("home/.pgpass", "db.internal.net:5432:app:joe:Mn4&bV9cXz\n".to_owned()),
        (
            "keys/jwk.json",
            "{\"d\":\"Eq9mT2wLr7Yx4Kc8Vb1Nz6Ph3Js5Dg0Fa-uR_iOe7Q\",\"kty\":\"OKP\",\"crv\":\"Ed25519\"}\n"
                .to_owned(),
        ),
        (
            "deploy/env.yaml",
            "env:\n  - value: Pl0^kM9jNb\n    name: DB_PASSWORD\n".to_owned(),
        ),
        (
            "deploy/make-env.sh",
            "cat > .env <<END\nHOST=a.b\nAPP_SECRET=Uy7Tr4Ew1Qa9Sd6Fg3Hj0Kl\nEND\n".to_owned(),
        ),
    ]
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

/// The parts of the planted secrets that must not appear.
const VALUES: &[&str] = &[
    "Z7VRSQ5TJN2XMPLQ",
    "FGqddMF8t08v8N7Oq4i57vs1",
    "vK8#pq2Zr!xQ",
    "9f8Zq2LmXc7Vb4Nk1Pw6Tr3Yd5",
    "Tz9kQ4mWx2",
    "hR7!mZ2qLp",
    "AQEA6M4G9xigt5cQ",
    "8Jf3kLq0ZpXw5Vt7Rn2Yb9Cm4Gd6Hs1A",
    "qW7#zK2pLm",
    "Xc5!vB8nHj",
    "Rt6%gY3hUj",
    "Mn4&bV9cXz",
    "Eq9mT2wLr7Yx4Kc8Vb1Nz6Ph3Js5Dg0Fa",
    "Pl0^kM9jNb",
    "Uy7Tr4Ew1Qa9Sd6Fg3Hj0Kl",
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
fn symbols_hold_no_secrets() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.rs",
        "/// Use the password \"Tz9kQ4mWx2\" here.\npub const PASSWORD: &str = \"vK8#pq2Zr!xQ\";\n",
    );
    sandbox.write("b.py", "def f(password=\"hR7!mZ2qLp\"):\n    pass\n");
    for args in [
        &["symbols", "--format", "json", "--references", "--imports"][..],
        &["outline", "a.rs", "--format", "json"],
        &["outline", "b.py", "--format", "json"],
        &["symbols"],
        &["outline", "a.rs"],
        &["outline", "b.py"],
    ] {
        let text = loom(&sandbox, args).ok();
        assert_hidden(&args.join(" "), &text);
        assert!(text.contains("[REDACTED:password:"), "{text}");
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

/// A repository's settings cannot disable redaction.
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

/// The summary and mode `fail` are about the output, not about files that the budget skips.
#[test]
fn secrets_of_skipped_files_do_not_count() {
    let sandbox = Sandbox::new();
    let rows = "x: 1\n".repeat(5_000);
    sandbox
        .write("README.md", "# Demo\n\nA demo of packs.\n")
        .write("data.yaml", format!("{rows}password: vK8#pq2Zr!xQ\n"));
    let all = loom(&sandbox, &["pack", "-o", "out.xml"]);
    assert!(all.stderr.contains("1 secret redacted"), "{}", all.stderr);
    for mode in ["redact", "warn", "fail"] {
        let args = ["pack", "--budget", "1000", "--secrets", mode];
        let run = loom(&sandbox, &[&args[..], &["--report", "r.json"]].concat());
        assert!(!run.ok().contains("vK8#pq2Zr!xQ"), "{mode}");
        assert!(!run.stderr.contains("secret"), "{mode}: {}", run.stderr);
        let report: Value = serde_json::from_str(&sandbox.read("r.json")).unwrap();
        assert_eq!(report["secrets"]["findings"], Value::Array(Vec::new()));
    }
}
