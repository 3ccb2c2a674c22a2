//! Only what changed, and changes marked in the contents.

use std::fs;

use loom_testkit::Sandbox;

use crate::packed::{formats, loom, pack};
use crate::readers;

fn committed() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["a.rs", "b.rs", "dir/c.txt", "gone.rs", "old.rs"] {
        sandbox.write(name, format!("// {name}\none\ntwo\nthree\n"));
    }
    sandbox.write(".gitignore", "*.log\n").commit_all();
    sandbox
}

#[test]
fn only_what_changed_is_packed() {
    let sandbox = committed();
    sandbox
        .write("a.rs", "other\n")
        .write("new.rs", "x\n")
        .write("ignored.log", "x\n")
        .write("dir/c.txt", "staged\n")
        .git(&["add", "dir/c.txt"]);
    fs::remove_file(sandbox.path("gone.rs")).unwrap();
    fs::rename(sandbox.path("old.rs"), sandbox.path("renamed.rs")).unwrap();
    let packed = pack(&sandbox, &["--changed"]);
    assert_eq!(
        packed.paths(),
        ["a.rs", "dir/c.txt", "new.rs", "renamed.rs"]
    );
    packed.check(
        "gone.rs: deleted
         old.rs: renamed
         ignored.log: gitignore
         b.rs: not mentioned",
    );
    let left_out = packed.report["statistics"]["left_out"].as_array().unwrap();
    let unchanged = left_out.iter().find(|one| one["reason"] == "unchanged");
    assert_eq!(unchanged.unwrap()["count"], 2);
    let rust = pack(&sandbox, &["--changed", "--include", "*.rs"]);
    assert_eq!(rust.paths(), ["a.rs", "new.rs", "renamed.rs"]);
    let folder = pack(&sandbox, &["--changed", "dir"]);
    assert_eq!(folder.paths(), ["dir/c.txt"]);
}

#[test]
fn nothing_changed_is_said() {
    let sandbox = committed();
    let run = loom(&sandbox, &["pack", "--changed", "-f", "json"]);
    assert_eq!(readers::json(&run.ok()), []);
    let warning = "no file to pack changed since HEAD: the pack holds no files";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
}

#[test]
fn what_needs_git_says_so() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "x");
    for args in [
        &["--changed"][..],
        &["--diff"],
        &["--staged"],
        &["--since", "main"],
        &["--log", "3"],
        &["--highlight-changes"],
    ] {
        let run = loom(&sandbox, &[&["pack"], args].concat());
        assert_eq!(run.code, 2);
        let expected = args.join(" ").replace(" 3", "");
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
        assert!(
            run.stderr.contains("is not a git repository"),
            "{}",
            run.stderr
        );
        assert!(run.stdout.is_empty());
    }
    sandbox.commit_all();
    for args in [&["--changed", "nope"][..], &["--since", "nope"]] {
        let run = loom(&sandbox, &[&["pack"], args].concat());
        assert_eq!(run.code, 2);
        let expected = format!("{}: no revision nope in the repository", args.join(" "));
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
    }
}

/// The marks come off again, byte for byte, in every format and with numbers.
#[test]
fn marks_come_off() {
    let sandbox = Sandbox::new();
    let texts = [
        ("changed", "one\ntwo\nthree\n", "one\n2\nthree\nfour\n"),
        ("open", "one\ntwo\nthree\n", "one"),
        ("crlf", "one\r\ntwo\r\n", "two\r\nthree\r\n"),
        ("looks like marks", "a\n", "-a\n+b\n c\n"),
        ("same", "same\n", "same\n"),
        ("emptied", "one\ntwo\n", ""),
        ("ends", "one\ntwo\n", "one\r\ntwo\r\n"),
        ("nul.sh", "x\n", "\u{1b}[0m\n```\n]]>\n"),
    ];
    for (name, old, _) in texts {
        sandbox.write(name, old);
    }
    sandbox.commit_all();
    for (name, _, new) in texts {
        sandbox.write(name, new);
    }
    sandbox.write("unknown", "new\n");
    for numbers in [&[][..], &["--line-numbers"]] {
        let marked = [
            "changed",
            "crlf",
            "emptied",
            "looks like marks",
            "nul.sh",
            "open",
        ];
        for format in formats() {
            let args = [&["pack", "-f", format], numbers].concat();
            let plain = readers::read(format, &loom(&sandbox, &args).ok());
            let args = [&args[..], &["--highlight-changes"]].concat();
            let shown = readers::read(format, &loom(&sandbox, &args).ok());
            assert_eq!(plain.len(), shown.len());
            for ((path, plain), (_, shown)) in plain.iter().zip(&shown) {
                match marked.contains(&path.as_str()) {
                    true => {
                        assert_ne!(plain, shown, "{format} {path}");
                        assert_eq!(&infiniloom::unmark(shown), plain, "{format} {path}");
                    }
                    false => assert_eq!(plain, shown, "{format} {path}"),
                }
            }
        }
    }
    let packed = pack(&sandbox, &["--highlight-changes"]);
    assert_eq!(packed.note("changed"), Some("changes marked"));
    assert_eq!(packed.note("unknown"), Some("new file"));
    assert_eq!(packed.note("same"), None);
    let expected = " one\n-(1 line removed)\n+2\n three\n+four\n";
    assert_eq!(packed.files["changed"], expected);
}

#[test]
fn marks_are_explained_and_counted() {
    let sandbox = committed();
    sandbox.write("a.rs", "x\n");
    for format in formats() {
        let (out, report) = (sandbox.path("../out"), sandbox.path("../report"));
        let mut command = sandbox.command(crate::packed::BINARY);
        command.args([
            "pack",
            "--highlight-changes",
            "--log",
            "2",
            "--diff",
            "-f",
            format,
        ]);
        command.arg("-o").arg(&out).arg("--report").arg(&report);
        assert!(command.status().unwrap().success());
        let text = fs::read_to_string(&out).unwrap();
        assert!(text.contains("since HEAD"), "{format}");
        let said = crate::packed::json_file(&report);
        let counted = loom_models::count(&text, loom_models::resolve("gpt-5").unwrap());
        assert_eq!(said["output"]["tokens"], counted.likely(), "{format}");
    }
}
