//! Output paths from a repository's own config file.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use loom_host::{Format, PackOptions, RefusedOutput, check_repository_output};
use loom_testkit::Sandbox;

use crate::fixture::pack;

fn refused(sandbox: &Sandbox, path: &str) -> &'static str {
    match check_repository_output(&sandbox.work(), &sandbox.path(path)) {
        Ok(()) => "fine",
        Err(RefusedOutput::Outside { .. }) => "outside",
        Err(RefusedOutput::ThroughLink { .. }) => "link",
        Err(RefusedOutput::GitFolder { .. }) => "git",
        Err(RefusedOutput::Overwrites { .. }) => "overwrites",
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn new_file_inside_the_repository_is_fine() {
    let sandbox = Sandbox::new();
    sandbox.write("sub/x", "");
    for path in ["out.xml", "sub/out.xml", "sub/./out.xml"] {
        assert_eq!(refused(&sandbox, path), "fine", "{path}");
    }
}

#[test]
fn paths_outside_and_through_links_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("sub/x", "").write("../elsewhere/y", "");
    symlink("/tmp", sandbox.path("out")).unwrap();
    symlink("../elsewhere", sandbox.path("beside")).unwrap();
    symlink("sub/x", sandbox.path("link.xml")).unwrap();
    symlink("nowhere", sandbox.path("broken.xml")).unwrap();
    for (path, expected) in [
        ("../out.xml", "outside"),
        ("sub/../../out.xml", "outside"),
        ("missing/out.xml", "outside"),
        ("out/x", "link"),
        ("beside/x", "link"),
        ("link.xml", "link"),
        ("broken.xml", "link"),
    ] {
        assert_eq!(refused(&sandbox, path), expected, "{path}");
    }
    let error = check_repository_output(&sandbox.work(), Path::new("/tmp/x")).unwrap_err();
    assert!(matches!(error, RefusedOutput::Outside { .. }), "{error}");
}

/// A file in git's directory can make git run programs.
#[test]
fn git_directory_is_refused_in_any_spelling() {
    let sandbox = Sandbox::new();
    sandbox.write(".git/info/x", "").write("sub/.GIT/x", "");
    for path in [
        ".git/x",
        ".git/info/attributes",
        "sub/.GIT/x",
        "sub/../.git/x",
    ] {
        assert_eq!(refused(&sandbox, path), "git", "{path}");
    }
}

#[test]
fn only_an_earlier_output_is_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "mine\n").write(
        "plan.json",
        "{\n  \"format_version\": \"1.2\",\n  \"planned_values\": {}\n}\n",
    );
    for (name, format) in Format::ALL {
        let options = PackOptions {
            format: *format,
            ..PackOptions::default()
        };
        let text = pack(&sandbox, options);
        let path = format!("old.{name}");
        sandbox.write(&path, text);
        assert_eq!(refused(&sandbox, &path), "fine", "{name}");
        fs::remove_file(sandbox.path(&path)).unwrap();
    }
    sandbox.run("mkfifo", &[sandbox.path("pipe")]).ok();
    fs::create_dir(sandbox.path("folder")).unwrap();
    for path in ["a.txt", "plan.json", "pipe", "folder"] {
        assert_eq!(refused(&sandbox, path), "overwrites", "{path}");
    }
}
