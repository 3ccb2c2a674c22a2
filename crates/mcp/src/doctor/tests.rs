//! Diagnoses of configuration files, up to the point where a server would be started.

use std::os::unix::fs::PermissionsExt;

use infiniloom::Infiniloom;
use loom_testkit::Sandbox;

use super::*;
use crate::clients::System;

/// The project of a sandbox, with the user's files below `home`.
fn doctor(sandbox: &Sandbox) -> Doctor {
    let program = sandbox.path("bin/infiniloom");
    sandbox.write("bin/infiniloom", "#!/bin/sh\nexit 3\n");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::create_dir_all(sandbox.path("project")).unwrap();
    Doctor {
        places: Places::under(&sandbox.path("home"), System::Linux),
        folder: sandbox.path("project"),
        opener: Arc::new(|path| Infiniloom::new().open(path)),
        program,
        version: "1".to_owned(),
        roots_in: Arc::new(|args| match args.iter().any(|word| word == "--wrong") {
            true => Err("unexpected argument".to_owned()),
            false => Ok(args[1..].iter().map(PathBuf::from).collect()),
        }),
    }
}

fn cursor() -> &'static Client {
    Client::named("cursor").unwrap()
}

/// Writes an entry for Cursor that starts `command` with `args`.
fn entry(sandbox: &Sandbox, file: &str, command: &str, args: &[&str]) {
    let args: Vec<String> = args.iter().map(|&word| word.to_owned()).collect();
    let text = cursor().installed("{}", command, &args).unwrap();
    sandbox.write(file, text);
}

const USER: &str = "home/.cursor/mcp.json";
const PROJECT: &str = "project/.cursor/mcp.json";

/// The subjects and outcomes of the checks of Cursor.
fn outcomes(checks: &[Check]) -> Vec<(&'static str, Outcome)> {
    assert!(checks.iter().all(|check| check.client == Some("cursor")));
    checks
        .iter()
        .map(|check| (check.subject, check.outcome))
        .collect()
}

use Outcome::{Note, Well, Wrong};

#[test]
fn without_any_entry_the_advice_is_to_install() {
    let sandbox = Sandbox::new();
    let checks = doctor(&sandbox).examine(&[]);
    let [check] = &checks[..] else {
        panic!("{checks:?}");
    };
    assert_eq!((check.client, check.outcome), (None, Wrong));
    let advice = check.advice.as_deref().unwrap();
    assert!(advice.starts_with("infiniloom mcp install"), "{advice}");
}

#[test]
fn named_client_without_an_entry_is_told_its_files() {
    let sandbox = Sandbox::new();
    let checks = doctor(&sandbox).examine(&[cursor()]);
    assert_eq!(outcomes(&checks), [("configuration", Wrong)]);
    for file in ["home/.cursor/mcp.json", "project/.cursor/mcp.json"] {
        assert!(checks[0].found.contains(file), "{checks:?}");
    }
    let advice = checks[0].advice.as_deref();
    assert_eq!(advice, Some("infiniloom mcp install --client cursor"));
}

#[test]
fn unreadable_file_is_named_and_ends_the_diagnosis() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    sandbox.write(USER, "{ broken");
    let checks = doctor.examine(&[]);
    assert_eq!(outcomes(&checks), [("configuration", Wrong)]);
    assert!(checks[0].found.contains(USER), "{checks:?}");
}

#[test]
fn file_without_the_server_is_no_setup() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    sandbox.write(USER, r#"{"mcpServers": {"other": {"command": "x"}}}"#);
    let checks = doctor.examine(&[cursor()]);
    assert_eq!(outcomes(&checks), [("configuration", Wrong)]);
    assert!(checks[0].found.starts_with("no infiniloom in"));
}

#[test]
fn entry_without_a_command_is_wrong() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    sandbox.write(USER, r#"{"mcpServers": {"infiniloom": {"args": []}}}"#);
    let checks = doctor.examine(&[]);
    assert_eq!(
        outcomes(&checks),
        [("configuration", Well), ("command", Wrong)]
    );
    assert_eq!(checks[1].found, "the entry names no command");
}

#[test]
fn command_that_cannot_be_run_is_wrong() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    sandbox.write("plain.txt", "no program\n");
    let plain = sandbox.path("plain.txt");
    for command in ["/nowhere/infiniloom", plain.to_str().unwrap()] {
        entry(&sandbox, USER, command, &["mcp"]);
        let checks = doctor.examine(&[]);
        let expected = format!("{command} is not there or cannot be run");
        assert_eq!(checks[1].found, expected);
        assert_eq!(checks.len(), 2, "nothing is started: {checks:?}");
    }
}

