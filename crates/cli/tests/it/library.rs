//! The library as a program uses it.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use infiniloom::{
    Address, Cancel, Chunk, Format, PackError, PackOptions, Packer, Progress, RemoteChoice,
    Repository, Source, Stage, Watch,
};
use loom_testkit::{Sandbox, odd_tree};

use crate::packed::{loom, pack};

fn odd() -> Sandbox {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox
}

#[test]
fn chunks_come_in_order_with_the_contents_of_the_pack() {
    let sandbox = odd();
    let packed = pack(&sandbox, &[]);
    let chunks = Repository::open(sandbox.work()).unwrap().chunks();
    let chunks: Vec<Chunk> = chunks.map(Result::unwrap).collect();
    let [
        Chunk::Metadata(overview),
        files @ ..,
        Chunk::Summary { left_out, .. },
    ] = &chunks[..]
    else {
        panic!("metadata, files and a summary expected");
    };
    assert_eq!(overview.files, files.len());
    assert_eq!(
        left_out.len(),
        packed.report["left_out"].as_array().unwrap().len()
    );
    let mut paths = Vec::new();
    for chunk in files {
        let Chunk::File { meta, text, .. } = chunk else {
            panic!("a file expected");
        };
        let path = meta.path.display().into_owned();
        assert_eq!(packed.files[&path], *text);
        paths.push(path);
    }
    assert_eq!(paths, packed.paths());
}

#[test]
fn dropping_the_chunks_early_stops_the_reading() {
    let sandbox = Sandbox::new();
    for at in 0..200 {
        sandbox.write(format!("{at}.txt"), "word ".repeat(2_000));
    }
    for taken in [0, 1, 5, 30] {
        let mut chunks = Repository::open(sandbox.work()).unwrap().chunks();
        assert_eq!(
            chunks.by_ref().take(taken).map(Result::unwrap).count(),
            taken
        );
        drop(chunks);
    }
}

#[test]
fn a_string_is_what_the_command_writes() {
    let sandbox = odd();
    let text = Repository::open(sandbox.work())
        .unwrap()
        .format(Format::Markdown);
    let text = text
        .exclude("docs")
        .unwrap()
        .line_numbers()
        .pack_to_string()
        .unwrap();
    let args = [
        "pack",
        "-f",
        "markdown",
        "--exclude",
        "docs",
        "--line-numbers",
    ];
    let written = loom(&sandbox, &args).ok();
    for (found, expected) in text.lines().zip(written.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(text.len(), written.len());
    assert!(Repository::open(sandbox.path("nowhere")).is_err());
}

/// Removes a file when a stage begins, and asks for a stop after some files.
struct Meddling {
    remove: PathBuf,
    cancel: Cancel,
    left: AtomicUsize,
}

impl Progress for Meddling {
    fn begin(&self, stage: Stage, _files: Option<usize>) {
        if matches!(stage, Stage::Count) {
            fs::remove_file(&self.remove).unwrap();
        }
    }

    fn advance(&self, _files: usize) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.cancel();
        }
    }
}

fn meddled(stop_after: usize) -> Result<infiniloom::Survey, PackError> {
    let sandbox = Sandbox::new();
    for name in ["a", "b", "c"] {
        sandbox.write(name, name);
    }
    let cancel = Cancel::new();
    let (remove, left) = (sandbox.path("b"), AtomicUsize::new(stop_after));
    let meddling = Meddling {
        remove,
        cancel: cancel.clone(),
        left,
    };
    let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
    packer.survey(&meddling, &cancel)
}

#[test]
fn a_file_that_vanishes_is_said() {
    let survey = meddled(usize::MAX).unwrap();
    let [left] = &survey.left_out[..] else {
        panic!("{:?}", survey.left_out);
    };
    assert_eq!(
        (left.path.to_string(), left.reason.kind()),
        ("b".to_owned(), "vanished")
    );
    assert_eq!(survey.files().len(), 2);
}

#[test]
fn a_stop_is_obeyed() {
    assert!(matches!(meddled(1), Err(PackError::Cancelled)));
}

/// Asks nobody and never stops.
struct Alone;

impl Watch for Alone {
    fn is_cancelled(&self) -> bool {
        false
    }

    fn is_interactive(&self) -> bool {
        false
    }

    fn progress(&self, _words: &str) {}

    fn made_folder(&self, folder: &std::path::Path) {
        assert!(folder.is_dir());
    }
}

