//! Scans for secrets in files, staged changes, commits and texts.

use loom_host::{
    Baseline, Cancel, PackError, PackOptions, Packer, ScanScope, SecretScan, SecretsMode,
    SecretsOptions, scan_for_secrets,
};
use loom_testkit::Sandbox;

use crate::fixture::{Meddling, cached, other_password, packer, password, token};

fn scan(packer: &Packer, scope: &ScanScope) -> SecretScan {
    scan_for_secrets(packer, scope, &loom_host::NoProgress, &Cancel::new()).unwrap()
}

/// Returns the positions of findings.
fn found(scan: &SecretScan) -> Vec<String> {
    let place = |one: &loom_host::FoundSecret| format!("{}:{}:{}", one.path, one.line, one.column);
    scan.found.iter().map(place).collect()
}

fn range(from: &str, to: &str) -> ScanScope {
    ScanScope::Range(from.to_owned(), to.to_owned())
}

#[test]
fn tree_is_scanned_in_order_with_and_without_a_cache() {
    let sandbox = Sandbox::new();
    sandbox
        .write("b.yaml", format!("user: x\npassword: {}\n", password()))
        .write("a.yaml", format!("password: {}\n", other_password()))
        .write("c.txt", format!("copy of {}\n", password()))
        .write("plain.txt", "nothing\n")
        .write("data.bin", "\0");
    for options in [PackOptions::default(), cached(&sandbox)] {
        let packer = packer(&sandbox, options);
        for _ in 0..2 {
            let told = scan(&packer, &ScanScope::Tree);
            assert_eq!(found(&told), ["a.yaml:1:11", "b.yaml:2:11", "c.txt:1:9"]);
            assert_eq!(told.scanned, 4);
            assert!(told.found.iter().all(|one| one.placeholder.is_none()));
            assert!(
                told.skipped
                    .iter()
                    .any(|(path, _)| path.display() == "data.bin")
            );
        }
    }
}

#[test]
fn staged_changes_report_only_new_secrets() {
    let sandbox = Sandbox::new();
    let (one, two) = (password(), other_password());
    sandbox
        .write("a.yaml", format!("password: {one}\nuser: x\n"))
        .commit_all();
    let packer = packer(&sandbox, PackOptions::default());
    let staged = || found(&scan(&packer, &ScanScope::Staged));
    assert!(staged().is_empty());
    // An old secret in a changed file is not new, and unstaged files are not scanned.
    sandbox
        .write("a.yaml", format!("password: {one}\nuser: y\n"))
        .git(&["add", "a.yaml"]);
    sandbox.write("b.yaml", format!("password: {two}\n"));
    assert!(staged().is_empty());
    sandbox.git(&["add", "b.yaml"]);
    assert_eq!(staged(), ["b.yaml:1:11"]);
}

#[test]
fn commits_report_what_each_of_them_added() {
    let sandbox = Sandbox::new();
    let (one, two) = (password(), other_password());
    sandbox
        .write("a.yaml", format!("password: {one}\n"))
        .commit_all();
    sandbox
        .write("b.yaml", format!("password: {two}\n"))
        .git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "two"]);
    sandbox
        .write("b.yaml", "user: z\n")
        .git(&["commit", "-qam", "three"]);
    let packer = packer(&sandbox, PackOptions::default());
    let told = scan(&packer, &range("HEAD~2", "HEAD"));
    assert_eq!(found(&told), ["b.yaml:1:11"]);
    let commit = sandbox.run("git", &["rev-parse", "HEAD~1"]).ok();
    assert_eq!(told.found[0].commit.as_deref(), Some(commit.trim()));
    assert!(found(&scan(&packer, &range("HEAD~1", "HEAD"))).is_empty());
    let mut all = found(&scan(&packer, &ScanScope::History));
    all.sort();
    assert_eq!(all, ["a.yaml:1:11", "b.yaml:1:11"]);
}

#[test]
fn messages_of_commits_are_scanned() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "x\n").commit_all();
    let message = format!("the password: \"{}\"", password());
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", &message]);
    let packer = packer(&sandbox, PackOptions::default());
    for scope in [range("HEAD~1", "HEAD"), ScanScope::History] {
        assert_eq!(found(&scan(&packer, &scope)), ["(message):1:16"]);
    }
}

/// An ignored file teaches a secret; files, staged changes and commits with a copy are reported.
#[test]
fn copies_of_secrets_of_other_files_are_reported() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write(".gitignore", ".env\n")
        .write(".env", format!("LEDGER_PASSWORD={password}\n"))
        .write("a.py", "x = 1\n")
        .commit_all();
    let packer = packer(&sandbox, PackOptions::default());
    assert!(found(&scan(&packer, &ScanScope::Tree)).is_empty());
    sandbox.write("extra.py", format!("# handshake uses {password} here\n"));
    sandbox.git(&["add", "extra.py"]);
    for scope in [ScanScope::Tree, ScanScope::Staged] {
        assert_eq!(
            found(&scan(&packer, &scope)),
            ["extra.py:1:18"],
            "{scope:?}"
        );
    }
    let message = format!("use {password}");
    sandbox.git(&["commit", "-q", "-m", &message]);
    let told = found(&scan(&packer, &range("HEAD~1", "HEAD")));
    assert_eq!(told, ["(message):1:5", "extra.py:1:18"]);
}

#[test]
fn unknown_revision_and_missing_repository_are_errors() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "x\n");
    let error = |scope: &ScanScope| {
        let packer = packer(&sandbox, PackOptions::default());
        let result = scan_for_secrets(&packer, scope, &loom_host::NoProgress, &Cancel::new());
        match result {
            Err(PackError::History { flag, .. }) => flag,
            result => panic!("{result:?}"),
        }
    };
    assert_eq!(error(&ScanScope::Staged), "--staged");
    assert_eq!(error(&ScanScope::History), "--history");
    sandbox.commit_all();
    assert_eq!(error(&range("nowhere", "HEAD")), "--rev nowhere..HEAD");
}

