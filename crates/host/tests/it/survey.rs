//! The first pass: files and their counts, skipped files with their reasons, and cancellation.

use std::num::NonZero;
use std::sync::atomic::AtomicUsize;

use loom_host::{Cancel, FilterKind, PackError, PackOptions, PackRun, ScanOptions, count};
use loom_testkit::{Sandbox, odd_tree};

use crate::fixture::{Meddling, filters, pack, packer, paths, reasons, survey, write};

fn mixed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("src/b.rs", "fn b() {}\n")
        .write("src/a.rs", "fn a() {}\n\nfn c() {}")
        .write("README.md", "# It\n")
        .write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\0")
        .write("large.txt", "words ".repeat(500))
        .write("bundle.js", "var a=1;".repeat(2_000))
        .write(
            "model.bin",
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
        );
    sandbox
}

fn small_files() -> PackOptions {
    PackOptions {
        max_file_size: 2_500,
        ..PackOptions::default()
    }
}

#[test]
fn files_are_ordered_by_path_and_counted_exactly() {
    let sandbox = mixed();
    let options = small_files();
    let survey = survey(&packer(&sandbox, options.clone()));
    assert_eq!(paths(&survey), ["README.md", "src/a.rs", "src/b.rs"]);
    let texts = ["# It\n", "fn a() {}\n\nfn c() {}", "fn b() {}\n"];
    for (file, text) in survey.files().zip(texts) {
        let tokens = count(text, &options.model).likely();
        assert_eq!(
            (file.bytes, file.lines, file.tokens),
            (text.len(), text.lines().count(), tokens)
        );
        assert_eq!(file.first_line, 1);
    }
    let overview = &survey.overview;
    let sum: usize = survey.files().map(|file| file.tokens).sum();
    assert_eq!((overview.files, overview.tokens), (3, sum));
    let languages: Vec<&str> = overview.languages.iter().map(|one| one.name).collect();
    assert_eq!(languages, ["Rust", "Markdown"]);
}

#[test]
fn each_skipped_file_has_one_reason() {
    let sandbox = mixed();
    sandbox.write("old.xml", pack(&sandbox, small_files()));
    let survey = survey(&packer(&sandbox, PackOptions::default()));
    assert_eq!(
        reasons(&survey.left_out),
        [
            "bundle.js: minified",
            "model.bin: lfs-pointer",
            "old.xml: earlier-pack",
            "picture.png: binary",
        ]
    );
    let small = packer(&sandbox, small_files());
    let left_out = crate::fixture::survey(&small).left_out;
    assert!(reasons(&left_out).contains(&"large.txt: too-large".to_owned()));
}

/// No guess about the contents skips a file that a pattern of the user includes.
#[test]
fn included_file_is_packed_whatever_it_looks_like() {
    let sandbox = mixed();
    sandbox.write("old.xml", pack(&sandbox, small_files()));
    let options = PackOptions {
        scan: ScanOptions {
            filters: filters(FilterKind::Include, &["*.js", "*.xml", "*.bin"]),
            ..ScanOptions::default()
        },
        ..PackOptions::default()
    };
    let survey = survey(&packer(&sandbox, options));
    assert_eq!(paths(&survey), ["bundle.js", "old.xml"]);
    assert!(reasons(&survey.left_out).contains(&"model.bin: lfs-pointer".to_owned()));
}

#[test]
fn minified_code_is_packed_without_the_built_in_rules() {
    let sandbox = mixed();
    let options = PackOptions {
        scan: ScanOptions {
            default_ignore: false,
            ..ScanOptions::default()
        },
        ..PackOptions::default()
    };
    assert!(paths(&survey(&packer(&sandbox, options))).contains(&"bundle.js".to_owned()));
}

