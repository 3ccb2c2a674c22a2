//! Redaction in packs: modes, numbers, copies, credential files, paths and messages.

use std::num::NonZero;

use loom_host::{
    Baseline, Cancel, Confidence, FilterKind, Format, Guidance, MessageRedactor, NoProgress,
    PackError, PackOptions, PackRun, Packer, ScanOptions, SecretsMode, SecretsOptions,
    SecretsScope, Source, SourceFiles, count,
};
use loom_testkit::Sandbox;
use proptest::prelude::*;

use crate::fixture::{
    cached, files_of, filters, other_password, pack, packer, password, paths, reasons, survey,
    token, write,
};

fn json(secrets: SecretsOptions) -> PackOptions {
    PackOptions {
        format: Format::Json,
        secrets,
        ..PackOptions::default()
    }
}

fn mode(mode: SecretsMode) -> PackOptions {
    json(SecretsOptions::new(mode))
}

#[test]
fn mode_decides_about_text_and_findings() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox.write("a.yaml", format!("password: {password}\n"));
    for (name, is_shown, findings) in [("redact", false, 1), ("warn", true, 1), ("off", true, 0)] {
        let options = mode(SecretsMode::from_name(name).unwrap());
        let packer = packer(&sandbox, options);
        let survey = survey(&packer);
        let (text, _) = write(&packer, &survey);
        assert_eq!(text.contains(&password), is_shown, "{name}");
        assert_eq!(survey.secrets.len(), findings, "{name}");
        let placeholder = survey
            .secrets
            .first()
            .and_then(|one| one.placeholder.clone());
        let expected = (name == "redact").then(|| "[REDACTED:password:1]".to_owned());
        assert_eq!(placeholder, expected, "{name}");
    }
    let packer = packer(&sandbox, mode(SecretsMode::Fail));
    let Err(PackError::Secrets { found }) =
        PackRun::new(&packer, &NoProgress, &Cancel::new()).survey()
    else {
        panic!("the mode refuses secrets");
    };
    assert_eq!(
        (found[0].path.as_str(), found[0].line, found[0].column),
        ("a.yaml", 1, 11)
    );
}

#[test]
fn modes_have_names() {
    for name in ["redact", "fail", "warn", "off"] {
        assert_eq!(SecretsMode::from_name(name).unwrap().name(), name);
    }
    assert_eq!(SecretsMode::from_name("maybe"), None);
}

#[test]
fn redacted_file_is_counted_and_noted_as_it_is_shown() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", format!("user: x\npassword: {}\n", password()));
    let options = mode(SecretsMode::Redact);
    let survey = survey(&packer(&sandbox, options.clone()));
    let shown = "user: x\npassword: [REDACTED:password:1]\n";
    let file = survey.files().next().unwrap();
    assert_eq!(file.note().as_deref(), Some("1 secret redacted"));
    assert_eq!((file.bytes, file.lines), (shown.len(), 2));
    assert_eq!(file.tokens, count(shown, &options.model).likely());
    assert_eq!(survey.overview.tokens, file.tokens);
}

/// Found by its name in one text, a secret is redacted in all, also in those read before.
#[test]
fn secret_of_one_file_is_redacted_in_all() {
    let sandbox = Sandbox::new();
    let (one, two) = (password(), other_password());
    sandbox
        .write("a.txt", format!("we saw {one} there\n"))
        .write(
            "b/config.yaml",
            format!("password: {one}\nold_password: {two}\n"),
        )
        .write("c.txt", format!("{two} and {one} again\n"));
    for max_memory in [1, PackOptions::MAX_MEMORY] {
        let options = PackOptions {
            max_memory,
            ..mode(SecretsMode::Redact)
        };
        let files = files_of(&pack(&sandbox, options));
        assert_eq!(files["a.txt"], "we saw [REDACTED:password:1] there\n");
        assert_eq!(
            files["b/config.yaml"],
            "password: [REDACTED:password:1]\nold_password: [REDACTED:password:2]\n"
        );
        assert_eq!(
            files["c.txt"],
            "[REDACTED:password:2] and [REDACTED:password:1] again\n"
        );
    }
}

