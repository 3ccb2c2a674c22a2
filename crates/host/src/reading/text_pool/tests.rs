//! Checks that context, map and symbols read, scan and parse each file once, and that the pool
//! keeps its limits. The tests count, and measure no time.

use std::ops::ControlFlow;

use loom_testkit::Sandbox;

use super::*;
use crate::cache::ScanTarget;
use crate::reading::FileReader;
use crate::unread::Unread;
use crate::{
    Cancel, ContextBuilder, MapBuilder, MapWanted, PackOptions, Packer, Run, StructureOptions,
    StructureRun,
};

/// Counters of one run.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    reads: usize,
    scans: usize,
    parses: usize,
}

/// Writes 20 files without secrets.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    for number in 0..20 {
        sandbox.write(
            format!("src/{number}.py"),
            format!("def f{number}(): pass\n"),
        );
    }
    sandbox
}

fn open(sandbox: &Sandbox, options: PackOptions) -> Packer {
    Packer::open(&[sandbox.work()], options).unwrap()
}

fn counted(packer: &Packer, work: impl FnOnce(&Packer, &Run, &Cancel)) -> Done {
    let (run, cancel) = (Run::new(), Cancel::new());
    work(packer, &run, &cancel);
    let counts = &run.unread.counts;
    Done {
        reads: counts.reads(),
        scans: counts.scans(),
        parses: counts.parses(),
    }
}

const ONCE: Done = Done {
    reads: 20,
    scans: 20,
    parses: 20,
};

fn context(packer: &Packer, run: &Run, cancel: &Cancel) {
    ContextBuilder::new(packer, run, cancel).build().unwrap();
}

fn map(packer: &Packer, run: &Run, cancel: &Cancel) {
    let wanted = MapWanted::default();
    MapBuilder::new(packer, run, cancel).build(&wanted).unwrap();
}

fn symbols(packer: &Packer, run: &Run, cancel: &Cancel) {
    let options = StructureOptions {
        redacts: true,
        ..StructureOptions::default()
    };
    let emit = |_| ControlFlow::Continue(());
    StructureRun::new(packer, &options, run, cancel)
        .each(emit)
        .unwrap();
}

#[test]
fn context_reads_scans_and_parses_each_new_file_once() {
    let sandbox = tree();
    let packer = open(&sandbox, PackOptions::default());
    assert_eq!(counted(&packer, context), ONCE);
}

#[test]
fn map_reads_scans_and_parses_each_new_file_once() {
    let sandbox = tree();
    let packer = open(&sandbox, PackOptions::default());
    assert_eq!(counted(&packer, map), ONCE);
}

#[test]
fn symbols_read_scan_and_parse_each_new_file_once() {
    let sandbox = tree();
    let packer = open(&sandbox, PackOptions::default());
    assert_eq!(counted(&packer, symbols), ONCE);
}

/// A text that found no room is read again, and gives the same symbols.
#[test]
fn only_texts_beyond_the_share_are_read_again() {
    let sandbox = tree();
    let large = "x = 1\n".repeat(60_000);
    for number in 0..4 {
        sandbox.write(format!("zz/{number}.py"), format!("{large}# {number}\n"));
    }
    let little = PackOptions {
        max_memory: 1,
        ..PackOptions::default()
    };
    // The smallest share has room for one of the four large files.
    let again = counted(&open(&sandbox, little), symbols);
    assert!((24 + 3..48).contains(&again.reads), "{again:?}");
    let once = counted(&open(&sandbox, PackOptions::default()), symbols);
    assert_eq!((once.reads, once.parses), (24, again.parses));
}

/// Reads the files of a tree, and leaves them to the next pass with this pool.
fn fill(packer: &Packer, unread: &Unread, pool: &TextPool) {
    let files = packer.listed(&packer.options.scan).files;
    let reader = FileReader::uncached(packer, unread).with_pool(pool);
    for (at, file) in files.iter().enumerate() {
        let text = reader.file(file, at).read_within(u64::MAX).unwrap();
        text.findings(ScanTarget::File);
        text.leave_to_next_pass();
    }
}

#[test]
fn pooled_text_is_taken_once_and_only_within_the_limit() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "12345\n");
    let packer = open(&sandbox, PackOptions::default());
    let (unread, pool) = (Unread::default(), TextPool::new(10_000));
    fill(&packer, &unread, &pool);
    let files = packer.listed(&packer.options.scan).files;
    let reader = FileReader::uncached(&packer, &unread).with_pool(&pool);
    let file = reader.file(&files[0], 0);
    let refused = file.read_within(5).unwrap_err();
    assert_eq!(refused, Reason::TooLarge { size: 6, limit: 5 });
    assert_eq!(file.read_within(6).unwrap().text(), "12345\n");
    assert_eq!(unread.counts.reads(), 1);
    assert_eq!(file.read_within(6).unwrap().text(), "12345\n");
    assert_eq!(unread.counts.reads(), 2, "the pool is empty");
}

/// The share also covers the administration of each text, because many files are small.
#[test]
fn pool_without_room_leaves_the_files_to_a_second_read() {
    let sandbox = tree();
    let packer = open(&sandbox, PackOptions::default());
    let unread = Unread::default();
    let pool = TextPool::new(20 * "def f10(): pass\n".len());
    fill(&packer, &unread, &pool);
    assert!(pool.texts.lock().unwrap().len() < 2);
}

#[test]
fn text_above_the_size_limit_is_not_pooled() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "12345\n");
    let options = PackOptions {
        max_file_size: 5,
        ..PackOptions::default()
    };
    let (unread, pool) = (Unread::default(), TextPool::new(10_000));
    fill(&open(&sandbox, options), &unread, &pool);
    assert!(pool.texts.lock().unwrap().is_empty());
}
