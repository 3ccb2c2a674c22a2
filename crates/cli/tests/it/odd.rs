//! The odd tree: every path has one decided outcome, and all its bytes are read back unchanged.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use loom_base::RepoPath;
use loom_testkit::{Sandbox, odd_tree};

use crate::packed::{formats, loom, pack};
use crate::readers;

fn odd() -> Sandbox {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox
}

#[test]
fn every_path_has_its_decided_outcome() {
    pack(&odd(), &[]).check(
        "
        a.log: gitignore
        keep.log: packed
        tracked.log: packed
        ignored-dir/untracked.txt: gitignore
        ignored-dir/tracked.txt: packed
        only-top.txt: gitignore
        sub/only-top.txt: packed
        sub/nested.tmp: gitignore
        sub/again.tmp: packed
        excluded-locally.txt: gitignore
        by-ignore.txt: ignore-file
        by-loom.txt: infiniloomignore
        node_modules/x/index.js: default
        target/debug/out.txt: default
        dist/bundle.js: default
        vendor/lib.go: default
        Cargo.lock: default
        package-lock.json: default
        app.min.js: default
        api.pb.go: default
        tests/test_a.py: packed
        docs/guide.md: packed
        bin/run: packed
        pkg/mod.go: packed
        env/settings: packed
        build/make.sh: packed
        out/x: packed
        drivers/target/core.c: packed
        .hidden: packed
        .github/workflows/ci.yml: packed
        .env: packed
        .gitignore: packed
        .git/HEAD: not mentioned
        enc/binary.dat: binary
        enc/empty.txt: packed
        links/loop-a: symlink
        links/loop-b: symlink
        links/up: symlink
        links/out-file: symlink
        links/out-dir: symlink
        links/passwd: symlink
        links/inside: symlink
        links/dangling: symlink
        fifo: special-file
        sock: special-file
        code/lfs.bin: lfs-pointer
        code/book.ipynb: packed
        ",
    );
}

#[test]
fn nothing_is_silently_missing() {
    let sandbox = odd();
    let packed = pack(&sandbox, &[]);
    let mut found = 0;
    visit(&sandbox.work(), &mut |file| {
        let bytes = file.strip_prefix(sandbox.work()).unwrap().as_os_str();
        let shown = RepoPath::new(bytes.as_bytes())
            .unwrap()
            .display()
            .into_owned();
        assert_ne!(packed.outcome(&shown), "not mentioned", "{shown}");
        found += 1;
    });
    assert!(found > 70, "{found}");
}

fn visit(folder: &Path, seen: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == ".git" => {}
            true => visit(&entry.path(), seen),
            false => seen(&entry.path()),
        }
    }
}

#[test]
fn text_is_decoded_and_said() {
    let packed = pack(&odd(), &[]);
    let late_nul = format!("{}\0late\n", "a".repeat(9000));
    for (path, text, note) in [
        (
            "enc/latin1.txt",
            "café déjà vu naïve\n",
            Some("decoded from windows-1252"),
        ),
        (
            "enc/sjis.txt",
            "これは日本語です。\n",
            Some("decoded from shift_jis"),
        ),
        (
            "enc/utf16le.txt",
            "wide wörld\n",
            Some("decoded from utf-16le with BOM"),
        ),
        (
            "enc/utf16be.txt",
            "wide wörld\n",
            Some("decoded from utf-16be with BOM"),
        ),
        (
            "enc/bom.txt",
            "with a mark\n",
            Some("decoded from utf-8 with BOM"),
        ),
        (
            "enc/cut.txt",
            "the last character is cut \u{fffd}",
            Some("1 broken character replaced"),
        ),
        ("enc/late-nul.txt", &late_nul, None),
        (
            "code/book.ipynb",
            "# %%\nx = 1\nx\n",
            Some("notebook cells without outputs"),
        ),
        ("code/crlf.txt", "one\r\ntwo\r\n", None),
    ] {
        assert_eq!(packed.files[path], text, "{path}");
        assert_eq!(packed.note(path), note, "{path}");
    }
}

#[test]
fn every_format_reads_back_to_the_same_files() {
    let sandbox = odd();
    let expected: readers::Files = pack(&sandbox, &[]).files.into_iter().collect();
    let names = expected.iter().filter(|(path, _)| path.contains("names/"));
    assert_eq!(names.count(), 20);
    for format in formats() {
        let mut files = readers::read(format, &loom(&sandbox, &["pack", "-f", format]).ok());
        files.sort();
        for (found, expected) in files.iter().zip(&expected) {
            assert_eq!(found, expected, "{format}");
        }
        assert_eq!(files.len(), expected.len(), "{format}");
    }
}

#[test]
fn plain_files_are_there_byte_for_byte() {
    let sandbox = odd();
    let packed = pack(&sandbox, &[]);
    let mut same = 0;
    for (path, text) in &packed.files {
        let decoded = packed.note(path).is_some();
        if let Some(bytes) = fs::read(sandbox.path(path)).ok().filter(|_| !decoded) {
            assert_eq!(bytes, text.as_bytes(), "{path}");
            same += 1;
        }
    }
    assert!(same > 40, "{same}");
    // Quoted names do not exist on disk, so their contents are compared with constants.
    for (path, text) in [
        (r#""names/new\nline.txt""#, "NAMED new\\nline.txt\n"),
        (r#""names/tab\t.txt""#, "NAMED tab\\t.txt\n"),
        (r#""names/latin-\351.txt""#, "NAMED not utf-8\n"),
        (
            r#""names/rtl\342\200\256txt.exe""#,
            "NAMED rtl\\u{202e}txt.exe\n",
        ),
    ] {
        assert_eq!(packed.files[path], text, "{path}");
    }
}

#[test]
fn links_never_lead_outside() {
    let sandbox = odd();
    for format in formats() {
        for more in [
            &[][..],
            &["--no-ignore", "--no-default-ignore"],
            &["--include", "links"],
        ] {
            let args = [&["pack", "-f", format], more].concat();
            let text = loom(&sandbox, &args).ok();
            for mark in ["OUTSIDE_MARK", "root:x:", "OUTPUT_MARK"] {
                assert!(!text.contains(mark), "{mark} with {args:?}");
            }
        }
    }
}

#[test]
fn deep_folders_are_read() {
    let packed = pack(&odd(), &[]);
    let mut deep = packed
        .files
        .iter()
        .filter(|(path, _)| path.ends_with("deep.txt"));
    let (path, text) = deep.next().unwrap();
    assert_eq!(
        (path.split('/').count(), text.as_str()),
        (151, "DEEP_MARK\n")
    );
}