#[test]
fn placeholders_are_numbered_in_the_order_of_the_files() {
    let sandbox = Sandbox::new();
    for at in 0..30 {
        let secret = format!("{}{at:02}", password());
        sandbox.write(format!("{at:02}.yaml"), format!("password: {secret}\n"));
    }
    for threads in [1, 8] {
        let options = PackOptions {
            threads: NonZero::new(threads),
            ..mode(SecretsMode::Redact)
        };
        for (at, text) in files_of(&pack(&sandbox, options)).into_values().enumerate() {
            assert_eq!(text, format!("password: [REDACTED:password:{}]\n", at + 1));
        }
    }
}

#[test]
fn secret_that_contains_another_hides_both() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write(
            ".env",
            format!("A_PASSWORD={password}\nB_PASSWORD={password}-prod\n"),
        )
        .write("note.py", format!("# uses {password}-prod2 here\n"));
    let files = files_of(&pack(&sandbox, mode(SecretsMode::Redact)));
    assert!(
        files.values().all(|text| !text.contains(&password)),
        "{files:?}"
    );
}

/// A file that ignore rules skip teaches its secrets, and its text is never shown.
#[test]
fn ignored_credential_file_teaches_its_secrets() {
    let password = password();
    let comments = "# a comment\n".repeat(1 << 17);
    for text in [
        format!("DB_PASSWORD={password}\n"),
        format!("{comments}DB_PASSWORD={password}\n"),
        format!("\0\nDB_PASSWORD={password}\n"),
    ] {
        let sandbox = Sandbox::new();
        sandbox
            .write(".gitignore", ".env*\n")
            .write("src/note.py", format!("# handshake uses {password} here\n"))
            .write(".env", text)
            .git(&["init", "-q"]);
        for folder in ["", "src"] {
            let options = PackOptions {
                format: Format::Plain,
                ..PackOptions::default()
            };
            let packer = Packer::open(&[sandbox.path(folder)], options).unwrap();
            let (text, _) = write(&packer, &survey(&packer));
            assert!(
                text.contains("# handshake uses [REDACTED:password:1] here"),
                "{text}"
            );
            assert!(!text.contains("DB_PASSWORD"), "{text}");
        }
    }
}

#[test]
fn credential_file_that_cannot_be_read_is_a_warning() {
    let sandbox = Sandbox::new();
    let large = format!("DB_PASSWORD={}\n{}", password(), "#\n".repeat(17 << 20));
    sandbox
        .write(".gitignore", ".env*\n")
        .write("a.py", "x = 1\n")
        .write(".env.local", large)
        .git(&["init", "-q"]);
    let survey = survey(&packer(&sandbox, PackOptions::default()));
    let warning = "copies of secrets in .env.local are not redacted: ";
    assert!(
        survey.warnings.iter().any(|one| one.starts_with(warning)),
        "{:?}",
        survey.warnings
    );
}

#[test]
fn file_that_holds_one_value_teaches_it() {
    let hash = "$apr1$x1mKq0aB$Vq3v8YbZr0u1c2d3e4f5g0";
    for (path, text, value) in [
        (
            "secrets/db_password.txt",
            "blue-tram-4417\n",
            "blue-tram-4417",
        ),
        (".vault_pass", "hunter2secret99\n", "hunter2secret99"),
        ("api_token", "tok-acme-0042-live\n", "tok-acme-0042-live"),
        ("ci/deploy.token", "k3j9-aa71-zz02", "k3j9-aa71-zz02"),
        ("run/secrets/smtp", "mail-0042-live", "mail-0042-live"),
        (".pgpass", "db:5432:*:joe:pg-0042-pass\n", "pg-0042-pass"),
        ("nginx/htpasswd-admin", &format!("joe:{hash}\n"), hash),
    ] {
        for ignored in ["", path] {
            let sandbox = Sandbox::new();
            sandbox
                .write(path, text)
                .write(".gitignore", format!("{ignored}\n"))
                .write("pay.py", format!("# pay with {value}\n"))
                .commit_all();
            let text = pack(&sandbox, PackOptions::default());
            assert!(
                !text.contains(value) && text.contains("# pay with [REDACTED:"),
                "{path}: {text}"
            );
        }
    }
}

