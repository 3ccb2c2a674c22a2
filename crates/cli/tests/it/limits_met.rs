//! Limits on work that a repository chooses: a run that meets one says so on standard error.

use loom_testkit::Sandbox;

use crate::packed::loom;

/// Runs a command and checks that it says a warning once.
fn check(sandbox: &Sandbox, args: &[&str], warning: &str) {
    let run = loom(sandbox, args);
    let said = run.stderr.matches(warning).count();
    assert_eq!(said, 1, "{args:?}: {}", run.stderr);
}

#[test]
fn ignore_file_above_its_limit_is_reported_by_every_command() {
    let sandbox = Sandbox::new();
    sandbox
        .write("sub/.gitignore", "b".repeat(2 << 20))
        .write("pay.py", "def pay(): pass\n")
        .commit_all();
    for args in [
        &["pack"][..],
        &["scan"],
        &["tokens"],
        &["index"],
        &["map"],
        &["context", "pay"],
        &["search", "pay"],
        &["def", "pay"],
        &["symbols"],
        &["chunk"],
    ] {
        check(&sandbox, args, "warning: sub/.gitignore cannot be read");
    }
}

#[test]
fn limits_of_following_imports_are_reported() {
    let sandbox = Sandbox::new();
    let paths: Vec<String> = (0..1001)
        .map(|at| format!("\"@{at}/*\": [\"./{at}/*\"]"))
        .collect();
    let config = format!(
        "{{\"compilerOptions\": {{\"paths\": {{{}}}}}}}",
        paths.join(", ")
    );
    sandbox
        .write("package.json", " ".repeat(1_100_000))
        .write("web/tsconfig.json", config)
        .write(
            "web/pay.ts",
            "import { a } from \"@1/a\";\nexport function pay() {}\n",
        )
        .write(
            "web/use.ts",
            "import { pay } from \"./pay\";\nexport function shop() { pay(); }\n",
        )
        .commit_all();
    for args in [&["map"][..], &["refs", "pay"]] {
        check(
            &sandbox,
            args,
            "warning: following imports without package.json: it has 1100000 bytes",
        );
        check(
            &sandbox,
            args,
            "warning: following imports by 1,000 paths of a package.json or tsconfig.json: \
             web/tsconfig.json has more\n",
        );
    }
}

#[test]
fn settings_file_above_its_limit_is_reported() {
    let sandbox = Sandbox::new();
    sandbox
        .write("infiniloom.toml", "#".repeat((1 << 20) + 1))
        .write("pay.py", "def pay(): pass\n")
        .commit_all();
    for args in [&["pack"][..], &["map"], &["search", "pay"]] {
        check(&sandbox, args, "infiniloom.toml: it has 1048577 bytes");
    }
}
