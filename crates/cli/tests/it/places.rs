//! Paths that a user may name: a directory, a part of a repository, one file, several of them, and
//! unreadable files in them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use loom_testkit::{Run, Sandbox};

use crate::packed::{BINARY, json_file, loom, pack, pack_in};

fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(".gitignore", "*.log\nskipped/\n")
        .write("a.txt", "a");
    sandbox
        .write("sub/b.txt", "b")
        .write("sub/b.log", "b")
        .write("sub/deep/c.txt", "c");
    sandbox
        .write("skipped/d.txt", "d")
        .write("other/e.txt", "e");
    sandbox.commit_all();
    sandbox
}

#[test]
fn parts_of_a_repository() {
    let sandbox = repository();
    for (args, paths) in [
        (&["sub"][..], &["sub/b.txt", "sub/deep/c.txt"][..]),
        (&["sub/deep", "other"], &["other/e.txt", "sub/deep/c.txt"]),
        (&["a.txt", "sub/b.log"], &["a.txt", "sub/b.log"]),
        (
            &["sub", "sub/deep", "sub/deep/c.txt", "./sub"],
            &["sub/b.txt", "sub/deep/c.txt"],
        ),
        (&["skipped"], &["skipped/d.txt"]),
        (&["sub", "--exclude", "sub/deep"], &["sub/b.txt"]),
        (&["a.txt", "--exclude", "*.txt"], &[]),
    ] {
        assert_eq!(pack(&sandbox, args).paths(), paths, "{args:?}");
    }
    assert_eq!(
        pack_in(&sandbox, "sub", &[]).paths(),
        ["sub/b.txt", "sub/deep/c.txt"]
    );
    assert_eq!(
        pack_in(&sandbox, "sub/deep", &["../../a.txt"]).paths(),
        ["a.txt"]
    );
}

#[test]
fn what_is_named_and_packed_is_not_left_out() {
    let sandbox = repository();
    let packed = pack(&sandbox, &[".", "skipped", "sub/b.log"]);
    packed.check("skipped/d.txt: packed\nsub/b.log: packed");
    let left_out = &packed.report["left_out"];
    assert_eq!(left_out.as_array().unwrap().len(), 0, "{left_out}");
}

