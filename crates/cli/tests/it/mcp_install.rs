//! `infiniloom mcp install`, `uninstall` and `doctor`, in a separate home.

use loom_testkit::{Run, Sandbox};
use serde_json::Value;

use crate::packed::BINARY;

pub(crate) fn mcp(sandbox: &Sandbox, args: &[&str]) -> Run {
    let args: Vec<&str> = std::iter::once("mcp").chain(args.iter().copied()).collect();
    sandbox.run(BINARY, &args)
}

pub(crate) fn home_file(sandbox: &Sandbox, path: &str) -> std::path::PathBuf {
    sandbox.home().join(path)
}

pub(crate) fn put(sandbox: &Sandbox, path: &str, text: &str) {
    let path = home_file(sandbox, path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Clients, their files below the home, and the contents of the files.
const FILES: &[(&str, &str, &str)] = &[
    (
        "claude-code",
        ".claude.json",
        "{\n  \"numStartups\": 3,\n  \"mcpServers\": {}\n}\n",
    ),
    (
        "claude-desktop",
        ".config/Claude/claude_desktop_config.json",
        "{}",
    ),
    (
        "codex",
        ".codex/config.toml",
        "model = \"x\" # mine\n\n[mcp_servers.a]\ncommand = 'a'",
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        "{\"mcpServers\":{\"a\":{\"command\":\"a\"}}}",
    ),
    (
        "gemini",
        ".gemini/settings.json",
        "{\r\n\t\"theme\": \"x\"\r\n}\r\n",
    ),
    ("opencode", ".config/opencode/opencode.json", "{ }\n"),
    (
        "vscode",
        ".config/Code/User/mcp.json",
        "// mine\n{\n\t\"servers\": {\n\t\t\"a\": {}, // a\n\t},\n}\n",
    ),
    ("windsurf", ".codeium/windsurf/mcp_config.json", ""),
    (
        "zed",
        ".config/zed/settings.json",
        "// Zed\n{\n  \"theme\": \"x\", // t\n}\n",
    ),
];

#[test]
fn a_server_comes_once_and_goes_without_a_trace() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "x = 1\n");
    let root = sandbox.path(".");
    let root = root.to_str().unwrap();
    for (client, file, old) in FILES.iter().copied() {
        put(&sandbox, file, old);
        let folder = home_file(&sandbox, file).parent().unwrap().to_owned();
        let before = names(&folder);
        let args = ["install", "--client", client, "--root", root];
        mcp(&sandbox, &[&args[..], &["--dry-run"]].concat()).ok();
        assert_eq!(
            std::fs::read_to_string(home_file(&sandbox, file)).unwrap(),
            old,
            "{client}"
        );
        let refused = mcp(&sandbox, &args);
        assert_eq!(refused.code, 2, "{client}: nobody was asked");
        let yes = [&args[..], &["--yes"]].concat();
        mcp(&sandbox, &yes).ok();
        let new = std::fs::read_to_string(home_file(&sandbox, file)).unwrap();
        assert!(new.contains("infiniloom") && new != old, "{client}: {new}");
        let again = mcp(&sandbox, &yes);
        assert!(again.text().is_empty() && again.code == 0);
        assert_eq!(
            std::fs::read_to_string(home_file(&sandbox, file)).unwrap(),
            new
        );
        mcp(&sandbox, &["uninstall", "--client", client, "--yes"]).ok();
        assert_eq!(
            std::fs::read_to_string(home_file(&sandbox, file)).unwrap(),
            old,
            "{client}"
        );
        assert_eq!(names(&folder), before, "{client}");
    }
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    let sandbox = Sandbox::new();
    mcp(
        &sandbox,
        &[
            "install", "--client", "cursor", "--scope", "project", "--yes",
        ],
    )
    .ok();
    let text = sandbox.read(".cursor/mcp.json");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["mcpServers"]["infiniloom"]["command"], "infiniloom");
    mcp(
        &sandbox,
        &[
            "uninstall",
            "--client",
            "cursor",
            "--scope",
            "project",
            "--yes",
        ],
    )
    .ok();
    assert!(!sandbox.path(".cursor/mcp.json").exists());
}

