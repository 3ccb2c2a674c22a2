//! Every command names the files that it cannot read.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use loom_testkit::{Run, Sandbox};

use crate::places::as_plain_user;

#[test]
fn no_command_passes_over_a_file_without_a_word() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.py", "def one():\n    pass\n")
        .write("closed.py", "def two():\n    one()\n")
        .commit_all();
    let closed = fs::Permissions::from_mode(0o000);
    // Created before the permissions change, because the user needs access to the directories.
    let commands: Vec<_> = [
        (&["symbols"][..], 0),
        (&["search", "one"], 0),
        (&["search", "one", "--no-cache"], 0),
        (&["def", "one"], 0),
        (&["def", "two"], 1),
        (&["refs", "one"], 1),
        (&["map"], 0),
        (&["index"], 0),
        (&["context", "one"], 0),
    ]
    .into_iter()
    .map(|(args, code)| (as_plain_user(&sandbox), args, code))
    .collect();
    let mut outline = as_plain_user(&sandbox);
    fs::set_permissions(sandbox.path("closed.py"), closed).unwrap();
    for (mut command, args, code) in commands {
        let run: Run = command.args(args).output().unwrap().into();
        let warning = "warning: closed.py is left out: unreadable: permission denied";
        assert_eq!(
            run.stderr.matches(warning).count(),
            1,
            "{args:?}: {}",
            run.stderr
        );
        assert_eq!(run.code, code, "{args:?}: {}", run.stderr);
    }
    let run: Run = outline
        .args(["outline", "closed.py"])
        .output()
        .unwrap()
        .into();
    assert!(
        run.stderr
            .contains("error: closed.py is unreadable: permission denied"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("is left out"), "{}", run.stderr);
}
