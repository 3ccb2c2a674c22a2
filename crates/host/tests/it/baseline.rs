//! Baselines: files of known findings that contain no secrets.

use loom_host::{Baseline, BaselineError, Confidence, FoundSecret, RepoPath};
use loom_testkit::Sandbox;
use proptest::prelude::*;

fn found(path: &str, kind: &'static str, fingerprint: &str) -> FoundSecret {
    FoundSecret {
        path: path.to_owned(),
        file: RepoPath::new(path).unwrap(),
        line: 1,
        end_line: 1,
        column: 1,
        end_column: 9,
        kind,
        confidence: Confidence::High,
        reasons: Vec::new(),
        fingerprint: fingerprint.parse().unwrap(),
        placeholder: None,
        commit: None,
    }
}

fn read(text: &str) -> Result<Baseline, BaselineError> {
    let sandbox = Sandbox::new();
    sandbox.write("baseline.json", text);
    Baseline::read(&sandbox.path("baseline.json"))
}

#[test]
fn findings_are_listed_once_in_the_order_of_their_paths() {
    let all = [
        found("b.py", "key", "00ff"),
        found("a.py", "token", "abcd"),
        found("a.py", "key", "abcd"),
        found("b.py", "key", "00ff"),
    ];
    let baseline = Baseline::from_found(&all);
    assert_eq!((baseline.len(), baseline.is_empty()), (3, false));
    let value: serde_json::Value = serde_json::from_str(&baseline.to_json()).unwrap();
    let listed: Vec<String> = value["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            format!("{} {} {}", one["path"], one["kind"], one["fingerprint"]).replace('"', "")
        })
        .collect();
    assert_eq!(
        listed,
        ["a.py key abcd", "a.py token abcd", "b.py key 00ff"]
    );
}

#[test]
fn an_empty_baseline_is_read_back() {
    let none = Baseline::from_found(&[]);
    assert!(none.is_empty());
    assert!(read(&none.to_json()).unwrap().is_empty());
}

fn check_wrong(text: &str, expected: &str) {
    let message = read(text).unwrap_err().to_string();
    assert!(
        message.contains("baseline.json") && message.contains(expected),
        "{message}"
    );
}

#[test]
fn texts_that_are_no_baselines_are_refused_without_a_quote() {
    // Assembled here, so that this file contains no secret.
    let secret = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    check_wrong(&format!("\n  {secret}"), "line 2, column 3");
    let message = read(&format!("{{\"{secret}\": 1}}"))
        .unwrap_err()
        .to_string();
    assert!(!message.contains(secret), "{message}");
    let text = Baseline::from_found(&[found("a.py", "key", "abcd")]).to_json();
    check_wrong(&text.replace("abcd", "xyz"), "finding 1");
    let start = text.find("generator\": \"").unwrap() + "generator\": \"".len();
    let other = format!("{}other {}", &text[..start], &text[start..]);
    check_wrong(&other, "generator");
}

#[test]
fn a_baseline_that_is_not_there_cannot_be_read() {
    let sandbox = Sandbox::new();
    let error = Baseline::read(&sandbox.path("no.json")).unwrap_err();
    assert!(matches!(error, BaselineError::Unreadable { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_baseline_that_is_read_back_is_the_same(findings in prop::collection::vec(("[a-z\"é]{1,6}", 0u16..4), 0..12)) {
        let all: Vec<FoundSecret> = findings
            .iter()
            .map(|(path, number)| found(path, "key", &format!("{number:04x}")))
            .collect();
        let text = Baseline::from_found(&all).to_json();
        let again = read(&text).unwrap();
        prop_assert_eq!(again.to_json(), text);
    }
}
