//! What is kept of a folder, and who waits for whom.

use std::sync::mpsc::channel;

use infiniloom::host::{PackOptions, Source};
use loom_testkit::Sandbox;

use super::*;
use crate::Opened;

/// A folder that is served; nothing is made of it yet.
pub(crate) fn opened(sandbox: &Sandbox) -> Arc<Root> {
    let opener: Opener = Arc::new(|path| {
        let source = Source::open(&[path]).map_err(|error| error.to_string())?;
        Ok(Opened {
            packer: Packer::new(source, PackOptions::default()),
            settings: Settings::default(),
            files: Vec::new(),
            warnings: Vec::new(),
        })
    });
    let place = Place {
        path: sandbox.work().canonicalize().unwrap(),
        also: None,
        ahead: Ahead::Index,
    };
    Root::open(place, |_| "work".to_owned(), &opener).unwrap()
}

fn files(root: &Root) -> usize {
    let files = root.with(&Cancel::new(), |live| live.searcher.len());
    files.unwrap()
}

/// Who asks while files are looked at does not look at them again for that.
#[test]
fn nothing_is_waited_for_where_all_is_in_place() {
    let sandbox = Sandbox::new();
    let root = opened(&sandbox);
    let _looking = lock(&root.gate);
    let (told, heard) = channel();
    let same = Arc::clone(&root);
    std::thread::spawn(move || told.send(same.settle()));
    assert_eq!(heard.recv(), Ok(Ok(())));
}

/// A watch that is made ahead misses nothing.
#[cfg(target_os = "linux")]
#[test]
fn folders_are_watched_before_anybody_asks_again() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "one = 1\n");
    let root = opened(&sandbox);
    root.watch_ahead(&Cancel::new());
    assert!(!lock(&root.gate).is_watched);
    assert_eq!(files(&root), 1);
    // It comes before the watch.
    sandbox.write("b.py", "two = 2\n");
    root.watch_ahead(&Cancel::new());
    assert!(lock(&root.gate).is_fresh(false, Instant::now()));
    assert_eq!(files(&root), 2);
    // And this one after it.
    sandbox.write("c.py", "three = 3\n");
    assert_eq!(files(&root), 3);
}

/// Somebody who works long and an edit keep nobody else waiting.
#[test]
fn who_works_long_keeps_nobody_waiting() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "one = 1\n");
    let root = opened(&sandbox);
    let (go, wait) = channel::<()>();
    let (begin, begun) = channel::<()>();
    let long = {
        let root = Arc::clone(&root);
        std::thread::spawn(move || {
            root.with(&Cancel::new(), |live| {
                begin.send(()).unwrap();
                wait.recv().unwrap();
                live.searcher.len()
            })
        })
    };
    begun.recv().unwrap();
    sandbox.write("b.py", "two = 2\n");
    assert_eq!(files(&root), 2);
    sandbox.write("c.py", "three = 3\n");
    assert_eq!(files(&root), 3);
    go.send(()).unwrap();
    // It ends with the files that it began with.
    assert_eq!(long.join().unwrap().unwrap(), 1);
}
