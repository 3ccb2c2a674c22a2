//! Repositories of every kind, and several at once.

use loom_source::{ScanOptions, Source};
use loom_testkit::Sandbox;

use crate::{scan, taken};

#[test]
fn a_sha256_repository_is_a_repository() {
    let sandbox = Sandbox::new();
    sandbox
        .write("t.log", "x")
        .write("out.txt", "x")
        .write(".gitignore", "*.log\n");
    sandbox.git(&["init", "-q", "--object-format=sha256"]);
    sandbox.write(".git/info/exclude", "out.txt\n");
    sandbox.git(&["add", "-f", "t.log"]);
    let scan = scan(&sandbox);
    assert_eq!(taken(&scan), [".gitignore", "t.log"]);
    assert!(scan.warnings.is_empty(), "{:?}", scan.warnings);
}

#[test]
fn settings_of_git_are_read_for_secrets_only() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.py", "x")
        .write("settings.local.json", "{}")
        .write(".gitignore", "settings.local.json\n");
    sandbox.git(&["init", "-q"]);
    for credentials in [true, false] {
        let source = Source::open(&[sandbox.path(".")]).unwrap();
        let scan = source.scan(&ScanOptions {
            credentials,
            ..ScanOptions::default()
        });
        assert_eq!(taken(&scan), [".gitignore", "a.py"]);
        let learned: Vec<_> = scan
            .credentials
            .iter()
            .map(|file| file.path.display())
            .collect();
        match credentials {
            true => assert_eq!(learned, [".git/config", "settings.local.json"]),
            false => assert!(learned.is_empty(), "{learned:?}"),
        }
    }
}

#[test]
fn unreadable_git_data_is_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "x").commit_all();
    sandbox.write(".git/index", "garbage");
    let broken = scan(&sandbox);
    assert_eq!(taken(&broken), ["a"]);
    let warning = broken.warnings.first().unwrap();
    assert!(warning.contains("index"), "{warning}");
    sandbox
        .write(".git/HEAD", "garbage")
        .write(".git/config", "[core\n");
    assert!(!scan(&sandbox).warnings.is_empty());
}

#[test]
fn a_repository_in_a_named_folder_is_there_once() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a", "x")
        .write("inner/f", "x")
        .write("inner/g", "x");
    sandbox
        .git(&["init", "-q"])
        .git_in("inner", &["init", "-q"]);
    for names in [
        vec![".", "inner"],
        vec!["inner", "."],
        vec![".", "inner/f", "inner"],
    ] {
        let paths: Vec<_> = names.iter().map(|name| sandbox.path(name)).collect();
        let scan = Source::open(&paths).unwrap().scan(&ScanOptions::default());
        assert_eq!(taken(&scan), ["a", "inner/f", "inner/g"], "{names:?}");
    }
}

#[test]
fn many_named_files_of_one_tree() {
    let sandbox = Sandbox::new();
    let names: Vec<_> = (0..300).map(|at| format!("d/{at:03}")).collect();
    names.iter().for_each(|name| {
        sandbox.write(name, "x");
    });
    let paths: Vec<_> = names.iter().map(|name| sandbox.path(name)).collect();
    let scan = Source::open(&paths).unwrap().scan(&ScanOptions::default());
    assert_eq!(scan.files.len(), 300);
    assert!(scan.files.iter().all(|file| file.wanted));
}

#[test]
fn special_files_in_a_git_folder_do_not_hang() {
    for name in ["config", "HEAD", "index"] {
        for device in [true, false] {
            let sandbox = Sandbox::new();
            sandbox.write("a", "x").commit_all();
            let path = sandbox.path(".git").join(name);
            std::fs::remove_file(&path).unwrap();
            if device {
                std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            } else {
                assert_eq!(sandbox.run("mkfifo", &[&path]).code, 0);
            }
            let scan = scan(&sandbox);
            assert_eq!(taken(&scan), ["a"], "{name}");
            assert_eq!(scan.warnings.len(), 1, "{name}");
        }
    }
}

#[test]
fn a_folder_cannot_point_to_a_repository_outside() {
    let sandbox = Sandbox::new();
    sandbox
        .write("outer/a", "x")
        .write("other/secret-name", "x");
    sandbox.git_in("outer", &["init", "-q"]);
    sandbox
        .git_in("other", &["init", "-q"])
        .git_in("other", &["add", "-A"]);
    let pointer = format!("gitdir: {}\n", sandbox.path("other/.git").display());
    sandbox
        .write("outer/sub/.git", pointer)
        .write("outer/sub/b", "x");
    let source = Source::open(&[sandbox.path("outer")]).unwrap();
    let scan = source.scan(&ScanOptions::default());
    assert_eq!(taken(&scan), ["a", "sub/b"]);
    assert!(scan.left_out.is_empty(), "{:?}", scan.left_out);
    assert_eq!(scan.warnings.len(), 1);
}

/// The result does not depend on the thread that finds a file.
#[test]
fn many_threads_find_what_one_finds() {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q"]);
    for number in 0..200 {
        let folder = format!("a{}/b{}/c{number}", number % 3, number % 7);
        sandbox.write(format!("{folder}/x.rs"), "x");
        sandbox.write(format!("{folder}/y.log"), "y");
        if number % 11 == 0 {
            sandbox.write(format!("{folder}/.gitignore"), "*.log\n");
        }
        if number % 50 == 0 {
            sandbox.git(&["init", "-q", &format!("{folder}/inner")]);
            sandbox.write(format!("{folder}/inner/z.rs"), "z");
        }
    }
    sandbox.git(&["add", "a0/b6"]);
    std::fs::remove_file(sandbox.path("a0/b6/c6/x.rs")).unwrap();
    let source = Source::open(&[sandbox.work()]).unwrap();
    let with = |threads| {
        let options = ScanOptions {
            threads,
            ..ScanOptions::default()
        };
        let scan = source.scan(&options);
        format!("{:?} {:?} {:?}", scan.files, scan.left_out, scan.warnings)
    };
    let one = with(1);
    assert!(one.contains("inner/z.rs") && one.contains("Deleted"));
    for threads in [2, 3, 8] {
        assert_eq!(with(threads), one, "{threads}");
    }
}
