//! `pack --header` and `--instruction-file`.

use loom_testkit::Sandbox;

use crate::packed::loom;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("repo/a.rs", "fn a() {}\n")
        .write("ask.md", b"\xff\xfeF\0i\0n\0d\0 \0i\0t\0.\0")
        .write("binary", [0, 1, 2, 0xff, 0])
        .write("large", vec![b'x'; (1 << 20) + 1]);
    sandbox
}

#[test]
fn both_stand_in_the_head_of_every_format() {
    let sandbox = sandbox();
    for format in ["xml", "markdown", "json", "yaml", "plain", "compact"] {
        let args = [
            "pack",
            "repo",
            "-q",
            "-f",
            format,
            "--header",
            "A crate.",
            "--instruction-file",
            "ask.md",
        ];
        let text = loom(&sandbox, &args).ok();
        let header = text.find("A crate.").unwrap();
        let instructions = text.find("Find it.").unwrap();
        let contents = text.find("fn a() {}").unwrap();
        assert!(header < instructions && instructions < contents, "{text}");
    }
}

#[test]
fn what_cannot_be_used_is_named() {
    let sandbox = sandbox();
    for (file, message) in [
        ("none", "flag --instruction-file: cannot read none: "),
        ("binary", "binary is not text"),
        ("large", "large is larger than 1 MiB"),
    ] {
        let run = loom(&sandbox, &["pack", "repo", "--instruction-file", file]);
        assert_eq!(run.code, 2, "{file}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}
