//! Output files appear whole or not at all.

use std::fs;
use std::io::{ErrorKind, Write};

use loom_host::{OutputFile, write_atomically};
use loom_testkit::Sandbox;

fn names(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.work()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_file_has_its_old_text_until_the_new_one_is_finished() {
    let sandbox = Sandbox::new();
    sandbox.write("out.txt", "old");
    let mut file = OutputFile::create(&sandbox.path("out.txt")).unwrap();
    file.write_all(&vec![b'x'; 1 << 20]).unwrap();
    assert_eq!(sandbox.read("out.txt"), "old");
    assert_eq!(names(&sandbox).len(), 2);
    file.finish().unwrap();
    assert_eq!(sandbox.read("out.txt"), "x".repeat(1 << 20));
    assert_eq!(names(&sandbox), ["out.txt"]);
}

#[test]
fn an_output_that_is_given_up_leaves_nothing() {
    let sandbox = Sandbox::new();
    let mut file = OutputFile::create(&sandbox.path("out.txt")).unwrap();
    file.write_all(b"some").unwrap();
    file.flush().unwrap();
    let beside = file.temporary_path().unwrap().to_owned();
    assert_eq!(fs::read(&beside).unwrap(), b"some");
    drop(file);
    assert!(names(&sandbox).is_empty() && !beside.exists());
}

#[test]
fn a_directory_and_a_missing_parent_are_refused() {
    let sandbox = Sandbox::new();
    let error = OutputFile::create(&sandbox.work()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IsADirectory);
    let error = OutputFile::create(&sandbox.path("no/out.txt")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("no"), "{error}");
    assert!(names(&sandbox).is_empty());
}

#[test]
fn a_small_text_is_written_whole() {
    let sandbox = Sandbox::new();
    write_atomically(&sandbox.path("out.txt"), "text\n").unwrap();
    write_atomically(&sandbox.path("out.txt"), "").unwrap();
    assert_eq!(sandbox.read("out.txt"), "");
    assert_eq!(names(&sandbox), ["out.txt"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_keeps_its_mode_and_a_new_one_has_that_of_a_plain_file() {
        let sandbox = Sandbox::new();
        let (old, new) = (sandbox.path("old.txt"), sandbox.path("new.txt"));
        sandbox.write("old.txt", "old").write("plain.txt", "x");
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
        write_atomically(&old, "text").unwrap();
        write_atomically(&new, "text").unwrap();
        assert_eq!(mode(&old), 0o640);
        assert_eq!(mode(&new), mode(&sandbox.path("plain.txt")));
    }

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let sandbox = Sandbox::new();
        sandbox.write("real/out.txt", "old");
        symlink("real/out.txt", sandbox.path("link.txt")).unwrap();
        write_atomically(&sandbox.path("link.txt"), "new").unwrap();
        assert!(sandbox.path("link.txt").is_symlink());
        assert_eq!(sandbox.read("real/out.txt"), "new");
    }

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let null = Path::new("/dev/null");
        let mut file = OutputFile::create(null).unwrap();
        assert_eq!(file.temporary_path(), None);
        file.write_all(b"some").unwrap();
        file.finish().unwrap();
        assert!(!fs::metadata(null).unwrap().is_file());
    }
}
