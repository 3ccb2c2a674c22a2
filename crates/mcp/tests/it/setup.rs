//! Changes of configuration files: planned, made whole or not at all, taken back.

use std::fs;
use std::path::PathBuf;

use loom_mcp::{Addition, Change, Client, SetupError, plan_add, plan_remove};
use loom_testkit::Sandbox;

/// A configuration file of one client.
struct Setup {
    sandbox: Sandbox,
    client: &'static Client,
}

const FILE: &str = "conf/mcp.json";

impl Setup {
    fn new(text: Option<&str>) -> Self {
        let setup = Self {
            sandbox: Sandbox::new(),
            client: Client::named("cursor").unwrap(),
        };
        if let Some(text) = text {
            setup.sandbox.write(FILE, text);
        }
        setup
    }

    fn path(&self) -> PathBuf {
        self.sandbox.path(FILE)
    }

    fn server(&self, command: &str) -> Addition {
        Addition::Server {
            client: self.client,
            command: command.to_owned(),
            args: vec!["mcp".to_owned()],
        }
    }

    fn plan(&self, command: &str) -> Result<Option<Change>, SetupError> {
        plan_add(&self.path(), &[self.server(command)])
    }

    fn install(&self, command: &str) {
        self.plan(command).unwrap().unwrap().make().unwrap();
    }

