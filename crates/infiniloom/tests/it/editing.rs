//! A tree that is edited while it is packed: no file is ever a mixture of two of its
//! versions.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use loom_testkit::Sandbox;

use crate::packed::loom;
use crate::readers;

const FILES: usize = 6;

/// Large enough that reading it takes several calls.
fn version(letter: char) -> String {
    format!("{}\n", letter.to_string().repeat(79)).repeat(2_000)
}

/// Overwrites in place, with no change of size; or replaces the file.
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
    file.write_all_at(text.as_bytes(), 0).unwrap();
}

/// Ends the editing.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
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
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        // Also when a check fails: the scope waits for the editor.
        let _stop = Stop(&done);
        let mut seen = 0;
        for _ in 0..8 {
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
        assert!(seen > FILES, "{seen}");
    });
}