#[test]
fn reasons_are_counted_in_the_overview_except_for_the_output() {
    let sandbox = mixed();
    sandbox.write("out.xml", "earlier output");
    let options = PackOptions {
        scan: ScanOptions {
            outputs: vec![sandbox.path("out.xml")],
            ..ScanOptions::default()
        },
        ..PackOptions::default()
    };
    let survey = survey(&packer(&sandbox, options));
    assert!(reasons(&survey.left_out).contains(&"out.xml: output-file".to_owned()));
    let shares: Vec<(&str, usize)> = survey
        .overview
        .left_out
        .iter()
        .map(|share| (share.reason, share.count))
        .collect();
    assert_eq!(shares, [("binary", 1), ("lfs-pointer", 1), ("minified", 1)]);
}

#[test]
fn largest_files_are_those_with_most_tokens_and_then_by_path() {
    let sandbox = Sandbox::new();
    for (name, lines) in [("a", 3), ("b", 9), ("c", 3), ("d", 1)] {
        sandbox.write(name, "some words\n".repeat(lines));
    }
    let survey = survey(&packer(&sandbox, PackOptions::default()));
    let names = |count: usize| -> Vec<String> {
        let files = survey.largest(count).into_iter();
        files.map(|file| file.path.display().into_owned()).collect()
    };
    assert_eq!(names(3), ["b", "a", "c"]);
    assert_eq!(names(9).len(), 4);
    assert!(names(0).is_empty());
}

#[test]
fn file_that_vanishes_is_skipped_with_the_reason() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "a").write("b", "b").write("c", "c");
    let meddling = Meddling {
        remove: Some(sandbox.path("b")),
        cancel: Cancel::new(),
        left: AtomicUsize::new(usize::MAX),
    };
    let packer = packer(&sandbox, PackOptions::default());
    let survey = PackRun::new(&packer, &meddling, &meddling.cancel)
        .survey()
        .unwrap();
    assert_eq!(reasons(&survey.left_out), ["b: vanished"]);
    assert_eq!(paths(&survey), ["a", "c"]);
}

#[test]
fn cancelled_survey_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "a").write("b", "b").write("c", "c");
    let meddling = Meddling::cancelling(1);
    let packer = packer(&sandbox, PackOptions::default());
    let result = PackRun::new(&packer, &meddling, &meddling.cancel).survey();
    assert!(matches!(result, Err(PackError::Cancelled)));
}

/// Neither the number of threads nor the memory changes a byte of the output.
#[test]
fn output_is_the_same_at_any_number_of_threads_and_with_any_memory() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    let expected = pack(&sandbox, PackOptions::default());
    for (threads, max_memory) in [(1, PackOptions::MAX_MEMORY), (2, 1), (7, 1)] {
        let options = PackOptions {
            threads: NonZero::new(threads),
            max_memory,
            ..PackOptions::default()
        };
        assert!(
            pack(&sandbox, options) == expected,
            "{threads} threads, {max_memory} bytes"
        );
    }
}

#[test]
fn empty_directory_is_a_pack_without_files() {
    let sandbox = Sandbox::new();
    let packer = packer(&sandbox, PackOptions::default());
    let survey = survey(&packer);
    assert_eq!((survey.files().len(), survey.overview.tokens), (0, 0));
    let (text, written) = write(&packer, &survey);
    assert_eq!(text.len(), written.bytes);
    assert!(survey.left_out.is_empty() && survey.secrets.is_empty());
}

/// Several runs may use one packer at the same time; the findings belong to each run.
#[test]
fn parallel_surveys_of_one_packer_agree() {
    let sandbox = mixed();
    sandbox.write(
        "key.env",
        format!("PASSWORD={}\n", crate::fixture::password()),
    );
    let packer = packer(&sandbox, crate::fixture::cached(&sandbox));
    let expected = write(&packer, &survey(&packer)).0;
    std::thread::scope(|scope| {
        let one = || {
            let survey = survey(&packer);
            assert_eq!(survey.secrets.len(), 1);
            write(&packer, &survey).0
        };
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        for run in runs {
            assert!(run.join().unwrap() == expected);
        }
    });
}

#[test]
fn missing_directory_cannot_be_opened() {
    let sandbox = Sandbox::new();
    let opened = loom_host::Packer::open(&[sandbox.path("nowhere")], PackOptions::default());
    assert!(opened.unwrap_err().to_string().contains("nowhere"));
}
