//! A tree with the inputs that packers mishandle: encodings, names, links, special files, ignore
//! rules, and contents that break formats.

#![expect(clippy::panic, reason = "a fixture that cannot be made fails its test")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use crate::Sandbox;

/// Fills the working directory of `sandbox` with the odd tree and makes it a git repository. Puts
/// `secret-outside.txt` and a directory `outside` next to it.
pub fn odd_tree(sandbox: &Sandbox) {
    sandbox.write("../secret-outside.txt", "OUTSIDE_MARK\n");
    sandbox.write("../outside/inner.txt", "OUTSIDE_MARK\n");
    ignore_rules(sandbox);
    encodings(sandbox);
    names(sandbox);
    contents(sandbox);
    sandbox.write(
        ".gitignore",
        "*.log\n!keep.log\nignored-dir/\n/only-top.txt\n",
    );
    sandbox.git(&["init", "-q", "-b", "main"]);
    sandbox.write(".git/info/exclude", "excluded-locally.txt\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["add", "-f", "tracked.log", "ignored-dir/tracked.txt"]);
    sandbox.git(&["commit", "-qm", "all"]);
    links(sandbox);
    special_files(sandbox);
}

fn ignore_rules(sandbox: &Sandbox) {
    for path in [
        "a.log",
        "keep.log",
        "tracked.log",
        "ignored-dir/untracked.txt",
        "ignored-dir/tracked.txt",
        "only-top.txt",
        "sub/only-top.txt",
        "sub/nested.tmp",
        "sub/again.tmp",
        "excluded-locally.txt",
        "by-ignore.txt",
        "by-loom.txt",
        "node_modules/x/index.js",
        "target/debug/out.txt",
        "dist/bundle.js",
        "vendor/lib.go",
        "Cargo.lock",
        "package-lock.json",
        "app.min.js",
        "api.pb.go",
        "tests/test_a.py",
        "docs/guide.md",
        "bin/run",
        "pkg/mod.go",
        "env/settings",
        "build/make.sh",
        "out/x",
        ".hidden",
        ".github/workflows/ci.yml",
        ".env",
        "drivers/target/core.c",
    ] {
        sandbox.write(path, format!("MARK {path}\n"));
    }
    sandbox.write("sub/.gitignore", "*.tmp\n!again.tmp\n");
    sandbox.write(".ignore", "by-ignore.txt\n");
    sandbox.write(".infiniloomignore", "by-loom.txt\n");
}

fn encodings(sandbox: &Sandbox) {
    sandbox.write("enc/latin1.txt", b"caf\xe9 d\xe9j\xe0 vu na\xefve\n");
    sandbox.write(
        "enc/sjis.txt",
        b"\x82\xb1\x82\xea\x82\xcd\x93\xfa\x96{\x8c\xea\x82\xc5\x82\xb7\x81B\n",
    );
    sandbox.write(
        "enc/utf16le.txt",
        utf16("wide wörld\n", u16::to_le_bytes, b"\xff\xfe"),
    );
    sandbox.write(
        "enc/utf16be.txt",
        utf16("wide wörld\n", u16::to_be_bytes, b"\xfe\xff"),
    );
    sandbox.write("enc/bom.txt", b"\xef\xbb\xbfwith a mark\n");
    sandbox.write("enc/cut.txt", b"the last character is cut \xe2\x82");
    sandbox.write(
        "enc/late-nul.txt",
        [vec![b'a'; 9000], b"\0late\n".to_vec()].concat(),
    );
    sandbox.write("enc/binary.dat", b"\x7fELF\0\0\x01\x02");
    sandbox.write("enc/empty.txt", b"");
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2], mark: &[u8]) -> Vec<u8> {
    let units = text.encode_utf16().flat_map(bytes);
    mark.iter().copied().chain(units).collect()
}

fn names(sandbox: &Sandbox) {
    for name in [
        "with space.txt",
        "new\nline.txt",
        "quote\".txt",
        "apos'.txt",
        "<tag>.txt",
        "amp&.txt",
        "emoji-🦀.txt",
        "日本語.txt",
        "back\\slash.txt",
        "-dash.txt",
        "*star*.txt",
        "[brackets].txt",
        "back`tick.txt",
        "tab\t.txt",
        "rtl\u{202e}txt.exe",
        "percent%20.txt",
        "hash#.txt",
        "$dollar.txt",
        "~tilde",
    ] {
        sandbox.write(
            Path::new("names").join(name),
            format!("NAMED {}\n", name.escape_debug()),
        );
    }
    sandbox.write(
        Path::new("names").join(OsStr::from_bytes(b"latin-\xe9.txt")),
        "NAMED not utf-8\n",
    );
    let deep: String = (0..150).map(|level| format!("d{level}/")).collect();
    sandbox.write(format!("{deep}deep.txt"), "DEEP_MARK\n");
}

fn contents(sandbox: &Sandbox) {
    sandbox.write(
        "code/cdata.xml",
        "<a><![CDATA[ x ]]></a>\n]]>\n</file>\n</files>\n</repository>\n",
    );
    sandbox.write(
        "code/fence.md",
        "```rust\nfn main() {}\n```\n\n````\n`````\n",
    );
    sandbox.write(
        "code/control.txt",
        "bell \u{7} escape \u{1b}[31m nul-free \u{1}\n",
    );
    sandbox.write("code/crlf.txt", "one\r\ntwo\r\n");
    sandbox.write("code/mixed.txt", "one\r\ntwo\nthree\rfour");
    sandbox.write("code/special-token.txt", "<|endoftext|> <|im_start|>\n");
    sandbox.write("code/no-end.rs", "fn main() {}");
    sandbox.write(
        "code/lfs.bin",
        "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12345\n",
    );
    sandbox.write(
        "code/book.ipynb",
        r##"{"cells": [{"cell_type": "code", "source": ["x = 1\n", "x"], "outputs": [{"text": "OUTPUT_MARK"}]}], "nbformat": 4}"##,
    );
    sandbox.write("code/run-me", "#!/usr/bin/env python3\nprint('hi')\n");
}

fn links(sandbox: &Sandbox) {
    for (target, link) in [
        ("loop-b", "links/loop-a"),
        ("loop-a", "links/loop-b"),
        ("..", "links/up"),
        ("../../secret-outside.txt", "links/out-file"),
        ("../../outside", "links/out-dir"),
        ("/etc/passwd", "links/passwd"),
        ("../code/no-end.rs", "links/inside"),
        ("nowhere", "links/dangling"),
    ] {
        let link = sandbox.path(link);
        let folder = link.parent().map(std::fs::create_dir_all);
        if let Err(error) = folder.transpose().and(symlink(target, &link)) {
            panic!("{}: {error}", link.display());
        }
    }
}

fn special_files(sandbox: &Sandbox) {
    let made = sandbox.run("mkfifo", &[sandbox.path("fifo")]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    // Drops the listener; the socket file stays.
    if let Err(error) = UnixListener::bind(sandbox.path("sock")) {
        panic!("cannot make a socket: {error}");
    }
}
