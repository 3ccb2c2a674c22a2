//! Files that are unreadable or too large are recorded by every pass, once and in order.

use std::ops::ControlFlow;

use loom_host::{
    Cancel, ContextBuilder, FileStructure, ImportFollower, IndexOptions, IndexUse, LeftOut,
    MapBuilder, MapWanted, NoProgress, PackOptions, PackRun, Run, StructureOptions, StructureRun,
    update_index,
};
use loom_testkit::Sandbox;

use crate::fixture::{cached, lines, open, packer, reasons};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("large.py", format!("# {}\n", "x".repeat(6_000)))
        .write("also.py", format!("# {}\n", "y".repeat(7_000)))
        .write("pay.py", "def pay(): pass\n")
        .write("data.bin", "\0");
    sandbox
}

fn small(options: PackOptions) -> PackOptions {
    PackOptions {
        max_file_size: 5_000,
        ..options
    }
}

const EXPECTED: [&str; 2] = ["also.py: too-large", "large.py: too-large"];

/// Returns the unread files of each pass.
fn passes(sandbox: &Sandbox, options: &PackOptions) -> Vec<(&'static str, Vec<LeftOut>)> {
    let cancel = Cancel::new();
    let packer = packer(sandbox, options.clone());
    let [structures, map, context, index] = [(); 4].map(|()| Run::new());
    let emit = |_: FileStructure| ControlFlow::Continue(());
    StructureRun::new(&packer, &StructureOptions::default(), &structures, &cancel)
        .each(emit)
        .unwrap();
    MapBuilder::new(&packer, &map, &cancel)
        .build(&MapWanted::default())
        .unwrap();
    ContextBuilder::new(&packer, &context, &cancel)
        .build()
        .unwrap();
    update_index(
        &packer,
        &IndexOptions::default(),
        &index,
        &NoProgress,
        &cancel,
    )
    .unwrap();
    vec![
        ("structures", structures.unread()),
        ("map", map.unread()),
        ("context", context.unread()),
        ("index", index.unread()),
    ]
}

#[test]
fn oversized_files_are_recorded_by_every_pass_with_and_without_a_cache() {
    let sandbox = sandbox();
    for options in [small(PackOptions::default()), small(cached(&sandbox))] {
        // The second run does not open a file whose size is in the cache.
        for _ in 0..2 {
            for (pass, unread) in passes(&sandbox, &options) {
                assert_eq!(reasons(&unread), EXPECTED, "{pass}");
            }
        }
    }
}

#[test]
fn searcher_records_oversized_files() {
    let sandbox = sandbox();
    for usage in [IndexUse::Off, IndexUse::Update, IndexUse::Auto] {
        let searcher = open(packer(&sandbox, small(cached(&sandbox))), usage);
        assert_eq!(lines(&searcher, "pay"), ["pay.py:1:def pay(): pass"]);
        assert_eq!(reasons(&searcher.unread()), EXPECTED, "{usage:?}");
        assert!(searcher.is_unread("large.py") && searcher.is_unread("./also.py"));
        assert!(!searcher.is_unread("pay.py") && !searcher.is_unread("nowhere.py"));
        assert_eq!(searcher.too_large(), (2, 5_000));
    }
}

#[test]
fn reason_without_text_is_told_for_a_path() {
    let sandbox = sandbox();
    let searcher = open(packer(&sandbox, small(cached(&sandbox))), IndexUse::Auto);
    let why = |path: &str| searcher.why_no_text(path).map(|reason| reason.kind());
    assert_eq!(why("large.py"), Some("too-large"));
    assert_eq!(why("data.bin"), Some("binary"));
    assert_eq!(why("pay.py"), None);
    assert_eq!(why("nowhere.py"), None);
    assert!(searcher.has_text("pay.py") && !searcher.has_text("data.bin"));
}

#[test]
fn unusable_ignore_file_is_a_warning_of_every_pass() {
    let sandbox = sandbox();
    sandbox
        .write("sub/.gitignore", "b".repeat(2 << 20))
        .commit_all();
    let cancel = Cancel::new();
    let packer = packer(&sandbox, PackOptions::default());
    let warning = "ignoring sub/.gitignore";
    let run = Run::new();
    MapBuilder::new(&packer, &run, &cancel)
        .build(&MapWanted::default())
        .unwrap();
    assert!(
        run.warnings().iter().any(|one| one.starts_with(warning)),
        "{:?}",
        run.warnings()
    );
    let told = PackRun::new(&packer, &NoProgress, &cancel)
        .survey()
        .unwrap()
        .warnings;
    assert!(told.iter().any(|one| one.starts_with(warning)), "{told:?}");
    let searcher = open(packer, IndexUse::Off);
    assert_eq!(
        searcher
            .warnings()
            .iter()
            .filter(|one| one.starts_with(warning))
            .count(),
        1
    );
}

#[test]
fn limits_of_manifests_are_warnings() {
    let sandbox = Sandbox::new();
    sandbox
        .write("package.json", " ".repeat(1_100_000))
        .write("a.ts", "import { b } from './b'\nb()\n")
        .write("b.ts", "export function b() {}\n");
    let packer = packer(&sandbox, PackOptions::default());
    let run = Run::new();
    ImportFollower::new(&packer, &StructureOptions::default(), &run, &Cancel::new())
        .imports()
        .unwrap();
    let expected =
        "following imports without package.json: it has 1100000 bytes, the limit is 1000000";
    assert_eq!(run.warnings(), [expected]);
}