#[test]
fn a_commit_and_a_remote() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n").commit_all();
    sandbox.write("a.txt", "two\n");
    let commit = Repository::open_revision(sandbox.work(), "main").unwrap();
    assert!(commit.pack_to_string().unwrap().contains("one\n"));
    let url = format!("file://{}", sandbox.work().display());
    let address = Address::parse(&url).unwrap().unwrap();
    let source = Source::open_remote(&address, RemoteChoice::default(), &Alone).unwrap();
    let copy = source.roots().next().unwrap().to_owned();
    assert!(copy.exists());
    assert!(
        Repository::of(source)
            .pack_to_string()
            .unwrap()
            .contains("one\n")
    );
    assert!(!copy.exists());
}

/// What the child of the test below runs; by itself it has nothing to do.
#[test]
fn count_in_a_home_of_its_own() {
    let Some(folder) = std::env::var_os("LOOM_CALIBRATED_FOLDER") else {
        return;
    };
    let repository = Repository::open(folder).unwrap().model("sonnet").unwrap();
    let mut chunks = repository.chunks().map(Result::unwrap);
    let Some(Chunk::Metadata(overview)) = chunks.next() else {
        panic!("metadata expected");
    };
    println!("tokens={}", overview.tokens);
}

#[test]
fn estimates_are_corrected_as_they_were_calibrated() {
    let sandbox = Sandbox::new();
    sandbox.write("a.md", "Some words of a sentence.\n".repeat(200));
    let count = || {
        let mut command = sandbox.command(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "library::count_in_a_home_of_its_own",
            "--nocapture",
        ]);
        command.env("LOOM_CALIBRATED_FOLDER", sandbox.work());
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let tokens = out.split("tokens=").nth(1).unwrap().lines().next().unwrap();
        tokens.parse::<usize>().unwrap()
    };
    let plain = count();
    let known = serde_json::json!({"format_version": 1, "calibrations": [{
        "repository": sandbox.work(), "estimator": "claude-4.7",
        "factor": 2.0, "band": 0.03, "model": "claude-sonnet-5"}]});
    sandbox.write(
        "../home/.local/share/infiniloom/calibrations.json",
        known.to_string(),
    );
    assert!(count().abs_diff(2 * plain) <= 2, "{plain}");
}

#[test]
fn chunks_stay_within_the_budget() {
    let sandbox = Sandbox::new();
    for at in 0..40 {
        sandbox.write(format!("src/{at}.py"), format!("x = {at}\n").repeat(500));
    }
    let open = || Repository::open(sandbox.work()).unwrap();
    let read = |chunks: infiniloom::Chunks| {
        let (mut paths, mut tokens, mut summary) = (Vec::new(), 0, None);
        for chunk in chunks.map(Result::unwrap) {
            match chunk {
                Chunk::Metadata(overview) => assert!(overview.tokens > 0),
                Chunk::File { meta, text, .. } => {
                    tokens += infiniloom::count(&text, infiniloom::model("gpt-5").unwrap()).upper();
                    paths.push(meta.path.display().into_owned());
                }
                Chunk::Summary {
                    files,
                    total_tokens,
                    left_out,
                    ..
                } => summary = Some((files, total_tokens, left_out.len())),
                _ => {}
            }
        }
        (paths, tokens, summary.unwrap())
    };
    let (_, all, (files, ..)) = read(open().chunks());
    assert_eq!(files, 40);
    for budget in [5_000, 20_000] {
        assert!(all > budget);
        let (paths, tokens, (files, total, left_out)) = read(open().budget(budget).chunks());
        assert!(tokens <= budget && total <= budget, "{tokens} of {budget}");
        assert!(tokens > budget / 2, "{tokens} of {budget}");
        assert_eq!((paths.len(), files + left_out), (files, 40));
        // They are the files of a written pack.
        let written = open().budget(budget).pack_to_string().unwrap();
        assert!(paths.iter().all(|path| written.contains(path.as_str())));
    }
    let mut chunks = open().budget(1).chunks();
    let error = chunks.next().unwrap().unwrap_err();
    assert!(matches!(error, PackError::BudgetTooSmall { .. }), "{error}");
}

#[test]
fn unknown_model_suggests_names() {
    let sandbox = Sandbox::new();
    let error = Repository::open(sandbox.work()).unwrap().model("sonet");
    let error = error.unwrap_err();
    assert!(error.to_string().contains("did you mean sonnet"), "{error}");
    assert_eq!(error.suggestions()[0], "sonnet");
}
