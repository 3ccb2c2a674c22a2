//! Only secrets of the output are reported and refused: a budget and compression skip others.

use loom_host::{
    Cancel, Compression, Format, Level, NoProgress, PackError, PackOptions, PackRun, Packer,
    SecretsMode, SecretsOptions, ShortenOptions, Survey,
};
use loom_testkit::Sandbox;

use crate::fixture::{other_password, packer, password, paths, survey, write};

fn mode(mode: SecretsMode) -> PackOptions {
    PackOptions {
        format: Format::Json,
        secrets: SecretsOptions::new(mode),
        ..PackOptions::default()
    }
}

fn survey_within(packer: &Packer, budget: Option<usize>) -> Result<Survey, PackError> {
    PackRun::new(packer, &NoProgress, &Cancel::new()).survey_within(budget)
}

/// A file of data with a password, which a small budget skips.
fn with_skipped_secret() -> Sandbox {
    let sandbox = Sandbox::new();
    let rows = "x: 1\n".repeat(5_000);
    sandbox
        .write("README.md", "# Demo\n\nA demo of packs.\n")
        .write("data.yaml", format!("{rows}password: {}\n", password()));
    sandbox
}

#[test]
fn secrets_of_files_that_the_budget_skips_are_not_reported() {
    let sandbox = with_skipped_secret();
    for (name, all) in [("redact", 1), ("warn", 1), ("off", 0)] {
        let packer = packer(&sandbox, mode(SecretsMode::from_name(name).unwrap()));
        for (budget, findings) in [(None, all), (Some(1_000), 0)] {
            let survey = survey_within(&packer, budget).unwrap();
            assert_eq!(survey.secrets.len(), findings, "{name} {budget:?}");
            write(&packer, &survey);
            assert_eq!(survey.found_secrets().len(), findings, "{name} {budget:?}");
        }
    }
}

#[test]
fn mode_fail_refuses_only_secrets_of_the_output() {
    let sandbox = with_skipped_secret();
    let packer = packer(&sandbox, mode(SecretsMode::Fail));
    let within = |budget| survey_within(&packer, budget);
    assert!(matches!(within(None), Err(PackError::Secrets { found }) if found.len() == 1));
    let survey = within(Some(1_000)).unwrap();
    let (text, _) = write(&packer, &survey);
    assert!(!text.contains(&password()), "{text}");
    // The first lines are there, and the password is in a later one.
    assert_eq!(paths(&survey), ["README.md", "data.yaml"]);
}

#[test]
fn secret_in_a_patch_of_a_skipped_file_is_reported() {
    let sandbox = with_skipped_secret();
    sandbox.commit_all();
    let rows = "x: 1\n".repeat(5_000);
    sandbox.write("data.yaml", format!("{rows}old_password: {}\n", password()));
    for (diff, findings) in [(false, 0), (true, 1)] {
        let mut options = mode(SecretsMode::Redact);
        options.history.diff = diff;
        let packer = packer(&sandbox, options);
        let survey = survey_within(&packer, Some(1_000));
        assert_eq!(survey.unwrap().secrets.len(), findings, "{diff}");
    }
}

#[test]
fn secret_in_an_elided_body_is_not_reported() {
    let sandbox = Sandbox::new();
    let body = "    work()\n".repeat(30);
    let text = format!(
        "PASSWORD = \"{}\"\n\n\ndef run():\n{body}    db_password = \"{}\"\n",
        password(),
        other_password()
    );
    sandbox.write("a.py", text);
    let mut options = mode(SecretsMode::Redact);
    options.shorten = ShortenOptions::new(Compression::at(Level::Aggressive));
    let survey = survey(&packer(&sandbox, options));
    let lines: Vec<usize> = survey.secrets.iter().map(|one| one.line).collect();
    assert_eq!(lines, [1]);
}
