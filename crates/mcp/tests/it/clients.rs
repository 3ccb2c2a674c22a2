//! Where clients have their configuration, and how it names the server.

use std::path::{Path, PathBuf};

use loom_mcp::{CLIENTS, Client, Places, SERVER_NAME, Scope, System};
use proptest::prelude::*;
use serde_json::{Value, json};

fn client(name: &str) -> &'static Client {
    Client::named(name).unwrap()
}

fn args(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn installed(name: &str, text: &str) -> Value {
    let new = client(name)
        .installed(text, "/bin/x", &args(&["mcp", "/srv"]))
        .unwrap();
    serde_json::from_str(&new).unwrap()
}

#[test]
fn clients_are_found_by_their_names_in_order() {
    let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
    assert!(names.is_sorted());
    for name in names {
        assert_eq!(client(name).name, name);
    }
    assert!(Client::named("Cursor").is_none() && Client::named("").is_none());
}

#[test]
fn only_clients_that_start_servers_nowhere_need_a_root() {
    let needing: Vec<&str> = CLIENTS
        .iter()
        .filter(|one| one.needs_root)
        .map(|one| one.name)
        .collect();
    assert_eq!(needing, ["claude-desktop"]);
}

#[test]
fn entries_have_the_fields_that_each_client_reads() {
    let plain = json!({"command": "/bin/x", "args": ["mcp", "/srv"]});
    let typed = json!({"type": "stdio", "command": "/bin/x", "args": ["mcp", "/srv"]});
    let local = json!({"type": "local", "command": ["/bin/x", "mcp", "/srv"], "enabled": true});
    for (name, table, expected) in [
        ("claude-code", "mcpServers", &typed),
        ("claude-desktop", "mcpServers", &plain),
        ("cursor", "mcpServers", &plain),
        ("gemini", "mcpServers", &plain),
        ("opencode", "mcp", &local),
        ("vscode", "servers", &typed),
        ("windsurf", "mcpServers", &plain),
        ("zed", "context_servers", &plain),
    ] {
        assert_eq!(
            &installed(name, "{}")[table][SERVER_NAME],
            expected,
            "{name}"
        );
    }
    let toml = client("codex")
        .installed("", "/bin/x", &args(&["mcp"]))
        .unwrap();
    assert!(
        toml.contains("[mcp_servers.infiniloom]") && toml.contains("args = [\"mcp\"]"),
        "{toml}"
    );
}

#[test]
fn other_entries_and_settings_stay() {
    let text = r#"{"theme": "x", "mcpServers": {"other": {"command": "y"}}}"#;
    let value = installed("cursor", text);
    assert_eq!(value["theme"], "x");
    assert_eq!(value["mcpServers"]["other"]["command"], "y");
}

#[test]
fn a_new_command_takes_the_place_of_the_old_one() {
    let client = client("cursor");
    let old = client
        .installed("{}", "/old", &args(&["mcp", "/a"]))
        .unwrap();
    let new = client.installed(&old, "/new", &args(&["mcp"])).unwrap();
    assert_eq!(client.command_in(&new).unwrap().unwrap(), ["/new", "mcp"]);
    assert!(!new.contains("/old") && !new.contains("\"/a\""), "{new}");
}

#[test]
fn a_text_without_the_server_names_no_command_and_no_environment() {
    for text in ["{}", "{\"mcpServers\": {\"other\": {\"command\": \"y\"}}}"] {
        assert_eq!(client("cursor").command_in(text).unwrap(), None);
        assert!(client("cursor").env_in(text).unwrap().is_empty());
    }
}

#[test]
fn the_environment_of_an_entry_is_read_under_both_names() {
    let text = r#"{"mcpServers": {"infiniloom": {"command": "x", "env": {"A": "1", "B": 2}}}}"#;
    let pairs = client("cursor").env_in(text).unwrap();
    assert_eq!(pairs, [("A".to_owned(), "1".to_owned())]);
    let text = r#"{"mcp": {"infiniloom": {"command": ["x"], "environment": {"C": "3"}}}}"#;
    let pairs = client("opencode").env_in(text).unwrap();
    assert_eq!(pairs, [("C".to_owned(), "3".to_owned())]);
}

#[test]
fn texts_that_cannot_be_read_are_refused_by_every_client() {
    for client in CLIENTS {
        let broken = if client.name == "codex" {
            "a = = 1"
        } else {
            "{\"a\": "
        };
        assert!(
            client.installed(broken, "x", &[]).is_err(),
            "{}",
            client.name
        );
        assert!(client.uninstalled(broken, None).is_err(), "{}", client.name);
        assert!(client.command_in(broken).is_err(), "{}", client.name);
    }
}

#[test]
fn a_project_has_a_file_only_where_the_client_reads_one() {
    let places = Places::under(Path::new("/u"), System::Linux);
    for client in CLIENTS {
        let has_file = client
            .file(Scope::Project, &places, Path::new("/p"))
            .is_some();
        assert_eq!(
            client.scopes().contains(&Scope::Project),
            has_file,
            "{}",
            client.name
        );
        assert!(client.scopes().contains(&Scope::User));
        let own = client.file(Scope::User, &places, Path::new("/p")).unwrap();
        assert!(own.starts_with("/u"), "{own:?}");
    }
    assert_eq!(
        (Scope::User.name(), Scope::Project.name()),
        ("user", "project")
    );
}

#[test]
fn the_file_that_is_there_is_taken_before_the_first_name() {
    let sandbox = loom_testkit::Sandbox::new();
    let file = || {
        let places = Places::under(&sandbox.work(), System::Linux);
        client("opencode")
            .file(Scope::User, &places, Path::new("/p"))
            .unwrap()
    };
    let folder: PathBuf = sandbox.work().join(".config/opencode");
    assert_eq!(file(), folder.join("opencode.json"));
    sandbox.write(".config/opencode/opencode.jsonc", "{}");
    assert_eq!(file(), folder.join("opencode.jsonc"));
    sandbox.write(".config/opencode/opencode.json", "{}");
    assert_eq!(file(), folder.join("opencode.json"));
}

proptest! {
    #[test]
    fn any_command_is_read_back_by_every_client(
        command in "[ -~é]{1,20}",
        words in prop::collection::vec("[ -~é\n]{0,12}", 0..4),
    ) {
        for client in CLIENTS {
            let text = client.installed("", &command, &words).unwrap();
            let mut expected = vec![command.clone()];
            expected.extend(words.iter().cloned());
            prop_assert_eq!(client.command_in(&text).unwrap().unwrap(), expected);
            prop_assert_eq!(client.uninstalled(&text, Some("")).unwrap(), "");
        }
    }
}
