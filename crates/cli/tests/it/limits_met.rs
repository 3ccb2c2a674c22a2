//! Limits on work that a repository chooses: the command warns on standard error when a limit is
//! reached.

use loom_testkit::Sandbox;

use crate::packed::loom;

/// Runs a command and checks that it prints a warning once.
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
        check(&sandbox, args, "warning: ignoring sub/.gitignore");
    }
}

#[test]
fn attribute_files_above_their_limits_are_reported_if_files_changed() {
    let sandbox = Sandbox::new();
    sandbox
        .write(".gitattributes", "*.md text\n".repeat(200_000))
        .write("sub/.gitattributes", "**/a/**/b/**/c/**/d text\n")
        .write("sub/pay.py", "def pay(): pass\n")
        .commit_all();
    // Without changes, attributes do not matter.
    let run = loom(&sandbox, &["pack", "--diff"]);
    assert!(
        !run.stderr.contains("attributes do not hold"),
        "{}",
        run.stderr
    );
    sandbox.write("sub/pay.py", "def pay(): return 1\n");
    for args in [
        &["pack", "--diff"][..],
        &["pack", "--changed=HEAD", "--since", "HEAD"],
        &["map", "--changes"],
        &["symbols", "--changed=HEAD"],
    ] {
        let large = "warning: .gitattributes has more than 1 MiB: its attributes do not hold";
        check(&sandbox, args, large);
        let costly = "warning: sub/.gitattributes has a pattern with more than 3 `**`: its";
        check(&sandbox, args, costly);
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

/// Every command names a file above `--max-file-size` once, with and without a cache.
#[test]
fn file_above_its_limit_is_reported_by_every_command() {
    let sandbox = Sandbox::new();
    sandbox
        .write("large.py", format!("# {}\n", "x".repeat(6_000)))
        .write("pay.py", "def pay(): pass\n")
        .commit_all();
    let reason = "6003 bytes, more than the limit of 5000\n";
    for cache in [&["--no-cache"][..], &[], &[]] {
        for args in [
            &["index"][..],
            &["map"],
            &["context", "pay"],
            &["search", "pay"],
            &["search", "pay", "large.py", "pay.py"],
            &["def", "pay"],
            &["symbols"],
        ] {
            // `index` needs a cache.
            if args == ["index"] && !cache.is_empty() {
                continue;
            }
            let args = [args, &["--max-file-size", "5000"], cache].concat();
            let warning = format!("warning: large.py is left out: {reason}");
            check(&sandbox, &args, &warning);
        }
    }
    let warning = format!("warning: large.py is not in the pack: {reason}");
    check(&sandbox, &["pack", "--max-file-size", "5000"], &warning);
}

#[test]
fn go_packages_and_configurations_above_their_limits_are_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("go.mod", "module shop\n");
    for at in 0..2_001 {
        sandbox.write(format!("big/f{at}.go"), "package big\n");
    }
    for at in 0..34 {
        let next = at + 1;
        sandbox.write(
            format!("web/tsconfig.{at}.json"),
            format!("{{\"extends\": \"./tsconfig.{next}.json\"}}"),
        );
    }
    sandbox.commit_all();
    for warning in [
        "following imports to 2,000 files of a package: big has more\n",
        "following imports by 32 configurations that extend each other: web/tsconfig.0.json and \
         1 more have more\n",
    ] {
        check(&sandbox, &["map"], &format!("warning: {warning}"));
    }
}