    fn uninstall(&self) {
        plan_remove(&self.path(), &[self.server("infiniloom")])
            .unwrap()
            .unwrap()
            .make()
            .unwrap();
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.sandbox.path("conf")).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn a_plan_writes_nothing() {
    let setup = Setup::new(Some("{}"));
    let change = setup.plan("infiniloom").unwrap().unwrap();
    assert_eq!(change.old.as_deref(), Some("{}"));
    assert!(change.new.unwrap().contains("infiniloom"));
    assert_eq!(setup.sandbox.read(FILE), "{}");
    assert_eq!(setup.names(), ["mcp.json"]);
}

#[test]
fn a_server_that_is_there_needs_no_change() {
    let setup = Setup::new(None);
    setup.install("infiniloom");
    assert!(setup.plan("infiniloom").unwrap().is_none());
    assert!(setup.plan("/other/infiniloom").unwrap().is_some());
}

#[test]
fn the_file_as_it_was_is_copied_once_and_comes_back() {
    let setup = Setup::new(Some("{ \"a\": 1 }"));
    setup.install("infiniloom");
    setup.install("/new/infiniloom");
    assert_eq!(setup.names(), ["mcp.json", "mcp.json.before-infiniloom"]);
    assert_eq!(
        setup.sandbox.read("conf/mcp.json.before-infiniloom"),
        "{ \"a\": 1 }"
    );
    setup.uninstall();
    assert_eq!(setup.sandbox.read(FILE), "{ \"a\": 1 }");
    assert_eq!(setup.names(), ["mcp.json"]);
}

#[test]
fn a_copy_of_somebody_else_is_not_overwritten() {
    let setup = Setup::new(Some("{}"));
    setup
        .sandbox
        .write("conf/mcp.json.before-infiniloom", "mine");
    let change = setup.plan("infiniloom").unwrap().unwrap();
    assert_eq!(
        change.copy().unwrap(),
        setup.sandbox.path("conf/mcp.json.before-infiniloom-2")
    );
    change.make().unwrap();
    assert_eq!(
        setup.sandbox.read("conf/mcp.json.before-infiniloom"),
        "mine"
    );
    assert_eq!(
        setup.sandbox.read("conf/mcp.json.before-infiniloom-2"),
        "{}"
    );
}

#[test]
fn what_was_edited_since_is_kept_with_the_copy() {
    let setup = Setup::new(Some("{}"));
    setup.install("infiniloom");
    let edited = setup.sandbox.read(FILE).replacen('{', "{\"mine\": 1,", 1);
    setup.sandbox.write(FILE, &edited);
    setup.uninstall();
    let after = setup.sandbox.read(FILE);
    assert!(
        after.contains("\"mine\": 1") && !after.contains("infiniloom"),
        "{after}"
    );
    assert_eq!(setup.names(), ["mcp.json", "mcp.json.before-infiniloom"]);
}

#[test]
fn a_file_that_the_installation_made_goes_with_its_mark() {
    let setup = Setup::new(None);
    setup.install("infiniloom");
    assert_eq!(setup.names(), ["mcp.json", "mcp.json.made-by-infiniloom"]);
    let change = plan_remove(&setup.path(), &[setup.server("infiniloom")])
        .unwrap()
        .unwrap();
    assert_eq!((change.new.as_deref(), change.copy()), (None, None));
    change.make().unwrap();
    assert!(setup.names().is_empty());
}

#[test]
fn a_file_that_changed_since_the_plan_is_not_written() {
    let setup = Setup::new(Some("{}"));
    let change = setup.plan("infiniloom").unwrap().unwrap();
    setup.sandbox.write(FILE, "{\"mine\": 1}");
    let error = change.make().unwrap_err();
    assert!(matches!(error, SetupError::Changed(_)), "{error}");
    assert_eq!(setup.sandbox.read(FILE), "{\"mine\": 1}");
    assert_eq!(setup.names(), ["mcp.json"]);
}

#[test]
fn nothing_is_taken_out_where_nothing_was_put_in() {
    for text in [
        None,
        Some("{}"),
        Some("{\"mcpServers\": {\"other\": {\"command\": \"x\"}}}"),
    ] {
        let setup = Setup::new(text);
        assert!(
            plan_remove(&setup.path(), &[setup.server("infiniloom")])
                .unwrap()
                .is_none(),
            "{text:?}"
        );
    }
}

#[test]
fn an_entry_that_starts_something_else_is_not_taken_out() {
    for (command, args, is_ours) in [
        ("infiniloom", r#"["mcp"]"#, true),
        ("/opt/infiniloom-1.2", r#"["mcp", "/srv"]"#, true),
        ("infiniloom", r#"["serve"]"#, false),
        ("node", r#"["mcp"]"#, false),
        ("infiniloom", "[]", false),
    ] {
        let text = format!(
            "{{\"mcpServers\": {{\"infiniloom\": {{\"command\": \"{command}\", \"args\": {args}}}}}}}"
        );
        let setup = Setup::new(Some(&text));
        let planned = plan_remove(&setup.path(), &[setup.server("infiniloom")]);
        let is_refused = matches!(planned, Err(SetupError::NotOurs { .. }));
        assert_eq!(is_refused, !is_ours, "{text}");
    }
}

fn check_refused(setup: &Setup, expected: &str) {
    for error in [
        setup.plan("infiniloom").unwrap_err(),
        plan_remove(&setup.path(), &[setup.server("infiniloom")]).unwrap_err(),
    ] {
        let message = error.to_string();
        assert!(message.contains(expected), "{message}");
        assert!(message.contains("mcp.json"), "{message}");
    }
}

#[test]
fn files_that_are_no_configuration_are_refused_with_the_reason() {
    check_refused(&Setup::new(Some("{ broken")), "mcp.json: ");
    let setup = Setup::new(None);
    fs::create_dir_all(setup.path()).unwrap();
    check_refused(&setup, "expected a file");
    let setup = Setup::new(None);
    setup.sandbox.write(FILE, b"{\n\xff}");
    check_refused(&setup, "line 2: expected UTF-8");
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_refused_and_a_link_to_a_file_stays() {
    let setup = Setup::new(None);
    fs::create_dir_all(setup.sandbox.path("conf")).unwrap();
    std::os::unix::fs::symlink("real.json", setup.path()).unwrap();
    check_refused(&setup, "a link that leads nowhere");
    setup.sandbox.write("conf/real.json", "{}");
    setup.install("infiniloom");
    assert!(setup.path().is_symlink());
    assert!(setup.sandbox.read("conf/real.json").contains("infiniloom"));
}