/// `uninstall` deletes only files that an installation is known to have created.
#[test]
fn a_file_that_was_there_before_never_goes() {
    let sandbox = Sandbox::new();
    let file = ".cursor/mcp.json";
    let run = |verb: &str| mcp(&sandbox, &[verb, "--client", "cursor", "--yes"]).ok();
    let read = || std::fs::read_to_string(home_file(&sandbox, file));
    let remove =
        |ending: &str| std::fs::remove_file(home_file(&sandbox, &format!("{file}{ending}")));
    // The backup is missing.
    put(&sandbox, file, "{}");
    run("install");
    remove(".before-infiniloom").unwrap();
    run("uninstall");
    assert!(!read().unwrap().contains("infiniloom"));
    remove("").unwrap();
    // The installation created the file, and the user replaced it.
    run("install");
    remove("").unwrap();
    put(&sandbox, file, "{ }");
    run("install");
    run("uninstall");
    assert_eq!(read().unwrap(), "{ }");
    remove("").unwrap();
    // An old backup does not belong to a newly created file.
    put(
        &sandbox,
        &format!("{file}.before-infiniloom"),
        "{\"old\": 1}",
    );
    run("install");
    assert!(!read().unwrap().contains("old"));
    run("uninstall");
    assert!(read().is_err());
    let folder = home_file(&sandbox, ".cursor");
    assert_eq!(names(&folder), ["mcp.json.before-infiniloom"]);
}

#[test]
fn what_is_wrong_is_told_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    put(&sandbox, ".cursor/mcp.json", "{\n  \"mcpServers\": [\n}\n");
    let refused = mcp(&sandbox, &["install", "--client", "cursor", "--yes"]);
    assert_eq!(refused.code, 2);
    let told = refused.stderr;
    assert!(told.contains("mcp.json: line 3, column 1"), "{told}");
    assert_eq!(names(&sandbox.home().join(".cursor")), ["mcp.json"]);
    let desktop = mcp(
        &sandbox,
        &["install", "--client", "claude-desktop", "--yes"],
    );
    assert!(desktop.stderr.contains("--root"), "{}", desktop.stderr);
    let zed = mcp(
        &sandbox,
        &["install", "--client", "zed", "--scope", "project", "--yes"],
    );
    assert!(zed.stderr.contains("no configuration for a project"));
}

#[test]
fn what_is_shown_holds_no_secret_of_others() {
    let sandbox = Sandbox::new();
    let old = "{\"mcpServers\":{\"a\":{\"env\":{\"KEY\":\"Tq8vZr2LmX4wKp\"}}}}";
    put(&sandbox, ".cursor/mcp.json", old);
    let shown = mcp(&sandbox, &["install", "--client", "cursor", "--dry-run"]).ok();
    assert!(
        shown.contains("\"infiniloom\"") && !shown.contains("Tq8vZr2LmX4wKp"),
        "{shown}"
    );
}

#[cfg(unix)]
#[test]
fn links_and_modes_stay() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let sandbox = Sandbox::new();
    put(&sandbox, "dotfiles/cursor.json", "{}\n");
    let real = home_file(&sandbox, "dotfiles/cursor.json");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    let link = home_file(&sandbox, ".cursor/mcp.json");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&real, &link).unwrap();
    mcp(&sandbox, &["install", "--client", "cursor", "--yes"]).ok();
    assert!(link.is_symlink());
    assert!(
        std::fs::read_to_string(&real)
            .unwrap()
            .contains("infiniloom")
    );
    assert_eq!(real.metadata().unwrap().mode() & 0o777, 0o600);
    let copy = home_file(&sandbox, ".cursor/mcp.json.before-infiniloom");
    assert_eq!(copy.metadata().unwrap().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), "{}\n");
    mcp(&sandbox, &["uninstall", "--client", "cursor", "--yes"]).ok();
    assert!(link.is_symlink() && !copy.exists());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "{}\n");
    std::fs::remove_file(&real).unwrap();
    let refused = mcp(&sandbox, &["install", "--client", "cursor", "--yes"]);
    assert!(refused.stderr.contains("a link that leads nowhere"));
}

