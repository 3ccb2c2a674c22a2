//! A tree that is edited while it is packed: no file is ever a mixture of two of its
//! versions.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use loom_testkit::Sandbox;

use crate::packed::loom;
use crate::readers;

const FILES: usize = 12;

/// Large enough that reading it takes several calls.
fn version(letter: char) -> String {
    format!("{}\n", letter.to_string().repeat(79)).repeat(2_000)
}

/// Overwrites in place, page by page, with no change of size; or replaces the file.
fn edit(path: &Path, round: usize) {
    let letter = char::from(b'a' + u8::try_from(round % 26).unwrap());
    let text = version(letter);
    if round.is_multiple_of(2) {
        let beside = path.with_extension("new~");
        fs::write(&beside, &text).unwrap();
        fs::rename(&beside, path).unwrap();
        return;
    }
    let file = OpenOptions::new().write(true).open(path).unwrap();
    for (at, page) in text.as_bytes().chunks(4096).enumerate() {
        file.write_all_at(page, at as u64 * 4096).unwrap();
    }
}

#[test]
fn no_file_is_a_mixture() {
    let sandbox = Sandbox::new();
    for at in 0..FILES {
        sandbox.write(format!("{at}.txt"), version('a'));
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut round = 0;
            while !done.load(Ordering::Relaxed) {
                edit(
                    &sandbox.path(format!("{}.txt", round % FILES)),
                    round / FILES,
                );
                round += 1;
            }
        });
        let mut seen = 0;
        for _ in 0..12 {
            let args = [
                "pack",
                "-f",
                "compact",
                "--exclude",
                "*~",
                "--max-memory",
                "1mb",
            ];
            let files = readers::read("compact", &loom(&sandbox, &args).ok());
            for (path, text) in files.iter().filter(|(_, text)| !text.is_empty()) {
                let letter = text.chars().next().unwrap();
                assert!(*text == version(letter), "{path} is a mixture");
                seen += 1;
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(seen > FILES, "{seen}");
    });
}
