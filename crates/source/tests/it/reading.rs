//! Reading single files: huge, odd, and changing ones.

use std::fs::{self, File};
use std::sync::atomic::{AtomicBool, Ordering};

use loom_source::{NotText, Reason, Source, decode};
use loom_testkit::Sandbox;

use crate::scan;

#[test]
fn a_file_larger_than_the_memory_is_an_outcome() {
    let sandbox = Sandbox::new();
    let file = File::create(sandbox.path("huge")).unwrap();
    file.set_len(900_000_000_000).unwrap();
    let source = Source::open(&[sandbox.work()]).unwrap();
    let scan = scan(&sandbox);
    assert_eq!(
        source.read(&scan.files[0], u64::MAX).unwrap_err(),
        Reason::Binary
    );
    let small = source.read(&scan.files[0], 10).unwrap_err();
    assert!(matches!(small, Reason::TooLarge { limit: 10, .. }));
}

#[test]
fn data_that_starts_like_a_mark_is_binary() {
    let mut state = 1_u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    });
    let noise: Vec<u8> = noise.take(50_000).collect();
    for mark in [
        &b"\xff\xfe"[..],
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"\xff\xfe\0\0",
    ] {
        let decoded = decode([mark, &noise].concat());
        assert!(matches!(decoded, Err(NotText)), "{mark:?}");
    }
}

#[test]
fn a_file_is_read_as_one_version() {
    let sandbox = Sandbox::new();
    let version = |byte: u8| vec![byte; 60_000];
    sandbox.write("a", version(b'a'));
    let scan = scan(&sandbox);
    let source = Source::open(&[sandbox.work()]).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for byte in (b'a'..=b'z').cycle() {
                fs::write(sandbox.path("a"), version(byte)).unwrap();
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        for _ in 0..200 {
            match source.read(&scan.files[0], u64::MAX) {
                Ok(reading) => {
                    let first = reading.bytes.first().copied();
                    assert!(
                        reading.bytes.iter().all(|byte| Some(*byte) == first),
                        "mixed"
                    );
                }
                Err(reason) => assert_eq!(reason, Reason::KeptChanging),
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}
