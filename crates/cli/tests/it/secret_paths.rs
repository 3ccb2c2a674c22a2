//! Secrets outside of texts: in files with one value, in paths, in warnings and in the reasons for
//! skipped files. Tested through the command, as a user sees them.

use loom_testkit::Sandbox;

use crate::packed::loom;

const TOKEN: &str = "zq7Kd93hTTw0xL2p";

/// Every command that names files, in each of its formats.
const COMMANDS: &[&[&str]] = &[
    &["pack", "-v", "--report", "-"],
    &["pack", "-v", "--format", "json"],
    &["scan", "-v"],
    &["scan", "-v", "--format", "json"],
    &["scan", "--format", "sarif"],
    &["scan", "--history"],
    &["tokens", "--format", "json"],
    &["index"],
    &["map"],
    &["map", "--format", "json"],
    &["context", "pay", "--format", "json"],
    &["search", "pay"],
    &["symbols"],
    &["chunk", "-v"],
    &["def", "pay"],
];

fn check(sandbox: &Sandbox, args: &[&str], secret: &str) -> String {
    let run = loom(sandbox, args);
    let shown = format!("{}{}", String::from_utf8_lossy(&run.stdout), run.stderr);
    assert!(!shown.contains(secret), "{args:?}: {shown}");
    shown
}

/// Earlier, `scan` printed real paths, and warnings and reasons quoted them in every command.
#[test]
fn paths_with_known_secrets_are_redacted_wherever_they_are_named() {
    let sandbox = Sandbox::new();
    let directory = format!("dir-{TOKEN}");
    sandbox
        .write(".env", format!("API_TOKEN={TOKEN}\n"))
        .write(".gitignore", format!(".env\n*.tmp-{TOKEN}\n"))
        .write("src/pay.py", "def pay(x):\n    return x\n")
        .write(format!("a.tmp-{TOKEN}"), "x\n")
        .write(format!("bin-{TOKEN}.dat"), "a\0b\0")
        .write(
            format!("{directory}/conf.py"),
            "password = \"vK8#pq2Zr!aa\"\n",
        )
        .write(format!("{directory}/pay.py"), "def pay(y):\n    return y\n")
        .write(format!("{directory}/sub/.gitignore"), "b".repeat(2 << 20))
        .write(format!("{directory}/package.json"), " ".repeat(1_100_000))
        .commit_all();
    for args in COMMANDS {
        check(&sandbox, args, TOKEN);
    }
    let scan = check(&sandbox, &["scan"], TOKEN);
    assert!(
        scan.contains("dir-[REDACTED:token:1]/conf.py:1:13: password"),
        "{scan}"
    );
    let why = check(&sandbox, &["why", &format!("a.tmp-{TOKEN}")], TOKEN);
    assert_eq!(
        why,
        "a.tmp-[REDACTED:token:1]: left out by .gitignore:2: *.tmp-[REDACTED:token:1]\n"
    );
}