/// Secrets of the main work tree are known in a linked one, unless only the roots may be read.
#[test]
fn scope_decides_about_the_main_work_tree() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write("main/.gitignore", ".env\n")
        .write("main/note.py", format!("# handshake uses {password}\n"))
        .git_in("main", &["init", "-q", "-b", "main"])
        .git_in("main", &["add", "-A"])
        .git_in("main", &["commit", "-qm", "all"])
        .git_in("main", &["worktree", "add", "-q", "../tree"])
        .write("main/.env", format!("LEDGER_PASSWORD={password}\n"));
    for (scope, is_shown) in [(SecretsScope::WorkTree, false), (SecretsScope::Roots, true)] {
        let mut secrets = SecretsOptions::default();
        secrets.scope = scope;
        let packer = Packer::open(&[sandbox.path("tree")], json(secrets)).unwrap();
        let (text, _) = write(&packer, &survey(&packer));
        assert_eq!(text.contains(&password), is_shown, "{scope:?}");
        let listed = SourceFiles::list(&packer);
        let is_taught = listed.teaching().any(|file| file.path.display() == ".env");
        assert_eq!(is_taught, !is_shown);
    }
}

#[test]
fn excluded_file_still_teaches_its_secrets() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write("config.yaml", format!("password: {password}\n"))
        .write("a.txt", format!("we saw {password}\n"));
    let options = PackOptions {
        scan: ScanOptions {
            filters: filters(FilterKind::Exclude, &["*.yaml"]),
            ..ScanOptions::default()
        },
        ..mode(SecretsMode::Redact)
    };
    let files = files_of(&pack(&sandbox, options));
    assert_eq!(files.len(), 1);
    assert_eq!(files["a.txt"], "we saw [REDACTED:password:1]\n");
}

/// A size limit must never turn off redaction.
#[test]
fn file_above_the_size_limit_still_teaches_its_secrets() {
    let sandbox = Sandbox::new();
    let password = password();
    let large = format!("password: {password}\n{}", "# more\n".repeat(500));
    sandbox
        .write("large.yaml", large)
        .write("a.txt", format!("we saw {password}\n"));
    for options in [mode(SecretsMode::Redact), cached(&sandbox)] {
        let options = PackOptions {
            format: Format::Json,
            max_file_size: 1_000,
            ..options
        };
        for _ in 0..2 {
            let packer = packer(&sandbox, options.clone());
            let survey = survey(&packer);
            assert_eq!(reasons(&survey.left_out), ["large.yaml: too-large"]);
            let files = files_of(&write(&packer, &survey).0);
            assert_eq!(files["a.txt"], "we saw [REDACTED:password:1]\n");
        }
    }
}

#[test]
fn secrets_in_the_guidance_are_redacted_and_known() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox.write("a.txt", format!("we saw {password}\n"));
    let options = PackOptions {
        guidance: Guidance::NONE.with_header(&format!("the password: \"{password}\"")),
        format: Format::Plain,
        ..PackOptions::default()
    };
    let text = pack(&sandbox, options);
    assert!(!text.contains(&password), "{text}");
    assert!(text.contains("we saw [REDACTED:password:1]"), "{text}");
}

#[test]
fn allowed_files_and_lines_and_baselines_are_not_redacted() {
    let sandbox = Sandbox::new();
    let (one, two) = (password(), other_password());
    sandbox
        .write("a.yaml", format!("password: {one} # infiniloom:allow\n"))
        .write("test/b.yaml", format!("password: {two}\n"));
    let found = survey(&packer(&sandbox, mode(SecretsMode::Warn))).secrets;
    assert_eq!(found.len(), 1);
    let allowing = SecretsOptions::default()
        .allowing(&["test/**".to_owned()])
        .unwrap();
    let known = SecretsOptions::default().with_baseline(&Baseline::from_found(&found));
    for secrets in [allowing, known] {
        let text = pack(&sandbox, json(secrets));
        assert!(text.contains(&one) && text.contains(&two), "{text}");
    }
    assert!(
        SecretsOptions::default()
            .allowing(&["[".to_owned()])
            .is_err()
    );
}

#[test]
fn confidence_decides_about_uncertain_findings() {
    let sandbox = Sandbox::new();
    sandbox.write("test/b.yaml", format!("password: {}\n", other_password()));
    let found = |least: Confidence| {
        let secrets = SecretsOptions::new(SecretsMode::Warn).with_min_confidence(least);
        survey(&packer(&sandbox, json(secrets))).secrets.len()
    };
    assert!(found(Confidence::Low) >= found(Confidence::Medium));
    assert!(found(Confidence::Medium) >= found(Confidence::High));
    assert_eq!(found(Confidence::Low), 1);
}

