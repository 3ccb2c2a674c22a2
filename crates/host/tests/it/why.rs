//! Reasons for skipping a single file that the rules include.

use loom_host::{FilterKind, PackOptions, Packer, RuleSource, ScanOptions, Verdict, skip_reason};
use loom_testkit::Sandbox;

use crate::fixture::{filters, pack};

/// Returns the reason for a file, as `why` asks for it.
fn why(sandbox: &Sandbox, path: &str, options: PackOptions) -> Option<&'static str> {
    let packer = Packer::open(&[sandbox.path(path)], options).unwrap();
    let verdict = packer
        .source()
        .why(&sandbox.path(path), &packer.options().scan);
    let (_, verdict) = verdict.unwrap();
    skip_reason(&packer, &verdict).map(|reason| reason.kind())
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "words\n")
        .write("bundle.js", "var a=1;".repeat(2_000))
        .write("data.bin", "\0\u{1}")
        .write("large.txt", "words ".repeat(1_000));
    let old = pack(&sandbox, PackOptions::default());
    sandbox.write("old.xml", old);
    sandbox
}

#[test]
fn contents_skip_a_file_that_no_rule_skips() {
    let sandbox = sandbox();
    let options = PackOptions {
        max_file_size: 50_000,
        ..PackOptions::default()
    };
    for (path, expected) in [
        ("a.txt", None),
        ("bundle.js", Some("minified")),
        ("data.bin", Some("binary")),
        ("old.xml", Some("earlier-pack")),
    ] {
        assert_eq!(why(&sandbox, path, options.clone()), expected, "{path}");
    }
    let small = PackOptions {
        max_file_size: 100,
        ..PackOptions::default()
    };
    assert_eq!(why(&sandbox, "large.txt", small), Some("too-large"));
}

#[test]
fn pattern_of_the_user_includes_what_a_guess_would_skip() {
    let sandbox = sandbox();
    let options = |glob: &str| PackOptions {
        scan: ScanOptions {
            filters: filters(FilterKind::Include, &[glob]),
            ..ScanOptions::default()
        },
        ..PackOptions::default()
    };
    assert_eq!(why(&sandbox, "bundle.js", options("*.js")), None);
    assert_eq!(why(&sandbox, "data.bin", options("*.bin")), Some("binary"));
    let packer = Packer::open(&[sandbox.path("bundle.js")], options("*.js")).unwrap();
    let (_, verdict) = packer
        .source()
        .why(&sandbox.path("bundle.js"), &packer.options().scan)
        .unwrap();
    assert!(matches!(verdict, Verdict::TakenBy(rule) if rule.source == RuleSource::Include));
}

#[test]
fn output_of_the_run_is_skipped() {
    let sandbox = sandbox();
    let options = PackOptions {
        scan: ScanOptions {
            outputs: vec![sandbox.path("a.txt")],
            ..ScanOptions::default()
        },
        ..PackOptions::default()
    };
    assert_eq!(why(&sandbox, "a.txt", options), Some("output-file"));
}

#[test]
fn rule_of_the_settings_skips_a_file() {
    let sandbox = sandbox();
    let filter = filters(FilterKind::Include, &["*.txt"]).remove(0);
    let options = PackOptions {
        shorten: loom_host::ShortenOptions::default().exclude(filter, "*.txt"),
        ..PackOptions::default()
    };
    assert_eq!(why(&sandbox, "a.txt", options), Some("transform"));
}

#[test]
fn directory_has_no_reason() {
    let sandbox = sandbox();
    let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
    assert!(skip_reason(&packer, &Verdict::Taken).is_none());
}
