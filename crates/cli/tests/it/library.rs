//! The library as a program uses it.

use std::path::PathBuf;

use infiniloom::{
    Buffer, Control, FetchEvent, Format, Infiniloom, Pack, PackEvent, Repository, Root, Stream,
};
use loom_testkit::{Sandbox, odd_tree};

use crate::packed::{loom, pack};

fn odd() -> Sandbox {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox
}

fn open(sandbox: &Sandbox) -> Repository {
    Infiniloom::new().open(sandbox.work()).unwrap()
}

fn stream(repository: &Repository, pack: &Pack) -> Stream<PackEvent> {
    let snapshot = repository.snapshot().unwrap();
    pack.stream(&snapshot, Buffer::default(), &Control::new())
}

fn text(repository: &Repository, pack: &Pack) -> String {
    pack.run(&repository.snapshot().unwrap()).unwrap().text
}

#[test]
fn stream_has_the_files_of_the_pack_in_their_order() {
    let sandbox = odd();
    let packed = pack(&sandbox, &[]);
    let events = stream(&open(&sandbox), &Pack::new());
    let events: Vec<PackEvent> = events.map(Result::unwrap).collect();
    let [
        PackEvent::Metadata(statistics),
        files @ ..,
        PackEvent::Summary { skipped, .. },
    ] = &events[..]
    else {
        panic!("metadata, files and a summary expected");
    };
    assert_eq!(statistics.files, files.len());
    assert_eq!(
        skipped.len(),
        packed.report["left_out"].as_array().unwrap().len()
    );
    let mut paths = Vec::new();
    for event in files {
        let PackEvent::File { info, text, .. } = event else {
            panic!("a file expected");
        };
        assert_eq!(packed.files[&info.path], *text);
        paths.push(info.path.clone());
    }
    assert_eq!(paths, packed.paths());
}

#[test]
fn a_string_is_what_the_command_writes() {
    let sandbox = odd();
    let query = Pack::new().format(Format::Markdown).exclude("docs");
    let text = text(&open(&sandbox), &query.line_numbers(true));
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
    assert!(Infiniloom::new().open(sandbox.path("nowhere")).is_err());
}

#[test]
fn a_commit_and_a_remote() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n").commit_all();
    sandbox.write("a.txt", "two\n");
    let engine = Infiniloom::new();
    let commit = engine.open(Root::path(sandbox.work()).revision("main"));
    assert!(text(&commit.unwrap(), &Pack::new()).contains("one\n"));
    let url = format!("file://{}", sandbox.work().display());
    let (sender, copies) = std::sync::mpsc::channel();
    let control = Control::new().while_fetching(move |event| {
        if let FetchEvent::Directory { path, .. } = event {
            assert!(path.is_dir());
            sender.send(path.clone()).unwrap();
        }
    });
    let roots = [Root::url(&url).branch("main")];
    let remote = engine.open_with(roots, &control).unwrap();
    assert!(text(&remote, &Pack::new()).contains("one\n"));
    let copy = copies.recv().unwrap();
    assert!(copy.exists());
    drop(remote);
    assert!(!copy.exists());
}

/// Runs in the child process of the next test. Without its variable it does nothing.
#[test]
fn count_in_a_home_of_its_own() {
    let Some(folder) = std::env::var_os("LOOM_CALIBRATED_FOLDER") else {
        return;
    };
    // Calibrations belong to the user's data.
    let engine = Infiniloom::builder().user_settings().build().unwrap();
    let query = Pack::new().model(&engine.model("sonnet").unwrap());
    let mut events = stream(&engine.open(PathBuf::from(folder)).unwrap(), &query);
    let Some(Ok(PackEvent::Metadata(statistics))) = events.next() else {
        panic!("metadata expected");
    };
    println!("tokens={}", statistics.tokens);
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
fn stream_stays_within_the_budget() {
    let sandbox = Sandbox::new();
    for at in 0..40 {
        sandbox.write(format!("src/{at}.py"), format!("x = {at}\n").repeat(500));
    }
    let repository = open(&sandbox);
    let model = Infiniloom::new().model("gpt-5").unwrap();
    let read = |query: &Pack| {
        let (mut paths, mut counted, mut summary) = (Vec::new(), 0, None);
        for event in stream(&repository, query).map(Result::unwrap) {
            match event {
                PackEvent::Metadata(statistics) => assert!(statistics.tokens > 0),
                PackEvent::File { info, text, .. } => {
                    counted += model.count(&text).upper();
                    paths.push(info.path);
                }
                PackEvent::Summary {
                    files,
                    tokens,
                    skipped,
                    ..
                } => summary = Some((files, tokens, skipped.len())),
                _ => {}
            }
        }
        (paths, counted, summary.unwrap())
    };
    let (_, all, (files, ..)) = read(&Pack::new());
    assert_eq!(files, 40);
    for budget in [5_000, 20_000] {
        assert!(all > budget);
        let query = Pack::new().budget(budget);
        let (paths, tokens, (files, total, skipped)) = read(&query);
        assert!(tokens <= budget && total <= budget, "{tokens} of {budget}");
        assert!(tokens > budget / 2, "{tokens} of {budget}");
        assert_eq!((paths.len(), files + skipped), (files, 40));
        // A written pack contains the same files.
        let written = text(&repository, &query);
        assert!(paths.iter().all(|path| written.contains(path.as_str())));
    }
    let error = stream(&repository, &Pack::new().budget(1)).next().unwrap();
    assert_eq!(error.unwrap_err().code(), "budget_too_small");
}

#[test]
fn unknown_model_suggests_names() {
    let error = Infiniloom::new().model("sonet").unwrap_err();
    assert_eq!(error.code(), "unknown_model");
    assert!(error.hint().unwrap().contains("sonnet"), "{error}");
}
