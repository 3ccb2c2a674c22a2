//! Checks the secrets of a run: numbers, duplicates, the gathering, and parallel use.

use loom_secrets::Confidence;
use proptest::prelude::*;

use super::*;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

/// Returns findings at the occurrences of a word.
fn findings(text: &str, word: &str) -> Vec<Finding> {
    let found = text.match_indices(word);
    let finding = |(at, _): (usize, &str)| Finding {
        span: at..at + word.len(),
        kind: "key",
        confidence: Confidence::High,
        reasons: Vec::new(),
    };
    found.map(finding).collect()
}

fn labels(plan: &[Replaced]) -> Vec<&str> {
    plan.iter().map(|one| one.label.as_str()).collect()
}

fn record(secrets: &Secrets, name: &str, text: &str, word: &str) -> Vec<Replaced> {
    let each = DuplicatePolicy::EachTime;
    secrets.record(
        SecretsMode::Redact,
        &path(name),
        each,
        text,
        &findings(text, word),
    )
}

#[test]
fn same_secret_has_the_same_number_in_all_files() {
    let secrets = Secrets::default();
    assert_eq!(
        labels(&record(&secrets, "a", "one sesame", "sesame")),
        ["[REDACTED:key:1]"]
    );
    assert_eq!(
        labels(&record(&secrets, "b", "x open", "open")),
        ["[REDACTED:key:2]"]
    );
    let both = record(&secrets, "c", "sesame and sesame", "sesame");
    assert_eq!(labels(&both), ["[REDACTED:key:1]"; 2]);
    let told: Vec<(String, Option<String>)> = secrets
        .found()
        .into_iter()
        .map(|one| (one.path, one.placeholder))
        .collect();
    let one = |name: &str, number: u32| (name.to_owned(), Some(format!("[REDACTED:key:{number}]")));
    assert_eq!(told, [one("a", 1), one("b", 2), one("c", 1), one("c", 1)]);
}

#[test]
fn mode_without_redaction_records_and_plans_nothing() {
    for mode in [SecretsMode::Warn, SecretsMode::Off, SecretsMode::Fail] {
        let secrets = Secrets::default();
        let text = "one sesame";
        let plan = secrets.record(
            mode,
            &path("a"),
            DuplicatePolicy::EachTime,
            text,
            &findings(text, "sesame"),
        );
        assert!(plan.is_empty());
        assert_eq!(secrets.found()[0].placeholder, None);
    }
}

/// A file may be read several times.
#[test]
fn repeated_secret_of_a_file_is_reported_once_on_request() {
    let secrets = Secrets::default();
    let text = "sesame sesame";
    let once = || {
        let (mode, policy) = (SecretsMode::Redact, DuplicatePolicy::Once);
        secrets
            .record(mode, &path("a"), policy, text, &findings(text, "sesame"))
            .len()
    };
    assert_eq!((once(), once()), (2, 2), "each occurrence is redacted");
    assert_eq!(secrets.found().len(), 1);
    record(&secrets, "b", text, "sesame");
    assert_eq!(secrets.found().len(), 3);
}

#[test]
fn texts_stay_unchanged_while_secrets_are_gathered() {
    let secrets = Secrets::default();
    let options = SecretsOptions::default();
    let token = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    let text = format!("log in with {token}\n");
    secrets.begin_to_gather(false);
    assert_eq!(secrets.clean(&options, &path("(log)"), text.clone()), text);
    assert_eq!(
        secrets.clean(&options, &path("(x)"), "plain\n".to_owned()),
        "plain\n"
    );
    assert!(secrets.found().is_empty());
    assert!(secrets.end_of_gathering());
    let clean = secrets.clean(&options, &path("(log)"), text);
    assert_eq!(clean, "log in with [REDACTED:github-token:1]\n");
    // A secret of one text is redacted in every other.
    let other = secrets.clean(&options, &path("(x)"), format!("{token}?"));
    assert_eq!(other, "[REDACTED:github-token:1]?");
}

#[test]
fn gathering_without_a_secret_ends_without_one() {
    let secrets = Secrets::default();
    secrets.begin_to_gather(false);
    secrets.clean(&SecretsOptions::default(), &path("a"), "plain".to_owned());
    assert!(!secrets.end_of_gathering());
    secrets.begin_to_gather(true);
    assert!(secrets.end_of_gathering(), "a file has findings");
    let mut copies = Copies::default();
    copies.add(
        "sesame-open-99",
        &findings("sesame-open-99", "sesame-open-99"),
    );
    secrets.know(&copies);
    secrets.begin_to_gather(false);
    assert!(secrets.end_of_gathering(), "a secret was known before");
}

#[test]
fn known_copies_are_added_and_shared() {
    let secrets = Secrets::default();
    let before = secrets.copies();
    assert!(before.is_empty());
    secrets.know_findings(
        "sesame-open-99",
        &findings("sesame-open-99", "sesame-open-99"),
    );
    secrets.know_findings("nothing", &[]);
    assert!(before.is_empty(), "an earlier copy stays as it was");
    assert_eq!(secrets.copies().find("uses sesame-open-99 here").len(), 1);
}

/// Files that change more often have no consistent state.
#[test]
fn number_of_repeated_collections_is_bounded() {
    let secrets = Secrets::default();
    let allowed = (0..20).filter(|_| secrets.may_relearn()).count();
    assert_eq!(allowed, MOST_RELEARNT);
}

#[test]
fn parallel_records_give_each_secret_one_number() {
    let secrets = Secrets::default();
    let words: Vec<String> = (0..20).map(|at| format!("sesame-{at:02}-open")).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (secrets, words) = (&secrets, &words);
            scope.spawn(move || {
                for word in words.iter().cycle().skip(thread * 5).take(20) {
                    record(secrets, &format!("{thread}"), word, word);
                }
            });
        }
    });
    let mut labels: Vec<String> = secrets
        .found()
        .into_iter()
        .filter_map(|one| one.placeholder)
        .collect();
    assert_eq!(labels.len(), 80);
    labels.sort();
    assert!(
        labels
            .chunks(4)
            .all(|four| four.iter().all(|label| *label == four[0]))
    );
    labels.dedup();
    assert_eq!(labels.len(), 20);
}

proptest! {
    /// The plan covers every finding, in order, and the redacted text has no secret.
    #[test]
    fn plan_hides_every_finding(words in prop::collection::vec("(sesame|[a-f]{1,4})", 0..20)) {
        let text = words.join(" ");
        let secrets = Secrets::default();
        let plan = record(&secrets, "a", &text, "sesame");
        prop_assert_eq!(plan.len(), text.matches("sesame").count());
        let clean = redact(&text, &plan);
        prop_assert!(!clean.contains("sesame"));
        prop_assert_eq!(clean, text.replace("sesame", "[REDACTED:key:1]"));
    }
}
