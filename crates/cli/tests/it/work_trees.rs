//! Secrets of the main work tree are redacted in a linked one, because `.env` is often only in the
//! main one.

use loom_testkit::{Run, Sandbox};
use serde_json::json;

use crate::mcp_client::Client;
use crate::packed::BINARY;

const KEY: &str = "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432";

/// Creates a repository in `main` whose ignored `.env` contains a secret, and a work tree in `tree`
/// whose code contains a copy of it.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("main/.gitignore", ".env\n")
        .write("main/note.py", format!("# handshake uses {KEY}\n"))
        .git_in("main", &["init", "-q", "-b", "main"])
        .git_in("main", &["add", "-A"])
        .git_in("main", &["commit", "-qm", "all"])
        .git_in("main", &["worktree", "add", "-q", "../tree"])
        .write("main/.env", format!("LEDGER_API_KEY={KEY}\n"));
    sandbox
}

fn output(sandbox: &Sandbox, folder: &str, args: &[&str]) -> String {
    let mut command = sandbox.command(BINARY);
    command.current_dir(sandbox.path(folder)).args(args);
    Run::from(command.output().unwrap()).ok()
}

#[test]
fn linked_work_tree_learns_from_the_main_one() {
    let sandbox = sandbox();
    for args in [
        &["pack"][..],
        &["search", "handshake"],
        &["search", "handshake", "--no-cache"],
        &["context", "handshake"],
        &["chunk"],
        &["pack", "--rev", "HEAD"],
    ] {
        let shown = output(&sandbox, "tree", args);
        assert!(shown.contains("[REDACTED:"), "{args:?}: {shown}");
        assert!(!shown.contains(KEY), "{args:?}: {shown}");
    }
}

/// The server reads only inside its roots, as the guide says.
#[test]
fn server_of_a_linked_work_tree_reads_nothing_of_the_main_one() {
    let sandbox = sandbox();
    let tree = sandbox.path("tree").canonicalize().unwrap();
    let mut client = Client::start(&sandbox, &[tree.to_str().unwrap()]);
    let shown = client.ok("search", &json!({"query": "handshake"}));
    assert!(shown.contains("note.py"), "{shown}");
    let outside = ["..", "main", ".env"].join("/");
    client.refused("read", &json!({"path": outside}));
    client.finish();
}

/// A repository that does not list the work tree belongs to others.
#[test]
fn pointer_to_a_repository_that_does_not_list_the_tree_teaches_nothing() {
    let sandbox = sandbox();
    let repository = ["..", "main", ".git", "worktrees", "tree"].join("/");
    sandbox
        .write("other/note.py", format!("# handshake uses {KEY}\n"))
        .write("other/.git", format!("gitdir: {repository}\n"));
    let shown = output(&sandbox, "other", &["search", "handshake"]);
    assert!(shown.contains(KEY), "{shown}");
}
