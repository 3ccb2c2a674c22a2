//! Inputs that other packers are known to handle wrongly, with our decided outcome. If the odd tree
//! covers a case, the table names its test.
//!
//! | case | ours | test |
//! |---|---|---|
//! | empty repository, empty directory | a pack without files, exit 0 | `nothing_to_pack` |
//! | nonexistent path | exit 2 and a message that names it | `unusable_paths` |
//! | path is a file | packed | `places::one_file` |
//! | relative path `a/b` that exists | the local directory | `a_local_path_is_local` |
//! | Latin-1, Shift-JIS, UTF-16, BOM, late NUL, half a character | decoded and reported | `odd::text_is_decoded_and_said` |
//! | links that loop or lead outside | never followed, reported | `odd::links_never_lead_outside` |
//! | twenty odd names | all packed, in every format | `odd::every_format_reads_back_to_the_same_files` |
//! | ignore files, nested, negated, global, local | as git does | `odd::every_path_has_its_decided_outcome`, `rules` |
//! | tracked and ignored | packed | the same |
//! | hidden files | packed | the same |
//! | dependency directories, output, lock files | skipped and reported; tests, docs, `bin`, `pkg`, `env`, `build`, `out` packed | the same |
//! | submodule, checked out or not | packed, or reported | `repositories` |
//! | 150 directories deep | packed | `odd::deep_folders_are_read` |
//! | 64 MB file, long lines | skipped and reported; the rest packed | `large_files_stop_nothing` |
//! | FIFO, socket, device | never read, reported | `special_files_never_hang` |
//! | contents that look like markup | read back unchanged | `formats` |
//! | the same input twice | the same bytes | `same` |

use std::fs::File;

use loom_testkit::{Sandbox, odd_tree};

use crate::packed::{formats, loom, pack};
use crate::readers;

#[test]
fn nothing_to_pack() {
    let folder = Sandbox::new();
    let repository = Sandbox::new();
    repository.git(&["init", "-q", "-b", "main"]);
    for sandbox in [folder, repository] {
        for format in ["xml", "markdown", "json"] {
            let pack = loom(&sandbox, &["pack", "-f", format]).ok();
            assert_eq!(readers::read(format, &pack), []);
        }
        for format in formats() {
            let run = loom(&sandbox, &["pack", "-f", format]);
            assert!(!run.ok().is_empty(), "{format}");
            assert!(run.stderr.starts_with("work: 0 files, 0 lines, 0 tokens"));
        }
    }
}

#[test]
fn unusable_paths() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    for (path, message) in [
        ("./no/such", "error: no such file or directory: ./no/such\n"),
        (".hidden/x", "error: no such file or directory: .hidden/x\n"),
        (
            "links/dangling",
            "error: no such file or directory: links/dangling\n",
        ),
        ("fifo", "error: neither a file nor a directory: fifo\n"),
    ] {
        let run = loom(&sandbox, &["pack", path]);
        assert_eq!((run.code, run.stderr.as_str()), (2, message));
        assert_eq!(run.text(), "");
    }
    let run = loom(&sandbox, &["pack", "links/loop-a"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn a_local_path_is_local() {
    let sandbox = Sandbox::new();
    sandbox.write("rust-lang/rust/x.txt", "here\n");
    let packed = pack(&sandbox, &["rust-lang/rust"]);
    assert_eq!(packed.files["x.txt"], "here\n");
}

#[test]
fn large_files_stop_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("small.txt", "small\n");
    sandbox.write("one-line.txt", "x".repeat(400_000));
    sandbox.write("bundle.js", "var a=1;".repeat(2_000));
    sandbox.write("eleven.txt", "a line of text\n".repeat(10));
    let huge = File::create(sandbox.path("huge.txt")).unwrap();
    huge.set_len(64_000_000).unwrap();
    let packed = pack(&sandbox, &[]);
    packed.check(
        "small.txt: packed
        one-line.txt: packed
        bundle.js: minified
        eleven.txt: packed
        huge.txt: too-large",
    );
    let warning = "warning: huge.txt is not in the pack: 64000000 bytes, more than the limit";
    assert!(packed.stderr.contains(warning), "{}", packed.stderr);
    let limited = pack(&sandbox, &["--max-file-size", "100", "--no-default-ignore"]);
    limited.check("small.txt: packed\neleven.txt: too-large\nbundle.js: too-large");
    let lifted = pack(&sandbox, &["--include", "bundle.js"]);
    lifted.check("bundle.js: packed");
}

#[test]
fn special_files_never_hang() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    let device = sandbox.run("mknod", &["null", "c", "1", "3"]);
    let packed = pack(&sandbox, &["--include", "{fifo,sock,null,.hidden}"]);
    packed.check("fifo: special-file\nsock: special-file\n.hidden: packed");
    // Only root may create a device.
    if device.code == 0 {
        packed.check("null: special-file");
    }
}