#[test]
fn paths_with_secrets_are_redacted_in_files_skipped_paths_and_warnings() {
    let sandbox = Sandbox::new();
    let token = token();
    sandbox
        .write(format!("keys/{token}/c.py"), "x = 1\n")
        .write(format!("{token}.bin"), "\0")
        .write(format!("{token}/.gitignore"), "b".repeat(2 << 20))
        .write(format!("{token}/a.py"), "y = 1\n")
        .commit_all();
    let packer = packer(&sandbox, cached(&sandbox));
    for _ in 0..2 {
        let survey = survey(&packer);
        let (text, _) = write(&packer, &survey);
        assert!(!text.contains(&token), "{text}");
        let shown = paths(&survey);
        assert!(
            shown.contains(&"keys/[REDACTED:github-token:1]/c.py".to_owned()),
            "{shown:?}"
        );
        assert!(shown.is_sorted(), "{shown:?}");
        assert_eq!(
            reasons(&survey.left_out)[0],
            "[REDACTED:github-token:1].bin: binary"
        );
        assert!(
            !format!("{:?}", survey.warnings).contains(&token),
            "{:?}",
            survey.warnings
        );
        assert!(!survey.warnings.is_empty());
    }
}

#[test]
fn messages_about_a_tree_are_redacted() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write(".gitignore", ".env\n")
        .write(".env", format!("PASSWORD={password}\n"));
    sandbox.git(&["init", "-q"]);
    let redacted = |options: PackOptions| {
        let redactor = MessageRedactor::learn(&packer(&sandbox, options), &Cancel::new()).unwrap();
        let mut messages = vec![format!("no {password}\nhere"), "plain\nwords".to_owned()];
        redactor.redact(messages.iter_mut());
        messages
    };
    assert_eq!(
        redacted(mode(SecretsMode::Redact)),
        ["no [REDACTED:password:1] here", "plain\nwords"]
    );
    assert_eq!(
        redacted(mode(SecretsMode::Warn))[0],
        format!("no {password}\nhere")
    );
}

#[test]
fn commit_is_redacted_by_its_own_files() {
    let sandbox = Sandbox::new();
    let password = password();
    sandbox
        .write("config.yaml", format!("password: {password}\n"))
        .write("a.txt", format!("we saw {password}\n"))
        .commit_all();
    sandbox.write("config.yaml", "password: none\n");
    let source = Source::open_revision(&[sandbox.work()], "HEAD").unwrap();
    let packer = Packer::new(source, mode(SecretsMode::Redact));
    let files = files_of(&write(&packer, &survey(&packer)).0);
    assert_eq!(files["a.txt"], "we saw [REDACTED:password:1]\n");
}

/// A file that changes after the survey is scanned again, with the secrets of all files.
#[test]
fn changed_file_is_redacted_when_it_is_written() {
    let sandbox = Sandbox::new();
    let (one, two) = (password(), other_password());
    sandbox
        .write("a.txt", "nothing\n")
        .write("b.yaml", format!("password: {one}\n"));
    let options = PackOptions {
        keeps_text: false,
        ..mode(SecretsMode::Redact)
    };
    let packer = packer(&sandbox, options);
    let survey = survey(&packer);
    sandbox.write("a.txt", format!("now {one} and {two}\n"));
    sandbox.write("b.yaml", format!("password: {one}\nnew_password: {two}\n"));
    let (text, written) = write(&packer, &survey);
    assert_eq!(written.changed, ["a.txt", "b.yaml"]);
    assert!(!text.contains(&one) && !text.contains(&two), "{text}");
    assert_eq!(
        survey.found_secrets().len(),
        4,
        "{:?}",
        survey.found_secrets()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Wherever a known secret stands, it is in no output, and the rest of the text stays.
    #[test]
    fn known_secret_is_nowhere(texts in prop::collection::vec("[a-z \n]{0,30}", 1..6), format in 0usize..6) {
        let sandbox = Sandbox::new();
        let password = password();
        sandbox.write("z.yaml", format!("password: {password}\n"));
        for (at, text) in texts.iter().enumerate() {
            sandbox.write(format!("{at}.txt"), format!("{text}<{password}>{text}"));
        }
        let options = PackOptions { format: Format::ALL[format].1, ..PackOptions::default() };
        let text = pack(&sandbox, options);
        prop_assert!(!text.contains(&password));
        prop_assert_eq!(text.matches("REDACTED:password:1]").count(), texts.len() + 1);
    }
}