#[test]
fn a_doctor_says_what_to_do() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "x = 1\n");
    let nothing = mcp(&sandbox, &["doctor"]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.text().contains("do: infiniloom mcp install"));
    mcp(
        &sandbox,
        &["install", "--client", "cursor", "--root", ".", "--yes"],
    )
    .ok();
    let told = mcp(&sandbox, &["doctor", "--format", "json"]);
    let value: Value = serde_json::from_str(&told.ok()).unwrap();
    assert_eq!(value["ok"], true);
    let subjects: Vec<&str> = value["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["subject"].as_str().unwrap())
        .collect();
    assert_eq!(
        subjects,
        ["configuration", "command", "root", "answer", "index"]
    );
    assert!(
        value["checks"][3]["found"]
            .as_str()
            .unwrap()
            .contains("6 tools")
    );
    // A missing command, an unreadable file, and a client without the server.
    put(
        &sandbox,
        ".cursor/mcp.json",
        "{\"mcpServers\":{\"infiniloom\":{\"command\":\"/not/there\"}}}",
    );
    put(&sandbox, ".gemini/settings.json", "{");
    let told = mcp(&sandbox, &["doctor"]);
    assert_eq!(told.code, 1);
    let text = told.text();
    assert!(text.contains("wrong cursor command: /not/there"), "{text}");
    assert!(text.contains("wrong gemini configuration"), "{text}");
    let zed = mcp(&sandbox, &["doctor", "--client", "zed"]);
    assert!(
        zed.text()
            .contains("do: infiniloom mcp install --client zed")
    );
}

#[cfg(unix)]
#[test]
fn a_doctor_does_not_start_what_a_project_names() {
    let sandbox = Sandbox::new();
    sandbox.write(
        ".mcp.json",
        "{\"mcpServers\":{\"infiniloom\":{\"command\":\"/bin/sh\",\"args\":[\"-c\",\"touch started\"]}}}",
    );
    let told = mcp(&sandbox, &["doctor", "--client", "claude-code"]).text();
    assert!(told.contains("not started"), "{told}");
    assert!(!sandbox.path("started").exists());
}

#[test]
fn a_doctor_starts_the_server_of_a_project_and_no_other_command() {
    let sandbox = Sandbox::new();
    sandbox.write("t.tpl", "mine\n");
    let text = serde_json::json!({"mcpServers": {"infiniloom": {
        "command": BINARY,
        "args": ["pack", ".", "--template", "t.tpl", "-o", "../home/.profile"],
    }}});
    sandbox.write(".mcp.json", text.to_string());
    let told = mcp(&sandbox, &["doctor", "--client", "claude-code"]).text();
    assert!(told.contains("not started"), "{told}");
    assert!(!home_file(&sandbox, ".profile").exists());
}