#[test]
fn program_is_found_on_the_path_of_the_entry() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    let bin = sandbox.path("bin").display().to_string();
    let path = vec![("PATH".to_owned(), format!("/nowhere:{bin}"))];
    assert_eq!(on_path("infiniloom", &path), Some(doctor.program));
    let other = vec![("PATH".to_owned(), "/nowhere".to_owned())];
    assert_eq!(on_path("infiniloom", &other), None);
    assert_eq!(on_path("./nowhere/infiniloom", &path), None);
}

#[test]
fn arguments_that_the_server_refuses_are_wrong() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    let program = doctor.program.display().to_string();
    entry(&sandbox, USER, &program, &["mcp", "--wrong"]);
    let checks = doctor.examine(&[]);
    let last = checks.last().unwrap();
    assert_eq!((last.subject, last.outcome), ("command", Wrong));
    assert_eq!(last.found, "unexpected argument");
}

/// The program ends without an answer: the other checks are made nevertheless.
#[test]
fn folders_of_an_entry_are_checked_and_their_index_is_counted() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    sandbox.write("project/app/a.py", "one = 1\n");
    let program = doctor.program.display().to_string();
    entry(&sandbox, USER, &program, &["mcp", "app", "gone"]);
    let checks = doctor.examine(&[]);
    assert_eq!(
        outcomes(&checks),
        [
            ("configuration", Well),
            ("command", Well),
            ("root", Well),
            ("root", Wrong),
            ("answer", Wrong),
            ("index", Note),
        ]
    );
    assert!(checks[3].found.starts_with("gone: "), "{checks:?}");
    assert!(checks[4].found.starts_with("it ended"), "{checks:?}");
    // This engine has no cache.
    assert!(checks[5].found.contains("nothing is remembered"));
}

#[test]
fn client_that_starts_servers_nowhere_needs_a_folder() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    let client = Client::named("claude-desktop").unwrap();
    let program = doctor.program.display().to_string();
    let text = client.installed("{}", &program, &["mcp".to_owned()]);
    let file = client.file(Scope::User, &doctor.places, &doctor.folder);
    let file = file.unwrap();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text.unwrap()).unwrap();
    let checks = doctor.examine(&[]);
    let roots = checks.iter().find(|check| check.subject == "roots");
    let advice = roots.unwrap().advice.as_deref().unwrap();
    assert!(advice.ends_with("--root FOLDER"), "{advice}");
}

/// A repository may name any program: it must not be run by a diagnosis.
#[test]
fn program_that_a_project_names_is_not_started() {
    let sandbox = Sandbox::new();
    let doctor = doctor(&sandbox);
    sandbox.write("evil", "#!/bin/sh\ntouch started\n");
    let evil = sandbox.path("evil");
    std::fs::set_permissions(&evil, PermissionsExt::from_mode(0o755)).unwrap();
    let program = doctor.program.display().to_string();
    let evil = evil.display().to_string();
    for (command, args) in [
        (&evil, &["mcp"][..]),
        (&program, &["mcp", "--output", "file"]),
        (&program, &["pack"]),
    ] {
        entry(&sandbox, PROJECT, command, args);
        let checks = doctor.examine(&[]);
        let last = checks.last().unwrap();
        assert_eq!((last.subject, last.outcome), ("answer", Note), "{last:?}");
        assert!(last.found.starts_with("not started"), "{last:?}");
    }
    assert!(!sandbox.path("project/started").exists());
    // The same entry of the user is started.
    std::fs::remove_file(sandbox.path(PROJECT)).unwrap();
    entry(&sandbox, USER, &evil, &["mcp"]);
    doctor.examine(&[]);
    assert!(sandbox.path("project/started").exists());
}

#[test]
fn only_folders_after_mcp_make_a_plain_server() {
    let words = |words: &[&str]| -> Vec<String> {
        let words = words.iter().map(|&word| word.to_owned());
        words.collect()
    };
    assert!(is_server(&words(&["mcp"])));
    assert!(is_server(&words(&["mcp", "a", "b c"])));
    assert!(!is_server(&words(&["mcp", "a", "--http=0.0.0.0:1"])));
    assert!(!is_server(&words(&["index"])));
    assert!(!is_server(&[]));
}
