//! Files that are edited while they are packed: no packed file is ever a mixture of two versions.

use std::fs::{self, OpenOptions};
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom_testkit::{Sandbox, until};
use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};

use crate::packed::loom;
use crate::readers;

const FILES: usize = 6;

/// Returns a text that is too large for one read.
fn version(letter: char) -> String {
    format!("{}\n", letter.to_string().repeat(79)).repeat(2_000)
}

/// Overwrites the file in place with the same size, or replaces it.
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

/// Number of the run that ends the editing.
const OVER: usize = usize::MAX;

/// Edits each file once per run, when a process opens it.
fn edit_what_is_opened(sandbox: &Sandbox, run: &AtomicUsize) {
    let opened = inotify::init(CreateFlags::CLOEXEC).unwrap();
    inotify::add_watch(&opened, sandbox.work(), WatchFlags::OPEN).unwrap();
    run.store(1, Ordering::SeqCst);
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut opened = Reader::new(&opened, &mut buffer);
    let mut edited = [0; FILES];
    loop {
        let event = opened.next().unwrap();
        let run = run.load(Ordering::SeqCst);
        if run == OVER {
            return;
        }
        let name = event.file_name().and_then(|name| name.to_str().ok());
        let number = name.and_then(|name| name.strip_suffix(".txt")?.parse::<usize>().ok());
        if let Some(number) = number.filter(|number| edited[*number] < run) {
            edited[number] = run;
            edit(&sandbox.path(format!("{number}.txt")), run + number);
        }
    }
}

/// Guard that ends the editing, also after a failed check: the scope waits for the editor.
struct Stop<'a>(&'a Sandbox, &'a AtomicUsize);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.1.store(OVER, Ordering::SeqCst);
        self.0.write("stop~", "");
    }
}

#[test]
fn no_file_is_a_mixture() {
    let sandbox = Sandbox::new();
    for at in 0..FILES {
        sandbox.write(format!("{at}.txt"), version('a'));
    }
    let run = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| edit_what_is_opened(&sandbox, &run));
        let _stop = Stop(&sandbox, &run);
        until(|| run.load(Ordering::SeqCst) > 0);
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
            assert_eq!(files.len(), FILES);
            for (path, text) in files {
                let letter = text.chars().next().unwrap();
                assert!(text == version(letter), "{path} is a mixture");
            }
            run.fetch_add(1, Ordering::SeqCst);
        }
    });
    let edits = (0..FILES).filter(|at| !sandbox.read(format!("{at}.txt")).starts_with('a'));
    assert_eq!(edits.count(), FILES, "some files were never edited");
}