#[test]
fn what_no_installation_wrote_is_left() {
    let sandbox = Sandbox::new();
    let text = "{\"mcpServers\":{\"infiniloom\":{\"command\":\"docker\",\"args\":[\"x\"]}}}";
    put(&sandbox, ".cursor/mcp.json", text);
    let run = mcp(&sandbox, &["uninstall", "--client", "cursor", "--yes"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("take it out by hand"), "{}", run.stderr);
    let kept = std::fs::read_to_string(home_file(&sandbox, ".cursor/mcp.json")).unwrap();
    assert_eq!(kept, text);
}

#[test]
fn a_copy_that_is_there_is_not_touched() {
    let sandbox = Sandbox::new();
    put(&sandbox, ".cursor/mcp.json", "{ }\n");
    let copy = ".cursor/mcp.json.before-infiniloom";
    put(&sandbox, copy, "somebody's\n");
    let kept = || std::fs::read_to_string(home_file(&sandbox, copy)).unwrap();
    let install = ["install", "--client", "cursor", "--yes"];
    let told = mcp(&sandbox, &install);
    assert!(
        told.stderr.contains("before-infiniloom-2"),
        "{}",
        told.stderr
    );
    assert_eq!(kept(), "somebody's\n");
    let second = home_file(&sandbox, &format!("{copy}-2"));
    assert_eq!(std::fs::read_to_string(&second).unwrap(), "{ }\n");
    // The command changed, but the backup stays the file without the server.
    mcp(
        &sandbox,
        &["install", "--client", "cursor", "--root", ".", "--yes"],
    )
    .ok();
    assert_eq!(std::fs::read_to_string(&second).unwrap(), "{ }\n");
    mcp(&sandbox, &["uninstall", "--client", "cursor", "--yes"]).ok();
    let text = std::fs::read_to_string(home_file(&sandbox, ".cursor/mcp.json")).unwrap();
    assert_eq!(text, "{ }\n");
    assert_eq!(kept(), "somebody's\n");
    assert!(!second.exists());
}

fn cursor(sandbox: &Sandbox, entry: &Value) {
    let text = serde_json::json!({"mcpServers": {"infiniloom": entry}});
    put(sandbox, ".cursor/mcp.json", &text.to_string());
}

#[test]
fn a_doctor_reads_arguments_and_environment_as_they_are() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "x = 1\n");
    let checks = |entry: &Value| {
        cursor(&sandbox, entry);
        let told = mcp(
            &sandbox,
            &["doctor", "--client", "cursor", "--format", "json"],
        )
        .text();
        let told: Value = serde_json::from_str(&told).unwrap();
        let checks = told["checks"].as_array().unwrap().iter();
        let check = |check: &Value| {
            let text = |key: &str| check[key].as_str().unwrap().to_owned();
            (text("subject"), text("outcome"), text("found"))
        };
        checks.map(check).collect::<Vec<_>>()
    };
    let folder = sandbox.path(".").display().to_string();
    // This flag takes no value, so the next argument is a root.
    let args = serde_json::json!(["mcp", "--no-cache", folder]);
    let told = checks(&serde_json::json!({"command": BINARY, "args": args}));
    assert_eq!(told[2].0, "root", "{told:?}");
    assert_eq!(told[2].1, "ok", "{told:?}");
    let args = serde_json::json!(["mcp", "--nothing", folder]);
    let told = checks(&serde_json::json!({"command": BINARY, "args": args}));
    assert!(told[2].2.contains("--nothing"), "{told:?}");
    // The server runs with the environment that the client gives it.
    let env = serde_json::json!({"INFINILOOM_RUN_THREADS": "many"});
    let told = checks(&serde_json::json!({"command": BINARY, "args": ["mcp", folder], "env": env}));
    let answer = told.iter().find(|check| check.0 == "answer").unwrap();
    assert_eq!(answer.1, "wrong", "{told:?}");
    assert!(answer.2.contains("INFINILOOM_RUN_THREADS"), "{told:?}");
    let told = checks(&serde_json::json!({"command": BINARY, "args": ["mcp", folder]}));
    let answer = told.iter().find(|check| check.0 == "answer").unwrap();
    assert_eq!(answer.1, "ok", "{told:?}");
}

#[cfg(unix)]
#[test]
fn a_doctor_is_not_held_by_who_writes_without_end() {
    let sandbox = Sandbox::new();
    let endless = "while :; do printf 0123456789; done";
    for (words, told) in [
        (serde_json::json!(["yes", "{}"]), "writes without an answer"),
        (serde_json::json!(["sh", "-c", endless]), "something else"),
        (serde_json::json!(["sh", "-c", "exit 3"]), "it ended"),
    ] {
        let entry =
            serde_json::json!({"command": words[0], "args": words.as_array().unwrap()[1..]});
        cursor(&sandbox, &entry);
        let text = mcp(&sandbox, &["doctor", "--client", "cursor"]).text();
        assert!(text.contains(told), "{words}: {text}");
    }
}

#[test]
fn a_doctor_starts_nothing_in_an_environment_of_the_project() {
    let sandbox = Sandbox::new();
    let entry =
        serde_json::json!({"command": BINARY, "args": ["mcp"], "env": {"LD_PRELOAD": "x.so"}});
    let text = serde_json::json!({"mcpServers": {"infiniloom": entry}});
    sandbox.write(".mcp.json", text.to_string());
    let told = mcp(&sandbox, &["doctor", "--client", "claude-code"]).text();
    assert!(told.contains("not started"), "{told}");
}