#[test]
fn one_file() {
    let sandbox = Sandbox::new();
    sandbox.write("x y/na\nme.txt", "one");
    let name = OsStr::from_bytes(b"caf\xe9");
    fs::write(sandbox.path(name), "two").unwrap();
    assert_eq!(
        pack(&sandbox, &["x y/na\nme.txt"]).files[r#""na\nme.txt""#],
        "one"
    );
    let run = sandbox.run(BINARY, &[OsStr::new("pack"), name]);
    assert!(run.ok().contains(r#"path="&quot;caf\351&quot;""#));
}

#[test]
fn the_name_of_a_folder_stays_on_one_line() {
    let sandbox = Sandbox::new();
    sandbox.write("a\n# b`/x.txt", "x");
    let text = loom(&sandbox, &["pack", "-f", "markdown", "a\n# b`"]).ok();
    let heading = text.lines().nth(1).unwrap();
    assert_eq!(heading, r#"# ``"a\n# b`"``"#);
}

#[test]
fn trees_of_several_repositories_are_told_apart() {
    let sandbox = Sandbox::new();
    for (path, ignored) in [("one/app", "*.a\n"), ("two/app", "*.b\n"), ("plain", "")] {
        sandbox
            .write(format!("{path}/x.a"), "a")
            .write(format!("{path}/x.b"), "b");
        if !ignored.is_empty() {
            sandbox.write(format!("{path}/.gitignore"), ignored);
            sandbox.git_in(path, &["init", "-q"]);
        }
    }
    let packed = pack(&sandbox, &["two/app/x.b", "one/app", "plain"]);
    let expected = [
        "one/app/.gitignore",
        "one/app/x.b",
        "plain/x.a",
        "plain/x.b",
        "two/app/x.b",
    ];
    assert_eq!(packed.paths(), expected);
    packed.check("one/app/x.a: gitignore");
    assert_eq!(packed.report["name"], "app + app + plain");
}

/// The full path of this directory exceeds the system's limit: it can be created in two halves, but
/// not opened in one call.
#[test]
fn a_path_that_is_too_long_is_said() {
    let sandbox = Sandbox::new();
    let half = vec!["d".repeat(200); 12].join("/");
    sandbox
        .write(format!("a/{half}/x.txt"), "x")
        .write(format!("b/{half}/y.txt"), "y");
    fs::rename(sandbox.path("b"), sandbox.path(format!("a/{half}/b"))).unwrap();
    let packed = pack(&sandbox, &[]);
    packed.check(&format!(
        "a/{half}/x.txt: packed\na/{half}/b/{half}/y.txt: unreadable"
    ));
    assert!(
        packed.stderr.contains("warning: a/ddd"),
        "{}",
        packed.stderr
    );
    assert!(
        packed.stderr.contains("unreadable: file name too long"),
        "{}",
        packed.stderr
    );
}

/// Returns the command as a user without root's rights, because permissions do not restrict root.
pub(crate) fn as_plain_user(sandbox: &Sandbox) -> Command {
    let id = sandbox.run("id", &["-u"]).ok();
    if id.trim() != "0" {
        return sandbox.command(BINARY);
    }
    let copy = sandbox.path("../infiniloom");
    if !copy.exists() {
        fs::copy(BINARY, &copy).unwrap();
    }
    for open in ["..", "../home", "."] {
        fs::set_permissions(sandbox.path(open), fs::Permissions::from_mode(0o777)).unwrap();
    }
    let mut command = sandbox.command("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(copy);
    command
}

#[test]
fn what_may_not_be_read_is_said() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "a")
        .write("closed.txt", "c")
        .write("folder/x.txt", "x");
    sandbox.write("x.log", "x").write(".gitignore", "*.log\n");
    sandbox.commit_all();
    let report = sandbox.path("../report.json");
    let mut command = as_plain_user(&sandbox);
    let close = |path| fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(0o000));
    close("closed.txt").and(close("folder")).unwrap();
    let run: Run = command
        .args(["pack", "--report"])
        .arg(&report)
        .output()
        .unwrap()
        .into();
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(sandbox.path("folder"), open).unwrap();
    assert!(run.ok().contains("<file path=\"a.txt\""));
    assert!(!run.text().contains("path=\"x.log\""));
    let report = json_file(&report);
    let outcome: Vec<_> = report["left_out"].as_array().unwrap().iter().collect();
    let outcome: Vec<_> = outcome
        .iter()
        .map(|left| (&left["path"], &left["detail"]))
        .collect();
    let denied = "unreadable: permission denied";
    assert!(
        outcome
            .iter()
            .any(|(path, why)| **path == "closed.txt" && **why == denied),
        "{outcome:?}"
    );
    assert!(
        outcome
            .iter()
            .any(|(path, why)| **path == "folder" && **why == denied),
        "{outcome:?}"
    );
    assert!(
        run.stderr
            .contains("warning: closed.txt is not in the pack: unreadable")
    );
}

#[test]
fn wrong_use() {
    let sandbox = repository();
    for (args, message) in [
        (&["pack", "--frmat", "xml"][..], "--format"),
        (
            &["pack", "-f", "ymal"],
            "possible values: xml, markdown, json",
        ),
        (&["models", "gpt-4oo"], "did you mean gpt-4o?"),
        (&["pack", "-q", "-v"], "cannot be used with"),
        (&["sub"], "hint: to pack it: infiniloom pack sub"),
        (
            &["pack", "--max-file-size", "12 bananas"],
            "expected a size",
        ),
    ] {
        let run = loom(&sandbox, args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}
