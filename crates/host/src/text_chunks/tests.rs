//! Checks that chunks read and scan each file once. It counts, and measures no time.

use std::ops::ControlFlow;

use loom_testkit::Sandbox;

use super::*;
use crate::PackOptions;

/// Returns the chunked texts by path, and the numbers of reads and scans.
fn chunked(sandbox: &Sandbox, options: PackOptions) -> (Vec<(String, String)>, usize, usize) {
    let packer = Packer::open(&[sandbox.work()], options).unwrap();
    let (run, cancel) = (Run::new(), Cancel::new());
    let mut texts = Vec::new();
    let options = ChunkOptions::default();
    TextChunker::new(&packer, &options)
        .split_files_of(&run, run.control(&cancel), |file| {
            texts.push((file.path.to_string(), file.text));
            ControlFlow::Continue(())
        })
        .unwrap();
    let counts = &run.unread.counts;
    (texts, counts.reads(), counts.scans())
}

/// Writes a file with a secret, one with a copy of it, and 20 others.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    // Assembled here, so that this file contains no secret.
    let secret = ["Zx81", "qT!9pLw", "7vB2"].concat();
    sandbox.write("a.py", format!("print('{secret}')\n"));
    sandbox.write("b.py", format!("password = '{secret}'\n"));
    for number in 0..20 {
        sandbox.write(
            format!("src/{number}.py"),
            format!("def f{number}(): pass\n"),
        );
    }
    sandbox
}

#[test]
fn each_file_is_read_and_scanned_once() {
    let (texts, reads, scans) = chunked(&tree(), PackOptions::default());
    assert_eq!((texts.len(), reads, scans), (22, 22, 22));
    assert_eq!(texts[0].1, "print('[REDACTED:password:1]')\n");
}

#[test]
fn texts_beyond_the_memory_are_read_again_with_the_same_result() {
    let sandbox = tree();
    let large = "x = 1\n".repeat(60_000);
    for number in 0..4 {
        sandbox.write(format!("zz/{number}.py"), format!("{large}# {number}\n"));
    }
    let little = PackOptions {
        max_memory: 1,
        ..PackOptions::default()
    };
    let (texts, reads, _) = chunked(&sandbox, little);
    assert!((26 + 3..=26 + 26).contains(&reads), "{reads}");
    let (with_room, reads, _) = chunked(&sandbox, PackOptions::default());
    assert_eq!((texts, reads), (with_room, 26));
}

/// The evidence for secrets depends on the path, and the second pass knows only the redacted one.
#[test]
fn files_below_a_redacted_path_are_scanned_under_that_path() {
    let sandbox = Sandbox::new();
    // Assembled here, so that this file contains no secret.
    let token = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    sandbox.write(format!("keys/{token}/c.py"), "def c(): pass\n");
    let (texts, reads, scans) = chunked(&sandbox, PackOptions::default());
    assert!(!texts[0].0.contains(token), "{texts:?}");
    assert_eq!((reads, scans), (1, 2));
}
