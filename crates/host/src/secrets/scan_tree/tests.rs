//! Checks that a scan reads and scans each file once, even if secrets are known. It counts, and
//! measures no time.

use loom_testkit::Sandbox;

use super::SecretScanner;
use crate::control::Control;
use crate::unread::Unread;
use crate::{Cancel, NoProgress, PackOptions, Packer, ScanScope, SecretScan};

/// Scans, and returns the numbers of reads and scans.
fn scan(sandbox: &Sandbox, options: PackOptions) -> (SecretScan, usize, usize) {
    let packer = Packer::open(&[sandbox.work()], options).unwrap();
    let (unread, cancel) = (Unread::default(), Cancel::new());
    let control = Control {
        progress: &NoProgress,
        cancel: &cancel,
        unread: &unread,
    };
    let found = SecretScanner::new(&packer, control)
        .scan(&ScanScope::Tree)
        .unwrap();
    (found, unread.counts.reads(), unread.counts.scans())
}

/// Creates files with one secret, a copy of it, and others without.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    // Assembled here, so that this file contains no secret.
    let secret = ["Zx81", "qT!9pLw", "7vB2"].concat();
    sandbox.write("a.py", format!("password = '{secret}'\n"));
    sandbox.write("b.py", format!("print('{secret}')\n"));
    for number in 0..20 {
        sandbox.write(
            format!("src/{number}.py"),
            format!("def f{number}(): pass\n"),
        );
    }
    sandbox
}

#[test]
fn each_file_is_read_and_scanned_once_if_a_secret_is_known() {
    let sandbox = tree();
    let (found, reads, scans) = scan(&sandbox, PackOptions::default());
    let paths: Vec<&str> = found.found.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["a.py", "b.py"]);
    assert_eq!((reads, scans), (22, 22));
}

/// Texts above the memory limit are read again, but not scanned again.
#[test]
fn texts_beyond_the_memory_are_not_scanned_again() {
    let sandbox = tree();
    // The smallest memory limit keeps 640 KiB between the passes.
    let large = "x = 1\n".repeat(60_000);
    for number in 0..4 {
        sandbox.write(format!("zz/{number}.py"), format!("{large}# {number}\n"));
    }
    let options = PackOptions {
        max_memory: 1 << 20,
        ..PackOptions::default()
    };
    let (found, reads, scans) = scan(&sandbox, options);
    assert_eq!(found.found.len(), 2);
    assert_eq!(scans, 26);
    assert!(reads > 26, "{reads} reads");
}