#[test]
fn oversized_versions_in_history_are_skipped_with_the_reason() {
    let sandbox = Sandbox::new();
    sandbox
        .write("large.txt", "word ".repeat(1_000))
        .commit_all();
    let options = PackOptions {
        max_file_size: 1_000,
        ..PackOptions::default()
    };
    let told = scan(&packer(&sandbox, options), &ScanScope::History);
    let skipped: Vec<String> = told
        .skipped
        .iter()
        .map(|(path, reason)| format!("{path}: {}", reason.kind()))
        .collect();
    assert_eq!(skipped, ["large.txt: too-large"]);
}

#[test]
fn shallow_clone_is_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "x\n").commit_all();
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    let url = format!("file://{}", sandbox.work().display());
    sandbox.git(&["clone", "-q", "--depth", "1", &url, "../clone"]);
    let packer = Packer::open(&[sandbox.path("../clone")], PackOptions::default()).unwrap();
    let told = scan(&packer, &ScanScope::History);
    let expected = "a shallow clone: commits before its first ones were not scanned";
    assert_eq!(told.warnings, [expected]);
}

/// A scan shows where secrets are, but never a secret, also if the mode is to warn.
#[test]
fn paths_of_a_scan_are_redacted() {
    let sandbox = Sandbox::new();
    let token = token();
    sandbox
        .write(
            format!("{token}/a.yaml"),
            format!("password: {}\n", password()),
        )
        .write(format!("{token}.bin"), "\0");
    for mode in [SecretsMode::Redact, SecretsMode::Warn] {
        let options = PackOptions {
            secrets: SecretsOptions::new(mode),
            ..PackOptions::default()
        };
        let told = scan(&packer(&sandbox, options), &ScanScope::Tree);
        assert_eq!(found(&told), ["[REDACTED:github-token:1]/a.yaml:1:11"]);
        assert!(!format!("{:?}{:?}", told.found, told.skipped).contains(&token));
    }
}

/// A baseline knows a finding by its real path, so the redacted one is allowed again.
#[test]
fn baseline_of_a_scan_allows_its_findings() {
    let sandbox = Sandbox::new();
    let token = token();
    sandbox
        .write(
            format!("{token}.yaml"),
            format!("password: {}\n", password()),
        )
        .write("b.yaml", format!("password: {}\n", other_password()));
    let first = scan(&packer(&sandbox, PackOptions::default()), &ScanScope::Tree);
    let baseline = Baseline::from_found(&first.found);
    assert!(!baseline.to_json().contains(&token));
    let options = PackOptions {
        secrets: SecretsOptions::default().with_baseline(&baseline),
        ..cached(&sandbox)
    };
    assert!(found(&scan(&packer(&sandbox, options.clone()), &ScanScope::Tree)).is_empty());
    // Another secret at the same place is a new one.
    sandbox.write("b.yaml", format!("password: {}x9\n", password()));
    assert_eq!(
        found(&scan(&packer(&sandbox, options), &ScanScope::Tree)),
        ["b.yaml:1:11"]
    );
}

/// An exception of one run must not hide secrets from the next one through the cache.
#[test]
fn baseline_does_not_enter_the_cache() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", format!("password: {}\n", password()));
    let first = scan(&packer(&sandbox, cached(&sandbox)), &ScanScope::Tree);
    let options = PackOptions {
        secrets: SecretsOptions::default().with_baseline(&Baseline::from_found(&first.found)),
        ..cached(&sandbox)
    };
    assert!(
        scan(&packer(&sandbox, options), &ScanScope::Tree)
            .found
            .is_empty()
    );
    assert_eq!(
        scan(&packer(&sandbox, cached(&sandbox)), &ScanScope::Tree)
            .found
            .len(),
        1
    );
}

#[test]
fn text_is_scanned_and_cleaned_by_the_mode() {
    let text = format!("one\npassword: \"{}\"\n", password());
    let with = SecretsOptions::new;
    let told = with(SecretsMode::Redact).scan_text("(standard input)", &text);
    assert_eq!(found(&told), ["(standard input):2:12"]);
    assert_eq!((told.scanned, told.bytes), (1, text.len() as u64));
    let cleaned = |mode: SecretsMode| with(mode).cleaned("-", &text);
    assert_eq!(
        cleaned(SecretsMode::Redact).unwrap(),
        "one\npassword: \"[REDACTED:password:1]\"\n"
    );
    assert_eq!(cleaned(SecretsMode::Warn).unwrap(), text);
    assert_eq!(cleaned(SecretsMode::Off).unwrap(), text);
    assert!(matches!(
        cleaned(SecretsMode::Fail),
        Err(PackError::Secrets { .. })
    ));
    assert_eq!(
        with(SecretsMode::Fail).cleaned("-", "plain").unwrap(),
        "plain"
    );
}

#[test]
fn cancelled_scan_is_an_error() {
    let sandbox = Sandbox::new();
    for at in 0..5 {
        sandbox.write(format!("{at}.txt"), "x\n");
    }
    sandbox.commit_all();
    let packer = packer(&sandbox, PackOptions::default());
    for scope in [ScanScope::Tree, ScanScope::History] {
        let meddling = Meddling::cancelling(1);
        let result = scan_for_secrets(&packer, &scope, &meddling, &meddling.cancel);
        assert!(matches!(result, Err(PackError::Cancelled)), "{scope:?}");
    }
}
